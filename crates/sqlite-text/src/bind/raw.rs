//! Parameters of a statement, which SQLite counts from 1.

use crate::error::Result;
use crate::ffi;
use crate::raw::{Statement, number};
use core::ffi::c_int;

impl Statement {
    pub(crate) fn parameter_count(&self) -> usize {
        // SAFETY: the statement is alive.
        usize::try_from(unsafe { ffi::sqlite3_bind_parameter_count(self.raw) }).unwrap_or(0)
    }

    pub(crate) fn clear_bindings(&mut self) {
        // SAFETY: the statement is alive.
        unsafe { ffi::sqlite3_clear_bindings(self.raw) };
    }

    /// Makes it NULL.
    pub(crate) fn bind_null(&mut self, i: usize) -> Result<()> {
        // SAFETY: the statement is alive; SQLite refuses a parameter that is not there.
        self.bound(unsafe { ffi::sqlite3_bind_null(self.raw, number(i)) })
    }

    pub(crate) fn bind_integer(&mut self, i: usize, value: i64) -> Result<()> {
        // SAFETY: the statement is alive; SQLite refuses a parameter that is not there.
        self.bound(unsafe { ffi::sqlite3_bind_int64(self.raw, number(i), value) })
    }

    pub(crate) fn bind_real(&mut self, i: usize, value: f64) -> Result<()> {
        // SAFETY: the statement is alive; SQLite refuses a parameter that is not there.
        self.bound(unsafe { ffi::sqlite3_bind_double(self.raw, number(i), value) })
    }

    pub(crate) fn bind_text(&mut self, i: usize, text: &[u8]) -> Result<()> {
        let (i, start, length) = (number(i), text.as_ptr().cast(), text.len() as u64);
        let (copy, utf8) = (ffi::SQLITE_TRANSIENT(), ffi::SQLITE_UTF8 as u8);
        // SAFETY: the statement is alive; `start` has `length` bytes, which SQLite copies before it
        // returns (SQLITE_TRANSIENT).
        self.bound(unsafe { ffi::sqlite3_bind_text64(self.raw, i, start, length, copy, utf8) })
    }

    pub(crate) fn bind_blob(&mut self, i: usize, blob: &[u8]) -> Result<()> {
        let (i, start, length) = (number(i), blob.as_ptr().cast(), blob.len() as u64);
        let copy = ffi::SQLITE_TRANSIENT();
        // SAFETY: the statement is alive; `start` has `length` bytes, which SQLite copies before it
        // returns (SQLITE_TRANSIENT).
        self.bound(unsafe { ffi::sqlite3_bind_blob64(self.raw, i, start, length, copy) })
    }

    pub(crate) fn bound(&self, code: c_int) -> Result<()> {
        if code == ffi::SQLITE_OK { Ok(()) } else { Err(self.error(code)) }
    }
}
