//! What can be wrong. No error allocates, and all can be compared in tests.

use core::error::Error;
use core::fmt;

/// The buffer given to [`encode_into`](crate::encode_into) is too short; nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferTooSmall {
    /// The bytes that are needed: [`encoded_len`](crate::encoded_len) of the value.
    pub needed: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the buffer is too small: {} bytes are needed", self.needed)
    }
}

impl Error for BufferTooSmall {}

/// Why the characters of a value cannot be decoded: what is wrong and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeError {
    kind: DecodeErrorKind,
    offset: usize,
}

/// What is wrong with the characters of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeErrorKind {
    /// A character that is neither an attr-char nor `%`.
    InvalidChar,
    /// A `%` without two hexadecimal digits behind it.
    InvalidEscape,
    /// The octets are not UTF-8.
    InvalidUtf8,
}

impl DecodeError {
    pub(crate) const fn new(kind: DecodeErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> DecodeErrorKind {
        self.kind
    }

    /// Where it is, as a byte of the input: the invalid character, the `%` of the bad escape, or
    /// the `%` that begins the ill-formed sequence.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The same in a text in which this one begins at byte `start`.
    pub(crate) const fn behind(self, start: usize) -> Self {
        Self { kind: self.kind, offset: start + self.offset }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DecodeErrorKind::InvalidChar => "a character that must be escaped",
            DecodeErrorKind::InvalidEscape => "a `%` without two hexadecimal digits",
            DecodeErrorKind::InvalidUtf8 => "escaped octets that are not UTF-8",
        };
        write!(f, "{what} at byte {}", self.offset)
    }
}

impl Error for DecodeError {}

/// Why a text is no ext-value, or a language no language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtValueError {
    /// There are no two `'`: charset, language and value are not told apart.
    MissingDelimiter,
    /// There is nothing before the first `'`.
    MissingCharset,
    /// The charset is neither UTF-8 nor ISO-8859-1; with the feature `encoding_rs`, nor one of the
    /// Encoding Standard.
    UnsupportedCharset,
    /// The language is not made of subtags of one to eight ASCII letters or digits with `-`
    /// between them.
    InvalidLanguage,
    /// The value cannot be decoded; the offset counts from the first byte of the ext-value.
    Value(DecodeError),
    /// An octet that ISO-8859-1 does not assign a graphic character (80 to 9F, hexadecimal), where
    /// the `%` at this byte of the ext-value begins.
    UnassignedOctet {
        /// The byte of the ext-value.
        offset: usize,
    },
    /// The octets are not in the charset, which is one of the feature `encoding_rs`.
    InvalidOctets,
}

impl ExtValueError {
    /// Whether it is an error of a value that keeps to the grammar.
    pub(crate) fn is_of_octets(self) -> bool {
        match self {
            Self::Value(error) => error.kind() == DecodeErrorKind::InvalidUtf8,
            Self::UnassignedOctet { .. } | Self::InvalidOctets => true,
            _ => false,
        }
    }
}

impl fmt::Display for ExtValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingDelimiter => f.write_str("an ext-value needs two `'`"),
            Self::MissingCharset => f.write_str("the ext-value names no charset"),
            Self::UnsupportedCharset => {
                f.write_str("the charset of the ext-value is neither UTF-8 nor ISO-8859-1")
            }
            Self::InvalidLanguage => f.write_str("the language is no language tag"),
            Self::Value(error) => write!(f, "the ext-value holds {error}"),
            Self::InvalidOctets => {
                f.write_str("the ext-value holds octets that are not in its charset")
            }
            Self::UnassignedOctet { offset } => {
                write!(
                    f,
                    "the ext-value holds an octet that ISO-8859-1 leaves out at byte {offset}"
                )
            }
        }
    }
}

impl Error for ExtValueError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Value(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a header is no Content-Disposition: it has no valid type. Nothing else in it is an error; a
/// parameter that is not valid is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    kind: ParseErrorKind,
    offset: usize,
}

/// What is wrong with the type of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// There is none: the header is empty or begins with `;`.
    MissingType,
    /// It is not a token (RFC 9110, section 5.6.2), or something stands right behind it.
    InvalidType,
}

impl ParseError {
    pub(crate) const fn new(kind: ParseErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Where it is, as a byte of the header: where the type should begin, or the first byte that
    /// cannot stand there.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ParseErrorKind::MissingType => "the header has no disposition type",
            ParseErrorKind::InvalidType => "the disposition type is no token",
        };
        write!(f, "{what} at byte {}", self.offset)
    }
}

impl Error for ParseError {}

/// Why a header cannot be built. Each is a fault of what the program passed, none of the file
/// name: every file name can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The disposition type is not a token of HTTP.
    InvalidType,
    /// The name of an extra parameter is not made of attr-chars.
    InvalidParameterName {
        /// Which of the extra parameters, from 0.
        index: usize,
    },
    /// An extra parameter is named `name` or `filename`, which have setters of their own.
    ReservedParameterName {
        /// Which of the extra parameters, from 0.
        index: usize,
    },
    /// An extra parameter has the name of an earlier one; letter case makes no difference.
    RepeatedParameter {
        /// Which of the extra parameters, from 0.
        index: usize,
    },
    /// The value of an extra parameter holds something else than printable ASCII.
    InvalidParameterValue {
        /// Which of the extra parameters, from 0.
        index: usize,
    },
    /// The language is not made of subtags of one to eight ASCII letters or digits with `-`
    /// between them.
    InvalidLanguage,
    /// The custom fallback could not stand alone: it is empty, not printable ASCII, or has `"`,
    /// `\`, `/`, `%` before two hexadecimal digits, or `=?` in it.
    InvalidFallback,
    /// The header cannot be an `http::HeaderValue` (only with the feature `http`): a name in a form
    /// holds a control character.
    InvalidHeaderValue,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidType => f.write_str("the disposition type is no token"),
            Self::InvalidParameterName { index } => {
                write!(f, "the name of extra parameter {index} is not made of attr-chars")
            }
            Self::ReservedParameterName { index } => {
                write!(f, "extra parameter {index} has a name with a setter of its own")
            }
            Self::RepeatedParameter { index } => {
                write!(f, "extra parameter {index} has the name of an earlier one")
            }
            Self::InvalidParameterValue { index } => {
                write!(f, "the value of extra parameter {index} is not printable ASCII")
            }
            Self::InvalidLanguage => f.write_str("the language is no language tag"),
            Self::InvalidFallback => f.write_str("the custom fallback cannot stand alone"),
            Self::InvalidHeaderValue => f.write_str("a name in the form holds a control character"),
        }
    }
}

impl Error for BuildError {}
