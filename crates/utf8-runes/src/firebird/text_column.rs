//! A text column, from the numbers that describe it.

use super::{Charset, charset};
use crate::column::{
    DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad, Unit, VarText,
};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;

const SQL_TEXT: i32 = 452;
const SQL_VARYING: i32 = 448;

/// A text column of a statement: CHAR(n) or VARCHAR(n), how its fields are read and written.
///
/// See the [module](super) for an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextColumn {
    layout: Layout,
    charset: Charset,
    nullable: bool,
}

/// What the fields of a text column look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `SQL_TEXT` (452), CHAR(n): filled up with blanks, no length before.
    Fixed(FixedText),
    /// `SQL_VARYING` (448), VARCHAR(n): the length in bytes, then the text.
    Varying(VarText),
}

/// Why numbers describe no text column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotText {
    /// Neither `SQL_TEXT` nor `SQL_VARYING`.
    Type {
        /// The type, as it was given.
        sqltype: i32,
    },
    /// Character set OCTETS: bytes, and what they are filled up with is 0 and no blank.
    Octets,
    /// A character set that no server has of its own.
    Charset {
        /// The low byte of the subtype.
        id: u8,
    },
    /// A length that is negative even as an unsigned number of 16 bits.
    Length {
        /// The length, as it was given.
        sqllen: i32,
    },
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { sqltype } => write!(f, "SQL type {sqltype} is neither CHAR nor VARCHAR"),
            Self::Octets => f.write_str("a column of OCTETS holds bytes and no text"),
            Self::Charset { id } => write!(f, "no character set has id {id}"),
            Self::Length { sqllen } => write!(f, "a column cannot have {sqllen} bytes"),
        }
    }
}

impl core::error::Error for NotText {}

impl TextColumn {
    /// The column of a description, blanks kept and a text that is too long refused.
    ///
    /// The numbers are as wide as on the wire; the 16 bits of an `XSQLVAR` become that with
    /// `i32::from`.
    ///
    /// * `sqltype`: 452 (`SQL_TEXT`, CHAR) or 448 (`SQL_VARYING`, VARCHAR), and 1 more when the
    ///   column is nullable.
    /// * `sqlsubtype`: the character set is its low byte ([`charset`]); the byte above is the
    ///   collation and ignored. An `XSQLVAR` has it as a 16-bit number, negative for collations
    ///   from 128.
    /// * `sqllen`: the bytes of a field without the length of a VARCHAR. An `XSQLVAR` has it as a
    ///   signed 16-bit number, which is taken as the unsigned one where it is negative.
    ///
    /// The length in characters is `sqllen` by the character set's bytes a character, with these
    /// exceptions, which are those of the Firebird .NET provider:
    ///
    /// * NONE: `sqllen` counts bytes ([`Unit::Bytes`]). What is read is all of the field, and
    ///   malformed if it is no UTF-8; take [`decode_lossy`](Self::decode_lossy) or the bytes.
    /// * `sqllen` is no multiple: the number of characters is not known, so nothing is cut, and
    ///   bytes are counted as well.
    ///
    /// ```
    /// use utf8_runes::firebird::{NotText, TextColumn};
    ///
    /// // VARCHAR(3) of UTF8, nullable, collation 3: 2 bytes of length and 12 of text
    /// let name = TextColumn::new(449, 3 << 8 | 4, 12).unwrap();
    /// assert_eq!((name.length(), name.byte_width()), (3, 14));
    /// assert_eq!(name.decode(b"\x04\0\xF0\x9F\x98\x8A"), Ok("😊"));
    /// // A NONE column counts bytes
    /// assert_eq!(TextColumn::new(452, 0, 12).unwrap().length(), 12);
    /// // SQL_LONG, and OCTETS
    /// assert_eq!(TextColumn::new(496, 0, 4), Err(NotText::Type { sqltype: 496 }));
    /// assert_eq!(TextColumn::new(452, 1, 16), Err(NotText::Octets));
    /// ```
    ///
    /// # Errors
    /// When the description is of no text, [`NotText`] says why.
    pub fn new(sqltype: i32, sqlsubtype: i32, sqllen: i32) -> Result<Self, NotText> {
        let fixed = match sqltype & !1 {
            SQL_TEXT => true,
            SQL_VARYING => false,
            _ => return Err(NotText::Type { sqltype }),
        };
        let [id, ..] = sqlsubtype.to_le_bytes();
        let charset = match charset(id) {
            Some(Charset::OCTETS) => return Err(NotText::Octets),
            Some(charset) => charset,
            None => return Err(NotText::Charset { id }),
        };
        let bytes = match i16::try_from(sqllen) {
            Ok(short) => usize::from(short.cast_unsigned()),
            Err(_) => usize::try_from(sqllen).map_err(|_| NotText::Length { sqllen })?,
        };
        let per_char = usize::from(charset.bytes_per_char);
        let known = charset != Charset::NONE && bytes.is_multiple_of(per_char);
        let text = if known {
            FixedText::new(bytes / per_char).bytes_per_char(per_char)
        } else {
            FixedText::new(bytes).unit(Unit::Bytes)
        };
        let layout = if fixed { Layout::Fixed(text) } else { Layout::Varying(VarText::of(text)) };
        Ok(Self { layout, charset, nullable: sqltype & 1 == 1 })
    }

