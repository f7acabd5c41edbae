//! Lucene's own bytes: greedy, one candidate a position, every position tried.

use super::encode::{Place, Table, common};
use super::sink::Sink;

/// As many bytes at the end are always literals.
const LAST_LITERALS: usize = 5;
const MIN_MATCH: usize = 4;
const MAX_DISTANCE: usize = 1 << 16;

/// Lucene gives its table a fixed budget of memory and packs the places in it, so that it has the
/// more slots the shorter the block is: 2^15 when a place needs up to 4 bits, and half of that
/// each time these bits, rounded up to a power of two, double.
pub(super) fn compress(
    bytes: &[u8],
    near: &mut Table<u16>,
    far: &mut Table<u32>,
    out: &mut Sink<'_>,
) {
    let anchor = if bytes.len() <= LAST_LITERALS + MIN_MATCH {
        0
    } else {
        match usize::BITS - (bytes.len() - LAST_LITERALS).leading_zeros() {
            0..=4 => matches::<_, { 1 << 15 }>(bytes, near, out),
            5..=8 => matches::<_, { 1 << 14 }>(bytes, near, out),
            9..=16 => matches::<_, { 1 << 13 }>(bytes, near, out),
            _ => matches::<_, { 1 << 12 }>(bytes, far, out),
        }
    };
    out.last(bytes, anchor);
}

/// Writes all sequences with a match; gives where the literals behind them begin.
fn matches<P: Place, const SIZE: usize>(
    bytes: &[u8],
    table: &mut Table<P>,
    out: &mut Sink<'_>,
) -> usize {
    let limit = bytes.len() - LAST_LITERALS;
    let last = limit - MIN_MATCH;
    let Some(mut table) = table.block::<SIZE>(last) else { return 0 };
    let (mut anchor, mut at) = (0, 1);
    while at < last {
        let four = four(bytes, at);
        // A slot that is empty says 0, and the beginning is then a candidate like any other.
        let seen = table.swap(hash::<SIZE>(four), at);
        if at - seen < MAX_DISTANCE && self::four(bytes, seen) == four {
            let len = MIN_MATCH + common(bytes, seen + MIN_MATCH, at + MIN_MATCH, limit);
            out.sequence(bytes, anchor, at, at - seen, len);
            at += len;
            anchor = at;
        } else {
            at += 1;
        }
    }
    anchor
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
