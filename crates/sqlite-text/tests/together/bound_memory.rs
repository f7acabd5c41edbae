//! `BoundStatement` and the memory of its texts: when SQLite may look at them and when no more.
//!
//! Worth most under a tool that watches memory: `cargo xtask asan`, or valgrind.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::{BoundStatement, Error, TextStatement};
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr;
use std::sync::Mutex;

fn databases() -> impl Iterator<Item = (Connection, &'static str)> {
    ["UTF-8", "UTF-16le", "UTF-16be"]
        .into_iter()
        .flat_map(|e| [(database(e), e), (serialised(e), e)])
}

fn first(bound: &mut BoundStatement<'_, '_>) -> Result<String, Error> {
    Ok(bound.query()?.next()?.map_or("none", |row| row.text(0).unwrap_or("error")).to_owned())
}

fn handle(db: &Connection) -> *mut ffi::sqlite3 {
    // SAFETY: the tests use it while the connection is open, and do not close it.
    unsafe { db.handle() }
}

/// What the statements of the connection occupy.
fn of_statements(db: &Connection) -> usize {
    let (mut now, mut high) = (0, 0);
    let op = ffi::SQLITE_DBSTATUS_STMT_USED;
    // SAFETY: the connection is open and both numbers may be written.
    let code = unsafe { ffi::sqlite3_db_status(handle(db), op, &raw mut now, &raw mut high, 0) };
    assert_eq!(code, ffi::SQLITE_OK);
    usize::try_from(now).unwrap()
}

#[test]
fn nothing_is_copied_unless_the_database_is_utf16() {
    let text = "é".repeat(500_000);
    for (db, encoding) in databases() {
        db.execute_batch("CREATE TABLE t (s)").unwrap();
        let statement = TextStatement::prepare(&db, "SELECT 'found' FROM t WHERE s = ?1").unwrap();
        let before = of_statements(&db);
        let mut bound = statement.bind_static(1, &text).unwrap();
        let lent = of_statements(&db) - before;
        assert_eq!(first(&mut bound).unwrap(), "none");
        let run = of_statements(&db) - before;
        if encoding == "UTF-8" {
            assert!(lent < 1000 && run < 1000, "{lent} {run}");
        } else {
            assert!(lent >= 1_000_000, "{encoding} {lent}");
        }
        bound.bind(1, &text).unwrap();
        assert!(of_statements(&db) - before >= 1_000_000, "{encoding}");
        let _statement = bound.unbind();
        assert!(of_statements(&db) - before < 1000, "{encoding}");
    }
}

/// SQLite prepares anew by itself when the schema has changed, and moves the bindings over.
#[test]
fn the_text_stays_bound_when_the_schema_changes() {
    for (db, encoding) in databases() {
        db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('a'), ('b')").unwrap();
        let text = String::from("b");
        let statement = TextStatement::prepare(&db, "SELECT s || ?2 FROM t WHERE s = ?1").unwrap();
        let mut bound = statement.bind_static(1, &text).unwrap();
        bound.bind(2, &"!").unwrap();
        for change in [
            "SELECT 1",
            "ALTER TABLE t ADD COLUMN n DEFAULT 7",
            "CREATE INDEX i ON t (s)",
            "ALTER TABLE t RENAME TO u; CREATE VIEW t AS SELECT * FROM u",
            "DROP VIEW t; ALTER TABLE u RENAME TO t; ANALYZE; VACUUM",
        ] {
            db.execute_batch(change).unwrap();
            assert_eq!(first(&mut bound).unwrap(), "b!", "{encoding}: {change}");
        }
        // It cannot be prepared anew, and then it can again.
        db.execute_batch("ALTER TABLE t RENAME TO u").unwrap();
        for _ in 0..2 {
            assert!(matches!(first(&mut bound), Err(Error::Sqlite { code: 1, .. })), "{encoding}");
        }
        db.execute_batch("ALTER TABLE u RENAME TO t").unwrap();
        assert_eq!(first(&mut bound).unwrap(), "b!", "{encoding}");
    }
}

