//! `TextStatement`: preparing, binding, running; what it reads is in `corpus.rs` and `reads.rs`.
#![cfg(feature = "rusqlite")]

use crate::common::database;
use rusqlite::types::{Null, ToSqlOutput};
use rusqlite::{Connection, ToSql, ffi};
use sqlite_text::{Error, StorageClass, TextStatement, TypePolicy};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn all(statement: &mut TextStatement<'_>, params: &[&dyn ToSql]) -> Result<Vec<String>, Error> {
    let mut rows = statement.query(params)?;
    let mut texts = Vec::new();
    while let Some(row) = rows.next()? {
        texts.push(row.text(0)?.to_owned());
    }
    Ok(texts)
}

fn code<T>(result: Result<T, Error>) -> i32 {
    match result {
        Err(Error::Sqlite { code, .. }) => code,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn one_statement_and_no_other() {
    let db = Connection::open_in_memory().unwrap();
    for sql in ["", " ", ";", "-- only a comment", "/* also */ ;", "\0", "\0SELECT 1"] {
        assert_eq!(code(TextStatement::prepare(&db, sql)), 21, "{sql:?}");
    }
    let rests =
        [" SELECT 'b'", "/* */;SELECT 'b'", "\0", "-- \0", "--\nSELEC", "/*", "/", "-", "/*/*/b"];
    for rest in rests {
        let sql = format!("SELECT 'a';{rest}");
        assert_eq!(code(TextStatement::prepare(&db, &sql)), 21, "{sql:?}");
    }
    for rest in
        ["", ";", " ; ; -- no more", ";/**/\n;", ";--\n\t--", ";/*/", ";/***/\r\x0C\u{FEFF}"]
    {
        let sql = &*format!("SELECT 'a'{rest}");
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        assert_eq!(all(&mut statement, &[]).unwrap(), ["a"], "{sql:?}");
    }
    let error = TextStatement::prepare(&db, "SELEC 'a'").unwrap_err();
    assert_eq!(error.to_string(), "near \"SELEC\": syntax error (SQLite result code 1)");
}

/// SQLite runs such a PRAGMA when it is prepared.
#[test]
fn a_second_statement_that_is_refused_does_nothing() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch("PRAGMA foreign_keys = ON").unwrap();
    let sql = "SELECT 'a'; PRAGMA foreign_keys = OFF";
    assert_eq!(code(TextStatement::prepare(&db, sql)), 21);
    let on: bool = db.query_row("PRAGMA foreign_keys", [], |row| row.get(0)).unwrap();
    assert!(on);
}

#[test]
fn parameters_of_every_kind() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT typeof(?1), hex(?1), ?1 IS ?2";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    let values: [(&dyn ToSql, &str, &str); 7] = [
        (&Null, "null", ""),
        (&7_i64, "integer", "37"),
        (&0.5_f64, "real", "302E35"),
        (&"a\0é", "text", "6100C3A9"),
        (&"", "text", ""),
        (&[0xFF_u8, 0].as_slice(), "blob", "FF00"),
        (&Vec::<u8>::new(), "blob", ""),
    ];
    for (value, class, hex) in values {
        let mut rows = statement.query(&[value, value]).unwrap();
        let row = rows.next().unwrap().unwrap();
        assert_eq!((row.text(0).unwrap(), row.text(1).unwrap()), (class, hex));
        assert_eq!(
            row.text(2),
            Err(Error::InvalidType { column: 2, row: 0, actual: StorageClass::Integer })
        );
        assert!(rows.next().unwrap().is_none());
    }
}

/// A value that cannot be made one.
struct Never;

impl ToSql for Never {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Err(rusqlite::Error::ToSqlConversionFailure("never".into()))
    }
}

#[test]
fn wrong_counts_bind_nothing() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT coalesce(?1, 'nothing') || coalesce(?2, '')";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    assert_eq!(all(&mut statement, &[&"a", &"b"]).unwrap(), ["ab"]);
    let kept =
        statement.query_bound().unwrap().next().unwrap().unwrap().text(0).unwrap().to_owned();
    assert_eq!(kept, "ab");
    for params in [&[][..], &[&"c" as &dyn ToSql], &[&1, &2, &3]] {
        assert_eq!(code(statement.query(params)), 25);
        let mut rows = statement.query_bound().unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("nothing"));
    }
    assert_eq!(all(&mut statement, &[&"c", &Null]).unwrap(), ["c"]);
    // One that cannot be bound takes those before it away again.
    assert_eq!(code(statement.query(&[&"d", &Never])), 20);
    let mut rows = statement.query_bound().unwrap();
    assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("nothing"));
}

#[test]
fn a_parameter_that_panics_leaves_nothing_bound() {
    struct Panics;

    impl ToSql for Panics {
        fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
            panic!("on purpose")
        }
    }

    let db = Connection::open_in_memory().unwrap();
    let mut statement =
        TextStatement::prepare(&db, "SELECT ifnull(?1, '-') || ifnull(?2, '-')").unwrap();
    assert_eq!(all(&mut statement, &[&"a", &"b"]).unwrap(), ["ab"]);
    let run = AssertUnwindSafe(|| statement.query(&[&"c", &Panics]).map(drop));
    assert!(catch_unwind(run).is_err());
    assert_eq!(statement.query_bound().unwrap().next().unwrap().unwrap().text(0), Ok("--"));
}

