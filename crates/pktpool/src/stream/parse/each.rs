//! All steps that what arrived is enough for, in one go.

use super::{End, Unwinding, of_stream};
use crate::stream::reader::{Cursor, Reader};
use crate::stream::{PacketStream, State};
use crate::{Error, Framing, NeedMoreOr, ParseError, Progress, Stop};
use core::{mem, ops::ControlFlow};

/// What became of a run of steps.
enum Run<E> {
    /// `each` broke it off.
    Broken,
    NeedMore,
    /// There is more to do about what the last step did than to go on from there.
    Again,
    Failed(ParseError<E>),
}

impl<F: Framing> PacketStream<F> {
    /// Runs a step of a parser as often as it comes to its end, and hands what it returns to `each`,
    /// until more input is needed or `each` breaks off.
    ///
    /// As a loop of [`parse`](Self::parse), in which every step that is done is consumed; but going on
    /// from one to the next costs nothing, so it is the way for rows and other small things of which
    /// many arrive at once. `Done` says that `each` broke off: behind the value that it got then.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use pktpool::{Limits, NeedMoreOr, PacketStream, ParseError, Progress, tds::Tds};
    ///
    /// let mut stream = PacketStream::new(Tds::default(), Limits::default());
    /// stream.feed(&[4, 1, 0, 17, 0, 0, 1, 0, 0xD1, 1, 0, 0xD1, 2, 0, 0xFD, 9, 0xD1])?;
    /// let mut rows = Vec::new();
    /// let progress = stream.parse_each(
    ///     |r| match r.u8()? {
    ///         0xD1 => Ok(Some(r.u16_le()?)),
    ///         0xFD => Ok(None),
    ///         other => Err(NeedMoreOr::Other(other)),
    ///     },
    ///     |row| match row {
    ///         Some(row) => {
    ///             rows.push(row);
    ///             ControlFlow::Continue(())
    ///         }
    ///         None => ControlFlow::Break(()),
    ///     },
    /// );
    /// assert_eq!((progress, rows), (Ok(Progress::Done(())), vec![1, 2]));
    /// assert_eq!(stream.read(|r| r.u8())?, Progress::Done(9));
    /// # Ok::<(), pktpool::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Self::parse), of the first step that fails; `each` got the values of those before
    /// it. A step or an `each` that panics poisons the stream.
    #[inline]
    pub fn parse_each<T, E>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<T, NeedMoreOr<E>>,
        mut each: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<Progress<()>, ParseError<E>> {
        loop {
            match self.run(&mut step, &mut each) {
                Run::Broken => return Ok(Progress::Done(())),
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
    /// stream.feed(&[4, 1, 0, 20, 0, 0, 1, 0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let mut numbers = Vec::new();
    /// let mut read = |stream: &mut PacketStream<Tds>| {
    ///     stream.read_each(
    ///         |r| r.u16_le(),
    ///         |number| {
    ///             numbers.push(number);
    ///             ControlFlow::Continue(())
    ///         },
    ///     )
    /// };
    /// assert_eq!(read(&mut stream)?, Progress::NeedMore);
    /// stream.feed(&[0, 5, 0])?;
    /// assert_eq!(read(&mut stream)?, Progress::NeedMore);
    /// assert_eq!(numbers, [1, 2, 3, 4, 5]);
    /// # Ok::<(), pktpool::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse_each`](Self::parse_each).
    #[inline]
    pub fn read_each<T>(
        &mut self,
        mut step: impl FnMut(&mut Reader<'_>) -> Result<T, Stop>,
        each: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<Progress<()>, Error> {
        self.parse_each(|reader| step(reader).map_err(NeedMoreOr::from), each).map_err(of_stream)
    }

    /// Runs steps as long as one goes on where the last ended.
    #[inline]
    fn run<T, E>(
        &mut self,
        step: &mut impl FnMut(&mut Reader<'_>) -> Result<T, NeedMoreOr<E>>,
        each: &mut impl FnMut(T) -> ControlFlow<()>,
    ) -> Run<E> {
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
                    end = End { changed: true, ..reader.done() };
                    let flow = each(value);
                    if flow.is_break() {
                        break Run::Broken;
                    }
                    if reader.is_far() {
                        break Run::Again;
                    }
                    first = false;
                    reader.enter_front();
                }
                Err(NeedMoreOr::NeedMore) => {
                    // What it released is kept of a step that is run alone: it is run again.
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
            Run::Failed(error) => Run::Failed(match error {
                ParseError::Stream(error) => self.poison(error).into(),
                ParseError::Other(error) => {
                    self.poison(Error::Poisoned);
                    ParseError::Other(error)
                }
            }),
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
