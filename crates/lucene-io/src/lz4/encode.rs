//! The compressor and its table.

use super::sink::{self, Sink};
use super::{Compression, exact, fast};
use crate::Error;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Compresses blocks, each on its own, and keeps its table between them: the first block allocates
/// it (64 KiB, and another 16 KiB for blocks above 64 KiB), later ones allocate nothing but what
/// the output needs.
#[derive(Clone)]
pub struct Compressor {
    compression: Compression,
    near: Table<u16>,
    far: Table<u32>,
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").field("compression", &self.compression).finish_non_exhaustive()
    }
}

impl Compressor {
    /// Allocates nothing yet.
    #[must_use]
    pub const fn new(compression: Compression) -> Self {
        Self { compression, near: Table::NEW, far: Table::NEW }
    }

    /// Appends one block that stands for `bytes` to `into`. No bytes at all are a block too, of one
    /// byte. What is written depends on `bytes` only, not on the blocks before.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` bytes.
    pub fn compress(&mut self, bytes: &[u8], into: &mut Vec<u8>) -> Result<(), Error> {
        if i32::try_from(bytes.len()).is_err() {
            return Err(Error::TooLong { length: bytes.len() as u64 });
        }
        let start = into.len();
        if self.compression == Compression::Literals {
            // Exactly what it takes, and no byte of it written twice.
            let long = bytes.len().checked_sub(15);
            into.reserve(2 + bytes.len() + bytes.len() / 255);
            into.push((bytes.len().min(15) << 4) as u8);
            if let Some(long) = long {
                into.resize(into.len() + long / 255, 255);
                into.push((long % 255) as u8);
            }
            into.extend_from_slice(bytes);
            return Ok(());
        }
        into.resize(start + sink::bound(bytes.len()), 0);
        let mut out = Sink::new(&mut into[start..]);
        match self.compression {
            Compression::LuceneExact => {
                exact::compress(bytes, &mut self.near, &mut self.far, &mut out);
            }
            _ => fast::compress(bytes, &mut self.near, &mut self.far, &mut out),
        }
        let end = start + out.written();
        into.truncate(end);
        Ok(())
    }
}

/// A place in a block, as narrow as it can be: half the table is half the cache.
pub(super) trait Place: Copy + Default {
    /// The largest place.
    const MOST: usize;
    /// The slots of the largest table.
    const SLOTS: usize;
    fn new(at: usize) -> Self;
    fn get(self) -> usize;
}

impl Place for u16 {
    const MOST: usize = Self::MAX as usize;
    const SLOTS: usize = 1 << 15;
    #[inline(always)]
    fn new(at: usize) -> Self {
        at as Self
    }
    #[inline(always)]
    fn get(self) -> usize {
        usize::from(self)
    }
}

impl Place for u32 {
    const MOST: usize = Self::MAX as usize;
    const SLOTS: usize = 1 << 12;
    #[inline(always)]
    fn new(at: usize) -> Self {
        at as Self
    }
    #[inline(always)]
    fn get(self) -> usize {
        self as usize
    }
}

/// Where four bytes with a given hash were last seen.
///
/// Places are counted on from block to block, so that those of earlier blocks are below the
/// present one's first, [`Block::base`], and need not be cleared away: a block of a hundred bytes
/// would pay for a table of 64 KiB. Cleared once the count has run full.
#[derive(Clone)]
pub(super) struct Table<P> {
    slots: Option<Box<[P]>>,
    next: usize,
}

/// The table for one block.
pub(super) struct Block<'a, P, const SIZE: usize> {
    pub(super) slots: &'a mut [P; SIZE],
    pub(super) base: usize,
}

impl<P: Place> Table<P> {
    const NEW: Self = Self { slots: None, next: 0 };

    /// For a block that enters places below `places` only. `None` would be a `SIZE` above
    /// [`Place::SLOTS`].
    pub(super) fn block<const SIZE: usize>(&mut self, places: usize) -> Option<Block<'_, P, SIZE>> {
        let slots =
            self.slots.get_or_insert_with(|| vec![P::default(); P::SLOTS].into_boxed_slice());
        if self.next + places > P::MOST {
            slots.fill(P::default());
            self.next = 0;
        }
        let base = self.next;
        self.next += places;
        Some(Block { slots: slots.first_chunk_mut()?, base })
    }
}

impl<P: Place, const SIZE: usize> Block<'_, P, SIZE> {
    /// Where this hash was last seen, 0 when it was not, and that it is seen `at` now.
    #[inline(always)]
    pub(super) fn swap(&mut self, hash: usize, at: usize) -> usize {
        let slot = &mut self.slots[hash];
        let seen = slot.get().saturating_sub(self.base);
        *slot = P::new(self.base + at);
        seen
    }
}

/// How many bytes from `a` on are those from `b` on, `a < b`, up to `limit`.
#[inline(always)]
pub(super) fn common(bytes: &[u8], a: usize, b: usize, limit: usize) -> usize {
    let (Some(mut early), Some(mut late)) = (bytes.get(a..limit), bytes.get(b..limit)) else {
        return 0;
    };
    let all = late.len();
    while let (Some((x, more)), Some((y, rest))) =
        (early.split_first_chunk::<8>(), late.split_first_chunk::<8>())
    {
        let differ = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if differ != 0 {
            return all - late.len() + (differ.trailing_zeros() / 8) as usize;
        }
        (early, late) = (more, rest);
    }
    let same = early.iter().zip(late).take_while(|(x, y)| x == y).count();
    all - late.len() + same
}
