//! The kernels without instructions of one processor: what runs where there is no other tier, and
//! what the others are compared with.

use super::SHORT;
use super::cell::Cell;
use crate::alphabet::{self, is_attr_char};

/// Enough for a vector register of the baseline, few enough for a short name to have some.
const BLOCK: usize = 16;

/// How many bytes of a block need an escape: a sum over one at a time, so that compilers keep it in
/// one vector.
#[inline(always)]
fn unsafe_in<const N: usize>(block: &[u8; N]) -> usize {
    block.iter().map(|byte| u8::from(!is_attr_char(*byte))).sum::<u8>().into()
}

/// How many bytes of `value` need an escape.
pub(super) fn count_escapes(value: &[u8]) -> usize {
    let (blocks, tail) = value.as_chunks::<BLOCK>();
    let total: usize = blocks.iter().map(unsafe_in).sum();
    total + count_short(tail)
}

/// How many bytes of `value`, fewer than 16, need an escape.
#[inline]
pub(super) fn count_short(value: &[u8]) -> usize {
    match padded(value) {
        // A branch, on which what follows need not wait for the count: mostly there are none.
        Some(block) if is_safe(&block) => 0,
        Some(block) => unsafe_in(&block),
        None => value.iter().filter(|byte| needs_escape(**byte)).count(),
    }
}

/// `value`, 4 to 15 bytes, with attr-chars behind.
#[inline(always)]
fn padded(value: &[u8]) -> Option<[u8; BLOCK]> {
    const PAD: u64 = u64::from_ne_bytes([b'_'; 8]);
    // The last word without what the first one has, and as much of the padding.
    let len = value.len() as u32;
    let (low, high) = if let (Some(first), Some(last)) = (value.first_chunk(), value.last_chunk()) {
        let drop = 8 * 16_u32.checked_sub(len)?;
        let high = u64::from_le_bytes(*last).unbounded_shr(drop) | PAD.unbounded_shl(64 - drop);
        (u64::from_le_bytes(*first), high)
    } else {
        let (first, last) = (value.first_chunk()?, value.last_chunk()?);
        let drop = 8 * 8_u32.checked_sub(len)?;
        let pad = (PAD as u32).unbounded_shl(32 - drop);
        let high = u32::from_le_bytes(*last).unbounded_shr(drop) | pad;
        (u64::from(u32::from_le_bytes(*first)) | u64::from(high) << 32, PAD)
    };
    let mut block = [0; BLOCK];
    block[..8].copy_from_slice(&low.to_le_bytes());
    block[8..].copy_from_slice(&high.to_le_bytes());
    Some(block)
}

/// The same as `!is_attr_char`, quicker for one byte alone.
#[inline(always)]
fn needs_escape(byte: u8) -> bool {
    alphabet::WRITTEN[usize::from(byte)] >> 25 != 0
}

/// Copies `value` to `out`, which is as long; what is short, without a call.
#[inline(always)]
pub(super) fn copy(value: &[u8], out: &mut [Cell]) {
    // The first and the last bytes, which overlap where there are fewer than two times as many.
    let done = match value.len() {
        16..=32 => copy_ends::<16>(value, out),
        8..16 => copy_ends::<8>(value, out),
        4..8 => copy_ends::<4>(value, out),
        _ => false,
    };
    if !done {
        out.iter_mut().zip(value).for_each(|(cell, byte)| *cell = Cell::holding(*byte));
    }
}

/// Copies the first `N` bytes and the last; whether there are so many, and room.
#[inline(always)]
fn copy_ends<const N: usize>(value: &[u8], out: &mut [Cell]) -> bool {
    let (Some(first), Some(last)) = (value.first_chunk::<N>(), value.last_chunk::<N>()) else {
        return false;
    };
    let Some(room) = out.first_chunk_mut() else { return false };
    *room = first.map(Cell::holding);
    let Some(room) = out.last_chunk_mut() else { return false };
    *room = last.map(Cell::holding);
    true
}

/// Each byte 1.
const ONES: u64 = u64::from_le_bytes([1; 8]);

/// How many `%` there are; `None` when there is none but a byte that needs an escape. What else
/// breaks the grammar, [`decode`] sees.
#[inline]
pub(super) fn scan(value: &[u8]) -> Option<usize> {
    let percents = count_percents(value);
    if percents > 0 {
        return Some(percents);
    }
    let escapes = if value.len() < SHORT { count_short(value) } else { count_escapes(value) };
    (escapes == 0).then_some(0)
}

