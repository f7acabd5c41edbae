//! Out of memory is an error. The limit is the process's, so this test is alone in its file.
#![cfg(feature = "rusqlite")]

mod common;

use common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::{Error, TextStatement, TypePolicy};

fn limit(bytes: i64) {
    // SAFETY: no pointer is involved.
    unsafe { ffi::sqlite3_hard_heap_limit64(bytes) };
}

#[test]
fn no_memory_for_a_conversion_or_a_step() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for db in [database(encoding), serialised(encoding)] {
            // Half a million zero bytes that SQLite makes only when they are asked for.
            let sql = "SELECT 'a', zeroblob(500000) UNION ALL SELECT 'b', 'c'";
            let mut statement =
                TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
            let mut rows = statement.query(&[]).unwrap();
            let row = rows.next().unwrap().unwrap();
            limit(1);
            assert_eq!(row.text(1), Err(Error::NoMem), "{encoding}");
            assert_eq!(row.text_lossy(1), Err(Error::NoMem), "{encoding}");
            let mut out = String::from("left over");
            assert_eq!(row.read_text_into(1, &mut out), Err(Error::NoMem), "{encoding}");
            assert_eq!(out, "");
            limit(0);
            // SQLite has put a NULL in its place, and must not be believed.
            assert_eq!(row.text_opt(1), Err(Error::NoMem), "{encoding}");
            // The lack of memory is the run's.
            assert_eq!(rows.next().map(|_| ()), Err(Error::NoMem), "{encoding}");
            drop(rows);
            let mut rows = statement.query(&[]).unwrap();
            let row = rows.next().unwrap().unwrap();
            assert!(row.text(1).is_ok_and(|text| text.bytes().all(|b| b == 0)), "{encoding}");
            assert_eq!(rows.next().unwrap().unwrap().text(1), Ok("c"), "{encoding}");
            drop(rows);

            let mut statement =
                TextStatement::prepare(&db, "SELECT replace(hex(zeroblob(?1)), '0', 'ab')")
                    .unwrap();
            limit(1);
            let mut rows = statement.query(&[&100_000]).unwrap();
            assert_eq!(rows.next().map(|_| ()), Err(Error::NoMem), "{encoding}");
            assert!(rows.next().unwrap().is_none());
            drop(rows);
            limit(0);
            let mut rows = statement.query(&[&100_000]).unwrap();
            let row = rows.next().unwrap().unwrap();
            assert_eq!(row.text(0).map(str::len), Ok(400_000), "{encoding}");
        }
        bindings(database(encoding), encoding);
    }
}

/// A text is bound where it lies, or it is not bound at all.
fn bindings(db: Connection, encoding: &str) {
    let text = "grün".repeat(1000);
    let statement =
        TextStatement::prepare(&db, "SELECT 'no' WHERE ?1 IS NULL OR ?1 = 'x'").unwrap();
    let mut bound = statement.bind_static(1, "x").unwrap();
    limit(1);
    let copy = bound.bind(1, &text);
    limit(0);
    assert_eq!(copy, Err(Error::NoMem), "{encoding}");
    assert!(bound.query().unwrap().next().unwrap().is_some(), "{encoding}");
    // The copy is made, but it cannot be converted: it must not stay as it is.
    if encoding != "UTF-8" {
        // SAFETY: it only counts.
        limit(unsafe { ffi::sqlite3_memory_used() } + text.len() as i64 + 2000);
        let copy = bound.bind(1, &text);
        limit(0);
        assert_eq!(copy, Err(Error::NoMem), "{encoding}");
        assert!(bound.query().unwrap().next().unwrap().is_some(), "{encoding}");
    }
    limit(1);
    let lent = bound.bind_static(1, &text);
    limit(0);
    if encoding == "UTF-8" {
        assert!(lent.unwrap().query().unwrap().next().unwrap().is_none(), "{encoding}");
    } else {
        assert_eq!(lent.map(drop), Err(Error::NoMem), "{encoding}");
    }
    // With or without an error, nothing is left of the statement.
    db.close().unwrap();
}
