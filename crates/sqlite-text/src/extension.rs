//! Text through rusqlite: values that read themselves, and more getters for its rows.

use crate::{TextBuf, decode};
use core::str::Utf8Error;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Error, Row};
use std::borrow::Cow;

/// A text read without a complaint about its bytes: what is no UTF-8 became U+FFFD, exactly as
/// [`String::from_utf8_lossy`] does it.
///
/// Only TEXT is read; NULL, numbers and BLOBs are an error as with `String`.
///
/// ```
/// use sqlite_text::LossyText;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let text = db.query_row("SELECT cast(x'61FF62' AS TEXT)", [], |row| row.get::<_, LossyText>(0))?;
/// assert_eq!(text.0, "a\u{FFFD}b");
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LossyText(pub String);

impl FromSql for LossyText {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self(decode::lossy(bytes_of(value)?).into_owned()))
    }
}

/// Reads as `String` does: the same values, the same errors.
impl FromSql for TextBuf {
    #[inline]
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self::from(decode::strict(bytes_of(value)?)?))
    }
}

/// Binds as TEXT.
impl ToSql for TextBuf {
    #[inline]
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.as_str()))
    }
}

#[inline]
fn bytes_of(value: ValueRef<'_>) -> FromSqlResult<&[u8]> {
    match value {
        ValueRef::Text(bytes) => Ok(bytes),
        _ => Err(FromSqlError::InvalidType),
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for rusqlite::Row<'_> {}
}

/// Getters for the text of a [`rusqlite::Row`], of columns counted from 0.
///
/// For every value each of them succeeds and fails exactly as `row.get::<_, String>(i)` would, with
/// the same error, unless it says otherwise; none of them changes how SQLite holds the value.
///
/// # Errors
/// * `InvalidColumnIndex` when the row has no column `i`;
/// * `InvalidColumnType` when the value is NULL, a number or a BLOB;
/// * `Utf8Error` when the bytes are not UTF-8.
///
/// # Limits
/// These go through rusqlite and share its limits: it panics when SQLite runs out of memory while
/// it converts a value, and when the *name* of a column in an `InvalidColumnType` error is not
/// UTF-8. The text of a UTF-16 database is what SQLite converts it to, which for a lone surrogate
/// is not UTF-8 or not what was stored.
///
/// # Example
/// ```
/// use sqlite_text::RowTextExt;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('Zürich'), ('京都'), (NULL)")?;
/// let mut statement = db.prepare_cached("SELECT s FROM t")?;
/// let mut rows = statement.query([])?;
/// let mut longest = 0;
/// while let Some(row) = rows.next()? {
///     if let Some(text) = row.text_opt(0)? {
///         longest = longest.max(text.len());
///     }
/// }
/// assert_eq!(longest, 7);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// A borrowed text does not outlive its row:
/// ```compile_fail,E0499
/// use sqlite_text::RowTextExt;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = db.prepare("SELECT 'a' UNION ALL SELECT 'b'")?;
/// let mut rows = statement.query([])?;
/// let first = rows.next()?.unwrap().text(0)?;
/// rows.next()?; // SQLite reuses the memory of the first row
/// println!("{first}");
/// # Ok::<(), rusqlite::Error>(())
/// ```
/// nor leaves the closure of `query_map`:
/// ```compile_fail
/// use sqlite_text::RowTextExt;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = db.prepare("SELECT 'a'")?;
/// let texts: Vec<&str> = statement.query_map([], |row| row.text(0))?.collect::<Result<_, _>>()?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
pub trait RowTextExt: sealed::Sealed {
    /// The text as SQLite holds it, without a copy.
    ///
    /// # Errors
    /// See [the trait](RowTextExt#errors).
    fn text(&self, i: usize) -> rusqlite::Result<&str>;

    /// As [`text`](Self::text), and `None` for NULL. The empty text is `Some("")`.
    ///
    /// # Errors
    /// As `row.get::<_, Option<String>>(i)`.
    fn text_opt(&self, i: usize) -> rusqlite::Result<Option<&str>>;

    /// As [`text`](Self::text), but what is no UTF-8 becomes U+FFFD, as
    /// [`String::from_utf8_lossy`] does it. Borrows when there is nothing to replace.
    ///
    /// # Errors
    /// See [the trait](RowTextExt#errors); never `Utf8Error`.
    fn text_lossy(&self, i: usize) -> rusqlite::Result<Cow<'_, str>>;

    /// Replaces `out` by the text, in one copy; allocates only when `out` is too small. On an error
    /// `out` is empty.
    ///
    /// # Errors
    /// See [the trait](RowTextExt#errors).
    fn read_text_into(&self, i: usize, out: &mut String) -> rusqlite::Result<()>;

    /// The text as an owned value, in one copy; up to 24 bytes allocate nothing.
    ///
    /// # Errors
    /// See [the trait](RowTextExt#errors).
    fn text_buf(&self, i: usize) -> rusqlite::Result<TextBuf>;
}

impl RowTextExt for Row<'_> {
    // Left to itself the compiler calls these, and a `Result` with rusqlite's large error then goes
    // through memory: a sixth of the time of a short text.
    #[inline(always)]
    fn text(&self, i: usize) -> rusqlite::Result<&str> {
        match self.get_ref(i)? {
            ValueRef::Text(bytes) => decode::strict(bytes).map_err(|e| not_utf8(i, e)),
            other => Err(not_text(self, i, other)),
        }
    }

    #[inline(always)]
    fn text_opt(&self, i: usize) -> rusqlite::Result<Option<&str>> {
        match self.get_ref(i)? {
            ValueRef::Text(bytes) => decode::strict(bytes).map(Some).map_err(|e| not_utf8(i, e)),
            ValueRef::Null => Ok(None),
            other => Err(not_text(self, i, other)),
        }
    }

    #[inline]
    fn text_lossy(&self, i: usize) -> rusqlite::Result<Cow<'_, str>> {
        match self.get_ref(i)? {
            ValueRef::Text(bytes) => Ok(decode::lossy(bytes)),
            other => Err(not_text(self, i, other)),
        }
    }

    #[inline]
    fn read_text_into(&self, i: usize, out: &mut String) -> rusqlite::Result<()> {
        out.clear();
        out.push_str(self.text(i)?);
        Ok(())
    }

    #[inline(always)]
    fn text_buf(&self, i: usize) -> rusqlite::Result<TextBuf> {
        self.text(i).map(TextBuf::from)
    }
}

#[cold]
fn not_utf8(i: usize, error: Utf8Error) -> Error {
    Error::Utf8Error(i, error)
}

#[cold]
fn not_text(row: &Row<'_>, i: usize, value: ValueRef<'_>) -> Error {
    match row.as_ref().column_name(i) {
        Ok(name) => Error::InvalidColumnType(i, name.to_owned(), value.data_type()),
        Err(error) => error,
    }
}
