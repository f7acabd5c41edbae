//! UTF-8: lead bytes counted and selected, blanks trimmed.
//!
//! A *lead* here is any byte that is no continuation byte (10xxxxxx), also one that no well-formed
//! text holds; so the functions are total, and on text leads are scalar values.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;
const BLANKS: u64 = 0x20 * ONES;
/// Bytes counted at a time: four vectors of 16, and where there is more, twelve.
const BLOCK: usize = 64;
const STRIDE: usize = 192;

#[inline]
pub(crate) const fn is_lead(byte: u8) -> bool {
    // As signed numbers the continuation bytes are the 64 lowest.
    byte.cast_signed() >= -64
}

/// Whether all bytes are below 0x80.
#[inline]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        if words.iter().fold(0, |all, word| all | u64::from_le_bytes(*word)) & HIGH_BITS != 0 {
            return false;
        }
    }
    let (words, rest) = rest.as_chunks::<8>();
    let mut all = words.iter().fold(0, |all, word| all | u64::from_le_bytes(*word));
    all |= match (bytes.last_chunk::<8>(), rest) {
        (_, []) => 0,
        // Overlaps what was looked at.
        (Some(last), _) => u64::from_le_bytes(*last),
        (None, rest) => rest.iter().fold(0, |all, byte| all | u64::from(*byte)),
    };
    all & HIGH_BITS == 0
}

/// [`is_ascii`] of fewer than 32 bytes.
#[inline]
pub(crate) fn is_ascii_short(bytes: &[u8]) -> bool {
    // Two looks that overlap.
    if let (Some(first), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>()) {
        let both = u128::from_le_bytes(*first) | u128::from_le_bytes(*last);
        return (both as u64 | (both >> 64) as u64) & HIGH_BITS == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_le_bytes(*first) | u64::from_le_bytes(*last)) & HIGH_BITS == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let both = u32::from_le_bytes(*first) | u32::from_le_bytes(*last);
        return both & HIGH_BITS as u32 == 0;
    }
    bytes.iter().fold(0, |all, byte| all | byte) < 0x80
}

/// 1 in each byte that is a lead.
#[inline]
const fn leads(word: u64) -> u64 {
    ((!word >> 7) | (word >> 6)) & ONES
}

/// The sum of eight bytes of at most 31 each.
#[inline]
const fn sum(word: u64) -> usize {
    (word.wrapping_mul(ONES) >> 56) as usize
}

/// The leads in a block of at most 255 bytes: summed in bytes, so that it vectorises.
#[inline]
fn count_block<const N: usize>(block: &[u8; N]) -> usize {
    const { assert!(N <= u8::MAX as usize) };
    usize::from(block.iter().fold(0_u8, |sum, byte| sum + u8::from(is_lead(*byte))))
}

/// The number of leads.
#[inline]
pub(crate) fn count(bytes: &[u8]) -> usize {
    if bytes.len() < BLOCK { count_short(bytes) } else { count_long(bytes) }
}

/// Of fewer than 8 × 31 bytes.
#[inline]
pub(crate) fn count_short(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut sums = 0;
    for word in words {
        sums += leads(u64::from_le_bytes(*word));
    }
    sum(sums) + count_rest(bytes, rest)
}

/// Of the last 0 to 7 bytes of `bytes`.
#[inline]
fn count_rest(bytes: &[u8], rest: &[u8]) -> usize {
    if let (Some(last), false) = (bytes.last_chunk::<8>(), rest.is_empty()) {
        // The last word overlaps what was counted, by its lower bytes.
        let seen = 8 * (8 - rest.len() as u32);
        return sum(leads(u64::from_le_bytes(*last)) >> seen);
    }
    rest.iter().map(|byte| usize::from(is_lead(*byte))).sum()
}

fn count_long(bytes: &[u8]) -> usize {
    let (strides, rest) = bytes.as_chunks::<STRIDE>();
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    strides.iter().map(count_block).sum::<usize>()
        + blocks.iter().map(count_block).sum::<usize>()
        + count_short(rest)
}

/// [`nth_lead`] of fewer than 32 bytes.
#[inline]
pub(crate) fn nth_lead_short(bytes: &[u8], n: usize) -> Result<usize, usize> {
    let (Some(first), Some(last), Some(seen)) =
        (bytes.first_chunk(), bytes.last_chunk(), 16_usize.checked_sub(bytes.len()))
    else {
        return nth_lead(bytes, n);
    };
    let first = leads(u64::from_le_bytes(*first));
    let here = sum(first);
    if here > n {
        return Ok(select(first, n));
    }
    // The last word overlaps the first one, by its lower bytes.
    let last = leads(u64::from_le_bytes(*last)).unbounded_shr(8 * seen as u32);
    let (left, here) = (n - here, here + sum(last));
    if here > n { Ok(8 + select(last, left)) } else { Err(here) }
}

