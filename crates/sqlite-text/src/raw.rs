//! The C interface of SQLite, and bytes that are known to be UTF-8.
//!
//! What the proofs below rest on, from "Result Values From A Query" of SQLite's documentation: the
//! pointer of a text is good until the statement is stepped, reset or finalised, or the same cell
//! is asked for another form of itself. The first three need `&mut Statement`, so no borrow of a
//! cell outlives them. The last is avoided by the callers in `rows` and `batch`: during one run a
//! cell is asked either for its UTF-8 only (`text`, `coerced`: asked again, SQLite gives the same
//! pointer) or for its UTF-16 only (`text16`, `units`, whose borrows end within them).

use crate::error::{Error, Result, StorageClass};
use crate::{TextRow, TextStatement, ffi};
use core::ffi::{CStr, c_int, c_void};
use core::{ptr, slice};

// libsqlite3-sys leaves out whatever has 16 in its name.
// SAFETY: the signatures are those of sqlite3.h.
unsafe extern "C" {
    fn sqlite3_column_text16(statement: *mut ffi::sqlite3_stmt, column: c_int) -> *const c_void;
    fn sqlite3_column_bytes16(statement: *mut ffi::sqlite3_stmt, column: c_int) -> c_int;
    pub(crate) fn sqlite3_value_text16(value: *mut ffi::sqlite3_value) -> *const c_void;
    pub(crate) fn sqlite3_value_bytes16(value: *mut ffi::sqlite3_value) -> c_int;
}

/// A prepared statement, finalised when dropped.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) db: *mut ffi::sqlite3,
    // Alive; or NULL, when `new` was given that, and then only asked for its columns and finalised,
    // which SQLite allows of NULL.
    pub(crate) raw: *mut ffi::sqlite3_stmt,
    // Values may be read past the connection's mutex, because it has none.
    unlocked: bool,
    // They may, and TEXT is asked for as UTF-8.
    direct: bool,
}

/// Why [`Statement::text`] has no text: to be asked for by other functions, or of another class.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Missed {
    /// There is no short way: the connection has a mutex, and values are not read past it; or the
    /// text is UTF-16.
    Indirect,
    /// It is a TEXT, and there was no memory for it.
    NoMem,
    /// SQLite's number of the class.
    Class(c_int),
    /// There is no such column. ([`Statement::text`] says it is a NULL.)
    NoColumn,
}

impl Statement {
    /// # Safety
    /// `db` is an open connection and stays open while this lives; `raw` is NULL or a statement of
    /// it that nothing else uses or finalises.
    pub(crate) unsafe fn new(db: *mut ffi::sqlite3, raw: *mut ffi::sqlite3_stmt) -> Self {
        // SAFETY: the caller vouches for `db`.
        let mutex = unsafe { ffi::sqlite3_db_mutex(db) };
        let unlocked = mutex.is_null();
        Self { db, raw, unlocked, direct: unlocked }
    }

    /// Whether [`text`](Self::text) is to leave TEXT to [`units`](Self::units).
    pub(crate) fn set_utf16(&mut self, utf16: bool) {
        self.direct = self.unlocked && !utf16;
    }

    /// The statement of `sql`, and what of `sql` comes after it.
    ///
    /// # Safety
    /// `db` is an open connection and stays open while the statement lives.
    pub(crate) unsafe fn prepare(db: *mut ffi::sqlite3, sql: &str) -> Result<(Self, &[u8])> {
        let length = c_int::try_from(sql.len()).map_err(|_| Error::TooBig)?;
        let mut raw = ptr::null_mut();
        let mut tail = ptr::null();
        let flags = ffi::SQLITE_PREPARE_PERSISTENT;
        let start = sql.as_ptr().cast();
        // SAFETY: the caller vouches for `db`; `start` has `length` bytes, and SQLite copies them
        // when it wants a terminator.
        let code = unsafe {
            ffi::sqlite3_prepare_v3(db, start, length, flags, &raw mut raw, &raw mut tail)
        };
        // SAFETY: the caller vouches for `db`, and nobody else has seen `raw` (NULL on an error).
        let statement = unsafe { Self::new(db, raw) };
        if code != ffi::SQLITE_OK {
            return Err(statement.error(code));
        }
        let used = tail.addr().saturating_sub(start.addr());
        Ok((statement, sql.as_bytes().get(used..).unwrap_or_default()))
    }

    /// Whether there is no statement: of an empty SQL SQLite makes NULL.
    pub(crate) fn is_null(&self) -> bool {
        self.raw.is_null()
    }

