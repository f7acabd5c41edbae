//! Cases of `TextStatement`, which steps by itself. The peer `rusqlite` is `get::<_, String>`, and
//! `rusqlite-get_ref` its borrow, `get_ref` and `as_str`.

use super::input::Script::{Ascii, Cjk, Latin, Mixed};
use super::{
    Table, by_hand, by_rows, by_rusqlite, by_rusqlite_five, by_rusqlite_reused, each, peers,
    seed_shapes, select, step_only, table, table_of_five,
};
use crate::registry::{CaseBuilder, Registry};
use crate::subject::Sink;
use sqlite_text::{TextRow, TextStatement};

pub(super) fn register(registry: &mut Registry) {
    for (name, script, bytes) in [
        ("sqlite-text/statement/ascii-16", Ascii, 16),
        ("sqlite-text/statement/ascii-256", Ascii, 256),
        ("sqlite-text/statement/ascii-4096", Ascii, 4096),
        ("sqlite-text/statement/latin-16", Latin, 16),
        ("sqlite-text/statement/latin-256", Latin, 256),
        ("sqlite-text/statement/latin-4096", Latin, 4096),
        ("sqlite-text/statement/cjk-256", Cjk, 256),
        ("sqlite-text/statement/cjk-4096", Cjk, 4096),
    ] {
        borrow(registry.case(name, move || table("UTF-8", script, bytes)));
    }
    for (name, encoding, script, bytes) in [
        ("sqlite-text/statement/utf16-ascii-16", "UTF-16le", Ascii, 16),
        ("sqlite-text/statement/utf16-ascii-256", "UTF-16le", Ascii, 256),
        ("sqlite-text/statement/utf16-ascii-4096", "UTF-16le", Ascii, 4096),
        ("sqlite-text/statement/utf16-latin-256", "UTF-16le", Latin, 256),
        ("sqlite-text/statement/utf16-mixed-256", "UTF-16le", Mixed, 256),
        ("sqlite-text/statement/utf16be-ascii-256", "UTF-16be", Ascii, 256),
    ] {
        borrow(registry.case(name, move || table(encoding, script, bytes)));
    }
    let ascii = |bytes| move || table("UTF-8", Ascii, bytes);
    text_buf(registry.case("sqlite-text/statement/text-buf-16", ascii(16)));
    reused(registry.case("sqlite-text/statement/reused-16", ascii(16)));
    reused(registry.case("sqlite-text/statement/reused-256", ascii(256)));
    reused(registry.case("sqlite-text/statement/reused-4096", ascii(4096)));
    by_index(registry.case("sqlite-text/five-columns/statement-by-index", table_of_five));
    by_name(registry.case("sqlite-text/five-columns/statement-by-name", table_of_five));
}

fn borrow(case: CaseBuilder<'_, Table>) {
    let case = by_rusqlite(seed_shapes(case));
    let case = by_text_rows(case, |row, sink| sink.see(row.text(0).expect("text")));
    by_hand(case, |statement, sink| sink.see(peers::by_hand(statement, 0)));
}

fn text_buf(case: CaseBuilder<'_, Table>) {
    let case = by_rows(seed_shapes(case), "rusqlite", |row, sink| {
        sink.see(&peers::rusqlite_owned(row, 0));
    });
    by_text_rows(case, |row, sink| sink.see(row.text_buf(0).expect("text").as_str()));
}

fn reused(case: CaseBuilder<'_, Table>) {
    let case = by_rusqlite_reused(seed_shapes(case));
    case.stateful(
        "after",
        |table| (prepare(table), String::new()),
        |(statement, buffer), _, sink| {
            each_text(statement, |row| {
                row.read_text_into(0, buffer).expect("text");
                sink.see(buffer.as_str());
            });
        },
    );
}

fn by_index(case: CaseBuilder<'_, Table>) {
    let case = by_text_rows(step_only(case), |row, sink| {
        (0..5).for_each(|i| sink.see(row.text(i).expect("text")));
    });
    let case = by_rusqlite_five(case);
    by_hand(case, |statement, sink| (0..5).for_each(|i| sink.see(peers::by_hand(statement, i))));
}

/// Ours asks for the numbers of the names once a run, which is how it is meant to be used.
fn by_name(case: CaseBuilder<'_, Table>) {
    const NAMES: [&str; 5] = ["given", "family", "city", "street", "remark"];
    let case = step_only(case).stateful("after", prepare, |statement, _, sink| {
        let mut rows = statement.query(&[]).expect("no parameters");
        let at = NAMES.map(|name| rows.column_index(name).expect("the column is there"));
        while let Some(row) = rows.next().expect("a row or the end") {
            at.iter().for_each(|i| sink.see(row.text(*i).expect("text")));
        }
    });
    case.stateful("rusqlite", select, |statement, _, sink| {
        each(statement, |row| {
            NAMES.iter().for_each(|name| sink.see(&row.get::<_, String>(*name).expect("text")));
        });
    });
}

/// `after`, reading each row of a `TextStatement`.
fn by_text_rows(
    case: CaseBuilder<'_, Table>,
    read: impl Fn(&TextRow<'_>, &mut Sink) + Copy + 'static,
) -> CaseBuilder<'_, Table> {
    case.stateful("after", prepare, move |statement, _, sink| {
        each_text(statement, |row| read(row, sink));
    })
}

#[inline(always)]
fn each_text(statement: &mut TextStatement<'_>, mut read: impl FnMut(&TextRow<'_>)) {
    let mut rows = statement.query(&[]).expect("no parameters");
    while let Some(row) = rows.next().expect("a row or the end") {
        read(&row);
    }
}

pub(super) fn prepare(table: &'static Table) -> TextStatement<'static> {
    TextStatement::prepare(&table.db, table.select).expect("the query is sound")
}
