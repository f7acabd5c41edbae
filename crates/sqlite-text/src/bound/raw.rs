//! Memory lent to SQLite, and the proof that it gets it back in time.
//!
//! SQLite asks for the bytes of a static binding to stay as they are "until either the prepared
//! statement is finalized or the same SQL parameter is bound to something else"
//! (<https://www.sqlite.org/c3ref/bind_blob.html>). The borrow `'a` sees to that:
//!
//! * **While the statement lives.** [`Lent`] owns it, and everything that runs it borrows `Lent`,
//!   so `'a` lasts as long. What SQLite does with the value in a run ends with the run: registers
//!   and accumulators may share the pointer, records, sorters and caches copy it. When the schema
//!   has changed, it prepares anew inside `sqlite3_step` and moves the binding over
//!   (`sqlite3TransferBindings`). A trace hook gets the statement, and with `sqlite3_expanded_sql`
//!   the text, in a step, a reset or the finalising: all three happen within `'a`.
//! * **When it is dropped**, SQLite finalises it. `Lent` has a field whose `Drop` knows `'a`, so
//!   the compiler does not let the text die first.
//! * **When it is given back** ([`Lent::give_back`], a call within `'a`), the run is ended and each
//!   parameter is bound to NULL.
//! * **When binding fails**, SQLite may have kept the pointer: a UTF-16 database had no memory for
//!   the conversion. The callers drop `Lent` then, within `'a`; it is never given back as it is.
//! * **When it is forgotten** (`mem::forget`, a cycle of `Rc`), no destructor runs, `'a` ends, and
//!   the pointer dangles in a statement that nobody has any more. SQLite reads a bound value only
//!   when it is told to run, trace, copy or expand *that* statement, and to tell it one needs its
//!   address. Through the connection there are these ways to a statement, none of which reads a
//!   binding: other statements that change the schema, roll back or are interrupted mark it or move
//!   its cursors; `sqlite3_db_status` and the table `sqlite_stmt` count its memory and steps;
//!   rusqlite's `Connection::is_busy` asks each whether it runs; `sqlite3_close`, which rusqlite
//!   calls, finds it and refuses (`SQLITE_BUSY`), and `sqlite3_close_v2` waits for it for ever, so
//!   that the connection leaks with it. Trace hooks are only called for a statement that is used.
//!   What remains is `sqlite3_next_stmt`, which hands the address out: to use it is `unsafe`, and
//!   who does that with a statement that is not his own has to know what is bound to it.

use crate::error::Result;
use crate::raw::{Statement, number};
use crate::{TextRows, TextStatement, ffi};
use core::marker::PhantomData;

/// A statement together with the borrow of the texts that are bound to it.
///
/// The statement is not to be moved out of it other than by `give_back`.
pub(super) struct Lent<'c, 'a> {
    statement: TextStatement<'c>,
    /// Whether it has been reset since its last step. Rows reset it when they are dropped, but they
    /// may be forgotten.
    at_rest: bool,
    _texts: Texts<'a>,
}

/// Makes the texts outlive the statement also where that is only dropped.
struct Texts<'a>(PhantomData<&'a str>);

impl Drop for Texts<'_> {
    fn drop(&mut self) {}
}

impl<'c, 'a> Lent<'c, 'a> {
    /// Nothing is bound to it; `statement` is not made of NULL.
    pub(super) fn new(statement: TextStatement<'c>) -> Self {
        let mut lent = Self { statement, at_rest: false, _texts: Texts(PhantomData) };
        lent.at_rest().clear_bindings();
        lent
    }

    /// Binds `text` without a copy, in place of what was bound there. On an error `self` is to be
    /// dropped.
    #[inline]
    pub(super) fn lend(&mut self, i: usize, text: &'a str) -> Result<()> {
        let statement = self.at_rest();
        let (i, start, length) = (number(i), text.as_ptr().cast(), text.len() as u64);
        // Not SQLITE_UTF8_ZT, which promises a NUL behind the text.
        let (lent, utf8) = (ffi::SQLITE_STATIC(), ffi::SQLITE_UTF8 as u8);
        // SAFETY: the statement is alive, and SQLite refuses a parameter that is not there and a
        // length beyond its limit; `start` has `length` bytes and, as the pointer of a `str`, is
        // never NULL, so that "" is a text; nothing writes to them during `'a`, and for as long as
        // SQLite reads them, as the module's head says.
        let code = unsafe { ffi::sqlite3_bind_text64(statement.raw, i, start, length, lent, utf8) };
        statement.bound(code)
    }

    /// The statement with nothing bound.
    pub(super) fn give_back(mut self) -> TextStatement<'c> {
        self.at_rest().clear_bindings();
        self.statement
    }

    /// The statement between two runs: in the middle of one it still uses what is bound.
    #[inline]
    pub(super) fn at_rest(&mut self) -> &mut Statement {
        let statement = &mut self.statement.run.statement;
        if !self.at_rest {
            statement.reset();
            self.at_rest = true;
        }
        statement
    }

    /// Steps it once, from the start, and puts it to rest: whether there was a row.
    #[inline]
    pub(super) fn step_once(&mut self) -> Result<bool> {
        let statement = self.at_rest();
        let row = statement.step();
        statement.reset();
        row
    }

    /// Its rows.
    #[inline]
    pub(super) fn rows(&mut self) -> TextRows<'_> {
        self.at_rest();
        self.at_rest = false;
        TextRows::start(&mut self.statement.run)
    }

    pub(super) fn get(&self) -> &TextStatement<'c> {
        &self.statement
    }
}

impl Statement {
    /// How many rows the last INSERT, UPDATE or DELETE on the connection has changed.
    #[inline]
    pub(super) fn changes(&self) -> usize {
        // SAFETY: the connection is open as long as the statement lives.
        usize::try_from(unsafe { ffi::sqlite3_changes64(self.db) }).unwrap_or(usize::MAX)
    }
}
