//! [`CompactString`] as a value of rusqlite, and out of rows.

use crate::error::Result;
use crate::{TextBuf, TextRow};
use compact_str::CompactString;
use core::borrow::Borrow;
use core::fmt;
use core::ops::Deref;

/// A [`CompactString`] that reads and binds wherever a `String` does.
///
/// `CompactString` itself cannot: it and rusqlite's traits are both of other crates. On a machine of
/// 64 bits it holds up to 24 bytes of UTF-8 in itself and is 24 bytes large, where [`TextBuf`] is
/// 32; and it can be changed in place.
///
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::{CompactString, CompactText};
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = db.prepare("SELECT 'Bern' UNION ALL SELECT 'Wien'")?;
/// let cities: Vec<CompactString> = statement
///     .query_map([], |row| Ok(row.get::<_, CompactText>(0)?.0))?
///     .collect::<Result<_, _>>()?;
/// assert_eq!(cities, ["Bern", "Wien"]);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// It orders, hashes and compares as `str`. For a [`TextRow`] there is
/// [`compact_string`](TextRow::compact_string).
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompactText(pub CompactString);

/// Reads as `String` does: the same values, the same errors.
#[cfg(feature = "rusqlite")]
impl rusqlite::types::FromSql for CompactText {
    #[inline]
    fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
        match value {
            rusqlite::types::ValueRef::Text(bytes) => {
                Ok(Self(CompactString::new(crate::decode::strict(bytes)?)))
            }
            _ => Err(rusqlite::types::FromSqlError::InvalidType),
        }
    }
}

/// Binds as TEXT.
#[cfg(feature = "rusqlite")]
impl rusqlite::ToSql for CompactText {
    #[inline]
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(rusqlite::types::ToSqlOutput::from(self.0.as_str()))
    }
}

impl TextRow<'_> {
    /// The text as a [`CompactString`], in one copy; up to 24 bytes (12 on a machine of 32 bits)
    /// allocate nothing.
    ///
    #[cfg_attr(feature = "rusqlite", doc = "```")]
    #[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
    /// # use sqlite_text::TextStatement;
    /// let db = rusqlite::Connection::open_in_memory()?;
    /// let mut statement = TextStatement::prepare(&db, "SELECT 'no allocation'")?;
    /// let mut rows = statement.query(&[])?;
    /// let text = rows.next()?.unwrap().compact_string(0)?;
    /// assert!(!text.is_heap_allocated());
    /// # Ok::<(), rusqlite::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`text`](Self::text).
    #[inline]
    pub fn compact_string(&self, i: usize) -> Result<CompactString> {
        self.text(i).map(CompactString::new)
    }
}

impl Deref for CompactText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for CompactText {
    #[inline]
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for CompactText {
    #[inline]
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CompactText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0.as_str(), f)
    }
}

impl PartialEq<str> for CompactText {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for CompactText {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// Copies; allocates above 24 bytes.
impl From<&str> for CompactText {
    #[inline]
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

/// Above 24 bytes the allocation of the `String` is taken over, below it is freed.
impl From<String> for CompactText {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<CompactString> for CompactText {
    #[inline]
    fn from(text: CompactString) -> Self {
        Self(text)
    }
}

impl From<CompactText> for CompactString {
    #[inline]
    fn from(text: CompactText) -> Self {
        text.0
    }
}

/// Above 24 bytes the allocation is handed over, below one is made.
impl From<CompactText> for String {
    fn from(text: CompactText) -> Self {
        text.0.into()
    }
}

/// Above 24 bytes the allocation is handed over, below there is none.
impl From<TextBuf> for CompactText {
    fn from(text: TextBuf) -> Self {
        Self(text.into())
    }
}

/// Above 24 bytes the allocation is handed over, below there is none.
impl From<TextBuf> for CompactString {
    fn from(text: TextBuf) -> Self {
        if text.len() <= size_of::<Self>() {
            Self::new(text.as_str())
        } else {
            String::from(text).into()
        }
    }
}

/// Above 24 bytes the allocation is handed over, below there is none.
impl From<CompactString> for TextBuf {
    fn from(text: CompactString) -> Self {
        if text.is_heap_allocated() { String::from(text).into() } else { text.as_str().into() }
    }
}

/// Above 24 bytes the allocation is handed over, below there is none.
impl From<CompactText> for TextBuf {
    fn from(text: CompactText) -> Self {
        text.0.into()
    }
}