/// Rows that were forgotten leave the statement in the middle of its run; nothing may be bound to
/// it then, and its registers still hold what was.
#[test]
fn rows_that_are_forgotten() {
    let sql = "SELECT ?1 || v FROM (SELECT 'x' AS v UNION ALL SELECT 'y' UNION ALL SELECT ?2)";
    for (db, encoding) in databases() {
        let texts = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
        let statement = TextStatement::prepare(&db, sql).unwrap();
        let mut bound = statement.bind_static(1, &texts[0]).unwrap();
        let forget = |bound: &mut BoundStatement<'_, '_>, expected: &str| {
            let mut rows = bound.query().unwrap();
            assert_eq!(rows.next().unwrap().unwrap().text(0), Ok(expected), "{encoding}");
            rows.next().unwrap();
            std::mem::forget(rows);
        };
        forget(&mut bound, "onex");
        forget(&mut bound, "onex");
        let mut bound = bound.bind_static(1, &texts[1]).unwrap();
        forget(&mut bound, "twox");
        bound.bind(1, &"copy").unwrap();
        forget(&mut bound, "copyx");
        assert!(matches!(bound.execute(), Err(Error::Sqlite { code: 21, .. })), "{encoding}");
        forget(&mut bound, "copyx");
        let mut bound = bound.bind_static(1, &texts[2]).unwrap();
        forget(&mut bound, "threex");
        let mut statement = bound.unbind();
        drop(texts);
        let mut rows = statement.query(&[&"four", &"z"]).unwrap();
        assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("fourx"), "{encoding}");
        std::mem::forget(rows);
        let text = String::from("five");
        let mut bound = statement.bind_static(1, &text).unwrap();
        forget(&mut bound, "fivex");
        drop(bound);
        drop(text);
        db.close().unwrap();
    }
}

/// What a trace hook was told, in order.
type Told = Vec<String>;

unsafe extern "C" fn trace(
    event: c_uint,
    told: *mut c_void,
    p: *mut c_void,
    _: *mut c_void,
) -> c_int {
    // SAFETY: both events that are asked for come with the statement.
    let sql = unsafe { ffi::sqlite3_expanded_sql(p.cast()) };
    // SAFETY: SQLite ends it with a NUL.
    let text = unsafe { CStr::from_ptr(sql) }.to_str().unwrap();
    let kind = if event == ffi::SQLITE_TRACE_STMT { "runs" } else { "ends" };
    // SAFETY: `traced` passes its list, which nobody else uses during the call.
    unsafe { &mut *told.cast::<Told>() }.push(format!("{kind} {text}"));
    // SAFETY: it was made for the caller to free.
    unsafe { ffi::sqlite3_free(sql.cast()) };
    0
}

/// What the hook is told while `work` is done.
fn traced(db: &Connection, work: impl FnOnce()) -> Told {
    let mut told = Told::new();
    let events = ffi::SQLITE_TRACE_STMT | ffi::SQLITE_TRACE_PROFILE;
    let list = ptr::from_mut(&mut told).cast();
    // SAFETY: the connection is open; the list is there until the hook is taken off.
    unsafe { ffi::sqlite3_trace_v2(handle(db), events, Some(trace), list) };
    work();
    // SAFETY: the connection is open.
    unsafe { ffi::sqlite3_trace_v2(handle(db), 0, None, ptr::null_mut()) };
    told
}

