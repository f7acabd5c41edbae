//! Where a reader is: a walk over the payload in the read buffers, headers left out.

use super::input::Source;
use super::track::{OPEN, Track};
use crate::stream::buffers::{Ahead, Mark};
use crate::stream::packet::{Begun, Headers, Place};
use crate::{Error, FrameHead, Framing, Stop};

#[derive(Clone, Copy)]
pub(in crate::stream) struct Cursor<'a> {
    /// Payload that can be read at once: of one packet, in one buffer, before the wall. All else
    /// counts from its end, so that a short read moves nothing but its start.
    pub(super) chunk: &'a [u8],
    /// Bytes from the start of the buffers to the end of the chunk.
    pub(super) end: usize,
    /// Payload bytes of the packet behind the chunk.
    pub(super) left: usize,
}

/// A cursor and its track, to go back to.
#[derive(Clone, Copy)]
pub(super) struct Saved<'a> {
    cursor: Cursor<'a>,
    track: Track,
}

impl<'a> Cursor<'a> {
    /// Behind a header of `head` bytes at the front, if its packet was entered, with `left` bytes of
    /// payload left.
    #[inline(always)]
    pub(in crate::stream) fn new(
        input: &'a Source<'_>,
        head: usize,
        left: usize,
        track: &Track,
    ) -> Self {
        let mut cursor = Self { chunk: &[], end: head, left };
        if left > 0 {
            let front = input.buffers.front();
            let front = if head == 0 { front } else { front.get(head..).unwrap_or_default() };
            cursor.show(front, track);
        }
        cursor
    }

