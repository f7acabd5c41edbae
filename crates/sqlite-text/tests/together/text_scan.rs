//! `TestColumnTextScan` of modernc.org/sqlite, once for every way to read a text: the empty one, a
//! short one, a long one and one of many bytes a character, each alone and bit for bit, and then all
//! rows in a loop that keeps every text and compares when the last row has been read.
#![cfg(feature = "rusqlite")]

use crate::common::cells::ENCODINGS;
use crate::common::{database, serialised};
use rusqlite::{Connection, Row};
use sqlite_text::{LossyText, RowTextExt, TextBatch, TextBuf, TextReader, TextRow, TextStatement};
use std::io::Read;

fn texts() -> Vec<String> {
    vec![
        String::new(),
        "hello".into(),
        "x".repeat(4096),
        "héllo, 世界 🌍🚀 👩‍👩‍👧‍👦".into(),
        "é".repeat(12),
        "a page and more ✓ ".repeat(1000),
        "\0in\0side\0".into(),
        String::new(),
        "short again".into(),
    ]
}

fn filled(encoding: &str) -> [Connection; 2] {
    [database(encoding), serialised(encoding)].map(|db| {
        db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)").unwrap();
        for text in texts() {
            db.execute("INSERT INTO t (s) VALUES (?1)", [text]).unwrap();
        }
        db
    })
}

const ONE: &str = "SELECT s FROM t WHERE id = ?1";
const ALL: &str = "SELECT s FROM t ORDER BY id";

/// Reads each row alone and then all, keeping what `read` gives, and compares in the end.
fn by_row<T>(read: impl Fn(&TextRow<'_>) -> T, string: impl Fn(T) -> String) {
    for encoding in ENCODINGS {
        for db in filled(encoding) {
            let mut one = TextStatement::prepare(&db, ONE).unwrap();
            for (id, text) in (1_i64..).zip(texts()) {
                let mut rows = one.query(&[&id]).unwrap();
                let kept = read(&rows.next().unwrap().unwrap());
                assert!(rows.next().unwrap().is_none());
                drop(rows);
                assert_eq!(string(kept), text, "{encoding}");
            }
            let mut all = TextStatement::prepare(&db, ALL).unwrap();
            let mut rows = all.query(&[]).unwrap();
            let mut kept = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                kept.push(read(&row));
            }
            drop(rows);
            drop(all);
            assert_eq!(kept.into_iter().map(&string).collect::<Vec<_>>(), texts(), "{encoding}");
        }
    }
}

/// The same with a row of rusqlite.
fn by_rusqlite<T>(read: impl Fn(&Row<'_>) -> rusqlite::Result<T>, string: impl Fn(T) -> String) {
    for encoding in ENCODINGS {
        for db in filled(encoding) {
            for (id, text) in (1_i64..).zip(texts()) {
                let kept = db.query_row(ONE, [id], |row| read(row)).unwrap();
                assert_eq!(string(kept), text, "{encoding}");
            }
            let mut all = db.prepare_cached(ALL).unwrap();
            let kept: Vec<T> =
                all.query_map([], |row| read(row)).unwrap().map(Result::unwrap).collect();
            drop(all);
            assert_eq!(kept.into_iter().map(&string).collect::<Vec<_>>(), texts(), "{encoding}");
        }
    }
}

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn by_text() {
    by_row(|row| row.text(0).unwrap().to_owned(), |text| text);
    by_rusqlite(|row| row.text(0).map(str::to_owned), |text| text);
}

#[test]
fn by_text_opt() {
    by_row(|row| row.text_opt(0).unwrap().map(str::to_owned), Option::unwrap);
    by_rusqlite(|row| Ok(row.text_opt(0)?.map(str::to_owned)), Option::unwrap);
}

#[test]
fn by_text_bytes() {
    by_row(|row| row.text_bytes(0).unwrap().to_owned(), utf8);
}

#[test]
fn by_text_unchecked() {
    // SAFETY: the table holds what `texts` gives.
    by_row(|row| unsafe { row.text_unchecked(0) }.unwrap().to_owned(), |text| text);
}

#[test]
fn by_text_lossy() {
    by_row(|row| row.text_lossy(0).unwrap().into_owned(), |text| text);
    by_rusqlite(|row| Ok(row.text_lossy(0)?.into_owned()), |text| text);
    by_rusqlite(|row| row.get::<_, LossyText>(0), |text| text.0);
}

#[test]
fn by_text_buf() {
    by_row(|row| row.text_buf(0).unwrap(), String::from);
    by_rusqlite(|row| row.text_buf(0), String::from);
    by_rusqlite(|row| row.get::<_, TextBuf>(0), String::from);
    by_rusqlite(|row| row.get::<_, Option<TextBuf>>(0), |text| text.unwrap().into());
}

#[test]
fn by_read_text_into() {
    let read = |row: &TextRow<'_>| {
        let mut text = String::from("left over");
        row.read_text_into(0, &mut text).map(|()| text)
    };
    by_row(|row| read(row).unwrap(), |text| text);
    let read = |row: &Row<'_>| {
        let mut text = String::from("left over");
        row.read_text_into(0, &mut text).map(|()| text)
    };
    by_rusqlite(read, |text| text);
}

