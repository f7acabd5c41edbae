//! Where a reader is: a walk over the payload in the read buffers, headers left out.
//!
//! What headers say changes once a packet and is wide, so it stays in one place, the stream's own,
//! and only what a read moves is in the cursor.

use super::source::{HeaderOnly, Source};
use crate::stream::buffers::Ahead;
use crate::stream::head::Rules;
use crate::stream::packet::{Begun, Headers, Message, Place};
use crate::{Error, FrameHead, Framing, Stop};

/// No wall.
pub(super) const OPEN: u64 = u64::MAX;

#[derive(Clone, Copy)]
pub(in crate::stream) struct Cursor<'a> {
    /// Payload that can be read at once: of one packet, in one buffer, before the wall. All else
    /// counts from its end, so that a short read moves nothing but its start.
    pub(super) chunk: &'a [u8],
    /// What arrived behind the chunk.
    pub(super) ahead: Ahead<'a>,
    /// Payload bytes of the packet behind the chunk.
    pub(super) left: usize,
    /// The position where released bytes begin: nothing is read across it.
    pub(super) wall: u64,
}

/// What the headers say where a cursor is.
pub(in crate::stream) struct Track<'t> {
    pub(super) now: &'t mut Headers,
    /// When the step began, if other headers were read since.
    before: Option<Headers>,
    /// Before the headers that were entered last.
    entered: Option<Entered>,
}

/// A place between packets, told by the bytes behind it.
#[derive(Clone, Copy)]
struct Entered {
    ahead_left: usize,
    headers: Headers,
}

/// A cursor and its track, to go back to.
#[derive(Clone, Copy)]
pub(super) struct Saved<'a> {
    cursor: Cursor<'a>,
    headers: Headers,
    entered: Option<Entered>,
}

impl<'t> Track<'t> {
    #[inline]
    pub(in crate::stream) fn new(now: &'t mut Headers) -> Self {
        Self { now, before: None, entered: None }
    }

    /// Whether the packet ends the message.
    #[inline]
    pub(super) fn in_last(&self) -> bool {
        self.now.begun.end_of_message()
    }

    /// Keeps the headers that the step began with, before others are set.
    #[inline]
    fn keep(&mut self) {
        if self.before.is_none() {
            self.before = Some(*self.now);
        }
    }

    #[inline]
    fn set(&mut self, headers: Headers) {
        self.keep();
        self.now.message = headers.message;
        self.now.begun = headers.begun;
    }

    /// Goes over the end of the message, which it is at.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.keep();
        self.now.begun = Begun::NONE;
        self.entered = None;
    }

    /// The step is undone.
    pub(super) fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            *self.now = before;
        }
    }
}

impl<'a> Cursor<'a> {
    /// At the front, in a packet of which `left` bytes are left, or in the next one, as far as that is
    /// quickly entered.
    #[inline(always)]
    pub(in crate::stream) fn new<F: Framing>(
        source: &Source<'a>,
        framing: &F,
        left: usize,
        track: &mut Track<'_>,
        wall: u64,
    ) -> Self {
        let mut cursor = Self { chunk: &[], ahead: source.buffers.ahead(), left, wall };
        if left > 0 {
            cursor.fill(track);
        } else if !track.in_last() {
            cursor.enter_front(track, framing, source.rules);
        }
        cursor
    }

