//! What a step reads from.

mod chunks;
mod cursor;
mod input;
mod resumable;
mod scalars;
mod track;

pub use chunks::Chunks;
pub(super) use cursor::{Cursor, next_front};
pub(super) use input::{HeaderOnly, Input, Source};
use track::OPEN;
pub(super) use track::Track;

use super::resume::{Read, Resume};
use crate::{Error, Stop};
use core::{fmt, mem};

/// The payload of one message, across its packets, with their headers removed.
///
/// A step of [`PacketStream::parse`](crate::PacketStream::parse), of
/// [`read`](crate::PacketStream::read) and of those with `_each` gets one. It shows all that arrived, also of a packet that is
/// not complete. A read that is refused does not move it: with [`Stop::NeedMore`] where bytes did not
/// arrive, with [`Error::EndOfMessage`] where the message has none; only
/// [`next_message`](Self::next_message) goes on to the next one.
///
/// Three reads are *resumable*: [`read_vec`](Self::read_vec), [`skip`](Self::skip) and
/// [`next_message`](Self::next_message) (and [`tds::read_plp`](crate::tds::read_plp)). Their progress
/// survives `NeedMore`, and what they read is released at once, so that a large value costs its bytes
/// once however many reads it takes.
pub struct Reader<'a> {
    cursor: Cursor<'a>,
    track: &'a mut Track,
    input: &'a Source<'a>,
    resume: &'a mut Resume,
}

/// What a step consumed that is done.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct End {
    /// Bytes of the buffers.
    pub(super) consumed: usize,
    /// Of its packet, the header if that stays, and what is left of the payload.
    pub(super) head: usize,
    pub(super) left: usize,
    /// Whether it read other headers.
    pub(super) changed: bool,
}

impl<'a> Reader<'a> {
    #[inline(always)]
    pub(super) fn new(
        cursor: Cursor<'a>,
        track: &'a mut Track,
        input: &'a Source<'a>,
        resume: &'a mut Resume,
    ) -> Self {
        Self { cursor, track, input, resume }
    }

    /// The step is done.
    #[inline]
    pub(super) fn done(&mut self) -> End {
        let changed = self.track.changed;
        let (consumed, head, left) = self.cursor.consumed(self.track);
        End { consumed, head, left, changed }
    }

    /// The step ran out of bytes; it began where `end` is.
    #[inline]
    pub(super) fn undone(&mut self, end: &mut End) {
        self.track.undo(end.consumed);
        if self.track.changed {
            (end.head, end.left) = self.track.whole();
        } else if !self.track.now.begun.is_some() {
            (end.head, end.left) = (0, 0);
        }
    }

    /// Whether the steps so far went by where there is more to do than to go on.
    #[inline]
    pub(super) fn is_far(&self) -> bool {
        self.track.moved || self.input.header_only.is_some()
    }

    /// Begins another step: enters the next packet, as far as that is quickly done.
    #[inline]
    pub(super) fn enter_front(&mut self) {
        if self.cursor.is_between(self.track) {
            self.input.framing.enter_front(self.input, &mut self.cursor, self.track);
        }
    }

    /// The kind of the packet that the next byte is in; at the end of a message, of its last packet.
    ///
    /// # Errors
    /// [`Stop::NeedMore`] while the header did not arrive.
    #[inline]
    pub fn kind(&mut self) -> Result<u8, Stop> {
        if self.cursor.remaining() == 0 && !self.track.in_last() {
            self.settle()?;
        }
        Ok(self.track.now.begun.kind())
    }

    #[inline(never)]
    fn settle(&mut self) -> Result<(), Stop> {
        let settled = self.cursor.settle(self.input, self.track);
        self.refused(settled)
    }

    #[inline]
    fn refused<T>(&mut self, result: Result<T, Stop>) -> Result<T, Stop> {
        if result.is_err() {
            self.resume.waits = None;
        }
        result
    }

    /// Whether all bytes of the message were read; false while that is not known.
    #[must_use]
    #[inline]
    pub fn at_message_end(&self) -> bool {
        self.cursor.remaining() == 0 && (self.track.in_last() || self.ends_ahead())
    }

    /// Whether a header-only packet ends the message.
    #[inline(never)]
    fn ends_ahead(&self) -> bool {
        self.cursor.arrived(self.input) > 0
            && self.input.framing.is_header_only(self.input, &self.cursor, self.track)
            && self.looked_ahead() == Some((0, true))
    }

    /// Payload bytes from the start of the stream to the next byte, whatever was read or dropped.
    #[must_use]
    #[inline]
    pub fn position(&self) -> u64 {
        self.cursor.position(self.track)
    }

    /// Payload bytes of the packet that the next byte is in, from that byte on, as its header
    /// declares; 0 at the end of a message and while the header did not arrive.
    #[must_use]
    #[inline]
    pub fn remaining_in_packet(&self) -> usize {
        match self.cursor.remaining() {
            0 => self.looked_ahead().map_or(0, |(remaining, _)| remaining),
            remaining => remaining,
        }
    }

    /// What remains of the next packet, and whether it is the last of the message.
    #[cold]
    fn looked_ahead(&self) -> Option<(usize, bool)> {
        let (mut cursor, mut track) = (self.cursor, *self.track);
        cursor.settle(self.input, &mut track).ok()?;
        Some((cursor.remaining(), track.in_last()))
    }

