//! What can go wrong with a connection.

use core::fmt;
use std::io;

/// Why a connection gave no packet.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading failed. The stream is as it was before: the call may be repeated.
    Io(io::Error),
    /// The stream failed, or the input ended inside a packet or a message; the next call is told
    /// that the stream is poisoned.
    Stream(crate::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Stream(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // The text is the inner error's, so the chain goes on behind it.
        match self {
            Self::Io(error) => error.source(),
            Self::Stream(error) => error.source(),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Self::Stream(error)
    }
}

/// For functions that speak of [`io::Error`] only: bytes that are no packets are
/// [`InvalidData`](io::ErrorKind::InvalidData), an early end is
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof).
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => error,
            Error::Stream(error @ crate::Error::UnexpectedEof { .. }) => {
                Self::new(io::ErrorKind::UnexpectedEof, error)
            }
            Error::Stream(error) => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// Why a connection gave no value.
#[derive(Debug)]
#[non_exhaustive]
pub enum ParseError<E> {
    /// Reading failed. The stream is as it was before: the call may be repeated.
    Io(io::Error),
    /// The stream failed, or the input ended inside what the step reads.
    Stream(crate::Error),
    /// The step failed with an error of its own, which poisons the stream.
    Other(E),
}

impl<E: fmt::Display> fmt::Display for ParseError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Stream(error) => error.fmt(f),
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error> core::error::Error for ParseError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            Self::Stream(error) => error.source(),
            Self::Other(error) => error.source(),
        }
    }
}

impl<E> From<Error> for ParseError<E> {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => Self::Io(error),
            Error::Stream(error) => Self::Stream(error),
        }
    }
}

impl<E> From<crate::ParseError<E>> for ParseError<E> {
    fn from(error: crate::ParseError<E>) -> Self {
        match error {
            crate::ParseError::Stream(error) => Self::Stream(error),
            crate::ParseError::Other(error) => Self::Other(error),
        }
    }
}

impl<E> From<crate::Error> for ParseError<E> {
    fn from(error: crate::Error) -> Self {
        Self::Stream(error)
    }
}

impl<E> From<io::Error> for ParseError<E> {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
