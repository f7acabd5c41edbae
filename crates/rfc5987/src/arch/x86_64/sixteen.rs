//! The algorithms that go over 16 bytes at a time, over what [`Ssse3`] does for them. AVX2 has them
//! for what is fewer than its 32.

use super::Ssse3;
use crate::arch::cell::Cell;
use crate::arch::scan::{Classes, Scan, digits, low_bits};
use core::arch::x86_64::__m128i;

const BLOCK: usize = 16;
const ALL: u32 = 0xFFFF;

/// How many bytes of `value`, at least 16, need an escape.
#[inline(always)]
pub(super) fn count_escapes(isa: Ssse3, value: &[u8]) -> usize {
    let set = |block: &[u8; BLOCK]| isa.mask(isa.escaped(isa.load(block)));
    let (blocks, tail) = value.as_chunks();
    let mut total = 0;
    for block in blocks {
        total += set(block).count_ones() as usize;
    }
    if !tail.is_empty()
        && let Some(last) = value.last_chunk()
    {
        total += (set(last) >> (BLOCK - tail.len())).count_ones() as usize;
    }
    total
}

/// The next `N` cells from `at` on.
#[inline(always)]
pub(super) fn next<const N: usize>(out: &mut [Cell], at: usize) -> Option<&mut [Cell; N]> {
    out.get_mut(at..)?.first_chunk_mut()
}

/// How many bytes the first `n` are written as, of which those in `set` are escaped.
#[inline(always)]
pub(super) const fn encoded_len(n: usize, set: usize) -> usize {
    n + 2 * (set & low_bits(n) as usize).count_ones() as usize
}

/// Writes what the end of `value`, at least 16 bytes, is encoded to, to `out` from `at` on, which
/// ends where they end. `None` when it does not.
#[inline(always)]
pub(super) fn encode_end(
    isa: Ssse3,
    value: &[u8],
    end: &[u8],
    out: &mut [Cell],
    at: usize,
) -> Option<()> {
    let (blocks, tail) = end.as_chunks();
    let mut at = at;
    for block in blocks {
        at = encode_block(isa, isa.load(block), out, at)?;
    }
    if !tail.is_empty() {
        encode_tail(isa, isa.load(value.last_chunk()?), tail.len(), out, at)?;
    }
    Some(())
}

/// Writes 16 bytes to `out` at `at`; where the next go.
#[inline(always)]
fn encode_block(isa: Ssse3, vector: __m128i, out: &mut [Cell], at: usize) -> Option<usize> {
    let escaped = isa.escaped(vector);
    match isa.mask(escaped) {
        0 => {
            isa.store(next(out, at)?, vector);
            Some(at + BLOCK)
        }
        ALL => {
            isa.store_escapes(vector, next(out, at)?);
            Some(at + 3 * BLOCK)
        }
        set => {
            put_groups(isa, isa.groups(vector, escaped), set as usize, BLOCK, out.get_mut(at..)?)?;
            Some(at + encoded_len(BLOCK, set as usize))
        }
    }
}

/// Writes the last `n` of the last 16 bytes of a value to `out` at `at`; `out` ends where they end.
#[inline(always)]
fn encode_tail(isa: Ssse3, last: __m128i, n: usize, out: &mut [Cell], at: usize) -> Option<()> {
    let escaped = isa.escaped(last);
    // The bytes before the last `n` are written once more, as they were.
    match isa.mask(escaped) {
        0 => isa.store(out.last_chunk_mut()?, last),
        ALL => isa.store_escapes(last, out.last_chunk_mut()?),
        all => {
            let set = all as usize >> (BLOCK - n);
            let groups = isa.groups(isa.keep_last(last, n), isa.keep_last(escaped, n));
            put_groups(isa, groups, set, n, out.get_mut(at..)?)?;
        }
    }
    Some(())
}

/// Writes the first `n` bytes, of which those in `set` are escaped, to the front of `room`; what
/// lies behind them there may change, too. `None` when there is too little room.
#[inline(always)]
fn put_groups(
    isa: Ssse3,
    groups: [__m128i; 4],
    set: usize,
    n: usize,
    room: &mut [Cell],
) -> Option<()> {
    for (i, group) in groups.into_iter().enumerate() {
        let before = 4 * i;
        if before >= n {
            break;
        }
        let room = room.get_mut(encoded_len(before, set)..)?;
        let written = isa.written(group, set >> before);
        if let Some(room) = room.first_chunk_mut() {
            isa.store(room, written);
        } else {
            let [low, high] = isa.words(written).map(u128::from);
            put_bits(low | high << 64, encoded_len((n - before).min(4), set >> before), room)?;
        }
    }
    Some(())
}

