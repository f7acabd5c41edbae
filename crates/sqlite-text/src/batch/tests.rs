//! Batches against a model that reads value by value; also with offsets of 8 bits, whose columns
//! are full after 127 bytes.

use super::{Offset, TextBatch};
use crate::{Error, TextRow, TextStatement, TypePolicy};
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::fmt::Debug;

const COLUMNS: usize = 3;

type Texts = Vec<Vec<Option<String>>>;

#[derive(Debug, Clone, Copy)]
struct Settings {
    policy: TypePolicy,
    lossy: bool,
    max_rows: usize,
    max_bytes: usize,
    columns: usize,
}

/// When a fault shows: as soon as the value is looked at, once there is room for it, or when the
/// batch is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shows {
    AtOnce,
    WithRoom,
    AtCheck,
}

#[derive(Debug)]
struct Cell {
    text: Option<String>,
    /// How many bytes it takes in the batch.
    size: usize,
    fault: Option<(Shows, Error)>,
}

fn cell(row: &TextRow<'_>, i: usize, settings: &Settings) -> Cell {
    let at = |shows, size, error| Cell { text: None, size, fault: Some((shows, error)) };
    match row.text_opt(i) {
        Ok(text) => {
            let size = text.map_or(0, str::len);
            Cell { text: text.map(str::to_owned), size, fault: None }
        }
        Err(error @ Error::InvalidType { .. }) => at(Shows::AtOnce, 0, error),
        Err(error) => {
            let lossy = row.text_lossy(i).unwrap().into_owned();
            match row.text_bytes(i) {
                _ if settings.lossy => Cell { size: lossy.len(), text: Some(lossy), fault: None },
                Ok(bytes) => at(Shows::AtCheck, bytes.len(), error),
                Err(_) => at(Shows::WithRoom, lossy.len(), error),
            }
        }
    }
}

/// What `next_batch` shall give, call by call.
fn model(rows: &[Vec<Cell>], limit: usize, settings: &Settings) -> Vec<Result<Texts, Error>> {
    let mut batches = Vec::new();
    let mut rest = rows.iter().peekable();
    while rest.peek().is_some() {
        let mut texts = Texts::new();
        let mut sizes = vec![0; settings.columns];
        let mut bad: Option<Error> = None;
        let full = |texts: &Texts, sizes: &[usize]| {
            let most = sizes.iter().sum::<usize>() >= settings.max_bytes;
            !texts.is_empty() && (texts.len() >= settings.max_rows || most)
        };
        'batch: while !full(&texts, &sizes)
            && let Some(row) = rest.peek()
        {
            let (mut grown, mut worse) = (sizes.clone(), bad.clone());
            for (cell, size) in row.iter().zip(&mut grown) {
                if let Some((Shows::AtOnce, error)) = &cell.fault {
                    batches.push(Err(worse.unwrap_or(error.clone())));
                    return batches;
                }
                *size += cell.size;
                if *size > limit {
                    if texts.is_empty() {
                        batches.push(Err(worse.unwrap_or(Error::TooBig)));
                        return batches;
                    }
                    break 'batch;
                }
                match &cell.fault {
                    Some((Shows::WithRoom, error)) => {
                        batches.push(Err(worse.unwrap_or(error.clone())));
                        return batches;
                    }
                    Some((_, error)) => worse = worse.or(Some(error.clone())),
                    None => {}
                }
            }
            if !texts.is_empty() && grown.iter().sum::<usize>() > settings.max_bytes {
                break;
            }
            (sizes, bad) = (grown, worse);
            texts.push(row.iter().map(|cell| cell.text.clone()).collect());
            rest.next();
        }
        if let Some(error) = bad {
            batches.push(Err(error));
            return batches;
        }
        batches.push(Ok(texts));
    }
    batches
}

/// Reads all by batches into columns that are reused or fresh each time, and compares.
fn compare<O: Offset + Debug>(
    db: &Connection,
    limit: usize,
    settings: Settings,
    reused: bool,
) -> Result<(), TestCaseError> {
    let sql = "SELECT a, b, c FROM t ORDER BY rowid";
    let mut statement = TextStatement::prepare(db, sql).unwrap().policy(settings.policy);
    let mut seen = Vec::new();
    let mut rows = statement.query(&[]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        seen.push((0..settings.columns).map(|i| cell(&row, i, &settings)).collect());
    }
    drop(rows);
    let expected = model(&seen, limit, &settings);

    // The policy of the reader counts, not the statement's.
    let mut statement = TextStatement::prepare(db, sql).unwrap();
    let reader = statement.read_batch(&[]).unwrap();
    let reader = reader.policy(settings.policy).lossy(settings.lossy);
    let mut reader = reader.max_rows(settings.max_rows).max_bytes(settings.max_bytes);
    let mut columns: Vec<TextBatch<O>> = vec![TextBatch::default(); settings.columns];
    for expected in &expected {
        let rows = reader.next_batch(&mut columns);
        let texts = |columns: &[TextBatch<O>]| {
            let row = |i| columns.iter().map(|c| c.get(i).map(str::to_owned)).collect();
            (0..columns[0].len()).map(row).collect::<Texts>()
        };
        match expected {
            Ok(expected) => {
                prop_assert_eq!(rows, Ok(expected.len()));
                prop_assert_eq!(&texts(&columns), expected);
            }
            Err(error) => {
                prop_assert_eq!(rows.as_ref(), Err(error));
                prop_assert!(columns.iter().all(TextBatch::is_empty));
            }
        }
        for column in &mut columns {
            well_formed(column.clone())?;
            if !reused {
                *column = TextBatch::default();
            }
        }
    }
    for _ in 0..2 {
        prop_assert_eq!(reader.next_batch(&mut columns), Ok(0));
        prop_assert!(columns.iter().all(TextBatch::is_empty));
    }
    Ok(())
}

