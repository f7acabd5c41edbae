//! The rows of a run, and the getters of a row.

use crate::decode::{self, Read, Wide, WideText};
use crate::encoding::Encoding;
use crate::error::{Error, Result, StorageClass, wrong};
use crate::raw::{Missed, Statement};
use crate::{TextBuf, TypePolicy, ffi};
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
    /// The statement may be in the middle of a run.
    running: bool,
    /// The row in which a conversion failed for lack of memory. SQLite leaves a NULL in its cell,
    /// which must not be taken for the value. By its number, so that a new row need not clear it.
    failed: Flag<Option<usize>>,
}

impl Run {
    pub(crate) fn new(statement: Statement) -> Self {
        Self {
            statement,
            policy: TypePolicy::default(),
            encoding: None,
            wide: Wide::default(),
            // Whoever made it may have stepped it.
            running: true,
            failed: Flag::new(None),
        }
    }

    /// Back to before the first row, where it is as a rule.
    #[inline]
    pub(crate) fn rewind(&mut self) {
        if self.running {
            self.statement.reset();
            self.running = false;
        }
    }

    pub(crate) fn column_index(&self, name: &str) -> Option<usize> {
        (0..self.statement.column_count()).find(|i| self.statement.column_is_named(*i, name))
    }

    /// Whether the text of this run is UTF-16.
    fn is_utf16(&self) -> bool {
        matches!(self.encoding, Some((true, _)))
    }

    /// Finds out whether the text is UTF-16; after the first step of a run.
    fn ask_utf16(&mut self) -> Result<bool> {
        let reprepared = self.statement.reprepared();
        match self.encoding {
            Some((utf16, then)) if then == reprepared => Ok(utf16),
            _ => {
                let utf16 = Encoding::of(&self.statement)? != Encoding::Utf8;
                self.encoding = Some((utf16, reprepared));
                Ok(utf16)
            }
        }
    }
}

/// What the first step of a run said, until it is asked for.
pub(crate) enum First {
    Taken,
    Row,
    End,
    /// In a box, as it is rare and large.
    Failed(Box<Error>),
}

impl First {
    fn of(step: Result<bool>) -> Self {
        match step {
            Ok(true) => First::Row,
            Ok(false) => First::End,
            Err(error) => First::Failed(Box::new(error)),
        }
    }

    pub(crate) fn take(&mut self) -> Option<Result<bool>> {
        match core::mem::replace(self, First::Taken) {
            First::Taken => None,
            First::Row => Some(Ok(true)),
            First::End => Some(Ok(false)),
            First::Failed(error) => Some(Err(*error)),
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
    pub(crate) first: First,
    pub(crate) ended: bool,
    pub(crate) row: usize,
    pub(crate) columns: usize,
    pub(crate) utf16: bool,
}

impl<'s> TextRows<'s> {
    /// Makes the first step, so that names and number of the columns are those of this run.
    pub(crate) fn start(run: &'s mut Run) -> Self {
        run.running = true;
        let mut first = run.statement.step();
        let mut utf16 = false;
        if let Ok(true) = first {
            match run.ask_utf16() {
                Ok(is) => utf16 = is,
                Err(error) => first = Err(error),
            }
        }
        run.failed.set(None);
        let columns = run.statement.column_count();
        run.statement.set_utf16(utf16);
        if utf16 {
            run.wide.next_row(columns);
        }
        Self { run, first: First::of(first), ended: false, row: 0, columns, utf16 }
    }

    /// The next row, `None` at the end. After the end and after an error there are no more rows.
    ///
    /// # Errors
    /// What SQLite says while it looks for the row.
    // Not an `Iterator`: a row borrows from what the next one overwrites.
    #[allow(clippy::should_implement_trait, reason = "a lending iterator has no trait")]
    #[inline(always)]
    pub fn next(&mut self) -> Result<Option<TextRow<'_>>> {
        if self.ended {
            return Ok(None);
        }
        match self.first {
            First::Taken => {
                self.row += 1;
                let code = self.run.statement.step_code();
                if code != ffi::SQLITE_ROW {
                    return self.end(code).map(|()| None);
                }
            }
            First::Row => self.first = First::Taken,
            First::End | First::Failed(_) => return self.no_first().map(|()| None),
        }
        self.run.wide.same_columns();
        let Self { row, columns, .. } = *self;
        Ok(Some(TextRow { run: self.run, row, columns }))
    }

    #[cold]
    fn no_first(&mut self) -> Result<()> {
        self.ended = true;
        self.first.take().map_or(Ok(()), |first| first.map(|_| ()))
    }

    /// What `code`, by which the last step gave no row, means.
    #[cold]
    fn end(&mut self, code: c_int) -> Result<()> {
        self.ended = true;
        self.run.statement.row_or_end(code).map(|_| ())
    }

    /// The first column of that name, ASCII letters of either case being equal.
    #[must_use]
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.run.column_index(name)
    }
}

