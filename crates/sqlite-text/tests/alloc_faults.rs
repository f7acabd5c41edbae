//! Every allocation of SQLite fails once: what is read is right, or the error says `NoMem`.
//!
//! The allocator is the process's, so this test is alone in its file. It moves every block that
//! grows and spoils every block that is freed, so that a text which outlives its memory shows.
#![cfg(feature = "rusqlite")]

mod common;

use common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::{Error, TextBatch, TextStatement, TypePolicy};
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};

/// How many allocations still succeed; the next one fails, those after it do not.
static LEFT: AtomicI64 = AtomicI64::new(i64::MAX);

/// Before each block: its size, in a head that keeps the alignment.
const HEAD: usize = 16;

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size + HEAD, HEAD).unwrap()
}

unsafe extern "C" fn allocate(size: c_int) -> *mut c_void {
    if LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
        return ptr::null_mut();
    }
    let size = usize::try_from(size).unwrap();
    // SAFETY: at least the head, so not empty.
    let block = unsafe { alloc(layout(size)) };
    assert!(!block.is_null());
    // SAFETY: the head is there and aligned.
    unsafe { block.cast::<usize>().write(size) };
    block.wrapping_add(HEAD).cast()
}

fn head(block: *mut c_void) -> *mut u8 {
    block.cast::<u8>().wrapping_sub(HEAD)
}

unsafe extern "C" fn size(block: *mut c_void) -> c_int {
    if block.is_null() {
        return 0;
    }
    // SAFETY: SQLite asks of blocks that `allocate` gave.
    unsafe { head(block).cast::<usize>().read() as c_int }
}

unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: SQLite frees blocks that `allocate` gave.
    let size = unsafe { size(block) } as usize;
    // SAFETY: the block has that size, and nobody uses it from here on.
    unsafe { block.cast::<u8>().write_bytes(0xFE, size) };
    // SAFETY: it was allocated with this layout.
    unsafe { dealloc(head(block), layout(size)) };
}

unsafe extern "C" fn reallocate(block: *mut c_void, wanted: c_int) -> *mut c_void {
    // SAFETY: SQLite asks for sizes that are not negative.
    let moved = unsafe { allocate(wanted) };
    if !moved.is_null() {
        // SAFETY: a block that `allocate` gave.
        let both = unsafe { size(block) }.min(wanted) as usize;
        // SAFETY: two blocks, which both have so many bytes.
        unsafe { moved.cast::<u8>().copy_from_nonoverlapping(block.cast(), both) };
        // SAFETY: the old block is replaced.
        unsafe { free(block) };
    }
    moved
}

unsafe extern "C" fn round(size: c_int) -> c_int {
    (size + 7) & !7
}

unsafe extern "C" fn begin(_: *mut c_void) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn end(_: *mut c_void) {}

fn install() {
    let methods = ffi::sqlite3_mem_methods {
        xMalloc: Some(allocate),
        xFree: Some(free),
        xRealloc: Some(reallocate),
        xSize: Some(size),
        xRoundup: Some(round),
        xInit: Some(begin),
        xShutdown: Some(end),
        pAppData: ptr::null_mut(),
    };
    // SAFETY: nothing has used SQLite yet; it copies the table.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const methods) };
    assert_eq!(code, ffi::SQLITE_OK);
}

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

type Seen = Vec<Vec<Result<Option<String>, Error>>>;

/// All values of all rows, each by every getter and by the first one again at the end; what was
/// read up to an error of the run, and that error.
fn read(db: &Connection, sql: &str, policy: TypePolicy) -> (Seen, Result<(), Error>) {
    let mut seen = Vec::new();
    let ended = (|| {
        let mut statement = TextStatement::prepare(db, sql)?.policy(policy);
        let mut rows = statement.query(&[&"bound", &"b\u{FC}ndig, and longer"])?;
        while let Some(row) = rows.next()? {
            let mut values = Vec::new();
            let held: Vec<_> = (0..9).map(|i| row.text_opt(i)).collect();
            for (i, held) in held.iter().enumerate() {
                let some = |text: &str| Some(text.to_owned());
                values.push(row.text(i).map(some));
                values.push(row.text_bytes(i).map(|b| some(&String::from_utf8_lossy(b))));
                values.push(row.text_lossy(i).map(|t| some(&t)));
                values.push(row.text_buf(i).map(|t| some(&t)));
                let mut out = String::from("left over");
                values.push(row.read_text_into(i, &mut out).map(|()| some(&out)));
                values.push(held.clone().map(|t| t.map(str::to_owned)));
            }
            seen.push(values);
        }
        drop(rows);
        // And once more by batches, which have no value for what a policy refuses.
        if policy == TypePolicy::Coerce {
            let reader = statement.read_batch(&[&"bound", &"b\u{FC}ndig, and longer"])?;
            let mut reader = reader.lossy(true).max_rows(2);
            let mut columns: [TextBatch; 9] = Default::default();
            while reader.next_batch(&mut columns)? != 0 {
                let column = |c: &TextBatch| c.iter().map(|t| Ok(t.map(str::to_owned))).collect();
                seen.extend(columns.iter().map(column));
            }
        }
        Ok(())
    })();
    (seen, ended)
}

#[test]
fn every_allocation_fails_once() {
    install();
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for db in [database(encoding), serialised(encoding)] {
            no_lookaside(&db);
            db.execute_batch(
                "CREATE TABLE t (s, n, z, l);
                 INSERT INTO t VALUES ('short', -7, zeroblob(700), printf('%.9000c', 'é')),
                     ('', 0.125, x'C3A9', 'grün'), (NULL, NULL, x'', cast(x'61FF62D8' AS TEXT))",
            )
            .unwrap();
            let sql = "SELECT s, n, z, l, s || l, ?1, ?2, 'text', NULL FROM t ORDER BY rowid";
            for policy in [TypePolicy::Coerce, TypePolicy::TextOrNull] {
                let (all, ended) = read(&db, sql, policy);
                let batches = if policy == TypePolicy::Coerce { 2 * 9 } else { 0 };
                assert_eq!((all.len(), ended), (3 + batches, Ok(())));
                let mut failures = 0;
                loop {
                    LEFT.store(failures, Ordering::Relaxed);
                    let (seen, ended) = read(&db, sql, policy);
                    let failed = LEFT.swap(i64::MAX, Ordering::Relaxed) < 0;
                    match ended {
                        Ok(()) => assert_eq!(seen.len(), all.len()),
                        Err(error) => assert_eq!(error, Error::NoMem, "{encoding} {failures}"),
                    }
                    for (seen, right) in seen.iter().flatten().zip(all.iter().flatten()) {
                        let right = seen == right || *seen == Err(Error::NoMem);
                        assert!(right, "{encoding}, allocation {failures}: {seen:?}");
                    }
                    if !failed {
                        break;
                    }
                    failures += 1;
                }
                assert!(failures > 20, "{failures}");
            }
        }
    }
}
