//! Lead bytes counted.

use crate::arch::isa::{BLOCK, GROUP, Isa, low_bits};

/// The number of leads.
#[inline(always)]
pub(crate) fn count<I: Isa>(isa: I, bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let (groups, blocks) = blocks.as_chunks::<GROUP>();
    let mut total = 0;
    for group in groups {
        total += isa.count_group(group);
    }
    for block in blocks {
        total += isa.leads(isa.load(block)).count_ones() as usize;
    }
    if rest.is_empty() {
        return total;
    }
    let marks = match bytes.last_chunk::<BLOCK>() {
        // Overlaps what was counted.
        Some(last) => isa.leads(isa.load(last)) >> (BLOCK - rest.len()),
        None => isa.leads(isa.load_partial(rest)) & low_bits(rest.len()),
    };
    total + marks.count_ones() as usize
}
