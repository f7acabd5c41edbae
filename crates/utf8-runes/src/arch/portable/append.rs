//! UTF-16 to the end of a `Vec` of UTF-8.

use super::transcode::{ROOM, ascii, utf16_encode};
use super::utf16::utf16_utf8_len;
use alloc::vec::Vec;

/// Appends `units`; how many lone surrogates became U+FFFD.
#[inline]
pub(crate) fn utf16_append(units: &[u16], out: &mut Vec<u8>) -> usize {
    if out.capacity() - out.len() < units.len() {
        grow(units, out);
    }
    let (blocks, rest) = units.as_chunks::<16>();
    for (index, block) in blocks.iter().enumerate() {
        match ascii(block) {
            Some(bytes) => out.extend_from_slice(&bytes),
            None => return append_any(units.get(16 * index..).unwrap_or_default(), out),
        }
    }
    if rest.is_empty() || append_last::<16>(units, rest, out) {
        return 0;
    }
    if blocks.is_empty() {
        // The whole is shorter than a block.
        let appended = if let Some(first) = rest.first_chunk::<8>() {
            append_two(first, rest, out)
        } else if let Some(first) = rest.first_chunk::<4>() {
            append_two(first, rest, out)
        } else {
            false
        };
        if appended {
            return 0;
        }
    }
    append_any(rest, out)
}

/// Makes room to the byte, so that a fresh buffer is allocated once whatever the units are.
#[cold]
fn grow(units: &[u16], out: &mut Vec<u8>) {
    out.reserve(utf16_utf8_len(units));
}

/// Appends `rest`, the end of `units` and shorter than N, if it is ASCII and all before it is: by
/// N bytes at once, over the end of what was written.
#[inline]
fn append_last<const N: usize>(units: &[u16], rest: &[u16], out: &mut Vec<u8>) -> bool {
    let Some(bytes) = units.last_chunk::<N>().and_then(ascii) else { return false };
    out.truncate(out.len() - (N - rest.len()));
    out.extend_from_slice(&bytes);
    true
}

/// Appends N to 2 N units, if they are ASCII.
#[inline]
fn append_two<const N: usize>(first: &[u16; N], units: &[u16], out: &mut Vec<u8>) -> bool {
    let Some(bytes) = ascii(first) else { return false };
    let before = out.len();
    out.extend_from_slice(&bytes);
    let rest = units.get(N..).unwrap_or_default();
    if rest.is_empty() || append_last::<N>(units, rest, out) {
        return true;
    }
    out.truncate(before);
    false
}

/// What is not all ASCII.
fn append_any(units: &[u16], out: &mut Vec<u8>) -> usize {
    let before = out.len();
    // A buffer that is used again soon has room for the worst, and some more spares the last blocks
    // a detour; else it grows once, to the byte.
    let most = units.len().saturating_mul(3);
    let spare = out.capacity() - before;
    let room = if spare >= most { spare.min(most + ROOM) } else { utf16_utf8_len(units) };
    out.resize(before + room, 0);
    let space = out.get_mut(before..).unwrap_or_default();
    let (written, lone) = utf16_encode(units, space).unwrap_or_default();
    out.truncate(before + written);
    lone
}
