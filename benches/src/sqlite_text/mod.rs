//! Cases of `sqlite-text`: a SELECT of 1000 rows, prepared, from a database in memory.
//!
//! Every variant holds its own prepared statement on the one connection of the case and shows each
//! text as it comes. All step through rusqlite, but for the peer `libsqlite3-sys` and for `after`
//! in `statement`.

mod batch;
pub(crate) mod before;
mod function;
pub mod input;
mod large;
mod params;
mod peers;
#[allow(unsafe_code, reason = "the peer written by hand on the C interface")]
mod raw;
mod statement;

use crate::registry::{CaseBuilder, Registry};
use crate::subject::Sink;
use input::Script;
use rusqlite::{Connection, Row, Statement};
use sqlite_text::{RowTextExt, TextBuf};

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    use Script::{Ascii, Cjk, Latin};
    owned(registry, "sqlite-text/owned/ascii-16", Ascii, 16);
    owned(registry, "sqlite-text/owned/ascii-256", Ascii, 256);
    owned(registry, "sqlite-text/owned/ascii-4096", Ascii, 4096);
    owned(registry, "sqlite-text/owned/latin-256", Latin, 256);
    borrow(registry, "sqlite-text/borrow/ascii-16", Ascii, 16);
    borrow(registry, "sqlite-text/borrow/ascii-256", Ascii, 256);
    borrow(registry, "sqlite-text/borrow/ascii-4096", Ascii, 4096);
    borrow(registry, "sqlite-text/borrow/latin-256", Latin, 256);
    borrow(registry, "sqlite-text/borrow/cjk-256", Cjk, 256);
    text_buf(registry, "sqlite-text/text-buf/ascii-16", Ascii, 16);
    get_text_buf(registry, "sqlite-text/get-text-buf/ascii-16", Ascii, 16);
    get_text_buf(registry, "sqlite-text/get-text-buf/latin-256", Latin, 256);
    reused(registry, "sqlite-text/reused/ascii-256", Ascii, 256);
    reused(registry, "sqlite-text/reused/latin-256", Latin, 256);
    five(registry, "sqlite-text/five-columns/borrow-by-index");
    statement::register(registry);
    batch::register(registry);
    params::register(registry);
    large::register(registry);
    function::register(registry);
}

/// Every text into a `String` of its own.
fn owned(registry: &mut Registry, name: &'static str, script: Script, bytes: usize) {
    let case = registry.case(name, move || table("UTF-8", script, bytes));
    let case = seed_shapes(case);
    let case = by_rows(case, "after", |row, sink| {
        sink.see(&row.text(0).expect("text").to_owned());
    });
    let case = by_rows(case, "rusqlite", |row, sink| sink.see(&peers::rusqlite_owned(row, 0)));
    by_hand(case, |statement, sink| sink.see(&peers::by_hand(statement, 0).to_owned()));
}

/// Every text looked at in place.
fn borrow(registry: &mut Registry, name: &'static str, script: Script, bytes: usize) {
    let case = registry.case(name, move || table("UTF-8", script, bytes));
    let case = seed_shapes(case);
    let case = by_rows(case, "after", |row, sink| sink.see(row.text(0).expect("text")));
    let case = by_rusqlite(case);
    by_hand(case, |statement, sink| sink.see(peers::by_hand(statement, 0)));
}

/// Every text into an owned value that needs no allocation when short.
fn text_buf(registry: &mut Registry, name: &'static str, script: Script, bytes: usize) {
    let case = registry.case(name, move || table("UTF-8", script, bytes));
    let case = seed_shapes(case);
    let case = by_rows(case, "after", |row, sink| {
        sink.see(row.text_buf(0).expect("text").as_str());
    });
    by_rows(case, "rusqlite", |row, sink| sink.see(&peers::rusqlite_owned(row, 0)));
}

/// The same through rusqlite's own `get`.
fn get_text_buf(registry: &mut Registry, name: &'static str, script: Script, bytes: usize) {
    let case = registry.case(name, move || table("UTF-8", script, bytes));
    let case = seed_shapes(case);
    let case = by_rows(case, "after", |row, sink| {
        sink.see(row.get::<_, TextBuf>(0).expect("text").as_str());
    });
    by_rows(case, "rusqlite", |row, sink| sink.see(&peers::rusqlite_owned(row, 0)));
}

/// All texts into one `String`, one after the other.
fn reused(registry: &mut Registry, name: &'static str, script: Script, bytes: usize) {
    let case = registry.case(name, move || table("UTF-8", script, bytes));
    let case = seed_shapes(case);
    let case = case.stateful(
        "after",
        |table| (select(table), String::new()),
        |(statement, buffer), _, sink| {
            each(statement, |row| {
                row.read_text_into(0, buffer).expect("text");
                sink.see(buffer.as_str());
            });
        },
    );
    let case = by_rusqlite_reused(case);
    case.stateful(
        "libsqlite3-sys",
        |table| (raw::Statement::prepare(&table.db, table.select), String::new()),
        |(statement, buffer), _, sink| {
            while statement.step() {
                buffer.clear();
                buffer.push_str(peers::by_hand(statement, 0));
                sink.see(buffer.as_str());
            }
        },
    );
}

