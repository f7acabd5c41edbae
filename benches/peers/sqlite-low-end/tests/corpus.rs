//! The corpus of `sqlite-text` (`tests/data/values.toml`) on a connection of the C interface.

use serde::Deserialize;
use sqlite_low_end::Db;
use sqlite_text::{Error, StorageClass, TextBatch, ffi};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default = "utf8")]
    encoding: String,
    sql: String,
    text: Option<String>,
    hex: Option<String>,
    valid_up_to: Option<usize>,
    lossy: Option<String>,
    class: Option<String>,
}

fn utf8() -> String {
    "UTF-8".to_owned()
}

#[test]
fn every_value_reads_as_the_corpus_says() {
    let corpus = include_str!("../../../../crates/sqlite-text/tests/data/values.toml");
    let corpus: Corpus = toml::from_str(corpus).unwrap();
    let mut read = 0;
    for case in &corpus.case {
        let encodings = match case.encoding.as_str() {
            "all" => &["UTF-8", "UTF-16le", "UTF-16be"][..],
            one => &[one],
        };
        for encoding in encodings {
            for mutex in [ffi::SQLITE_OPEN_NOMUTEX, ffi::SQLITE_OPEN_FULLMUTEX] {
                let text = case.text.as_deref().map(|text| stored(text, encoding));
                let at = format!("{} in {encoding}", case.name);
                let db = Db::open(encoding, mutex);
                check(case, text.as_deref(), &db, &at);
                check_batch(case, text.as_deref(), &db, &at);
                read += 1;
            }
        }
    }
    assert!(read > 100, "{read}");
}

/// What this SQLite, 3.51, makes of a text: converting a literal to UTF-16, it takes U+FFFF for the
/// mark of an error, which the one of the root workspace does no more.
fn stored(text: &str, encoding: &str) -> String {
    if encoding == "UTF-8" { text.to_owned() } else { text.replace('\u{FFFF}', "\u{FFFD}") }
}

fn check(case: &Case, text: Option<&str>, db: &Db, at: &str) {
    let mut statement = db.statement(&case.sql);
    let mut rows = statement.query_bound().unwrap();
    let row = rows.next().unwrap().unwrap();
    match (text, &case.hex, &case.class) {
        (Some(text), None, None) => {
            assert_eq!(row.text(0), Ok(text), "{at}");
            assert_eq!(row.text_opt(0), Ok(Some(text)), "{at}");
            assert_eq!(row.text_bytes(0), Ok(text.as_bytes()), "{at}");
            assert_eq!(row.text_lossy(0).unwrap(), text, "{at}");
            assert_eq!(row.text_buf(0).unwrap(), *text, "{at}");
        }
        (None, Some(hex), None) => {
            let valid_up_to = case.valid_up_to.unwrap();
            let error = Error::InvalidUtf8 { column: 0, row: 0, valid_up_to };
            assert_eq!(row.text(0), Err(error.clone()), "{at}");
            assert_eq!(row.text_buf(0), Err(error), "{at}");
            assert_eq!(hex_of(row.text_bytes(0).unwrap()), *hex, "{at}");
            assert_eq!(row.text_lossy(0).unwrap(), case.lossy.as_deref().unwrap(), "{at}");
        }
        (None, None, Some(class)) => {
            let Err(Error::InvalidType { column: 0, row: 0, actual }) = row.text(0) else {
                panic!("{at}");
            };
            assert_eq!(actual.to_string(), *class, "{at}");
        }
        _ => panic!("{at}: one of text, hex and class"),
    }
}

/// The same as a batch of one row, strict and lossy.
fn check_batch(case: &Case, text: Option<&str>, db: &Db, at: &str) {
    for lossy in [false, true] {
        let mut column = [TextBatch::new()];
        let mut statement = db.statement(&case.sql);
        let mut reader = statement.query_bound().unwrap().batches().lossy(lossy);
        let read = reader.next_batch(&mut column);
        let [column] = &column;
        let expected = match (text, case.valid_up_to, case.class.as_deref()) {
            (Some(text), ..) => Ok(Some(text)),
            (_, Some(_), _) if lossy => Ok(case.lossy.as_deref()),
            (_, Some(valid_up_to), _) => Err(Error::InvalidUtf8 { column: 0, row: 0, valid_up_to }),
            (.., Some("NULL")) => Ok(None),
            (.., class) => {
                let actual = match class {
                    Some("INTEGER") => StorageClass::Integer,
                    Some("REAL") => StorageClass::Real,
                    _ => StorageClass::Blob,
                };
                Err(Error::InvalidType { column: 0, row: 0, actual })
            }
        };
        assert_eq!(column.len(), usize::from(expected.is_ok()), "{at}, lossy: {lossy}");
        assert_eq!(read.map(|_| column.get(0)), expected, "{at}, lossy: {lossy}");
    }
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
