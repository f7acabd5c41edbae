//! The one error of the crate.

use core::fmt;

/// Why a read or a write failed.
///
/// Positions (`at`) are byte offsets as [`DataInput::position`](crate::DataInput::position) and
/// [`IndexOutput::position`](crate::IndexOutput::position) count them. No variant owns heap memory
/// but [`Error::Io`]; making and printing one allocates nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The stream underneath failed.
    #[cfg(feature = "std")]
    Io(std::io::Error),
    /// The input ends before what is read does.
    UnexpectedEof {
        /// The first byte of the read that failed.
        at: u64,
        /// How many bytes that read needs from there.
        need: u64,
    },
    /// The fixed output has no room for what is written.
    OutputFull {
        /// Where the write that failed would have begun.
        at: u64,
        /// How many bytes it needs from there.
        need: u64,
    },
    /// A vInt whose fifth byte has one of its four high bits set. Its five bytes are consumed.
    InvalidVInt {
        /// Its first byte.
        at: u64,
    },
    /// A vLong with the high bit of its ninth byte set, or a zLong whose tenth byte is above 1.
    /// Its nine or ten bytes are consumed.
    InvalidVLong {
        /// Its first byte.
        at: u64,
    },
    /// A vLong cannot be negative (Lucene 4.10 wrote ten bytes that no reader accepts).
    NegativeVLong,
    /// A string was declared with a length below 0.
    NegativeLength,
    /// A string is not UTF-8; all of it is consumed.
    InvalidUtf8 {
        /// Its first bad byte.
        at: u64,
    },
    /// What is written is longer than the format can say: more than `i32::MAX` bytes of a string
    /// or entries of a map or set.
    TooLong {
        /// The length that was asked for, in bytes or entries; a lower bound where the exact one
        /// was not worth finding.
        length: u64,
    },
    /// A name that a header cannot hold: a codec name of 128 bytes or more, a suffix of 256 or
    /// more, or one that is not ASCII; or what is not the plain name of a file.
    InvalidName,
    /// The codec magic is missing, or the id or the suffix of an index header is another file's.
    HeaderMismatch,
    /// The file was written by another codec.
    CodecMismatch,
    /// The file is older than what can be read.
    VersionTooOld {
        /// The version in the file.
        actual: i32,
        /// The oldest that is read.
        min: i32,
        /// The newest that is read.
        max: i32,
    },
    /// The file is newer than what can be read.
    VersionTooNew {
        /// The version in the file.
        actual: i32,
        /// The oldest that is read.
        min: i32,
        /// The newest that is read.
        max: i32,
    },
    /// There is no codec footer where it must be, or it names an unknown checksum algorithm.
    FooterMismatch,
    /// The bytes of the file are not those that were written.
    ChecksumMismatch {
        /// The CRC-32 in the footer.
        expected: u32,
        /// The CRC-32 of the bytes.
        actual: u32,
    },
    /// The file is too short to hold what must stand in it.
    Truncated,
    /// A document was begun and not ended, or ended and not begun.
    OpenDocument,
    /// The file contradicts itself.
    Corrupt {
        /// Which part or file, as in `codec footer`.
        file: &'static str,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl Error {
    /// As an error of a file, in which what was read must stand: it ends too soon.
    pub(crate) fn of_file(self) -> Self {
        match self {
            Self::UnexpectedEof { .. } => Self::Truncated,
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "std")]
            Self::Io(error) => error.fmt(f),
            Self::UnexpectedEof { at, need } => {
                write!(f, "read past the end: {need} bytes needed at {at}")
            }
            Self::OutputFull { at, need } => {
                write!(f, "output full: {need} bytes needed at {at}")
            }
            Self::InvalidVInt { at } => write!(f, "invalid vInt at {at}: too many bits"),
            Self::InvalidVLong { at } => write!(f, "invalid vLong at {at}: too many bits"),
            Self::NegativeVLong => f.write_str("a vLong cannot be negative"),
            Self::NegativeLength => f.write_str("negative length of a string"),
            Self::InvalidUtf8 { at } => write!(f, "invalid UTF-8 at {at}"),
            Self::TooLong { length } => {
                write!(f, "too long for the format: {length}, the limit is {}", i32::MAX)
            }
            Self::InvalidName => f.write_str("not a name that a header or a directory can hold"),
            Self::HeaderMismatch => f.write_str("codec header mismatch"),
            Self::CodecMismatch => f.write_str("written by another codec"),
            Self::VersionTooOld { actual, min, max } => {
                write!(f, "version {actual} is too old, {min} to {max} can be read")
            }
            Self::VersionTooNew { actual, min, max } => {
                write!(f, "version {actual} is too new, {min} to {max} can be read")
            }
            Self::FooterMismatch => f.write_str("codec footer mismatch (truncated or extended?)"),
            Self::ChecksumMismatch { expected, actual } => {
                write!(f, "checksum failed: expected {expected:08x}, actual {actual:08x}")
            }
            Self::Truncated => f.write_str("truncated"),
            Self::OpenDocument => f.write_str("a document was begun and not ended, or the reverse"),
            Self::Corrupt { file, what } => write!(f, "corrupt {file}: {what}"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // Its text is ours already, so the chain goes on below it.
            #[cfg(feature = "std")]
            Self::Io(error) => error.source(),
            _ => None,
        }
    }
}

/// An `io::Error` that carries one of ours gives it back, any other becomes [`Error::Io`].
#[cfg(feature = "std")]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(ours) => ours,
            Err(other) => Self::Io(other),
        }
    }
}

/// Kinds: `UnexpectedEof`, `WriteZero` (as a full `&mut [u8]` gives), `InvalidInput` for what could
/// not be written, and `InvalidData` for all that was read and is wrong.
#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use std::io::ErrorKind;
        let kind = match error {
            Error::Io(error) => return error,
            Error::UnexpectedEof { .. } | Error::Truncated => ErrorKind::UnexpectedEof,
            Error::OutputFull { .. } => ErrorKind::WriteZero,
            Error::NegativeVLong
            | Error::TooLong { .. }
            | Error::InvalidName
            | Error::OpenDocument => ErrorKind::InvalidInput,
            _ => ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Error>();
};
