//! For users of libsqlite3-sys alone: everything works on a statement prepared in C's way.

use sqlite_text::{Error, TextBatch, TextStatement, TypePolicy, ffi};
use std::ffi::CStr;
use std::ptr;

/// A connection in memory.
struct Db(*mut ffi::sqlite3);

impl Db {
    fn open() -> Self {
        let mut db = ptr::null_mut();
        // SAFETY: the name ends with a NUL and `db` takes the handle.
        let code = unsafe { ffi::sqlite3_open(c":memory:".as_ptr(), &raw mut db) };
        assert_eq!(code, ffi::SQLITE_OK);
        Self(db)
    }

    fn run(&self, sql: &CStr) {
        let (none, nothing) = (None, ptr::null_mut());
        // SAFETY: the connection is open; no callback, no message wanted.
        let code =
            unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), none, nothing, ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK);
    }

    fn statement(&self, sql: &CStr) -> TextStatement<'_> {
        let mut statement = ptr::null_mut();
        // SAFETY: the connection is open and `statement` takes the handle.
        let code = unsafe {
            ffi::sqlite3_prepare_v2(self.0, sql.as_ptr(), -1, &raw mut statement, ptr::null_mut())
        };
        assert_eq!(code, ffi::SQLITE_OK);
        // SAFETY: a new statement of this connection, which stays open while it is borrowed, and
        // which this thread alone uses.
        unsafe { TextStatement::from_raw(self.0, statement) }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // SAFETY: open, and not used any more. It refuses while a statement is not finalised.
        assert_eq!(unsafe { ffi::sqlite3_close(self.0) }, ffi::SQLITE_OK);
    }
}

#[test]
fn reads_rows() {
    for encoding in [c"PRAGMA encoding='UTF-8'", c"PRAGMA encoding='UTF-16be'"] {
        let db = Db::open();
        db.run(encoding);
        db.run(c"CREATE TABLE t (s); INSERT INTO t VALUES ('Zürich'), (7), (NULL), ('京都')");
        let mut statement = db.statement(c"SELECT s FROM t").policy(TypePolicy::Coerce);
        let mut texts = Vec::new();
        let mut rows = statement.query_bound().unwrap();
        let s = rows.column_index("S").unwrap();
        while let Some(row) = rows.next().unwrap() {
            texts.push(row.text_opt(s).unwrap().map(str::to_owned));
        }
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        assert_eq!(texts, [Some("Zürich"), Some("7"), None, Some("京都")]);
    }
}

/// diesel issue 4223: the SQL of no statement.
#[test]
fn an_empty_sql_is_no_statement() {
    let db = Db::open();
    for sql in [c"", c"-- a comment", c" ; "] {
        let mut statement = db.statement(sql);
        assert!(matches!(statement.query_bound(), Err(Error::Sqlite { code: 21, .. })));
        assert_eq!(statement.column_index("s"), None);
        assert!(statement.into_raw().is_null());
    }
}

#[test]
fn reads_batches() {
    for encoding in [c"PRAGMA encoding='UTF-8'", c"PRAGMA encoding='UTF-16le'"] {
        let db = Db::open();
        db.run(encoding);
        db.run(c"CREATE TABLE t (s); INSERT INTO t VALUES ('Zürich'), (NULL), ('京都')");
        let mut statement = db.statement(c"SELECT s FROM t");
        let mut reader = statement.query_bound().unwrap().batches().max_rows(2);
        let mut cities = [TextBatch::new()];
        assert_eq!(reader.next_batch(&mut cities), Ok(2));
        assert_eq!(cities[0].iter().collect::<Vec<_>>(), [Some("Zürich"), None]);
        assert_eq!(reader.next_batch(&mut cities), Ok(1));
        assert_eq!(cities[0].get(0), Some("京都"));
        assert_eq!(reader.next_batch(&mut cities), Ok(0));
    }
}
