//! Results of many rows, values of any kind, and what is no value of the row.
#![cfg(feature = "rusqlite")]

use crate::common::database;
use proptest::prelude::*;
use rusqlite::types::Value;
use rusqlite::{Connection, Error, params};
use sqlite_text::{LossyText, RowTextExt, TextBuf};

/// `TestColumnTextScan` of modernc.org/sqlite: all strings of all rows are kept and compared when the
/// last row has been read, so that a text that still points into an earlier row shows.
#[test]
fn text_scan_keeps_every_row() {
    let texts: Vec<String> = vec![
        String::new(),
        "a".into(),
        "short".into(),
        "x".repeat(24),
        "x".repeat(25),
        "long ".repeat(1000),
        "a page and more ".repeat(4000),
        "héllo wörld".into(),
        "日本語のテキスト".into(),
        "👋🏽 🧑‍🚀 𝔘𝔫𝔦𝔠𝔬𝔡𝔢".into(),
        "Кириллица ".repeat(300),
        String::new(),
    ];
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT NOT NULL)").unwrap();
        for text in &texts {
            db.execute("INSERT INTO t (s) VALUES (?1)", [text]).unwrap();
        }
        let mut statement = db.prepare("SELECT s FROM t ORDER BY id").unwrap();
        let (mut owned, mut small, mut read, mut lossy) = (vec![], vec![], vec![], vec![]);
        let mut rows = statement.query([]).unwrap();
        let mut buffer = String::new();
        while let Some(row) = rows.next().unwrap() {
            owned.push(row.text(0).unwrap().to_owned());
            small.push(row.text_buf(0).unwrap());
            row.read_text_into(0, &mut buffer).unwrap();
            read.push(buffer.clone());
            lossy.push(row.get::<_, LossyText>(0).unwrap().0);
        }
        drop(rows);
        let got: Vec<TextBuf> =
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(owned, texts, "{encoding}");
        assert_eq!(small, texts, "{encoding}");
        assert_eq!(read, texts, "{encoding}");
        assert_eq!(lossy, texts, "{encoding}");
        assert_eq!(got, texts, "{encoding}");
    }
}

/// Several borrows of one row at once, the same cell twice among them: nothing moves.
#[test]
fn borrows_of_one_row_stand_together() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        database(encoding)
            .query_row("SELECT 'eins', 'zwei' || char(0x1F600), 'drei', NULL", [], |row| {
                let texts = [row.text(0)?, row.text(1)?, row.text(2)?, row.text(1)?, row.text(0)?];
                assert_eq!(row.text_opt(3)?, None);
                let buf = row.text_buf(1)?;
                assert_eq!(texts, ["eins", "zwei😀", "drei", "zwei😀", "eins"]);
                assert_eq!(buf, "zwei😀");
                assert_eq!(texts[1].as_ptr(), texts[3].as_ptr());
                Ok(())
            })
            .unwrap();
    }
}

#[test]
fn a_column_that_is_not_there() {
    let db = Connection::open_in_memory().unwrap();
    db.query_row("SELECT 'a', 'b'", [], |row| {
        for i in [2, 3, 32767, i32::MAX as usize, 1 << 32, usize::MAX] {
            let error = Err(Error::InvalidColumnIndex(i));
            assert_eq!(row.text(i).map(drop), error);
            assert_eq!(row.text_opt(i).map(drop), error);
            assert_eq!(row.text_lossy(i).map(drop), error);
            assert_eq!(row.text_buf(i).map(drop), error);
            let mut out = "left over".to_owned();
            assert_eq!(row.read_text_into(i, &mut out), error);
            assert_eq!(out, "");
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn the_error_names_the_column() {
    let db = Connection::open_in_memory().unwrap();
    let error = db.query_row("SELECT 'a', 7 AS age", [], |row| row.text(1).map(drop)).unwrap_err();
    let Error::InvalidColumnType(1, name, rusqlite::types::Type::Integer) = error else {
        panic!("{error}");
    };
    assert_eq!(name, "age");
}

/// d2sqlite3 issue 77: the empty text must not be bound as NULL.
#[test]
fn a_text_buf_binds_as_text() {
    let db = Connection::open_in_memory().unwrap();
    for text in ["", "a\0b", "short", "thirty-two bytes and a few more of them"] {
        let text = TextBuf::from(text);
        let sql = "SELECT typeof(?1), ?1, octet_length(?1)";
        db.query_row(sql, [&text], |row| {
            assert_eq!(row.text(0)?, "text");
            assert_eq!(row.text_buf(1)?, text);
            assert_eq!(row.get::<_, isize>(2)?, text.len() as isize);
            Ok(())
        })
        .unwrap();
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
    /// Any value, and any bytes as TEXT, in any encoding: what `get::<_, String>` gives.
    #[test]
    fn as_get_string(values in proptest::collection::vec(value(), 1..12),
                     encoding in prop_oneof![Just("UTF-8"), Just("UTF-16le"), Just("UTF-16be")]) {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (v, c)").unwrap();
        for value in &values {
            db.execute("INSERT INTO t VALUES (?1, cast(?1 AS TEXT))", params![value]).unwrap();
        }
        let mut statement = db.prepare("SELECT v, c FROM t ORDER BY rowid").unwrap();
        let mut rows = statement.query([]).unwrap();
        let mut seen = 0;
        let mut out = String::from("before");
        while let Some(row) = rows.next().unwrap() {
            seen += 1;
            for i in [0, 1, 0] {
                let oracle = row.get::<_, String>(i);
                prop_assert_eq!(row.text(i).map(str::to_owned), row.get::<_, String>(i));
                prop_assert_eq!(row.text_buf(i).map(String::from), row.get::<_, String>(i));
                prop_assert_eq!(row.get::<_, TextBuf>(i).map(String::from), row.get::<_, String>(i));
                prop_assert_eq!(
                    row.text_opt(i).map(|t| t.map(str::to_owned)),
                    row.get::<_, Option<String>>(i)
                );
                let read = row.read_text_into(i, &mut out);
                prop_assert_eq!(&out, oracle.as_deref().unwrap_or(""));
                prop_assert_eq!(read, oracle.map(drop));
                if let rusqlite::types::ValueRef::Text(bytes) = row.get_ref(i).unwrap() {
                    prop_assert_eq!(row.text_lossy(i).unwrap(), String::from_utf8_lossy(bytes));
                    let lossy = row.get::<_, LossyText>(i).unwrap().0;
                    prop_assert_eq!(lossy, String::from_utf8_lossy(bytes));
                } else {
                    prop_assert_eq!(row.text_lossy(i).map(String::from), row.get::<_, String>(i));
                    let lossy = row.get::<_, LossyText>(i).map(|t| t.0);
                    prop_assert_eq!(lossy, row.get::<_, String>(i));
                }
            }
        }
        prop_assert_eq!(seen, values.len());
    }
}
