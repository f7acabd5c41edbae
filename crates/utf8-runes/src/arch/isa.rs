//! What an instruction set must do for the algorithms of [`generic`](super::generic), which are
//! written once over it: 64 bytes at a time, as a vector and as masks of a bit a byte.

/// Bytes of a block, and bits of a mask.
pub(crate) const BLOCK: usize = 64;
/// Blocks counted at a time.
pub(crate) const GROUP: usize = 8;

pub(crate) type Block = [u8; BLOCK];
pub(crate) type Group = [u8; GROUP * BLOCK];

/// An instruction set that this processor has: a value exists only where that is known, so that
/// its methods are safe to call.
///
/// Bit `i` of a mask is byte `i` of the block.
pub(crate) trait Isa: Copy {
    /// 64 bytes in registers.
    type Vector: Copy;

    fn load(self, block: &Block) -> Self::Vector;
    /// At most 64 bytes, with zeros behind.
    fn load_partial(self, bytes: &[u8]) -> Self::Vector;
    /// The bytes of 0x80 and above.
    fn non_ascii(self, vector: Self::Vector) -> u64;
    /// The bytes that are no continuation bytes.
    fn leads(self, vector: Self::Vector) -> u64;
    /// The bytes that are not 0x20.
    fn not_blank(self, vector: Self::Vector) -> u64;
    /// The bytes of 0xF0 and above: the leads of four bytes.
    fn fours(self, vector: Self::Vector) -> u64;
    /// Whether all bytes are below 0x80.
    fn all_ascii(self, blocks: &[Block; 4]) -> bool;
    /// How many bytes of a few blocks are no continuation bytes.
    fn count_few(self, blocks: &[Block]) -> usize;
    /// How many bytes of a group are no continuation bytes.
    fn count_group(self, group: &Group) -> usize;
    /// The same of many groups.
    fn count_groups(self, groups: &[Group]) -> usize;
    /// The index of the set bit of `mask` that `n` others precede; there is one.
    fn select(self, mask: u64, n: u32) -> u32;
}

/// An instruction set that can look bytes up in a table, and with that validate UTF-8.
pub(crate) trait Validate: Isa {
    /// What goes from block to block: the one before, and the errors so far.
    type State: Copy;

    /// At the start of the input.
    fn start(self) -> Self::State;
    /// The first `n` bytes, fewer than 64, with zeros behind.
    fn keep(self, vector: Self::Vector, n: usize) -> Self::Vector;
    /// Goes over one more block. Blocks of ASCII may be left out behind such blocks.
    fn check(self, state: Self::State, vector: Self::Vector) -> Self::State;
    /// Whether there was an error. A sequence that the last block leaves open is none yet.
    fn failed(self, state: Self::State) -> bool;
}

/// The lowest `n` bits, of at most 64.
#[inline]
pub(crate) const fn low_bits(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// The blocks of a group.
#[inline(always)]
pub(crate) fn blocks(group: &Group) -> &[Block; GROUP] {
    let (blocks, _) = group.as_chunks();
    // As many as the length says; known when compiled.
    blocks.first_chunk().unwrap_or(&[[0; BLOCK]; GROUP])
}

/// [`Isa::select`] without an instruction for it.
#[inline]
pub(crate) const fn select_by_bytes(mask: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = 0x80 * ONES;
    // The bits set in each two, four, eight.
    let counts = mask - (mask >> 1 & (0x55 * ONES));
    let counts = (counts & (0x33 * ONES)) + (counts >> 2 & (0x33 * ONES));
    let counts = (counts + (counts >> 4)) & (0x0F * ONES);
    // Byte k becomes the sum of bytes 0 to k, at most 64; the first that exceeds n has the bit.
    // None borrows from its neighbour, as 0x80 is more than any n + 1.
    let running = counts.wrapping_mul(ONES);
    let exceed = ((running | HIGH_BITS) - (n as u64 + 1) * ONES) & HIGH_BITS;
    let at = exceed.trailing_zeros() & !7;
    let mut left = n - ((running << 8) >> at & 0xFF) as u32;
    let mut byte = mask >> at;
    while left > 0 {
        byte &= byte - 1;
        left -= 1;
    }
    at + byte.trailing_zeros()
}
