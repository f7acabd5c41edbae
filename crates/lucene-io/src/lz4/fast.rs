//! Our own way: what does not compress is passed over in ever longer steps.

use super::encode::{Place, Table, common};
use super::sink::Sink;

/// The rules of the LZ4 library for the end of a block.
const LAST_LITERALS: usize = 5;
const LAST_MATCH: usize = 12;
const MIN_MATCH: usize = 4;
const MAX_DISTANCE: usize = (1 << 16) - 1;

pub(super) fn compress(
    bytes: &[u8],
    near: &mut Table<u16>,
    far: &mut Table<u32>,
    out: &mut Sink<'_>,
) {
    let anchor = match bytes.len() {
        0..=LAST_MATCH => 0,
        0x1_0000.. => matches::<_, { 1 << 12 }>(bytes, far, out),
        _ => matches::<_, { 1 << 12 }>(bytes, near, out),
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
    // A match begins here at the latest, and 8 bytes can be read there.
    let last = bytes.len() - LAST_MATCH;
    let Some(mut table) = table.block::<SIZE>(last + 1) else { return 0 };
    let (mut anchor, mut at) = (0, 1);
    // 64 tries a step, then steps of 2, 3 …
    let mut tries = 64;
    while at <= last {
        let eight = eight(bytes, at);
        let seen = table.swap(hash::<SIZE>(eight), at);
        if at - seen > MAX_DISTANCE || self::eight(bytes, seen) as u32 != eight as u32 {
            at += tries >> 6;
            tries += 1;
            continue;
        }
        let len = MIN_MATCH + common(bytes, seen + MIN_MATCH, at + MIN_MATCH, limit);
        // What was passed over may belong to it.
        let mut back = 0;
        while at - back > anchor && seen > back && bytes[at - back - 1] == bytes[seen - back - 1] {
            back += 1;
        }
        out.sequence(bytes, anchor, at - back, at - seen, len + back);
        at += len;
        anchor = at;
        tries = 64;
        // Runs go on where they end more often than not.
        if at <= last {
            table.swap(hash::<SIZE>(self::eight(bytes, at - 2)), at - 2);
        }
    }
    anchor
}

#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// Of five bytes: four are too often alike where nothing follows.
#[inline(always)]
fn hash<const SIZE: usize>(eight: u64) -> usize {
    ((eight << 24).wrapping_mul(889_523_592_379) >> (64 - SIZE.trailing_zeros())) as usize
}