/// Five short texts a row, looked at in place.
fn five(registry: &mut Registry, name: &'static str) {
    let case = step_only(registry.case(name, table_of_five));
    let case = by_rows(case, "before", |row, sink| {
        (0..5).for_each(|i| sink.see(&before::twice(bytes(row, i))));
    });
    let case = by_rows(case, "fix", |row, sink| {
        (0..5).for_each(|i| sink.see(&before::once(bytes(row, i))));
    });
    let case = by_rows(case, "after", |row, sink| {
        (0..5).for_each(|i| sink.see(row.text(i).expect("text")));
    });
    let case = by_rusqlite_five(case);
    by_hand(case, |statement, sink| (0..5).for_each(|i| sink.see(peers::by_hand(statement, i))));
}

/// `before` and `fix` of the story, and the limit.
fn seed_shapes(case: CaseBuilder<'_, Table>) -> CaseBuilder<'_, Table> {
    let case = by_rows(case, "before", |row, sink| sink.see(&before::twice(bytes(row, 0))));
    let case = by_rows(case, "fix", |row, sink| sink.see(&before::once(bytes(row, 0))));
    step_only(case)
}

/// The limit: every row is found, and none is looked at.
fn step_only(case: CaseBuilder<'_, Table>) -> CaseBuilder<'_, Table> {
    case.stateful(
        "sqlite3_step",
        |table| raw::Statement::prepare(&table.db, table.select),
        |statement, _, _| while statement.step() {},
    )
}

/// Both ways of rusqlite: an owned value, and a look at the bytes in place.
fn by_rusqlite(case: CaseBuilder<'_, Table>) -> CaseBuilder<'_, Table> {
    let case = by_rows(case, "rusqlite", |row, sink| sink.see(&peers::rusqlite_owned(row, 0)));
    by_rows(case, "rusqlite-get_ref", |row, sink| sink.see(peers::rusqlite_borrowed(row, 0)))
}

/// The same of five columns.
fn by_rusqlite_five(case: CaseBuilder<'_, Table>) -> CaseBuilder<'_, Table> {
    let case = by_rows(case, "rusqlite", |row, sink| {
        (0..5).for_each(|i| sink.see(&peers::rusqlite_owned(row, i)));
    });
    by_rows(case, "rusqlite-get_ref", |row, sink| {
        (0..5).for_each(|i| sink.see(peers::rusqlite_borrowed(row, i)));
    })
}

/// The same, the borrow copied into a `String` that is kept.
fn by_rusqlite_reused(case: CaseBuilder<'_, Table>) -> CaseBuilder<'_, Table> {
    let case = by_rows(case, "rusqlite", |row, sink| sink.see(&peers::rusqlite_owned(row, 0)));
    case.stateful(
        "rusqlite-get_ref",
        |table| (select(table), String::new()),
        |(statement, buffer), _, sink| {
            each(statement, |row| {
                buffer.clear();
                buffer.push_str(peers::rusqlite_borrowed(row, 0));
                sink.see(buffer.as_str());
            });
        },
    )
}

/// A variant that steps through rusqlite and does `read` for each row.
fn by_rows<'r>(
    case: CaseBuilder<'r, Table>,
    name: &'static str,
    read: impl Fn(&Row<'_>, &mut Sink) + Copy + 'static,
) -> CaseBuilder<'r, Table> {
    case.stateful(name, select, move |statement, _, sink| each(statement, |row| read(row, sink)))
}

/// The peer that steps by hand.
fn by_hand(
    case: CaseBuilder<'_, Table>,
    read: impl Fn(&raw::Statement, &mut Sink) + Copy + 'static,
) {
    case.stateful(
        "libsqlite3-sys",
        |table| raw::Statement::prepare(&table.db, table.select),
        move |statement, _, sink| {
            while statement.step() {
                read(statement, sink);
            }
        },
    );
}

#[inline(always)]
fn each(statement: &mut Statement<'_>, mut read: impl FnMut(&Row<'_>)) {
    let mut rows = statement.query([]).expect("no parameters");
    while let Some(row) = rows.next().expect("a row or the end") {
        read(row);
    }
}

#[inline]
fn bytes<'r>(row: &'r Row<'_>, column: usize) -> &'r [u8] {
    row.get_ref(column).and_then(|value| Ok(value.as_bytes()?)).expect("text")
}

/// A filled database and the query of the case.
struct Table {
    db: Connection,
    select: &'static str,
    /// The bytes of its longest text, as UTF-8.
    longest: usize,
}

fn select(table: &'static Table) -> Statement<'static> {
    table.db.prepare(table.select).expect("the query is sound")
}

fn table(encoding: &str, script: Script, bytes: usize) -> Table {
    let create = format!("PRAGMA encoding = '{encoding}'; {}", input::CREATE);
    let db = filled(&create, input::INSERT, input::texts(script, bytes).iter().map(|s| [s]));
    Table { db, select: input::SELECT, longest: bytes }
}

fn table_of_five() -> Table {
    let rows = input::rows_of_five();
    let db =
        filled(input::CREATE_FIVE, input::INSERT_FIVE, rows.iter().map(<[String; 5]>::each_ref));
    Table { db, select: input::SELECT_FIVE, longest: 20 }
}

fn filled<'t, const N: usize>(
    create: &str,
    insert: &str,
    rows: impl Iterator<Item = [&'t String; N]>,
) -> Connection {
    let db = Connection::open_in_memory().expect("memory");
    db.execute_batch(create).expect("the table is sound");
    let mut statement = db.prepare(insert).expect("the table is there");
    for row in rows {
        statement.execute(rusqlite::params_from_iter(row)).expect("the row fits");
    }
    drop(statement);
    db
}