#[test]
fn a_parameter_above_the_limit() {
    let db = Connection::open_in_memory().unwrap();
    // SAFETY: the handle is used for this one call.
    let handle = unsafe { db.handle() };
    // SAFETY: the connection is open.
    unsafe { ffi::sqlite3_limit(handle, ffi::SQLITE_LIMIT_LENGTH, 100) };
    let mut statement = TextStatement::prepare(&db, "SELECT ?1 || ?1").unwrap();
    assert_eq!(all(&mut statement, &[&"x".repeat(101)]), Err(Error::TooBig));
    assert_eq!(all(&mut statement, &[&vec![0_u8; 101]]), Err(Error::TooBig));
    // The result is too long: the run fails, not the binding.
    let too_long = "x".repeat(60);
    let mut rows = statement.query(&[&too_long]).unwrap();
    assert_eq!(rows.next().map(|_| ()), Err(Error::TooBig));
    assert!(rows.next().unwrap().is_none());
    drop(rows);
    assert_eq!(all(&mut statement, &[&"x".repeat(50)]).unwrap(), ["x".repeat(100)]);
}

#[test]
fn after_the_end_and_after_an_error() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT abs(v) || '' FROM (SELECT 1 AS v UNION ALL SELECT -9223372036854775808)";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    for _ in 0..2 {
        let mut rows = statement.query(&[]).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("1"));
        assert_eq!(code(rows.next()), 1);
        assert!(rows.next().unwrap().is_none());
        assert!(rows.next().unwrap().is_none());
    }
    let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT 'b'").unwrap();
    for _ in 0..2 {
        let mut rows = statement.query(&[]).unwrap();
        assert!(rows.next().unwrap().is_some());
        assert!(rows.next().unwrap().is_some());
        assert!(rows.next().unwrap().is_none());
        assert!(rows.next().unwrap().is_none(), "a new run has begun");
    }
}

/// An error at the very first row comes from `next`, too.
#[test]
fn a_run_that_fails_at_once() {
    let db = Connection::open_in_memory().unwrap();
    let mut statement = TextStatement::prepare(&db, "SELECT abs(?1)").unwrap();
    let mut rows = statement.query(&[&i64::MIN]).unwrap();
    assert_eq!(code(rows.next()), 1);
    assert!(rows.next().unwrap().is_none());
}

#[test]
fn rows_that_are_dropped_or_forgotten() {
    let db = Connection::open_in_memory().unwrap();
    let mut statement = TextStatement::prepare(&db, "SELECT 'a' UNION ALL SELECT ?1").unwrap();
    statement.query(&[&"b"]).unwrap().next().unwrap();
    assert_eq!(all(&mut statement, &[&"c"]).unwrap(), ["a", "c"]);
    let mut rows = statement.query(&[&"d"]).unwrap();
    rows.next().unwrap();
    std::mem::forget(rows);
    assert_eq!(all(&mut statement, &[&"e"]).unwrap(), ["a", "e"]);
}

#[test]
fn columns_by_name() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT 'x' AS Name, 'y' AS \"größe\", 'z' AS NAME, 'w'";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    for (name, at) in
        [("name", Some(0)), ("NAME", Some(0)), ("größe", Some(1)), ("GRÖSSE", None), ("", None)]
    {
        assert_eq!(statement.column_index(name), at, "{name}");
        assert_eq!(statement.query(&[]).unwrap().column_index(name), at, "{name}");
    }
    // Only ASCII is folded.
    assert_eq!(statement.column_index("GRÖßE"), None);
}

/// diesel issue 2663: what is known of the columns ends with the run.
#[test]
fn columns_change_between_runs() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch("CREATE TABLE t (a, b); INSERT INTO t VALUES ('1', '2')").unwrap();
    let mut statement = TextStatement::prepare(&db, "SELECT * FROM t").unwrap();
    let mut rows = statement.query(&[]).unwrap();
    assert_eq!(rows.column_index("b"), Some(1));
    assert_eq!(rows.next().unwrap().unwrap().text(2), Err(Error::ColumnOutOfRange { column: 2 }));
    drop(rows);
    db.execute_batch("ALTER TABLE t RENAME b TO c; ALTER TABLE t ADD b TEXT DEFAULT '3'").unwrap();
    let mut rows = statement.query(&[]).unwrap();
    assert_eq!(rows.column_index("b"), Some(2));
    assert_eq!(rows.next().unwrap().unwrap().text(2), Ok("3"));
    drop(rows);
    db.execute_batch("ALTER TABLE t DROP a; ALTER TABLE t DROP b").unwrap();
    let mut rows = statement.query(&[]).unwrap();
    assert_eq!(rows.column_index("b"), None);
    let row = rows.next().unwrap().unwrap();
    assert_eq!(row.text(0), Ok("2"));
    assert_eq!(row.text(1), Err(Error::ColumnOutOfRange { column: 1 }));
}

