//! Looking at needed bytes without taking them.

use super::Buffer;
use alloc::collections::vec_deque;

/// The needed bytes from a place on. It goes forward only, so that a walk over all of them takes
/// time for each buffer once, however many there are.
#[derive(Clone)]
pub(in crate::stream) struct Ahead<'a> {
    /// Those that lie in one piece, and the buffers with the others.
    pub(super) first: &'a [u8],
    pub(super) behind: vec_deque::Iter<'a, Buffer>,
    pub(super) left: usize,
}

impl<'a> Ahead<'a> {
    /// How many there are.
    #[inline]
    pub(in crate::stream) fn left(&self) -> usize {
        self.left
    }

    /// Those that lie in one piece; empty only when there are none at all.
    #[inline]
    pub(in crate::stream) fn first(&mut self) -> &'a [u8] {
        while self.first.is_empty()
            && let Some(next) = self.behind.next()
        {
            self.first = next.needed();
        }
        self.first
    }

    /// Goes `n` bytes on, or to the end.
    pub(in crate::stream) fn skip(&mut self, n: usize) {
        let mut n = n.min(self.left);
        self.left -= n;
        while n > 0 {
            let step = n.min(self.first().len());
            self.first = &self.first[step..];
            n -= step;
        }
    }

    /// Copies bytes out; fewer than asked for at the end.
    pub(in crate::stream) fn copy_to(mut self, to: &mut [u8]) -> usize {
        let mut done = 0;
        while done < to.len() && self.left > 0 {
            let n = self.first().len().min(to.len() - done);
            to[done..done + n].copy_from_slice(&self.first[..n]);
            self.skip(n);
            done += n;
        }
        done
    }
}
