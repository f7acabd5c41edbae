//! UTF-8 to UTF-16, and measured as that.
//!
//! A unit stands where the last byte of its sequence is, so blocks are taken as they lie, wherever
//! sequences begin: what a unit is made of are that byte and the three before it.

use crate::arch::cell::Cell;
use crate::arch::isa::{BLOCK, Isa, low_bits};
use crate::arch::portable;
use crate::arch::units::FromUtf8;

const FOUR: usize = 4 * BLOCK;

/// Writes `text`, which is well-formed, to the start of `out`: how many units. `None` when `out` is
/// too small. Both cells of every unit before the end that it returns were written.
#[inline(always)]
pub(crate) fn utf8_to_utf16<I: FromUtf8>(
    isa: I,
    text: &[u8],
    out: &mut [[Cell; 2]],
) -> Option<usize> {
    let out = out.as_flattened_mut();
    let mut rest = text;
    let mut at = 0;
    // Of the block before: itself, and its leads of three bytes and more, and of four. Nothing of
    // these matters behind ASCII.
    let (mut before, mut threes_before, mut fours_before) = (isa.zeros(), 0, 0);
    let mut plain = true;
    while !rest.is_empty() {
        if plain
            && let Some(group) = rest.first_chunk::<FOUR>()
            && let Some(blocks) = group.as_chunks::<BLOCK>().0.first_chunk::<4>()
            && let Some(place) = out.get_mut(at..).and_then(<[Cell]>::first_chunk_mut)
            && isa.all_ascii(blocks)
        {
            isa.put_four_ascii(blocks, place);
            at += 2 * FOUR;
            rest = rest.get(FOUR..)?;
            continue;
        }
        // `seen` bytes of the vector are not of `rest`.
        let (vector, width, seen) = match (rest.first_chunk(), text.last_chunk()) {
            (Some(block), _) => (isa.load(block), BLOCK, 0),
            // It has what stands before the first of its units.
            (None, Some(last)) if rest.len() <= BLOCK - 3 => {
                (isa.load(last), rest.len(), BLOCK - rest.len())
            }
            _ => (isa.load_partial(rest), rest.len(), 0),
        };
        plain = isa.non_ascii(vector) == 0;
        if plain && seen > 0 {
            // Some of these were written, a unit each, and are again the same.
            let start = at.checked_sub(2 * seen)?;
            isa.put_one_ascii(vector, BLOCK, out.get_mut(start..)?)?;
            return Some(at / 2 + width);
        }
        let free = out.get_mut(at..)?;
        at += if plain {
            (threes_before, fours_before) = (0, 0);
            isa.put_one_ascii(vector, width, free)?
        } else {
            let (threes, fours) = (isa.threes(vector), isa.fours(vector));
            // No unit has a lead of several bytes, nor the second of three or four.
            let others = isa.twos(vector) | threes << 1 | threes_before >> (BLOCK - 1);
            let units = !others & (low_bits(width) << seen);
            // The last of four is three places behind their lead.
            let short = fours | fours_before >> (BLOCK - 3) == 0;
            (threes_before, fours_before) = (threes, fours);
            if short {
                isa.put_up_to_three(vector, before, units, free)?
            } else {
                isa.put_up_to_four(vector, before, units, free)?
            }
        };
        before = vector;
        rest = rest.get(width..)?;
    }
    Some(at / 2)
}

/// The units of a block's leads.
#[inline(always)]
fn units_of<I: Isa>(isa: I, vector: I::Vector, mask: u64) -> usize {
    let (leads, fours) = (isa.leads(vector) & mask, isa.fours(vector) & mask);
    (leads.count_ones() + fours.count_ones()) as usize
}

/// The number of units that `bytes`, which are well-formed, take.
#[inline(always)]
pub(crate) fn utf16_len<I: Isa>(isa: I, bytes: &[u8]) -> usize {
    let mut total = 0;
    let (blocks, rest) = bytes.as_chunks();
    for block in blocks {
        total += units_of(isa, isa.load(block), u64::MAX);
    }
    if !rest.is_empty() {
        total += units_of(isa, isa.load_partial(rest), low_bits(rest.len()));
    }
    total
}

/// Where the lead lies that no longer fits `limit` UTF-16 units, of which a lead of four bytes
/// takes two; `None` when all fit.
#[inline(always)]
pub(crate) fn nth_lead_utf16<I: Isa>(isa: I, bytes: &[u8], limit: usize) -> Option<usize> {
    let mut left = limit;
    let mut rest = bytes;
    while !rest.is_empty() {
        let (vector, width) = match rest.first_chunk() {
            Some(block) => (isa.load(block), BLOCK),
            None => (isa.load_partial(rest), rest.len()),
        };
        let mask = low_bits(width);
        let here = units_of(isa, vector, mask);
        if here > left {
            let start = bytes.len() - rest.len();
            let (leads, fours) = (isa.leads(vector) & mask, isa.fours(vector));
            if fours & mask == 0 {
                return Some(start + isa.select(leads, left as u32) as usize);
            }
            return portable::nth_lead_utf16(rest, left).map(|at| start + at);
        }
        left -= here;
        rest = rest.get(width..)?;
    }
    None
}
