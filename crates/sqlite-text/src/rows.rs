//! The rows of a run, and the getters of a row.

use crate::decode::{self, Wide, WideText};
use crate::error::{Error, Result, StorageClass};
use crate::raw::{Cell, Statement};
use crate::{TextBuf, TypePolicy};
use core::cell::Cell as Flag;
use core::ffi::c_int;
use core::fmt;
use std::borrow::Cow;

/// A statement and what its runs need.
pub(crate) struct Run {
    pub(crate) statement: Statement,
    pub(crate) policy: TypePolicy,
    /// Whether the database is UTF-16, and how often SQLite had prepared the statement when that
    /// was asked: it can change as long as the database is empty, and then SQLite prepares anew.
    encoding: Option<(bool, c_int)>,
    wide: Wide,
    /// A conversion in this row failed for lack of memory. SQLite leaves a NULL in its cell, which
    /// must not be taken for the value.
    failed: Flag<bool>,
}

impl Run {
    pub(crate) fn new(statement: Statement) -> Self {
        Self {
            statement,
            policy: TypePolicy::default(),
            encoding: None,
            wide: Wide::default(),
            failed: Flag::new(false),
        }
    }

    pub(crate) fn column_index(&self, name: &str) -> Option<usize> {
        (0..self.statement.column_count()).find(|i| self.statement.column_is_named(*i, name))
    }

    /// Whether the text is UTF-16; after the first step of a run.
    fn is_utf16(&mut self) -> Result<bool> {
        let reprepared = self.statement.reprepared();
        match self.encoding {
            Some((utf16, then)) if then == reprepared => Ok(utf16),
            _ => {
                let (mut pragma, _) = self.statement.prepare_beside("PRAGMA encoding")?;
                let row = pragma.step()?;
                let utf16 = row && matches!(pragma.cell(0)?, Cell::Text(name) if name != b"UTF-8");
                self.encoding = Some((utf16, reprepared));
                Ok(utf16)
            }
        }
    }
}

/// The rows of one run of a [`TextStatement`](crate::TextStatement), one at a time.
///
/// Dropping it ends the run. Its first row is made when the run starts, so that a statement which
/// writes has written by then; read that to its end, for a drop cannot say that its commit failed.
///
/// A text does not outlive its row:
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0499")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextStatement;
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'")?;
/// let mut rows = statement.query(&[])?;
/// let first = rows.next()?.unwrap().text(0)?;
/// rows.next()?; // SQLite reuses the memory of the first row
/// println!("{first}");
/// # Ok::<(), rusqlite::Error>(())
/// ```
pub struct TextRows<'s> {
    pub(crate) run: &'s mut Run,
    pub(crate) first: Option<Result<bool>>,
    pub(crate) ended: bool,
    pub(crate) row: usize,
    pub(crate) columns: usize,
    pub(crate) utf16: bool,
}

impl<'s> TextRows<'s> {
    /// Makes the first step, so that names and number of the columns are those of this run.
    pub(crate) fn start(run: &'s mut Run) -> Self {
        let mut first = run.statement.step();
        let mut utf16 = false;
        if let Ok(true) = first {
            match run.is_utf16() {
                Ok(is) => utf16 = is,
                Err(error) => first = Err(error),
            }
        }
        let columns = run.statement.column_count();
        Self { run, first: Some(first), ended: false, row: 0, columns, utf16 }
    }

    /// The next row, `None` at the end. After the end and after an error there are no more rows.
    ///
    /// # Errors
    /// What SQLite says while it looks for the row.
    // Not an `Iterator`: a row borrows from what the next one overwrites.
    #[allow(clippy::should_implement_trait, reason = "a lending iterator has no trait")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<TextRow<'_>>> {
        if self.ended {
            return Ok(None);
        }
        let more = match self.first.take() {
            Some(first) => first,
            None => {
                self.row += 1;
                self.run.statement.step()
            }
        };
        if !matches!(more, Ok(true)) {
            self.ended = true;
            return more.map(|_| None);
        }
        self.run.failed.set(false);
        if self.utf16 {
            self.run.wide.next_row(self.columns);
        }
        let Self { row, columns, utf16, .. } = *self;
        Ok(Some(TextRow { run: self.run, row, columns, utf16 }))
    }

    /// The first column of that name, ASCII letters of either case being equal.
    #[must_use]
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.run.column_index(name)
    }
}

impl Drop for TextRows<'_> {
    fn drop(&mut self) {
        self.run.statement.reset();
    }
}

impl fmt::Debug for TextRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextRows").field("row", &self.row).finish_non_exhaustive()
    }
}

/// A row; its texts are borrowed from it for as long as no other row is asked for.
///
/// Columns count from 0. Every getter fails with [`Error::ColumnOutOfRange`] for a column that is
/// not there, with [`Error::InvalidType`] for a value that the [`TypePolicy`] does not allow, and
/// with [`Error::NoMem`] when SQLite runs out of memory; it names NULL an `InvalidType` too, except
/// [`text_opt`](Self::text_opt).
pub struct TextRow<'r> {
    run: &'r Run,
    row: usize,
    columns: usize,
    utf16: bool,
}

