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
/// For a large block it is cleared. A small one would pay more for that than for itself, so there
/// places are counted on from block to block: those of earlier blocks are below the present one's
/// first, [`Block::base`], and it is cleared once the count has run full.
#[derive(Clone)]
pub(super) struct Table<P> {
    slots: Option<Box<[P]>>,
    /// Above all places that are entered.
    next: usize,
}

/// Blocks from this size on clear the table: a few per cent of the time that they take.
pub(super) const LARGE: usize = 4096;

/// The table for one block; `KEPT` when places of earlier blocks are in it.
pub(super) struct Block<'a, P, const SIZE: usize, const KEPT: bool> {
    slots: &'a mut [P; SIZE],
    base: usize,
}

impl<P: Place> Table<P> {
    pub(super) const NEW: Self = Self { slots: None, next: 0 };

    /// For a block that enters places below `places` only. `None` would be a `SIZE` above
    /// [`Place::SLOTS`].
    pub(super) fn block<const SIZE: usize, const KEPT: bool>(
        &mut self,
        places: usize,
    ) -> Option<Block<'_, P, SIZE, KEPT>> {
        let slots =
            self.slots.get_or_insert_with(|| vec![P::default(); P::SLOTS].into_boxed_slice());
        if !KEPT {
            let slots = slots.first_chunk_mut()?;
            *slots = [P::default(); SIZE];
            self.next = self.next.max(places);
            return Some(Block { slots, base: 0 });
        }
        if self.next + places > P::MOST {
            slots.fill(P::default());
            self.next = 0;
        }
        let base = self.next;
        self.next += places;
        Some(Block { slots: slots.first_chunk_mut()?, base })
    }
}

impl<P: Place, const SIZE: usize, const KEPT: bool> Block<'_, P, SIZE, KEPT> {
    /// Where this hash was last seen, 0 when it was not, and that it is seen `at` now.
    #[inline(always)]
    pub(super) fn swap(&mut self, hash: usize, at: usize) -> usize {
        let slot = &mut self.slots[hash];
        let base = if KEPT { self.base } else { 0 };
        let seen = slot.get().saturating_sub(base);
        *slot = P::new(base + at);
        seen
    }
}
