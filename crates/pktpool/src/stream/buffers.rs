//! The read buffers: a chain in stream order, the last one being filled, and spares.
//!
//! What is retained is told by offsets, not by counts: a buffer is retained exactly while bytes
//! between its `start` and `end` are still needed. So a buffer that nothing retains is filled again
//! in place, a partial packet is moved to its front, and only a buffer full of needed bytes gets
//! another one behind it. Whoever wants to keep bytes (a parse that may be run again) does not move
//! `start`.

mod ahead;
mod holes;

pub(super) use ahead::{Ahead, Mark};
use alloc::{boxed::Box, collections::VecDeque, vec, vec::Vec};
use core::mem;

/// Bytes of a read buffer: enough for two of the largest TDS packets.
pub(super) const BUFFER: usize = 64 << 10;
/// The smallest one, for streams that are limited to small packets.
const BUFFER_MIN: usize = 16 << 10;
/// Consumed bytes from which on it pays to go back to the front of a buffer, where the cache is warm.
const WARM: usize = 4 << 10;
/// What processors compare of two addresses before they know them.
const PAGE: usize = 4 << 10;
/// Reads after which spares that none of them needed are given back.
const WINDOW: u32 = 64;

#[derive(Default)]
struct Buffer {
    bytes: Box<[u8]>,
    /// The first needed byte, and the end of those that arrived: `start <= end <= bytes.len()`.
    start: usize,
    end: usize,
}

impl Buffer {
    fn of(bytes: Box<[u8]>) -> Self {
        Self { bytes, start: 0, end: 0 }
    }

    #[inline]
    fn kept(&self) -> usize {
        self.end - self.start
    }

    #[inline]
    fn room(&self) -> usize {
        self.bytes.len() - self.end
    }

    fn needed(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Moves the needed bytes to the front, or near it.
    fn compact(&mut self) {
        // A copy over a distance just short of a multiple of a page's size halts at every load, as it
        // looks like one of a byte that was just stored. Packets of 32 767 bytes have that distance.
        let stalls = self.start & (PAGE - 1) > PAGE - 512;
        let to =
            if stalls && self.start > 2 * PAGE && self.kept() > PAGE / 4 { PAGE / 4 } else { 0 };
        self.bytes.copy_within(self.start..self.end, to);
        self.end = to + self.kept();
        self.start = to;
    }

    /// Takes over up to `n` needed bytes of another buffer; as many as it has and there is room for.
    fn take_over(&mut self, from: &mut Self, n: usize) {
        let n = n.min(from.kept()).min(self.room());
        self.bytes[self.end..self.end + n].copy_from_slice(&from.bytes[from.start..from.start + n]);
        self.end += n;
        from.start += n;
    }
}

pub(super) struct Buffers {
    /// The first of the chain, inline: it is the only one unless something is retained.
    front: Buffer,
    behind: VecDeque<Buffer>,
    /// Needed bytes in `behind`.
    behind_len: usize,
    /// Bytes of a usual buffer.
    size: usize,
    spare: Vec<Box<[u8]>>,
    spare_limit: usize,
    /// One buffer above the usual size, for packets that are.
    large: Option<Box<[u8]>>,
    large_used: bool,
    /// The fewest spares within the window: so many were of no use in it.
    idle: usize,
    /// Reads in the window; counted while there is something to give back.
    reads: u32,
    excess: bool,
    len_high: usize,
    live_high: usize,
    /// Whether a spare was given and not committed: it stays where it is.
    lent: bool,
}

impl Buffers {
    pub(super) fn new(max_packet: usize, spare_limit: usize) -> Self {
        Self::of_size(max_packet.saturating_mul(2).clamp(BUFFER_MIN, BUFFER), spare_limit)
    }

    pub(super) fn of_size(size: usize, spare_limit: usize) -> Self {
        Self {
            front: Buffer::default(),
            behind: VecDeque::new(),
            behind_len: 0,
            size,
            spare: Vec::new(),
            spare_limit,
            large: None,
            large_used: false,
            idle: 0,
            reads: 0,
            excess: false,
            len_high: 0,
            live_high: 0,
            lent: false,
        }
    }

