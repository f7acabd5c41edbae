//! The getters of a row.

use super::common::cells::{At, ENCODINGS, Held};
use super::{COLUMNS, DATABASES, Input, text};
use rusqlite::Connection;
use sqlite_text::{TextStatement, TypePolicy};

/// The input cast to TEXT through every getter; and rows of values, their getters called in any
/// order with all results held until the row ends.
pub fn row(data: &[u8]) {
    DATABASES.with(|databases| {
        let mut input = Input(data);
        let database = input.number() % databases.len();
        let (db, encoding) = (&databases[database], ENCODINGS[database % 3]);
        let policy = input.policy();
        for i in [database % 3, database % 3 + 3] {
            one(&databases[i], encoding, data, policy);
        }
        let count = input.number() % 40;
        let calls: Vec<_> = input.take(count).iter().map(|call| usize::from(*call)).collect();
        let truth = input.fill(db, encoding, 4, 140);
        let sql = "SELECT a, b, c FROM t ORDER BY rowid";
        let mut statement = TextStatement::prepare(db, sql).expect("valid SQL").policy(policy);
        let mut rows = statement.query(&[]).expect("no parameter");
        for (row, cells) in truth.iter().enumerate() {
            let read = rows.next().expect("no error").expect("a row");
            let held = calls.iter().map(|call| Held::read(&read, call / 8 % 6, call % COLUMNS));
            let held: Vec<_> = held.collect();
            for (held, call) in held.into_iter().zip(&calls) {
                let column = call % COLUMNS;
                held.check(&cells[column], policy, At { row, column });
            }
            for (column, cell) in cells.iter().enumerate() {
                cell.check(&read, policy, At { row, column }, "");
            }
        }
        assert!(rows.next().expect("the end").is_none());
    });
}

fn one(db: &Connection, encoding: &str, data: &[u8], policy: TypePolicy) {
    let (cell, at) = (text(encoding, data), At { row: 0, column: 0 });
    let sql = "SELECT cast(?1 AS TEXT)";
    let mut statement = TextStatement::prepare(db, sql).expect("valid SQL").policy(policy);
    let mut rows = statement.query(&[&data]).expect("one parameter");
    cell.check(&rows.next().expect("no error").expect("a row"), policy, at, encoding);
    let mut statement = db.prepare_cached(sql).expect("valid SQL");
    let mut rows = statement.query([data]).expect("one parameter");
    cell.check_rusqlite(rows.next().expect("no error").expect("a row"), at, encoding);
}
