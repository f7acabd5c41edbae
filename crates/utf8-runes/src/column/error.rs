//! What can go wrong, with the SQLSTATE that a database gives for it.

use core::fmt;

/// The text is longer than the column. Both lengths are in the unit of the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RightTruncation {
    /// The length of the column.
    pub expected: usize,
    /// The length of the whole text, blanks and all.
    pub actual: usize,
}

impl RightTruncation {
    /// `22001`, string data, right truncation.
    #[must_use]
    pub const fn sqlstate(&self) -> &'static str {
        "22001"
    }
}

impl fmt::Display for RightTruncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, actual } = self;
        write!(f, "string right truncation, expected length {expected}, actual {actual}")
    }
}

impl core::error::Error for RightTruncation {}

/// A field cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The value is not well-formed UTF-8.
    Malformed {
        /// Where the first malformed sequence starts, in bytes from the start of the field.
        offset: usize,
    },
    /// A byte behind the column's last character is no blank ([`Tail::RequireBlank`]).
    ///
    /// [`Tail::RequireBlank`]: super::Tail::RequireBlank
    Tail {
        /// The first such byte, from the start of the field.
        offset: usize,
    },
    /// The field ends before its length prefix, or before the text that this announces.
    Length {
        /// The bytes that the field must have: those of the prefix, or of the prefix and the text.
        needed: usize,
    },
}

impl DecodeError {
    /// `22021` (character not in repertoire) for malformed text, else `22000` (data exception).
    ///
    /// ```
    /// use utf8_runes::column::FixedText;
    ///
    /// assert_eq!(FixedText::new(2).decode(b"\xFF").unwrap_err().sqlstate(), "22021");
    /// ```
    #[must_use]
    pub const fn sqlstate(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "22021",
            Self::Tail { .. } | Self::Length { .. } => "22000",
        }
    }

    /// The error of a field that has `width` bytes before those that were looked at.
    pub(super) const fn behind(self, width: usize) -> Self {
        match self {
            Self::Malformed { offset } => Self::Malformed { offset: offset + width },
            Self::Tail { offset } => Self::Tail { offset: offset + width },
            Self::Length { needed } => Self::Length { needed: needed.saturating_add(width) },
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { offset } => {
                write!(f, "malformed UTF-8 at byte {offset} of the field")
            }
            Self::Tail { offset } => {
                write!(f, "not a blank behind the last character, at byte {offset} of the field")
            }
            Self::Length { needed } => write!(f, "field cut short, {needed} bytes needed"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// A text cannot be written to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The text is longer than the column and may not be cut.
    RightTruncation(RightTruncation),
    /// The text fits the column, but the text with its blanks does not fit the field.
    FieldTooShort {
        /// The bytes that the field must have.
        needed: usize,
    },
}

impl EncodeError {
    /// `22001` for a text that is too long, else `22000` (data exception).
    #[must_use]
    pub const fn sqlstate(&self) -> &'static str {
        match self {
            Self::RightTruncation(error) => error.sqlstate(),
            Self::FieldTooShort { .. } => "22000",
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RightTruncation(error) => error.fmt(f),
            Self::FieldTooShort { needed } => write!(f, "field too short, {needed} bytes needed"),
        }
    }
}

impl core::error::Error for EncodeError {}

impl From<RightTruncation> for EncodeError {
    fn from(error: RightTruncation) -> Self {
        Self::RightTruncation(error)
    }
}
