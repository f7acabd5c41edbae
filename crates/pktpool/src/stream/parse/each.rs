//! All steps that what arrived is enough for, in one go.

use super::{End, Unwinding, of_stream};
use crate::stream::reader::{Cursor, Reader};
use crate::stream::{PacketStream, State};
use crate::{Error, Framing, NeedMoreOr, ParseError, Progress, Stop};
use core::{mem, ops::ControlFlow};

/// What became of a run of steps.
enum Run<E, B> {
    /// `each` broke it off.
    Broken(B),
    NeedMore,
    /// What is done is to be consumed, and a run to begin anew: a step released bytes, or left the first
    /// buffer.
    Again,
    Failed(ParseError<E>),
}

impl<F: Framing> PacketStream<F> {
    /// Runs a step of a parser as often as it comes to its end, and hands what it returns to `each`,
    /// until more input is needed or `each` breaks off.
    ///
    /// As a loop of [`parse`](Self::parse), but going on from one step to the next saves what beginning
    /// each of them costs: the way for rows and other small things of which many arrive at once. A step
    /// with a resumable read, or over the end of a read buffer, costs what it does there.
    /// [`Done`](Progress::Done) has what `each` broke off with; the value that it got then is consumed,
    /// as are all before. At [`NeedMore`](Progress::NeedMore) only the last step is undone.
    ///
    /// What the step does is done again when it is run again, so effects belong into `each`, which gets
    /// a value once. At the end of a message the step has to see that itself
    /// ([`at_message_end`](Reader::at_message_end), and then [`next_message`](Reader::next_message) or
    /// a value that `each` breaks off at): a read there is [`Error::EndOfMessage`]. A step that is done
    /// without reading runs again at the same place, for ever unless `each` breaks off.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use pktpool::{Limits, NeedMoreOr, PacketStream, ParseError, Progress, tds::Tds};
    ///
    /// let mut stream = PacketStream::new(Tds::default(), Limits::default());
    /// stream.feed(&[4, 1, 0, 17, 0, 0, 1, 0, 0xD1, 1, 0, 0xD1, 2, 0, 0xFD, 9, 0xD1])?;
    /// enum Token {
    ///     Row(u16),
    ///     Done(u8),
    /// }
    /// let mut rows = Vec::new();
    /// let progress = stream.parse_each(
    ///     |r| match r.u8()? {
    ///         0xD1 => Ok(Token::Row(r.u16_le()?)),
    ///         0xFD => Ok(Token::Done(r.u8()?)),
    ///         other => Err(NeedMoreOr::Other(other)),
    ///     },
    ///     |token| match token {
    ///         Token::Row(row) => {
    ///             rows.push(row);
    ///             ControlFlow::Continue(())
    ///         }
    ///         Token::Done(status) => ControlFlow::Break(status),
    ///     },
    /// );
    /// assert_eq!((progress, rows), (Ok(Progress::Done(9)), vec![1, 2]));
    /// assert_eq!(stream.read(|r| r.u8())?, Progress::Done(0xD1));
    /// # Ok::<(), pktpool::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Self::parse), of the first step that fails; `each` got the values of those before
    /// it. A step or an `each` that panics poisons the stream.
    #[inline]
    pub fn parse_each<T, E, B>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<T, NeedMoreOr<E>>,
        mut each: impl FnMut(T) -> ControlFlow<B>,
    ) -> Result<Progress<B>, ParseError<E>> {
        loop {
            match self.run(&mut step, &mut each) {
                Run::Broken(with) => return Ok(Progress::Done(with)),
                Run::NeedMore => return Ok(Progress::NeedMore),
                Run::Again => {}
                Run::Failed(error) => return Err(error),
            }
        }
    }

    /// [`parse_each`](Self::parse_each) for a step without an error of its own.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use pktpool::{Limits, PacketStream, Progress, tds::Tds};
    ///
    /// let mut stream = PacketStream::new(Tds::default(), Limits::default());
    /// let mut numbers = Vec::new();
    /// // Two messages, cut in the middle of a number.
    /// for read in [&[4, 1, 0, 14, 0, 0, 1, 0, 1, 0, 2, 0, 3][..], &[0, 4, 1, 0, 10, 0, 0, 1, 0, 4, 0]] {
    ///     stream.feed(read)?;
    ///     let progress = stream.read_each(
    ///         |r| {
    ///             if r.at_message_end() {
    ///                 r.next_message()?;
    ///             }
    ///             r.u16_le()
    ///         },
    ///         |number| {
    ///             numbers.push(number);
    ///             ControlFlow::<()>::Continue(())
    ///         },
    ///     );
    ///     assert_eq!(progress, Ok(Progress::NeedMore));
    /// }
    /// assert_eq!(numbers, [1, 2, 3, 4]);
    /// # Ok::<(), pktpool::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse_each`](Self::parse_each).
    #[inline]
    pub fn read_each<T, B>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<T, Stop>,
        each: impl FnMut(T) -> ControlFlow<B>,
    ) -> Result<Progress<B>, Error> {
        self.parse_each(|reader| step(reader).map_err(NeedMoreOr::from), each).map_err(of_stream)
    }

    /// Runs steps as long as one goes on where the last ended.
    #[inline]
    fn run<T, E, B>(
        &mut self,
        step: &mut impl FnMut(&mut Reader<'_>) -> Result<T, NeedMoreOr<E>>,
        each: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> Run<E, B> {
        if self.state == State::Poisoned {
            return Run::Failed(Error::Poisoned.into());
        }
        if self.left == 0 && !self.track.in_last() {
            self.enter_front();
        }
        let Self { input, track, resume, head, left, state, parsed, .. } = self;
        let unwinding = Unwinding { state, parsed };
        let cursor = Cursor::new(input, *head, *left, track);
        let mut reader = Reader::new(cursor, track, input, resume);
        // Where the last step that is done ended.
        let mut end = End { consumed: 0, head: *head, left: *left, changed: false };
        let mut first = true;
        let run = loop {
            match step(&mut reader) {
                Ok(value) => {
                    // Of the run: a step before may have read headers.
                    end = End { changed: true, ..reader.done() };
                    if let ControlFlow::Break(with) = each(value) {
                        break Run::Broken(with);
                    }
                    if reader.is_far() {
                        break Run::Again;
                    }
                    first = false;
                    reader.enter_front();
                }
                Err(NeedMoreOr::NeedMore) => {
                    // Consuming forgets what a step recorded that is undone: so that comes first, and then
                    // the step again, as the first of a run.
                    let again = !first && reader.is_far();
                    reader.undone(&mut end);
                    break if again { Run::Again } else { Run::NeedMore };
                }
                Err(NeedMoreOr::Failed(error)) => break Run::Failed(error.into()),
                Err(NeedMoreOr::Other(error)) => break Run::Failed(ParseError::Other(error)),
            }
        };
        mem::forget(unwinding);
        match run {
            Run::Failed(error) => Run::Failed(self.failed(error)),
            Run::NeedMore => {
                if !first {
                    self.done(end);
                }
                match self.undone(end) {
                    Ok(()) => Run::NeedMore,
                    Err(error) => Run::Failed(error.into()),
                }
            }
            run => {
                self.done(end);
                run
            }
        }
    }
}
