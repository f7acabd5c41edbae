//! UTF-16 to UTF-8, lone surrogates replaced.
//!
//! Blocks are told apart by the bits that their units use. Within a block nothing branches, as
//! text mixes its scripts at random. Blocks are written a little further than they reach, the next
//! one over it; where that does not fit, they go somewhere else first. Units with surrogates, and
//! less than a block, are taken as words of four and single runes.

use super::super::cell::Cell;
use super::super::unchecked::{halves, word};
use super::super::units::Encoded;
use super::utf16::{any_surrogate, is_pair};

/// Units looked at a time.
const BLOCK: usize = 16;
/// And while all is ASCII.
const WIDE: usize = 32;
const ONES: u64 = 0x0001_0001_0001_0001;
/// The bits that no unit of one or two bytes has.
const OVER_SHORT: u64 = 0xF800 * ONES;

/// Writes `units` to the start of `out`: how many bytes, and how many lone surrogates became
/// U+FFFD. `None` when `out` is too small. Every cell before the end that it returns was written.
#[inline]
pub(crate) fn utf16_encode(units: &[u16], out: &mut [Cell]) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(block) = units.get(at..).and_then(<[u16]>::first_chunk::<WIDE>) {
        if bits(block) >= 0x80 {
            return encode_rest(units, out, at).get();
        }
        put(out, at, block.map(|unit| unit as u8))?;
        at += WIDE;
    }
    if let Some(block) = units.get(at..).and_then(<[u16]>::first_chunk::<BLOCK>) {
        if bits(block) >= 0x80 {
            return encode_rest(units, out, at).get();
        }
        put(out, at, block.map(|unit| unit as u8))?;
        at += BLOCK;
    }
    let done = match (at, units.len() - at) {
        (_, 0) => return Some((at, 0)),
        (0, 8..) => twice::<8>(units, out)?,
        (0, 4..) => twice::<4>(units, out)?,
        (0, _) => false,
        // The last block overlaps what was written.
        _ => last::<BLOCK>(units, out)?,
    };
    if done { Some((units.len(), 0)) } else { encode_rest(units, out, at).get() }
}

/// Writes the last N units to where they lie among `units`, if they are ASCII.
#[inline]
fn last<const N: usize>(units: &[u16], out: &mut [Cell]) -> Option<bool> {
    let Some(block) = units.last_chunk::<N>() else { return Some(false) };
    if bits(block) >= 0x80 {
        return Some(false);
    }
    put(out, units.len() - N, block.map(|unit| unit as u8))?;
    Some(true)
}

/// Writes N to 2 N units, if they are ASCII.
#[inline]
fn twice<const N: usize>(units: &[u16], out: &mut [Cell]) -> Option<bool> {
    match units.first_chunk::<N>() {
        Some(block) if bits(block) < 0x80 => {
            put(out, 0, block.map(|unit| unit as u8))?;
            last::<N>(units, out)
        }
        _ => Some(false),
    }
}

/// [`utf16_encode`] from `start`, where as many bytes are written.
#[inline(never)]
fn encode_rest(units: &[u16], out: &mut [Cell], start: usize) -> Encoded {
    Encoded::of(encode_any(units, out, start))
}

