//! rusqlite's values as parameters.

#[allow(unsafe_code, reason = "the C interface of parameters")]
mod raw;

use crate::error::{Error, Result};
use crate::ffi;
use crate::raw::Statement;
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// Binds all parameters of the statement; nothing of an earlier binding survives, not even on an
/// error or when a parameter panics.
pub(crate) fn all(statement: &mut Statement, params: &[&dyn ToSql]) -> Result<()> {
    let unfinished = Unfinished(statement);
    let expected = unfinished.0.parameter_count();
    if params.len() != expected {
        let message = format!("{} parameters for a statement of {expected}", params.len());
        let code = ffi::SQLITE_RANGE;
        return Err(Error::Sqlite { code, extended: code, message });
    }
    for (i, param) in params.iter().enumerate() {
        one(unfinished.0, i + 1, *param)?;
    }
    core::mem::forget(unfinished);
    Ok(())
}

/// A statement that is not to keep what is bound to it.
struct Unfinished<'s>(&'s mut Statement);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.0.clear_bindings();
    }
}

pub(crate) fn one(statement: &mut Statement, i: usize, param: &dyn ToSql) -> Result<()> {
    let output = param.to_sql().map_err(|error| match error {
        rusqlite::Error::SqliteFailure(code, message) => Error::Sqlite {
            code: code.extended_code & 0xFF,
            extended: code.extended_code,
            message: message.unwrap_or_else(|| code.to_string()),
        },
        other => mismatch(other.to_string()),
    })?;
    let value = match &output {
        ToSqlOutput::Borrowed(value) => *value,
        ToSqlOutput::Owned(value) => value.into(),
        _ => return Err(mismatch(format!("parameter {i} is of a kind that cannot be bound here"))),
    };
    match value {
        ValueRef::Null => statement.bind_null(i),
        ValueRef::Integer(value) => statement.bind_integer(i, value),
        ValueRef::Real(value) => statement.bind_real(i, value),
        ValueRef::Text(text) => statement.bind_text(i, text),
        ValueRef::Blob(blob) => statement.bind_blob(i, blob),
    }
}

fn mismatch(message: String) -> Error {
    let code = ffi::SQLITE_MISMATCH;
    Error::Sqlite { code, extended: code, message }
}
