//! What an instruction set must do for the algorithms on UTF-16: 32 units at a time, as a vector
//! of their bytes and as masks of a bit a unit.

use super::cell::Cell;
use super::isa::{BLOCK, Block, Isa};

/// How many bytes were written, and how many lone surrogates became U+FFFD; or that there was no
/// room. Two words, which a function returns in registers: as an `Option` of two they go through
/// memory, by two stores and one load that has to wait for both.
#[derive(Clone, Copy)]
pub(crate) struct Encoded {
    written: usize,
    lone: usize,
}

impl Encoded {
    /// No slice is as long.
    const NO_ROOM: usize = usize::MAX;

    #[inline(always)]
    pub(crate) const fn of(done: Option<(usize, usize)>) -> Self {
        match done {
            Some((written, lone)) => Self { written, lone },
            None => Self { written: Self::NO_ROOM, lone: 0 },
        }
    }

    #[inline(always)]
    pub(crate) const fn get(self) -> Option<(usize, usize)> {
        if self.written == Self::NO_ROOM { None } else { Some((self.written, self.lone)) }
    }
}

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
    /// The surrogates.
    fn surrogates(self, vector: Self::Vector) -> u32;
    /// The units of 0x80 and above.
    fn wide(self, vector: Self::Vector) -> u32;
    /// The units of 0x800 and above.
    fn long(self, vector: Self::Vector) -> u32;
    /// How many bytes of UTF-8 units take beyond the first, a surrogate two.
    fn count_more(self, blocks: [Self::Vector; 4]) -> usize;
}

/// An instruction set that can write UTF-16 as UTF-8. Not one with [`Isa`], as what that takes may
/// be more than the tier's.
///
/// `put_…` writes the first `width` units of a vector to the start of `out`, what is behind those
/// being zeros, and returns how many bytes they are; `None` when there is not the room. The cells
/// behind those bytes may have been written or not.
///
/// `BE` is the order of the units' bytes before [`swap`](Self::swap), which none of these need to
/// know. It makes the large ones functions of their own for each order: called in one place, they
/// become part of it, which no attribute can ask for where there are target features.
pub(crate) trait Transcode<const BE: bool>: Copy {
    /// 32 units in registers.
    type Vector: Copy;

    fn load(self, block: &Block) -> Self::Vector;
    /// At most 64 bytes, with zeros behind.
    fn load_partial(self, bytes: &[u8]) -> Self::Vector;
    /// The two bytes of each unit exchanged.
    fn swap(self, vector: Self::Vector) -> Self::Vector;
    /// The units of 0x80 and above.
    fn wide(self, vector: Self::Vector) -> u32;
    /// The units of 0x800 and above.
    fn long(self, vector: Self::Vector) -> u32;
    fn surrogates(self, vector: Self::Vector) -> u32;
    /// The surrogates below 0xDC00.
    fn highs(self, vector: Self::Vector) -> u32;
    /// Puts `unit` where the mask says.
    fn replace(self, vector: Self::Vector, mask: u32, unit: u16) -> Self::Vector;
    /// Whether all units are below 0x80.
    fn all_ascii(self, blocks: [Self::Vector; 4]) -> bool;
    /// Units below 0x80, all of them.
    fn put_ascii_four(self, blocks: [Self::Vector; 4], out: &mut [Cell; 4 * UNITS]);
    /// Units below 0x80.
    fn put_ascii(self, vector: Self::Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
    /// Units below 0x800.
    fn put_short(self, vector: Self::Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
    /// Units that are no surrogates.
    fn put_bmp(self, vector: Self::Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
    /// Any units but lone surrogates: `firsts` and `seconds` are the pairs.
    fn put_any(
        self,
        vector: Self::Vector,
        firsts: u32,
        seconds: u32,
        width: usize,
        out: &mut [Cell],
    ) -> Option<usize>;
    /// Pairs and nothing else.
    fn put_pairs(self, vector: Self::Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
}

/// An instruction set that can write UTF-8 as UTF-16: 64 bytes at a time, wherever sequences begin
/// and end.
///
/// A byte where a unit ends stands for it: the last one of each sequence, and of those of four
/// bytes the third as well.
///
/// `put_…` writes the units of a vector to the start of `out`, and returns how many bytes they are;
/// `None` when there is not the room. The cells behind those bytes may have been written or not.
pub(crate) trait FromUtf8: Isa {
    fn zeros(self) -> Self::Vector;
    /// The bytes of 0xC0 and above: the leads of more than one byte.
    fn twos(self, vector: Self::Vector) -> u64;
    /// The bytes of 0xE0 and above.
    fn threes(self, vector: Self::Vector) -> u64;
    /// Bytes below 0x80, all of them.
    fn put_four_ascii(self, blocks: &[Block; 4], out: &mut [Cell; 8 * BLOCK]);
    /// The first `width` bytes, all of them below 0x80.
    fn put_one_ascii(self, vector: Self::Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
    /// What stands at `units`, with the block `before`, and no sequences of four bytes.
    fn put_up_to_three(
        self,
        vector: Self::Vector,
        before: Self::Vector,
        units: u64,
        out: &mut [Cell],
    ) -> Option<usize>;
    /// What stands at `units`, with the block `before`.
    fn put_up_to_four(
        self,
        vector: Self::Vector,
        before: Self::Vector,
        units: u64,
        out: &mut [Cell],
    ) -> Option<usize>;
}