#[inline(always)]
fn encode_any(units: &[u16], out: &mut [Cell], start: usize) -> Option<(usize, usize)> {
    let mut rest = units.get(start..)?;
    let mut at = start;
    let mut lone = 0;
    while let Some((block, tail)) = rest.split_first_chunk::<BLOCK>() {
        let bits = bits(block);
        if bits < 0x80 {
            put(out, at, block.map(|unit| unit as u8))?;
            at += BLOCK;
            rest = tail;
        } else if bits < 0x800
            && let Some(room) = room(out, at)
        {
            at += put_short_block(block, room);
            rest = tail;
        } else if !any_surrogate(block)
            && let Some(room) = room(out, at)
        {
            at += put_long_block(block, room);
            rest = tail;
        } else if !any_surrogate(block) {
            at = put_last_block(block, bits < 0x800, out, at)?;
            rest = tail;
        } else {
            let taken = put_some(rest, tail.len(), out, at)?;
            at += taken.bytes;
            lone += taken.lone;
            rest = taken.rest;
        }
    }
    while let Some((four, tail)) = rest.split_first_chunk::<4>()
        && let x = word(*four)
        && x & OVER_SHORT == 0
        && let Some(room) = room(out, at)
    {
        at += put_short(x, room);
        rest = tail;
    }
    if rest.is_empty() {
        return Some((at, lone));
    }
    let taken = put_some(rest, 0, out, at)?;
    Some((at + taken.bytes, lone + taken.lone))
}

/// Writes a block without surrogates where `out` has no room for what is taken along; where it ends.
#[inline(never)]
fn put_last_block(block: &[u16; BLOCK], short: bool, out: &mut [Cell], at: usize) -> Option<usize> {
    let mut other = [Cell::holding(0); 68];
    let len = if short {
        put_short_block(block, other.first_chunk_mut()?)
    } else {
        put_long_block(block, &mut other)
    };
    out.get_mut(at..)?.get_mut(..len)?.copy_from_slice(other.get(..len)?);
    Some(at + len)
}

/// What was taken and given.
struct Taken<'u> {
    rest: &'u [u16],
    bytes: usize,
    lone: usize,
}

/// Writes words of four units of one class, or else a rune, until no more than `end` units are left.
#[inline(never)]
fn put_some<'u>(units: &'u [u16], end: usize, out: &mut [Cell], start: usize) -> Option<Taken<'u>> {
    let mut rest = units;
    let mut at = start;
    let mut lone = 0;
    loop {
        let four = rest.split_first_chunk::<4>().map(|(four, tail)| (word(*four), tail));
        if let Some((x, tail)) = four
            && x & (0xFC00 * ONES) == 0xDC00_D800_DC00_D800
        {
            // These come in runs, so they may pass the end.
            put(out, at, two_pairs(x).to_le_bytes())?;
            at += 8;
            rest = tail;
            continue;
        }
        if rest.len() <= end {
            break;
        }
        if let Some((x, tail)) = four {
            if x & OVER_SHORT == 0
                && let Some(room) = room(out, at)
            {
                at += put_short(x, room);
                rest = tail;
                continue;
            }
            if all_three(x)
                && let Some(room) = room(out, at)
            {
                put_three(x, room);
                at += 12;
                rest = tail;
                continue;
            }
        }
        rest = put_rune(rest, out, &mut at, &mut lone)?;
    }
    Some(Taken { rest, bytes: at - start, lone })
}

/// Writes one rune, in exactly its bytes.
#[inline]
fn put_rune<'u>(
    units: &'u [u16],
    out: &mut [Cell],
    at: &mut usize,
    lone: &mut usize,
) -> Option<&'u [u16]> {
    let (first, tail) = units.split_first()?;
    let unit = *first;
    if let Some((second, tail)) = tail.split_first()
        && is_pair(unit, *second)
    {
        put(out, *at, pair_word(unit, *second).to_le_bytes())?;
        *at += 4;
        return Some(tail);
    }
    if unit < 0x80 {
        put(out, *at, [unit as u8])?;
        *at += 1;
    } else if unit < 0x800 {
        put(out, *at, (0x80C0 | unit >> 6 | (unit & 0x3F) << 8).to_le_bytes())?;
        *at += 2;
    } else {
        let is_lone = unit & 0xF800 == 0xD800;
        *lone += usize::from(is_lone);
        let [first, second, third, _] =
            long_word(if is_lone { 0xFFFD } else { unit }).to_le_bytes();
        put(out, *at, [first, second, third])?;
        *at += 3;
    }
    Some(tail)
}

