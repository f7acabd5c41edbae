//! The lead that so many others precede.

use crate::arch::isa::{BLOCK, GROUP, Isa, low_bits};
use core::slice;

/// The offset of the lead that `n` others precede, or else how many leads there are.
#[inline(always)]
pub(crate) fn nth_lead<I: Isa>(isa: I, bytes: &[u8], n: usize) -> Result<usize, usize> {
    let mut left = n;
    let mut rest = bytes;
    while let Some((group, later)) = rest.split_first_chunk::<{ GROUP * BLOCK }>() {
        let here = isa.count_group(group);
        if here > left {
            break;
        }
        left -= here;
        rest = later;
    }
    if let Some((half, later)) = rest.split_first_chunk::<{ GROUP / 2 * BLOCK }>() {
        let here = isa.count_few(half.as_chunks().0);
        if here <= left {
            left -= here;
            rest = later;
        }
    }
    while let Some((block, later)) = rest.split_first_chunk::<BLOCK>() {
        let here = isa.count_few(slice::from_ref(block));
        if here > left {
            let marks = isa.leads(isa.load(block));
            return Ok(bytes.len() - rest.len() + isa.select(marks, left as u32) as usize);
        }
        left -= here;
        rest = later;
    }
    if !rest.is_empty() {
        let marks = isa.leads(isa.load_partial(rest)) & low_bits(rest.len());
        let here = marks.count_ones() as usize;
        if here > left {
            return Ok(bytes.len() - rest.len() + isa.select(marks, left as u32) as usize);
        }
        left -= here;
    }
    Err(n - left)
}
