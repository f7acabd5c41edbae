//! Opens a connection as rusqlite does, which sqll calls unsafe.

use sqll::{Connection, OpenOptions};

/// A database in memory, without the mutex of a connection that may go from thread to thread.
pub(crate) fn open_in_memory() -> Connection {
    let mut options = OpenOptions::new();
    options.read_write().create();
    // SAFETY: the connection and its statements, their drop included, must stay on one thread. They
    // live in the state of a variant, which the runner makes, calls and drops on its only thread
    // (a subject is not `Send`).
    unsafe { options.no_mutex_unchecked() };
    options.open_in_memory().expect("memory")
}