    pub(super) fn save(&self, track: &Track<'_>) -> Saved<'a> {
        Saved { cursor: *self, headers: *track.now, entered: track.entered }
    }

    pub(super) fn restore(&mut self, track: &mut Track<'_>, saved: &Saved<'a>) {
        *self = saved.cursor;
        if track.before.is_some() {
            *track.now = saved.headers;
        }
        track.entered = saved.entered;
    }

    #[inline]
    pub(super) fn position(&self, track: &Track<'_>) -> u64 {
        track.now.message.end.wrapping_sub(self.remaining() as u64)
    }

    /// Payload bytes of the packet still to be read, arrived or not.
    #[inline]
    pub(super) fn remaining(&self) -> usize {
        self.left + self.chunk.len()
    }

    /// Whether it is at the end of a packet that its message goes on after.
    #[inline]
    pub(super) fn is_between(&self, track: &Track<'_>) -> bool {
        self.remaining() == 0 && !track.in_last()
    }

    /// Whether the packet has `n` bytes more that did not all arrive.
    #[inline]
    pub(super) fn lacks(&self, n: usize) -> bool {
        let arrived = self.chunk.len() + self.ahead.left();
        arrived < n && n <= self.remaining() && self.wall == OPEN
    }

    /// Whether the next byte is one that was released.
    #[inline]
    pub(super) fn at_wall(&self, track: &Track<'_>) -> bool {
        self.chunk.is_empty() && self.left > 0 && self.position(track) == self.wall
    }

    /// Makes the next bytes of the packet the chunk; the last one was read.
    #[inline(always)]
    fn fill(&mut self, track: &Track<'_>) {
        let mut n = self.left;
        if self.wall != OPEN {
            let free = self.wall.wrapping_sub(self.position(track));
            n = n.min(usize::try_from(free).unwrap_or(usize::MAX));
        }
        self.chunk = self.ahead.piece(n);
        self.left -= self.chunk.len();
    }

    /// Makes the chunk have bytes, or says why there are none.
    pub(super) fn refill(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
    ) -> Result<(), Stop> {
        while self.chunk.is_empty() {
            if self.left > 0 {
                if self.position(track) == self.wall {
                    return Err(Error::StepChanged.into());
                }
                self.fill(track);
                if self.chunk.is_empty() {
                    return Err(Stop::NeedMore);
                }
            } else if track.in_last() {
                return Err(Error::EndOfMessage.into());
            } else {
                self.enter(source, track)?;
            }
        }
        Ok(())
    }

    /// Goes into the next packet, if it is between two packets of a message: past header-only ones,
    /// unless they end the message. It is still there when it fails.
    #[inline]
    pub(super) fn settle(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
    ) -> Result<(), Stop> {
        if self.remaining() > 0 || track.in_last() { Ok(()) } else { self.enter(source, track) }
    }

    #[inline]
    fn enter(&mut self, source: &Source<'a>, track: &mut Track<'_>) -> Result<(), Stop> {
        if source.framing.enter_front(self, track, source.rules) {
            return Ok(());
        }
        self.enter_far(source, track)
    }

    #[cold]
    pub(super) fn enter_far(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
    ) -> Result<(), Stop> {
        if self.ahead.left() == 0 {
            return Err(Stop::NeedMore);
        }
        let (mut ahead, mut message) = (self.ahead, track.now.message);
        let at = source.buffers.len() - ahead.left();
        let known = source.header_only.get();
        if known.is_some() && known.at == at {
            ahead.skip(known.len);
            message = message.opened();
        }
        loop {
            let arrived = match source.framing.head(source.rules, ahead)? {
                Some(head) => {
                    let with = message.with(&head, &source.rules.limits)?;
                    (head.header_len <= ahead.left()).then_some((head, with))
                }
                None => None,
            };
            let Some((head, with)) = arrived else {
                HeaderOnly::found(source.header_only, at, self.ahead.left() - ahead.left());
                return Err(Stop::NeedMore);
            };
            let passed = self.ahead.left() - ahead.left();
            ahead.skip(head.header_len);
            message = with;
            let left = head.total_len - head.header_len;
            if left == 0 && !head.end_of_message {
                continue;
            }
            HeaderOnly::found(source.header_only, at, passed);
            self.go_in(track, ahead, &head, message);
            return Ok(());
        }
    }

    /// Enters the next packet, between two, if all of its header lies in one piece, is good and has
    /// something behind it, or ends the message; false, and nothing happens, if not.
    #[inline(always)]
    pub(super) fn enter_front<F: Framing>(
        &mut self,
        track: &mut Track<'_>,
        framing: &F,
        rules: &Rules,
    ) -> bool {
        if let Some(head) = self.decode_front(framing, rules)
            && head.header_len <= self.ahead.front().len()
            && (head.total_len > head.header_len || head.end_of_message)
            && let Ok(message) = track.now.message.with(&head, &rules.limits)
        {
            let mut ahead = self.ahead;
            ahead.piece(head.header_len);
            self.go_in(track, ahead, &head, message);
            return true;
        }
        false
    }

    /// The header behind the chunk, if all of it lies in one piece.
    #[inline(always)]
    pub(super) fn decode_front<F: Framing + ?Sized>(
        &self,
        framing: &F,
        rules: &Rules,
    ) -> Option<FrameHead> {
        let front = self.ahead.front();
        if front.is_empty() {
            return None;
        }
        framing.decode(&front[..front.len().min(rules.max_header)]).ok().flatten()
    }

    /// The first byte of the next packet, between two, without going in: if it lies in one piece with
    /// a header that is good.
    #[inline]
    pub(super) fn peek_front<F: Framing + ?Sized>(
        &self,
        track: &Track<'_>,
        framing: &F,
        rules: &Rules,
    ) -> Option<u8> {
        let head = self.decode_front(framing, rules)?;
        if head.total_len <= head.header_len
            || track.now.message.with(&head, &rules.limits).is_err()
        {
            return None;
        }
        self.ahead.front().get(head.header_len).copied()
    }

    /// Goes into a packet: `ahead` is behind its header.
    #[inline(always)]
    fn go_in(
        &mut self,
        track: &mut Track<'_>,
        ahead: Ahead<'a>,
        head: &FrameHead,
        message: Message,
    ) {
        // Not if it comes here again, after a read that was refused.
        if track.entered.is_none_or(|e| e.headers.message.end != track.now.message.end) {
            track.entered = Some(Entered { ahead_left: self.ahead.left(), headers: *track.now });
        }
        track.set(Headers { message, begun: Begun::new(head) });
        self.left = head.total_len - head.header_len;
        self.ahead = ahead;
        self.fill(track);
    }

    /// Goes to where a resumable read got to: `at` bytes from the start of the buffers.
    pub(super) fn jump(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
        at: usize,
        place: &Place,
        wall: u64,
    ) {
        let here = source.buffers.len() - self.ahead.left();
        match at.checked_sub(here) {
            Some(step) => self.ahead.skip(step),
            None => {
                self.ahead = source.buffers.ahead();
                self.ahead.skip(at);
            }
        }
        self.chunk = &[];
        track.set(place.headers);
        self.left = place.left;
        self.wall = wall;
        if self.left > 0 {
            self.fill(track);
        }
    }

    /// Bytes from the start of the buffers.
    #[inline]
    pub(super) fn at(&self, source: &Source<'a>) -> usize {
        source.buffers.len() - self.ahead.left() - self.chunk.len()
    }

    /// The place that it is at.
    #[inline]
    pub(super) fn here(&self, track: &Track<'_>) -> Place {
        Place { left: self.remaining(), headers: *track.now }
    }

    /// The step is done: bytes of the buffers that it consumed, and what is left of the packet. One
    /// that was entered and not read from stays whole.
    #[inline]
    pub(super) fn consumed(&self, source: &Source<'a>, track: &mut Track<'_>) -> (usize, usize) {
        if let Some(entered) = &track.entered
            && entered.headers.message.end == self.position(track)
        {
            *track.now = entered.headers;
            return (source.buffers.len() - entered.ahead_left, 0);
        }
        (self.at(source), self.remaining())
    }

    /// Reads over `n` bytes of the message, which all arrived, and shows them piece by piece.
    pub(super) fn read(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
        mut n: usize,
        mut piece: impl FnMut(&'a [u8]),
    ) -> Result<(), Stop> {
        while n > 0 {
            if track.in_last() && self.remaining() < n {
                return Err(Error::EndOfMessage.into());
            }
            self.refill(source, track)?;
            let (done, rest) = self.chunk.split_at(n.min(self.chunk.len()));
            piece(done);
            n -= done.len();
            self.chunk = rest;
        }
        Ok(())
    }
}
