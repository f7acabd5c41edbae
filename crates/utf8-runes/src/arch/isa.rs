//! What an instruction set must do for the algorithms of [`generic`](super::generic), which are
//! written once over it: 64 bytes at a time, as a vector and as masks of a bit a byte.

/// Bytes of a block, and bits of a mask.
pub(crate) const BLOCK: usize = 64;
/// Blocks counted at a time.
pub(crate) const GROUP: usize = 8;

pub(crate) type Block = [u8; BLOCK];

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
    /// Whether all bytes are below 0x80.
    fn all_ascii(self, blocks: &[Block; 4]) -> bool;
    /// How many bytes are no continuation bytes.
    fn count_group(self, blocks: &[Block; GROUP]) -> usize;
    /// The index of the set bit of `mask` that `n` others precede; there is one.
    fn select(self, mask: u64, n: u32) -> u32;
}

/// An instruction set that can look bytes up in a table, and with that validate UTF-8.
pub(crate) trait Validate: Isa {
    /// What goes from block to block: the one before, and the errors so far.
    type State: Copy;

    /// At the start of the input.
    fn start(self) -> Self::State;
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

/// [`Isa::select`] without an instruction for it.
#[inline]
pub(crate) const fn select_by_halves(mask: u64, n: u32) -> u32 {
    let mut rest = mask;
    let mut left = n;
    let mut at = 0;
    let mut width = 32;
    while width > 0 {
        let here = (rest & ((1 << width) - 1)).count_ones();
        if here <= left {
            left -= here;
            rest >>= width;
            at += width;
        }
        width /= 2;
    }
    at
}