/// What the policy lets through.
pub(crate) enum Read<'r> {
    Null,
    Utf8(&'r [u8]),
    Utf16(&'r WideText),
}

impl<'r> TextRow<'r> {
    // Left to itself the compiler calls these, and the `Result` goes through memory.
    /// The text as SQLite holds it, without a copy; from a UTF-16 database, transcoded once a row.
    ///
    /// # Errors
    /// See [the type](TextRow); [`Error::InvalidUtf8`], or [`Error::InvalidUtf16`] in a UTF-16
    /// database.
    #[inline(always)]
    pub fn text(&self, i: usize) -> Result<&'r str> {
        match self.text_opt(i)? {
            Some(text) => Ok(text),
            None => Err(self.wrong(i, StorageClass::Null)),
        }
    }

    /// As [`text`](Self::text), and `None` for NULL unless the policy is [`TypePolicy::TextOnly`].
    ///
    /// # Errors
    /// As [`text`](Self::text).
    #[inline(always)]
    pub fn text_opt(&self, i: usize) -> Result<Option<&'r str>> {
        match self.read(i)? {
            Read::Utf8(bytes) => match decode::strict(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(error) => Err(self.not_utf8(i, error.valid_up_to())),
            },
            Read::Null => Ok(None),
            Read::Utf16(text) => match text.lone {
                None => Ok(Some(&text.text)),
                Some(index) => Err(self.not_utf16(i, index)),
            },
        }
    }

    /// The bytes of the text. From a UTF-8 database they are not checked and may be anything; from
    /// a UTF-16 one they are those of [`text`](Self::text).
    ///
    /// # Errors
    /// See [the type](TextRow); [`Error::InvalidUtf16`] in a UTF-16 database.
    #[inline]
    pub fn text_bytes(&self, i: usize) -> Result<&'r [u8]> {
        match self.read(i)? {
            Read::Utf8(bytes) => Ok(bytes),
            Read::Null => Err(self.wrong(i, StorageClass::Null)),
            Read::Utf16(_) => self.text(i).map(str::as_bytes),
        }
    }

    /// The text with U+FFFD for what is none: as [`String::from_utf8_lossy`] puts it, and in a
    /// UTF-16 database one for each lone surrogate. Borrows when there is nothing to replace.
    ///
    /// # Errors
    /// See [the type](TextRow).
    #[inline]
    pub fn text_lossy(&self, i: usize) -> Result<Cow<'r, str>> {
        match self.read(i)? {
            Read::Utf8(bytes) => Ok(decode::lossy(bytes)),
            Read::Null => Err(self.wrong(i, StorageClass::Null)),
            Read::Utf16(text) => Ok(Cow::Borrowed(&text.text)),
        }
    }

    /// Replaces `out` by the text, in one copy; allocates only when `out` is too small. On an error
    /// `out` is empty.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    #[inline]
    pub fn read_text_into(&self, i: usize, out: &mut String) -> Result<()> {
        out.clear();
        out.push_str(self.text(i)?);
        Ok(())
    }

    /// The text as an owned value, in one copy; up to 24 bytes allocate nothing.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    #[inline(always)]
    pub fn text_buf(&self, i: usize) -> Result<TextBuf> {
        self.text(i).map(TextBuf::from)
    }

    #[inline(always)]
    pub(crate) fn read(&self, i: usize) -> Result<Read<'r>> {
        if i >= self.columns {
            return Err(Error::ColumnOutOfRange { column: i });
        }
        if self.utf16 {
            return self.read_utf16(i);
        }
        match self.run.statement.cell(i) {
            Ok(Cell::Text(bytes)) => Ok(Read::Utf8(bytes)),
            // After a conversion SQLite does not define the class. Only `Coerce` converts, and it
            // reads every class but NULL alike, which no conversion makes except a failed one.
            Ok(Cell::Other(class)) => match self.allow(i, class)? {
                StorageClass::Null => Ok(Read::Null),
                _ => match self.run.statement.coerced(i) {
                    Ok(bytes) => Ok(Read::Utf8(bytes)),
                    Err(error) => Err(self.failed(error)),
                },
            },
            Err(error) => Err(self.failed(error)),
        }
    }

    fn read_utf16(&self, i: usize) -> Result<Read<'r>> {
        // The class of a cell is not asked again after its conversion.
        if let Some(text) = self.run.wide.get(i) {
            return Ok(Read::Utf16(text));
        }
        match self.allow(i, self.run.statement.class(i))? {
            StorageClass::Null => Ok(Read::Null),
            _ => match self.run.statement.units(i, |units| self.run.wide.decode(i, units)) {
                Ok(text) => Ok(text.map_or(Read::Null, Read::Utf16)),
                Err(error) => Err(self.failed(error)),
            },
        }
    }

    /// The class, if the policy allows it.
    #[inline]
    fn allow(&self, i: usize, class: StorageClass) -> Result<StorageClass> {
        match (class, self.run.policy) {
            (StorageClass::Null, _) if self.run.failed.get() => Err(Error::NoMem),
            (StorageClass::Text, _)
            | (StorageClass::Null, TypePolicy::TextOrNull)
            | (_, TypePolicy::Coerce) => Ok(class),
            _ => Err(self.wrong(i, class)),
        }
    }

    #[cold]
    fn failed(&self, error: Error) -> Error {
        self.run.failed.set(true);
        error
    }

    #[cold]
    fn wrong(&self, column: usize, actual: StorageClass) -> Error {
        Error::InvalidType { column, row: self.row, actual }
    }

    #[cold]
    fn not_utf8(&self, column: usize, valid_up_to: usize) -> Error {
        Error::InvalidUtf8 { column, row: self.row, valid_up_to }
    }

    #[cold]
    fn not_utf16(&self, column: usize, index: usize) -> Error {
        Error::InvalidUtf16 { column, row: self.row, index }
    }
}

impl fmt::Debug for TextRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextRow").field("row", &self.row).finish_non_exhaustive()
    }
}