/// Writes the lowest `len` bytes of `bits`, at most 16, to the front of `room` and nothing more;
/// `None` when there is too little room.
#[inline(always)]
fn put_bits(bits: u128, len: usize, room: &mut [Cell]) -> Option<()> {
    let room = room.get_mut(..len)?;
    // The first and the last bytes, which overlap where there are fewer than two times as many.
    if let Some(first) = room.first_chunk_mut() {
        *first = cells((bits as u64).to_le_bytes());
        *room.last_chunk_mut()? = cells(((bits >> (8 * (len - 8))) as u64).to_le_bytes());
    } else if let Some(first) = room.first_chunk_mut() {
        *first = cells((bits as u32).to_le_bytes());
        *room.last_chunk_mut()? = cells(((bits as u64 >> (8 * (len - 4))) as u32).to_le_bytes());
    } else {
        for (cell, byte) in room.iter_mut().zip((bits as u32).to_le_bytes()) {
            *cell = Cell::holding(byte);
        }
    }
    Some(())
}

#[inline(always)]
fn cells<const N: usize>(bytes: [u8; N]) -> [Cell; N] {
    bytes.map(Cell::holding)
}

/// Goes over `value`, which comes behind what `scan` has seen; all of it is at least 16 bytes, whose
/// last are `last`.
#[inline(always)]
pub(super) fn scan(isa: Ssse3, value: &[u8], last: &[u8; BLOCK], scan: Scan) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    let mut scan = scan;
    for block in blocks {
        scan.step::<16>(isa.classes(isa.load(block)));
    }
    let n = tail.len();
    if n > 0 {
        let Classes { percent, foreign, no_digit } = isa.classes(isa.load(last));
        let before = BLOCK - n;
        scan.step::<16>(Classes {
            percent: percent >> before,
            foreign: foreign >> before,
            no_digit: no_digit >> before | !low_bits(n),
        });
    }
    scan.end()
}

/// Writes the octets of `value`, at least 16 bytes that keep to the grammar, to `out`; `None` when
/// they are more than there is room for.
#[inline(always)]
pub(super) fn decode(isa: Ssse3, value: &[u8], out: &mut [Cell]) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    // With zeros behind.
    let end = isa.keep_last(isa.load(value.last_chunk()?), tail.len());
    let nothing = isa.keep_last(end, 0);
    let mut at = 0;
    let mut carry = 0;
    let mut vector = isa.load(blocks.first()?);
    let count = blocks.len() + usize::from(!tail.is_empty());
    for i in 1..=count {
        let behind = if i == blocks.len() { end } else { nothing };
        let following = blocks.get(i).map_or(behind, |block| isa.load(block));
        let n = if i > blocks.len() { tail.len() } else { BLOCK };
        let percents = isa.percents(vector);
        let digits = digits::<16>(isa.mask(percents).into(), &mut carry);
        let kept = (low_bits(n) & !digits) as usize;
        let bytes = isa.octets(vector, following, percents);
        at += put_kept(isa, bytes, kept, out.get_mut(at..)?)?;
        vector = following;
    }
    Some(at)
}

/// Writes the bytes in `kept` to the front of `room`; how many.
#[inline(always)]
fn put_kept(isa: Ssse3, bytes: __m128i, kept: usize, room: &mut [Cell]) -> Option<usize> {
    let kept = [kept & 0xFF, kept >> 8];
    let [low_len, high_len] = kept.map(|kept| kept.count_ones() as usize);
    let [low, high] = isa.compressed(bytes, kept);
    let len = low_len + high_len;
    if let Some(room) = room.first_chunk_mut::<BLOCK>() {
        *room.first_chunk_mut()? = cells(low.to_le_bytes());
        // At most eight bytes come before these eight.
        *room.get_mut(low_len..)?.first_chunk_mut()? = cells(high.to_le_bytes());
    } else {
        put_bits(u128::from(low) | u128::from(high) << (8 * low_len), len, room)?;
    }
    Some(len)
}
