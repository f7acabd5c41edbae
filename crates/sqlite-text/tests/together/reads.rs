//! What `TextStatement` reads, against rusqlite and SQLite's own casts, in every encoding and on
//! connections with and without a mutex.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use proptest::prelude::*;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params};
use sqlite_text::{Error, StorageClass, TextStatement, TypePolicy};
use std::borrow::Cow;

const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];

/// `TestColumnTextScan` of modernc.org/sqlite, with texts of several columns held at once.
#[test]
fn text_scan_keeps_every_row() {
    let texts = [
        String::new(),
        "short".into(),
        "x".repeat(25),
        "long ".repeat(1000),
        "a page and more ".repeat(4000),
        "日本語のテキスト 👋🏽 🧑‍🚀".into(),
        "Кириллица ".repeat(300),
        "\0".into(),
        String::new(),
    ];
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, r TEXT)").unwrap();
            for (text, other) in texts.iter().zip(texts.iter().rev()) {
                db.execute("INSERT INTO t (s, r) VALUES (?1, ?2)", [text, other]).unwrap();
            }
            let sql = "SELECT s, r, s || r FROM t ORDER BY id";
            let mut statement = TextStatement::prepare(&db, sql).unwrap();
            for _ in 0..2 {
                let mut kept = Vec::new();
                let mut rows = statement.query(&[]).unwrap();
                let mut buffer = String::from("left over");
                while let Some(row) = rows.next().unwrap() {
                    let [s, r] = [row.text(0).unwrap(), row.text(1).unwrap()];
                    row.read_text_into(2, &mut buffer).unwrap();
                    assert_eq!(buffer, [s, r].concat());
                    // Asked again, the cell is still where it was.
                    assert_eq!(row.text(0).unwrap().as_ptr(), s.as_ptr());
                    assert_eq!(row.text_bytes(1).unwrap().as_ptr(), r.as_ptr());
                    kept.push((s.to_owned(), row.text_buf(1).unwrap()));
                }
                for ((s, r), (text, other)) in kept.iter().zip(texts.iter().zip(texts.iter().rev()))
                {
                    assert_eq!((s, r.as_str()), (text, other.as_str()), "{encoding}");
                }
                assert_eq!(kept.len(), texts.len());
            }
        }
    }
}

/// In a UTF-16 database SQLite itself would make other text of these.
#[test]
fn lone_surrogates() {
    let cases: [(&[u16], usize, &str); 6] = [
        (&[0xD800], 0, "\u{FFFD}"),
        (&[0xDC00], 0, "\u{FFFD}"),
        (&[0x61, 0xDC00, 0x62], 1, "a\u{FFFD}b"),
        (&[0x61, 0xD800], 1, "a\u{FFFD}"),
        (&[0xD83D, 0xDE00, 0xD83D, 0xD83D, 0xDE00], 2, "😀\u{FFFD}😀"),
        (&[0xE9, 0xDE00, 0xD83D], 1, "é\u{FFFD}\u{FFFD}"),
    ];
    for (units, index, lossy) in cases {
        for encoding in ["UTF-16le", "UTF-16be"] {
            let bytes: Vec<u8> = match encoding {
                "UTF-16le" => units.iter().flat_map(|u| u.to_le_bytes()).collect(),
                _ => units.iter().flat_map(|u| u.to_be_bytes()).collect(),
            };
            for db in [database(encoding), serialised(encoding)] {
                let sql = "SELECT 'before', cast(?1 AS TEXT)";
                let mut statement = TextStatement::prepare(&db, sql).unwrap();
                let mut rows = statement.query(&[&bytes]).unwrap();
                let row = rows.next().unwrap().unwrap();
                let error = Error::InvalidUtf16 { column: 1, row: 0, index };
                assert_eq!(row.text(1).unwrap_err(), error);
                assert_eq!(row.text_opt(1).unwrap_err(), error);
                assert_eq!(row.text_bytes(1).unwrap_err(), error);
                assert_eq!(row.text_buf(1).unwrap_err(), error);
                let mut out = String::from("left over");
                assert_eq!(row.read_text_into(1, &mut out).unwrap_err(), error);
                assert_eq!(out, "");
                assert_eq!(row.text_lossy(1).unwrap(), lossy);
                assert_eq!(row.text(0), Ok("before"));
            }
        }
    }
}

/// The row of an error is counted from the start of its run.
#[test]
fn errors_name_row_and_column() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT 'a', 'b' UNION ALL SELECT 'a', cast(x'61FF' AS TEXT) UNION ALL SELECT 3, 'c'";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    for _ in 0..2 {
        let mut rows = statement.query(&[]).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(1), Ok("b"));
        let row = rows.next().unwrap().unwrap();
        assert_eq!(row.text(1), Err(Error::InvalidUtf8 { column: 1, row: 1, valid_up_to: 1 }));
        assert_eq!(row.text_bytes(1), Ok(&b"a\xFF"[..]));
        // A bad value does not end the rows.
        let row = rows.next().unwrap().unwrap();
        let actual = StorageClass::Integer;
        assert_eq!(row.text(0), Err(Error::InvalidType { column: 0, row: 2, actual }));
        assert_eq!(row.text(1), Ok("c"));
        assert_eq!(row.text(2), Err(Error::ColumnOutOfRange { column: 2 }));
        assert_eq!(row.text(usize::MAX), Err(Error::ColumnOutOfRange { column: usize::MAX }));
    }
}

