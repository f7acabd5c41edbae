//! What an instruction set must do for the algorithms on UTF-16: 32 units at a time, as a vector
//! of their bytes and as masks of a bit a unit.

use super::isa::{BLOCK, Isa};

/// Units of a block, and bits of a mask.
pub(crate) const UNITS: usize = BLOCK / 2;

/// Units lie in vectors in the order of the machine's bytes, which is little-endian wherever there
/// are vectors. Bit `i` of a mask is unit `i` of the block.
pub(crate) trait Units: Isa {
    /// The two bytes of each unit exchanged.
    fn swap(self, vector: Self::Vector) -> Self::Vector;
    /// Where the unit of `firsts` and that of `seconds` are a pair of surrogates.
    fn pairs(self, firsts: Self::Vector, seconds: Self::Vector) -> u32;
    /// How many times that is so.
    fn count_pairs(self, firsts: [Self::Vector; 4], seconds: [Self::Vector; 4]) -> usize;
    /// Whether it is so of all units at even and those behind them: pairs and nothing else.
    fn all_pairs(self, blocks: [Self::Vector; 4]) -> bool;
    /// Whether any unit is a surrogate.
    fn any_surrogate(self, blocks: [Self::Vector; 4]) -> bool;
    /// The units of 0x80 and above.
    fn wide(self, vector: Self::Vector) -> u32;
    /// The units of 0x800 and above.
    fn long(self, vector: Self::Vector) -> u32;
    /// How many bytes of UTF-8 units take beyond the first, a surrogate two.
    fn count_more(self, blocks: [Self::Vector; 4]) -> usize;
}
