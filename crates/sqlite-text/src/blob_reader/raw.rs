//! The handle of SQLite's incremental I/O, and a buffer that knows what of it is text.
//!
//! What the proofs rest on, from "Incremental BLOB I/O" of SQLite's documentation: a handle stays a
//! handle until it is closed, whatever happens to its row, its table or its transaction; one whose
//! row has changed is *expired*, and each call on it says so in place of touching memory.

use super::{Cell, Names, TextReader};
use crate::error::{Error, Result};
use crate::ffi;
use crate::raw::{Statement, str_of};
use core::ffi::c_int;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr;
use core::str::Utf8Error;

/// An open handle, closed when dropped. The lifetime is that of the connection.
#[derive(Debug)]
pub(crate) struct Blob<'c> {
    // NULL, where every call is harmless, or open.
    raw: *mut ffi::sqlite3_blob,
    connection: PhantomData<&'c ()>,
}

impl Blob<'_> {
    /// No handle.
    pub(crate) fn none() -> Self {
        Self { raw: ptr::null_mut(), connection: PhantomData }
    }

    /// Closes what was open and opens the cell for reading. `beside` is any statement of the
    /// connection.
    pub(crate) fn open(&mut self, beside: &Statement, names: &Names, rowid: i64) -> Result<()> {
        *self = Self::none();
        let [database, table, column] = names.pointers();
        let out = &raw mut self.raw;
        // SAFETY: whoever made `beside` vouched for its connection as long as that lives, which is
        // longer than this call; the names end with a NUL and SQLite copies what it keeps of them;
        // 0 is read-only.
        let code =
            unsafe { ffi::sqlite3_blob_open(beside.db, database, table, column, rowid, 0, out) };
        if code != ffi::SQLITE_OK {
            return Err(beside.error(code));
        }
        if self.raw.is_null() { Err(Error::NoMem) } else { Ok(()) }
    }

    /// Moves the handle to another row. An error makes it an expired one.
    pub(crate) fn reopen(&mut self, beside: &Statement, rowid: i64) -> Result<()> {
        // SAFETY: the handle is open, or NULL, which SQLite refuses.
        match unsafe { ffi::sqlite3_blob_reopen(self.raw, rowid) } {
            ffi::SQLITE_OK => Ok(()),
            code => Err(beside.error(code)),
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.raw.is_null()
    }

    /// The size in bytes.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: the handle is open, or NULL, of which SQLite says 0.
        usize::try_from(unsafe { ffi::sqlite3_blob_bytes(self.raw) }).unwrap_or(0)
    }

    /// Fills `into` with the bytes from `offset` on.
    pub(crate) fn read(
        &mut self,
        beside: &Statement,
        into: &mut [u8],
        offset: usize,
    ) -> Result<()> {
        let offset = c_int::try_from(offset).map_err(|_| Error::TooBig)?;
        let length = c_int::try_from(into.len()).map_err(|_| Error::TooBig)?;
        let start = into.as_mut_ptr().cast();
        // SAFETY: the handle is open, or NULL, which SQLite refuses; `start` has `length` bytes to
        // write to, and SQLite writes all of them or fails.
        match unsafe { ffi::sqlite3_blob_read(self.raw, start, length, offset) } {
            ffi::SQLITE_OK => Ok(()),
            code => Err(beside.error(code)),
        }
    }
}

impl Drop for Blob<'_> {
    fn drop(&mut self) {
        // SAFETY: open or NULL, and not used afterwards. The connection is still open: `'c` is its
        // borrow, and a `Drop` that knows `'c` cannot run after that has ended.
        unsafe { ffi::sqlite3_blob_close(self.raw) };
    }
}

/// Binds the only parameter of `statement`.
pub(crate) fn bind_rowid(statement: &mut Statement, rowid: i64) -> Result<()> {
    // SAFETY: the statement is alive or NULL; SQLite refuses a parameter that is not there.
    match unsafe { ffi::sqlite3_bind_int64(statement.raw, 1, rowid) } {
        ffi::SQLITE_OK => Ok(()),
        code => Err(statement.error(code)),
    }
}

/// A buffer that is filled in part, and of that the part that is known to be UTF-8.
pub(crate) struct Window {
    bytes: Box<[u8]>,
    filled: usize,
    // Within `bytes`, and UTF-8: set by `check` alone, emptied before the bytes change.
    text: Range<usize>,
}

impl Window {
    pub(crate) fn new(size: usize) -> Self {
        Self { bytes: vec![0; size].into_boxed_slice(), filled: 0, text: 0..0 }
    }

