//! Any values, in any encoding, through any reader in any order: as the oracle of the standard
//! library and SQLite's own casts have it.
#![cfg(feature = "rusqlite")]

use crate::common::batches::Plan;
use crate::common::cells::{At, Cell, ENCODINGS, Held, POLICIES, Text, ask};
use crate::common::pieces;
use crate::common::{database, serialised};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use sqlite_text::{TextStatement, TypePolicy};

/// Whole sequences, cut ones, overlong ones, surrogates, too high ones; what matters in UTF-16, too.
const PARTS: [&[u8]; 24] = [
    b"a",
    b"ab",
    b"abcdefghijklmnopqrstuvwxyz",
    b"\0",
    b"\xC3\xA9",
    b"\xE2\x82\xAC",
    b"\xF0\x9F\x98\x80",
    b"\xE2\x82",
    b"\xAC",
    b"\xF0\x9F\x98",
    b"\x80",
    b"\xC0\x80",
    b"\xED\xA0\x80",
    b"\xED\xB0\x80",
    b"\xF4\x90\x80\x80",
    b"\xFF",
    b"\xEF\xBB\xBF",
    b"\x00\xD8",
    b"\x00\xDC",
    b"\xD8\x00",
    b"\xDC\x00",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\x3D\xD8\x00\xDE",
];

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let parts = vec(select(&PARTS[..]), 0..12).prop_map(|parts| parts.concat());
    let padded = (parts.clone(), 0..80_usize).prop_map(|(mut bytes, pad)| {
        bytes.splice(0..0, std::iter::repeat_n(b'x', pad));
        bytes
    });
    prop_oneof![3 => parts, 2 => padded, 1 => vec(any::<u8>(), 0..40)]
}

/// A value, and whether it is put in as TEXT by a cast of its bytes.
fn value() -> impl Strategy<Value = (Value, bool)> {
    let other = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Real),
        any::<String>().prop_map(Value::Text),
        bytes().prop_map(Value::Blob),
    ];
    prop_oneof![
        4 => bytes().prop_map(|bytes| (Value::Blob(bytes), true)),
        3 => other.prop_map(|value| (value, false)),
    ]
}

const COLUMNS: usize = 4;
const SQL: &str = "SELECT a, b, c, d FROM t ORDER BY rowid";

/// A table of these values, and what it holds in SQLite's own words.
fn table(encoding: &str, mutex: bool, rows: &[Vec<(Value, bool)>]) -> (Connection, Vec<Vec<Cell>>) {
    let db = if mutex { serialised(encoding) } else { database(encoding) };
    db.execute_batch("CREATE TABLE t (a, b, c, d)").unwrap();
    for row in rows {
        let values = rusqlite::params_from_iter(row.iter().map(|(value, _)| value));
        db.execute("INSERT INTO t VALUES (?1, ?2, ?3, ?4)", values).unwrap();
        for (column, (_, cast)) in ["a", "b", "c", "d"].iter().zip(row) {
            if *cast {
                to_text(&db, column);
            }
        }
    }
    let truth = ask(&db, SQL, &[]);
    for (cells, values) in truth.iter().zip(rows) {
        for (cell, (value, cast)) in cells.iter().zip(values) {
            // What went in as bytes is what is stored.
            if let (Value::Blob(bytes), true) = (value, cast) {
                assert_eq!(*cell, Cell::Text(Text::stored(encoding, bytes)));
            }
        }
    }
    (db, truth)
}

/// Casts a column of the last row. A BLOB that is bound is cast in the encoding of the database by
/// newer versions of SQLite only, one that is stored by all.
fn to_text(db: &Connection, column: &str) {
    let sql = format!("UPDATE t SET {column} = cast({column} AS TEXT) WHERE rowid = ?1");
    db.execute(&sql, [db.last_insert_rowid()]).unwrap();
}

