//! Public bug reports of other readers of SQLite, one test each, named after the report: what went in
//! there and what is right. Reports on bound text are in the tests of binding, those on borrows that
//! live too long are the `compile_fail` examples of the crate's documentation, diesel 2663 and sqlx 296
//! (columns after a change of the schema) are in `schema.rs`.
#![cfg(feature = "rusqlite")]

use crate::common::cells::{At, Cell, ENCODINGS, POLICIES, Text, ask};
use crate::common::{database, serialised};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ffi};
use sqlite_text::{Error, LossyText, RowTextExt, StorageClass, TextBuf, TextStatement, TypePolicy};
use std::ffi::{CStr, c_int};
use std::ptr;

const FIRST: At = At { row: 0, column: 0 };

/// The one value of the query through every getter: as SQLite says it is, and as the test says.
fn reads(sql: &str, right: impl Fn(&str) -> Cell) {
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            let cell = right(encoding);
            assert_eq!(ask(&db, sql, &[]), [[cell.clone()]], "{encoding}: {sql}");
            for policy in POLICIES {
                let mut statement = TextStatement::prepare(&db, sql).unwrap().policy(policy);
                let mut rows = statement.query(&[]).unwrap();
                let row = rows.next().unwrap().unwrap();
                cell.check(&row, policy, FIRST, &format!("{encoding}: {sql}"));
            }
            let mut statement = db.prepare(sql).unwrap();
            let mut rows = statement.query([]).unwrap();
            let row = rows.next().unwrap().unwrap();
            cell.check_rusqlite(row, FIRST, &format!("{encoding}: {sql}"));
        }
    }
}

fn text(text: &str) -> impl Fn(&str) -> Cell {
    move |encoding| Cell::Text(Text::of(encoding, text))
}

fn stored(bytes: &[u8]) -> impl Fn(&str) -> Cell {
    move |encoding| Cell::Text(Text::stored(encoding, bytes))
}

/// Also rusqlite 549 and 561: a TEXT that is no UTF-8 was a panic.
#[test]
fn rusqlite_548_a_lone_ff_is_an_error_and_lossy_by_choice() {
    reads("SELECT cast(x'FF' AS TEXT)", stored(&[0xFF]));
    let db = database("UTF-8");
    let mut statement = TextStatement::prepare(&db, "SELECT cast(x'FF' AS TEXT)").unwrap();
    let mut rows = statement.query(&[]).unwrap();
    let row = rows.next().unwrap().unwrap();
    assert_eq!(row.text(0), Err(Error::InvalidUtf8 { column: 0, row: 0, valid_up_to: 0 }));
    assert_eq!(row.text_bytes(0), Ok(&[0xFF][..]));
    assert_eq!(row.text_lossy(0).as_deref(), Ok("\u{FFFD}"));
}

/// Also rusqlite 651, denodrivers/sqlite3 158, php-src 20704, wa-sqlite 331 and a test of `CPython`: a
/// text ended at its first NUL.
#[test]
fn rusqlite_657_a_nul_is_a_character() {
    reads("SELECT 'a' || char(0) || 'b'", text("a\0b"));
    reads("SELECT char(0)", text("\0"));
    reads("SELECT char(0, 0, 0) || 'é' || char(0)", text("\0\0\0é\0"));
    reads("SELECT printf('%.5000c', 'x') || char(0)", text(&format!("{}\0", "x".repeat(5000))));
}

/// Also `SQLiteCpp` 387: the length was that of the other encoding.
#[test]
fn rusqlite_655_katakana_from_a_utf16_database() {
    reads("SELECT 'テスト'", text("テスト"));
    let db = database("UTF-16le");
    let mut statement = TextStatement::prepare(&db, "SELECT 'テスト'").unwrap();
    let mut rows = statement.query(&[]).unwrap();
    assert_eq!(rows.next().unwrap().unwrap().text_bytes(0).map(<[u8]>::len), Ok(9));
}

/// Also node-sqlite 3, which asserted that a value has bytes.
#[test]
fn rusqlite_174_three_kinds_of_nothing() {
    reads("SELECT ''", text(""));
    reads("SELECT NULL", |_| Cell::Null);
    reads("SELECT x''", |e| Cell::Other(StorageClass::Blob, Text::of(e, "")));
    reads("SELECT zeroblob(0)", |e| Cell::Other(StorageClass::Blob, Text::of(e, "")));
    reads("SELECT cast(x'' AS TEXT)", text(""));
}

