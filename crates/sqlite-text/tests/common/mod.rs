//! What the tests share.

#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) mod batches;
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) mod cells;
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) mod pieces;

use rusqlite::{Connection, OpenFlags};

/// An empty database of that encoding.
pub(crate) fn database(encoding: &str) -> Connection {
    encoded(Connection::open_in_memory().unwrap(), encoding)
}

/// The same on a connection with a mutex.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn serialised(encoding: &str) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_FULL_MUTEX;
    encoded(Connection::open_in_memory_with_flags(flags).unwrap(), encoding)
}

fn encoded(db: Connection, encoding: &str) -> Connection {
    db.execute_batch(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE made (made)")).unwrap();
    let actual: String = db.query_row("PRAGMA encoding", [], |row| row.get(0)).unwrap();
    assert_eq!(actual, encoding);
    db
}
