//! A reader written by hand on the C interface: what a driver of one's own would do.

use rusqlite::{Connection, ffi};
use std::ffi::c_int;
use std::ptr;

/// A prepared statement that is never finalised: its connection lives as long as the process.
#[derive(Debug)]
pub(crate) struct Statement(*mut ffi::sqlite3_stmt);

impl Statement {
    pub(crate) fn prepare(db: &'static Connection, sql: &str) -> Self {
        let mut statement = ptr::null_mut();
        let length = c_int::try_from(sql.len()).expect("a short text");
        // SAFETY: the handle is used to prepare only, which needs no care of rusqlite's state.
        let handle = unsafe { db.handle() };
        let flags = ffi::SQLITE_PREPARE_PERSISTENT;
        // SAFETY: `sql` has `length` bytes, and the connection is open: it is leaked.
        let code = unsafe {
            ffi::sqlite3_prepare_v3(
                handle,
                sql.as_ptr().cast(),
                length,
                flags,
                &raw mut statement,
                ptr::null_mut(),
            )
        };
        assert!(code == ffi::SQLITE_OK && !statement.is_null(), "{sql}: SQLite says {code}");
        Self(statement)
    }

    /// Whether there is another row; at the end the statement is ready to run again.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        // SAFETY: the statement is prepared and never finalised.
        match unsafe { ffi::sqlite3_step(self.0) } {
            ffi::SQLITE_ROW => true,
            code => {
                assert_eq!(code, ffi::SQLITE_DONE, "step");
                // SAFETY: the statement is prepared and never finalised.
                unsafe { ffi::sqlite3_reset(self.0) };
                false
            }
        }
    }

    /// The bytes of a TEXT in the row that `step` found.
    #[inline]
    pub(crate) fn bytes(&self, column: c_int) -> Option<&[u8]> {
        // SAFETY: the statement is prepared; a column that is not there reads as NULL.
        if unsafe { ffi::sqlite3_column_type(self.0, column) } != ffi::SQLITE_TEXT {
            return None;
        }
        // SAFETY: the statement is prepared; a column that is not there reads as NULL.
        let start = unsafe { ffi::sqlite3_column_text(self.0, column) };
        if start.is_null() {
            return None;
        }
        // SAFETY: the statement is prepared; asked after the text, this is the length of that.
        let length = unsafe { ffi::sqlite3_column_bytes(self.0, column) };
        let length = usize::try_from(length).ok()?;
        // SAFETY: SQLite vouches for `length` bytes at `start` until the next step or conversion;
        // the borrow of `self` forbids the first, and the database is UTF-8, so that reading the
        // cell again converts nothing.
        Some(unsafe { std::slice::from_raw_parts(start, length) })
    }
}