fn count_percents(value: &[u8]) -> usize {
    let (eights, tail) = value.as_chunks::<8>();
    let mut total = 0;
    // Each byte of a word counts to 255.
    for group in eights.chunks(255) {
        let mut counts = 0;
        for eight in group {
            // 0 where there is a `%`, and nowhere else: then the top bit stays clear.
            let difference = u64::from_ne_bytes(*eight) ^ (ONES * b'%' as u64);
            let other = ((difference & !(ONES << 7)) + !(ONES << 7)) | difference;
            counts += !other >> 7 & ONES;
        }
        // No more than eight times 255: the sum of the bytes fits two.
        let pairs = (counts & 0x00FF_00FF_00FF_00FF) + (counts >> 8 & 0x00FF_00FF_00FF_00FF);
        total += (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize;
    }
    total + tail.iter().filter(|byte| **byte == b'%').count()
}

/// Whether a block needs no escape.
#[inline(always)]
fn is_safe<const N: usize>(block: &[u8; N]) -> bool {
    block.iter().fold(true, |all, byte| all & is_attr_char(*byte))
}

/// Writes `N` bytes at `out[at..]`.
///
/// # Safety
/// There must be so many: `at + N <= out.len()`.
#[inline(always)]
unsafe fn store<const N: usize>(out: &mut [Cell], at: usize, bytes: [u8; N]) {
    debug_assert!(at + N <= out.len());
    // SAFETY: `at` is within `out`, by the condition.
    let place = unsafe { out.as_mut_ptr().add(at) };
    // SAFETY: so are the `N` slots from there on; an array is aligned as a cell is.
    unsafe { place.cast::<[Cell; N]>().write(bytes.map(Cell::holding)) };
}

/// Writes one byte at `out[at..]` and returns where the next goes. It is one store whatever the
/// length: what is written too much, the next bytes overwrite.
///
/// # Safety
/// `at + 4 <= out.len()`.
#[inline(always)]
unsafe fn put(byte: u8, out: &mut [Cell], at: usize) -> usize {
    let written = alphabet::WRITTEN[usize::from(byte)];
    // SAFETY: by the condition.
    unsafe { store(out, at, written.to_le_bytes()) };
    at + (written >> 24) as usize
}

/// Writes the value-chars of `value` to `out`, which they fill.
///
/// # Safety
/// `out` must be as long as they are: `value.len()` and twice [`count_escapes`].
#[inline]
pub(super) unsafe fn encode(value: &[u8], out: &mut [Cell]) {
    // Before each byte of `value`, `at` is the number of slots that those before it take, and
    // `out` has a slot at least for each byte from it on. So wherever n bytes are left, n slots
    // are left. In `most`, three bytes are left behind the last one.
    let (most, last) = value.split_at(value.len().saturating_sub(3));
    let (blocks, mut tail) = most.as_chunks::<BLOCK>();
    let mut at = 0;
    let escapes = (out.len() - value.len()) / 2;
    if escapes * BLOCK >= most.len() {
        // An escape in nearly every block: nothing is won by looking for blocks without one.
        tail = most;
    } else {
        for block in blocks {
            if is_safe(block) {
                // SAFETY: `BLOCK` bytes are left.
                unsafe { store(out, at, *block) };
                at += BLOCK;
            } else {
                for byte in block {
                    // SAFETY: with the three behind, four bytes are left.
                    at = unsafe { put(*byte, out, at) };
                }
            }
        }
    }
    let (eights, tail) = tail.as_chunks::<8>();
    for eight in eights {
        for byte in eight {
            // SAFETY: with the three behind, four bytes are left.
            at = unsafe { put(*byte, out, at) };
        }
    }
    for byte in tail {
        // SAFETY: with the three behind, four bytes are left.
        at = unsafe { put(*byte, out, at) };
    }
    for byte in last {
        let written = alphabet::WRITTEN[usize::from(*byte)];
        let [a, b, c, len] = written.to_le_bytes();
        let room = &mut out[at..];
        if let Some(room) = room.first_chunk_mut() {
            *room = written.to_le_bytes().map(Cell::holding);
        } else if let (3, Some(room)) = (len, room.first_chunk_mut()) {
            *room = [a, b, c].map(Cell::holding);
        } else if let Some(room) = room.first_mut() {
            *room = Cell::holding(a);
        }
        at += usize::from(len);
    }
}

/// Where the first `%` of eight bytes is; 8 when there is none.
#[inline(always)]
fn percent_in(eight: [u8; 8]) -> usize {
    let zero_where = u64::from_le_bytes(eight) ^ (ONES * b'%' as u64);
    // The lowest bit set is exact; those above it need not be.
    let found = zero_where.wrapping_sub(ONES) & !zero_where & (ONES << 7);
    (found.trailing_zeros() / 8) as usize
}

/// Writes the octets that `value` stands for to `out` and returns their number, each slot before
/// it initialised; `None` when a character or an escape is bad or `out` is too short.
#[inline]
pub(super) fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize> {
    let mut rest = value;
    let mut at = 0;
    // The digits' values; what is no digit has all bits set.
    let mut digits = 0;
    let mut foreign = false;
    loop {
        while let [b'%', high, low, tail @ ..] = rest {
            let high = alphabet::HEX_VALUE[usize::from(*high)];
            let low = alphabet::HEX_VALUE[usize::from(*low)];
            digits |= high | low;
            *out.get_mut(at)? = Cell::holding(high << 4 | low);
            at += 1;
            rest = tail;
        }
        let room = out.get_mut(at..).and_then(<[Cell]>::first_chunk_mut::<8>);
        let run = match (rest.first_chunk::<8>(), room) {
            (Some(eight), Some(room)) => {
                *room = eight.map(Cell::holding);
                percent_in(*eight)
            }
            _ => {
                let [byte, ..] = rest else { break };
                *out.get_mut(at)? = Cell::holding(*byte);
                usize::from(*byte != b'%')
            }
        };
        if run == 0 {
            // A `%` with too little behind it.
            return None;
        }
        let (literal, tail) = rest.split_at_checked(run)?;
        foreign |= literal.iter().fold(false, |any, byte| any | needs_escape(*byte));
        at += run;
        rest = tail;
    }
    (digits <= 15 && !foreign).then_some(at)
}

/// Writes the fallback of a file name (one character a scalar value) to `out`, which must be as
/// long as `name` has scalar values, and returns the number of slots that hold an ASCII byte now.
#[inline]
pub(super) fn fallback(name: &str, out: &mut [Cell]) -> usize {
    let mut at = 0;
    for byte in name.bytes() {
        let shown = alphabet::FALLBACK[usize::from(byte)];
        if let Some(slot) = out.get_mut(at) {
            *slot = Cell::holding(shown);
        }
        // What stands for a continuation byte is overwritten by the next one.
        at += usize::from(shown != 0);
    }
    at.min(out.len())
}
