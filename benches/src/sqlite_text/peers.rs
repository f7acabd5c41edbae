//! Others at the same work: `rusqlite` by its own getters, and `libsqlite3-sys` by hand with the
//! standard library's check.

use super::raw::Statement;
use rusqlite::Row;
use std::ffi::c_int;

#[inline]
pub(crate) fn rusqlite_owned(row: &Row<'_>, column: usize) -> String {
    row.get(column).expect("text")
}

#[inline]
pub(crate) fn rusqlite_borrowed<'r>(row: &'r Row<'_>, column: usize) -> &'r str {
    row.get_ref(column).and_then(|value| Ok(value.as_str()?)).expect("text")
}

#[inline]
pub(crate) fn by_hand(statement: &Statement, column: c_int) -> &str {
    let bytes = statement.bytes(column).expect("not NULL");
    std::str::from_utf8(bytes).expect("the input is text")
}