/// Also `RustSec`'s advisory-db 2821: a BLOB in a column of TEXT became a `str` unchecked.
#[test]
fn diesel_5042_a_blob_in_a_column_of_text() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (s TEXT); INSERT INTO t VALUES (x'FF00FE')").unwrap();
        let cell = Cell::Other(StorageClass::Blob, Text::stored(encoding, &[0xFF, 0, 0xFE]));
        assert_eq!(ask(&db, "SELECT s FROM t", &[]), [[cell.clone()]]);
        for policy in POLICIES {
            let mut statement =
                TextStatement::prepare(&db, "SELECT s FROM t").unwrap().policy(policy);
            let mut rows = statement.query(&[]).unwrap();
            cell.check(&rows.next().unwrap().unwrap(), policy, FIRST, encoding);
        }
        db.query_row("SELECT s FROM t", [], |row| {
            assert!(row.get::<_, TextBuf>(0).is_err());
            assert!(row.get::<_, LossyText>(0).is_err());
            assert!(row.text(0).is_err());
            Ok(())
        })
        .unwrap();
    }
}

/// A name that is not UTF-8 was made a `str` unchecked. Here a name is only compared.
#[test]
fn sqlx_4192_a_column_name_that_is_no_utf8() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        let mut statement =
            prepared(&db, b"SELECT 'v' AS \"n\xFF\", 'w' AS \"n\", 'x' AS \"\xED\xA0\x80\"\0");
        for rows in [false, true] {
            let mut run = rows.then(|| statement.query_bound().unwrap());
            let index = |name: &str| match &run {
                Some(rows) => rows.column_index(name),
                None => None,
            };
            for name in ["n\u{FFFD}", "n\u{FF}", "\u{FFFD}"] {
                assert_eq!(index(name), None);
            }
            if let Some(run) = &mut run {
                assert_eq!(run.column_index("N"), Some(1));
                let row = run.next().unwrap().unwrap();
                assert_eq!([row.text(0), row.text(1), row.text(2)], ["v", "w", "x"].map(Ok));
            }
        }
        assert_eq!(statement.column_index("n"), Some(1));
        assert_eq!(statement.column_index("n\u{FFFD}"), None);
    }
}

/// A message that is not UTF-8 was made a `str` unchecked.
#[test]
fn sqlx_4193_an_error_message_that_is_no_utf8() {
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            db.execute_batch("CREATE TABLE t (s)").unwrap();
            let trigger = b"CREATE TRIGGER r BEFORE INSERT ON t BEGIN \
                            SELECT raise(ABORT, 'bad \xFF and \xED\xA0\x80'); END\0";
            assert!(prepared(&db, trigger).query_bound().unwrap().next().unwrap().is_none());
            let mut statement =
                TextStatement::prepare(&db, "INSERT INTO t VALUES ('x') RETURNING s").unwrap();
            let mut rows = statement.query(&[]).unwrap();
            let Err(Error::Sqlite { code, extended, message }) = rows.next() else {
                panic!("{encoding}: no error");
            };
            assert_eq!((code, extended), (ffi::SQLITE_CONSTRAINT, ffi::SQLITE_CONSTRAINT_TRIGGER));
            assert!(message.starts_with("bad \u{FFFD}"), "{encoding}: {message}");
        }
    }
}

#[test]
fn sqlx_4194_a_good_row_and_a_bad_one() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        let sql = "VALUES ('a'), (cast(x'80' AS TEXT)), ('b')";
        let truth = ask(&db, sql, &[]);
        let second = Cell::Text(Text::stored(encoding, &[0x80]));
        assert_eq!(truth[1], [second]);
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        let mut rows = statement.query(&[]).unwrap();
        for (row, cells) in truth.iter().enumerate() {
            let at = At { row, column: 0 };
            cells[0].check(&rows.next().unwrap().unwrap(), TypePolicy::TextOrNull, at, encoding);
        }
    }
}

/// Also turso 5164: it crashed in release builds.
#[test]
fn turso_7710_stored_ff_reads_without_a_crash() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch(
            "CREATE TABLE t (s TEXT); CREATE INDEX i ON t (s);
             INSERT INTO t VALUES (cast(x'FF' AS TEXT)), (cast(x'61FF62' AS TEXT))",
        )
        .unwrap();
        for sql in
            ["SELECT s FROM t ORDER BY rowid", "SELECT s FROM t INDEXED BY i ORDER BY s DESC"]
        {
            let truth = ask(&db, sql, &[]);
            let mut statement = TextStatement::prepare(&db, sql).unwrap();
            let mut rows = statement.query(&[]).unwrap();
            for (row, cells) in truth.iter().enumerate() {
                let at = At { row, column: 0 };
                cells[0].check(&rows.next().unwrap().unwrap(), TypePolicy::Coerce, at, sql);
            }
        }
    }
}

