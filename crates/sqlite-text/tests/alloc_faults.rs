//! Every allocation of SQLite fails, once and for good: what is read is right, or the error says
//! `NoMem`; nothing leaks and the next run is as good as the first.
//!
//! The allocator is the process's, so this test is alone in its file.
#![cfg(feature = "rusqlite")]

mod common;
#[path = "common/faulty.rs"]
mod faulty;

use common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::function::{create_text_function, remove_text_function};
use sqlite_text::{Error, TextBatch, TextReader, TextStatement, TypePolicy};
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

/// Without the small blocks that a connection keeps for itself: every allocation is seen.
fn no_lookaside(db: &Connection) {
    // SAFETY: the handle is used for this one call.
    let handle = unsafe { db.handle() };
    let none = ptr::null_mut::<c_void>();
    // SAFETY: the connection is open and the arguments are those of this option.
    let code =
        unsafe { ffi::sqlite3_db_config(handle, ffi::SQLITE_DBCONFIG_LOOKASIDE, none, 0, 0) };
    assert_eq!(code, ffi::SQLITE_OK);
}

/// What was read: each value is the right one or `NoMem`.
type Seen = Vec<Result<Option<String>, Error>>;

/// Something to do with a connection: it calls the closure when the allocations may begin to fail,
/// notes what it reads, and ends with the first error.
type Scenario = fn(&Connection, &dyn Fn(), &mut Seen) -> Result<(), Error>;

const SCENARIOS: [(&str, Scenario); 12] = [
    ("getters", |db, arm, seen| getters(db, arm, seen, TypePolicy::TextOrNull)),
    ("getters, cast", |db, arm, seen| getters(db, arm, seen, TypePolicy::Coerce)),
    ("a second run", second_run),
    ("the run after one that failed", run_after_failure),
    ("names", names),
    ("a table that has changed", altered),
    ("batches", |db, arm, seen| batches(db, arm, seen, false, usize::MAX)),
    ("batches, lossy", |db, arm, seen| batches(db, arm, seen, true, 2)),
    ("rows that write", writes),
    ("a static bind", static_bind),
    ("a text in pieces", pieces),
    ("a function", function),
];

const SQL: &str = "SELECT s, n, z, l, s || l, ?1, ?2, 'text', NULL FROM t ORDER BY rowid";
const PARAMS: [&dyn rusqlite::ToSql; 2] = [&"bound", &"b\u{FC}ndig, and longer"];

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// All values of all rows, each by every getter and by the first one again at the end.
fn getters(
    db: &Connection,
    arm: &dyn Fn(),
    seen: &mut Seen,
    policy: TypePolicy,
) -> Result<(), Error> {
    arm();
    let mut statement = TextStatement::prepare(db, SQL)?.policy(policy);
    let mut rows = statement.query(&PARAMS)?;
    while let Some(row) = rows.next()? {
        let held: Vec<_> = (0..9).map(|i| row.text_opt(i)).collect();
        for (i, held) in held.iter().enumerate() {
            seen.push(row.text(i).map(some));
            seen.push(row.text_bytes(i).map(|b| some(&String::from_utf8_lossy(b))));
            seen.push(row.text_lossy(i).map(|t| some(&t)));
            seen.push(row.text_buf(i).map(|t| some(&t)));
            let mut out = String::from("left over");
            let read = row.read_text_into(i, &mut out);
            assert!(read.is_ok() || out.is_empty());
            seen.push(read.map(|()| some(&out)));
            seen.push(held.clone().map(|t| t.map(str::to_owned)));
        }
    }
    // After an error or the end there is no more.
    assert!(rows.next().unwrap().is_none());
    Ok(())
}

/// A statement that has run well before.
fn second_run(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    let mut statement = TextStatement::prepare(db, SQL)?.policy(TypePolicy::Coerce);
    statement.query(&PARAMS)?.next()?;
    arm();
    let mut rows = statement.query(&PARAMS)?;
    while let Some(row) = rows.next()? {
        seen.extend((0..9).rev().map(|i| row.text_lossy(i).map(|t| some(&t))));
    }
    Ok(())
}

