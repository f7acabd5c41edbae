//! Cases of `BatchReader`: a whole column, or five, at a time.
//!
//! Every variant ends with all values of the run in memory and shows them together: what it costs to
//! look at each of them afterwards is none of the loading.

use super::input::ROWS;
use super::input::Script::{Ascii, Latin};
use super::statement::prepare;
use super::{Table, before, bytes, each, peers, select, step_only, table, table_of_five};
use crate::digest::{Digest, DigestWith, Digester};
use crate::registry::{CaseBuilder, Registry};
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, StringArray};
use rusqlite::Row;
use sqlite_text::{TextBatch, TextStatement};
use std::{array, slice};

pub(super) fn register(registry: &mut Registry) {
    for (name, encoding, script, bytes) in [
        ("sqlite-text/batch/reused-ascii-16", "UTF-8", Ascii, 16),
        ("sqlite-text/batch/reused-ascii-256", "UTF-8", Ascii, 256),
        ("sqlite-text/batch/reused-ascii-4096", "UTF-8", Ascii, 4096),
        ("sqlite-text/batch/reused-latin-256", "UTF-8", Latin, 256),
        ("sqlite-text/batch/reused-utf16-latin-256", "UTF-16le", Latin, 256),
    ] {
        reused::<1>(registry.case(name, move || table(encoding, script, bytes)));
    }
    reused::<5>(registry.case("sqlite-text/batch/reused-five-columns", table_of_five));
    fresh(registry.case("sqlite-text/batch/fresh-ascii-16", || table("UTF-8", Ascii, 16)));
    into_arrow::<1>(
        registry.case("sqlite-text/batch/arrow-ascii-16", || table("UTF-8", Ascii, 16)),
    );
    into_arrow::<1>(
        registry.case("sqlite-text/batch/arrow-latin-256", || table("UTF-8", Latin, 256)),
    );
    into_arrow::<5>(registry.case("sqlite-text/batch/arrow-five-columns", table_of_five));
}

/// Columns that are filled again and again; those of the others are vectors of strings.
fn reused<const N: usize>(case: CaseBuilder<'_, Table>) {
    let case = refilled(step_only(case), "before", |row, i, into: &mut [Vec<String>; N]| {
        into[i].push(before::twice(bytes(row, i)));
    });
    let case = refilled(case, "fix", |row, i, into: &mut [Vec<String>; N]| {
        into[i].push(before::once(bytes(row, i)));
    });
    let case = refilled(case, "rusqlite", |row, i, into: &mut [Vec<String>; N]| {
        into[i].push(peers::rusqlite_owned(row, i));
    });
    let case = refilled(case, "rusqlite-get_ref", |row, i, into: &mut [ByHand; N]| {
        into[i].push(peers::rusqlite_borrowed(row, i));
    });
    case.stateful(
        "after",
        |table| (prepare(table), many::<TextBatch, N>()),
        |(statement, columns), _, sink| {
            read(statement, columns);
            sink.see(&DigestWith(|into| in_rows(columns, into)));
        },
    );
}

/// The peers' columns, cleared before every run.
fn refilled<'r, C: Column + Default + 'static, const N: usize>(
    case: CaseBuilder<'r, Table>,
    name: &'static str,
    push: impl Fn(&Row<'_>, usize, &mut [C; N]) + Copy + 'static,
) -> CaseBuilder<'r, Table> {
    case.stateful(
        name,
        |table| (select(table), many::<C, N>()),
        move |(statement, columns), _, sink| {
            columns.iter_mut().for_each(C::clear);
            each(statement, |row| (0..N).for_each(|i| push(row, i, columns)));
            sink.see(&DigestWith(|into| in_rows(columns, into)));
        },
    )
}

/// A column of its own for every run; rusqlite's is collected into a vector.
fn fresh(case: CaseBuilder<'_, Table>) {
    let case = collected(step_only(case), "before", |row| before::twice(bytes(row, 0)));
    let case = collected(case, "fix", |row| before::once(bytes(row, 0)));
    let case = collected(case, "rusqlite", |row| peers::rusqlite_owned(row, 0));
    case.stateful("after", prepare, |statement, _, sink| {
        let mut columns = many::<TextBatch, 1>();
        read(statement, &mut columns);
        sink.see(&DigestWith(|into| in_rows(&columns, into)));
    });
}

