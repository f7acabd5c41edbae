//! How a database holds text.

use crate::error::Result;
use crate::raw::Statement;
use utf8_runes::utf16_bytes::Endian;

/// The three encodings that a database can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16(Endian),
}

impl Encoding {
    /// That of the connection whose statement `beside` is.
    pub(crate) fn of(beside: &Statement) -> Result<Self> {
        let (mut pragma, _) = beside.prepare_beside("PRAGMA encoding")?;
        let name = if pragma.step()? { pragma.cell(0)? } else { None };
        Ok(match name {
            Some(b"UTF-16le") => Self::Utf16(Endian::Little),
            Some(b"UTF-16be") => Self::Utf16(Endian::Big),
            _ => Self::Utf8,
        })
    }
}
