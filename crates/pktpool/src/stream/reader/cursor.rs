//! Where a reader is: a walk over the payload in the read buffers, headers left out.
//!
//! What headers say changes once a packet and is wide, so it stays in one place, the stream's own,
//! and only what a read moves is in the cursor. Both are made anew for every step, most of which are
//! short: what a step rarely needs is found when it is needed, from two numbers.

use super::source::{HeaderOnly, Source};
use crate::stream::buffers::{Ahead, Mark};
use crate::stream::packet::{Begun, Headers, Message, Place};
use crate::{Error, FrameHead, Framing, Stop};

/// No wall.
pub(super) const OPEN: u64 = u64::MAX;

#[derive(Clone, Copy)]
pub(in crate::stream) struct Cursor<'a> {
    /// Payload that can be read at once: of one packet, in one buffer, before the wall. All else
    /// counts from its end, so that a short read moves nothing but its start.
    pub(super) chunk: &'a [u8],
    /// Bytes from the start of the buffers to the end of the chunk.
    pub(super) end: usize,
    /// Payload bytes of the packet behind the chunk.
    pub(super) left: usize,
    /// The position where released bytes begin: nothing is read across it.
    pub(super) wall: u64,
    /// The buffer that the chunk is in.
    mark: Mark,
}

/// What the headers say where a cursor is.
pub(in crate::stream) struct Track<'t> {
    pub(super) now: &'t mut Headers,
    /// When the step began, if other headers were read since.
    before: Option<Headers>,
    entered: Entered,
}

/// The place between packets before the headers that were entered last: bytes from the start of the
/// buffers, and the headers.
#[derive(Clone, Copy)]
enum Entered {
    No,
    /// The headers are those that the step began with.
    First {
        at: usize,
    },
    Later {
        at: usize,
        headers: Headers,
    },
}

/// A cursor and its track, to go back to.
#[derive(Clone, Copy)]
pub(super) struct Saved<'a> {
    cursor: Cursor<'a>,
    headers: Headers,
    entered: Entered,
}

impl<'t> Track<'t> {
    #[inline]
    pub(super) fn new(now: &'t mut Headers) -> Self {
        Self { now, before: None, entered: Entered::No }
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

    /// The headers of a packet that is entered, `at` bytes from the start of the buffers.
    #[inline(always)]
    fn enter(&mut self, at: usize, headers: Headers) {
        if self.before.is_none() {
            self.entered = Entered::First { at };
        } else {
            self.enter_later(at);
        }
        self.set(headers);
    }

    #[cold]
    fn enter_later(&mut self, at: usize) {
        // Not if it comes here again, after a read that was refused.
        if self.entered().is_none_or(|(_, e)| e.message.end != self.now.message.end) {
            self.entered = Entered::Later { at, headers: *self.now };
        }
    }

    #[inline]
    fn entered(&self) -> Option<(usize, &Headers)> {
        match &self.entered {
            Entered::No => None,
            Entered::First { at } => Some((*at, self.before.as_ref()?)),
            Entered::Later { at, headers } => Some((*at, headers)),
        }
    }

    /// Goes over the end of the message, which it is at.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.keep();
        self.now.begun = Begun::NONE;
        self.entered = Entered::No;
    }

    /// The step is undone.
    #[inline]
    pub(super) fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            *self.now = before;
        }
    }
}

impl<'a> Cursor<'a> {
    /// At the front, in a packet of which `left` bytes are left.
    #[inline(always)]
    pub(super) fn new(left: usize, wall: u64) -> Self {
        Self { chunk: &[], end: 0, left, wall, mark: Mark::default() }
    }

