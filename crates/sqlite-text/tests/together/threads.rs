//! Connections that threads share: with a mutex the values are read under it, and what is read is
//! right, whatever the other threads do.
#![cfg(feature = "rusqlite")]

use crate::common::batches::Plan;
use crate::common::cells::{At, Cell, ENCODINGS, POLICIES, ask};
use crate::common::{database, serialised};
use rusqlite::{Connection, OpenFlags, ffi};
use sqlite_text::{Error, TextStatement, TypePolicy};
use std::ffi::CStr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{ptr, thread};

const VALUES: &str =
    "SELECT 'é', 'nul' || char(0), printf('%.7000c', '世'), 'kurz', -7, 0.5, x'C3A9', NULL, '',
     cast(x'FFD8' AS TEXT), cast(x'D8FF' AS TEXT)";

/// Most texts end in a NUL; what is bound without a copy does not, and SQLite allocates when it is
/// read.
const READ: &CStr = c"SELECT a, b, c, a || b, ?1 FROM t ORDER BY id";

/// Bound without a copy, which a static may be: so many bytes of it.
const BOUND: (&str, usize) = ("gebunden ✓ und mehr", 12);

fn has_mutex(db: &Connection) -> bool {
    // SAFETY: used for this one question.
    let handle = unsafe { db.handle() };
    // SAFETY: the connection is open.
    !unsafe { ffi::sqlite3_db_mutex(handle) }.is_null()
}

fn with_flags(encoding: &str, name: &str, flags: OpenFlags) -> Connection {
    let base = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(name, base | flags).unwrap();
    db.execute_batch(&format!(
        "PRAGMA encoding = '{encoding}'; CREATE TABLE IF NOT EXISTS made (made)"
    ))
    .unwrap();
    db
}

/// Every getter under every policy gives the same with and without a mutex, and in a shared cache.
#[test]
fn a_mutex_changes_no_value() {
    for encoding in ENCODINGS {
        let shared = format!("file:mutex-{encoding}?mode=memory&cache=shared");
        let connections = [
            (database(encoding), false),
            (serialised(encoding), true),
            (with_flags(encoding, ":memory:", OpenFlags::SQLITE_OPEN_NO_MUTEX), false),
            (with_flags(encoding, &shared, OpenFlags::SQLITE_OPEN_NO_MUTEX), false),
            (with_flags(encoding, &shared, OpenFlags::SQLITE_OPEN_FULL_MUTEX), true),
        ];
        let truth = ask(&connections[0].0, VALUES, &[]);
        for (db, mutex) in &connections {
            assert_eq!(has_mutex(db), *mutex);
            for policy in POLICIES {
                let mut statement = TextStatement::prepare(db, VALUES).unwrap().policy(policy);
                let mut rows = statement.query(&[]).unwrap();
                let row = rows.next().unwrap().unwrap();
                for (column, cell) in truth[0].iter().enumerate() {
                    cell.check(&row, policy, At { row: 0, column }, encoding);
                }
            }
        }
    }
}

/// In a shared cache a table is locked by the other connection: an error, and the next run works.
#[test]
fn a_table_that_is_locked_in_a_shared_cache() {
    for encoding in ENCODINGS {
        let name = format!("file:locked-{encoding}?mode=memory&cache=shared");
        let writer = with_flags(encoding, &name, OpenFlags::SQLITE_OPEN_FULL_MUTEX);
        let reader = with_flags(encoding, &name, OpenFlags::SQLITE_OPEN_NO_MUTEX);
        writer.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('frei')").unwrap();
        let mut statement = TextStatement::prepare(&reader, "SELECT s FROM t").unwrap();
        writer.execute_batch("BEGIN; UPDATE t SET s = 'größer'").unwrap();
        let mut rows = statement.query(&[]).unwrap();
        assert!(matches!(rows.next(), Err(Error::Sqlite { code: ffi::SQLITE_LOCKED, .. })));
        assert!(rows.next().unwrap().is_none());
        drop(rows);
        writer.execute_batch("COMMIT").unwrap();
        let mut rows = statement.query(&[]).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("größer"));
    }
}

/// A serialised connection that threads use at once.
#[derive(Clone, Copy)]
struct Handle(*mut ffi::sqlite3);

// SAFETY: the connections below are serialised, which is what lets threads share them.
unsafe impl Send for Handle {}

