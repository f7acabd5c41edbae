//! From the rows of a run to batches.

use super::raw::Cells;
use super::{Offset, TextBatch};
#[cfg(feature = "rusqlite")]
use crate::TextStatement;
use crate::error::{Error, Result, StorageClass, wrong};
use crate::raw::{Missed, Statement};
use crate::rows::TextRows;
use crate::{TypePolicy, ffi};
use core::ffi::c_int;
use core::fmt;
use smallvec::SmallVec;
use utf8_runes::utf16;

/// So many bytes are checked at a time, while they are still in the processor's nearest cache.
const CHUNK: usize = 16 << 10;

/// What a fresh column first makes room for, in rows and bytes.
const FRESH: (usize, usize) = (1024, 4096);

/// Reads the rows of a run many at a time into columns; made by [`TextStatement::read_batch`] and
/// [`TextRows::batches`].
///
/// Every text is copied once, from SQLite's memory into the column, and checked there together
/// with its neighbours, so that a short one costs less than by itself. A column that is used again,
/// as here, allocates nothing once it has grown:
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::{TextBatch, TextStatement};
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// db.execute_batch("CREATE TABLE t (name, city);
///     INSERT INTO t VALUES ('Zoë', 'Bern'), ('Uwe', NULL), ('Ann', 'Ulm')")?;
/// let mut statement = TextStatement::prepare(&db, "SELECT name, city FROM t")?;
/// let mut reader = statement.read_batch(&[])?.max_rows(2);
/// let mut columns = [TextBatch::new(), TextBatch::new()];
/// assert_eq!(reader.next_batch(&mut columns)?, 2);
/// assert_eq!(columns[0].iter().collect::<Vec<_>>(), [Some("Zoë"), Some("Uwe")]);
/// assert_eq!(columns[1].iter().collect::<Vec<_>>(), [Some("Bern"), None]);
/// assert_eq!(reader.next_batch(&mut columns)?, 1);
/// assert_eq!(columns[1].get(0), Some("Ulm"));
/// assert_eq!(reader.next_batch(&mut columns)?, 0);
/// # Ok::<(), rusqlite::Error>(())
/// ```
pub struct BatchReader<'s> {
    rows: TextRows<'s>,
    max_rows: usize,
    max_bytes: usize,
    policy: TypePolicy,
    lossy: bool,
    /// The row that SQLite stands on had no room in the last batch; it is read again with the
    /// policy that it was read with then, since a conversion may have changed its class.
    put_off: Option<TypePolicy>,
    /// What the columns of the last batch took, when they were fresh: the next may be so too.
    taken: SmallVec<[usize; 4]>,
    taken_rows: usize,
}