#[cfg(feature = "compact_str")]
#[test]
fn by_compact_text() {
    by_rusqlite(|row| row.get::<_, sqlite_text::CompactText>(0), |text| text.0.into());
}

/// All batches are kept.
#[test]
fn by_batches() {
    for encoding in ENCODINGS {
        for db in filled(encoding) {
            for rows in [1, 2, 4, 100] {
                let mut statement = TextStatement::prepare(&db, ALL).unwrap();
                let mut reader = statement.read_batch(&[]).unwrap().max_rows(rows);
                let mut kept = Vec::new();
                loop {
                    let mut columns = [TextBatch::new()];
                    if reader.next_batch(&mut columns).unwrap() == 0 {
                        break;
                    }
                    kept.extend(columns);
                }
                drop(reader);
                drop(statement);
                let kept = kept.iter().flatten().map(|text| text.unwrap().to_owned());
                assert_eq!(kept.collect::<Vec<_>>(), texts(), "{encoding}");
            }
        }
    }
}

/// Each row through one reader of large texts, in pieces and as one.
#[test]
fn by_text_reader() {
    for encoding in ENCODINGS {
        for db in filled(encoding) {
            let (mut kept, mut whole) = (Vec::new(), Vec::new());
            let mut reader = TextReader::open(&db, "main", "t", "s", 1).unwrap();
            for id in 1..=texts().len() as i64 {
                reader.reopen(id).unwrap();
                let mut text = String::new();
                while let Some(piece) = reader.next_chunk().unwrap() {
                    text.push_str(piece);
                }
                kept.push(text);
                let mut text = String::new();
                let mut reader = TextReader::open(&db, "main", "t", "s", id).unwrap();
                reader.read_to_string(&mut text).unwrap();
                whole.push(text);
            }
            assert_eq!(kept, texts(), "{encoding}");
            assert_eq!(whole, texts(), "{encoding}");
        }
    }
}

/// What is bound without a copy comes back.
#[test]
fn by_a_static_bind() {
    for encoding in ENCODINGS {
        for db in filled(encoding) {
            let texts = texts();
            let mut kept = Vec::new();
            for text in &texts {
                let statement =
                    TextStatement::prepare(&db, "SELECT ?1, s FROM t WHERE s = ?1").unwrap();
                let mut bound = statement.bind_static(1, text).unwrap();
                let mut rows = bound.query().unwrap();
                let row = rows.next().unwrap().unwrap();
                assert_eq!(row.text(1), row.text(0), "{encoding}");
                kept.push(row.text(0).unwrap().to_owned());
            }
            assert_eq!(kept, texts, "{encoding}");
        }
    }
}