impl Handle {
    fn statement(&self, sql: &CStr) -> TextStatement<'_> {
        let mut statement = ptr::null_mut();
        // SAFETY: the connection is open and serialised; `statement` takes the handle.
        let code = unsafe {
            ffi::sqlite3_prepare_v2(self.0, sql.as_ptr(), -1, &raw mut statement, ptr::null_mut())
        };
        assert_eq!(code, ffi::SQLITE_OK);
        let (start, length) = (BOUND.0.as_ptr().cast(), BOUND.1 as u64);
        let utf8 = ffi::SQLITE_UTF8 as u8;
        // SAFETY: a new statement, `length` static bytes; a parameter that is not there is refused.
        unsafe {
            ffi::sqlite3_bind_text64(statement, 1, start, length, ffi::SQLITE_STATIC(), utf8)
        };
        // SAFETY: a new statement that this thread alone uses; the connection outlives the threads
        // and is serialised.
        unsafe { TextStatement::from_raw(self.0, statement) }
    }
}

/// Three threads read the same values through statements of their own, a fourth writes, and a fifth
/// makes errors, whose messages the connection keeps in one place.
#[test]
fn threads_on_one_serialised_connection() {
    const ROUNDS: usize = 12;
    for encoding in ENCODINGS {
        let db = serialised(encoding);
        assert!(has_mutex(&db));
        db.execute_batch("CREATE TABLE log (s); CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
            .unwrap();
        for i in 0..10_usize {
            let long = format!("{i} größer, ✓ ").repeat(i * 30);
            db.execute(
                "INSERT INTO t (a, b, c) VALUES (?1, ?2, ?3)",
                (format!("é{i}"), &long, i as i64),
            )
            .unwrap();
        }
        let truth = ask(&db, READ.to_str().unwrap(), &[&&BOUND.0[..BOUND.1]]);
        // SAFETY: every use below goes through the connection's mutex.
        let handle = Handle(unsafe { db.handle() });
        let start = Barrier::new(5);
        let written = AtomicUsize::new(0);
        thread::scope(|scope| {
            for policy in [TypePolicy::Coerce, TypePolicy::TextOnly, TypePolicy::TextOrNull] {
                let (truth, start) = (&truth, &start);
                scope.spawn(move || {
                    let handle = { handle };
                    start.wait();
                    for _ in 0..ROUNDS {
                        read(handle, policy, truth, encoding);
                    }
                });
            }
            let (start, written) = (&start, &written);
            scope.spawn(move || {
                let handle = { handle };
                start.wait();
                let sql = c"INSERT INTO log VALUES ('wörter') RETURNING s || rowid";
                let mut statement = handle.statement(sql);
                for i in 1..=ROUNDS {
                    let mut rows = statement.query_bound().unwrap();
                    let row = rows.next().unwrap().unwrap();
                    assert_eq!(row.text(0).unwrap(), format!("wörter{i}"));
                    assert!(rows.next().unwrap().is_none());
                    written.store(i, Ordering::Relaxed);
                }
            });
            scope.spawn(move || {
                let handle = { handle };
                start.wait();
                let mut statement = handle.statement(c"SELECT abs(-9223372036854775808)");
                for _ in 0..ROUNDS {
                    // The message may be that of another thread's error, never half of one.
                    match statement.query_bound().unwrap().next() {
                        Err(Error::Sqlite { code: 1, message, .. }) => {
                            assert!(
                                ["integer overflow", "SQL logic error"].contains(&&*message),
                                "{message}"
                            );
                        }
                        other => panic!("{other:?}"),
                    }
                }
            });
        });
        assert_eq!(written.into_inner(), ROUNDS);
    }
}

fn read(handle: Handle, policy: TypePolicy, truth: &[Vec<Cell>], case: &str) {
    let mut statement = handle.statement(READ).policy(policy);
    let mut rows = statement.query_bound().unwrap();
    for (row, cells) in truth.iter().enumerate() {
        let read = rows.next().unwrap().unwrap();
        for (column, cell) in cells.iter().enumerate() {
            cell.check(&read, policy, At { row, column }, case);
        }
    }
    assert!(rows.next().unwrap().is_none());
    drop(rows);
    let (max_rows, max_bytes) = (3, usize::MAX);
    let plan =
        Plan { columns: 5, max_rows, max_bytes, policy, lossy: false, wide: false, fresh: false };
    plan.check(&mut statement, &[&&BOUND.0[..BOUND.1]], truth, case);
}
