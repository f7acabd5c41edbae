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
    let (groups, mut rest) = bytes.as_chunks::<{ GROUP * BLOCK }>();
    let mut total = if groups.is_empty() { 0 } else { isa.count_groups(groups) };
    // Steps and no loop: compilers unroll it until short inputs pay for the set-up.
    total += take::<I, { 4 * BLOCK }>(isa, &mut rest);
    total += take::<I, { 2 * BLOCK }>(isa, &mut rest);
    total += take::<I, BLOCK>(isa, &mut rest);
    total + last.unbounded_shr((BLOCK - rest.len()) as u32).count_ones() as usize
}

/// Takes N bytes off, if there are so many; their leads.
#[inline(always)]
fn take<I: Isa, const N: usize>(isa: I, rest: &mut &[u8]) -> usize {
    let Some((head, later)) = rest.split_first_chunk::<N>() else { return 0 };
    *rest = later;
    let (blocks, _) = head.as_chunks::<BLOCK>();
    isa.count_few(blocks)
}
