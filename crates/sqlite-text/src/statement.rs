//! A prepared statement of our own, at the full speed of the C interface.

use crate::error::{Error, Result};
use crate::ffi;
use crate::raw;
use crate::rows::{Run, TextRows};
use core::fmt;
use core::marker::PhantomData;

/// What a reader makes of values that are not TEXT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TypePolicy {
    /// NULL, numbers and BLOBs are an error.
    TextOnly,
    /// NULL is `None` where a getter returns an `Option`; numbers and BLOBs are an error.
    #[default]
    TextOrNull,
    /// NULL is `None` where a getter returns an `Option`; numbers and BLOBs are what SQLite's
    /// `CAST(… AS TEXT)` makes of them.
    Coerce,
}

/// A prepared statement that reads text as fast as SQLite hands it out.
///
/// Where [`RowTextExt`](crate::RowTextExt) works on any row of rusqlite, this prepares and steps by
/// itself, and so saves what rusqlite does for each value. It also knows what rusqlite cannot say:
/// in a UTF-16 database a lone surrogate is an error that names its place, and out of memory is an
/// error and no panic.
///
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::TextStatement;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('one'), ('two'), ('three')")?;
/// let mut statement = TextStatement::prepare(&db, "SELECT s FROM t WHERE length(s) = ?1")?;
/// let mut rows = statement.query(&[&3])?;
/// let mut found = Vec::new();
/// while let Some(row) = rows.next()? {
///     found.push(row.text_buf(0)?);
/// }
/// assert_eq!(found, ["one", "two"]);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// It does not outlive its connection, and its rows not the next run:
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0505")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextStatement;
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = TextStatement::prepare(&db, "SELECT 'a'")?;
/// drop(db);
/// statement.query(&[])?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0597")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextStatement;
/// let _statement; // dropped after `db`
/// let db = rusqlite::Connection::open_in_memory()?;
/// _statement = TextStatement::prepare(&db, "SELECT 'a'")?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[cfg_attr(feature = "rusqlite", doc = "```compile_fail,E0499")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// # use sqlite_text::TextStatement;
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = TextStatement::prepare(&db, "SELECT 'a'")?;
/// let mut rows = statement.query(&[])?;
/// statement.query(&[])?;
/// rows.next()?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
pub struct TextStatement<'c> {
    pub(crate) run: Run,
    _connection: Connected<'c>,
}

/// Makes the connection outlive the statement also where that is only dropped: without a `Drop`
/// that knows `'c` the compiler would let the connection be closed before the statement is
/// finalised.
struct Connected<'c>(PhantomData<&'c ()>);

impl Drop for Connected<'_> {
    fn drop(&mut self) {}
}

impl TextStatement<'_> {
    pub(crate) fn of(statement: raw::Statement) -> Self {
        Self { run: Run::new(statement), _connection: Connected(PhantomData) }
    }

    /// Gives the statement away; the caller finalises it.
    #[must_use = "a statement that nobody finalises keeps its connection open"]
    pub fn into_raw(self) -> *mut ffi::sqlite3_stmt {
        self.run.statement.into_raw()
    }

    /// What to make of values that are not TEXT; [`TypePolicy::TextOrNull`] unless set.
    #[must_use]
    pub fn policy(mut self, policy: TypePolicy) -> Self {
        self.run.policy = policy;
        self
    }

    /// Runs it with these parameters, which replace all that were bound before.
    ///
    /// # Errors
    /// [`Error::Sqlite`] with code 25 when there are not as many parameters as the statement has,
    /// with code 20 when one cannot be made a value; [`Error::TooBig`] and [`Error::NoMem`]. An
    /// error of the run itself comes from [`TextRows::next`].
    #[cfg(feature = "rusqlite")]
    pub fn query(&mut self, params: &[&dyn rusqlite::ToSql]) -> Result<TextRows<'_>> {
        self.ready()?;
        crate::bind::all(&mut self.run.statement, params)?;
        Ok(TextRows::start(&mut self.run))
    }

    /// Runs it with the parameters as they are bound now (those never bound are NULL).
    ///
    /// # Errors
    /// [`Error::Sqlite`] with code 21 when it was made of a NULL pointer. An error of the run
    /// itself comes from [`TextRows::next`].
    pub fn query_bound(&mut self) -> Result<TextRows<'_>> {
        self.ready()?;
        Ok(TextRows::start(&mut self.run))
    }

    /// The first column of that name, ASCII letters of either case being equal.
    ///
    /// The names are those of the last time that SQLite prepared the statement. When the schema may
    /// have changed since, ask [`TextRows::column_index`].
    #[must_use]
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.run.column_index(name)
    }

    fn ready(&mut self) -> Result<()> {
        if self.run.statement.is_null() {
            return Err(misuse("the SQL holds no statement"));
        }
        // Rows that were forgotten instead of dropped have left it in the middle of a run.
        self.run.rewind();
        Ok(())
    }
}

impl fmt::Debug for TextStatement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextStatement").field("policy", &self.run.policy).finish_non_exhaustive()
    }
}

pub(crate) fn misuse(message: &str) -> Error {
    let code = ffi::SQLITE_MISUSE;
    Error::Sqlite { code, extended: code, message: message.to_owned() }
}

/// An error unless `rest` is what may follow a statement: blanks, semicolons, comments. It is not
/// prepared to find that out, for SQLite runs many a PRAGMA while it prepares it.
#[cfg(feature = "rusqlite")]
pub(crate) fn nothing_in(mut rest: &[u8]) -> Result<()> {
    let more = || misuse("the SQL holds more than one statement");
    // At a NUL SQLite stops and leaves the rest as it is.
    if rest.contains(&0) {
        return Err(more());
    }
    while !rest.is_empty() {
        rest = match rest {
            [b' ' | b'\t' | b'\n' | b'\x0C' | b'\r' | b';', behind @ ..] => behind,
            // U+FEFF is a blank.
            [0xEF, 0xBB, 0xBF, behind @ ..] => behind,
            [b'-', b'-', ..] => rest.iter().position(|b| *b == b'\n').map_or(&[], |i| &rest[i..]),
            [b'/', b'*', comment @ ..] if !comment.is_empty() => {
                let end = comment.windows(2).position(|two| two == b"*/");
                end.map_or(&[], |i| &comment[i + 2..])
            }
            _ => return Err(more()),
        };
    }
    Ok(())
}