    /// The next byte, which stays the next.
    ///
    /// # Errors
    /// As every read: see [`Reader`].
    #[inline]
    pub fn peek(&mut self) -> Result<u8, Stop> {
        match self.cursor.chunk.first() {
            Some(&byte) => Ok(byte),
            None => self.peek_next(),
        }
    }

    /// Goes into the next packet: if nothing of it is read, it is left whole in the end.
    #[inline]
    fn peek_next(&mut self) -> Result<u8, Stop> {
        if self.cursor.is_between(self.track)
            && self.input.framing.enter_front(self.input, &mut self.cursor, self.track)
            && let Some(&byte) = self.cursor.chunk.first()
        {
            return Ok(byte);
        }
        self.peek_far()
    }

    #[cold]
    fn peek_far(&mut self) -> Result<u8, Stop> {
        if self.cursor.is_between(self.track) && self.track.wall == OPEN {
            let entered = self.cursor.enter_far(self.input, self.track);
            self.refused(entered)?;
        }
        self.settle()?;
        if self.cursor.at_wall(self.track)
            && let Some(record) = self.resume.records.get(self.resume.next)
        {
            return Ok(record.first);
        }
        if self.cursor.chunk.is_empty() {
            // It is inside a packet, so this moves to another buffer at most.
            let refilled = self.cursor.refill(self.input, self.track);
            self.refused(refilled)?;
        }
        self.cursor.chunk.first().copied().ok_or(Stop::NeedMore)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// As every read: see [`Reader`].
    #[inline]
    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let chunk = self.cursor.chunk;
        match chunk.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.cursor.chunk = rest;
                Ok(*bytes)
            }
            None => self.far_bytes(chunk),
        }
    }

    /// Told the chunk only so that it stays in registers where one read follows another.
    #[cold]
    #[inline(never)]
    fn far_bytes<const N: usize>(&mut self, chunk: &'a [u8]) -> Result<[u8; N], Stop> {
        self.cursor.chunk = chunk;
        let mut bytes = [0; N];
        self.gather(&mut bytes)?;
        Ok(bytes)
    }

    /// Fills `to` with the next bytes. When it is refused, `to` may hold some of them.
    ///
    /// # Errors
    /// As every read: see [`Reader`].
    #[inline]
    pub fn read_into(&mut self, to: &mut [u8]) -> Result<(), Stop> {
        match self.cursor.chunk.split_at_checked(to.len()) {
            Some((bytes, rest)) => {
                self.cursor.chunk = rest;
                to.copy_from_slice(bytes);
                Ok(())
            }
            None => self.gather(to),
        }
    }

    #[cold]
    #[inline(never)]
    fn gather(&mut self, to: &mut [u8]) -> Result<(), Stop> {
        if self.lacks(to.len()) {
            return Err(Stop::NeedMore);
        }
        let (n, mut rest) = (to.len(), to);
        self.far(n, |piece| {
            let (done, left) = mem::take(&mut rest).split_at_mut(piece.len());
            done.copy_from_slice(piece);
            rest = left;
        })
    }

    /// Whether the packet is to have `n` bytes more and they did not all arrive, as when a step runs
    /// again and again; else the longer way says what there is.
    #[inline]
    fn lacks(&mut self, n: usize) -> bool {
        let lacks = self.cursor.lacks(self.input, self.track, n);
        if lacks {
            self.resume.waits = None;
        }
        lacks
    }

    /// Reads over `n` bytes, or does not move.
    #[inline]
    fn far(&mut self, n: usize, piece: impl FnMut(&'a [u8])) -> Result<(), Stop> {
        if n == 0 {
            return Ok(());
        }
        self.settle()?;
        if self.cursor.remaining() == 0 {
            // The next message has the same position: this is not told of it.
            self.resume.waits = None;
            return Err(Error::EndOfMessage.into());
        }
        let (start, position) = (self.cursor.save(self.track), self.position());
        let read = self.cursor.read(self.input, self.track, n, piece);
        if let Err(stop) = read {
            self.cursor.restore(self.track, &start);
            self.resume.waits = None;
            self.track.moved = true;
            return Err(self.resume.told_before(position, Read::Plain { n }, stop));
        }
        Ok(())
    }

    /// The next `n` bytes where they lie, in pieces: one for each packet and read buffer that they
    /// reach into. Refused until all arrived, and not resumable: for values that are smaller than
    /// packets, or that are worth holding in the read buffers.
    ///
    /// # Errors
    /// As every read: see [`Reader`].
    #[inline]
    pub fn take(&mut self, n: usize) -> Result<Chunks<'a>, Stop> {
        if let Some((piece, rest)) = self.cursor.chunk.split_at_checked(n) {
            self.cursor.chunk = rest;
            return Ok(Chunks::new(piece, 0, 0, 0, self.input));
        }
        let (piece, packet) = (self.cursor.chunk, self.cursor.left);
        let at = self.cursor.end;
        self.take_far(n)?;
        Ok(Chunks::new(piece, n - piece.len(), at, packet, self.input))
    }

    #[cold]
    #[inline(never)]
    fn take_far(&mut self, n: usize) -> Result<(), Stop> {
        if self.lacks(n) { Err(Stop::NeedMore) } else { self.pass(n) }
    }

    #[inline(never)]
    fn pass(&mut self, n: usize) -> Result<(), Stop> {
        self.far(n, |_| {})
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("position", &self.position())
            .field("remaining_in_packet", &self.remaining_in_packet())
            .field("at_message_end", &self.at_message_end())
            .finish_non_exhaustive()
    }
}