impl BatchReader<'_> {
    /// How many rows a batch has at most; 0 counts as 1. 8192 unless set.
    #[must_use]
    pub fn max_rows(mut self, rows: usize) -> Self {
        self.max_rows = rows.max(1);
        self
    }

    /// How many bytes of UTF-8 a batch has at most in all its columns together; but a batch has
    /// one row at least. 16 MiB unless set.
    ///
    /// Texts of some kilobytes are read up to half as fast again in batches that stay in the
    /// processor's cache, of 256 KiB say.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// What to make of values that are not TEXT; that of the [`TextStatement`] unless set. With
    /// [`TypePolicy::TextOnly`] NULL is an error.
    ///
    /// A row that the last batch had no room for keeps the policy of then.
    #[must_use]
    pub fn policy(mut self, policy: TypePolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Whether text that is none is taken with U+FFFD, as [`TextRow::text_lossy`] puts it, instead
    /// of being an error.
    ///
    /// [`TextRow::text_lossy`]: crate::TextRow::text_lossy
    #[must_use]
    pub fn lossy(mut self, lossy: bool) -> Self {
        self.lossy = lossy;
        self
    }

    /// Puts the next rows into `columns`, replacing what they hold, and says how many; 0 at the
    /// end.
    ///
    /// The columns are the first ones of the result. They get the same number of rows: as many as
    /// [`max_rows`](Self::max_rows) and [`max_bytes`](Self::max_bytes) allow and as the offsets
    /// reach, 2 GiB a column with `i32`; the row that had no room is the first of the next batch.
    /// With no columns at all the rows are only counted.
    ///
    /// # Errors
    /// What [`TextRow::text_opt`](crate::TextRow::text_opt) would say, row by row and there column
    /// by column, of the first value that cannot be taken; what SQLite says while it looks for
    /// a row; [`Error::TooBig`] when a single text is too long for the offsets;
    /// [`Error::ColumnOutOfRange`] when the result has fewer columns. Then the columns are empty,
    /// also of the rows before, and the reader is at its end.
    pub fn next_batch<O: Offset>(&mut self, columns: &mut [TextBatch<O>]) -> Result<usize> {
        if self.rows.ended {
            columns.iter_mut().for_each(TextBatch::clear);
            return Ok(0);
        }
        let filled = self.fill(columns);
        if filled.is_err() {
            columns.iter_mut().for_each(TextBatch::clear);
            self.rows.ended = true;
        }
        filled
    }

    fn fill<O: Offset>(&mut self, columns: &mut [TextBatch<O>]) -> Result<usize> {
        if columns.len() > self.rows.columns {
            return Err(match self.rows.first.take() {
                Some(Err(error)) => error,
                _ => Error::ColumnOutOfRange { column: self.rows.columns },
            });
        }
        let fresh = self.start(columns);
        let first_policy = self.put_off.unwrap_or(self.policy);
        if !self.stand()? {
            self.rows.ended = true;
            return Ok(0);
        }
        let start = self.rows.row;
        let mut place = Place { start, rows: 0, first_policy };
        let mut bytes = 0;
        // When to stop and look: at the end of a chunk, or when the batch may be full.
        let mut stop = CHUNK.min(self.max_bytes);
        // Beside the results: those are then returned in registers, value by value.
        let mut error = None;
        let put_off = loop {
            match self.read(columns, &place, &mut error) {
                Some(size) => bytes += size,
                None if error.is_none() && place.rows != 0 => break true,
                None => {
                    return Err(first_error(columns, start, error.unwrap_or(Error::TooBig)));
                }
            }
            if bytes >= stop {
                if bytes > self.max_bytes && place.rows != 0 {
                    break true;
                }
                check(columns, start)?;
                stop = bytes.saturating_add(CHUNK).min(self.max_bytes);
            }
            place.rows += 1;
            if place.rows >= self.max_rows || bytes >= self.max_bytes {
                break false;
            }
            let code = self.rows.run.statement.step_code();
            if code != ffi::SQLITE_ROW && self.is_end(code, columns, start)? {
                break false;
            }
        };
        let rows = place.rows;
        if put_off {
            columns.iter_mut().for_each(|column| column.cut(rows));
            self.put_off = Some(self.policy);
        }
        self.rows.row = start + rows - usize::from(!put_off);
        check(columns, start)?;
        if fresh {
            self.taken.clear();
            self.taken.extend(columns.iter_mut().map(|column| column.cells().size()));
            self.taken_rows = rows;
        }
        Ok(rows)
    }

    /// Empties the columns and makes room in those that have never had any; whether there are such.
    fn start<O: Offset>(&self, columns: &mut [TextBatch<O>]) -> bool {
        let mut fresh = false;
        for (i, column) in columns.iter_mut().enumerate() {
            column.clear();
            let (rows, bytes) = match self.taken.get(i) {
                _ if column.cells().capacity() != 0 => (0, 0),
                // Not more than a batch has, for a single long text may have been more.
                Some(bytes) => (self.taken_rows, (bytes + bytes / 8).min(self.max_bytes)),
                None => FRESH,
            };
            fresh |= rows != 0;
            column.cells().start(rows.min(self.max_rows), bytes);
        }
        fresh
    }

    /// Whether there is a row to begin with: the one that SQLite stands on already, or the next.
    fn stand(&mut self) -> Result<bool> {
        if self.put_off.take().is_some() {
            return Ok(true);
        }
        self.rows.first.take().unwrap_or_else(|| {
            self.rows.row += 1;
            self.rows.run.statement.step()
        })
    }

    /// Whether the code of a step, which is no row, is the end.
    #[cold]
    fn is_end<O: Offset>(
        &mut self,
        code: c_int,
        columns: &[TextBatch<O>],
        start: usize,
    ) -> Result<bool> {
        let more = self.rows.run.statement.row_or_end(code);
        self.rows.ended = true;
        more.map(|more| !more).map_err(|error| first_error(columns, start, error))
    }

    /// Appends the row; how many bytes that were, or `None` when a column has no room for it or
    /// there is an `error`.
    #[inline(always)]
    fn read<O: Offset>(
        &self,
        columns: &mut [TextBatch<O>],
        place: &Place,
        error: &mut Option<Error>,
    ) -> Option<usize> {
        let mut size = 0;
        for (i, column) in columns.iter_mut().enumerate() {
            size += match self.rows.run.statement.text(i) {
                Ok(bytes) if !self.lossy => column.cells().append(bytes)?,
                Ok(bytes) => column.cells().append_lossy(bytes)?,
                Err(missed) => self.append_missed(missed, i, column, place, error)?,
            };
        }
        Some(size)
    }

    // Out of the way of a text that need only be copied, with all that it takes to know: the
    // compiler would have that ready for each row.
    #[inline(never)]
    fn append_missed<O: Offset>(
        &self,
        missed: Missed,
        i: usize,
        column: &mut TextBatch<O>,
        place: &Place,
        error: &mut Option<Error>,
    ) -> Option<usize> {
        let value = Value {
            statement: &self.rows.run.statement,
            i,
            row: place.start + place.rows,
            utf16: self.rows.utf16,
            policy: if place.rows == 0 { place.first_policy } else { self.policy },
            lossy: self.lossy,
        };
        value.append(missed, column, error)
    }
}