    pub(super) fn save(&self, track: &Track) -> Saved<'a> {
        Saved { cursor: *self, track: *track }
    }

    pub(super) fn restore(&mut self, track: &mut Track, saved: &Saved<'a>) {
        *self = saved.cursor;
        let moved = track.moved;
        *track = saved.track;
        track.moved = moved;
    }

    #[inline]
    pub(super) fn position(&self, track: &Track) -> u64 {
        track.now.message.end.wrapping_sub(self.remaining() as u64)
    }

    /// Payload bytes of the packet still to be read, arrived or not.
    #[inline]
    pub(super) fn remaining(&self) -> usize {
        self.left + self.chunk.len()
    }

    /// Whether it is at the end of a packet that its message goes on after.
    #[inline]
    pub(super) fn is_between(&self, track: &Track) -> bool {
        self.remaining() == 0 && !track.in_last()
    }

    /// Bytes that arrived behind the chunk.
    #[inline]
    pub(super) fn arrived(&self, input: &Source<'_>) -> usize {
        input.buffers.len() - self.end
    }

    /// What arrived behind the chunk.
    pub(super) fn ahead(&self, input: &'a Source<'_>, track: &Track) -> Ahead<'a> {
        Ahead::from(&input.buffers, track.mark, self.end)
    }

    /// As much of that as lies in the same buffer.
    #[inline]
    fn front(&self, input: &'a Source<'_>, track: &Track) -> &'a [u8] {
        if track.mark.is_first() {
            input.buffers.front().get(self.end..).unwrap_or_default()
        } else {
            self.ahead(input, track).front()
        }
    }

    /// Whether the packet has `n` bytes more that did not all arrive.
    #[inline]
    pub(super) fn lacks(&self, input: &Source<'_>, track: &Track, n: usize) -> bool {
        let arrived = self.chunk.len() + self.arrived(input);
        arrived < n && n <= self.remaining() && track.wall == OPEN
    }

    /// Whether the next byte is one that was released.
    #[inline]
    pub(super) fn at_wall(&self, track: &Track) -> bool {
        self.chunk.is_empty() && self.left > 0 && self.position(track) == track.wall
    }

    /// Payload bytes of the packet that may be read; the chunk was.
    #[inline(always)]
    fn free(&self, track: &Track) -> usize {
        if !track.moved {
            return self.left;
        }
        let free = track.wall.wrapping_sub(self.position(track));
        self.left.min(usize::try_from(free).unwrap_or(usize::MAX))
    }

    /// Makes what may be read of `front`, which is behind the chunk, the chunk; the last one was read.
    #[inline(always)]
    fn show(&mut self, front: &'a [u8], track: &Track) {
        let n = self.free(track).min(front.len());
        self.chunk = &front[..n];
        self.end += n;
        self.left -= n;
    }

    /// The same, wherever the next bytes lie.
    fn fill(&mut self, input: &'a Source<'_>, track: &mut Track) {
        let mut ahead = self.ahead(input, track);
        let front = ahead.first();
        (track.mark, track.moved) = (ahead.mark(), true);
        self.show(front, track);
    }

    /// Makes the chunk have bytes, or says why there are none.
    pub(super) fn refill(&mut self, input: &'a Source<'_>, track: &mut Track) -> Result<(), Stop> {
        while self.chunk.is_empty() {
            if self.left > 0 {
                if self.position(track) == track.wall {
                    return Err(Error::StepChanged.into());
                }
                self.fill(input, track);
                if self.chunk.is_empty() {
                    return Err(Stop::NeedMore);
                }
            } else if track.in_last() {
                return Err(Error::EndOfMessage.into());
            } else {
                self.enter(input, track)?;
            }
        }
        Ok(())
    }

    /// Goes into the next packet, if it is between two packets of a message: past header-only ones,
    /// unless they end the message. It is still there when it fails.
    #[inline]
    pub(super) fn settle(&mut self, input: &'a Source<'_>, track: &mut Track) -> Result<(), Stop> {
        if self.remaining() > 0 || track.in_last() { Ok(()) } else { self.enter(input, track) }
    }

    #[inline]
    fn enter(&mut self, input: &'a Source<'_>, track: &mut Track) -> Result<(), Stop> {
        if input.framing.enter_front(input, self, track) {
            return Ok(());
        }
        self.enter_far(input, track)
    }

    #[cold]
    pub(super) fn enter_far(
        &mut self,
        input: &'a Source<'_>,
        track: &mut Track,
    ) -> Result<(), Stop> {
        if self.arrived(input) == 0 {
            return Err(Stop::NeedMore);
        }
        let (mut ahead, mut message) = (self.ahead(input, track), track.now.message);
        let at = self.end;
        let known = input.header_only.known(at);
        if known > 0 {
            ahead.skip(known);
            message = message.opened();
        }
        loop {
            let arrived = match input.framing.head(&input.rules, ahead)? {
                Some(head) => {
                    let with = message.with(&head, &input.rules.limits)?;
                    (head.header_len <= ahead.left()).then_some((head, with))
                }
                None => None,
            };
            let Some((head, with)) = arrived else {
                input.header_only.found(at, ahead.at() - at);
                return Err(Stop::NeedMore);
            };
            let passed = ahead.at() - at;
            ahead.skip(head.header_len);
            message = with;
            let left = head.total_len - head.header_len;
            if left == 0 && !head.end_of_message {
                continue;
            }
            input.header_only.found(at, passed);
            self.end = ahead.at();
            (track.mark, track.moved) = (ahead.mark(), true);
            track.enter(at, Headers { message, begun: Begun::new(&head) });
            self.go_in(track, ahead.front(), &head);
            return Ok(());
        }
    }

    /// Enters the next packet, between two, if [`next_front`] sees it; false, and nothing happens, if
    /// not.
    #[inline]
    pub(super) fn enter_front<F: Framing>(
        &mut self,
        input: &'a Source<'_>,
        track: &mut Track,
        framing: &F,
    ) -> bool {
        let next = next_front(input, self.front(input, track), track, framing);
        let Some((head, headers, behind)) = next else { return false };
        track.enter(self.end, headers);
        self.end += head.header_len;
        self.go_in(track, behind, &head);
        true
    }

    /// The header behind the chunk, if all of it lies in one piece.
    pub(super) fn decode_front<F: Framing + ?Sized>(
        &self,
        input: &'a Source<'_>,
        track: &Track,
        framing: &F,
    ) -> Option<FrameHead> {
        decode(input, framing, self.front(input, track))
    }

    /// Goes into a packet; it is behind the header, where `front` is.
    #[inline(always)]
    fn go_in(&mut self, track: &Track, front: &'a [u8], head: &FrameHead) {
        self.left = head.total_len - head.header_len;
        self.show(front, track);
    }

    /// Goes to where a resumable read got to: `at` bytes from the start of the buffers.
    pub(super) fn jump(
        &mut self,
        input: &'a Source<'_>,
        track: &mut Track,
        at: usize,
        place: &Place,
        wall: u64,
    ) {
        if at < self.end {
            track.mark = Mark::default();
        }
        self.chunk = &[];
        // A framing that changes its answers may have had more recorded than there is.
        self.end = at.min(input.buffers.len());
        track.set(place.headers);
        self.left = place.left;
        (track.wall, track.moved) = (wall, true);
        if self.left > 0 {
            self.fill(input, track);
        }
    }

    /// Bytes from the start of the buffers.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.end - self.chunk.len()
    }

    /// The place that it is at.
    #[inline]
    pub(super) fn here(&self, track: &Track) -> Place {
        Place { left: self.remaining(), headers: track.now }
    }

    /// The step is done: bytes of the buffers that it consumed, and of its packet the header, if that
    /// stays, and what is left of the payload. One that was entered and not read from stays whole.
    #[inline]
    pub(super) fn consumed(&self, track: &mut Track) -> (usize, usize, usize) {
        if track.changed
            && let Some(at) = track.done(self.position(track))
        {
            return if track.changed { (at, self.at() - at, self.remaining()) } else { (at, 0, 0) };
        }
        (self.at(), 0, self.remaining())
    }

    /// Reads over `n` bytes of the message, which all arrived, and shows them piece by piece.
    pub(super) fn read(
        &mut self,
        input: &'a Source<'_>,
        track: &mut Track,
        mut n: usize,
        mut piece: impl FnMut(&'a [u8]),
    ) -> Result<(), Stop> {
        while n > 0 {
            if track.in_last() && self.remaining() < n {
                return Err(Error::EndOfMessage.into());
            }
            self.refill(input, track)?;
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
fn decode<F: Framing + ?Sized>(input: &Source<'_>, framing: &F, front: &[u8]) -> Option<FrameHead> {
    if front.is_empty() {
        return None;
    }
    framing.decode(&front[..front.len().min(input.rules.max_header)]).ok().flatten()
}

/// The next packet, between two, which begins with `front`: its header, what that says, and what is
/// behind it; if all of the header lies there, is good and has something behind it, or ends
/// the message.
#[inline(always)]
pub(in crate::stream) fn next_front<'a, F: Framing>(
    input: &Source<'_>,
    front: &'a [u8],
    track: &Track,
    framing: &F,
) -> Option<(FrameHead, Headers, &'a [u8])> {
    let head = decode(input, framing, front)?;
    let behind = front.get(head.header_len..)?;
    if head.total_len <= head.header_len && !head.end_of_message {
        return None;
    }
    let message = track.now.message.with(&head, &input.rules.limits).ok()?;
    Some((head, Headers { message, begun: Begun::new(&head) }, behind))
}