    /// The character set that fields are in.
    #[must_use]
    pub const fn charset(&self) -> Charset {
        self.charset
    }

    /// Whether the column may be null. A null is told by an indicator of its own and never in the
    /// field.
    #[must_use]
    pub const fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// The n of CHAR(n) or VARCHAR(n), in characters; in bytes where those are not known, see
    /// [`new`](Self::new).
    #[must_use]
    pub const fn length(&self) -> usize {
        match self.layout {
            Layout::Fixed(text) => text.length(),
            Layout::Varying(text) => text.length(),
        }
    }

    /// The bytes of the largest field: `sqllen`, and the length before it if there is one.
    #[must_use]
    pub const fn byte_width(&self) -> usize {
        match self.layout {
            Layout::Fixed(text) => text.byte_width(),
            Layout::Varying(text) => text.byte_width(),
        }
    }

    /// The column itself, for all that is not here: rows, fields to append, other settings.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Whether [`decode`](Self::decode) keeps blanks at the end of a value.
    #[must_use]
    pub const fn pad(self, pad: Pad) -> Self {
        let layout = match self.layout {
            Layout::Fixed(text) => Layout::Fixed(text.pad(pad)),
            Layout::Varying(text) => Layout::Varying(text.pad(pad)),
        };
        Self { layout, ..self }
    }

    /// What happens to a text that is too long, when it is written. The server itself stores as
    /// [`Overflow::SqlStore`] does.
    #[must_use]
    pub const fn overflow(self, overflow: Overflow) -> Self {
        let layout = match self.layout {
            Layout::Fixed(text) => Layout::Fixed(text.overflow(overflow)),
            Layout::Varying(text) => Layout::Varying(text.overflow(overflow)),
        };
        Self { layout, ..self }
    }

    /// How the length of a VARCHAR is written: two bytes in an `XSQLVAR` or a message buffer (what
    /// [`new`](Self::new) takes), four on the wire. Nothing to a CHAR.
    ///
    /// ```
    /// use utf8_runes::column::LengthPrefix;
    /// use utf8_runes::firebird::TextColumn;
    ///
    /// let column = TextColumn::new(448, 4, 12).unwrap().prefix(LengthPrefix::U32Be);
    /// assert_eq!(column.decode(b"\0\0\0\x01A"), Ok("A"));
    /// ```
    #[must_use]
    pub const fn prefix(self, prefix: LengthPrefix) -> Self {
        match self.layout {
            Layout::Fixed(_) => self,
            Layout::Varying(text) => Self { layout: Layout::Varying(text.prefix(prefix)), ..self },
        }
    }

    /// The value of a field, as [`FixedText::decode`] or [`VarText::decode`] gives it: its bytes as
    /// UTF-8, whatever the character set. Text of another set is malformed unless it is ASCII, with
    /// few exceptions that are *other text*: `Ã©` in WIN1252 has the bytes of `é`. So ask
    /// [`Charset::is_utf8`] first.
    ///
    /// ```
    /// use utf8_runes::firebird::TextColumn;
    ///
    /// let win1252 = TextColumn::new(452, 53, 2).unwrap();
    /// assert!(!win1252.charset().is_utf8());
    /// assert!(win1252.decode(b"\xE9 ").is_err()); // é and a blank
    /// assert_eq!(win1252.decode(b"\xC3\xA9"), Ok("é")); // were Ã and ©
    /// ```
    ///
    /// # Errors
    /// As the two have it.
    #[inline]
    pub fn decode<'a>(&self, field: &'a [u8]) -> Result<&'a str, DecodeError> {
        match self.layout {
            Layout::Fixed(text) => text.decode(field),
            Layout::Varying(text) => text.decode(field),
        }
    }

    /// The same with U+FFFD for what is malformed.
    ///
    /// ```
    /// use utf8_runes::firebird::TextColumn;
    ///
    /// let column = TextColumn::new(452, 0, 5).unwrap(); // NONE, holding Windows-1252
    /// assert_eq!(column.decode_lossy(b"caf\xE9 ").unwrap(), "caf\u{FFFD} ");
    /// ```
    ///
    /// # Errors
    /// Only a VARCHAR's: [`DecodeError::Length`].
    #[cfg(feature = "alloc")]
    pub fn decode_lossy<'a>(&self, field: &'a [u8]) -> Result<Cow<'a, str>, DecodeError> {
        match self.layout {
            Layout::Fixed(text) => Ok(text.decode_lossy(field)),
            Layout::Varying(text) => text.decode_lossy(field),
        }
    }

    /// Writes `text` to a field and returns how many bytes that took: all of `field` for a CHAR,
    /// whose rest becomes blanks; length and text for a VARCHAR. What is written is UTF-8: in a
    /// character set that is not ([`Charset::is_utf8`]), it is another text unless it is ASCII.
    ///
    /// # Errors
    /// As [`FixedText::encode`] and [`VarText::encode`]; `field` is then as it was.
    pub fn encode(&self, text: &str, field: &mut [u8]) -> Result<usize, EncodeError> {
        match self.layout {
            Layout::Fixed(column) => column.encode(text, field).map(|()| field.len()),
            Layout::Varying(column) => column.encode(text, field),
        }
    }
}
