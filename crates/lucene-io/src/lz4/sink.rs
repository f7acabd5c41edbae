//! How sequences are written, into room for the largest block there can be.

use super::common::MIN_MATCH;

/// The most bytes that `len` bytes can become. No sequence with a match is longer than what it
/// stands for, but for the lengths of its literals. 80 more are for the last token and for what
/// [`sequence`] stores beyond its end.
pub(super) const fn bound(len: usize) -> usize {
    len + len / 255 + 80
}

/// Writes the literals `bytes[anchor..at]` and a match of `len` bytes (4 or more), `offset` before,
/// to `room[end..]`; gives where the sequence ends.
#[inline(always)]
pub(super) fn sequence(
    bytes: &[u8],
    anchor: usize,
    at: usize,
    (offset, len): (usize, usize),
    room: &mut [u8],
    end: usize,
) -> usize {
    let n = at - anchor;
    let short = len - MIN_MATCH;
    // The usual one without a branch that is hard to foresee, and with bytes too many: they are
    // written over by what comes next.
    if n <= 64
        && short < 15 + 255
        && let Some(run) = bytes[anchor..].first_chunk::<64>()
        && let Some(window) = room[end..].first_chunk_mut::<72>()
    {
        window[0] = (n.min(15) << 4 | short.min(15)) as u8;
        window[1] = n.wrapping_sub(15) as u8;
        let start = 1 + usize::from(n >= 15);
        window[start..start + 64].copy_from_slice(run);
        let behind = start + n;
        window[behind..behind + 2].copy_from_slice(&(offset as u16).to_le_bytes());
        window[behind + 2] = short.wrapping_sub(15) as u8;
        return end + behind + 2 + usize::from(short >= 15);
    }
    long(bytes, anchor, at, (offset, short), room, end)
}

#[inline(never)]
fn long(
    bytes: &[u8],
    anchor: usize,
    at: usize,
    (offset, short): (usize, usize),
    room: &mut [u8],
    end: usize,
) -> usize {
    let end = literals(&bytes[anchor..at], short.min(15) as u8, room, end);
    room[end..end + 2].copy_from_slice(&(offset as u16).to_le_bytes());
    length(short, room, end + 2)
}

/// The last sequence, which has only literals.
pub(super) fn last(run: &[u8], room: &mut [u8], end: usize) -> usize {
    literals(run, 0, room, end)
}

/// A token, whose lower half is given, and literals.
fn literals(run: &[u8], low: u8, room: &mut [u8], end: usize) -> usize {
    room[end] = (run.len().min(15) << 4) as u8 | low;
    let end = length(run.len(), room, end + 1);
    room[end..end + run.len()].copy_from_slice(run);
    end + run.len()
}

/// What the four bits of a length do not say.
fn length(n: usize, room: &mut [u8], end: usize) -> usize {
    let Some(rest) = n.checked_sub(15) else { return end };
    let last = end + rest / 255;
    room[end..last].fill(255);
    room[last] = (rest % 255) as u8;
    last + 1
}