/// The cells from `at`, if there are N.
#[inline]
fn room<const N: usize>(out: &mut [Cell], at: usize) -> Option<&mut [Cell; N]> {
    out.get_mut(at..)?.first_chunk_mut()
}

#[inline]
fn cells<const N: usize>(bytes: [u8; N]) -> [Cell; N] {
    bytes.map(Cell::holding)
}

#[inline]
fn put<const N: usize>(out: &mut [Cell], at: usize, bytes: [u8; N]) -> Option<()> {
    *room(out, at)? = cells(bytes);
    Some(())
}

/// The bits that any unit has.
#[inline]
fn bits<const N: usize>(units: &[u16; N]) -> u16 {
    units.iter().fold(0, |all, unit| all | unit)
}

/// Four units below 0x800: 4 to 8 bytes.
#[inline]
fn put_short(x: u64, out: &mut [Cell; 8]) -> usize {
    // No lane carries: 0x7FF + 0x7F80 has 16 bits.
    let long = (x + 0x7F80 * ONES) & (0x8000 * ONES);
    let more = long >> 15;
    let mask = long | (long - more);
    let pairs = (0x80C0 * ONES) | ((x >> 6) & (0x1F * ONES)) | ((x & (0x3F * ONES)) << 8);
    let lanes = x ^ ((x ^ pairs) & mask);
    // Lane k becomes the bits that lanes 0 to k take.
    let ends = ((more + ONES) << 3).wrapping_mul(ONES);
    let bytes = (lanes & 0xFFFF)
        | (lanes >> 16 & 0xFFFF) << (ends & 0x3F)
        | (lanes >> 32 & 0xFFFF) << (ends >> 16 & 0x3F)
        | (lanes >> 48) << (ends >> 32 & 0x3F);
    *out = cells(bytes.to_le_bytes());
    (ends >> 51) as usize
}

/// Below 0x800: 16 to 32 bytes.
#[inline]
fn put_short_block(block: &[u16; BLOCK], out: &mut [Cell; 36]) -> usize {
    let [bytes, lens] = short_pairs(block);
    let mut at = 0;
    for (bytes, len) in bytes.iter().zip(lens) {
        // The mask changes no offset that occurs, of up to 28; with it the bounds check is gone.
        let place = at & 31;
        out[place..place + 4].copy_from_slice(&cells(bytes.to_le_bytes()));
        at += len as usize;
    }
    at
}

/// Without surrogates: 16 to 48 bytes, and one that a word takes along.
#[inline]
fn put_mixed_block(block: &[u16; BLOCK], out: &mut [Cell; 68]) -> usize {
    let mut at = 0;
    for word in bmp_words(block) {
        // As above: offsets are at most 45.
        let place = at & 63;
        out[place..place + 4].copy_from_slice(&cells(word.to_le_bytes()));
        at += (word >> 24) as usize;
    }
    at
}

// Made in one go, these vectorise (as long as they are not inlined: scattered stores undo it).
#[inline(never)]
fn bmp_words(block: &[u16; BLOCK]) -> [u32; BLOCK] {
    block.map(bmp_word)
}

/// Each two units below 0x800 as their bytes, the first lowest, and how many those are.
#[inline(never)]
fn short_pairs(block: &[u16; BLOCK]) -> [[u32; BLOCK / 2]; 2] {
    let twos = halves(*block);
    // The highest bit of each half that takes two bytes; no half carries: 0x7FF + 0x7F80 has 16.
    let long = twos.map(|x| (x + 0x7F80_7F80) & 0x8000_8000);
    let mut bytes = twos;
    for i in 0..8 {
        let (x, long) = (twos[i], long[i]);
        let mask = long | (long - (long >> 15));
        let two = 0x80C0_80C0 | (x >> 6 & 0x1F_001F) | (x & 0x3F_003F) << 8;
        let halves = x ^ ((x ^ two) & mask);
        // The second half moves up to the first if that is one byte.
        let first_long = mask << 16 | mask & 0xFFFF;
        let high = halves & 0xFFFF_0000;
        bytes[i] = halves & 0xFFFF | high & first_long | (high >> 8) & !first_long;
    }
    [bytes, long.map(|long| 2 + (long >> 15 & 1) + (long >> 31))]
}

