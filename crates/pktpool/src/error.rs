//! What can go wrong with a stream.

use crate::FrameError;
use core::fmt;

/// Why a stream failed.
///
/// Apart from [`UnexpectedEof`](Self::UnexpectedEof), the first error of a stream is reported once,
/// at its place; every later call that would read or write answers [`Poisoned`](Self::Poisoned).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The header is none of the framing's, or it does not end within
    /// [`MAX_HEADER`](crate::MAX_HEADER) bytes.
    BadHeader,
    /// A length that cannot be: below the header's, more bytes committed than the spare has, a packet
    /// size that the protocol cannot express, or a value that is not as long as its chunks.
    BadLength {
        /// The length as given.
        length: u64,
    },
    /// A packet above [`Limits::max_packet`](crate::Limits::max_packet) or the framing's own limit.
    PacketTooLarge {
        /// The length that the header declares, header included.
        length: u64,
    },
    /// A message above [`Limits::max_message`](crate::Limits::max_message), or a value above the limit
    /// given to [`tds::read_plp`](crate::tds::read_plp).
    MessageTooLarge {
        /// Payload bytes of the message, with the packet that went over the limit; or of the value.
        length: u64,
    },
    /// A step ran out of bytes with more of them held than
    /// [`Limits::max_retained`](crate::Limits::max_retained) allows.
    RetentionLimit,
    /// The input ended inside a packet or a message, or (of a
    /// [`tokio::Connection`](crate::tokio::Connection)) before a step had all that it reads.
    UnexpectedEof {
        /// Bytes of the incomplete packet that arrived; 0 when the input ended between packets.
        partial: u64,
    },
    /// A read past the end of the message. It may be caught inside a step;
    /// [`Reader::next_message`](crate::Reader::next_message) goes over the end.
    EndOfMessage,
    /// A step that was run again read otherwise than before over bytes that a resumable read had
    /// released, or [`next_packet`](crate::PacketStream::next_packet) was asked for them. The usual
    /// cause is a step that looks at something outside itself that changed in between.
    StepChanged,
    /// The stream failed before; or its input
    /// [ended early](crate::PacketStream::end_of_input), and what was called needs more of it or
    /// gives more.
    Poisoned,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadHeader => f.write_str("not a packet header"),
            Self::BadLength { length } => write!(f, "impossible length {length}"),
            Self::PacketTooLarge { length } => {
                write!(f, "packet of {length} bytes is over the limit")
            }
            Self::MessageTooLarge { length } => {
                write!(f, "message or value of {length} or more bytes is over the limit")
            }
            Self::RetentionLimit => f.write_str("a parse holds more bytes than the limit"),
            Self::UnexpectedEof { partial: 0 } => {
                f.write_str("input ended between packets, and more was expected")
            }
            Self::UnexpectedEof { partial } => {
                write!(f, "input ended inside a packet of which {partial} bytes arrived")
            }
            Self::EndOfMessage => f.write_str("read past the end of the message"),
            Self::StepChanged => {
                f.write_str("bytes that a step read and released are read in another way")
            }
            Self::Poisoned => f.write_str("the stream failed before"),
        }
    }
}

impl core::error::Error for Error {}

impl From<FrameError> for Error {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::BadLength { length } => Self::BadLength { length },
            FrameError::PacketTooLarge { length } => Self::PacketTooLarge { length },
            FrameError::BadHeader => Self::BadHeader,
        }
    }
}
