//! The kernels without instructions of one processor: what runs where there is no other tier, and
//! what the others are compared with.
//!
//! They are generic over a [`Slot`], so that one text serves a caller's `&mut [u8]` and the spare
//! capacity of a `String`.

use crate::alphabet::{self, is_attr_char};
use core::mem::MaybeUninit;

/// A byte of an output: initialised already, or not yet.
pub(crate) trait Slot: Copy {
    /// A slot that holds `byte`.
    fn of(byte: u8) -> Self;
    /// Slots that hold `bytes`.
    fn all<const N: usize>(bytes: [u8; N]) -> [Self; N];
}

impl Slot for u8 {
    #[inline(always)]
    fn of(byte: u8) -> Self {
        byte
    }

    #[inline(always)]
    fn all<const N: usize>(bytes: [u8; N]) -> [Self; N] {
        bytes
    }
}

impl Slot for MaybeUninit<u8> {
    #[inline(always)]
    fn of(byte: u8) -> Self {
        MaybeUninit::new(byte)
    }

    #[inline(always)]
    fn all<const N: usize>(bytes: [u8; N]) -> [Self; N] {
        bytes.map(MaybeUninit::new)
    }
}

/// Enough for a vector register of the baseline, few enough for a short name to have some.
const BLOCK: usize = 16;

/// How many bytes of `value` need an escape.
#[inline]
pub(crate) fn count_escapes(value: &[u8]) -> usize {
    if value.len() < BLOCK { count_one_by_one(value) } else { count_by_blocks(value) }
}

fn count_by_blocks(value: &[u8]) -> usize {
    // A sum over one block at a time, so that compilers keep a block in one vector.
    let unsafe_in = |block: &[u8]| -> usize {
        block.iter().map(|byte| u8::from(!is_attr_char(*byte))).sum::<u8>().into()
    };
    let (blocks, tail) = value.as_chunks::<BLOCK>();
    let mut total: usize = blocks.iter().map(|block| unsafe_in(block)).sum();
    let (eights, tail) = tail.as_chunks::<8>();
    total += eights.iter().map(|eight| unsafe_in(eight)).sum::<usize>();
    total + count_one_by_one(tail)
}

#[inline(always)]
fn count_one_by_one(value: &[u8]) -> usize {
    value.iter().filter(|byte| needs_escape(**byte)).count()
}

/// The same as `!is_attr_char`, quicker for one byte alone.
#[inline(always)]
fn needs_escape(byte: u8) -> bool {
    alphabet::WRITTEN[usize::from(byte)] >> 25 != 0
}

/// Each byte 1.
const ONES: u64 = u64::from_le_bytes([1; 8]);

/// How many `%` there are.
#[inline]
pub(crate) fn count_percents(value: &[u8]) -> usize {
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

/// Writes `N` slots at `out[at..]`.
///
/// # Safety
/// There must be so many: `at + N <= out.len()`.
#[inline(always)]
unsafe fn store<S: Slot, const N: usize>(out: &mut [S], at: usize, slots: [S; N]) {
    debug_assert!(at + N <= out.len());
    // SAFETY: `at` is within `out`, by the condition.
    let place = unsafe { out.as_mut_ptr().add(at) };
    // SAFETY: so are the `N` slots from there on; `[S; N]` is aligned as `S` is.
    unsafe { place.cast::<[S; N]>().write(slots) };
}

/// Writes one byte at `out[at..]` and returns where the next goes. It is one store whatever the
/// length: what is written too much, the next bytes overwrite.
///
/// # Safety
/// `at + 4 <= out.len()`.
#[inline(always)]
unsafe fn put<S: Slot>(byte: u8, out: &mut [S], at: usize) -> usize {
    let written = alphabet::WRITTEN[usize::from(byte)];
    // SAFETY: by the condition.
    unsafe { store(out, at, S::all(written.to_le_bytes())) };
    at + (written >> 24) as usize
}

/// Writes the value-chars of `value` to `out`, which they fill.
///
/// # Safety
/// `escapes` must be [`count_escapes`] of `value`, and `out` be `value.len() + 2 * escapes` long.
#[inline]
pub(crate) unsafe fn encode<S: Slot>(value: &[u8], escapes: usize, out: &mut [S]) {
    // Before each byte of `value`, `at` is the number of slots that those before it take, and
    // `out` has a slot at least for each byte from it on. So wherever n bytes are left, n slots
    // are left. In `most`, three bytes are left behind the last one.
    let (most, last) = value.split_at(value.len().saturating_sub(3));
    let (blocks, mut tail) = most.as_chunks::<BLOCK>();
    let mut at = 0;
    if escapes * BLOCK >= most.len() {
        // An escape in nearly every block: nothing is won by looking for blocks without one.
        tail = most;
    } else {
        for block in blocks {
            if is_safe(block) {
                // SAFETY: `BLOCK` bytes are left.
                unsafe { store(out, at, S::all(*block)) };
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
        let len = (written >> 24) as usize;
        for (slot, byte) in out[at..].iter_mut().zip(&written.to_le_bytes()[..len]) {
            *slot = S::of(*byte);
        }
        at += len;
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
pub(crate) fn decode<S: Slot>(value: &[u8], out: &mut [S]) -> Option<usize> {
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
            *out.get_mut(at)? = S::of(high << 4 | low);
            at += 1;
            rest = tail;
        }
        let room = out.get_mut(at..).and_then(<[S]>::first_chunk_mut::<8>);
        let run = match (rest.first_chunk::<8>(), room) {
            (Some(eight), Some(room)) => {
                *room = S::all(*eight);
                percent_in(*eight)
            }
            _ => {
                let [byte, ..] = rest else { break };
                *out.get_mut(at)? = S::of(*byte);
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
pub(crate) fn fallback<S: Slot>(name: &str, out: &mut [S]) -> usize {
    let mut at = 0;
    for byte in name.bytes() {
        let shown = alphabet::FALLBACK[usize::from(byte)];
        if let Some(slot) = out.get_mut(at) {
            *slot = S::of(shown);
        }
        // What stands for a continuation byte is overwritten by the next one.
        at += usize::from(shown != 0);
    }
    at.min(out.len())
}