/// Without surrogates.
#[inline]
fn put_long_block(block: &[u16; BLOCK], out: &mut [Cell; 68]) -> usize {
    if block.iter().fold(u16::MAX, |low, unit| low.min(*unit)) < 0x800 {
        return put_mixed_block(block, out);
    }
    put_three_block(block, out);
    3 * BLOCK
}

/// From 0x800, without surrogates: 48 bytes, and one that a word takes along.
#[inline(never)]
fn put_three_block(block: &[u16; BLOCK], out: &mut [Cell; 68]) {
    let (words, _) = block.as_chunks::<4>();
    for (i, four) in words.iter().enumerate() {
        let place = 12 * i;
        if let Some(room) = out[place..].first_chunk_mut() {
            put_three(word(*four), room);
        }
    }
}

#[inline]
fn put_three(x: u64, out: &mut [Cell; 13]) {
    let first = (0xE0 * ONES) | ((x >> 12) & (0xF * ONES));
    let rest = (0x8080 * ONES) | ((x >> 6) & (0x3F * ONES)) | ((x & (0x3F * ONES)) << 8);
    for k in 0..4 {
        let bytes = (first >> (16 * k) & 0xFFFF) | (rest >> (16 * k) & 0xFFFF) << 8;
        out[3 * k..3 * k + 4].copy_from_slice(&cells((bytes as u32).to_le_bytes()));
    }
}

/// Whether no lane is below 0x800 or a surrogate.
#[inline]
fn all_three(x: u64) -> bool {
    let kind = x & OVER_SHORT;
    let (no_short, no_surrogate) = (kind, kind ^ (0xD800 * ONES));
    // The highest bit stays unless the lane is 0.
    let full = |lanes: u64| ((lanes >> 1) | (0x8000 * ONES)) - 0x400 * ONES;
    full(no_short) & full(no_surrogate) & (0x8000 * ONES) == 0x8000 * ONES
}

/// A unit of three bytes as UTF-8, the first byte lowest; the fourth is 0.
#[inline]
const fn long_word(unit: u16) -> u32 {
    let unit = unit as u32;
    0x0080_80E0 | unit >> 12 | (unit >> 6 & 0x3F) << 8 | (unit & 0x3F) << 16
}

/// A unit that is no surrogate as UTF-8, the first byte lowest, and how many they are in the
/// highest; without a branch.
#[inline]
const fn bmp_word(unit: u16) -> u32 {
    let long = long_word(unit);
    // Without its first byte and with the second as a lead it is the form of two bytes.
    let two = long >> 8 | 0x0200_0040;
    let some = if unit < 0x800 { two } else { long | 0x0300_0000 };
    if unit < 0x80 { unit as u32 | 0x0100_0000 } else { some }
}

/// Two pairs as UTF-8, the first byte lowest.
#[inline]
const fn two_pairs(x: u64) -> u64 {
    const BOTH: u64 = 0x1_0000_0001;
    let high = (x & (0x3FF * BOTH)) + 0x40 * BOTH;
    let low = (x >> 16) & (0x3FF * BOTH);
    (0x8080_80F0 * BOTH)
        | (high >> 8 & (0x7 * BOTH))
        | (high << 6 & (0x3F00 * BOTH))
        | (high << 20 & (0x30_0000 * BOTH))
        | (low << 10 & (0xF_0000 * BOTH))
        | (low << 24 & (0x3F00_0000 * BOTH))
}

/// A pair as UTF-8, the first byte lowest.
#[inline]
const fn pair_word(high: u16, low: u16) -> u32 {
    two_pairs(high as u64 | (low as u64) << 16) as u32
}
