//! `sqlite-text`'s getters on any bytes that SQLite can be brought to hold as TEXT.

use rusqlite::Connection;
use sqlite_text::{RowTextExt, TextBuf};
use std::cell::RefCell;

thread_local! {
    static DB: RefCell<Connection> =
        RefCell::new(Connection::open_in_memory().expect("an in-memory database"));
}

/// The input cast to TEXT.
pub fn row(data: &[u8]) {
    DB.with_borrow(|db| {
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
    });
}
