//! Cases of `sqlite-text` with sqlx, on the SQLite that its `libsqlite3-sys` bundles.
//!
//! The statement is in the connection's cache after the first call, and the rows come one by one from
//! `fetch`. sqlx steps on a thread of the connection's own and sends every row through a channel, with
//! a copy of its values; the heap counts are those of the thread that reads.

use futures_util::TryStreamExt;
use input::Script;
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row, SqliteConnection};
use std::process::ExitCode;
use tokio::runtime::{Builder, Runtime};

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
        "sqlx",
        |texts| filled(texts),
        |db, _, sink| db.each(|row| sink.see(&row.get::<String, _>(0))),
    );
}

/// Every text looked at in place.
fn borrow(registry: &mut Registry, name: &'static str, bytes: usize) {
    registry.case(name, move || input::texts(Script::Ascii, bytes)).stateful(
        "sqlx",
        |texts| filled(texts),
        |db, _, sink| db.each(|row| sink.see(row.get::<&str, _>(0))),
    );
}

/// A connection and the runtime that it is polled on.
struct Db {
    runtime: Runtime,
    connection: SqliteConnection,
}

impl Db {
    fn each(&mut self, mut read: impl FnMut(&SqliteRow)) {
        let Self { runtime, connection } = self;
        runtime.block_on(async {
            let mut rows = sqlx::query(input::SELECT).fetch(connection);
            while let Some(row) = rows.try_next().await.expect("a row or the end") {
                read(&row);
            }
        });
    }
}

fn filled(texts: &[String]) -> Db {
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let connection = runtime.block_on(async {
        let mut db = SqliteConnection::connect("sqlite::memory:").await.expect("memory");
        sqlx::query(input::CREATE).execute(&mut db).await.expect("the table is sound");
        for text in texts {
            sqlx::query(input::INSERT).bind(text).execute(&mut db).await.expect("the row fits");
        }
        db
    });
    Db { runtime, connection }
}
