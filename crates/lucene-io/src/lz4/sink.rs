//! Where sequences are written.

/// Room for the largest block, filled from the front.
pub(super) struct Sink<'a> {
    room: &'a mut [u8],
    at: usize,
}

/// The most bytes that `len` bytes can become, and room to write words beyond.
pub(super) const fn bound(len: usize) -> usize {
    len + len / 255 + 64
}

impl<'a> Sink<'a> {
    /// `room` is as [`bound`] says.
    pub(super) fn new(room: &'a mut [u8]) -> Self {
        Self { room, at: 0 }
    }

    pub(super) fn written(&self) -> usize {
        self.at
    }

    /// The literals `bytes[anchor..at]`, then a match of `len` bytes (4 or more) `offset` before.
    #[inline]
    pub(super) fn sequence(
        &mut self,
        bytes: &[u8],
        anchor: usize,
        at: usize,
        offset: usize,
        len: usize,
    ) {
        let short = len - 4;
        self.literals(bytes, anchor, at, short.min(15) as u8);
        self.room[self.at..self.at + 2].copy_from_slice(&(offset as u16).to_le_bytes());
        self.at += 2;
        if short >= 15 {
            self.length(short - 15);
        }
    }

    /// The token, whose lower half is given, and the literals.
    #[inline]
    fn literals(&mut self, bytes: &[u8], anchor: usize, at: usize, low: u8) {
        let n = at - anchor;
        self.room[self.at] = (n.min(15) << 4) as u8 | low;
        self.at += 1;
        if n >= 15 {
            self.length(n - 15);
        }
        // A call for a few bytes costs more than a few bytes too many.
        if n <= 32
            && let Some(run) = bytes[anchor..].first_chunk::<32>()
            && let Some(room) = self.room[self.at..].first_chunk_mut::<32>()
        {
            *room = *run;
        } else {
            self.room[self.at..self.at + n].copy_from_slice(&bytes[anchor..at]);
        }
        self.at += n;
    }

    /// The end: literals only.
    pub(super) fn last(&mut self, bytes: &[u8], anchor: usize) {
        self.literals(bytes, anchor, bytes.len(), 0);
    }

    #[cold]
    fn long(&mut self, n: usize) -> usize {
        let full = n / 255;
        self.room[self.at..self.at + full].fill(255);
        self.at += full;
        n % 255
    }

    #[inline]
    fn length(&mut self, mut n: usize) {
        if n >= 255 {
            n = self.long(n);
        }
        self.room[self.at] = n as u8;
        self.at += 1;
    }
}
