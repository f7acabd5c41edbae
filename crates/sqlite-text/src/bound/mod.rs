//! Statements with parameters that SQLite reads where they lie.

#[allow(unsafe_code, reason = "memory is lent to SQLite")]
mod raw;
#[cfg(doctest)]
mod rules;

use crate::error::Result;
use crate::rows::TextRows;
use crate::statement::misuse;
use crate::{TextStatement, bind};
use core::fmt;
use raw::Lent;

/// A statement with texts bound to it that SQLite reads where they lie, without a copy.
///
/// Binding otherwise copies the value. Without that a long text is stored with one copy less, and
/// compared or looked up with none. Short texts and numbers gain nothing; mix them in with
/// [`bind`](Self::bind).
///
/// ```
/// use sqlite_text::TextStatement;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// db.execute_batch("CREATE TABLE page (url, html)")?;
/// let pages = [("/", "<p>Start"), ("/map", "<p>Plan")].map(|(url, html)| (url, html.repeat(1000)));
///
/// let insert = TextStatement::prepare(&db, "INSERT INTO page VALUES (?1, ?2)")?;
/// let mut insert = insert.bind_static(1, "")?;
/// for (url, html) in &pages {
///     insert = insert.bind_static(2, html)?;
///     insert.bind(1, url)?;
///     assert_eq!(insert.execute()?, 1);
/// }
///
/// let find = TextStatement::prepare(&db, "SELECT url FROM page WHERE html = ?1")?;
/// let mut find = find.bind_static(1, &pages[1].1)?;
/// assert_eq!(find.query()?.next()?.unwrap().text(0)?, "/map");
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// It owns the statement, and the texts stay borrowed for as long as it lives, so they can neither
/// change nor go away ("the object and pointer to it must remain valid until either the prepared
/// statement is finalized or the same SQL parameter is bound to something else", says
/// [SQLite](https://www.sqlite.org/c3ref/bind_blob.html)):
/// ```compile_fail,E0505
/// # use sqlite_text::TextStatement;
/// # let db = rusqlite::Connection::open_in_memory()?;
/// let text = String::from("Zürich");
/// let mut statement = TextStatement::prepare(&db, "SELECT ?1")?.bind_static(1, &text)?;
/// drop(text);
/// statement.query()?;
/// # Ok::<(), rusqlite::Error>(())
/// ```
/// To be free of one text and go on with another of any lifetime, [`unbind`](Self::unbind) it:
/// ```
/// # use sqlite_text::TextStatement;
/// # let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = TextStatement::prepare(&db, "SELECT 'yes' WHERE ?1 IN ('aa', 'bbb')")?;
/// let mut found = 0;
/// for n in 0..4 {
///     let text = "a".repeat(n);
///     let mut bound = statement.bind_static(1, &text)?;
///     found += usize::from(bound.query()?.next()?.is_some());
///     statement = bound.unbind();
/// }
/// assert_eq!(found, 1);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// # Where SQLite copies all the same
/// * In a UTF-16 database it converts the text when it is bound (and before SQLite 3.54, however it
///   is bound, takes U+FFFE and U+FFFF for U+FFFD).
/// * A text that is itself a column of the result (`SELECT ?1`), or the argument of a function
///   (`instr(?1, 'x')`), is copied once in each run, when it is first read as text: SQLite wants a
///   NUL behind it. It does that with a bound copy, too.
///
/// # When it is forgotten
/// `mem::forget` is safe but leaks the statement, and a connection with a statement cannot be
/// closed: rusqlite's `Connection::close` then says "unable to close due to unfinalized statements"
/// and its drop leaks the connection, too. The texts are free again after that, for nobody is left
/// who could run the statement. `unsafe` code of yours that takes statements of others from
/// `sqlite3_next_stmt` must not run or expand such a one.
pub struct BoundStatement<'c, 'a>(Lent<'c, 'a>);

impl<'c> TextStatement<'c> {
    /// Binds `text` to the parameter `i`, counted from 1, without a copy. What was bound before is
    /// no more; parameters that get no value are NULL.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) with code 25 when there is no such parameter, with
    /// code 21 when the statement was made of a NULL pointer; [`Error::TooBig`](crate::Error) when
    /// the text is longer than SQLite allows (1 000 000 000 bytes unless limited otherwise, and
    /// always below 2³¹); [`Error::NoMem`](crate::Error) from a UTF-16 database. With the error the
    /// statement is gone.
    pub fn bind_static<'a>(self, i: usize, text: &'a str) -> Result<BoundStatement<'c, 'a>> {
        if self.run.statement.is_null() {
            return Err(misuse("the SQL holds no statement"));
        }
        BoundStatement(Lent::new(self)).bind_static(i, text)
    }
}

impl<'c, 'a> BoundStatement<'c, 'a> {
    /// Binds `text` to the parameter `i`, counted from 1, without a copy. It replaces what was
    /// bound there; the other parameters keep theirs.
    ///
    /// # Errors
    /// As [`TextStatement::bind_static`]; with the error the statement is gone.
    #[inline]
    pub fn bind_static(mut self, i: usize, text: &'a str) -> Result<Self> {
        self.0.lend(i, text)?;
        Ok(self)
    }

    /// Binds a copy of any value to the parameter `i`, counted from 1. It replaces what was bound
    /// there, with or without a copy; the other parameters keep theirs.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) with code 25 when there is no such parameter, with
    /// code 20 when `value` cannot be made one of SQLite's; [`Error::TooBig`](crate::Error) and
    /// [`Error::NoMem`](crate::Error). After any but the first, NULL is bound there.
    pub fn bind(&mut self, i: usize, value: &dyn rusqlite::ToSql) -> Result<()> {
        let statement = self.0.at_rest();
        statement.bind_null(i)?;
        let bound = bind::one(statement, i, value);
        if bound.is_err() {
            statement.bind_null(i)?;
        }
        bound
    }

    /// Runs it and reads its rows. The bindings stay for the next run.
    ///
    /// # Errors
    /// None today. An error of the run itself comes from [`TextRows::next`].
    #[inline]
    pub fn query(&mut self) -> Result<TextRows<'_>> {
        Ok(self.0.rows())
    }

    /// Runs a statement that gives no rows, to its end, and tells how many rows it has changed. The
    /// bindings stay for the next run.
    ///
    /// As `execute` of rusqlite's `Statement`: the count is that of `sqlite3_changes64`, so a
    /// statement that is no INSERT, UPDATE or DELETE repeats the count of the last one on the
    /// connection that was; and rows are an error, but by then the statement has run to its first.
    /// An INSERT with RETURNING has inserted all its rows by then, and they stay.
    ///
    /// # Errors
    /// [`Error::Sqlite`](crate::Error::Sqlite) with code 21 when the statement gives a row, and
    /// with SQLite's own codes when the run fails (19 for a constraint);
    /// [`Error::TooBig`](crate::Error) and [`Error::NoMem`](crate::Error).
    #[inline]
    pub fn execute(&mut self) -> Result<usize> {
        if self.0.step_once()? {
            return Err(misuse("the statement gives rows; they are read with `query`"));
        }
        Ok(self.0.get().run.statement.changes())
    }

    /// The statement with nothing bound, and the texts are free.
    #[must_use = "dropping it has the same effect, and finalises the statement"]
    pub fn unbind(self) -> TextStatement<'c> {
        self.0.give_back()
    }
}

impl fmt::Debug for BoundStatement<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BoundStatement").field(self.0.get()).finish()
    }
}
