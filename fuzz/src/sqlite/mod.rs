//! `sqlite-text`'s readers on any bytes that SQLite can be brought to hold as TEXT.
//!
//! The oracle is that of the crate's own tests: what the standard library makes of the bytes.

pub mod batch;
pub mod pieces;
pub mod row;

#[path = "../../../crates/sqlite-text/tests/common/mod.rs"]
#[allow(dead_code, unexpected_cfgs, unsafe_code, reason = "it is the tests', for their features")]
mod common;

use common::cells::{Cell, ENCODINGS, POLICIES, Text};
use rusqlite::Connection;
use rusqlite::types::Value;
use sqlite_text::{StorageClass, TypePolicy};

/// The columns of the table of a database.
const COLUMNS: usize = 3;

thread_local! {
    /// One of each encoding, without and with a mutex; with an empty table.
    static DATABASES: [Connection; 6] = std::array::from_fn(|i| {
        let encoding = ENCODINGS[i % 3];
        let db = if i < 3 { common::database(encoding) } else { common::serialised(encoding) };
        db.execute_batch("CREATE TABLE t (a, b, c)").expect("a new database");
        db
    });
}

/// The first bytes of an input choose; what they left out is 0.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn number(&mut self) -> usize {
        let (number, rest) = crate::number(self.0);
        self.0 = rest;
        number
    }

    fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn policy(&mut self) -> TypePolicy {
        POLICIES[self.number() % 3]
    }

    /// A value, and whether its bytes are cast to TEXT. Some have `pad` letters in front, or up to 40
    /// less.
    fn value(&mut self, pad: usize) -> (Value, bool) {
        let kind = self.number();
        let length = kind & 0x3F;
        match kind >> 6 {
            0 | 1 => (Value::Blob(self.take(length).to_vec()), true),
            2 => (Value::Blob(self.take(length).to_vec()), false),
            _ => match kind % 4 {
                0 => (Value::Null, false),
                1 => (Value::Integer(self.eight().cast_signed()), false),
                2 => (Value::Real(f64::from_bits(self.eight())), false),
                _ => {
                    let pad = pad - self.number() % 40;
                    let bytes = self.take(length / 4);
                    (Value::Blob([&*vec![b'x'; pad], bytes].concat()), true)
                }
            },
        }
    }

    fn eight(&mut self) -> u64 {
        let mut bytes = [0; 8];
        let taken = self.take(8);
        bytes[..taken.len()].copy_from_slice(taken);
        u64::from_le_bytes(bytes)
    }

    /// Fills the table until the input is used up, or so many rows; what it then holds.
    fn fill(&mut self, db: &Connection, encoding: &str, rows: usize, pad: usize) -> Vec<Vec<Cell>> {
        db.prepare_cached("DELETE FROM t").and_then(|mut all| all.execute([])).expect("a table");
        let mut insert = db
            .prepare_cached(
                "INSERT INTO t VALUES (iif(?4 & 1, cast(?1 AS TEXT), ?1),
                     iif(?4 & 2, cast(?2 AS TEXT), ?2), iif(?4 & 4, cast(?3 AS TEXT), ?3))",
            )
            .expect("valid SQL");
        let mut cells = Vec::new();
        for _ in 0..rows {
            let values: [_; COLUMNS] = std::array::from_fn(|_| self.value(pad));
            cells.push(
                values.iter().map(|(value, cast)| cell(db, encoding, value, *cast)).collect(),
            );
            let casts = values.iter().enumerate().map(|(i, (_, cast))| i64::from(*cast) << i);
            let casts: i64 = casts.sum();
            let [(a, _), (b, _), (c, _)] = values;
            insert.execute((a, b, c, casts)).expect("a row");
            if self.0.is_empty() {
                break;
            }
        }
        cells
    }
}

/// What a value becomes in a table. What a number is as text, SQLite says.
fn cell(db: &Connection, encoding: &str, value: &Value, cast: bool) -> Cell {
    let number = || {
        let mut statement = db.prepare_cached("SELECT cast(?1 AS TEXT)").expect("valid SQL");
        let text: Option<String> =
            statement.query_row([value], |row| row.get(0)).expect("text or NULL");
        text.map(|text| Text::of(encoding, &text))
    };
    match value {
        Value::Blob(bytes) if cast => text(encoding, bytes),
        Value::Blob(bytes) => Cell::Other(StorageClass::Blob, Text::stored(encoding, bytes)),
        Value::Integer(_) => {
            number().map_or(Cell::Null, |it| Cell::Other(StorageClass::Integer, it))
        }
        // SQLite makes NULL of what is not a number.
        Value::Real(_) => number().map_or(Cell::Null, |it| Cell::Other(StorageClass::Real, it)),
        Value::Null | Value::Text(_) => Cell::Null,
    }
}

/// What a text of these bytes must be.
fn text(encoding: &str, bytes: &[u8]) -> Cell {
    Cell::Text(Text::stored(encoding, bytes))
}
