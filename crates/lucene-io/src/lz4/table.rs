//! The table of the encoders.

use alloc::boxed::Box;
use alloc::vec;

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
    pub(super) const NEW: Self = Self { slots: None, next: 0 };

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