#[test]
fn unchecked_is_the_same_text() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        let mut statement = TextStatement::prepare(&db, "SELECT 'é' || char(0) || '😀'").unwrap();
        let mut rows = statement.query(&[]).unwrap();
        let row = rows.next().unwrap().unwrap();
        // SAFETY: the text is the literal above.
        let text = unsafe { row.text_unchecked(0) };
        assert_eq!(text, Ok("é\0😀"));
    }
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Real),
        any::<String>().prop_map(Value::Text),
        "[a-zé世😀]{0,80}".prop_map(Value::Text),
        proptest::collection::vec(any::<u8>(), 0..80).prop_map(Value::Blob),
    ]
}

proptest! {
    /// Where the bytes are text at all, what rusqlite reads; where not, an error of the same kind.
    #[test]
    fn as_rusqlite(values in proptest::collection::vec(value(), 1..8),
                   encoding in proptest::sample::select(&ENCODINGS[..]), mutex: bool) {
        let db = if mutex { serialised(encoding) } else { database(encoding) };
        db.execute_batch("CREATE TABLE t (v, c)").unwrap();
        for value in &values {
            db.execute("INSERT INTO t VALUES (?1, cast(?1 AS TEXT))", params![value]).unwrap();
        }
        let sql = "SELECT v, c FROM t ORDER BY rowid";
        let mut theirs = db.prepare(sql).unwrap();
        let mut theirs = theirs.query([]).unwrap();
        let mut ours = TextStatement::prepare(&db, sql).unwrap();
        let mut ours = ours.query(&[]).unwrap();
        let mut n = 0;
        while let Some(own) = ours.next().unwrap() {
            let their = theirs.next().unwrap().unwrap();
            for column in [0, 1, 0] {
                let wrong = |actual| Error::InvalidType { column, row: n, actual };
                match their.get_ref(column).unwrap() {
                    ValueRef::Null => {
                        prop_assert_eq!(own.text_opt(column), Ok(None));
                        prop_assert_eq!(own.text(column), Err(wrong(StorageClass::Null)));
                    }
                    ValueRef::Integer(_) => {
                        prop_assert_eq!(own.text(column), Err(wrong(StorageClass::Integer)));
                    }
                    ValueRef::Real(_) => {
                        prop_assert_eq!(own.text(column), Err(wrong(StorageClass::Real)));
                    }
                    ValueRef::Blob(_) => {
                        prop_assert_eq!(own.text(column), Err(wrong(StorageClass::Blob)));
                    }
                    ValueRef::Text(bytes) if encoding == "UTF-8" => {
                        prop_assert_eq!(own.text_bytes(column), Ok(bytes));
                        let expected = std::str::from_utf8(bytes).map_err(|e| {
                            Error::InvalidUtf8 { column, row: n, valid_up_to: e.valid_up_to() }
                        });
                        prop_assert_eq!(own.text(column), expected);
                        let lossy = own.text_lossy(column).unwrap();
                        prop_assert_eq!(&lossy, &String::from_utf8_lossy(bytes));
                        let borrowed = matches!(lossy, Cow::Borrowed(_));
                        prop_assert_eq!(borrowed, std::str::from_utf8(bytes).is_ok());
                    }
                    ValueRef::Text(bytes) => match own.text(column) {
                        Ok(text) => prop_assert_eq!(text.as_bytes(), bytes),
                        Err(Error::InvalidUtf16 { .. }) => {
                            let Value::Blob(units) = &values[n] else { panic!() };
                            let read = if encoding == "UTF-16le" {
                                u16::from_le_bytes
                            } else {
                                u16::from_be_bytes
                            };
                            let units: Vec<u16> =
                                units.chunks_exact(2).map(|b| read([b[0], b[1]])).collect();
                            prop_assert!(String::from_utf16(&units).is_err());
                            let lossy = own.text_lossy(column).unwrap();
                            prop_assert_eq!(lossy, String::from_utf16_lossy(&units));
                        }
                        Err(other) => panic!("{other}"),
                    },
                }
            }
            n += 1;
        }
        prop_assert_eq!(n, values.len());
    }

    /// Coerce is SQLite's CAST, whatever the order of the getters.
    #[test]
    fn coerce_is_cast(value in value(), encoding in proptest::sample::select(&ENCODINGS[..]),
                      mutex: bool) {
        let db = if mutex { serialised(encoding) } else { database(encoding) };
        // Bound, and from a table: SQLite holds the two in different ways.
        db.execute_batch("CREATE TABLE t (v)").unwrap();
        db.execute("INSERT INTO t VALUES (?1)", [&value]).unwrap();
        let sql = "SELECT ?1, cast(?1 AS TEXT), v, cast(v AS TEXT) FROM t";
        let mut statement =
            TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
        let mut rows = statement.query(&[&value]).unwrap();
        let row = rows.next().unwrap().unwrap();
        let shift = |error: Error| match error {
            Error::InvalidUtf8 { row, valid_up_to, .. } => (row, valid_up_to),
            Error::InvalidUtf16 { row, index, .. } => (row, index),
            Error::InvalidType { row, .. } => (row, 0),
            other => panic!("{other}"),
        };
        for (raw, cast) in [(0, 1), (2, 3), (0, 1), (2, 3)] {
            prop_assert_eq!(row.text(raw).map_err(shift), row.text(cast).map_err(shift));
            prop_assert_eq!(row.text_opt(raw).map_err(shift), row.text_opt(cast).map_err(shift));
            prop_assert_eq!(row.text_lossy(raw).map_err(shift), row.text_lossy(cast).map_err(shift));
            prop_assert_eq!(row.text_bytes(raw).map_err(shift), row.text_bytes(cast).map_err(shift));
        }
        prop_assert_eq!(value == Value::Null, row.text_opt(0) == Ok(None));
    }
}