impl Drop for TextRows<'_> {
    fn drop(&mut self) {
        self.run.rewind();
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
        match self.at_hand(i) {
            Ok(bytes) => decode::text(bytes, i, self.row),
            Err(missed) => match self.wide(i, missed) {
                Some(wide) => wide.text(i, self.row),
                None => match self.run.other_text(i, self.row, missed)? {
                    Some(text) => Ok(text),
                    None => Err(wrong(i, self.row, StorageClass::Null)),
                },
            },
        }
    }

    /// As [`text`](Self::text), and `None` for NULL unless the policy is [`TypePolicy::TextOnly`].
    ///
    /// # Errors
    /// As [`text`](Self::text).
    #[inline(always)]
    pub fn text_opt(&self, i: usize) -> Result<Option<&'r str>> {
        match self.at_hand(i) {
            Ok(bytes) => decode::text(bytes, i, self.row).map(Some),
            Err(missed) => match self.wide(i, missed) {
                Some(wide) => wide.text(i, self.row).map(Some),
                None => self.run.other_text(i, self.row, missed),
            },
        }
    }

    /// The bytes of the text. From a UTF-8 database they are not checked and may be anything; from
    /// a UTF-16 one they are those of [`text`](Self::text).
    ///
    /// # Errors
    /// See [the type](TextRow); [`Error::InvalidUtf16`] in a UTF-16 database.
    #[inline(always)]
    pub fn text_bytes(&self, i: usize) -> Result<&'r [u8]> {
        match self.at_hand(i) {
            Ok(bytes) => Ok(bytes),
            Err(missed) => self.run.other_bytes(i, self.row, missed),
        }
    }

    /// The text with U+FFFD for what is none: as [`String::from_utf8_lossy`] puts it, and in a
    /// UTF-16 database one for each lone surrogate. Borrows when there is nothing to replace.
    ///
    /// # Errors
    /// See [the type](TextRow).
    #[inline]
    pub fn text_lossy(&self, i: usize) -> Result<Cow<'r, str>> {
        self.read(i)?.lossy().ok_or_else(|| wrong(i, self.row, StorageClass::Null))
    }

    /// Replaces `out` by the text, in one copy; allocates only when `out` is too small. On an error
    /// `out` is empty.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    #[inline(always)]
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

    /// The bytes of a TEXT in a UTF-8 database, if there is a short way to them.
    #[inline(always)]
    fn at_hand(&self, i: usize) -> Result<&'r [u8], Missed> {
        if i < self.columns { self.run.statement.text(i) } else { Err(Missed::NoColumn) }
    }

    /// The text in a UTF-16 database, if that is why it `missed`.
    #[inline(always)]
    fn wide(&self, i: usize, missed: Missed) -> Option<&'r WideText> {
        if let Missed::Indirect = missed { self.run.wide_text(i, self.row) } else { None }
    }

    pub(crate) fn read(&self, i: usize) -> Result<Read<'r>> {
        match self.at_hand(i) {
            Ok(bytes) => Ok(Read::Utf8(bytes)),
            Err(missed) => self.run.read(i, self.row, missed),
        }
    }
}

// What is not at hand, in functions of its own: what the getters are inlined to stays small. They
// take what they need by value: a reference to the row would keep it in memory.
impl Run {
    #[inline(never)]
    fn other_text(&self, i: usize, row: usize, missed: Missed) -> Result<Option<&str>> {
        self.read(i, row, missed)?.text_opt(i, row)
    }

    #[inline(never)]
    fn other_bytes(&self, i: usize, row: usize, missed: Missed) -> Result<&[u8]> {
        match self.read(i, row, missed)? {
            Read::Utf8(bytes) => Ok(bytes),
            Read::Null => Err(wrong(i, row, StorageClass::Null)),
            Read::Utf16(text) => text.text(i, row).map(str::as_bytes),
        }
    }

    /// The text of a cell in a UTF-16 database. A reference, which is returned in a register.
    #[inline(never)]
    fn wide_text(&self, i: usize, row: usize) -> Option<&WideText> {
        if !self.is_utf16() {
            return None;
        }
        // The class of a cell is not asked again after its conversion.
        if let Some(text) = self.wide.get(i) {
            return Some(text);
        }
        match self.statement.text16(i, |units| self.wide.decode(i, units)) {
            Ok(text) => text,
            Err(missed) => {
                if let Missed::NoMem = missed {
                    self.failed.set(Some(row));
                }
                None
            }
        }
    }

    #[inline(never)]
    fn read(&self, i: usize, row: usize, missed: Missed) -> Result<Read<'_>> {
        if let Missed::NoColumn = missed {
            return Err(Error::ColumnOutOfRange { column: i });
        }
        let utf16 = self.is_utf16();
        if utf16 && let Some(text) = self.wide_text(i, row) {
            return Ok(Read::Utf16(text));
        }
        // After a conversion SQLite does not define the class. Only `Coerce` converts, and it reads
        // every class but NULL alike, which no conversion makes except a failed one.
        if let StorageClass::Null = self.allow(i, row, self.statement.missed_class(i, missed))? {
            return Ok(Read::Null);
        }
        let read = if utf16 {
            let text = self.statement.units(i, |units| self.wide.decode(i, units));
            text.map(|text| text.map_or(Read::Null, Read::Utf16))
        } else {
            self.statement.coerced(i).map(Read::Utf8)
        };
        read.inspect_err(|_| self.failed.set(Some(row)))
    }

    /// The class, if the policy allows it.
    #[inline]
    fn allow(&self, column: usize, row: usize, class: StorageClass) -> Result<StorageClass> {
        match (class, self.policy) {
            (StorageClass::Null, _) if self.failed.get() == Some(row) => Err(Error::NoMem),
            (StorageClass::Text, _)
            | (StorageClass::Null, TypePolicy::TextOrNull)
            | (_, TypePolicy::Coerce) => Ok(class),
            _ => Err(wrong(column, row, class)),
        }
    }
}

impl fmt::Debug for TextRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextRow").field("row", &self.row).finish_non_exhaustive()
    }
}
