//! Lead bytes counted.

use crate::arch::isa::{BLOCK, GROUP, Isa, low_bits};

/// The number of leads.
#[inline(always)]
pub(crate) fn count<I: Isa>(isa: I, bytes: &[u8]) -> usize {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        let marks = isa.leads(isa.load_partial(bytes)) & low_bits(bytes.len());
        return marks.count_ones() as usize;
    };
    // Overlaps what is counted besides.
    let last = isa.leads(isa.load(last));
    if let Some(seen) = (2 * BLOCK).checked_sub(bytes.len()) {
        let first = isa.leads(isa.load(first));
        return (first.count_ones() + last.unbounded_shr(seen as u32).count_ones()) as usize;
    }
    let (groups, rest) = bytes.as_chunks::<{ GROUP * BLOCK }>();
    let (blocks, rest) = rest.as_chunks();
    let groups = if groups.is_empty() { 0 } else { isa.count_groups(groups) };
    let last = last.unbounded_shr((BLOCK - rest.len()) as u32).count_ones() as usize;
    groups + isa.count_few(blocks) + last
}
