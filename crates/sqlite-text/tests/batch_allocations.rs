//! How often filling a batch allocates, exactly. The allocator is the process's, so this is alone
//! in its file; it counts what the thread of the test does.
#![cfg(feature = "rusqlite")]

mod common;

use common::database;
use sqlite_text::{TextBatch, TextStatement};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static GLOBAL: Counting = Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    // The thread may be ending and its storage gone.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + size));
}

// SAFETY: everything is left to the system's allocator; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promises are those that `System` wants.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Of the first batch and of a later one into new columns, each of 1000 rows.
#[derive(Debug, PartialEq)]
struct Counts {
    first: usize,
    fresh: usize,
}

/// Two columns of so many bytes, the second with NULLs: 1 for the offsets of each and 1 for the
/// bits; the bytes begin with 4096 and double, or are allocated as large as the last time.
#[test]
fn fresh_few_and_reused_none() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for (size, first) in [(0, 5), (16, 9), (256, 17), (4096, 25)] {
            let db = database(encoding);
            db.execute_batch("CREATE TABLE t (s, n)").unwrap();
            let text = "é".repeat(size / 2);
            let mut insert = db.prepare("INSERT INTO t VALUES (?1, ?2)").unwrap();
            for i in 0..3000 {
                insert.execute((&text, (i % 3 != 0).then_some(&text))).unwrap();
            }
            let mut statement = TextStatement::prepare(&db, "SELECT s, n FROM t").unwrap();
            let mut reader = statement.read_batch(&[]).unwrap().max_rows(1000);
            let mut columns = [TextBatch::new(), TextBatch::new()];
            let mut next = |columns: &mut [TextBatch; 2]| {
                allocations(|| assert_eq!(reader.next_batch(columns), Ok(1000)))
            };
            let seen = Counts {
                first: next(&mut columns),
                fresh: {
                    columns = [TextBatch::new(), TextBatch::new()];
                    next(&mut columns)
                },
            };
            let fresh = if size == 0 { 3 } else { 5 };
            assert_eq!(seen, Counts { first, fresh }, "{encoding}, {size} bytes");
            drop(reader);
            for lossy in [false, true] {
                let reused = allocations(|| {
                    let reader = statement.read_batch(&[]).unwrap().lossy(lossy);
                    let mut reader = reader.max_rows(1000);
                    for rows in [1000, 1000, 1000, 0] {
                        assert_eq!(reader.next_batch(&mut columns), Ok(rows));
                    }
                });
                assert_eq!(reused, 0, "{encoding}, {size} bytes");
            }
        }
    }
}

/// Nothing is copied when a batch is given away: Arrow allocates heads of its own for the three
/// buffers, which are small.
#[test]
fn given_away_without_a_copy() {
    let db = database("UTF-8");
    let sql = "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
               SELECT iif(i % 3 = 0, NULL, 'text of a row') FROM n";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    let mut columns = [TextBatch::new()];
    assert_eq!(statement.read_batch(&[]).unwrap().next_batch(&mut columns), Ok(1000));
    let [batch] = columns;
    #[cfg(feature = "arrow")]
    {
        let batch = batch.clone();
        let before = BYTES.get();
        let array = batch.into_array();
        assert!(BYTES.get() - before < 400, "{}", BYTES.get() - before);
        assert_eq!((array.value(998), arrow_array::Array::null_count(&array)), ("", 333));
    }
    let mut parts = Default::default();
    assert_eq!(allocations(|| parts = batch.into_parts()), 0);
    assert_eq!((parts.0.len(), parts.1.len()), (667 * 13, 1001));
    assert_eq!(parts.2.map(|bits| bits.len()), Some(125));
}
