//! A bounded free list: the published fix itself.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// What can be made as good as new.
pub trait Reset {
    /// Forgets everything that was put in, so that the value equals a fresh one; keeping capacity
    /// is the point of it.
    fn reset(&mut self);
}

impl<T> Reset for Vec<T> {
    fn reset(&mut self) {
        self.clear();
    }
}

impl Reset for String {
    fn reset(&mut self) {
        self.clear();
    }
}

/// Values kept for reuse: last in, first out, at most a fixed number of them.
///
/// A value is [reset](Reset) when it comes back, so that a parked one holds nothing, and again when
/// it is rented, so that fresh and recycled values have one way in. It is either out or in the list,
/// as it moves: neither giving it back twice nor using it afterwards can be written.
///
/// ```
/// use pktpool::FreeList;
///
/// let mut lists: FreeList<Vec<u8>> = FreeList::default();
/// let mut packet = lists.rent();
/// packet.extend_from_slice(b"row");
/// lists.give_back(packet);
/// assert_eq!(lists.len(), 1);
/// assert!(lists.rent().is_empty()); // the same allocation, none of the content
/// ```
///
/// # When not to use it
/// A chain of values is better kept in a [`Snapshot`](crate::Snapshot), whose slots are one
/// allocation that stays, however many there are; the list allocates beyond its bound every time.
pub struct FreeList<T: Default + Reset> {
    parked: Vec<T>,
    limit: usize,
}

impl<T: Default + Reset> FreeList<T> {
    /// A list that parks up to `limit` values; 0 parks none.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { parked: Vec::new(), limit }
    }

    /// The value that was given back last, or a fresh one.
    #[inline]
    pub fn rent(&mut self) -> T {
        let mut value = self.parked.pop().unwrap_or_default();
        value.reset();
        value
    }

    /// Parks a value, or drops it when the list is full.
    #[inline]
    pub fn give_back(&mut self, mut value: T) {
        if self.parked.len() < self.limit {
            value.reset();
            self.parked.push(value);
        }
    }

    /// Values parked.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parked.len()
    }

    /// True when the next [`rent`](Self::rent) makes a fresh value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parked.is_empty()
    }
}

/// 16 values.
impl<T: Default + Reset> Default for FreeList<T> {
    fn default() -> Self {
        Self::with_limit(16)
    }
}

/// Length and limit; a parked value holds nothing worth showing.
impl<T: Default + Reset> fmt::Debug for FreeList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FreeList")
            .field("len", &self.parked.len())
            .field("limit", &self.limit)
            .finish()
    }
}
