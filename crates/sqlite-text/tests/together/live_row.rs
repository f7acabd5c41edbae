//! What else may happen to a connection while a row is looked at: its texts stay where they are.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::{Error, TextStatement, TypePolicy};

const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];

fn databases() -> impl Iterator<Item = (Connection, &'static str)> {
    ENCODINGS.into_iter().flat_map(|e| [(database(e), e), (serialised(e), e)])
}

fn filled(db: &Connection) -> [String; 2] {
    let texts = ["grün ".repeat(3), "a page and more, ✓ ".repeat(400)];
    db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, s, l)").unwrap();
    for _ in 0..4 {
        db.execute("INSERT INTO t (s, l) VALUES (?1, ?2)", [&texts[0], &texts[1]]).unwrap();
    }
    texts
}

/// Each of these is done while texts of the same row are held.
const MEANWHILE: [&str; 14] = [
    "UPDATE t SET s = 'other', l = 'shorter'",
    "UPDATE t SET s = zeroblob(70000), l = NULL",
    "INSERT INTO t (s, l) SELECT s, s FROM t",
    "DELETE FROM t WHERE id > 1",
    "DELETE FROM t",
    "PRAGMA shrink_memory; PRAGMA cache_size = 1; PRAGMA cache_spill = 1",
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET s = 'trigger'; END;
     INSERT INTO t (s) VALUES ('fired')",
    "CREATE INDEX i ON t (s); ANALYZE; REINDEX",
    "ALTER TABLE t ADD COLUMN more TEXT DEFAULT 'new'",
    "ALTER TABLE t RENAME COLUMN s TO renamed",
    "DROP TABLE t",
    "VACUUM",
    "BEGIN; UPDATE t SET s = 'gone'; ROLLBACK",
    "ATTACH ':memory:' AS other; CREATE TABLE other.t AS SELECT 1; DETACH other",
];

#[test]
fn texts_stand_while_the_connection_is_used() {
    for sql in MEANWHILE {
        for (db, encoding) in databases() {
            let texts = filled(&db);
            let query = "SELECT s, l, s || l, ?1, 'literal', id FROM t";
            let mut statement =
                TextStatement::prepare(&db, query).unwrap().policy(TypePolicy::Coerce);
            let mut rows = statement.query(&[&texts[1]]).unwrap();
            let row = rows.next().unwrap().unwrap();
            let joined = texts.concat();
            let expected = [&*texts[0], &*texts[1], &*joined, &*texts[1], "literal", "1"];
            // Half of them before, the other half first asked for afterwards.
            let before: Vec<_> = (0..3).map(|i| row.text(i).unwrap()).collect();
            // It may be refused (locked) or not: that is SQLite's business.
            let _ = db.execute_batch(sql);
            let after: Vec<_> = (0..6).map(|i| row.text(i).unwrap()).collect();
            assert_eq!(before, expected[..3], "{encoding}: {sql}");
            assert_eq!(after, expected, "{encoding}: {sql}");
            for (i, text) in after.iter().enumerate() {
                assert_eq!(row.text_bytes(i).unwrap().as_ptr(), text.as_ptr());
                assert_eq!(row.text_lossy(i).unwrap().as_ptr(), text.as_ptr());
            }
            // The run goes on or fails, and then it has ended.
            while let Ok(Some(row)) = rows.next() {
                let _ = (row.text_opt(0), row.text_opt(1));
            }
            assert!(rows.next().unwrap().is_none());
            drop(rows);
            // And the statement still runs where its table is what it was.
            if let Ok(mut rows) = statement.query(&[&"again"])
                && let Ok(Some(row)) = rows.next()
            {
                assert_eq!(row.text(3), Ok("again"));
            }
        }
    }
}

#[test]
fn statements_within_statements() {
    for (db, encoding) in databases() {
        let texts = filled(&db);
        let mut outer = TextStatement::prepare(&db, "SELECT l, id FROM t ORDER BY id").unwrap();
        let mut inner =
            TextStatement::prepare(&db, "UPDATE t SET l = l || 'x' WHERE s = ?1 RETURNING l")
                .unwrap();
        let mut outer = outer.query(&[]).unwrap();
        for _ in 0..3 {
            let row = outer.next().unwrap().unwrap();
            let held = row.text(0).unwrap();
            let copy = held.to_owned();
            let mut rows = inner.query(&[&texts[0]]).unwrap();
            let mut changed = 0;
            while let Some(row) = rows.next().unwrap() {
                assert!(row.text(0).unwrap().ends_with('x'));
                changed += 1;
            }
            assert_eq!(changed, 4, "{encoding}");
            assert_eq!(held, copy, "{encoding}");
        }
    }
}

