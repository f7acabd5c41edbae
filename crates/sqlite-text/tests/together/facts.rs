//! `tests/data/facts.toml` through every reader, in every encoding, under every policy, and beside it
//! what the linked SQLite itself says of the same query.
#![cfg(feature = "rusqlite")]

use crate::common::batches::Plan;
use crate::common::cells::{At, Cell, ENCODINGS, POLICIES, Text, ask, class, unhex};
use crate::common::{database, serialised};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql};
use serde::Deserialize;
use sqlite_text::{StorageClass, TextStatement};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    fact: Vec<Fact>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    name: String,
    #[serde(default = "utf8")]
    encoding: String,
    #[serde(default)]
    setup: String,
    #[serde(default)]
    bind: Vec<String>,
    sql: String,
    rows: Vec<Vec<Expected>>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Expected {
    Text(String),
    Hex { hex: String },
    Units { units: String },
    Class { class: String, text: Option<String> },
    Long { long: (String, usize), end: Option<String> },
}

fn utf8() -> String {
    "UTF-8".to_owned()
}

/// A TEXT of any bytes.
struct Bytes(Vec<u8>);

impl ToSql for Bytes {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(&self.0)))
    }
}

impl Fact {
    fn holds_in(&self, encoding: &str) -> bool {
        self.encoding == "all"
            || self.encoding == encoding
            || self.encoding == "UTF-16" && encoding != "UTF-8"
    }
}

impl Expected {
    fn check(&self, cell: &Cell, encoding: &str, case: &str) {
        match self {
            Self::Text(text) => assert_eq!(*cell, Cell::Text(Text::of(encoding, text)), "{case}"),
            Self::Long { long: (part, times), end } => {
                let text = part.repeat(*times) + end.as_deref().unwrap_or_default();
                assert!(*cell == Cell::Text(Text::of(encoding, &text)), "{case}");
            }
            Self::Hex { hex } => {
                assert_eq!(*cell, Cell::Text(Text::stored("UTF-8", &unhex(hex))), "{case}");
            }
            Self::Units { units } => {
                assert_eq!(*cell, Cell::Text(Text::stored("UTF-16be", &unhex(units))), "{case}");
            }
            Self::Class { class: name, text } => match cell {
                Cell::Null => assert_eq!(class(name), StorageClass::Null, "{case}"),
                Cell::Other(actual, cast) => {
                    assert_eq!(*actual, class(name), "{case}");
                    if let Some(text) = text {
                        assert_eq!(*cast, Text::of(encoding, text), "{case}");
                    }
                }
                Cell::Text(_) => panic!("{case}: {cell:?}"),
            },
        }
    }
}

#[test]
fn every_fact_in_every_encoding() {
    let facts: Facts = toml::from_str(include_str!("../data/facts.toml")).unwrap();
    for fact in &facts.fact {
        for encoding in ENCODINGS {
            for (db, mutex) in [(database(encoding), ""), (serialised(encoding), ", serialised")] {
                db.execute_batch(&fact.setup).unwrap();
                check(fact, &db, encoding, &format!("{}, {encoding}{mutex}", fact.name));
            }
        }
    }
}

fn check(fact: &Fact, db: &Connection, encoding: &str, case: &str) {
    let bound: Vec<_> = fact.bind.iter().map(|hex| Bytes(unhex(hex))).collect();
    let params: Vec<_> = bound.iter().map(|bytes| bytes as &dyn ToSql).collect();
    let truth = ask(db, &fact.sql, &params);
    assert_eq!(truth.len(), fact.rows.len(), "{case}");
    if fact.holds_in(encoding) {
        for (cells, expected) in truth.iter().zip(&fact.rows) {
            assert_eq!(cells.len(), expected.len(), "{case}");
            for (cell, expected) in cells.iter().zip(expected) {
                expected.check(cell, encoding, case);
            }
        }
    }
    for policy in POLICIES {
        let mut statement = TextStatement::prepare(db, &fact.sql).unwrap().policy(policy);
        // A second run reads the same.
        for _ in 0..2 {
            let mut rows = statement.query(&params).unwrap();
            for (row, cells) in truth.iter().enumerate() {
                let read = rows.next().unwrap().unwrap();
                for (column, cell) in cells.iter().enumerate() {
                    cell.check(&read, policy, At { row, column }, case);
                }
            }
            assert!(rows.next().unwrap().is_none(), "{case}");
        }
    }
    let columns = truth[0].len();
    let mut statement = TextStatement::prepare(db, &fact.sql).unwrap();
    for columns in [columns, 1] {
        for plan in Plan::all(columns) {
            plan.check(&mut statement, &params, &truth, case);
        }
    }
    let mut statement = db.prepare(&fact.sql).unwrap();
    let mut rows = statement.query(&*params).unwrap();
    for (row, cells) in truth.iter().enumerate() {
        let read = rows.next().unwrap().unwrap();
        for (column, cell) in cells.iter().enumerate() {
            cell.check_rusqlite(read, At { row, column }, case);
        }
    }
}
