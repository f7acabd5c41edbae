//! The corpus of `sqlite-text` (`tests/data/values.toml`) on a connection of the C interface.

use serde::Deserialize;
use sqlite_low_end::Db;
use sqlite_text::{Error, ffi};

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
                check(
                    case,
                    text,
                    &Db::open(encoding, mutex),
                    &format!("{} in {encoding}", case.name),
                );
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

fn check(case: &Case, text: Option<String>, db: &Db, at: &str) {
    let mut statement = db.statement(&case.sql);
    let mut rows = statement.query_bound().unwrap();
    let row = rows.next().unwrap().unwrap();
    match (&text, &case.hex, &case.class) {
        (Some(text), None, None) => {
            assert_eq!(row.text(0), Ok(text.as_str()), "{at}");
            assert_eq!(row.text_opt(0), Ok(Some(text.as_str())), "{at}");
            assert_eq!(row.text_bytes(0), Ok(text.as_bytes()), "{at}");
            assert_eq!(row.text_lossy(0).unwrap(), *text, "{at}");
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

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
