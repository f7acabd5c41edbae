//! What differs between databases.

use super::DecodeError;

/// What a column's length counts. U+0020, the blank, is 1 in each unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Unicode scalar values: Firebird, PostgreSQL, MySQL, Oracle `CHAR(n CHAR)`, Trino, ORC.
    Scalars,
    /// Bytes: SQL Server `char`, Oracle `CHAR(n BYTE)`, Doris.
    Bytes,
    /// UTF-16 units, two for a scalar value above U+FFFF: the length of SQL Server's `nchar` and
    /// `nvarchar`. The bytes of a field are UTF-8 all the same; a field that is itself UTF-16, as in
    /// TDS, is read through [`utf16_bytes`](crate::utf16_bytes).
    Utf16,
}

/// What becomes of the blanks that fill a value up to the column's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pad {
    /// They are part of the value: CHAR(3) holding `A` reads as `A` and two blanks.
    Keep,
    /// They are taken off, together with any that the value itself ended in. Only U+0020.
    Trim,
}

/// What becomes of a text that is longer than the column, when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overflow {
    /// It is refused, also when only blanks are too many: what the Firebird .NET provider does.
    Error,
    /// Blanks that are too many are dropped, anything else is refused: storing as in standard SQL.
    SqlStore,
    /// It is cut: an explicit CAST as in standard SQL.
    Truncate,
}

/// What is asked of the bytes behind the column's last character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Nothing; they are not read.
    Ignore,
    /// To be blanks. Finds a wrong length or a field read at a wrong offset.
    RequireBlank,
}

/// How a field of varying length begins: with the bytes of its text, counted so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LengthPrefix {
    /// Two bytes, the lower first: `SQL_VARYING` in an SQLDA or a message buffer of Firebird, on
    /// processors of that order.
    U16Le,
    /// Four bytes, the highest first: XDR, and so the wire protocol of Firebird. The bytes that XDR
    /// adds up to a multiple of four are not part of the field.
    U32Be,
}

impl LengthPrefix {
    /// Its own bytes.
    #[inline]
    pub(super) const fn width(self) -> usize {
        match self {
            Self::U16Le => 2,
            Self::U32Be => 4,
        }
    }

    /// The longest text that it can announce.
    pub(super) const fn most(self) -> usize {
        match self {
            Self::U16Le => u16::MAX as usize,
            Self::U32Be => u32::MAX as usize,
        }
    }

    /// The length, and what follows.
    #[inline]
    pub(super) fn read(self, field: &[u8]) -> Result<(usize, &[u8]), DecodeError> {
        let read = match self {
            Self::U16Le => field
                .split_first_chunk()
                .map(|(prefix, rest)| (usize::from(u16::from_le_bytes(*prefix)), rest)),
            Self::U32Be => field
                .split_first_chunk()
                .map(|(prefix, rest)| (u32::from_be_bytes(*prefix), rest))
                // More than a processor of 16 bits can address is more than the field has.
                .map(|(len, rest)| (usize::try_from(len).unwrap_or(usize::MAX), rest)),
        };
        read.ok_or(DecodeError::Length { needed: self.width() })
    }

    /// Writes a length of at most [`most`](Self::most) to exactly its bytes.
    pub(super) fn write(self, len: usize, out: &mut [u8]) {
        match self {
            Self::U16Le => out.copy_from_slice(&(len as u16).to_le_bytes()),
            Self::U32Be => out.copy_from_slice(&(len as u32).to_be_bytes()),
        }
    }
}