    /// Shows the bytes at the front, of the packet that it is in or the next one, as far as that is
    /// quickly entered.
    #[inline(always)]
    pub(super) fn begin<F: Framing>(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
        framing: &F,
    ) {
        if self.left > 0 {
            self.show(source.buffers.front(), track);
        } else if !track.in_last() {
            self.enter_front(source, track, framing);
        }
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

    /// Bytes that arrived behind the chunk.
    #[inline]
    pub(super) fn arrived(&self, source: &Source<'_>) -> usize {
        source.buffers.len() - self.end
    }

    /// What arrived behind the chunk.
    pub(super) fn ahead(&self, source: &Source<'a>) -> Ahead<'a> {
        Ahead::from(source.buffers, self.mark, self.end)
    }

    /// As much of that as lies in the same buffer.
    #[inline]
    fn front(&self, source: &Source<'a>) -> &'a [u8] {
        if self.mark.is_first() {
            source.buffers.front().get(self.end..).unwrap_or_default()
        } else {
            self.ahead(source).front()
        }
    }

    /// Whether the packet has `n` bytes more that did not all arrive.
    #[inline]
    pub(super) fn lacks(&self, source: &Source<'_>, n: usize) -> bool {
        let arrived = self.chunk.len() + self.arrived(source);
        arrived < n && n <= self.remaining() && self.wall == OPEN
    }

    /// Whether the next byte is one that was released.
    #[inline]
    pub(super) fn at_wall(&self, track: &Track<'_>) -> bool {
        self.chunk.is_empty() && self.left > 0 && self.position(track) == self.wall
    }

    /// Payload bytes of the packet that may be read; the chunk was.
    #[inline(always)]
    fn free(&self, track: &Track<'_>) -> usize {
        if self.wall == OPEN {
            return self.left;
        }
        let free = self.wall.wrapping_sub(self.position(track));
        self.left.min(usize::try_from(free).unwrap_or(usize::MAX))
    }

    /// Makes what may be read of `front`, which is behind the chunk, the chunk; the last one was read.
    #[inline(always)]
    fn show(&mut self, front: &'a [u8], track: &Track<'_>) {
        let n = self.free(track).min(front.len());
        self.chunk = &front[..n];
        self.end += n;
        self.left -= n;
    }

    /// The same, wherever the next bytes lie.
    fn fill(&mut self, source: &Source<'a>, track: &Track<'_>) {
        let mut ahead = self.ahead(source);
        let front = ahead.first();
        self.mark = ahead.mark();
        self.show(front, track);
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
                self.fill(source, track);
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
        if source.framing.enter_front(source, self, track) {
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
        if self.arrived(source) == 0 {
            return Err(Stop::NeedMore);
        }
        let (mut ahead, mut message) = (self.ahead(source), track.now.message);
        let at = self.end;
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
                HeaderOnly::found(source.header_only, at, ahead.at() - at);
                return Err(Stop::NeedMore);
            };
            let passed = ahead.at() - at;
            ahead.skip(head.header_len);
            message = with;
            let left = head.total_len - head.header_len;
            if left == 0 && !head.end_of_message {
                continue;
            }
            HeaderOnly::found(source.header_only, at, passed);
            self.end = ahead.at();
            self.mark = ahead.mark();
            self.go_in(track, (at, ahead.front()), &head, message);
            return Ok(());
        }
    }

    /// Enters the next packet, between two, if all of its header lies in one piece, is good and has
    /// something behind it, or ends the message; false, and nothing happens, if not.
    #[inline(always)]
    pub(super) fn enter_front<F: Framing>(
        &mut self,
        source: &Source<'a>,
        track: &mut Track<'_>,
        framing: &F,
    ) -> bool {
        let front = self.front(source);
        if let Some(head) = decode(source, framing, front)
            && let Some(behind) = front.get(head.header_len..)
            && (head.total_len > head.header_len || head.end_of_message)
            && let Ok(message) = track.now.message.with(&head, &source.rules.limits)
        {
            let at = self.end;
            self.end = at + head.header_len;
            self.go_in(track, (at, behind), &head, message);
            return true;
        }
        false
    }

    /// The header behind the chunk, if all of it lies in one piece.
    pub(super) fn decode_front<F: Framing + ?Sized>(
        &self,
        source: &Source<'a>,
        framing: &F,
    ) -> Option<FrameHead> {
        decode(source, framing, self.front(source))
    }

    /// The first byte of the next packet, if it is between two, without going in: a packet that is only
    /// peeked into is left whole. Only if it lies in one piece with a header that is good.
    #[inline]
    pub(super) fn peek_front<F: Framing + ?Sized>(
        &self,
        source: &Source<'_>,
        track: &Track<'_>,
        framing: &F,
    ) -> Option<u8> {
        if !self.is_between(track) || self.wall != OPEN {
            return None;
        }
        let front = self.front(source);
        let head = decode(source, framing, front)?;
        if head.total_len <= head.header_len
            || track.now.message.with(&head, &source.rules.limits).is_err()
        {
            return None;
        }
        front.get(head.header_len).copied()
    }

    /// Goes into a packet, whose header begins `at` bytes from the start of the buffers; it is behind
    /// the header, where `front` is.
    #[inline(always)]
    fn go_in(
        &mut self,
        track: &mut Track<'_>,
        (at, front): (usize, &'a [u8]),
        head: &FrameHead,
        message: Message,
    ) {
        track.enter(at, Headers { message, begun: Begun::new(head) });
        self.left = head.total_len - head.header_len;
        self.show(front, track);
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
        if at < self.end {
            self.mark = Mark::default();
        }
        self.chunk = &[];
        // A framing that changes its answers may have had more recorded than there is.
        self.end = at.min(source.buffers.len());
        track.set(place.headers);
        self.left = place.left;
        self.wall = wall;
        if self.left > 0 {
            self.fill(source, track);
        }
    }

    /// Bytes from the start of the buffers.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.end - self.chunk.len()
    }

    /// The place that it is at.
    #[inline]
    pub(super) fn here(&self, track: &Track<'_>) -> Place {
        Place { left: self.remaining(), headers: *track.now }
    }

    /// The step is done: bytes of the buffers that it consumed, and what is left of the packet. One
    /// that was entered and not read from stays whole.
    #[inline]
    pub(super) fn consumed(&self, track: &mut Track<'_>) -> (usize, usize) {
        if let Some((at, headers)) = track.entered()
            && headers.message.end == self.position(track)
        {
            *track.now = *headers;
            return (at, 0);
        }
        (self.at(), self.remaining())
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

/// The header at the start of `front`, if all of it is there.
#[inline(always)]
fn decode<F: Framing + ?Sized>(
    source: &Source<'_>,
    framing: &F,
    front: &[u8],
) -> Option<FrameHead> {
    if front.is_empty() {
        return None;
    }
    framing.decode(&front[..front.len().min(source.rules.max_header)]).ok().flatten()
}
