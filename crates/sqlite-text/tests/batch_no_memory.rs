//! Out of memory while a batch is filled. The limit is the process's, so this is alone in its file.
#![cfg(feature = "rusqlite")]

mod common;

use common::{database, serialised};
use rusqlite::ffi;
use sqlite_text::{Error, TextBatch, TextStatement, TypePolicy};

fn limit(bytes: i64) {
    // SAFETY: no pointer is involved.
    unsafe { ffi::sqlite3_hard_heap_limit64(bytes) };
}

#[test]
fn no_memory_for_a_conversion_or_a_step() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for db in [database(encoding), serialised(encoding)] {
            // Half a million zero bytes that SQLite makes only when they are asked for.
            let sql = "VALUES ('a', 'b'), ('c', zeroblob(500000)), ('d', 'e')";
            let statement = TextStatement::prepare(&db, sql).unwrap();
            let mut statement = statement.policy(TypePolicy::Coerce);
            let mut columns = [TextBatch::new(), TextBatch::new()];
            for max_rows in [1, 2, 9] {
                let mut reader = statement.read_batch(&[]).unwrap().max_rows(max_rows);
                if max_rows == 1 {
                    assert_eq!(reader.next_batch(&mut columns), Ok(1), "{encoding}");
                }
                limit(1);
                assert_eq!(reader.next_batch(&mut columns), Err(Error::NoMem), "{encoding}");
                limit(0);
                assert!(columns.iter().all(TextBatch::is_empty));
                // The NULL that SQLite has put in its place is not read, nor what comes after.
                assert_eq!(reader.next_batch(&mut columns), Ok(0), "{encoding}");
            }
            let mut reader = statement.read_batch(&[]).unwrap();
            assert_eq!(reader.next_batch(&mut columns), Ok(3), "{encoding}");
            assert!(columns[1].get(1).is_some_and(|text| text.bytes().all(|byte| byte == 0)));
            drop(reader);

            let sql = "SELECT replace(hex(zeroblob(?1)), '0', 'ab')";
            let mut statement = TextStatement::prepare(&db, sql).unwrap();
            limit(1);
            let mut reader = statement.read_batch(&[&100_000]).unwrap();
            assert_eq!(reader.next_batch(&mut columns[..1]), Err(Error::NoMem), "{encoding}");
            limit(0);
        }
    }
}