#[test]
fn an_interrupt_ends_the_run() {
    for (db, encoding) in databases() {
        let texts = filled(&db);
        let mut statement = TextStatement::prepare(&db, "SELECT s FROM t").unwrap();
        let mut rows = statement.query(&[]).unwrap();
        let row = rows.next().unwrap().unwrap();
        let held = row.text(0).unwrap();
        db.get_interrupt_handle().interrupt();
        assert_eq!(held, texts[0]);
        assert_eq!(row.text(0), Ok(held));
        let error = rows.next().map(drop).unwrap_err();
        assert!(matches!(error, Error::Sqlite { code: ffi::SQLITE_INTERRUPT, .. }), "{error:?}");
        assert!(rows.next().unwrap().is_none());
        drop(rows);
        let mut rows = statement.query(&[]).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(0), Ok(&*texts[0]), "{encoding}");
    }
}

/// Which getter comes first must not matter: later ones see the same value in the same place.
#[test]
fn getters_in_every_order() {
    let sql = "SELECT 'é😀', 'plain', -7, 0.5, x'C3A9', zeroblob(300), NULL, '', x'', \
               char(0xFEFF) || 'bom', 'nul' || char(0) || 'nul', printf('%.70000c', 'x')";
    for (db, encoding) in databases() {
        let mut statement = TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
        for first in 0..4 {
            let mut rows = statement.query(&[]).unwrap();
            let row = rows.next().unwrap().unwrap();
            for i in 0..12 {
                let get = |kind: usize| match kind % 4 {
                    0 => row.text(i).map(|t| (t.as_ptr(), t.len())),
                    1 => row.text_bytes(i).map(|t| (t.as_ptr(), t.len())),
                    2 => row.text_lossy(i).map(|t| (t.as_ptr(), t.len())),
                    _ => row
                        .text_opt(i)
                        .map(|t| t.map_or((std::ptr::null(), 0), |t| (t.as_ptr(), t.len()))),
                };
                let got: Vec<_> = (first..first + 8).map(get).collect();
                if i == 6 {
                    assert_eq!(got.iter().filter(|r| r.is_err()).count(), 6);
                } else {
                    assert!(
                        got.iter().all(|r| r.is_ok() && *r == got[0]),
                        "{encoding} {i} {got:?}"
                    );
                }
            }
            assert_eq!(row.text(9), Ok("\u{FEFF}bom"));
            assert_eq!(row.text(10), Ok("nul\0nul"));
            assert_eq!(row.text_opt(7), Ok(Some("")));
        }
    }
}

/// SQLite's ptrchng: there some pairs of calls move a value. Here no getter moves what another one
/// gave: a text has one place from when it is first asked for to the end of its row.
#[test]
fn ptrchng_no_getter_moves_a_text() {
    let values = [
        "'abc'",
        "'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234356789'",
        "x'626c6f62'",
        "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324'",
    ];
    for (db, encoding) in databases() {
        db.execute_batch("CREATE TABLE t1 (x INTEGER PRIMARY KEY, y BLOB)").unwrap();
        for value in values {
            db.execute_batch(&format!("INSERT INTO t1 (y) VALUES ({value})")).unwrap();
        }
        let sql = "SELECT y FROM t1 ORDER BY x";
        let mut statement = TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
        for (first, then) in (0..4).flat_map(|first| (0..4).map(move |then| (first, then))) {
            let mut rows = statement.query(&[]).unwrap();
            let mut count = 0;
            while let Some(row) = rows.next().unwrap() {
                let place = |getter| match getter {
                    0 => row.text(0).unwrap().as_bytes().as_ptr_range(),
                    1 => row.text_bytes(0).unwrap().as_ptr_range(),
                    2 => row.text_lossy(0).unwrap().as_bytes().as_ptr_range(),
                    _ => row.text_opt(0).unwrap().unwrap().as_bytes().as_ptr_range(),
                };
                let before = place(first);
                assert_eq!(place(then), before, "{encoding}: {first}, {then}");
                let mut copy = String::new();
                row.read_text_into(0, &mut copy).unwrap();
                assert_eq!(row.text_buf(0).unwrap(), copy);
                assert_eq!(place(first), before, "{encoding}: {first}, {then}");
                count += 1;
            }
            assert_eq!(count, values.len());
        }
    }
}