/// A trace hook may expand the SQL whenever it is called.
#[test]
fn a_trace_hook_sees_the_text_to_the_end() {
    let sql = "SELECT ?1 UNION ALL SELECT 'b'";
    for (db, encoding) in databases() {
        let told = traced(&db, || {
            let text = String::from("grün");
            let mut bound =
                TextStatement::prepare(&db, sql).unwrap().bind_static(1, &text).unwrap();
            let mut rows = bound.query().unwrap();
            rows.next().unwrap();
            std::mem::forget(rows);
            // The run ends here, in the drop.
        });
        let expanded = "SELECT 'grün' UNION ALL SELECT 'b'";
        let ours: Vec<_> = told.iter().filter(|line| !line.contains("PRAGMA")).collect();
        assert_eq!(ours, [&format!("runs {expanded}"), &format!("ends {expanded}")], "{encoding}");

        let statement = TextStatement::prepare(&db, sql).unwrap();
        let told = traced(&db, || {
            let text = String::from("grün");
            let mut bound = statement.bind_static(1, &text).unwrap();
            std::mem::forget(bound.query().unwrap());
            let mut statement = bound.unbind();
            drop(text);
            let mut rows = statement.query_bound().unwrap();
            assert_eq!(rows.next().unwrap().unwrap().text_opt(0), Ok(None));
        });
        let unbound = "SELECT NULL UNION ALL SELECT 'b'";
        let ours: Vec<_> = told.iter().filter(|line| !line.contains("PRAGMA")).collect();
        assert_eq!(
            ours,
            [
                &format!("runs {expanded}"),
                &format!("ends {expanded}"),
                &format!("runs {unbound}"),
                &format!("ends {unbound}")
            ],
            "{encoding}"
        );
    }
}

/// `mem::forget`, but that a tool which looks for leaks finds the memory of ours in what is forgotten.
fn forget<T>(value: T) {
    static FORGOTTEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let leaked = Box::into_raw(Box::new(value));
    FORGOTTEN.lock().unwrap().push(leaked.addr());
}

/// The proof in `src/bound/raw.rs` says what can still reach a statement that was forgotten. All of
/// that is done here after its text is gone, while it stands in the middle of a run or before one.
#[test]
fn a_forgotten_statement_leaves_the_text_alone() {
    for middle in [false, true] {
        for (db, encoding) in databases() {
            db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('a'), ('b'), ('c')")
                .unwrap();
            let mut text = String::from("a text that is on the heap, where it can be freed");
            let sql = "SELECT s || ?1 FROM t WHERE s < ?1 OR ?1 LIKE 'a%'";
            let mut bound =
                TextStatement::prepare(&db, sql).unwrap().bind_static(1, &text).unwrap();
            if middle {
                std::mem::forget(bound.query().unwrap());
            }
            forget(bound);
            // The borrow has ended: the bytes change, and then they go.
            text.make_ascii_uppercase();
            drop(text);

            let told = traced(&db, || {
                for sql in [
                    "BEGIN; UPDATE t SET s = 'x'; ROLLBACK",
                    "ALTER TABLE t ADD COLUMN n; CREATE INDEX i ON t (s); ANALYZE",
                    "DELETE FROM t; DROP INDEX i",
                    "PRAGMA shrink_memory; PRAGMA optimize; REINDEX",
                    "ATTACH ':memory:' AS other; DETACH other",
                ] {
                    // Some are refused while the statement runs: that is SQLite's business.
                    let _ = db.execute_batch(sql);
                }
                db.get_interrupt_handle().interrupt();
                assert_eq!(db.is_busy(), middle, "{encoding}");
                assert!(of_statements(&db) > 0, "{encoding}");
                db.release_memory().unwrap();
            });
            assert!(!told.iter().any(|line| line.contains("LIKE")), "{encoding} {told:?}");

            let (db, error) = db.close().unwrap_err();
            assert!(error.to_string().contains("unfinalized"), "{encoding}: {error}");
            // Nothing leaks from this test: the forgotten statement is the one that is left.
            // SAFETY: the connection is open.
            let left = unsafe { ffi::sqlite3_next_stmt(handle(&db), ptr::null_mut()) };
            assert!(!left.is_null(), "{encoding}");
            // SAFETY: whoever owned it has forgotten it.
            unsafe { ffi::sqlite3_finalize(left) };
            db.close().unwrap();
        }
    }
}
