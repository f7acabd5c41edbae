//! Texts that SQLite reads where they lie, until it says that it does not need them any more.
//!
//! SQLite gives its destructor nothing but the address of the text, and memory of Rust cannot be
//! freed by its address alone. So the text itself is kept here under that address.

use core::ffi::c_char;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// From how many bytes on keeping a text costs less than a copy of it: two turns of a lock and of a
/// map that holds a few texts, against an allocation and a copy. Measured: with 16 KiB the two are
/// equal, with 64 KiB keeping takes a third of the time of copying.
pub(crate) const WORTH: usize = 16 * 1024;

/// Of the whole process: a connection, and with it its values, may go to another thread.
static KEPT: Mutex<BTreeMap<usize, String>> = Mutex::new(BTreeMap::new());

/// Nothing that holds the lock can leave the map half changed.
fn kept() -> MutexGuard<'static, BTreeMap<usize, String>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a text of at least one byte; it stays where it is, and as it is, until `release`.
pub(crate) fn keep(text: String) -> *const c_char {
    let start = text.as_ptr();
    // No two texts of at least one byte lie at the same address at a time.
    kept().insert(start.addr(), text);
    start.cast()
}

/// Frees the text that `keep` has kept at this address. Only SQLite's destructor may ask for that.
pub(crate) fn release(address: usize) {
    let text = kept().remove(&address);
    // Without the lock.
    drop(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    // One test, for there is one map.
    #[test]
    fn a_text_is_kept_until_it_is_released() {
        let text = "kept ".repeat(1000);
        let address = text.as_ptr().addr();
        let start = keep(text);
        assert_eq!(start.addr(), address);
        assert!(kept().get(&address).is_some_and(|text| text.len() == 5000));
        release(address);
        assert!(!kept().contains_key(&address));
        // What is not there is not released twice.
        release(address);

        #[cfg(feature = "rusqlite")]
        sqlite_releases_every_text();
        assert!(kept().is_empty());
    }

    #[cfg(feature = "rusqlite")]
    fn sqlite_releases_every_text() {
        use crate::function::create_text_function;
        use std::sync::atomic::{AtomicUsize, Ordering};

        static MOST: AtomicUsize = AtomicUsize::new(0);
        for encoding in ["UTF-8", "UTF-16le"] {
            let db = rusqlite::Connection::open_in_memory().unwrap();
            db.execute_batch(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE t (s)"))
                .unwrap();
            create_text_function(&db, "large", 1, 0, |args| {
                MOST.fetch_max(kept().len(), Ordering::Relaxed);
                Ok(args.text(0)?.repeat(2 * WORTH).into())
            })
            .unwrap();
            db.execute_batch(
                "INSERT INTO t SELECT large(value) FROM (SELECT 'a' AS value UNION ALL SELECT 'b');
                 INSERT INTO t SELECT large('c') FROM t, t AS u, t AS v, t AS w ORDER BY large('d') || t.s",
            )
            .unwrap();
            let sql = "SELECT count(DISTINCT large(substr(s, 1, 1))) FROM t WHERE large('x') <> s";
            let found: i64 = db.query_row(sql, [], |row| row.get(0)).unwrap();
            assert_eq!(found, 3);
        }
        // A few at a time.
        assert!((1..10).contains(&MOST.load(Ordering::Relaxed)), "{MOST:?}");
    }
}
