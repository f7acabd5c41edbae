//! Steps of a parse: run on what arrived, and kept or undone; one, or with `each` as many as there are.

mod each;

use super::packet::Place;
use super::reader::{Cursor, End, HeaderOnly, Reader, next_front};
use super::{PacketStream, State};
use crate::{Error, Framing, NeedMoreOr, ParseError, Progress, Stop};
use core::{convert::Infallible, mem};

/// Poisons the stream when it is dropped, which happens when a step panics: what the reader left half
/// done is not gone on with.
struct Unwinding<'a> {
    state: &'a mut State,
    parsed: &'a mut bool,
}

impl Drop for Unwinding<'_> {
    #[cold]
    fn drop(&mut self) {
        *self.state = State::Poisoned;
        // The quick ways of `next_packet` do not look at the state: this keeps them off.
        *self.parsed = true;
    }
}

/// The error of a step that has none of its own.
fn of_stream(error: ParseError<Infallible>) -> Error {
    match error {
        ParseError::Stream(error) => error,
        ParseError::Other(never) => match never {},
    }
}

impl<F: Framing> PacketStream<F> {
    /// Runs one step of a parser on what arrived: a row, a token, a value.
    ///
    /// When it returns `Ok`, what it read is consumed. When it runs out of bytes
    /// ([`NeedMoreOr::NeedMore`], which `?` passes on), the stream stays where it was: give it more
    /// input and run the same step again. So a step does nothing outside itself, such as pushing to a
    /// vector; it returns what it made. A step without an error of its own is for [`read`](Self::read).
    ///
    /// ```
    /// use pktpool::{Limits, NeedMoreOr, PacketStream, ParseError, Progress, Reader, tds::Tds};
    ///
    /// let mut stream = PacketStream::new(Tds::default(), Limits::default());
    /// stream.feed(&[4, 1, 0, 12, 0, 0, 1, 0, 0xFD, 0])?;
    /// // A token and its number, of a parser that knows one token.
    /// let token = |r: &mut Reader<'_>| match r.u8()? {
    ///     0xFD => Ok(r.u16_le()?),
    ///     other => Err(NeedMoreOr::Other(other)),
    /// };
    /// assert_eq!(stream.parse(token), Ok(Progress::NeedMore));
    /// stream.feed(&[0x10, 7])?;
    /// assert_eq!(stream.parse(token), Ok(Progress::Done(0x1000)));
    /// assert_eq!(stream.parse(token), Err(ParseError::Other(7)));
    /// # Ok::<(), pktpool::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the step failed with, after which the stream is poisoned; [`Error::RetentionLimit`] when
    /// it ran out of bytes with more than [`Limits::max_retained`](crate::Limits::max_retained) of
    /// them held; [`Error::Poisoned`] after an earlier error, and where more is needed of an input
    /// that [ended early](Self::end_of_input). A step that panics poisons the stream.
    #[inline]
    pub fn parse<T, E>(
        &mut self,
        step: impl FnOnce(&mut Reader<'_>) -> Result<T, NeedMoreOr<E>>,
    ) -> Result<Progress<T>, ParseError<E>> {
        if self.state == State::Poisoned {
            return Err(Error::Poisoned.into());
        }
        if self.left == 0 && !self.track.in_last() {
            self.enter_front();
        }
        let Self { input, track, resume, head, left, state, parsed, .. } = self;
        let unwinding = Unwinding { state, parsed };
        let cursor = Cursor::new(input, *head, *left, track);
        let mut reader = Reader::new(cursor, track, input, resume);
        let result = step(&mut reader);
        mem::forget(unwinding);
        match result {
            Ok(value) => {
                let end = reader.done();
                self.done(end);
                Ok(Progress::Done(value))
            }
            Err(NeedMoreOr::NeedMore) => {
                let mut end = End { head: *head, left: *left, ..End::default() };
                reader.undone(&mut end);
                self.undone(end)?;
                Ok(Progress::NeedMore)
            }
            Err(NeedMoreOr::Failed(error)) => Err(self.failed(error.into())),
            Err(NeedMoreOr::Other(error)) => Err(self.failed(ParseError::Other(error))),
        }
    }

    /// A step failed: nothing goes on from there.
    #[cold]
    fn failed<E>(&mut self, error: ParseError<E>) -> ParseError<E> {
        match error {
            ParseError::Stream(error) => self.poison(error).into(),
            ParseError::Other(error) => {
                self.poison(Error::Poisoned);
                ParseError::Other(error)
            }
        }
    }

    /// [`parse`](Self::parse) for a step without an error of its own.
    ///
    /// ```
    /// use pktpool::{Limits, PacketStream, Progress, tds::Tds};
    ///
    /// let mut stream = PacketStream::new(Tds::default(), Limits::default());
    /// stream.feed(&[4, 1, 0, 11, 0, 0, 1, 0, b'r', b'o'])?;
    /// assert_eq!(stream.read(|r| r.bytes::<3>())?, Progress::NeedMore);
    /// stream.feed(b"w")?;
    /// assert_eq!(stream.read(|r| r.bytes::<3>())?, Progress::Done(*b"row"));
    /// # Ok::<(), pktpool::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    #[inline]
    pub fn read<T>(
        &mut self,
        step: impl FnOnce(&mut Reader<'_>) -> Result<T, Stop>,
    ) -> Result<Progress<T>, Error> {
        self.parse(|reader| step(reader).map_err(NeedMoreOr::from)).map_err(of_stream)
    }

    /// Enters the packet at the front, as far as that is quickly done.
    #[inline]
    fn enter_front(&mut self) {
        let Self { input, track, .. } = self;
        let next = next_front(input, input.buffers.front(), track, &input.framing);
        if let Some((head, headers, _)) = next {
            track.enter_first(headers);
            (self.head, self.left) = (head.header_len, head.total_len - head.header_len);
            (self.need, self.parsed) = (1, true);
        }
    }

    #[inline]
    fn done(&mut self, end: End) {
        if end.changed {
            self.need = 1;
            self.parsed = self.track.now.begun.is_some();
            self.head = end.head;
            self.track.released();
        }
        self.left = end.left;
        self.input.buffers.release(end.consumed);
        if self.track.moved || self.input.header_only.is_some() {
            self.done_far(end.consumed);
        }
    }

    /// What a step went by that released bytes, or left behind.
    #[cold]
    #[inline(never)]
    fn done_far(&mut self, consumed: usize) {
        self.need = 1;
        self.input.header_only.consumed(consumed);
        self.resume.consumed(consumed);
        self.rest();
    }

    #[inline]
    fn undone(&mut self, end: End) -> Result<(), Error> {
        (self.head, self.left) = (end.head, end.left);
        if self.track.changed {
            // By the step, if a framing that changes its answers had none when that began.
            (self.need, self.parsed) = (1, true);
        }
        if self.track.moved || self.input.header_only.is_some() {
            self.undone_far();
        }
        if self.state != State::Open {
            return Err(Error::Poisoned);
        }
        let limit = self.input.rules.limits.max_retained;
        if self.input.buffers.len() > limit && self.held() > limit {
            return Err(self.poison(Error::RetentionLimit));
        }
        Ok(())
    }

    /// Releases what a step read that is to run again.
    #[cold]
    #[inline(never)]
    fn undone_far(&mut self) {
        if self.state != State::Open {
            // It will not: the packets are still there for who takes them.
            self.resume.forget();
        } else if !self.resume.is_empty() {
            self.need = 1;
            if self.resume.release(&mut self.input.buffers) > 0 {
                // What is behind has other places.
                self.input.header_only = HeaderOnly::default();
            }
        }
        self.rest();
    }

    /// No step runs.
    fn rest(&mut self) {
        let resumes = !self.resume.is_empty();
        (self.resume.next, self.resume.waits) = (0, None);
        self.track.rest(self.resume.wall(0), resumes);
        self.parsed = resumes || self.track.now.begun.is_some() || self.input.header_only.is_some();
    }

    /// A packet that was entered and not read from stays whole for who takes it.
    pub(super) fn leave_whole(&mut self) {
        if self.track.changed {
            self.track.leave_whole();
            (self.head, self.left) = (0, 0);
            self.parsed = !self.resume.is_empty() || self.input.header_only.is_some();
        }
    }

    pub(super) fn place(&self) -> Place {
        match self.track.outside() {
            Some(headers) => Place { headers, left: 0 },
            None => Place { headers: self.track.now, left: self.left },
        }
    }

    /// Bytes of the stream held.
    pub(super) fn held(&self) -> usize {
        let held = self.input.buffers.len();
        // A framing that changes its answers may have had more recorded than there is.
        if self.resume.is_empty() { held } else { held.saturating_sub(self.resume.gaps()) }
    }
}

impl<F> PacketStream<F> {
    /// Lets [`read_vec`](Reader::read_vec) and [`tds::read_plp`](crate::tds::read_plp) allocate a value
    /// of known length at once, when that is at most so many bytes; 64 KiB otherwise, and where less is
    /// given. Of a PLP value of unknown length that is its first chunk.
    ///
    /// Without it, a length that a sender declares and does not keep costs 64 KiB. With it, it costs up
    /// to `bytes`, which is right for a driver that trusts its server: growth may move a value as often
    /// as it doubles, which in a heap with holes takes as long as the copies that are needed.
    ///
    /// ```
    /// use pktpool::{Limits, PacketStream, postgres::Backend};
    ///
    /// let mut stream = PacketStream::new(Backend, Limits::default());
    /// stream.set_max_preallocation(16 << 20);
    /// ```
    pub fn set_max_preallocation(&mut self, bytes: usize) {
        self.resume.preallocation = bytes;
    }
}

#[cfg(test)]
mod tests;