/// What failed in a row is forgotten in the row of that number of the next run, which may hold NULL.
fn run_after_failure(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    let mut statement = TextStatement::prepare(db, SQL)?.policy(TypePolicy::Coerce);
    let read = |statement: &mut TextStatement<'_>, seen: &mut Seen| -> Result<(), Error> {
        let mut rows = statement.query(&PARAMS)?;
        while let Some(row) = rows.next()? {
            seen.extend((0..9).map(|i| row.text_opt(i).map(|t| t.map(str::to_owned))));
        }
        Ok(())
    };
    arm();
    let _ = read(&mut statement, &mut Vec::new());
    faulty::pause(|| read(&mut statement, seen))?;
    assert!(!seen.contains(&Err(Error::NoMem)));
    Ok(())
}

/// A name is found where it is or not at all.
fn names(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    arm();
    let mut statement = TextStatement::prepare(db, "SELECT 'a' AS gr\u{FC}n, 'b' AS N, 'c' AS n")?;
    for (name, at) in [("gr\u{FC}n", Some(0)), ("n", Some(1)), ("o", None)] {
        assert_eq!(statement.column_index(name), at);
    }
    let mut rows = statement.query_bound()?;
    let n = rows.column_index("n");
    if let Some(row) = rows.next()? {
        assert_eq!(n, Some(1));
        seen.push(row.text(1).map(some));
    }
    Ok(())
}

/// SQLite prepares the statement anew.
fn altered(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    let mut statement = TextStatement::prepare(db, "SELECT * FROM t WHERE s < ?1")?;
    statement.query(&[&"zz"])?.next()?;
    db.execute_batch(
        "BEGIN; ALTER TABLE t RENAME COLUMN n TO m; ALTER TABLE t ADD COLUMN n DEFAULT 'new'",
    )
    .unwrap();
    let run = (|| {
        arm();
        let mut rows = statement.query_bound()?;
        let n = rows.column_index("n");
        while let Some(row) = rows.next()? {
            assert_eq!(n, Some(4));
            seen.push(row.text(0).map(some));
            seen.push(row.text(4).map(some));
        }
        Ok(())
    })();
    // The lack of memory may have rolled it back.
    let _ = faulty::pause(|| db.execute_batch("ROLLBACK"));
    run
}

/// Every row of every batch; a batch that fails is empty.
fn batches(
    db: &Connection,
    arm: &dyn Fn(),
    seen: &mut Seen,
    lossy: bool,
    max_rows: usize,
) -> Result<(), Error> {
    arm();
    let sql = if lossy { SQL } else { "SELECT s, n, z, ?1 || ?2, 'text', NULL FROM t" };
    let mut statement = TextStatement::prepare(db, sql)?.policy(TypePolicy::Coerce);
    let mut reader = statement.read_batch(&PARAMS)?.max_rows(max_rows).lossy(lossy);
    let mut columns: [TextBatch; 6] = Default::default();
    loop {
        match reader.next_batch(&mut columns) {
            Ok(0) => return Ok(()),
            Ok(n) => {
                for row in 0..n {
                    seen.extend(columns.iter().map(|c| Ok(c.get(row).map(str::to_owned))));
                }
            }
            Err(error) => {
                assert!(columns.iter().all(TextBatch::is_empty));
                assert_eq!(reader.next_batch(&mut columns), Ok(0));
                return Err(error);
            }
        }
    }
}

fn writes(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    db.execute_batch("BEGIN").unwrap();
    let run = (|| {
        arm();
        let sql = "INSERT INTO t (s, l) SELECT s || 'x', l FROM t RETURNING s, l";
        let mut statement = TextStatement::prepare(db, sql)?;
        let mut rows = statement.query(&[])?;
        while let Some(row) = rows.next()? {
            seen.push(row.text_opt(0).map(|t| t.map(str::to_owned)));
            seen.push(row.text_lossy(1).map(|t| some(&t)));
        }
        Ok(())
    })();
    // The lack of memory may have rolled it back.
    let _ = faulty::pause(|| db.execute_batch("ROLLBACK"));
    run
}

fn static_bind(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    let text = "s\u{FC}\u{DF} ".repeat(100);
    arm();
    let statement = TextStatement::prepare(db, "SELECT ?1, ?2, instr(?1, '\u{DF}') || ''")?;
    let mut bound = statement.bind_static(1, &text)?.bind_static(2, "gr\u{FC}n")?;
    for round in 0..2 {
        let mut rows = bound.query()?;
        if let Some(row) = rows.next()? {
            seen.extend((0..3).map(|i| row.text(i).map(some)));
        }
        drop(rows);
        bound.bind(2, &round)?;
        let mut rows = bound.query()?;
        if let Some(row) = rows.next()? {
            seen.push(row.text(0).map(some));
        }
    }
    drop(bound.unbind());
    Ok(())
}

