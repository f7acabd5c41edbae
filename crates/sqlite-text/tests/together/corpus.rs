//! `tests/data/values.toml` through every getter, with rusqlite's `String` beside them.
#![cfg(feature = "rusqlite")]

use crate::common::batches::Plan;
use crate::common::cells::ask;
use crate::common::{database, serialised};
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Row};
use serde::Deserialize;
use sqlite_text::{Error, LossyText, RowTextExt, TextBuf, TextStatement};
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default = "utf8")]
    encoding: String,
    sql: String,
    text: Option<String>,
    hex: Option<String>,
    valid_up_to: Option<usize>,
    lossy: Option<String>,
    class: Option<String>,
}

fn utf8() -> String {
    "UTF-8".to_owned()
}

#[test]
fn every_value_reads_as_the_corpus_says() {
    let corpus: Corpus = toml::from_str(include_str!("../data/values.toml")).unwrap();
    for case in &corpus.case {
        let encodings = match case.encoding.as_str() {
            "all" => &["UTF-8", "UTF-16le", "UTF-16be"][..],
            one => &[one],
        };
        for encoding in encodings {
            let at = format!("{} in {encoding}", case.name);
            let db = database(encoding);
            statement(&at, case, &db);
            statement(&at, case, &serialised(encoding));
            let truth = ask(&db, &case.sql, &[]);
            let mut batches = TextStatement::prepare(&db, &case.sql).unwrap();
            for plan in Plan::all(1) {
                plan.check(&mut batches, &[], &truth, &at);
            }
            db.query_row(&case.sql, [], |row| {
                check(&at, case, row);
                as_rusqlite(&at, row);
                Ok(())
            })
            .unwrap();
        }
    }
}

fn check(at: &str, case: &Case, row: &Row<'_>) {
    match (&case.text, &case.hex, &case.class) {
        (Some(text), None, None) => {
            assert_eq!(row.text(0).unwrap(), text, "{at}");
            assert_eq!(row.text_opt(0).unwrap(), Some(text.as_str()), "{at}");
            assert_eq!(row.text_buf(0).unwrap(), *text, "{at}");
            assert!(matches!(row.text_lossy(0).unwrap(), Cow::Borrowed(t) if t == text), "{at}");
        }
        (None, Some(hex), None) => {
            let lossy = case.lossy.as_deref().unwrap();
            let bytes = unhex(hex);
            assert_eq!(row.get_ref(0).unwrap(), ValueRef::Text(&bytes), "{at}");
            match row.text(0).unwrap_err() {
                rusqlite::Error::Utf8Error(0, e) => {
                    assert_eq!(Some(e.valid_up_to()), case.valid_up_to, "{at}");
                }
                other => panic!("{at}: {other}"),
            }
            assert_eq!(row.text_lossy(0).unwrap(), lossy, "{at}");
            assert_eq!(String::from_utf8_lossy(&bytes), lossy, "{at}");
            assert_eq!(row.get::<_, LossyText>(0).unwrap().0, lossy, "{at}");
        }
        (None, None, Some(class)) => {
            let class = match class.as_str() {
                "NULL" => Type::Null,
                "INTEGER" => Type::Integer,
                "REAL" => Type::Real,
                "BLOB" => Type::Blob,
                other => panic!("{at}: {other} is no class"),
            };
            for error in [row.text(0).unwrap_err(), row.text_lossy(0).unwrap_err()] {
                match error {
                    rusqlite::Error::InvalidColumnType(0, _, actual) => {
                        assert_eq!(actual, class, "{at}");
                    }
                    other => panic!("{at}: {other}"),
                }
            }
            assert_eq!(matches!(row.text_opt(0), Ok(None)), class == Type::Null, "{at}");
        }
        _ => panic!("{at}: one of text, hex and class"),
    }
}

/// The same through a statement of ours.
fn statement(at: &str, case: &Case, db: &Connection) {
    let mut statement = TextStatement::prepare(db, &case.sql).unwrap();
    let mut rows = statement.query(&[]).unwrap();
    let row = rows.next().unwrap().unwrap();
    match (&case.text, &case.hex, &case.class) {
        (Some(text), _, _) => {
            assert_eq!(row.text(0), Ok(text.as_str()), "{at}");
            assert_eq!(row.text_opt(0), Ok(Some(text.as_str())), "{at}");
            assert_eq!(row.text_bytes(0), Ok(text.as_bytes()), "{at}");
            assert_eq!(row.text_buf(0).unwrap(), *text, "{at}");
            assert!(matches!(row.text_lossy(0).unwrap(), Cow::Borrowed(t) if t == text), "{at}");
        }
        (_, Some(hex), _) => {
            let valid_up_to = case.valid_up_to.unwrap();
            let error = Error::InvalidUtf8 { column: 0, row: 0, valid_up_to };
            assert_eq!(row.text(0), Err(error), "{at}");
            assert_eq!(row.text_bytes(0).unwrap(), unhex(hex), "{at}");
            assert_eq!(row.text_lossy(0).unwrap(), case.lossy.as_deref().unwrap(), "{at}");
        }
        (_, _, class) => {
            let Err(Error::InvalidType { column: 0, row: 0, actual }) = row.text(0) else {
                panic!("{at}");
            };
            assert_eq!(Some(actual.to_string()), *class, "{at}");
        }
    }
}

/// The drop-in promise: the same value or the same error as `get::<_, String>`.
fn as_rusqlite(at: &str, row: &Row<'_>) {
    let oracle = row.get::<_, String>(0);
    assert_eq!(row.text(0).map(str::to_owned), oracle, "{at}");
    assert_eq!(row.text_buf(0).map(String::from), oracle, "{at}");
    assert_eq!(row.get::<_, TextBuf>(0).map(String::from), oracle, "{at}");
    let mut out = String::from("left over");
    let read = row.read_text_into(0, &mut out);
    assert_eq!(out, oracle.as_deref().unwrap_or(""), "{at}");
    assert_eq!(read, oracle.map(drop), "{at}");
    let oracle = row.get::<_, Option<String>>(0);
    assert_eq!(row.text_opt(0).map(|t| t.map(str::to_owned)), oracle, "{at}");
    assert_eq!(row.get::<_, Option<TextBuf>>(0).map(|t| t.map(String::from)), oracle, "{at}");
}

fn unhex(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