    /// A statement of the same connection.
    pub(crate) fn prepare_beside<'s>(&self, sql: &'s str) -> Result<(Self, &'s [u8])> {
        // SAFETY: whoever made `self` vouched for `db` as long as `self` lives; the callers drop
        // the new statement before they return.
        unsafe { Self::prepare(self.db, sql) }
    }

    /// Gives the statement away unfinalised.
    pub(crate) fn into_raw(self) -> *mut ffi::sqlite3_stmt {
        let raw = self.raw;
        core::mem::forget(self);
        raw
    }

    /// Whether there is another row.
    pub(crate) fn step(&mut self) -> Result<bool> {
        let code = self.step_code();
        self.row_or_end(code)
    }

    /// The result code of a step: `SQLITE_ROW` when there is another row.
    #[inline(always)]
    pub(crate) fn step_code(&mut self) -> c_int {
        // SAFETY: the statement is alive; `&mut` ends all borrows of the row before.
        unsafe { ffi::sqlite3_step(self.raw) }
    }

    /// What the code of the last step says: whether there is a row.
    pub(crate) fn row_or_end(&self, code: c_int) -> Result<bool> {
        match code {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            code => Err(self.error(code)),
        }
    }

    /// Back to before the first row. SQLite returns the error of the last step, which is known, or
    /// one of the commit that ends a run before its end, which a drop could not report.
    pub(crate) fn reset(&mut self) {
        // SAFETY: the statement is alive; `&mut` ends all borrows of its row.
        unsafe { ffi::sqlite3_reset(self.raw) };
    }

    pub(crate) fn column_count(&self) -> usize {
        // SAFETY: the statement is alive.
        usize::try_from(unsafe { ffi::sqlite3_column_count(self.raw) }).unwrap_or(0)
    }

    /// How often SQLite prepared the statement anew because the schema had changed.
    pub(crate) fn reprepared(&self) -> c_int {
        // SAFETY: the statement is alive.
        unsafe { ffi::sqlite3_stmt_status(self.raw, ffi::SQLITE_STMTSTATUS_REPREPARE, 0) }
    }

    pub(crate) fn column_is_named(&self, column: usize, name: &str) -> bool {
        // SAFETY: the statement is alive; SQLite answers NULL for a column that is not there.
        let own = unsafe { ffi::sqlite3_column_name(self.raw, number(column)) };
        if own.is_null() {
            return false;
        }
        // SAFETY: SQLite ends a name with a NUL and keeps it at least until it is asked again.
        let own = unsafe { CStr::from_ptr(own) };
        own.to_bytes().eq_ignore_ascii_case(name.as_bytes())
    }

    /// The bytes of a TEXT as UTF-8, unchecked; `None` for what is no TEXT.
    pub(crate) fn cell(&self, column: usize) -> Result<Option<&[u8]>> {
        match self.class(column) {
            StorageClass::Text => self.coerced(column).map(Some),
            _ => Ok(None),
        }
    }

    /// The class of a cell that was `missed`, which has not been converted since.
    pub(crate) fn missed_class(&self, column: usize, missed: Missed) -> StorageClass {
        match missed {
            // The functions that are asked next, unlike those that said so, let the connection
            // recover from the lack of memory.
            Missed::NoMem => StorageClass::Text,
            Missed::Indirect | Missed::NoColumn => self.class(column),
            Missed::Class(number) => StorageClass::of(number),
        }
    }

    /// The bytes of a TEXT as UTF-8, unchecked, by the shortest way, if it leads there.
    #[inline(always)]
    pub(crate) fn text(&self, column: usize) -> Result<&[u8], Missed> {
        if !self.direct {
            return Err(Missed::Indirect);
        }
        // SAFETY: `direct` is set only where `unlocked` is.
        let value = unsafe { self.value(column) }?;
        // SAFETY: `value` may be read.
        let start = unsafe { ffi::sqlite3_value_text(value) };
        if start.is_null() {
            return Err(Missed::NoMem);
        }
        // SAFETY: `value` may be read; asked after its text, this is the length of that.
        let length = unsafe { ffi::sqlite3_value_bytes(value) };
        // SAFETY: SQLite's text of that length; the module's head says why it stands.
        Ok(unsafe { bytes(start, length) })
    }

    /// What the cell holds; after a conversion it may be another class than before.
    pub(crate) fn class(&self, column: usize) -> StorageClass {
        // SAFETY: the statement is alive; a column that is not there is NULL.
        StorageClass::of(unsafe { ffi::sqlite3_column_type(self.raw, number(column)) })
    }

    /// The bytes of whatever the cell holds as SQLite casts it to UTF-8 text, unchecked. Not for
    /// NULL.
    pub(crate) fn coerced(&self, column: usize) -> Result<&[u8]> {
        // SAFETY: the statement is alive; a column that is not there gives NULL.
        let start = unsafe { ffi::sqlite3_column_text(self.raw, number(column)) };
        if start.is_null() {
            return Err(Error::NoMem);
        }
        // SAFETY: the statement is alive; asked after the text, this is the length of that.
        let length = unsafe { ffi::sqlite3_column_bytes(self.raw, number(column)) };
        // SAFETY: SQLite's text of that length; the module's head says why it stands.
        Ok(unsafe { bytes(start, length) })
    }

    /// The value of a TEXT, which may be read as long as nothing else is asked of the cell.
    ///
    /// # Safety
    /// `unlocked` is set.
    #[inline(always)]
    unsafe fn value(&self, column: usize) -> Result<*mut ffi::sqlite3_value, Missed> {
        // SAFETY: the statement is alive; a column that is not there gives the value NULL.
        let value = unsafe { ffi::sqlite3_column_value(self.raw, number(column)) };
        // SAFETY: `value` belongs to the row. It is an unprotected one, which must not be read
        // while another thread may use the connection. None may: the connection has no mutex, and
        // is then used by one thread at a time, as who opened it promised.
        match unsafe { ffi::sqlite3_value_type(value) } {
            ffi::SQLITE_TEXT => Ok(value),
            class => Err(Missed::Class(class)),
        }
    }

    /// Hands `read` the UTF-16 of a TEXT, by the shortest way, if it leads there.
    #[inline(always)]
    pub(crate) fn text16<T>(
        &self,
        column: usize,
        read: impl FnOnce(&[u16]) -> T,
    ) -> Result<T, Missed> {
        if !self.unlocked {
            return Err(Missed::Indirect);
        }
        // SAFETY: `unlocked` is set.
        let value = unsafe { self.value(column) }?;
        // SAFETY: `value` may be read.
        let start = unsafe { sqlite3_value_text16(value) };
        if start.is_null() {
            return Err(Missed::NoMem);
        }
        // SAFETY: `value` may be read; asked after its text, this is the length of that.
        let length = unsafe { sqlite3_value_bytes16(value) };
        // SAFETY: SQLite's text of that length, used before anything else is asked of the cell.
        let bytes = unsafe { bytes(start.cast(), length) };
        Ok(as_units(bytes, read))
    }

    /// Hands `read` the UTF-16 of whatever the cell holds, cast to text. Not for NULL.
    pub(crate) fn units<T>(&self, column: usize, read: impl FnOnce(&[u16]) -> T) -> Result<T> {
        // SAFETY: the statement is alive; a column that is not there gives NULL.
        let start = unsafe { sqlite3_column_text16(self.raw, number(column)) };
        if start.is_null() {
            return Err(Error::NoMem);
        }
        // SAFETY: the statement is alive; asked after the text, this is the length of that.
        let length = unsafe { sqlite3_column_bytes16(self.raw, number(column)) };
        // SAFETY: SQLite's text of that length, used before anything else is asked of the cell.
        let bytes = unsafe { bytes(start.cast(), length) };
        Ok(as_units(bytes, read))
    }

    /// The error of the call on this connection that has just returned `code`.
    #[cold]
    pub(crate) fn error(&self, code: c_int) -> Error {
        match code & 0xFF {
            ffi::SQLITE_NOMEM => return Error::NoMem,
            ffi::SQLITE_TOOBIG => return Error::TooBig,
            _ => {}
        }
        // SAFETY: the connection is open.
        let mutex = unsafe { ffi::sqlite3_db_mutex(self.db) };
        // Another thread on a serialised connection could replace the message while we read it.
        // SAFETY: NULL, or the connection's own mutex, which is recursive.
        unsafe { ffi::sqlite3_mutex_enter(mutex) };
        // SAFETY: the connection is open.
        let last = unsafe { ffi::sqlite3_extended_errcode(self.db) };
        let same = last & 0xFF == code & 0xFF;
        let message = if same {
            // SAFETY: the connection is open.
            unsafe { ffi::sqlite3_errmsg(self.db) }
        } else {
            // SAFETY: any number will do.
            unsafe { ffi::sqlite3_errstr(code) }
        };
        let message = if message.is_null() {
            String::new()
        } else {
            // SAFETY: ends with a NUL; the mutex keeps it as it is.
            unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
        };
        // SAFETY: entered above.
        unsafe { ffi::sqlite3_mutex_leave(mutex) };
        Error::Sqlite { code: code & 0xFF, extended: if same { last } else { code }, message }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: the statement is alive or NULL, and nothing uses it afterwards.
        unsafe { ffi::sqlite3_finalize(self.raw) };
    }
}

