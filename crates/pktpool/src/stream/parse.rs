//! Steps of a parse: run on what arrived, and kept or undone.

use super::reader::{Cursor, End, HeaderOnly, Reader, Source, Track};
use super::{PacketStream, State};
use crate::{Error, Framing, NeedMoreOr, ParseError, Progress, Stop};
use core::{cell::Cell, convert::Infallible, mem};

impl<F: Framing> PacketStream<F> {
    /// Runs one step of a parser on what arrived: a row, a token, a value.
    ///
    /// When it returns `Ok`, what it read is consumed. When it runs out of bytes
    /// ([`NeedMoreOr::NeedMore`], which `?` passes on), the stream stays where it was: give it more
    /// input and run the same step again. So a step does nothing outside itself, such as pushing to a
    /// vector; it returns what it made.
    ///
    /// ```
    /// use pktpool::{Limits, NeedMoreOr, PacketStream, ParseError, Progress, tds::Tds};
    ///
    /// let mut stream = PacketStream::new(Tds::default(), Limits::default());
    /// stream.feed(&[4, 1, 0, 12, 0, 0, 1, 0, 0xFD, 0])?;
    /// // A token and its number, of a parser that knows one token.
    /// let mut done = || {
    ///     stream.parse(|r| match r.u8()? {
    ///         0xFD => Ok(r.u16_le()?),
    ///         other => Err(NeedMoreOr::Other(other)),
    ///     })
    /// };
    /// assert_eq!(done(), Ok(Progress::NeedMore));
    /// stream.feed(&[0x10, 0])?;
    /// # let mut done = || stream.parse(|r| match r.u8()? {
    /// #     0xFD => Ok(r.u16_le()?),
    /// #     other => Err(NeedMoreOr::Other(other)),
    /// # });
    /// assert_eq!(done(), Ok(Progress::Done(0x1000)));
    /// assert_eq!(stream.parse(|r| r.u8().map_err(NeedMoreOr::<u8>::from)), Ok(Progress::Done(0)));
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
        // As it stays when the step panics: what the reader left half done is not gone on with.
        let state = mem::replace(&mut self.state, State::Poisoned);
        let parsed = mem::replace(&mut self.parsed, true);
        let source = Source {
            buffers: &self.buffers,
            framing: &self.framing,
            rules: &self.rules,
            header_only: Cell::from_mut(&mut self.header_only),
        };
        // Each stays where it is made: they are wide, and most steps are short.
        let mut track = Track::new(&mut self.place.headers);
        let (left, wall) = (self.place.left, self.resume.wall(0));
        let cursor = Cursor::new(&source, &self.framing, left, &mut track, wall);
        let mut reader = Reader::new(cursor, &mut track, &source, &mut self.resume);
        let result = step(&mut reader);
        match result {
            Ok(value) => {
                let end = reader.done();
                self.state = state;
                self.done(&end);
                Ok(Progress::Done(value))
            }
            Err(NeedMoreOr::NeedMore) => {
                let end = reader.undone();
                (self.state, self.parsed) = (state, parsed);
                self.undone(&end)?;
                Ok(Progress::NeedMore)
            }
            Err(NeedMoreOr::Failed(error)) => Err(self.poison(error).into()),
            Err(NeedMoreOr::Other(error)) => {
                self.poison(Error::Poisoned);
                Err(ParseError::Other(error))
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
        self.parse(|reader| step(reader).map_err(NeedMoreOr::<Infallible>::from)).map_err(|error| {
            match error {
                ParseError::Stream(error) => error,
                ParseError::Other(never) => match never {},
            }
        })
    }

    #[inline]
    fn done(&mut self, end: &End) {
        self.need = 1;
        self.buffers.release(end.consumed);
        self.place.left = end.left;
        if self.header_only.is_some() {
            self.header_only.consumed(end.consumed);
        }
        if !self.resume.is_empty() {
            self.resume.consumed(end.consumed, end.passed);
        }
        self.parsed = self.place.headers.begun.is_some()
            || !self.resume.is_empty()
            || self.header_only.is_some();
    }

    #[inline]
    fn undone(&mut self, end: &End) -> Result<(), Error> {
        if self.state != State::Open {
            return Err(Error::Poisoned);
        }
        if !self.resume.is_empty() {
            self.need = 1;
            if self.resume.release(&mut self.buffers, end.passed, end.waits) > 0 {
                // What is behind has other places.
                self.header_only = HeaderOnly::default();
            }
        }
        self.parsed = self.place.headers.begun.is_some()
            || !self.resume.is_empty()
            || self.header_only.is_some();
        if self.held() > self.rules.limits.max_retained {
            return Err(self.poison(Error::RetentionLimit));
        }
        Ok(())
    }

    /// Bytes of the stream held.
    pub(super) fn held(&self) -> usize {
        let held = self.buffers.len();
        // A framing that changes its answers may have had more recorded than there is.
        if self.resume.is_empty() { held } else { held.saturating_sub(self.resume.gaps()) }
    }
}

#[cfg(test)]
mod tests;

impl<F> PacketStream<F> {
    /// Lets [`read_vec`](Reader::read_vec) and [`tds::read_plp`](crate::tds::read_plp) allocate a value
    /// of known length at once, when that is at most so many bytes; 64 KiB otherwise, and where less is
    /// given.
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
