//! `sqlite-text`'s getters on any bytes that SQLite can be brought to hold as TEXT.

use rusqlite::Connection;
use sqlite_text::{Error, RowTextExt, TextBuf, TextRow, TextStatement};
use std::fmt::Write as _;

fn open(encoding: &str) -> Connection {
    let db = Connection::open_in_memory().expect("an in-memory database");
    db.pragma_update(None, "encoding", encoding).expect("an empty database");
    db
}

thread_local! {
    static UTF8: Connection = open("UTF-8");
    static UTF16: Connection = open("UTF-16le");
}

/// The input cast to TEXT, in a database of either encoding.
pub fn row(data: &[u8]) {
    UTF8.with(|db| {
        through_rusqlite(db, data);
        let mut statement =
            TextStatement::prepare(db, "SELECT cast(?1 AS TEXT)").expect("valid SQL");
        let mut rows = statement.query(&[&data]).expect("one parameter");
        let row = rows.next().expect("no error").expect("one row");
        let expected = std::str::from_utf8(data);
        by_statement(&row, expected.ok(), &String::from_utf8_lossy(data));
        if let Err(e) = expected {
            let at = Error::InvalidUtf8 { column: 0, row: 0, valid_up_to: e.valid_up_to() };
            assert_eq!(row.text(0), Err(at));
        }
        assert_eq!(row.text_bytes(0), Ok(data));
    });
    UTF16.with(|db| {
        let units: Vec<u16> =
            data.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        // A literal has the encoding of the database, a bound blob none.
        let mut sql = String::from("SELECT cast(x'");
        for unit in &units {
            let _ = write!(sql, "{:04x}", unit.swap_bytes());
        }
        sql.push_str("' AS TEXT)");
        let mut statement = TextStatement::prepare(db, &sql).expect("valid SQL");
        let mut rows = statement.query(&[]).expect("no parameter");
        let row = rows.next().expect("no error").expect("one row");
        let expected = String::from_utf16(&units).ok();
        by_statement(&row, expected.as_deref(), &String::from_utf16_lossy(&units));
        if expected.is_none() {
            assert!(matches!(row.text(0), Err(Error::InvalidUtf16 { column: 0, row: 0, .. })));
        }
    });
}

fn by_statement(row: &TextRow<'_>, expected: Option<&str>, lossy: &str) {
    assert_eq!(row.text(0).ok(), expected);
    assert_eq!(row.text_opt(0).ok(), expected.map(Some));
    assert_eq!(row.text_lossy(0).as_deref(), Ok(lossy));
    assert_eq!(row.text_buf(0).ok().as_deref(), expected);
    let mut out = String::from("before");
    match row.read_text_into(0, &mut out) {
        Ok(()) => assert_eq!(Some(&*out), expected),
        Err(_) => assert_eq!((out.as_str(), expected), ("", None)),
    }
    assert_eq!(row.text(1), Err(Error::ColumnOutOfRange { column: 1 }));
}

fn through_rusqlite(db: &Connection, data: &[u8]) {
    let mut statement = db.prepare_cached("SELECT cast(?1 AS TEXT)").expect("valid SQL");
    let mut rows = statement.query([data]).expect("one parameter");
    let row = rows.next().expect("no error").expect("one row");
    let expected = std::str::from_utf8(data);
    assert_eq!(row.text(0).ok(), expected.ok());
    assert_eq!(row.text_opt(0).ok(), expected.ok().map(Some));
    assert_eq!(row.text(0).map(String::from), row.get::<_, String>(0));
    assert_eq!(row.text_lossy(0).ok(), Some(String::from_utf8_lossy(data)));
    let mut out = String::from("before");
    match row.read_text_into(0, &mut out) {
        Ok(()) => assert_eq!(Some(&*out), expected.ok()),
        Err(_) => assert_eq!((out.as_str(), expected.is_err()), ("", true)),
    }
    for buf in [row.text_buf(0), row.get::<_, TextBuf>(0)] {
        assert_eq!(buf.ok().as_deref(), expected.ok());
    }
    assert!(row.text(1).is_err());
}