/// A column or parameter as SQLite counts; what does not fit is none.
#[inline]
pub(crate) fn number(i: usize) -> c_int {
    c_int::try_from(i).unwrap_or(-1)
}

/// Hands `read` the units of SQLite's UTF-16.
#[inline]
pub(crate) fn as_units<T>(bytes: &[u8], read: impl FnOnce(&[u16]) -> T) -> T {
    let copied;
    let units = match bytemuck::try_cast_slice(bytes) {
        Ok(units) => units,
        Err(_) => {
            copied = copied_units(bytes);
            &copied
        }
    };
    // In one place, so that it is inlined.
    read(units)
}

/// SQLite's UTF-16 where it does not lie as units do. Nothing says that it always does.
#[cold]
fn copied_units(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|b| u16::from_ne_bytes([b[0], b[1]])).collect()
}

/// # Safety
/// `start` is not NULL and has `length` bytes that stay as they are during `'r`.
#[inline]
unsafe fn bytes<'r>(start: *const u8, length: c_int) -> &'r [u8] {
    // SAFETY: the caller promises the bytes and that they stay; a negative length becomes none.
    unsafe { slice::from_raw_parts(start, usize::try_from(length).unwrap_or(0)) }
}

/// # Safety
/// The bytes are UTF-8.
#[inline]
pub(crate) unsafe fn str_of(bytes: &[u8]) -> &str {
    // SAFETY: the caller promises that the bytes are UTF-8.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

impl<'c> TextStatement<'c> {
    /// Prepares the one statement of `sql`.
    ///
    /// The connection is asked for its `PRAGMA encoding` when the statement runs first, which an
    /// authorizer must allow.
    ///
    /// # Errors
    /// [`Error::Sqlite`] when SQLite does not accept `sql`, with code 21 when it holds no statement
    /// or more than one; [`Error::TooBig`] when it is longer than SQLite allows.
    #[cfg(feature = "rusqlite")]
    pub fn prepare(connection: &'c rusqlite::Connection, sql: &str) -> Result<Self> {
        // SAFETY: the handle is used for statements of our own only, which changes nothing that
        // rusqlite keeps of the connection, and it is not closed.
        let db = unsafe { connection.handle() };
        // SAFETY: a `Connection` is open until it is dropped, and `'c` keeps it borrowed.
        let (statement, rest) = unsafe { Statement::prepare(db, sql) }?;
        if statement.is_null() {
            return Err(crate::statement::misuse("the SQL holds no statement"));
        }
        crate::statement::nothing_in(rest)?;
        Ok(Self::of(statement))
    }

    /// Takes over a statement that was prepared elsewhere, and finalises it in the end. What is
    /// bound stays bound for [`query_bound`](Self::query_bound).
    ///
    /// NULL, which is what SQLite prepares of an empty SQL, is taken too; running it is an error.
    ///
    /// # Safety
    /// * `stmt` is NULL or a statement of the connection `db`; nothing else uses, resets or
    ///   finalises it from here on.
    /// * `db` stays open during `'c`.
    /// * During `'c` no other thread uses `db`, unless it is a serialised connection (one with a
    ///   mutex).
    /// * Memory that was bound to `stmt` without a copy stays as it is during `'c`.
    #[must_use]
    pub unsafe fn from_raw(db: *mut ffi::sqlite3, stmt: *mut ffi::sqlite3_stmt) -> Self {
        // SAFETY: the caller promises a statement of `db`, or NULL, that nothing else uses.
        Self::of(unsafe { Statement::new(db, stmt) })
    }
}

impl<'r> TextRow<'r> {
    /// As [`text`](Self::text), but the bytes from a UTF-8 database are not checked.
    ///
    /// # Safety
    /// The value is valid UTF-8. SQLite does not see to that: it stores any bytes as TEXT.
    ///
    /// # Errors
    /// See [the type](TextRow); [`Error::InvalidUtf16`] in a UTF-16 database.
    #[inline]
    pub unsafe fn text_unchecked(&self, i: usize) -> Result<&'r str> {
        let bytes = self.text_bytes(i)?;
        // SAFETY: the caller promises that the value is UTF-8.
        Ok(unsafe { str_of(bytes) })
    }
}
