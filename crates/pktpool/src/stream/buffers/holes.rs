//! Letting go of bytes that are not the first.

use super::{Buffer, Buffers};

impl Buffers {
    /// Lets go of the first `n` needed bytes, wherever they lie.
    #[inline]
    pub(in crate::stream) fn release(&mut self, n: usize) {
        if n < self.front.kept() {
            self.take_in_place(n);
        } else if n == self.front.kept() && self.behind.is_empty() && !self.lent {
            (self.front.start, self.front.end) = (0, 0);
        } else {
            self.release_far(n);
        }
    }

    #[inline(never)]
    fn release_far(&mut self, n: usize) {
        let mut left = n;
        loop {
            let step = left.min(self.front.kept());
            self.front.start += step;
            left -= step;
            if left == 0 || self.behind.is_empty() {
                return;
            }
            self.advance();
        }
    }

    fn buffer(&mut self, index: usize) -> Option<&mut Buffer> {
        match index.checked_sub(1) {
            None => Some(&mut self.front),
            Some(index) => self.behind.get_mut(index),
        }
    }

    /// Lets go of `n` needed bytes behind the first `at`; false, and nothing happens, while that
    /// would move more bytes than it wins, or move the spare that a read was given.
    pub(in crate::stream) fn punch(&mut self, at: usize, n: usize) -> bool {
        if at + n > self.len() {
            return false;
        }
        // The buffer that the bytes begin in, or end at.
        let (mut index, mut x) = (0, at);
        while let Some(kept) = self.buffer(index).map(|b| b.kept())
            && x > kept
        {
            (index, x) = (index + 1, x - kept);
        }
        let last = self.behind.len();
        let lent = self.lent;
        let Some(buffer) = self.buffer(index) else { return false };
        if x + n <= buffer.kept() {
            let rest = buffer.kept() - x - n;
            if x == 0 {
                buffer.start += n;
            } else if index == last && lent || rest > n {
                return false;
            } else {
                let hole = buffer.start + x;
                buffer.bytes.copy_within(hole + n..buffer.end, hole);
                buffer.end -= n;
            }
            if index == last && !lent && buffer.kept() == 0 {
                (buffer.start, buffer.end) = (0, 0);
            }
            if index > 0 {
                self.behind_len -= n;
            }
            return true;
        }
        let here = buffer.kept() - x;
        buffer.end -= here;
        let mut left = n - here;
        if index > 0 {
            self.behind_len -= here;
        }
        self.behind_len -= left;
        // Those behind it: gone, until one has bytes of its own or is being filled.
        while let Some(next) = self.behind.get_mut(index) {
            let step = left.min(next.kept());
            next.start += step;
            left -= step;
            if next.kept() > 0 || index + 1 == self.behind.len() {
                break;
            }
            if let Some(gone) = self.behind.remove(index) {
                self.park(gone.bytes);
            }
        }
        self.draw_together(index, n);
        true
    }

    /// Moves the bytes of the last buffer to the one before it, where they are few and have room.
    fn draw_together(&mut self, index: usize, won: usize) {
        if self.lent || index + 1 != self.behind.len() {
            return;
        }
        let size = self.size;
        let Some(mut last) = self.behind.pop_back() else { return };
        let Some(before) = self.buffer(index) else { return };
        let kept = last.kept();
        // What is then left to fill is not less than a usual spare.
        if kept <= won && kept + size / 2 <= before.room() {
            before.take_over(&mut last, kept);
            if index == 0 {
                self.behind_len -= kept;
            }
            self.park(last.bytes);
            return;
        }
        if kept == 0 {
            (last.start, last.end) = (0, 0);
        }
        self.behind.push_back(last);
    }
}
