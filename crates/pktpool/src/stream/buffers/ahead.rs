//! Looking at needed bytes without taking them.

use super::Buffers;
use core::mem;

/// The needed bytes from a place on. It goes forward only, so that a walk over all of them takes
/// time for each buffer once, however many there are.
#[derive(Clone, Copy)]
pub(in crate::stream) struct Ahead<'a> {
    buffers: &'a Buffers,
    /// Those that lie in one piece.
    first: &'a [u8],
    /// The buffer behind that.
    next: usize,
    left: usize,
}

/// A buffer, and the needed bytes before it; by default the first.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::stream) struct Mark {
    next: usize,
    before: usize,
}

impl Mark {
    #[inline]
    pub(in crate::stream) fn is_first(self) -> bool {
        self.next == 0
    }
}

impl<'a> Ahead<'a> {
    #[inline]
    pub(super) fn new(buffers: &'a Buffers) -> Self {
        Self { buffers, first: buffers.front(), next: 0, left: buffers.len() }
    }

    /// From the byte on that has `at` needed ones before it, which is not before the marked buffer.
    pub(in crate::stream) fn from(buffers: &'a Buffers, mark: Mark, at: usize) -> Self {
        let mut ahead = Self::from_start(buffers, mark);
        ahead.skip(at.saturating_sub(ahead.at()));
        ahead
    }

    /// From the start of a buffer on, where a walk was before.
    fn from_start(buffers: &'a Buffers, mark: Mark) -> Self {
        let buffer = mark.next.checked_sub(1).and_then(|index| buffers.behind.get(index));
        match buffer {
            Some(buffer) => {
                let left = buffers.len().saturating_sub(mark.before);
                Self { buffers, first: buffer.needed(), next: mark.next, left }
            }
            None => Self::new(buffers),
        }
    }

    /// The buffer that it is in.
    pub(in crate::stream) fn mark(&self) -> Mark {
        let buffer = self.next.checked_sub(1).and_then(|index| self.buffers.behind.get(index));
        let Some(buffer) = buffer else { return Mark::default() };
        let behind = self.left + buffer.kept() - self.first.len();
        Mark { next: self.next, before: self.buffers.len().saturating_sub(behind) }
    }

    /// Needed bytes before the place that it is at.
    pub(in crate::stream) fn at(&self) -> usize {
        self.buffers.len() - self.left
    }

    /// How many there are.
    #[inline]
    pub(in crate::stream) fn left(&self) -> usize {
        self.left
    }

    /// Those that lie in one piece, if that is where it is.
    pub(in crate::stream) fn front(&self) -> &'a [u8] {
        self.first
    }

    /// Those that lie in one piece; empty only when there are none at all.
    #[inline]
    pub(in crate::stream) fn first(&mut self) -> &'a [u8] {
        if self.first.is_empty() {
            self.next_buffer();
        }
        self.first
    }

    #[inline]
    fn next_buffer(&mut self) {
        (self.first, self.next) = from(self.buffers, self.next);
    }

    /// Takes up to `n` bytes that lie in one piece; none only when `n` is 0 or there are none at all.
    #[inline(always)]
    pub(in crate::stream) fn piece(&mut self, n: usize) -> &'a [u8] {
        let first = self.first();
        let n = n.min(first.len());
        self.left -= n;
        let (piece, rest) = first.split_at(n);
        self.first = rest;
        piece
    }

    /// Goes `n` bytes on, or to the end.
    #[inline]
    pub(in crate::stream) fn skip(&mut self, n: usize) {
        let mut n = n.min(self.left);
        while n > 0 {
            n -= self.piece(n).len();
        }
    }

    /// Copies bytes out; fewer than asked for at the end.
    pub(in crate::stream) fn copy_to(mut self, mut to: &mut [u8]) -> usize {
        let wanted = to.len();
        while !to.is_empty() && self.left > 0 {
            let piece = self.piece(to.len());
            let (done, rest) = mem::take(&mut to).split_at_mut(piece.len());
            done.copy_from_slice(piece);
            to = rest;
        }
        wanted - to.len()
    }
}

/// The needed bytes of the first buffer from `next` on that has some, and the one behind it.
// By value, so that what looks ahead need not lie in memory for it.
#[cold]
#[inline(never)]
fn from(buffers: &Buffers, mut next: usize) -> (&[u8], usize) {
    while let Some(buffer) = buffers.behind.get(next) {
        next += 1;
        if buffer.kept() > 0 {
            return (buffer.needed(), next);
        }
    }
    (&[], next)
}