/// The offset of the lead that `n` others precede, or else how many leads there are.
pub(crate) fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize> {
    let mut left = n;
    let rest = skip::<STRIDE>(bytes, &mut left);
    let rest = skip::<BLOCK>(rest, &mut left);
    let mut at = bytes.len() - rest.len();
    let (words, tail) = rest.as_chunks::<8>();
    for word in words {
        let marks = leads(u64::from_le_bytes(*word));
        let here = sum(marks);
        if here > left {
            return Ok(at + select(marks, left));
        }
        left -= here;
        at += 8;
    }
    for byte in tail {
        if is_lead(*byte) {
            if left == 0 {
                return Ok(at);
            }
            left -= 1;
        }
        at += 1;
    }
    Err(n - left)
}

/// Takes off blocks that have no more leads than `left`, and from that their leads.
#[inline]
fn skip<'b, const N: usize>(bytes: &'b [u8], left: &mut usize) -> &'b [u8] {
    let mut rest = bytes;
    while let Some((block, later)) = rest.split_first_chunk::<N>() {
        let here = count_block(block);
        if here > *left {
            break;
        }
        *left -= here;
        rest = later;
    }
    rest
}

/// The index of the byte of `marks` that is 1 and that `n` others precede; there is one.
#[inline]
const fn select(marks: u64, n: usize) -> usize {
    // Byte k becomes the number of marks in bytes 0 to k, at most 8; the first that exceeds n is
    // it. None borrows from its neighbour, as 0x80 is more than any n + 1.
    let running = marks.wrapping_mul(ONES);
    let exceed = ((running | HIGH_BITS) - (n as u64 + 1) * ONES) & HIGH_BITS;
    (exceed.trailing_zeros() / 8) as usize
}

/// Where the lead lies that no longer fits `limit` UTF-16 units, of which a lead of four bytes
/// takes two; `None` when all fit.
pub(crate) fn nth_lead_utf16(bytes: &[u8], limit: usize) -> Option<usize> {
    let mut left = limit;
    let mut at = 0;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for block in blocks {
        let four: usize = block.iter().map(|byte| usize::from(*byte >= 0xF0)).sum();
        let here = count_block(block) + four;
        if here > left {
            break;
        }
        left -= here;
        at += BLOCK;
    }
    for (index, byte) in bytes.iter().enumerate().skip(at) {
        if is_lead(*byte) {
            let takes = 1 + usize::from(*byte >= 0xF0);
            if takes > left {
                return Some(index);
            }
            left -= takes;
        }
    }
    None
}

/// The length without trailing bytes 0x20.
#[inline]
pub(crate) fn trimmed_len(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((head, tail)) = rest.split_last_chunk::<32>() {
        if *tail != [0x20; 32] {
            break;
        }
        rest = head;
    }
    while let Some((head, tail)) = rest.split_last_chunk::<8>() {
        let differs = u64::from_le_bytes(*tail) ^ BLANKS;
        if differs != 0 {
            return rest.len() - (differs.leading_zeros() / 8) as usize;
        }
        rest = head;
    }
    rest.iter().rposition(|byte| *byte != 0x20).map_or(0, |at| at + 1)
}

/// With `COUNT` the number of runes, else 0; `None` when `bytes` are malformed.
#[inline]
pub(crate) fn validate<const COUNT: bool>(bytes: &[u8]) -> Option<usize> {
    let text = is_ascii(bytes) || core::str::from_utf8(bytes).is_ok();
    text.then(|| if COUNT { count(bytes) } else { 0 })
}

/// The length of the first `runes` runes (at least one is asked for), or of all when there are no
/// more; with `TRIM`, without their trailing blanks. `None` when they are malformed.
pub(crate) fn prefix<const TRIM: bool>(bytes: &[u8], runes: usize) -> Option<usize> {
    prefix_with::<TRIM>(bytes, runes, is_ascii, nth_lead, trimmed_len)
}

/// [`prefix`] with the kernels of some tier that has none to validate.
#[inline(always)]
pub(crate) fn prefix_with<const TRIM: bool>(
    bytes: &[u8],
    runes: usize,
    is_ascii: impl Fn(&[u8]) -> bool,
    nth_lead: impl Fn(&[u8], usize) -> Result<usize, usize>,
    trimmed_len: impl Fn(&[u8]) -> usize,
) -> Option<usize> {
    // ASCII is what a value is more often than not.
    let ascii = match bytes.split_at_checked(runes) {
        Some((head, [next, ..])) if is_lead(*next) && is_ascii(head) => Some(head),
        Some((_, [_, ..])) => None,
        Some((_, [])) | None => is_ascii(bytes).then_some(bytes),
    };
    if let Some(head) = ascii {
        return Some(if TRIM { trimmed_len(head) } else { head.len() });
    }
    let head = match nth_lead(bytes, runes) {
        Ok(cut) => bytes.get(..cut)?,
        Err(_) => bytes,
    };
    // Blanks change no verdict, and a value is mostly blanks more often than not.
    let kept = if TRIM { head.get(..trimmed_len(head))? } else { head };
    // What was not ASCII above is in here still: no blank, and not behind the cut.
    core::str::from_utf8(kept).is_ok().then_some(kept.len())
}