/// The parts are what `into_parts` promises.
fn well_formed<O: Offset>(batch: TextBatch<O>) -> Result<(), TestCaseError> {
    let texts: Vec<Option<String>> = batch.iter().map(|t| t.map(str::to_owned)).collect();
    let (bytes, offsets, validity) = batch.into_parts();
    let ends: Vec<usize> = offsets.iter().map(|offset| offset.get()).collect();
    prop_assert_eq!(ends.len(), texts.len() + 1);
    prop_assert_eq!((ends[0], ends[texts.len()]), (0, bytes.len()));
    for (text, ends) in texts.iter().zip(ends.windows(2)) {
        prop_assert_eq!(text.as_deref().unwrap_or("").as_bytes(), &bytes[ends[0]..ends[1]]);
    }
    let bits = validity.as_ref().map(|bits| {
        let bit = |i: usize| bits[i / 8] >> (i % 8) & 1 != 0;
        (0..bits.len() * 8).map(bit).collect::<Vec<_>>()
    });
    let mut expected: Vec<bool> = texts.iter().map(Option::is_some).collect();
    let nulls = expected.contains(&false);
    expected.resize(texts.len().next_multiple_of(8), false);
    prop_assert_eq!(bits, nulls.then_some(expected));
    Ok(())
}

/// A value, and whether it is to be made a TEXT of its bytes.
fn value() -> impl Strategy<Value = (Value, bool)> {
    prop_oneof![
        4 => Just((Value::Null, false)),
        20 => "[a-zé世😀\0]{0,30}".prop_map(|text| (Value::Text(text), false)),
        2 => "[a-z世]{40,140}".prop_map(|text| (Value::Text(text), false)),
        1 => prop_oneof![
            any::<i64>().prop_map(Value::Integer),
            any::<f64>().prop_map(Value::Real),
            vec(any::<u8>(), 0..9).prop_map(Value::Blob),
        ].prop_map(|value| (value, false)),
        1 => prop_oneof![
            // A character of three bytes, which with others of these makes up a text again.
            Just(vec![0xE4]), Just(vec![0xE4, 0xB8]), Just(vec![0xB8, 0x96]), Just(vec![0x96]),
            // Lone surrogates, of either order of bytes.
            Just(vec![0xD8, 0x00]), Just(vec![0x00, 0xDC]), vec(any::<u8>(), 0..40),
        ].prop_map(|bytes| (Value::Blob(bytes), true)),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    let policy = prop_oneof![
        1 => Just(TypePolicy::TextOnly), 4 => Just(TypePolicy::TextOrNull), 8 => Just(TypePolicy::Coerce)
    ];
    let max_rows = prop_oneof![1 => 0_usize..9, 1 => Just(usize::MAX)];
    let max_bytes = prop_oneof![1 => 0_usize..200, 2 => Just(usize::MAX)];
    let rest = (any::<bool>(), max_rows, max_bytes, 1..=COLUMNS);
    (policy, rest).prop_map(|(policy, (lossy, max_rows, max_bytes, columns))| Settings {
        policy,
        lossy,
        max_rows,
        max_bytes,
        columns,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn batches_are_as_the_model_says(
        rows in vec([value(), value(), value()], 0..24),
        settings in settings(),
        encoding in prop_oneof![Just("UTF-8"), Just("UTF-16le"), Just("UTF-16be")],
        serialised: bool,
        reused: bool,
    ) {
        let mutex = if serialised { OpenFlags::SQLITE_OPEN_FULL_MUTEX } else { OpenFlags::SQLITE_OPEN_NO_MUTEX };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | mutex;
        let db = Connection::open_in_memory_with_flags(flags).unwrap();
        db.execute_batch(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE t (a, b, c)")).unwrap();
        for row in &rows {
            let of = |i: usize| if row[i].1 { format!("cast(?{} AS TEXT)", i + 1) } else { format!("?{}", i + 1) };
            let sql = format!("INSERT INTO t VALUES ({}, {}, {})", of(0), of(1), of(2));
            db.execute(&sql, params_from_iter(row.iter().map(|(value, _)| value))).unwrap();
        }
        compare::<i8>(&db, i8::MAX as usize, settings, reused)?;
        compare::<i32>(&db, i32::MAX as usize, settings, reused)?;
        compare::<i64>(&db, usize::MAX, settings, reused)?;
    }
}
