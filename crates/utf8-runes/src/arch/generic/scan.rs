//! One pass over bytes that nobody has validated: cut, trimmed and checked from one load.

use crate::arch::isa::{BLOCK, Isa, Validate, low_bits};

/// Whether all bytes are below 0x80.
#[inline(always)]
pub(crate) fn is_ascii<I: Isa>(isa: I, bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let (groups, blocks) = blocks.as_chunks::<4>();
    groups.iter().all(|group| isa.all_ascii(group))
        && blocks.iter().all(|block| isa.non_ascii(isa.load(block)) == 0)
        && (rest.is_empty() || isa.non_ascii(isa.load_partial(rest)) == 0)
}

/// The length without trailing bytes 0x20.
#[inline(always)]
pub(crate) fn trimmed_len<I: Isa>(isa: I, bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((head, block)) = rest.split_last_chunk::<BLOCK>() {
        let content = isa.not_blank(isa.load(block));
        if content != 0 {
            return rest.len() - content.leading_zeros() as usize;
        }
        rest = head;
    }
    let content = isa.not_blank(isa.load_partial(rest)) & low_bits(rest.len());
    BLOCK - content.leading_zeros() as usize
}

/// The length of the first `runes` runes (at least one is asked for), or of all when there are no
/// more; with `TRIM`, without their trailing blanks. `None` when they are malformed.
#[inline(always)]
pub(crate) fn prefix<I: Validate, const TRIM: bool>(
    isa: I,
    bytes: &[u8],
    runes: usize,
) -> Option<usize> {
    let mut state = isa.start();
    // Whether the block before may have left a sequence open. If not, it was ASCII, as far as a
    // state knows it, and blocks of ASCII change nothing in that.
    let mut open = false;
    let mut left = runes;
    let mut at = 0;
    let mut trimmed = 0;
    loop {
        let rest = bytes.get(at..)?;
        let (vector, width) = match rest.first_chunk::<BLOCK>() {
            Some(block) => (isa.load(block), BLOCK),
            None if rest.is_empty() => break,
            None => (isa.load_partial(rest), rest.len()),
        };
        let high = isa.non_ascii(vector);
        let (vector, width, more) = if high == 0 && !open {
            if width > left {
                // The end of the value; what the vector has beyond is ASCII and so no error.
                (vector, left, false)
            } else {
                left -= width;
                (vector, width, true)
            }
        } else {
            let marks = isa.leads(vector) & low_bits(width);
            let here = marks.count_ones() as usize;
            if here > left {
                let cut = isa.select(marks, left as u32) as usize;
                (isa.load_partial(rest.get(..cut)?), cut, false)
            } else {
                left -= here;
                (vector, width, true)
            }
        };
        if high != 0 || open {
            state = isa.check(state, vector);
        }
        open = high != 0;
        if TRIM {
            let content = isa.not_blank(vector) & low_bits(width);
            if content != 0 {
                trimmed = at + BLOCK - content.leading_zeros() as usize;
            }
        }
        at += width;
        if !more {
            break;
        }
    }
    if isa.failed(state) || (open && ends_open(bytes.get(..at)?)) {
        return None;
    }
    Some(if TRIM { trimmed } else { at })
}

/// Whether all is well-formed.
#[inline(always)]
pub(crate) fn validate<I: Validate>(isa: I, bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let (groups, blocks) = blocks.as_chunks::<4>();
    let mut state = isa.start();
    let mut open = false;
    for group in groups {
        if !open && isa.all_ascii(group) {
            continue;
        }
        for block in group {
            (state, open) = step(isa, state, open, isa.load(block));
        }
    }
    for block in blocks {
        (state, open) = step(isa, state, open, isa.load(block));
    }
    if !rest.is_empty() {
        (state, open) = step(isa, state, open, isa.load_partial(rest));
    }
    !(isa.failed(state) || open && ends_open(bytes))
}

#[inline(always)]
fn step<I: Validate>(isa: I, state: I::State, open: bool, vector: I::Vector) -> (I::State, bool) {
    let high = isa.non_ascii(vector) != 0;
    let state = if high || open { isa.check(state, vector) } else { state };
    (state, high)
}

/// Whether the last sequence misses a byte: a lead whose length reaches past the end.
#[inline]
fn ends_open(bytes: &[u8]) -> bool {
    match bytes {
        [.., last] if *last >= 0xC0 => true,
        [.., last, _] if *last >= 0xE0 => true,
        [.., last, _, _] if *last >= 0xF0 => true,
        _ => false,
    }
}