fn rows(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<(Value, bool)>>> {
    vec(vec(value(), COLUMNS), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_getter_on_any_value(
        values in rows(1..4),
        encoding in select(&ENCODINGS[..]),
        mutex: bool,
    ) {
        let (db, truth) = table(encoding, mutex, &values);
        for policy in POLICIES {
            let mut statement = TextStatement::prepare(&db, SQL).unwrap().policy(policy);
            let mut rows = statement.query(&[]).unwrap();
            for (row, cells) in truth.iter().enumerate() {
                let read = rows.next().unwrap().unwrap();
                for (column, cell) in cells.iter().enumerate() {
                    cell.check(&read, policy, At { row, column }, encoding);
                }
            }
        }
        let mut statement = db.prepare(SQL).unwrap();
        let mut rows = statement.query([]).unwrap();
        for (row, cells) in truth.iter().enumerate() {
            let read = rows.next().unwrap().unwrap();
            for (column, cell) in cells.iter().enumerate() {
                cell.check_rusqlite(read, At { row, column }, encoding);
            }
        }
    }

    /// Calls in any order, again and again, on cells that SQLite must convert among them: all that
    /// they gave is held until the row ends and then compared.
    #[test]
    fn getters_in_any_order_and_all_held(
        values in rows(1..4),
        calls in vec((0..6_usize, 0..COLUMNS), 1..40),
        encoding in select(&ENCODINGS[..]),
        policy in select(&POLICIES[..]),
        mutex: bool,
    ) {
        let (db, truth) = table(encoding, mutex, &values);
        let mut statement = TextStatement::prepare(&db, SQL).unwrap().policy(policy);
        for _ in 0..2 {
            let mut rows = statement.query(&[]).unwrap();
            for (row, cells) in truth.iter().enumerate() {
                let read = rows.next().unwrap().unwrap();
                let held: Vec<_> =
                    calls.iter().map(|(getter, i)| Held::read(&read, *getter, *i)).collect();
                for (held, (_, column)) in held.into_iter().zip(&calls) {
                    held.check(&cells[*column], policy, At { row, column: *column });
                }
            }
        }
    }

    #[test]
    fn batches_of_any_size(
        values in rows(0..12),
        columns in 0..=COLUMNS,
        max_rows in prop_oneof![0..6_usize, Just(usize::MAX)],
        max_bytes in prop_oneof![0..90_usize, Just(usize::MAX)],
        policy in select(&POLICIES[..]),
        (lossy, wide, fresh, mutex) in any::<(bool, bool, bool, bool)>(),
        encoding in select(&ENCODINGS[..]),
    ) {
        let (db, truth) = table(encoding, mutex, &values);
        let plan = Plan { columns, max_rows, max_bytes, policy, lossy, wide, fresh };
        let mut statement = TextStatement::prepare(&db, SQL).unwrap();
        plan.check(&mut statement, &[], &truth, encoding);
        plan.check(&mut statement, &[], &truth, encoding);
    }

    /// What is read before the batches is not read again, and errors count it.
    #[test]
    fn rows_and_then_batches(
        values in rows(1..8),
        before in 0..8_usize,
        encoding in select(&ENCODINGS[..]),
        mutex: bool,
    ) {
        let (db, truth) = table(encoding, mutex, &values);
        let mut statement = TextStatement::prepare(&db, SQL).unwrap().policy(TypePolicy::Coerce);
        let mut rows = statement.query(&[]).unwrap();
        let before = before.min(truth.len());
        for (row, cells) in truth.iter().take(before).enumerate() {
            let read = rows.next().unwrap().unwrap();
            cells[0].check(&read, TypePolicy::Coerce, At { row, column: 0 }, encoding);
        }
        let mut reader = rows.batches();
        let mut columns = [sqlite_text::TextBatch::new()];
        let rest = truth.iter().enumerate().skip(before);
        let right: Result<Vec<_>, _> = rest
            .map(|(row, cells)| cells[0].text_opt(TypePolicy::Coerce, At { row, column: 0 }))
            .collect();
        match reader.next_batch(&mut columns) {
            Ok(n) => {
                let right = right.unwrap();
                prop_assert_eq!(n, right.len());
                prop_assert!(columns[0].iter().eq(right.iter().map(Option::as_deref)));
            }
            Err(error) => prop_assert_eq!(Err(error), right),
        }
    }

    /// One cell in pieces, strict and lossy.
    #[test]
    fn a_text_in_pieces(
        (value, cast) in value(),
        pad in prop_oneof![Just(0_usize), 65_500..65_560_usize],
        cuts in vec(0..9_u8, 0..30),
        encoding in select(&ENCODINGS[..]),
        mutex: bool,
    ) {
        let (db, _) = table(encoding, mutex, &[]);
        if let (Value::Blob(bytes), true) = (&value, cast) {
            pieces::check(&db, &padded(&db, encoding, bytes, pad), &cuts);
        } else {
            db.execute("INSERT INTO t (a) VALUES (?1)", params![value]).unwrap();
            pieces::check(&db, &ask(&db, "SELECT a FROM t", &[])[0][0], &cuts);
        }
    }
}

/// Stores the bytes as TEXT in column `a` of row 1, so many letters, and the bytes again.
fn padded(db: &Connection, encoding: &str, bytes: &[u8], pad: usize) -> Cell {
    let x: &[u8] = match encoding {
        "UTF-8" => b"x",
        "UTF-16le" => b"x\0",
        _ => b"\0x",
    };
    let all = [bytes, &x.repeat(pad), bytes].concat();
    db.execute("INSERT OR REPLACE INTO t (rowid, a) VALUES (1, ?1)", [&all]).unwrap();
    to_text(db, "a");
    // Not asked of SQLite, which takes what looks like a byte order mark off a long text of UTF-16.
    Cell::Text(Text::stored(encoding, &all))
}

/// What is cut by the edge of the reader's buffer of 64 KiB.
#[test]
fn sequences_on_the_edge_of_a_buffer() {
    for encoding in ENCODINGS {
        let width = if encoding == "UTF-8" { 1 } else { 2 };
        for before in 0..4 {
            let db = database(encoding);
            db.execute_batch("CREATE TABLE t (a, b)").unwrap();
            for part in &PARTS[4..16] {
                let cell = padded(&db, encoding, part, 65_536 / width - before);
                pieces::check(&db, &cell, &[]);
            }
        }
    }
}

/// What looks like a byte order mark is text to the reader, and to a statement where the text is not
/// long.
#[test]
fn a_byte_order_mark_in_front() {
    for encoding in ENCODINGS {
        let (db, _) = table(encoding, false, &[]);
        for part in [b"\xFE\xFF", b"\xFF\xFE"] {
            for pad in [0, 3, 5000, 70_000] {
                let cell = padded(&db, encoding, part, pad);
                pieces::check(&db, &cell, &[2, 0, 1]);
                let asked = ask(&db, "SELECT a FROM t", &[]).remove(0).remove(0);
                assert!(pad > 3 || asked == cell, "{encoding} {pad}");
                let mut statement = TextStatement::prepare(&db, "SELECT a FROM t").unwrap();
                let mut rows = statement.query(&[]).unwrap();
                let row = rows.next().unwrap().unwrap();
                asked.check(&row, TypePolicy::TextOnly, At { row: 0, column: 0 }, encoding);
            }
        }
    }
}

/// Batches check some 32 KiB at a time: what is cut there, or by the end of a row, stays what it is.
#[test]
fn sequences_on_the_edge_of_a_chunk_and_of_a_row() {
    let halves: [(&[u8], &[u8]); 5] = [
        (b"\xE2\x82", b"\xAC"),
        (b"\xF0\x9F", b"\x98\x80"),
        (b"\xC3", b"\xA9"),
        (b"\xE2\x82\xAC", b"\xE2\x82\xAC"),
        (b"", b"\x80"),
    ];
    for encoding in ENCODINGS {
        let db = database(encoding);
        for (left, right) in halves {
            for pad in [32_766, 32_767, 32_768, 65_535, 3] {
                db.execute_batch("DROP TABLE IF EXISTS t; CREATE TABLE t (a, b)").unwrap();
                let sql = "INSERT INTO t VALUES (printf('%.*c', ?1, 'x') || cast(?2 AS TEXT), 'b'),
                           (cast(?3 AS TEXT), 'é'), (cast(?3 AS TEXT) || 'z', cast(?2 AS TEXT))";
                db.execute(sql, params![pad, left, right]).unwrap();
                let sql = "SELECT a, b FROM t ORDER BY rowid";
                let truth = ask(&db, sql, &[]);
                let mut statement = TextStatement::prepare(&db, sql).unwrap();
                for (columns, lossy) in [(1, false), (1, true), (2, false), (2, true)] {
                    let plan = Plan {
                        columns,
                        max_rows: usize::MAX,
                        max_bytes: usize::MAX,
                        policy: TypePolicy::TextOnly,
                        lossy,
                        wide: lossy,
                        fresh: true,
                    };
                    plan.check(&mut statement, &[], &truth, encoding);
                }
            }
        }
    }
}