    /// Needed bytes, those that did not lie in one buffer included.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.front.kept() + self.behind_len
    }

    /// The needed bytes of the first buffer, as it is: there may be none while later ones have some.
    #[inline]
    pub(super) fn front(&self) -> &[u8] {
        self.front.needed()
    }

    /// How many those are.
    #[inline]
    pub(super) fn front_len(&self) -> usize {
        self.front.kept()
    }

    /// The needed bytes, to look ahead in.
    #[inline]
    pub(super) fn ahead(&self) -> Ahead<'_> {
        Ahead::new(self)
    }

    /// Where the next bytes go; never empty. `packet` is the length of the incomplete packet at the
    /// front, 0 when it is not known.
    #[inline]
    pub(super) fn spare_mut(&mut self, packet: usize) -> &mut [u8] {
        let front = &self.front;
        let tight = front.start >= WARM || front.room() < self.size / 2;
        if tight || self.excess || !self.behind.is_empty() {
            self.make_room(packet);
        }
        self.lent = true;
        let tail = self.behind.back_mut().unwrap_or(&mut self.front);
        &mut tail.bytes[tail.end..]
    }

    #[inline(never)]
    fn make_room(&mut self, packet: usize) {
        if self.excess {
            self.reads += 1;
            if self.reads >= WINDOW {
                self.decay();
            }
        }
        if self.front.kept() == 0 {
            self.advance();
        }
        if self.behind.is_empty() {
            self.reuse_front(packet);
        }
        let tail = self.behind.back().unwrap_or(&self.front);
        // A sliver is as good as full: reading a few bytes costs as much as reading thousands.
        if tail.room() < self.size / 16 {
            let fresh = Buffer::of(self.rent(0));
            if self.front.bytes.is_empty() {
                self.front = fresh;
            } else {
                self.behind.push_back(fresh);
            }
            self.live_high = self.live_high.max(1 + self.behind.len());
        }
    }

    /// Fills the only buffer of the chain again in place where nothing retains it.
    #[inline]
    fn reuse_front(&mut self, packet: usize) {
        let front = &mut self.front;
        let (kept, size) = (front.kept(), front.bytes.len());
        if kept == 0 {
            front.start = 0;
            front.end = 0;
            return;
        }
        // No more bytes move than were consumed since the last time (or a KiB more), and a small place
        // stays warm…
        let cheap = kept <= front.start;
        // …or the packet then lies in one piece, which saves joining it.
        let partial = front.room() < size / 16 && kept < packet && packet <= size;
        if cheap || partial {
            front.compact();
        }
    }

    /// `n` bytes of the spare were filled; false, and nothing happens, when it has fewer.
    #[inline]
    pub(super) fn commit(&mut self, n: usize) -> bool {
        let len = match self.behind.back_mut() {
            None if n > self.front.room() => return false,
            None => {
                self.front.end += n;
                self.front.kept()
            }
            Some(tail) if n > tail.room() => return false,
            Some(tail) => {
                tail.end += n;
                self.behind_len += n;
                self.len()
            }
        };
        self.lent = false;
        if len > self.len_high {
            self.len_high = len;
        }
        true
    }

    /// The `n` bytes taken last.
    #[inline]
    pub(super) fn taken(&self, n: usize) -> &[u8] {
        let end = self.front.start;
        self.front.bytes.get(end.wrapping_sub(n)..end).unwrap_or_default()
    }

    /// Takes the first `n` needed bytes, which lie in the first buffer.
    #[inline]
    pub(super) fn take_in_place(&mut self, n: usize) {
        self.front.start += n;
    }

    /// Takes the first `n` needed bytes, wherever they lie; `n` is not more than there are.
    pub(super) fn take(&mut self, n: usize) {
        if self.front.kept() < n {
            self.join(n);
        }
        self.take_in_place(n);
    }

    /// Lets go of all needed bytes.
    pub(super) fn clear(&mut self) {
        self.front.start = self.front.end;
        self.behind_len = 0;
        while let Some(buffer) = self.behind.pop_front() {
            self.park(buffer.bytes);
        }
    }

    /// Makes the first `n` needed bytes lie in the first buffer; so many arrived.
    #[cold]
    fn join(&mut self, n: usize) {
        if self.front.kept() == 0 {
            self.advance();
            if self.front.kept() >= n {
                return;
            }
        }
        let mut joined = Buffer::of(self.rent(n));
        joined.take_over(&mut self.front, n);
        while joined.end < n
            && let Some(next) = self.behind.front_mut()
        {
            self.behind_len -= next.kept();
            joined.take_over(next, n - joined.end);
            self.behind_len += next.kept();
            // The last one stays where it is, drained or not: it is being filled.
            if next.kept() == 0
                && self.behind.len() > 1
                && let Some(drained) = self.behind.pop_front()
            {
                self.park(drained.bytes);
            }
        }
        let drained = mem::replace(&mut self.front, joined);
        self.park(drained.bytes);
    }

    /// Leaves a drained first buffer when there is another.
    pub(super) fn advance(&mut self) {
        while self.front.kept() == 0
            && let Some(next) = self.behind.pop_front()
        {
            self.behind_len -= next.kept();
            let drained = mem::replace(&mut self.front, next);
            self.park(drained.bytes);
        }
    }

    /// A buffer of at least `n` bytes: a spare one, or a fresh one. Asked only for bytes that
    /// arrived, so no declared length makes it allocate.
    fn rent(&mut self, n: usize) -> Box<[u8]> {
        if n <= self.size {
            let spare = self.spare.pop();
            self.idle = self.idle.min(self.spare.len());
            return spare.unwrap_or_else(|| vec![0; self.size].into_boxed_slice());
        }
        self.large_used = true;
        match self.large.take() {
            Some(large) if large.len() >= n => large,
            // A power of two, so that packets of about one size settle on one buffer.
            _ => vec![0; n.checked_next_power_of_two().unwrap_or(n)].into_boxed_slice(),
        }
    }

    fn park(&mut self, bytes: Box<[u8]>) {
        if bytes.len() <= self.size {
            if self.spare.len() < self.spare_limit && !bytes.is_empty() {
                self.spare.push(bytes);
            }
        } else if bytes.len() / self.size <= self.spare_limit {
            // Not more than all spares together; what is larger is rare, and worth an allocation.
            self.large = Some(bytes);
        }
        self.excess = !self.spare.is_empty() || self.large.is_some();
    }

    /// Gives back what was of no use for a whole window: at once, and allocations would swing with
    /// every outlier.
    #[cold]
    fn decay(&mut self) {
        self.spare.truncate(self.spare.len().saturating_sub(self.idle));
        if !self.large_used {
            self.large = None;
        }
        self.large_used = false;
        self.idle = self.spare.len();
        self.reads = 0;
        self.excess = !self.spare.is_empty() || self.large.is_some();
    }

    pub(super) fn stats(&self) -> crate::Stats {
        let chain = || core::iter::once(&self.front).chain(&self.behind);
        let spares = || self.spare.iter().chain(&self.large);
        crate::Stats {
            nodes_live: chain().filter(|b| b.kept() > 0).count(),
            bytes_retained: self.len(),
            bytes_retained_high: self.len_high,
            buffers_live: chain().filter(|b| !b.bytes.is_empty()).count(),
            buffers_live_high: self.live_high,
            buffers_retained: chain().take(self.behind.len()).filter(|b| b.kept() > 0).count(),
            buffers_spare: spares().count(),
            bytes_allocated: chain().map(|b| b.bytes.len()).sum::<usize>()
                + spares().map(|b| b.len()).sum::<usize>(),
        }
    }
}

#[cfg(test)]
mod tests;
