//! The C interface of SQLite: a connection, and statements for `sqlite-text`.

use sqlite_text::{TextStatement, ffi};
use std::ffi::{CStr, CString, OsStr, c_int};
use std::os::unix::ffi::OsStrExt as _;
use std::ptr;

/// An open connection.
#[derive(Debug)]
pub(crate) struct Db(*mut ffi::sqlite3);

impl Db {
    /// `flags` says what the file is opened for and whether the connection has a mutex.
    pub(crate) fn open(file: &OsStr, flags: c_int) -> Self {
        let name = CString::new(file.as_bytes()).expect("no NUL in a path");
        let mut db = ptr::null_mut();
        // SAFETY: the name ends with a NUL, `db` takes the handle, and no VFS is named.
        let code = unsafe { ffi::sqlite3_open_v2(name.as_ptr(), &raw mut db, flags, ptr::null()) };
        assert_eq!(code, ffi::SQLITE_OK, "{}", file.display());
        Self(db)
    }

    /// A statement read by `sqlite-text`.
    pub(crate) fn statement(&self, sql: &str) -> TextStatement<'_> {
        let text = CString::new(sql).expect("no NUL");
        let mut raw = ptr::null_mut();
        // SAFETY: the connection is open, the text ends with a NUL and `raw` takes the handle.
        let code = unsafe {
            ffi::sqlite3_prepare_v2(self.0, text.as_ptr(), -1, &raw mut raw, ptr::null_mut())
        };
        assert_eq!(code, ffi::SQLITE_OK, "{sql}");
        // SAFETY: a new statement of this connection, which stays open while it is borrowed; the
        // connection is not `Sync`, so this thread alone uses both.
        unsafe { TextStatement::from_raw(self.0, raw) }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // SAFETY: open, not used any more, and without statements, which borrow it.
        unsafe { ffi::sqlite3_close(self.0) };
    }
}

/// The version of the SQLite that is linked.
pub(crate) fn version() -> &'static str {
    // SAFETY: takes nothing, at any time.
    let version = unsafe { ffi::sqlite3_libversion() };
    // SAFETY: a string that ends with a NUL and lives as long as the library.
    unsafe { CStr::from_ptr(version) }.to_str().expect("digits and dots")
}
