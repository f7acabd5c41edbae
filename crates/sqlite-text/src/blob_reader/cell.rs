//! A cell that is open for reading, and the certainty that it is a TEXT.

use super::raw::{Blob, bind_rowid};
use crate::encoding::Encoding;
use crate::error::{Error, Result, StorageClass};
use crate::ffi;
use crate::raw::Statement;
use crate::statement::misuse;
use core::ffi::c_char;
use std::ffi::CString;

/// Which cell of a row.
#[derive(Debug)]
pub(crate) struct Names {
    database: CString,
    table: CString,
    column: CString,
}

impl Names {
    pub(crate) fn new(database: &str, table: &str, column: &str) -> Result<Self> {
        let name = |name| CString::new(name).map_err(|_| misuse("a name holds a NUL"));
        Ok(Self { database: name(database)?, table: name(table)?, column: name(column)? })
    }

    pub(crate) fn pointers(&self) -> [*const c_char; 3] {
        [self.database.as_ptr(), self.table.as_ptr(), self.column.as_ptr()]
    }
}

/// A TEXT that is open.
#[derive(Debug)]
pub(crate) struct Cell<'c> {
    names: Names,
    blob: Blob<'c>,
    /// Asks for the storage class of the cell in the row that is bound. SQLite answers from the
    /// head of the record, without reading the value.
    class: Statement,
    pub(crate) encoding: Encoding,
    pub(crate) len: usize,
}

impl Cell<'_> {
    /// `beside` is any statement of the connection.
    pub(crate) fn open(beside: Statement, names: Names, rowid: i64) -> Result<Self> {
        let mut blob = Blob::none();
        let opened = blob.open(&beside, &names, rowid);
        if let Err(error) = &opened
            && !is_of_type(error)
        {
            return Err(error.clone());
        }
        let class = class_of(&beside, &names)?;
        let mut cell = Self { names, blob, class, encoding: Encoding::Utf8, len: 0 };
        cell.expect_text(opened, rowid)?;
        // Only now: as long as a database is empty its encoding can change.
        cell.encoding = Encoding::of(&beside)?;
        Ok(cell)
    }

    /// Moves to the same column of another row. An error leaves no cell open.
    pub(crate) fn reopen(&mut self, rowid: i64) -> Result<()> {
        let opened = if self.blob.is_none() {
            self.blob.open(&self.class, &self.names, rowid)
        } else {
            self.blob.reopen(&self.class, rowid)
        };
        let moved = self.expect_text(opened, rowid);
        if moved.is_err() {
            // SQLite does not move a handle that failed once.
            self.blob = Blob::none();
            self.len = 0;
        }
        moved
    }

    /// The storage class is asked for when the cell is open: its transaction then keeps other
    /// connections from changing it, and a change by this one would make the handle expire.
    fn expect_text(&mut self, opened: Result<()>, rowid: i64) -> Result<()> {
        if let Err(error) = &opened
            && !is_of_type(error)
        {
            return opened;
        }
        let class = self.storage_class(rowid)?;
        match class {
            Some(StorageClass::Text) => opened?,
            Some(actual) => return Err(Error::InvalidType { column: 0, row: 0, actual }),
            None => {
                opened?;
                return Err(error(format!("no such rowid: {rowid}")));
            }
        }
        self.len = self.blob.len();
        Ok(())
    }

    fn storage_class(&mut self, rowid: i64) -> Result<Option<StorageClass>> {
        bind_rowid(&mut self.class, rowid)?;
        let found = self.class.step().and_then(|row| {
            if !row {
                return Ok(None);
            }
            Ok(Some(match self.class.cell(0)? {
                Some(b"text") => StorageClass::Text,
                Some(b"blob") => StorageClass::Blob,
                Some(b"integer") => StorageClass::Integer,
                Some(b"real") => StorageClass::Real,
                _ => StorageClass::Null,
            }))
        });
        self.class.reset();
        found
    }

    pub(crate) fn read(&mut self, into: &mut [u8], offset: usize) -> Result<()> {
        let read = self.blob.read(&self.class, into, offset);
        if read.is_err() {
            // Nor one whose row has changed.
            self.blob = Blob::none();
        }
        read.map_err(|error| match error {
            // SQLite's words are "query aborted".
            Error::Sqlite {
                code: code @ ffi::SQLITE_ABORT, extended: ffi::SQLITE_ABORT, ..
            } => {
                let message = "the row has changed since its text was opened".to_owned();
                Error::Sqlite { code, extended: code, message }
            }
            other => other,
        })
    }
}

/// Whether the cell was found and not opened for what it holds. When SQLite changes these words,
/// its own error comes through.
fn is_of_type(error: &Error) -> bool {
    matches!(error, Error::Sqlite { code: ffi::SQLITE_ERROR, message, .. }
        if message.starts_with("cannot open value of type"))
}

fn class_of(beside: &Statement, names: &Names) -> Result<Statement> {
    let [database, table, column] = [&names.database, &names.table, &names.column].map(quoted);
    // A column may have the name of the rowid; SQLite has three of those.
    let (columns, _) = beside.prepare_beside(&format!("SELECT * FROM {database}.{table}"))?;
    let is_taken = |name: &&str| {
        (0..columns.column_count()).any(|column| columns.column_is_named(column, name))
    };
    let rowid = ["rowid", "_rowid_", "oid"].into_iter().find(|name| !is_taken(name));
    let rowid = rowid.ok_or_else(|| error("columns have all names of the rowid".to_owned()))?;
    // In quotes and alone, what is not a column would be a string.
    let sql = format!("SELECT typeof(t.{column}) FROM {database}.{table} AS t WHERE t.{rowid}=?1");
    let (class, _) = beside.prepare_beside(&sql)?;
    Ok(class)
}

fn quoted(name: &CString) -> String {
    format!("\"{}\"", name.to_string_lossy().replace('"', "\"\""))
}

fn error(message: String) -> Error {
    let code = ffi::SQLITE_ERROR;
    Error::Sqlite { code, extended: code, message }
}
