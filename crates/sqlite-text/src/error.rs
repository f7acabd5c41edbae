//! What can go wrong between SQLite and a `&str`.

use crate::ffi;
use core::ffi::c_int;
use core::fmt;

/// The result of a read.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The storage class of a value, the five of SQLite's "Datatypes In SQLite".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StorageClass {
    /// NULL.
    Null,
    /// A signed integer of up to 8 bytes.
    Integer,
    /// An IEEE 754 double.
    Real,
    /// Text in the encoding of the database.
    Text,
    /// Bytes as they were put in.
    Blob,
}

impl StorageClass {
    /// By SQLite's number for it.
    pub(crate) fn of(number: c_int) -> Self {
        match number {
            ffi::SQLITE_INTEGER => StorageClass::Integer,
            ffi::SQLITE_FLOAT => StorageClass::Real,
            ffi::SQLITE_TEXT => StorageClass::Text,
            ffi::SQLITE_BLOB => StorageClass::Blob,
            _ => StorageClass::Null,
        }
    }
}

impl fmt::Display for StorageClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StorageClass::Null => "NULL",
            StorageClass::Integer => "INTEGER",
            StorageClass::Real => "REAL",
            StorageClass::Text => "TEXT",
            StorageClass::Blob => "BLOB",
        })
    }
}

/// Why a text could not be read.
///
/// Columns and rows count from 0, rows from the start of the result. With the feature `rusqlite`
/// it converts to `rusqlite::Error`, so `?` works in functions that return that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// SQLite refused: a syntax error, a constraint, a file that cannot be read…
    Sqlite {
        /// The primary result code, as `SQLITE_ERROR` = 1.
        code: i32,
        /// The extended result code; its lowest 8 bits are the primary one.
        extended: i32,
        /// SQLite's own words.
        message: String,
    },
    /// The value is of another storage class than TEXT.
    InvalidType {
        /// The column.
        column: usize,
        /// The row.
        row: usize,
        /// What is stored there.
        actual: StorageClass,
    },
    /// The bytes of a TEXT are not UTF-8.
    InvalidUtf8 {
        /// The column.
        column: usize,
        /// The row.
        row: usize,
        /// How many bytes from the start are UTF-8.
        valid_up_to: usize,
    },
    /// The TEXT of a UTF-16 database holds a lone surrogate.
    InvalidUtf16 {
        /// The column.
        column: usize,
        /// The row.
        row: usize,
        /// Where the lone surrogate is, in code units.
        index: usize,
    },
    /// SQLite is out of memory (result code 7).
    NoMem,
    /// A value is longer than SQLite allows (result code 18).
    TooBig,
    /// The result has no such column.
    ColumnOutOfRange {
        /// The column that was asked for.
        column: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Sqlite { extended, message, .. } => {
                write!(f, "{message} (SQLite result code {extended})")
            }
            Error::InvalidType { column, row, actual } => {
                write!(f, "row {row}, column {column}: {actual} where TEXT was expected")
            }
            Error::InvalidUtf8 { column, row, valid_up_to } => {
                write!(f, "row {row}, column {column}: invalid UTF-8 at byte {valid_up_to}")
            }
            Error::InvalidUtf16 { column, row, index } => {
                write!(f, "row {row}, column {column}: lone surrogate at code unit {index}")
            }
            Error::NoMem => f.write_str("SQLite is out of memory"),
            Error::TooBig => f.write_str("the value is longer than SQLite allows"),
            Error::ColumnOutOfRange { column } => write!(f, "the result has no column {column}"),
        }
    }
}

impl core::error::Error for Error {}

#[cold]
pub(crate) fn wrong(column: usize, row: usize, actual: StorageClass) -> Error {
    Error::InvalidType { column, row, actual }
}

#[cfg(feature = "rusqlite")]
impl From<StorageClass> for rusqlite::types::Type {
    fn from(class: StorageClass) -> Self {
        match class {
            StorageClass::Null => Self::Null,
            StorageClass::Integer => Self::Integer,
            StorageClass::Real => Self::Real,
            StorageClass::Text => Self::Text,
            StorageClass::Blob => Self::Blob,
        }
    }
}

/// The row number is lost, except where the error itself is kept as the cause; the column's name
/// in `InvalidColumnType` is empty, since this error does not carry one.
#[cfg(feature = "rusqlite")]
impl From<Error> for rusqlite::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Sqlite { extended, message, .. } => {
                Self::SqliteFailure(ffi::Error::new(extended), Some(message))
            }
            Error::InvalidType { column, actual, .. } => {
                Self::InvalidColumnType(column, String::new(), actual.into())
            }
            Error::InvalidUtf8 { column, .. } | Error::InvalidUtf16 { column, .. } => {
                Self::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
            }
            Error::NoMem => Self::SqliteFailure(ffi::Error::new(7), None),
            Error::TooBig => Self::SqliteFailure(ffi::Error::new(18), None),
            Error::ColumnOutOfRange { column } => Self::InvalidColumnIndex(column),
        }
    }
}
