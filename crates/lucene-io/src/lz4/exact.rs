//! Lucene's own bytes: greedy, one candidate a position, every position tried.

use super::common::{MIN_MATCH, common};
use super::sink;
use super::table::{LARGE, Place, Table};

/// As many bytes at the end are always literals.
const LAST_LITERALS: usize = 5;
const MAX_DISTANCE: usize = 1 << 16;

/// Lucene gives its table a fixed budget of memory and packs the places in it, so that it has the
/// more slots the shorter the block is: 2^15 when a place needs up to 4 bits, and half of that
/// each time these bits, rounded up to a power of two, double.
pub(super) fn compress(
    bytes: &[u8],
    near: &mut Table<u16>,
    far: &mut Table<u32>,
    room: &mut [u8],
) -> usize {
    let (anchor, end) = if bytes.len() <= LAST_LITERALS + MIN_MATCH {
        (0, 0)
    } else {
        match usize::BITS - (bytes.len() - LAST_LITERALS).leading_zeros() {
            0..=4 => matches::<_, { 1 << 15 }, true>(bytes, near, room),
            5..=8 => matches::<_, { 1 << 14 }, true>(bytes, near, room),
            9..=16 if bytes.len() < LARGE => matches::<_, { 1 << 13 }, true>(bytes, near, room),
            9..=16 => matches::<_, { 1 << 13 }, false>(bytes, near, room),
            _ => matches::<_, { 1 << 12 }, false>(bytes, far, room),
        }
    };
    sink::last(&bytes[anchor..], room, end)
}

/// Writes all sequences with a match; gives where the literals behind them begin, and where
/// the room that is left.
fn matches<P: Place, const SIZE: usize, const KEPT: bool>(
    bytes: &[u8],
    table: &mut Table<P>,
    room: &mut [u8],
) -> (usize, usize) {
    let limit = bytes.len() - LAST_LITERALS;
    let last = limit - MIN_MATCH;
    let Some(mut table) = table.block::<SIZE, KEPT>(last) else { return (0, 0) };
    let (mut anchor, mut at, mut end) = (0, 1, 0);
    while at < last {
        let four = four(bytes, at);
        // A slot that is empty says 0, and the beginning is then a candidate like any other.
        let seen = table.swap(hash::<SIZE>(four), at);
        if at - seen < MAX_DISTANCE && self::four(bytes, seen) == four {
            let len = MIN_MATCH + common(bytes, seen + MIN_MATCH, at + MIN_MATCH, limit);
            end = sink::sequence(bytes, anchor, at, (at - seen, len), room, end);
            at += len;
            anchor = at;
        } else {
            at += 1;
        }
    }
    (anchor, end)
}

#[inline(always)]
fn four(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

/// Fibonacci hashing, as in the LZ4 library but for the order of the bytes.
#[inline(always)]
fn hash<const SIZE: usize>(four: u32) -> usize {
    (four.wrapping_mul(2_654_435_761) >> (32 - SIZE.trailing_zeros())) as usize
}
