//! Where a reader is: a walk over the payload in the read buffers, headers left out.

use crate::stream::buffers::{Ahead, Buffers};
use crate::stream::head::Rules;
use crate::stream::packet::{Begun, Headers, Message, Place};
use crate::{Error, FrameHead, Framing, Stop};

/// What a walk reads from.
#[derive(Clone, Copy)]
pub(in crate::stream) struct Source<'a> {
    pub(in crate::stream) buffers: &'a Buffers,
    pub(in crate::stream) framing: &'a dyn Framing,
    pub(in crate::stream) rules: &'a Rules,
}

/// No wall.
pub(super) const OPEN: u64 = u64::MAX;

#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    /// Payload that can be read at once: of one packet, in one buffer, before the wall. All else
    /// counts from its end, so that a short read moves nothing but its start.
    pub(super) chunk: &'a [u8],
    /// What arrived behind the chunk.
    pub(super) ahead: Ahead<'a>,
    /// Where the stream is behind the chunk.
    pub(super) place: Place,
    /// The position where released bytes begin: nothing is read across it.
    pub(super) wall: u64,
    /// Before the headers that were entered last.
    entered: Option<Entered>,
    /// Whether other headers were read than when the step began.
    pub(super) moved: bool,
}

/// A place between packets, told by the bytes behind it.
#[derive(Clone, Copy)]
struct Entered {
    ahead_left: usize,
    headers: Headers,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(super) fn new(source: &Source<'a>, place: &Place, wall: u64) -> Self {
        let mut cursor = Self {
            chunk: &[],
            ahead: source.buffers.ahead(),
            place: Place { headers: place.headers, left: place.left },
            wall,
            entered: None,
            moved: false,
        };
        if cursor.place.left > 0 {
            cursor.fill();
        }
        cursor
    }

    #[inline]
    pub(super) fn position(&self) -> u64 {
        self.place.position().wrapping_sub(self.chunk.len() as u64)
    }

    /// Payload bytes of the packet still to be read, arrived or not.
    #[inline]
    pub(super) fn remaining(&self) -> usize {
        self.place.left + self.chunk.len()
    }

    /// Whether the packet has `n` bytes more that did not all arrive.
    #[inline]
    pub(super) fn lacks(&self, n: usize) -> bool {
        let arrived = self.chunk.len() + self.ahead.left();
        arrived < n && n <= self.remaining() && self.wall == OPEN
    }

    /// Whether the packet that it is in ends the message.
    #[inline]
    pub(super) fn in_last(&self) -> bool {
        self.place.headers.begun.is_some_and(|begun| begun.end_of_message)
    }

    /// Whether the next byte is one that was released.
    #[inline]
    pub(super) fn at_wall(&self) -> bool {
        self.chunk.is_empty() && self.place.left > 0 && self.position() == self.wall
    }

    /// Makes the next bytes of the packet the chunk; the last one was read.
    #[inline]
    fn fill(&mut self) {
        let mut n = self.place.left;
        if self.wall != OPEN {
            let free = self.wall.wrapping_sub(self.place.position());
            n = n.min(usize::try_from(free).unwrap_or(usize::MAX));
        }
        self.chunk = self.ahead.piece(n);
        self.place.left -= self.chunk.len();
    }

    /// Makes the chunk have bytes, or says why there are none.
    pub(super) fn refill(&mut self, source: &Source<'a>) -> Result<(), Stop> {
        while self.chunk.is_empty() {
            if self.place.left > 0 {
                if self.position() == self.wall {
                    return Err(Error::StepChanged.into());
                }
                self.fill();
                if self.chunk.is_empty() {
                    return Err(Stop::NeedMore);
                }
            } else if self.in_last() {
                return Err(Error::EndOfMessage.into());
            } else {
                self.enter(source)?;
            }
        }
        Ok(())
    }

    /// Goes into the next packet, if it is between two packets of a message: past header-only ones,
    /// unless they end the message. It is still there when it fails.
    pub(super) fn settle(&mut self, source: &Source<'a>) -> Result<(), Stop> {
        if self.remaining() > 0 || self.in_last() { Ok(()) } else { self.enter(source) }
    }