/// What a REAL is as text depends on the version: it is what the linked SQLite says.
#[test]
fn turso_9144_reals_are_what_the_linked_sqlite_makes_of_them() {
    let reals = [
        "1e15",
        "1e16",
        "-1e15",
        "9007199254740993.0",
        "1e100",
        "9e999",
        "-9e999",
        "0.1",
        "-0.0",
        "1.0",
        "123456789012345678.0",
        "4.9e-324",
        "1.7976931348623157e308",
        "0.1 + 0.2",
        "1e-7",
    ];
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            for real in reals {
                let sql = format!("SELECT {real}, cast({real} AS TEXT), {real} || ''");
                let truth = ask(&db, &sql, &[]);
                let mut statement =
                    TextStatement::prepare(&db, &sql).unwrap().policy(TypePolicy::Coerce);
                let mut rows = statement.query(&[]).unwrap();
                let row = rows.next().unwrap().unwrap();
                for (column, cell) in truth[0].iter().enumerate() {
                    cell.check(&row, TypePolicy::Coerce, At { row: 0, column }, &sql);
                }
                assert_eq!(row.text(0), row.text(1), "{sql}");
                assert_eq!(row.text(0), row.text(2), "{sql}");
            }
        }
    }
}

/// Also mattn/go-sqlite3 1402, `SQLiteCpp` 544 and 563, node-sqlite3 668: a length that does not fit
/// was cut or taken for "up to the NUL". The limit is lowered, the code is the same.
#[test]
fn mattn_1403_too_long_is_an_error() {
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            let sql = "SELECT ?1, ?1 || ?1";
            let mut statement = TextStatement::prepare(&db, sql).unwrap();
            // The lowest that SQLite accepts.
            limit(&db, ffi::SQLITE_LIMIT_LENGTH, 30);
            // SQLite counts the bytes that it is given, and once more those that it holds.
            let fits = "x".repeat(if encoding == "UTF-8" { 30 } else { 15 });
            let too_long = format!("{fits}x");
            let mut first = |text: &str| statement.query(&[&text])?.next().map(drop);
            assert_eq!(first(&"x".repeat(31)), Err(Error::TooBig), "{encoding}");
            assert_eq!(first(&"x".repeat(100_000)), Err(Error::TooBig), "{encoding}");
            assert_eq!(first(&too_long), Err(Error::TooBig), "{encoding}");
            // It fits, and twice it does not.
            let mut rows = statement.query(&[&fits]).unwrap();
            assert_eq!(rows.next().map(drop), Err(Error::TooBig), "{encoding}");
            assert!(rows.next().unwrap().is_none());
            drop(rows);
            // The statement is none the worse for it.
            limit(&db, ffi::SQLITE_LIMIT_LENGTH, 1000);
            let mut rows = statement.query(&[&too_long]).unwrap();
            let row = rows.next().unwrap().unwrap();
            assert_eq!(row.text(0), Ok(&*too_long));
            assert_eq!(row.text(1), Ok(&*too_long.repeat(2)));
            limit(&db, ffi::SQLITE_LIMIT_SQL_LENGTH, 1000);
            let long = format!("SELECT 1 -- {}", " ".repeat(1000));
            assert_eq!(TextStatement::prepare(&db, &long).map(drop), Err(Error::TooBig));
        }
    }
}

/// Also vlang/v 26700: a second getter, or the next row, changed the text read before. Across rows
/// that does not compile; within one it is right.
#[test]
fn rustsqlite_98_a_second_getter_leaves_the_first_text() {
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            let sql = "SELECT 'eins', 'zwei' || char(0x1F600), x'C3A9', 4, printf('%.6000c', 'ö')";
            let mut statement =
                TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
            let mut rows = statement.query(&[]).unwrap();
            let row = rows.next().unwrap().unwrap();
            let texts: Vec<_> = (0..5).map(|i| row.text(i).unwrap()).collect();
            let copies: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
            for i in (0..5).rev() {
                assert_eq!(row.text_bytes(i).unwrap().as_ptr(), texts[i].as_ptr());
                assert_eq!(row.text_lossy(i).unwrap().as_ptr(), texts[i].as_ptr());
                assert_eq!(row.text_opt(i).unwrap().unwrap().as_ptr(), texts[i].as_ptr());
            }
            assert_eq!(texts, copies);
        }
    }
}