/// Where a batch is.
struct Place {
    /// The number of its first row.
    start: usize,
    /// How many rows it has.
    rows: usize,
    /// That of its first row.
    first_policy: TypePolicy,
}

/// A value that [`Statement::text`] missed, and how it is to be taken.
#[derive(Clone, Copy)]
struct Value<'s> {
    statement: &'s Statement,
    i: usize,
    row: usize,
    utf16: bool,
    policy: TypePolicy,
    lossy: bool,
}

impl Value<'_> {
    /// Appends it; how many bytes that were, or `None` when there is no room or an `error`.
    #[inline]
    fn append<O: Offset>(
        self,
        mut missed: Missed,
        column: &mut TextBatch<O>,
        error: &mut Option<Error>,
    ) -> Option<usize> {
        if let (true, Missed::Indirect) = (self.utf16, missed) {
            let append = |units: &[u16]| self.append_utf16(units, column.cells(), error);
            match self.statement.text16(self.i, append) {
                Ok(appended) => return appended,
                Err(again) => missed = again,
            }
        }
        let bytes = match self.is_null(missed) {
            Ok(true) => {
                column.append_null();
                return Some(0);
            }
            Ok(false) if self.utf16 => {
                let append = |units: &[u16]| self.append_utf16(units, column.cells(), error);
                return self.statement.units(self.i, append).unwrap_or_else(|failed| {
                    *error = Some(failed);
                    None
                });
            }
            Ok(false) => self.statement.coerced(self.i),
            Err(refused) => Err(refused),
        };
        match bytes {
            Ok(bytes) if self.lossy => column.cells().append_lossy(bytes),
            Ok(bytes) => column.cells().append(bytes),
            Err(failed) => {
                *error = Some(failed);
                None
            }
        }
    }

    #[inline]
    fn append_utf16<O: Offset>(
        self,
        units: &[u16],
        cells: &mut Cells<O>,
        error: &mut Option<Error>,
    ) -> Option<usize> {
        match cells.append_utf16(units) {
            Some((_, lone)) if lone != 0 && !self.lossy => {
                let index = utf16::validate(units).err().map_or(0, |lone| lone.index);
                *error = Some(Error::InvalidUtf16 { column: self.i, row: self.row, index });
                None
            }
            appended => appended.map(|(size, _)| size),
        }
    }

    /// Whether it is a NULL that the policy allows; an error if the policy does not allow it.
    fn is_null(self, missed: Missed) -> Result<bool> {
        match (self.statement.missed_class(self.i, missed), self.policy) {
            (StorageClass::Text, _) => Ok(false),
            (StorageClass::Null, TypePolicy::TextOrNull | TypePolicy::Coerce) => Ok(true),
            (_, TypePolicy::Coerce) => Ok(false),
            (actual, _) => Err(wrong(self.i, self.row, actual)),
        }
    }
}

