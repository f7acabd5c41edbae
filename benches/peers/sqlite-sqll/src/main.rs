//! Cases of `sqlite-text` with sqll, on the SQLite that its `sqll-sys` bundles.
//!
//! The statement is prepared once, as persistent, and read with `next`, as its documentation has it.
//! `&str` and `String` check the text; its `&Text` does not, so that is no peer. The connection is
//! opened without a mutex, as rusqlite opens its own.

mod raw;

use input::Script;
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use sqll::Statement;
use std::process::ExitCode;

#[allow(dead_code, unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/sqlite_text/input.rs"]
mod input;

fn main() -> ExitCode {
    let mut registry = Registry::default();
    owned(&mut registry, "sqlite-text/owned/ascii-16", 16);
    owned(&mut registry, "sqlite-text/owned/ascii-256", 256);
    borrow(&mut registry, "sqlite-text/borrow/ascii-16", 16);
    borrow(&mut registry, "sqlite-text/borrow/ascii-256", 256);
    borrow(&mut registry, "sqlite-text/statement/ascii-16", 16);
    borrow(&mut registry, "sqlite-text/statement/ascii-256", 256);
    runner::main(&registry)
}

/// Every text into a `String` of its own.
fn owned(registry: &mut Registry, name: &'static str, bytes: usize) {
    registry.case(name, move || input::texts(Script::Ascii, bytes)).stateful(
        "sqll",
        |texts| filled(texts),
        |statement, _, sink| {
            while let Some(text) = statement.next::<String>().expect("text") {
                sink.see(&text);
            }
        },
    );
}

/// Every text looked at in place.
fn borrow(registry: &mut Registry, name: &'static str, bytes: usize) {
    registry.case(name, move || input::texts(Script::Ascii, bytes)).stateful(
        "sqll",
        |texts| filled(texts),
        |statement, _, sink| {
            while let Some(text) = statement.next::<&str>().expect("text") {
                sink.see(text);
            }
        },
    );
}

/// The query, on a filled database that it keeps open.
fn filled(texts: &[String]) -> Statement {
    let db = raw::open_in_memory();
    db.execute(input::CREATE).expect("the table is sound");
    let mut insert = db.prepare(input::INSERT).expect("the table is there");
    for text in texts {
        insert.execute(text.as_str()).expect("the row fits");
    }
    db.prepare_with(input::SELECT).persistent().build().expect("the query is sound")
}