/// The pieces are the beginning of the text.
fn pieces(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    arm();
    let mut reader = TextReader::open(db, "main", "t", "l", 1)?;
    let mut read = |reader: &mut TextReader<'_>| {
        while let Some(piece) = reader.next_chunk()? {
            seen.push(Ok(some(piece)));
        }
        Ok(())
    };
    read(&mut reader)?;
    match reader.reopen(2) {
        Ok(()) => read(&mut reader)?,
        Err(error) => {
            assert_eq!(reader.next_chunk(), Ok(None));
            return Err(error);
        }
    }
    let mut reader = TextReader::open(db, "main", "t", "l", 3)?.lossy(true);
    read(&mut reader)
}

/// Registered, called, removed; its closure is dropped once whatever fails.
fn function(db: &Connection, arm: &dyn Fn(), seen: &mut Seen) -> Result<(), Error> {
    let held = Arc::new(());
    let holds = Arc::clone(&held);
    arm();
    let run = || {
        create_text_function(db, "twice", 1, 0, move |args| {
            let _ = &holds;
            Ok(args.text_opt(0)?.map(|text| text.repeat(2)).into())
        })?;
        let mut statement = TextStatement::prepare(db, "SELECT twice(s), twice(l || s) FROM t")?;
        let mut rows = statement.query(&[])?;
        while let Some(row) = rows.next()? {
            for i in 0..2 {
                seen.push(row.text_opt(i).map(|text| text.map(str::to_owned)));
            }
        }
        Ok(())
    };
    let ran = run();
    faulty::pause(|| remove_text_function(db, "twice", 1)).unwrap();
    assert_eq!(Arc::strong_count(&held), 1);
    ran
}

#[test]
fn every_allocation_fails() {
    faulty::install();
    // What SQLite keeps for good.
    drop(database("UTF-8"));
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for mutex in [false, true] {
            for for_good in [false, true] {
                let before = faulty::blocks();
                let db = if mutex { serialised(encoding) } else { database(encoding) };
                no_lookaside(&db);
                db.execute_batch(
                    "CREATE TABLE t (s, n, z, l);
                     INSERT INTO t VALUES ('short', -7, zeroblob(700), printf('%.9000c', 'é')),
                         ('', 0.125, x'C3A9', 'grün'), (NULL, NULL, x'', cast(x'61FF62D8' AS TEXT))",
                )
                .unwrap();
                for (name, scenario) in SCENARIOS {
                    let case = format!("{name}, {encoding}, {mutex}, {for_good}");
                    let failures = fails_everywhere(&db, scenario, for_good, &case);
                    assert!(failures > 5, "{case}: {failures}");
                }
                db.close().unwrap();
                assert_eq!(faulty::blocks(), before, "{encoding}: a leak");
            }
        }
    }
}

/// Fails each allocation of the scenario in turn; how many there are.
fn fails_everywhere(db: &Connection, scenario: Scenario, for_good: bool, case: &str) -> i64 {
    let mut right = Vec::new();
    scenario(db, &|| (), &mut right).unwrap();
    assert!(!right.is_empty(), "{case}");
    for allocations in 0.. {
        let mut seen = Vec::new();
        let ended = scenario(db, &|| faulty::fail_after(allocations, for_good), &mut seen);
        let failed = faulty::fail_no_more();
        match ended {
            Ok(()) => assert_eq!(seen.len(), right.len(), "{case}, allocation {allocations}"),
            Err(error) => assert_eq!(error, Error::NoMem, "{case}, allocation {allocations}"),
        }
        for (seen, right) in seen.iter().zip(&right) {
            let ok = seen == right || *seen == Err(Error::NoMem);
            assert!(ok, "{case}, allocation {allocations}: {seen:?} {right:?}");
        }
        // The lack of memory leaves nothing behind.
        let mut again = Vec::new();
        assert_eq!(scenario(db, &|| (), &mut again), Ok(()), "{case}, after {allocations}");
        assert_eq!(again, right, "{case}, after {allocations}");
        if !failed {
            return allocations;
        }
    }
    unreachable!()
}
