//! How a step of a parse ends.

use crate::Error;
use core::fmt;

/// What became of a step that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "`NeedMore`: give the stream more input and run the step again"]
pub enum Progress<T> {
    /// The step came to its end: what it read is consumed.
    Done(T),
    /// The step ran out of bytes: the stream is where it was before it, and the step is to run again
    /// when more input was given. Of [`parse_each`](crate::PacketStream::parse_each), the last step.
    NeedMore,
}

impl<T> Progress<T> {
    /// What the step returned, if it came to its end.
    #[inline]
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(value) => Some(value),
            Self::NeedMore => None,
        }
    }

    /// Whether the step is to run again.
    #[inline]
    #[must_use]
    pub fn needs_more(&self) -> bool {
        matches!(self, Self::NeedMore)
    }
}

/// Why a read of a [`Reader`](crate::Reader) gave nothing; it did not move the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The bytes did not arrive yet. Return it from the step, which `?` does.
    NeedMore,
    /// They cannot be read. [`Error::EndOfMessage`] may be caught and the step go on; any other
    /// error belongs returned, and will be met again when it is not.
    Failed(Error),
}

impl From<Error> for Stop {
    #[inline]
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What a step of [`PacketStream::parse`](crate::PacketStream::parse) fails with: a [`Stop`] of the
/// reader, or an error of the parser's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeedMoreOr<E> {
    /// As [`Stop::NeedMore`].
    NeedMore,
    /// As [`Stop::Failed`]; poisons the stream.
    Failed(Error),
    /// The parser's own error; poisons the stream.
    Other(E),
}

impl<E> From<Stop> for NeedMoreOr<E> {
    #[inline]
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::NeedMore => Self::NeedMore,
            Stop::Failed(error) => Self::Failed(error),
        }
    }
}

impl<E> From<Error> for NeedMoreOr<E> {
    #[inline]
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Why [`PacketStream::parse`](crate::PacketStream::parse) failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseError<E> {
    /// The stream failed.
    Stream(Error),
    /// The step failed, for a reason of its own.
    Other(E),
}

impl<E> From<Error> for ParseError<E> {
    #[inline]
    fn from(error: Error) -> Self {
        Self::Stream(error)
    }
}

impl<E: fmt::Display> fmt::Display for ParseError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stream(error) => error.fmt(f),
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for ParseError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // Shown in place of the part, so the part's own source comes next.
        match self {
            Self::Stream(_) => None,
            Self::Other(error) => error.source(),
        }
    }
}
