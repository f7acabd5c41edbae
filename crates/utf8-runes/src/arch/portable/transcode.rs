//! UTF-16 to UTF-8, lone surrogates replaced.

use super::utf16::{any_surrogate, is_pair};

/// Units written at a time.
const BLOCK: usize = 16;
/// What a block may take: three bytes a unit, of which a pair in the last place takes a fourth,
/// and what the four-byte stores take along. More than that, so that `at & MASK` proves the rest.
pub(super) const ROOM: usize = MASK + 5;
const MASK: usize = 63;

/// Writes `units` to the start of `out`: how many bytes, and how many lone surrogates became
/// U+FFFD. `None` when `out` is too small.
pub(crate) fn utf16_encode(units: &[u16], out: &mut [u8]) -> Option<(usize, usize)> {
    let mut rest = units;
    let mut written = 0;
    let mut lone = 0;
    while !rest.is_empty() {
        let room = out.get_mut(written..)?;
        if let Some(tail) = narrow::<BLOCK>(rest, room) {
            written += BLOCK;
            rest = tail;
        } else if rest.len() < BLOCK
            && let Some(tail) = narrow::<4>(rest, room)
        {
            written += 4;
            rest = tail;
        } else {
            let put = match room.first_chunk_mut() {
                Some(room) => put_block(rest, room),
                None => put_aside(rest, room)?,
            };
            written += put.bytes;
            lone += put.lone;
            rest = rest.get(put.units..)?;
        }
    }
    Some((written, lone))
}

/// Writes N units if they are ASCII; the units behind them.
#[inline]
fn narrow<'a, const N: usize>(units: &'a [u16], out: &mut [u8]) -> Option<&'a [u16]> {
    let (block, rest) = units.split_first_chunk::<N>()?;
    *out.first_chunk_mut::<N>()? = ascii(block)?;
    Some(rest)
}

/// The units as bytes if they are ASCII.
#[inline]
pub(super) fn ascii<const N: usize>(units: &[u16; N]) -> Option<[u8; N]> {
    (all_bits(units) < 0x80).then(|| units.map(|unit| unit as u8))
}

/// The bits that any unit has.
#[inline]
fn all_bits<const N: usize>(units: &[u16; N]) -> u16 {
    units.iter().fold(0, |all, unit| all | unit)
}

/// What a block took and gave.
struct Put {
    units: usize,
    bytes: usize,
    lone: usize,
}

/// Writes the first block of `units`, one unit more if that ends a pair, or all when there are
/// fewer.
#[inline]
fn put_block(units: &[u16], out: &mut [u8; ROOM]) -> Put {
    match units.first_chunk::<BLOCK>() {
        Some(block) if all_bits(block) < 0x800 => {
            Put { units: BLOCK, bytes: put_short(block, out), lone: 0 }
        }
        Some(block) if !any_surrogate(block) => {
            Put { units: BLOCK, bytes: put_bmp(block, out), lone: 0 }
        }
        _ => put_any(units, out),
    }
}

/// [`put_block`] where there may be too little room for any block, but enough for this one.
#[inline(never)]
fn put_aside(units: &[u16], out: &mut [u8]) -> Option<Put> {
    let mut block = [0; ROOM];
    let put = put_block(units, &mut block);
    out.get_mut(..put.bytes)?.copy_from_slice(block.get(..put.bytes)?);
    Some(put)
}

#[inline]
fn store(word: u32, out: &mut [u8; ROOM], at: usize) {
    // The mask changes no offset that occurs; with it the bounds check is gone.
    let at = at & MASK;
    out[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

/// Below 0x800.
#[inline]
fn put_short(block: &[u16; BLOCK], out: &mut [u8; ROOM]) -> usize {
    let mut at = 0;
    for (word, unit) in short_words(block).iter().zip(block) {
        let place = at & MASK;
        out[place..place + 2].copy_from_slice(&word.to_le_bytes());
        at += 1 + usize::from(*unit >= 0x80);
    }
    at
}

/// Without surrogates.
#[inline]
fn put_bmp(block: &[u16; BLOCK], out: &mut [u8; ROOM]) -> usize {
    let words = bmp_words(block);
    if block.iter().fold(u16::MAX, |low, unit| low.min(*unit)) >= 0x800 {
        for (i, word) in words.iter().enumerate() {
            store(*word, out, 3 * i);
        }
        return 3 * BLOCK;
    }
    let mut at = 0;
    for (word, unit) in words.iter().zip(block) {
        store(*word, out, at);
        at += bmp_len(*unit);
    }
    at
}

// A block's words are made in one go, which vectorises (as long as it is not inlined: scattered
// stores undo it); placing them is all that depends on what came before.

#[inline(never)]
fn short_words(block: &[u16; BLOCK]) -> [u16; BLOCK] {
    block.map(|unit| {
        let two = 0x80C0 | (unit >> 6) | ((unit & 0x3F) << 8);
        if unit < 0x80 { unit } else { two }
    })
}

#[inline(never)]
fn bmp_words(block: &[u16; BLOCK]) -> [u32; BLOCK] {
    block.map(bmp_word)
}

/// With surrogates, or fewer than a block.
fn put_any(units: &[u16], out: &mut [u8; ROOM]) -> Put {
    let mut put = Put { units: 0, bytes: 0, lone: 0 };
    while put.units < BLOCK
        && let Some(unit) = units.get(put.units)
    {
        let next = units.get(put.units + 1).copied().unwrap_or(0);
        if is_pair(*unit, next) {
            store(pair_word(*unit, next), out, put.bytes);
            put.units += 2;
            put.bytes += 4;
            continue;
        }
        let is_lone = unit & 0xF800 == 0xD800;
        let unit = if is_lone { 0xFFFD } else { *unit };
        store(bmp_word(unit), out, put.bytes);
        put.units += 1;
        put.bytes += bmp_len(unit);
        put.lone += usize::from(is_lone);
    }
    put
}

/// A unit that is no surrogate as UTF-8, the first byte lowest; without a branch, as scripts mix.
#[inline]
const fn bmp_word(unit: u16) -> u32 {
    let unit = unit as u32;
    let last = 0x80 | (unit & 0x3F);
    let two = 0xC0 | (unit >> 6) | (last << 8);
    let three = 0xE0 | (unit >> 12) | ((0x80 | (unit >> 6 & 0x3F)) << 8) | (last << 16);
    let long = if unit < 0x800 { two } else { three };
    if unit < 0x80 { unit } else { long }
}

#[inline]
const fn bmp_len(unit: u16) -> usize {
    1 + (unit >= 0x80) as usize + (unit >= 0x800) as usize
}

/// A pair as UTF-8, the first byte lowest.
#[inline]
const fn pair_word(high: u16, low: u16) -> u32 {
    let rune = 0x1_0000 + (((high as u32 & 0x3FF) << 10) | (low as u32 & 0x3FF));
    let [b0, b1, b2, b3] = [rune >> 18, rune >> 12 & 0x3F, rune >> 6 & 0x3F, rune & 0x3F];
    0x8080_80F0 | b0 | (b1 << 8) | (b2 << 16) | (b3 << 24)
}
