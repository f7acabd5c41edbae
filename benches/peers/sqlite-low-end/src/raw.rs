//! The C interface, as a user of `sqlite-text` without rusqlite calls it.

use sqlite_text::function::create_text_function_raw;
use sqlite_text::{Result, TextReader, TextStatement, ffi};
use sqlx::sqlite::LockedSqliteHandle;
use std::ffi::{CString, c_int};
use std::ptr;

/// A connection in memory.
#[derive(Debug)]
pub struct Db(*mut ffi::sqlite3);

impl Db {
    /// In that encoding; `flags` says whether it has a mutex.
    ///
    /// # Panics
    /// When SQLite cannot open it.
    #[must_use]
    pub fn open(encoding: &str, flags: c_int) -> Self {
        let mut db = ptr::null_mut();
        let flags = flags | ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE;
        // SAFETY: the name ends with a NUL, `db` takes the handle, and no VFS is named.
        let code =
            unsafe { ffi::sqlite3_open_v2(c":memory:".as_ptr(), &raw mut db, flags, ptr::null()) };
        assert_eq!(code, ffi::SQLITE_OK);
        let db = Self(db);
        db.run(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE made (made)"));
        db
    }

    /// Runs all statements of `sql`.
    ///
    /// # Panics
    /// When one of them fails.
    pub fn run(&self, sql: &str) {
        let sql = CString::new(sql).expect("no NUL");
        let (none, nothing) = (None, ptr::null_mut());
        // SAFETY: the connection is open; no callback, no message wanted.
        let code =
            unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), none, nothing, ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK, "{sql:?}");
    }

    /// A statement of `sql`, read by `sqlite-text`.
    ///
    /// # Panics
    /// When SQLite refuses it.
    #[must_use]
    pub fn statement(&self, sql: &str) -> TextStatement<'_> {
        // SAFETY: the connection is open.
        let raw = unsafe { prepare(self.0, sql) };
        // SAFETY: a new statement of this connection, which stays open while it is borrowed; the
        // connection is not `Sync`, so this thread alone uses both.
        unsafe { TextStatement::from_raw(self.0, raw) }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // SAFETY: open, and not used any more. It refuses while a statement is not finalised.
        assert_eq!(unsafe { ffi::sqlite3_close(self.0) }, ffi::SQLITE_OK);
    }
}

/// A statement of `sql` on sqlx's connection, read by `sqlite-text` while sqlx keeps away from it.
///
/// # Panics
/// When SQLite refuses it.
#[must_use]
pub fn on_sqlx<'h>(handle: &'h mut LockedSqliteHandle<'_>, sql: &str) -> TextStatement<'h> {
    let db = handle.as_raw_handle().as_ptr();
    // SAFETY: the connection is open, and sqlx's thread does not use it while the handle is locked.
    let raw = unsafe { prepare(db, sql) };
    // SAFETY: a new statement of this connection. Its handle stays locked while it is borrowed: sqlx's
    // thread neither uses nor closes the connection, and nobody else has the statement.
    unsafe { TextStatement::from_raw(db, raw) }
}

/// The text of a row of `t (id, s)` on sqlx's connection, piece by piece.
///
/// # Errors
/// As [`TextReader::open_raw`].
pub fn reader_on_sqlx<'h>(
    handle: &'h mut LockedSqliteHandle<'_>,
    rowid: i64,
) -> Result<TextReader<'h>> {
    let db = handle.as_raw_handle().as_ptr();
    // SAFETY: the connection is open, and sqlx's thread neither uses nor closes it while the handle is
    // borrowed.
    unsafe { TextReader::open_raw(db, "main", "t", "s", rowid) }
}

/// Gives sqlx's connection the SQL function `trimmed(text)`.
///
/// # Errors
/// As [`create_text_function_raw`].
pub fn function_on_sqlx(handle: &mut LockedSqliteHandle<'_>) -> Result<()> {
    let db = handle.as_raw_handle().as_ptr();
    let flags = ffi::SQLITE_DETERMINISTIC;
    // SAFETY: the connection is open; one thread at a time uses it, who has it locked or sqlx's.
    unsafe {
        create_text_function_raw(db, "trimmed", 1, flags, |args| {
            Ok(args.text_opt(0)?.map(str::trim).into())
        })
    }
}

/// # Safety
/// `db` is an open connection that no other thread uses.
unsafe fn prepare(db: *mut ffi::sqlite3, sql: &str) -> *mut ffi::sqlite3_stmt {
    let sql = CString::new(sql).expect("no NUL");
    let mut statement = ptr::null_mut();
    // SAFETY: the caller vouches for `db`; `sql` ends with a NUL and `statement` takes the handle.
    let code = unsafe {
        ffi::sqlite3_prepare_v2(db, sql.as_ptr(), -1, &raw mut statement, ptr::null_mut())
    };
    assert_eq!(code, ffi::SQLITE_OK, "{sql:?}");
    statement
}
