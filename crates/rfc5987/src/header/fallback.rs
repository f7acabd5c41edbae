//! Which names can be sent as a plain quoted string, and what is sent to clients that read nothing
//! else when one cannot.
//!
//! The rules are what real clients do: curl and wget drop a name with an escaped quote or a
//! backslash and take the URL's, browsers decode `%41` and `=?utf-8?B?…?=` in a plain parameter,
//! and `/` is a separator to all of them. So a plain name has none of these.

use crate::alphabet::{EQUALS, HEX_VALUE, NAME_CLASS, NO_DIGIT, NOT_PLAIN, PERCENT};
use crate::arch;
use alloc::string::String;

/// Whether `name` can be sent as it is, in quotes.
#[inline(always)]
pub(crate) fn is_plain(name: &str) -> bool {
    all_ordinary(name.as_bytes()) || is_plain_all_the_same(name)
}

/// Bytes of a name that are looked at together.
const BLOCK: usize = 16;

/// 0 for a byte that a fallback keeps, alone as it is: not for `"`, `\`, `/`, `%` and what is not
/// printable ASCII. Written with what vector units have for bytes (the smaller of two, a difference
/// or 0): of comparisons compilers make a worse loop.
#[inline(always)]
fn unkept(byte: u8) -> u8 {
    let difference = (byte ^ b'"').min(byte ^ b'\\').min(byte ^ b'/').min(byte ^ b'%');
    is_zero(difference) | b' '.saturating_sub(byte) | byte.saturating_sub(b'~')
}

/// 1 for 0, and 0 for all else.
#[inline(always)]
fn is_zero(byte: u8) -> u8 {
    1_u8.saturating_sub(byte)
}

#[inline(always)]
fn is_block_ordinary(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(0, |any, byte| any | unkept(*byte) | is_zero(byte ^ b'=')) == 0
}

#[inline(always)]
fn all_ordinary(name: &[u8]) -> bool {
    if let Some(last) = name.last_chunk::<BLOCK>() {
        // The last block overlaps the one before it.
        let (blocks, _) = name.as_chunks::<BLOCK>();
        return blocks.iter().all(is_block_ordinary) && is_block_ordinary(last);
    }
    match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            let mut block = [0; BLOCK];
            block[..8].copy_from_slice(first);
            block[8..].copy_from_slice(last);
            is_block_ordinary(&block)
        }
        _ => name.iter().all(|byte| NAME_CLASS[usize::from(*byte)] == 0),
    }
}

/// The same for a name in which something is not ordinary: a `%` or a `=` alone does no harm.
#[inline(never)]
fn is_plain_all_the_same(name: &str) -> bool {
    let mut class = 0;
    for byte in name.bytes() {
        class |= NAME_CLASS[usize::from(byte)];
        if class & NOT_PLAIN != 0 {
            return false;
        }
    }
    (class & EQUALS == 0 || !name.contains("=?")) && (class & PERCENT == 0 || !has_escape(name))
}

/// Whether there is a `%` with two hexadecimal digits behind it, which some clients decode.
fn has_escape(name: &str) -> bool {
    let digit = |byte: u8| HEX_VALUE[usize::from(byte)] != NO_DIGIT;
    name.as_bytes().windows(3).any(|w| w[0] == b'%' && digit(w[1]) && digit(w[2]))
}

/// Most names are no longer than the first of these, and no file system takes more than 255 bytes.
const COMMON: usize = 64;
const SHORT: usize = 256;

/// Room for the fallback of a short name, and for the padding of its last block; in two sizes, as
/// it takes its time to clear.
#[derive(Default)]
pub(crate) struct Scratch {
    common: Option<[u8; COMMON + BLOCK]>,
    short: Option<[u8; SHORT + BLOCK]>,
}

/// The fallback of `name`, made in the scratch; `None` when the name is longer than that.
#[inline]
pub(crate) fn short<'s>(name: &str, scratch: &'s mut Scratch) -> Option<&'s str> {
    let out: &mut [u8] = if name.len() <= COMMON {
        scratch.common.insert([0; COMMON + BLOCK])
    } else if name.len() <= SHORT {
        scratch.short.insert([0; SHORT + BLOCK])
    } else {
        return None;
    };
    let mut filler = Filler { out, len: 0, equals: 0 };
    let (blocks, tail) = name.as_bytes().as_chunks::<BLOCK>();
    blocks.iter().for_each(|block| filler.push(block));
    if !tail.is_empty() {
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        filler.push(&block);
        filler.len -= BLOCK - tail.len();
    }
    let Filler { out, len, equals } = filler;
    let out = out.get_mut(..len)?;
    if equals != 0 {
        // `=?` begins an encoded word in the eyes of browsers.
        for next in 1..len {
            if out[next - 1..=next] == *b"=?" {
                out[next] = b'_';
            }
        }
    }
    // All of it is ASCII.
    core::str::from_utf8(out).ok()
}

/// Writes a fallback.
struct Filler<'s> {
    out: &'s mut [u8],
    /// Never more than the bytes of the name so far.
    len: usize,
    /// Not 0 when there was an `=`.
    equals: u8,
}

impl Filler<'_> {
    /// Appends what stands for a block of the name.
    #[inline(always)]
    fn push(&mut self, block: &[u8; BLOCK]) {
        self.equals |= block.iter().fold(0, |any, byte| any | is_zero(byte ^ b'='));
        let shown = block.map(
            #[inline(always)]
            |byte| {
                let kept = is_zero(unkept(byte)).wrapping_neg();
                byte & kept | b'_' & !kept
            },
        );
        let (words, _) = block.as_chunks::<8>();
        let (shown, _) = shown.as_chunks::<8>();
        for (word, shown) in words.iter().zip(shown) {
            self.push_word(u64::from_le_bytes(*word), u64::from_le_bytes(*shown));
        }
    }

    /// Appends `shown` without the bytes that stand for a continuation byte of `word`.
    #[inline(always)]
    fn push_word(&mut self, word: u64, mut shown: u64) {
        let Some(room) = self.out.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<8>) else {
            return;
        };
        self.len += 8;
        let mut gone = word & !(word << 1) & TOPS;
        if word & TOPS == TOPS {
            // Nothing but marks: of whichever, so many go.
            self.len -= ((gone >> 7).wrapping_mul(ONES) >> 56) as usize;
            gone = 0;
        }
        while gone != 0 {
            // The bits of the bytes before the first of them.
            let before = ((gone & gone.wrapping_neg()) - 1) >> 7;
            shown = shown & before | shown >> 8 & !before;
            gone = (gone & (gone - 1)) >> 8;
            self.len -= 1;
        }
        *room = shown.to_le_bytes();
    }
}

/// Each byte 1.
const ONES: u64 = u64::from_le_bytes([1; 8]);
/// The top bit of each byte.
const TOPS: u64 = ONES << 7;

/// The number of characters of the fallback of `name`: one for each scalar value.
pub(crate) fn fallback_len(name: &str) -> usize {
    utf8_runes::count(name)
}

/// Appends the fallback of `name`: itself with `_` for each scalar value that is not printable
/// ASCII and for `"`, `\`, `/` and `%`. The extension stays, as far as it is ASCII.
pub(crate) fn append_fallback(name: &str, len: usize, encoded_word: bool, out: &mut String) {
    if !encoded_word {
        arch::append_fallback(name, len, out);
        return;
    }
    for (number, part) in name.split("=?").enumerate() {
        if number > 0 {
            out.push_str("=_");
        }
        arch::append_fallback(part, fallback_len(part), out);
    }
}