    #[inline(never)]
    fn enter(&mut self, source: &Source<'a>) -> Result<(), Stop> {
        let (mut ahead, mut message) = (self.ahead, self.place.headers.message);
        loop {
            let head = source.rules.read_head(source.framing, ahead, message)?;
            let Some((head, with)) = head else { return Err(Stop::NeedMore) };
            if ahead.left() < head.header_len {
                return Err(Stop::NeedMore);
            }
            ahead.skip(head.header_len);
            message = with;
            let left = head.total_len - head.header_len;
            if left == 0 && !head.end_of_message {
                continue;
            }
            self.go_in(ahead, &head, message);
            return Ok(());
        }
    }

    /// Enters the packet at the front of the buffers, if all of its header lies there, is good and
    /// has something behind it; what else there may be is left to be met by a read.
    #[inline]
    pub(super) fn enter_front<F: Framing>(&mut self, framing: &F, rules: &Rules) {
        if self.remaining() > 0 || self.in_last() {
            return;
        }
        let mut ahead = self.ahead;
        let front = ahead.front();
        if !front.is_empty()
            && let Ok(Some(head)) = framing.decode(&front[..front.len().min(rules.max_header)])
            && head.header_len <= front.len()
            && (head.total_len > head.header_len || head.end_of_message)
            && let Ok(message) = self.place.headers.message.with(&head, &rules.limits)
        {
            ahead.piece(head.header_len);
            self.go_in(ahead, &head, message);
        }
    }

    /// Goes into a packet: `ahead` is behind its header.
    #[inline]
    fn go_in(&mut self, ahead: Ahead<'a>, head: &FrameHead, message: Message) {
        // Not if it comes here again, after a read that was refused.
        if self.entered.is_none_or(|e| e.headers.message.end != self.place.headers.message.end) {
            let (ahead_left, headers) = (self.ahead.left(), self.place.headers);
            self.entered = Some(Entered { ahead_left, headers });
        }
        let &FrameHead { header_len, total_len, end_of_message, kind } = head;
        self.place.headers.message = message;
        self.place.headers.begun = Some(Begun { total_len, kind, end_of_message });
        self.place.left = total_len - header_len;
        self.moved = true;
        self.ahead = ahead;
        self.fill();
    }

    /// Goes over the end of the message, which it is at.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.place.headers.begun = None;
        self.entered = None;
        self.moved = true;
    }

    /// Goes to where a resumable read got to: `at` bytes from the start of the buffers.
    pub(super) fn jump(&mut self, source: &Source<'a>, at: usize, place: &Place, wall: u64) {
        let here = source.buffers.len() - self.ahead.left();
        match at.checked_sub(here) {
            Some(step) => self.ahead.skip(step),
            None => {
                self.ahead = source.buffers.ahead();
                self.ahead.skip(at);
            }
        }
        self.chunk = &[];
        self.place = *place;
        self.moved = true;
        self.wall = wall;
        if self.place.left > 0 {
            self.fill();
        }
    }

    /// Bytes from the start of the buffers.
    #[inline]
    pub(super) fn at(&self, source: &Source<'a>) -> usize {
        source.buffers.len() - self.ahead.left() - self.chunk.len()
    }

    /// The place that it is at, without the bytes in the chunk.
    #[inline]
    pub(super) fn here(&self) -> Place {
        Place { left: self.remaining(), ..self.place }
    }

    /// What is consumed when the step ends here: bytes of the buffers, and the place. A packet that
    /// was entered and not read from stays whole.
    #[inline]
    pub(super) fn consumed(&self, source: &Source<'a>) -> (usize, Place) {
        if let Some(entered) = &self.entered
            && entered.headers.message.end == self.position()
        {
            let place = Place { headers: entered.headers, left: 0 };
            return (source.buffers.len() - entered.ahead_left, place);
        }
        (self.at(source), self.here())
    }

    /// Reads over `n` bytes of the message, which all arrived, and shows them piece by piece.
    pub(super) fn read(
        &mut self,
        source: &Source<'a>,
        mut n: usize,
        mut piece: impl FnMut(&'a [u8]),
    ) -> Result<(), Stop> {
        while n > 0 {
            if self.in_last() && self.remaining() < n {
                return Err(Error::EndOfMessage.into());
            }
            self.refill(source)?;
            let (done, rest) = self.chunk.split_at(n.min(self.chunk.len()));
            piece(done);
            n -= done.len();
            self.chunk = rest;
        }
        Ok(())
    }
}
