//! Our own way: what does not compress is passed over in ever longer steps.

use super::common::{MIN_MATCH, common};
use super::sink;
use super::table::{LARGE, Place, Table};

/// The rules of the LZ4 library for the end of a block.
const LAST_LITERALS: usize = 5;
const LAST_MATCH: usize = 12;
const MAX_DISTANCE: usize = (1 << 16) - 1;

pub(super) fn compress(
    bytes: &[u8],
    near: &mut Table<u16>,
    far: &mut Table<u32>,
    room: &mut [u8],
) -> usize {
    let (anchor, end) = match bytes.len() {
        len if len <= LAST_MATCH => (0, 0),
        len if len < LARGE => matches::<_, { 1 << 13 }, true>(bytes, near, room),
        len if len <= 1 << 16 => matches::<_, { 1 << 13 }, false>(bytes, near, room),
        _ => matches::<_, { 1 << 12 }, false>(bytes, far, room),
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
    // A match begins here at the latest, and 8 bytes can be read there.
    let last = bytes.len() - LAST_MATCH;
    let Some(mut table) = table.block::<SIZE, KEPT>(last + 1) else { return (0, 0) };
    let (mut anchor, mut at, mut end) = (0, 1, 0);
    // Every second position 32 times, then every third, and so on.
    let mut tries = 64;
    while at <= last {
        let eight = eight(bytes, at);
        let seen = table.swap(hash::<SIZE>(eight), at);
        if at - seen > MAX_DISTANCE || self::eight(bytes, seen) as u32 != eight as u32 {
            at += tries >> 5;
            tries += 1;
            continue;
        }
        let len = MIN_MATCH + common(bytes, seen + MIN_MATCH, at + MIN_MATCH, limit);
        // What was passed over may belong to it: most of it was the last step, so 8 bytes do.
        let back = match seen.checked_sub(8) {
            Some(before) => {
                let differ = self::eight(bytes, before) ^ self::eight(bytes, at - 8);
                (differ.leading_zeros() / 8) as usize
            }
            None => 0,
        };
        let back = back.min(at - anchor);
        end = sink::sequence(bytes, anchor, at - back, (at - seen, len + back), room, end);
        at += len;
        anchor = at;
        tries = 64;
        // Runs go on where they end more often than not.
        if at <= last {
            table.swap(hash::<SIZE>(self::eight(bytes, at - 2)), at - 2);
        }
    }
    (anchor, end)
}

#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// Of five bytes, with the LZ4 library's multiplier for them: four are too often alike where nothing
/// follows.
#[inline(always)]
fn hash<const SIZE: usize>(eight: u64) -> usize {
    ((eight << 24).wrapping_mul(889_523_592_379) >> (64 - SIZE.trailing_zeros())) as usize
}