/// The encoding of an empty database may still change under a prepared statement.
#[test]
fn the_encoding_changes_before_the_first_table() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT cast(x'00D8' AS TEXT)";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    assert_eq!(all(&mut statement, &[]), Err(not_utf8(1)));
    db.execute_batch("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (s)").unwrap();
    let error = Error::InvalidUtf16 { column: 0, row: 0, index: 0 };
    assert_eq!(all(&mut statement, &[]), Err(error));
}

fn not_utf8(valid_up_to: usize) -> Error {
    Error::InvalidUtf8 { column: 0, row: 0, valid_up_to }
}

#[test]
fn raw_statements() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        let db = database(encoding);
        // SAFETY: used below only while the connection is open.
        let handle = unsafe { db.handle() };
        let raw = TextStatement::prepare(&db, "SELECT 'é' || ?1").unwrap().into_raw();
        // SAFETY: the statement is alive; 1 byte, copied.
        let bound =
            unsafe { ffi::sqlite3_bind_text(raw, 1, c"a".as_ptr(), 1, ffi::SQLITE_TRANSIENT()) };
        assert_eq!(bound, ffi::SQLITE_OK);
        // SAFETY: a statement of this connection, given away above; the connection outlives it.
        let mut statement = unsafe { TextStatement::from_raw(handle, raw) };
        let mut rows = statement.query_bound().unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("éa"));
        drop(rows);
        assert_eq!(all(&mut statement, &[&"b"]).unwrap(), ["éb"]);
        drop(statement);
        // SAFETY: NULL is no statement.
        let mut nothing = unsafe { TextStatement::from_raw(handle, std::ptr::null_mut()) };
        assert_eq!(code(nothing.query_bound()), 21);
        assert_eq!(code(nothing.query(&[])), 21);
        assert_eq!(nothing.column_index("a"), None);
        drop(nothing);
        // All are finalised: otherwise closing is refused.
        db.close().unwrap();
    }
}

#[test]
fn every_policy() {
    use StorageClass::{Blob, Integer, Null, Real};
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT 't', NULL, 1, 0.5, x'62', x''";
    let read = |policy| {
        let mut statement = TextStatement::prepare(&db, sql).unwrap().policy(policy);
        let mut rows = statement.query(&[]).unwrap();
        let row = rows.next().unwrap().unwrap();
        (0..6)
            .map(|i| {
                let text = row.text(i).map(str::to_owned);
                let opt = row.text_opt(i).map(|t| t.map(str::to_owned));
                assert_eq!(
                    row.text_bytes(i).map(<[u8]>::to_vec),
                    text.clone().map(String::into_bytes)
                );
                assert_eq!(row.text_lossy(i).map(String::from), text);
                assert_eq!(row.text_buf(i).map(String::from), text);
                let mut out = "left over".to_owned();
                assert_eq!(row.read_text_into(i, &mut out), text.clone().map(drop));
                assert_eq!(out, text.clone().unwrap_or_default());
                (text, opt)
            })
            .collect::<Vec<_>>()
    };
    let wrong = |column, actual| Error::InvalidType { column, row: 0, actual };
    let text = |s: &str| (Ok(s.to_owned()), Ok(Some(s.to_owned())));
    let refused = |column, actual| (Err(wrong(column, actual)), Err(wrong(column, actual)));
    let null = (Err(wrong(1, Null)), Ok(None));
    let others = [refused(2, Integer), refused(3, Real), refused(4, Blob), refused(5, Blob)];
    assert_eq!(read(TypePolicy::TextOnly)[..2], [text("t"), refused(1, Null)]);
    assert_eq!(read(TypePolicy::TextOnly)[2..], others);
    assert_eq!(read(TypePolicy::TextOrNull)[..2], [text("t"), null.clone()]);
    assert_eq!(read(TypePolicy::TextOrNull)[2..], others);
    let coerced = [text("t"), null, text("1"), text("0.5"), text("b"), text("")];
    assert_eq!(read(TypePolicy::Coerce), coerced);
    assert_eq!(TypePolicy::default(), TypePolicy::TextOrNull);
}

/// A statement and what is borrowed from it stay on their thread: this does not compile when one of
/// them is `Send` or `Sync`, for then two of the implementations fit.
#[test]
fn nothing_leaves_its_thread() {
    trait Ambiguous<A> {
        fn ask() {}
    }
    impl<T: ?Sized> Ambiguous<()> for T {}
    struct Sends;
    impl<T: ?Sized + Send> Ambiguous<Sends> for T {}
    struct Shares;
    impl<T: ?Sized + Sync> Ambiguous<Shares> for T {}
    <TextStatement<'static> as Ambiguous<_>>::ask();
    <sqlite_text::TextRows<'static> as Ambiguous<_>>::ask();
    <sqlite_text::TextRow<'static> as Ambiguous<_>>::ask();
}