/// The bytes were those before the conversion when they were asked first.
#[test]
fn duckdb_6409_bytes_before_text_are_bytes_after() {
    let sql = "SELECT 'Grüße 👋', x'C3A9C3A9', -1.5, 77, ''";
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            let mut statement =
                TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
            let mut rows = statement.query(&[]).unwrap();
            let row = rows.next().unwrap().unwrap();
            for i in 0..5 {
                let before = row.text_bytes(i).unwrap();
                let text = row.text(i).unwrap();
                assert_eq!(before, text.as_bytes(), "{encoding}");
                assert_eq!(row.text_bytes(i).unwrap(), text.as_bytes(), "{encoding}");
            }
        }
    }
}

/// A value of more than 256 MiB ended in a buffer of a fixed size.
#[test]
fn crawshaw_45_more_than_256_mib() {
    let db = database("UTF-8");
    let length = (1_usize << 28) + 1;
    let mut statement =
        TextStatement::prepare(&db, "SELECT zeroblob(?1)").unwrap().policy(TypePolicy::Coerce);
    let mut rows = statement.query(&[&(length as i64)]).unwrap();
    let row = rows.next().unwrap().unwrap();
    assert_eq!(row.text_bytes(0).map(<[u8]>::len), Ok(length));
}

/// Also diesel 4224: the SQL of no statement. `without_rusqlite.rs` has it for `from_raw`.
#[test]
fn diesel_4223_no_statement_is_an_error() {
    let db = database("UTF-8");
    for sql in ["", " ", ";", "-- c", "/* c */", "\n;\n-- c"] {
        let error = TextStatement::prepare(&db, sql).map(drop).unwrap_err();
        assert!(matches!(error, Error::Sqlite { code: ffi::SQLITE_MISUSE, .. }), "{sql:?}");
        let mut statement = prepared(&db, format!("{sql}\0").as_bytes());
        let error = statement.query_bound().map(drop).unwrap_err();
        assert!(matches!(error, Error::Sqlite { code: ffi::SQLITE_MISUSE, .. }), "{sql:?}");
        assert_eq!(statement.column_index("c"), None);
    }
}

/// d2sqlite3 77, SQLitePCL.raw 557 and diesel 3435, for the parameters that are copied: an empty
/// text was bound as NULL. `bind_static` has it in its own tests.
#[test]
fn d2sqlite3_77_an_empty_text_is_bound_as_text() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        let sql = "SELECT typeof(?1), cast(length(?1) AS TEXT), ?1";
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        let empty: [&dyn rusqlite::ToSql; 4] = [&"", &String::new(), &TextBuf::default(), &Empty];
        for value in empty {
            let mut rows = statement.query(&[value]).unwrap();
            let row = rows.next().unwrap().unwrap();
            assert_eq!([row.text(0), row.text(1), row.text(2)], ["text", "0", ""].map(Ok));
        }
    }
}

/// The empty text as rusqlite's own value.
struct Empty;

impl rusqlite::ToSql for Empty {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(rusqlite::types::ToSqlOutput::Borrowed(ValueRef::Text(&[])))
    }
}

/// A statement of SQL that is no `str`; it ends with a NUL.
fn prepared<'c>(db: &'c Connection, sql: &[u8]) -> TextStatement<'c> {
    let sql = CStr::from_bytes_with_nul(sql).unwrap();
    let mut statement = ptr::null_mut();
    // SAFETY: used for this one statement, below.
    let handle = unsafe { db.handle() };
    // SAFETY: the connection is open, the SQL ends with a NUL, `statement` takes the handle.
    let code = unsafe {
        ffi::sqlite3_prepare_v2(handle, sql.as_ptr(), -1, &raw mut statement, ptr::null_mut())
    };
    assert_eq!(code, ffi::SQLITE_OK);
    // SAFETY: a new statement of this connection, which is borrowed as long as it lives.
    unsafe { TextStatement::from_raw(handle, statement) }
}

fn limit(db: &Connection, what: c_int, bytes: c_int) {
    // SAFETY: used for this one call.
    let handle = unsafe { db.handle() };
    // SAFETY: the connection is open.
    unsafe { ffi::sqlite3_limit(handle, what, bytes) };
}
