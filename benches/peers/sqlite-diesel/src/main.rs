//! Cases of `sqlite-text` with diesel, on the SQLite that its `libsqlite3-sys` bundles.
//!
//! Diesel keeps the prepared statement in the connection's cache, so every call finds it there; the
//! rows come one by one from `load_iter`. It has no getter that borrows: a text that is only looked
//! at is looked at in a `FromSql` of one's own, through `SqliteValue::read_text`.

use diesel::backend::Backend;
use diesel::connection::{DefaultLoadingMode, SimpleConnection};
use diesel::deserialize::{self, FromSql, FromSqlRow, Queryable};
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::Sqlite;
use input::Script;
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use onecopy_benches::subject::Sink;
use std::cell::RefCell;
use std::mem;
use std::process::ExitCode;

#[allow(dead_code, unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/sqlite_text/input.rs"]
mod input;

#[allow(unreachable_pub, reason = "written by the macro")]
mod schema {
    diesel::table! {
        t (rowid) {
            rowid -> BigInt,
            s -> Text,
        }
    }
}
use schema::t;

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
        "diesel",
        |texts| filled(texts),
        |db, _, sink| each::<String>(db, |text| sink.see(&text)),
    );
}

/// Every text looked at in place.
fn borrow(registry: &mut Registry, name: &'static str, bytes: usize) {
    registry.case(name, move || input::texts(Script::Ascii, bytes)).stateful(
        "diesel",
        |texts| filled(texts),
        |db, _, sink| {
            SINK.set(mem::take(sink));
            each::<Seen>(db, |_| ());
            *sink = SINK.take();
        },
    );
}

#[inline(always)]
fn each<T>(db: &mut SqliteConnection, mut see: impl FnMut(T))
where
    T: FromSqlRow<Text, Sqlite> + 'static,
{
    let rows = t::table
        .select(t::s)
        .order(t::rowid)
        .load_iter::<T, DefaultLoadingMode>(db)
        .expect("the query is sound");
    for text in rows {
        see(text.expect("text"));
    }
}

/// What has shown a text without keeping it.
struct Seen;

thread_local! {
    /// The sink of the call, for `Seen`, which is given nothing but the value.
    static SINK: RefCell<Sink> = RefCell::default();
}

impl FromSql<Text, Sqlite> for Seen {
    fn from_sql(mut value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        SINK.with_borrow_mut(|sink| sink.see(value.read_text()));
        Ok(Self)
    }
}

impl Queryable<Text, Sqlite> for Seen {
    type Row = Self;

    fn build(row: Self) -> deserialize::Result<Self> {
        Ok(row)
    }
}

fn filled(texts: &[String]) -> SqliteConnection {
    let mut db = SqliteConnection::establish(":memory:").expect("memory");
    db.batch_execute(input::CREATE).expect("the table is sound");
    for text in texts {
        diesel::sql_query(input::INSERT)
            .bind::<Text, _>(text)
            .execute(&mut db)
            .expect("the row fits");
    }
    db
}