fn collected<'r>(
    case: CaseBuilder<'r, Table>,
    name: &'static str,
    get: impl Fn(&Row<'_>) -> String + Copy + 'static,
) -> CaseBuilder<'r, Table> {
    case.stateful(name, select, move |statement, _, sink| {
        let rows = statement.query_map([], |row| Ok(get(row))).expect("no parameters");
        let column: Vec<String> = rows.collect::<Result<_, _>>().expect("a row or the end");
        sink.see(&DigestWith(|into| in_rows(slice::from_ref(&column), into)));
    })
}

/// Columns that become arrays of Arrow; the peer's own builder knows beforehand how much will come.
fn into_arrow<const N: usize>(case: CaseBuilder<'_, Table>) {
    let case = built::<N>(step_only(case), "before", |row, i, into| {
        into.append_value(before::twice(bytes(row, i)));
    });
    let case = built::<N>(case, "fix", |row, i, into| {
        into.append_value(before::once(bytes(row, i)));
    });
    let case = built::<N>(case, "arrow-array", |row, i, into| {
        into.append_value(peers::rusqlite_borrowed(row, i));
    });
    case.stateful("after", prepare, |statement, _, sink| {
        let mut columns = many::<TextBatch, N>();
        read(statement, &mut columns);
        let arrays = columns.map(TextBatch::into_array);
        sink.see(&DigestWith(|into| in_rows(&arrays, into)));
    });
}

fn built<'r, const N: usize>(
    case: CaseBuilder<'r, Table>,
    name: &'static str,
    append: impl Fn(&Row<'_>, usize, &mut StringBuilder) + Copy + 'static,
) -> CaseBuilder<'r, Table> {
    case.stateful(name, select, move |statement, table, sink| {
        let mut builders: [_; N] =
            array::from_fn(|_| StringBuilder::with_capacity(ROWS, ROWS * table.longest));
        each(statement, |row| {
            builders.iter_mut().enumerate().for_each(|(i, builder)| append(row, i, builder));
        });
        let arrays = builders.each_mut().map(StringBuilder::finish);
        sink.see(&DigestWith(|into| in_rows(&arrays, into)));
    })
}

/// The rows of one run, all in one batch.
#[inline(always)]
fn read(statement: &mut TextStatement<'_>, columns: &mut [TextBatch]) {
    let mut reader = statement.read_batch(&[]).expect("no parameters").max_rows(ROWS);
    assert_eq!(reader.next_batch(columns).expect("text"), ROWS);
}

/// What `rusqlite-get_ref` copies its borrow into: the layout of ours, by hand.
#[derive(Default)]
struct ByHand {
    values: String,
    ends: Vec<i32>,
}

impl ByHand {
    #[inline]
    fn push(&mut self, text: &str) {
        self.values.push_str(text);
        self.ends.push(i32::try_from(self.values.len()).expect("below 2 GiB"));
    }
}

/// Values that were loaded.
trait Column {
    fn clear(&mut self) {}
    fn get(&self, row: usize) -> Option<&str>;
}

impl Column for Vec<String> {
    fn clear(&mut self) {
        self.clear();
    }

    fn get(&self, row: usize) -> Option<&str> {
        self.as_slice().get(row).map(String::as_str)
    }
}

impl Column for ByHand {
    fn clear(&mut self) {
        self.values.clear();
        self.ends.clear();
    }

    fn get(&self, row: usize) -> Option<&str> {
        let end = |row: usize| usize::try_from(*self.ends.get(row)?).ok();
        let start = if row == 0 { 0 } else { end(row - 1)? };
        self.values.get(start..end(row)?)
    }
}

impl Column for TextBatch {
    fn get(&self, row: usize) -> Option<&str> {
        self.get(row)
    }
}

impl Column for StringArray {
    fn get(&self, row: usize) -> Option<&str> {
        (row < self.len()).then(|| self.value(row))
    }
}

/// Row by row, as the cases that read one row at a time digest them.
fn in_rows(columns: &[impl Column], into: &mut Digester) {
    for row in 0..ROWS {
        columns.iter().for_each(|column| column.get(row).digest(into));
    }
}

fn many<T: Default, const N: usize>() -> [T; N] {
    array::from_fn(|_| T::default())
}