/// Checks what was appended since the last check, up to the end of a row; `start` is the number of
/// the first row of the batch.
fn check<O: Offset>(columns: &mut [TextBatch<O>], start: usize) -> Result<()> {
    if columns.iter_mut().all(|column| column.cells().check()) {
        return Ok(());
    }
    first_invalid(columns, start).map_or(Ok(()), Err)
}

/// What reading value by value would have met first: text that is none, or `error`.
#[cold]
fn first_error<O: Offset>(columns: &[TextBatch<O>], start: usize, error: Error) -> Error {
    first_invalid(columns, start).unwrap_or(error)
}

/// The first text that is none, by rows.
#[cold]
fn first_invalid<O: Offset>(columns: &[TextBatch<O>], start: usize) -> Option<Error> {
    let invalid = columns.iter().enumerate().filter_map(|(i, column)| {
        let (row, valid_up_to) = column.first_invalid()?;
        Some((row, i, valid_up_to))
    });
    let (row, column, valid_up_to) = invalid.min()?;
    Some(Error::InvalidUtf8 { column, row: start + row, valid_up_to })
}

impl<'s> TextRows<'s> {
    /// Reads the rows that are still to come many at a time.
    ///
    #[cfg_attr(feature = "rusqlite", doc = "```")]
    #[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
    /// use sqlite_text::{TextBatch, TextStatement};
    ///
    /// let db = rusqlite::Connection::open_in_memory()?;
    /// let mut statement = TextStatement::prepare(&db, "VALUES (1, 'Bern'), (2, 'Ulm')")?;
    /// let mut rows = statement.query(&[])?;
    /// assert_eq!(rows.next()?.unwrap().text(1)?, "Bern");
    /// let mut columns = [TextBatch::new(), TextBatch::new()];
    /// let mut rest = rows.batches().policy(sqlite_text::TypePolicy::Coerce);
    /// assert_eq!(rest.next_batch(&mut columns)?, 1);
    /// assert_eq!((columns[0].get(0), columns[1].get(0)), (Some("2"), Some("Ulm")));
    /// # Ok::<(), rusqlite::Error>(())
    /// ```
    #[must_use]
    pub fn batches(self) -> BatchReader<'s> {
        let policy = self.run.policy;
        BatchReader {
            rows: self,
            max_rows: 8192,
            max_bytes: 16 << 20,
            policy,
            lossy: false,
            put_off: None,
            taken: SmallVec::new(),
            taken_rows: 0,
        }
    }
}

#[cfg(feature = "rusqlite")]
impl TextStatement<'_> {
    /// [`query`](Self::query), to be read many rows at a time, as the example of [`BatchReader`]
    /// shows. Without rusqlite: [`query_bound`](Self::query_bound) and [`TextRows::batches`].
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn read_batch(&mut self, params: &[&dyn rusqlite::ToSql]) -> Result<BatchReader<'_>> {
        self.query(params).map(TextRows::batches)
    }
}

impl fmt::Debug for BatchReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchReader")
            .field("max_rows", &self.max_rows)
            .field("max_bytes", &self.max_bytes)
            .field("policy", &self.policy)
            .field("lossy", &self.lossy)
            .finish_non_exhaustive()
    }
}
