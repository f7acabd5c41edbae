//! The packets that an abandoned parse will need again.

use alloc::vec::Vec;
use core::fmt;

/// Slots that stay allocated whatever happens: as many as the published fix kept nodes.
const KEPT: usize = 16;
/// Calls of `clear` after which unused capacity is given back.
const WINDOW: u32 = 64;

struct Slot<B> {
    packet: B,
    /// Data bytes of all packets before this one. Made once, on append, so that there is no total
    /// that a recycled slot could bring along.
    offset: u64,
    size: usize,
}

/// A chain of packets with a cursor, to replay a parse from its start or to continue it from where
/// it was captured.
///
/// It is taken and cleared at every continuation, so it keeps its slots: at steady state neither
/// [`append`](Self::append) nor [`clear`](Self::clear) allocates, at any length. Packets are
/// addressed by index; `B` is what the caller keeps of one (a buffer, or its place in a pool), and
/// `clear` drops it. Capacity decays after an outlier: `clear` gives it back when 64 snapshots in a
/// row made do with less than a quarter of it, and never below 16 slots.
///
/// ```
/// use pktpool::Snapshot;
///
/// let mut snapshot = Snapshot::new();
/// snapshot.append("first packet", 40);
/// assert_eq!(snapshot.move_next(), Some(0)); // parse; it runs out of bytes
/// snapshot.capture_continue();
///
/// snapshot.append("second packet", 55);
/// assert_eq!(snapshot.move_to_continue(), Some(1)); // go on with the new packet only…
/// assert_eq!((snapshot.data_offset(1), snapshot.data_size(1)), (Some(40), Some(55)));
///
/// snapshot.rewind(); // …or replay all of it
/// assert_eq!(snapshot.move_next(), Some(0));
///
/// snapshot.clear(); // done: everything is dropped but the slots
/// assert!(snapshot.is_empty() && snapshot.current().is_none());
/// ```
pub struct Snapshot<B> {
    slots: Vec<Slot<B>>,
    current: Option<usize>,
    captured: Option<usize>,
    /// The most slots that a snapshot used within the window, and the calls of `clear` in it.
    peak: usize,
    clears: u32,
}

impl<B> Snapshot<B> {
    /// An empty snapshot; allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { slots: Vec::new(), current: None, captured: None, peak: 0, clears: 0 }
    }

    /// Adds a packet that holds `data_size` bytes of data, and returns its index.
    #[inline]
    pub fn append(&mut self, packet: B, data_size: usize) -> usize {
        let index = self.slots.len();
        let offset = match self.slots.last() {
            Some(last) => last.offset.saturating_add(last.size as u64),
            None => 0,
        };
        self.slots.push(Slot { packet, offset, size: data_size });
        index
    }

    /// Packets held.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// True when no packet is held.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The packet at an index.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&B> {
        self.slots.get(index).map(|slot| &slot.packet)
    }

    /// The index that the cursor is at; `None` before the first packet.
    #[must_use]
    #[inline]
    pub fn current(&self) -> Option<usize> {
        self.current
    }

    /// Puts the cursor before the first packet, for a replay.
    #[inline]
    pub fn rewind(&mut self) {
        self.current = None;
    }

    /// Moves the cursor to the next packet and returns its index; at the end returns `None` and
    /// leaves the cursor.
    #[inline]
    pub fn move_next(&mut self) -> Option<usize> {
        self.go_behind(self.current)
    }

    /// Remembers where the cursor is, replacing what was captured before. A cursor before the first
    /// packet captures nothing.
    #[inline]
    pub fn capture_continue(&mut self) {
        self.captured = self.current;
    }

    /// Moves the cursor to the first packet after the captured one and returns its index. Returns
    /// `None` and leaves the cursor when nothing is captured or no packet came since.
    #[inline]
    pub fn move_to_continue(&mut self) -> Option<usize> {
        self.captured?;
        self.go_behind(self.captured)
    }

    #[inline]
    fn go_behind(&mut self, index: Option<usize>) -> Option<usize> {
        let next = index.map_or(0, |i| i + 1);
        if next >= self.slots.len() {
            return None;
        }
        self.current = Some(next);
        self.current
    }

    /// Data bytes of the packets before the one at an index.
    #[must_use]
    #[inline]
    pub fn data_offset(&self, index: usize) -> Option<u64> {
        self.slots.get(index).map(|slot| slot.offset)
    }

    /// Data bytes of the packet at an index, as they were appended.
    #[must_use]
    #[inline]
    pub fn data_size(&self, index: usize) -> Option<usize> {
        self.slots.get(index).map(|slot| slot.size)
    }

    /// Drops every packet, and forgets the cursor and what was captured.
    #[inline]
    pub fn clear(&mut self) {
        if self.slots.capacity() > KEPT {
            self.decay();
        }
        self.slots.clear();
        self.current = None;
        self.captured = None;
    }

    fn decay(&mut self) {
        self.peak = self.peak.max(self.slots.len());
        self.clears += 1;
        if self.clears < WINDOW {
            return;
        }
        // Twice the peak is kept, so that a size that comes back soon does not allocate again.
        let wanted = self.peak.max(KEPT / 2) * 2;
        if self.slots.capacity() / 2 > wanted {
            self.slots.clear();
            self.slots.shrink_to(wanted);
        }
        self.peak = 0;
        self.clears = 0;
    }
}

impl<B> Default for Snapshot<B> {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts and cursors, not the packets.
impl<B> fmt::Debug for Snapshot<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("len", &self.slots.len())
            .field("capacity", &self.slots.capacity())
            .field("current", &self.current)
            .field("captured", &self.captured)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(snapshot: &mut Snapshot<u32>, packets: usize) -> usize {
        for i in 0..packets {
            snapshot.append(i as u32, 1);
        }
        snapshot.clear();
        snapshot.slots.capacity()
    }

    #[test]
    fn capacity_decays_after_an_outlier() {
        let mut snapshot = Snapshot::new();
        assert!(round(&mut snapshot, 10_000) >= 10_000);
        for _ in 0..2 * WINDOW {
            round(&mut snapshot, 3);
        }
        assert_eq!(snapshot.slots.capacity(), KEPT);
    }

    #[test]
    fn capacity_does_not_swing() {
        let mut snapshot = Snapshot::new();
        let kept = round(&mut snapshot, 20);
        for i in 0..10_000 {
            // One long snapshot in ten: decaying on every clear would allocate for each of them.
            assert_eq!(round(&mut snapshot, if i % 10 == 0 { 20 } else { 1 }), kept);
        }
    }
}
