//! A reader's memory is flat, and where there is none it and a function fail with an error. The
//! limit is the process's, so these are one test, alone in its file.
#![cfg(feature = "rusqlite")]

mod common;

use common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::function::create_text_function;
use sqlite_text::{Error, TextReader, TextStatement};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Bytes of this thread: now, and at most.
    static NOW: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn count(more: usize, less: usize) {
    let (now, most) = NOW.get();
    let now = (now + more).saturating_sub(less);
    NOW.set((now, most.max(now)));
    CALLS.set(CALLS.get() + usize::from(more > 0));
}

// SAFETY: everything is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's block and layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes in use of Rust's and of SQLite's memory while `run` runs, above what was in use
/// before, and the number of Rust's allocations.
fn most(run: impl FnOnce()) -> (usize, i64, usize) {
    let (now, _) = NOW.get();
    NOW.set((now, now));
    let calls = CALLS.get();
    // SAFETY: no pointer is involved.
    let before = unsafe { ffi::sqlite3_memory_used() };
    // SAFETY: no pointer is involved.
    unsafe { ffi::sqlite3_memory_highwater(1) };
    run();
    // SAFETY: no pointer is involved.
    let highest = unsafe { ffi::sqlite3_memory_highwater(0) };
    (NOW.get().1 - now, highest - before, CALLS.get() - calls)
}

fn limit(bytes: i64) {
    // SAFETY: no pointer is involved.
    unsafe { ffi::sqlite3_hard_heap_limit64(bytes) };
}

fn read(db: &Connection, rowid: i64, lossy: bool) -> Result<usize, Error> {
    let mut reader = TextReader::open(db, "main", "t", "s", rowid)?.lossy(lossy);
    let mut length = 0;
    while let Some(piece) = reader.next_chunk()? {
        length += piece.len();
    }
    Ok(length)
}

fn memory_is_flat() {
    const KB: usize = 1024;
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        let name = format!("{}/flat-{}.db", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        let db = Connection::open(&name).unwrap();
        let sizes = [100_000, 1_000_000, 8_000_000];
        db.execute_batch(&format!(
            "PRAGMA encoding = '{encoding}'; PRAGMA cache_size = 20; PRAGMA synchronous = 0;
             PRAGMA journal_mode = OFF; CREATE TABLE t (s)"
        ))
        .unwrap();
        // Euro signs, and what is no text in every byte or unit.
        let (euro, bad): (&[u8], &[u8]) = match encoding {
            "UTF-8" => ("€".as_bytes(), b"\xFF\xFF\xFF"),
            "UTF-16le" => (b"\xAC\x20", b"\x00\xDC"),
            _ => (b"\x20\xAC", b"\xDC\x00"),
        };
        for size in sizes {
            let texts = [euro, bad].map(|part| part.repeat(size / part.len()));
            db.execute("INSERT INTO t VALUES (cast(?1 AS TEXT)), (cast(?2 AS TEXT))", texts)
                .unwrap();
        }
        let mut seen = Vec::new();
        for (rowid, size) in (1..).step_by(2).zip(sizes) {
            let strict = most(|| assert!(read(&db, rowid, false).unwrap() >= size - 2));
            let lossy = most(|| assert!(read(&db, rowid + 1, true).unwrap() >= size - 2));
            seen.push((strict, lossy));
        }
        for (strict, lossy) in &seen {
            // The buffer, and another of three times as much for what it is made into.
            let most = if encoding == "UTF-8" { 66 * KB } else { 258 * KB };
            assert!(strict.0 <= most && lossy.0 <= 258 * KB, "{encoding} {seen:?}");
            // SQLite's list of pages: 4 bytes for each 4 KB.
            assert!(strict.1 <= 64 << 10 && lossy.1 <= 64 << 10, "{encoding} {seen:?}");
            assert!(strict.2 < 30 && lossy.2 < 30, "{encoding} {seen:?}");
        }
        drop(db);
        std::fs::remove_file(&name).unwrap();
    }
}

fn no_memory() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for db in [database(encoding), serialised(encoding)] {
            db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES (printf('%.200000c', 'é'))")
                .unwrap();
            create_text_function(&db, "twice", 1, 0, |args| Ok(args.text(0)?.repeat(2).into()))
                .unwrap();
            let twice = || {
                let sql = "SELECT twice(s), twice('short') || twice(substr(s, 1, 3000)) FROM t";
                let mut statement = TextStatement::prepare(&db, sql)?;
                let mut rows = statement.query(&[])?;
                let row = rows.next()?.expect("a row");
                Ok(row.text(0)?.len() + row.text(1)?.len())
            };
            let (mut of_reads, mut of_calls) = ([0; 2], [0; 2]);
            // SAFETY: no pointer is involved.
            let used = unsafe { ffi::sqlite3_memory_used() };
            for more in (1..64).map(|i| 100 * i).chain((7..200).map(|i| 20_000 * i)) {
                limit(used + more);
                let (read, twice) = (read(&db, 1, false), twice());
                limit(0);
                for (outcomes, outcome, right) in
                    [(&mut of_reads, read, 400_000), (&mut of_calls, twice, 812_010)]
                {
                    outcomes[usize::from(outcome.is_ok())] += 1;
                    let right = outcome == Ok(right) || outcome == Err(Error::NoMem);
                    assert!(right, "{encoding} {more}: {outcome:?}");
                }
            }
            // Each of them failed, each went well.
            assert!(of_reads.iter().chain(&of_calls).all(|n| *n > 5));
            assert_eq!((read(&db, 1, false), twice()), (Ok(400_000), Ok(812_010)));
        }
    }
}

/// SQLite calls the destructor of what it refuses, and of what it has taken; nothing is left over.
fn texts_that_were_handed_over_are_freed() {
    const LARGE: usize = 1 << 20;
    for encoding in ["UTF-8", "UTF-16le"] {
        for text in ["x".repeat(LARGE), "\0".repeat(LARGE)] {
            let db = database(encoding);
            create_text_function(&db, "large", 0, 0, move |_| Ok(text.clone().into())).unwrap();
            // SAFETY: the handle is used for this one call.
            let handle = unsafe { db.handle() };
            for (limit, right) in [(LARGE / 2, Err(Error::TooBig)), (4 * LARGE, Ok(()))] {
                // SAFETY: the connection is open.
                unsafe { ffi::sqlite3_limit(handle, ffi::SQLITE_LIMIT_LENGTH, limit as i32) };
                let run = || {
                    let mut statement = TextStatement::prepare(&db, "VALUES (large()), (large())")?;
                    let mut rows = statement.query(&[])?;
                    while let Some(row) = rows.next()? {
                        assert_eq!(row.text(0)?.len(), LARGE);
                    }
                    Ok(())
                };
                assert_eq!(run(), right);
                let (before, _) = NOW.get();
                for _ in 0..5 {
                    assert_eq!(run(), right);
                }
                assert_eq!(NOW.get().0, before, "{encoding}");
            }
        }
    }
}

#[test]
fn memory_is_flat_and_its_lack_an_error() {
    memory_is_flat();
    texts_that_were_handed_over_are_freed();
    no_memory();
}
