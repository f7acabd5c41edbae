//! Cases of what is bound: long texts without a copy, and a row found by its number.

use super::input::{self, Script};
use super::{Table, filled, peers, table};
use crate::digest::{Digest, DigestWith};
use crate::registry::{CaseBuilder, Registry};
use rusqlite::{Connection, Statement};
use sqlite_text::{BoundStatement, TextStatement};

pub(super) fn register(registry: &mut Registry) {
    insert(registry.case("sqlite-text/bind/insert-4096", || Texts::new(100, 4096)));
    compare(registry.case("sqlite-text/bind/compare-64-kib", || Texts::new(16, 64 << 10)));
    lookup(registry.case("sqlite-text/lookup/rowid-256", || table("UTF-8", Script::Ascii, 256)));
}

/// Texts to bind, and a database with the empty table.
struct Texts {
    db: Connection,
    texts: Vec<String>,
}

impl Texts {
    fn new(rows: usize, bytes: usize) -> Self {
        let texts = input::some_texts(rows, Script::Ascii, bytes);
        Self { db: filled::<1>(input::CREATE, input::INSERT, std::iter::empty()), texts }
    }

    fn prepare(&'static self, sql: &str) -> Statement<'static> {
        self.db.prepare(sql).expect("the query is sound")
    }

    /// Texts are bound to the first parameter; there is none yet.
    fn prepare_ours(&'static self, sql: &str) -> Option<BoundStatement<'static, 'static>> {
        let statement = TextStatement::prepare(&self.db, sql).expect("the query is sound");
        Some(statement.bind_static(1, "").expect("it has a parameter"))
    }

    /// What the table holds; it is read only when the digest is taken.
    fn content(&self) -> impl Digest {
        DigestWith(|into| {
            let mut select = self.db.prepare(input::SELECT).expect("the query is sound");
            let mut rows = select.query([]).expect("no parameters");
            while let Some(row) = rows.next().expect("a row or the end") {
                peers::rusqlite_borrowed(row, 0).digest(into);
            }
        })
    }
}

/// A transaction that is undone, so that every call finds the same table.
struct Undone {
    begin: Statement<'static>,
    rollback: Statement<'static>,
}

impl Undone {
    fn new(texts: &'static Texts) -> Self {
        Self { begin: texts.prepare("BEGIN"), rollback: texts.prepare("ROLLBACK") }
    }

    #[inline(always)]
    fn run(&mut self, work: impl FnOnce()) {
        self.begin.execute([]).expect("no transaction is open");
        work();
        self.rollback.execute([]).expect("a transaction is open");
    }
}

fn insert(case: CaseBuilder<'_, Texts>) {
    let case = case.stateful(
        "rusqlite",
        |texts| (Undone::new(texts), texts.prepare(input::INSERT)),
        |(undone, insert), texts, sink| {
            undone.run(|| {
                for text in &texts.texts {
                    sink.see(&insert.execute([text]).expect("the row fits"));
                }
                sink.see(&texts.content());
            });
        },
    );
    case.stateful(
        "after",
        |texts| (Undone::new(texts), texts.prepare_ours(input::INSERT)),
        |(undone, bound), texts, sink| {
            undone.run(|| {
                let mut insert = bound.take().expect("it was put back");
                for text in &texts.texts {
                    insert = insert.bind_static(1, text).expect("it has a parameter");
                    sink.see(&insert.execute().expect("the row fits"));
                }
                *bound = Some(insert);
                sink.see(&texts.content());
            });
        },
    );
}

/// The comparison looks at the first byte, as it does where a text is looked up and not found.
fn compare(case: CaseBuilder<'_, Texts>) {
    const SQL: &str = "SELECT CASE WHEN ?1 < 'n' THEN 'in the first half' ELSE 'in the second' END";
    let case = case.stateful(
        "rusqlite",
        |texts| texts.prepare(SQL),
        |compare, texts, sink| {
            for text in &texts.texts {
                let mut rows = compare.query([text]).expect("one parameter");
                let row = rows.next().expect("a row").expect("it always gives one");
                sink.see(peers::rusqlite_borrowed(row, 0));
            }
        },
    );
    case.stateful(
        "after",
        |texts| texts.prepare_ours(SQL),
        |bound, texts, sink| {
            let mut compare = bound.take().expect("it was put back");
            for text in &texts.texts {
                compare = compare.bind_static(1, text).expect("it has a parameter");
                let mut rows = compare.query().expect("it runs");
                let row = rows.next().expect("a row").expect("it always gives one");
                sink.see(row.text(0).expect("text"));
            }
            *bound = Some(compare);
        },
    );
}

/// A hundred rows, each by its number, in no order. `rusqlite` asks the connection's cache for the
/// statement every time, as a program without a place to keep it does.
fn lookup(case: CaseBuilder<'_, Table>) {
    const SQL: &str = "SELECT s FROM t WHERE rowid = ?1";
    let numbers = || (0..100_i64).map(|i| i * 397 % 1000 + 1);
    let case = case.stateful(
        "rusqlite",
        |_| (),
        move |(), table, sink| {
            for number in numbers() {
                let mut select = table.db.prepare_cached(SQL).expect("the query is sound");
                let text = select.query_row([number], |row| row.get::<_, String>(0));
                sink.see(&text.expect("text"));
            }
        },
    );
    let case = case.stateful(
        "rusqlite-get_ref",
        |table| table.db.prepare(SQL).expect("the query is sound"),
        move |select, _, sink| {
            for number in numbers() {
                let mut rows = select.query([number]).expect("one parameter");
                let row = rows.next().expect("a row").expect("the row is there");
                sink.see(peers::rusqlite_borrowed(row, 0));
            }
        },
    );
    case.stateful(
        "after",
        |table| TextStatement::prepare(&table.db, SQL).expect("the query is sound"),
        move |select, _, sink| {
            for number in numbers() {
                let mut rows = select.query(&[&number]).expect("one parameter");
                let row = rows.next().expect("a row").expect("the row is there");
                sink.see(row.text(0).expect("text"));
            }
        },
    );
}
