//! The lead that so many others precede.

use crate::arch::isa::{BLOCK, GROUP, Isa, low_bits};

/// The offset of the lead that `n` others precede, or else how many leads there are.
#[inline(always)]
pub(crate) fn nth_lead<I: Isa>(isa: I, bytes: &[u8], n: usize) -> Result<usize, usize> {
    let mut left = n;
    let mut rest = bytes;
    while let Some((group, later)) = rest.split_first_chunk::<{ GROUP * BLOCK }>() {
        let (blocks, _) = group.as_chunks::<BLOCK>();
        let Some(blocks) = blocks.first_chunk() else { break };
        let here = isa.count_group(blocks);
        if here > left {
            break;
        }
        left -= here;
        rest = later;
    }
    while let Some((block, later)) = rest.split_first_chunk::<BLOCK>() {
        let marks = isa.leads(isa.load(block));
        let here = marks.count_ones() as usize;
        if here > left {
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