    pub(crate) fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// What is there.
    pub(crate) fn filled(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    /// Moves the last `keep` bytes to the start and has `read` fill what is free behind them, at
    /// most `more` bytes. When that fails nothing is there.
    pub(crate) fn refill(
        &mut self,
        keep: usize,
        more: usize,
        read: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        self.forget_text();
        let keep = keep.min(self.filled);
        self.bytes.copy_within(self.filled - keep..self.filled, 0);
        self.filled = 0;
        let free = self.bytes.get_mut(keep..).unwrap_or_default();
        let more = more.min(free.len());
        read(free.get_mut(..more).unwrap_or_default())?;
        self.filled = keep + more;
        Ok(())
    }

    pub(crate) fn forget_text(&mut self) {
        self.text = 0..0;
    }

    /// Makes what is there the text, up to the first byte that is no UTF-8.
    pub(crate) fn check(&mut self) -> core::result::Result<(), Utf8Error> {
        let checked = crate::decode::strict(self.filled());
        let end = checked.map_or_else(|error| error.valid_up_to(), str::len);
        let checked = checked.map(drop);
        self.text = 0..end;
        checked
    }

    /// What `check` has found to be UTF-8.
    pub(crate) fn text(&self) -> &str {
        let bytes = self.bytes.get(self.text.clone()).unwrap_or_default();
        // SAFETY: the bytes are UTF-8: `check` set the range to what the validation went over, and
        // `refill`, which alone writes to the bytes, empties the range before.
        unsafe { str_of(bytes) }
    }
}

impl<'c> TextReader<'c> {
    /// Opens the text in `column` of the row `rowid` of `table`, in the database `database`:
    /// `"main"`, `"temp"` or the name of an attached one.
    ///
    /// Incremental I/O opens BLOBs as well, so a statement asks for the storage class, without
    /// reading the value, and another for the `PRAGMA encoding`: an authorizer must allow to read
    /// the columns of the table, and that.
    ///
    /// # Errors
    /// * [`Error::InvalidType`] (column 0, row 0) when the value is NULL, a number or a BLOB.
    /// * [`Error::Sqlite`] with code 1 when there is no such table, column or row, and, in SQLite's
    ///   own words, for what its incremental I/O does not open: a view, a virtual table, a table
    ///   `WITHOUT ROWID` or with generated columns, a value that only the `DEFAULT` of an
    ///   `ALTER TABLE ADD COLUMN` gives to rows that were there before; with code 21 when a name
    ///   holds a NUL; with other codes when the database cannot be read.
    /// * [`Error::NoMem`].
    #[cfg(feature = "rusqlite")]
    pub fn open(
        connection: &'c rusqlite::Connection,
        database: &str,
        table: &str,
        column: &str,
        rowid: i64,
    ) -> Result<Self> {
        // SAFETY: the handle is used for statements and a blob handle of our own, which changes
        // nothing that rusqlite keeps of the connection, and it is not closed.
        let db = unsafe { connection.handle() };
        // SAFETY: a `Connection` is open until it is dropped, and `'c` keeps it borrowed; only the
        // thread that has the borrow uses it, for it is not `Sync`, and the reader is not `Send`.
        unsafe { Self::open_raw(db, database, table, column, rowid) }
    }

    /// As `open`, for users of `libsqlite3-sys` alone.
    ///
    /// # Safety
    /// * `db` is an open connection and stays open during `'c`.
    /// * During `'c` no other thread uses `db`, unless it is a serialised connection (one with a
    ///   mutex).
    ///
    /// # Errors
    /// * [`Error::InvalidType`] (column 0, row 0) when the value is NULL, a number or a BLOB.
    /// * [`Error::Sqlite`] with code 1 when there is no such table, column or row, or SQLite's
    ///   incremental I/O does not open the table; with code 21 when a name holds a NUL.
    /// * [`Error::NoMem`].
    pub unsafe fn open_raw(
        db: *mut ffi::sqlite3,
        database: &str,
        table: &str,
        column: &str,
        rowid: i64,
    ) -> Result<Self> {
        let names = Names::new(database, table, column)?;
        // SAFETY: the caller vouches for `db` during `'c`, and what is made of this statement is
        // kept in `Self`, which does not outlive `'c`.
        let beside = unsafe { Statement::new(db, ptr::null_mut()) };
        Ok(Self::of(Cell::open(beside, names, rowid)?))
    }
}
