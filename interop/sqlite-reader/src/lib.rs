//! What `sqlite-text` reads, as lines that are the same with every version of SQLite, and what a
//! version may decide for itself, beside its own answer.
//!
//! As a library of `onecopy-interop` it is linked with the bundled SQLite, as a program with the
//! system's.

mod raw;

use raw::Db;
use sqlite_text::{Error, TextBatch, TextRow, TypePolicy, ffi};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

/// The encodings a database can have, as `PRAGMA encoding` names them.
const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];

/// Values whose text is the business of the SQLite that makes it.
const FACTS: [&str; 17] = [
    "1e15",
    "1e16",
    "-1e15",
    "123456789012345678.0",
    "0.1 + 0.2",
    "1.0",
    "1e-5",
    "1.7976931348623157e308",
    "2.2250738585072014e-308",
    "9e999",
    "-0.0",
    "9223372036854775807",
    "9223372036854775807 + 1",
    "char(0xFFFF, 0xFFFE, 0x1FFFF)",
    "'\u{FFFF}\u{FFFE}\u{1FFFF}'",
    "x'5AC3BC'",
    // 3.54 drops the byte order mark of this one from a UTF-16 database, and 3.40 does not.
    "(SELECT s FROM long)",
];

/// A row's getter, by name.
type Getter = (&'static str, fn(&TextRow<'_>) -> Result<Option<Vec<u8>>, Error>);

const GETTERS: [Getter; 6] = [
    ("text", |row| Ok(Some(row.text(0)?.into()))),
    ("text_opt", |row| Ok(row.text_opt(0)?.map(Into::into))),
    ("text_bytes", |row| Ok(Some(row.text_bytes(0)?.into()))),
    ("text_lossy", |row| Ok(Some(row.text_lossy(0)?.as_bytes().into()))),
    ("read_text_into", |row| {
        let mut out = String::from("left over");
        row.read_text_into(0, &mut out)?;
        Ok(Some(out.into()))
    }),
    ("text_buf", |row| Ok(Some(row.text_buf(0)?.as_bytes().into()))),
];

const POLICIES: [TypePolicy; 3] =
    [TypePolicy::TextOnly, TypePolicy::TextOrNull, TypePolicy::Coerce];

/// A connection that may go from thread to thread, and one that has a mutex for that.
const MUTEXES: [i32; 2] = [ffi::SQLITE_OPEN_NOMUTEX, ffi::SQLITE_OPEN_FULLMUTEX];

/// The version of the SQLite that is linked.
#[must_use]
pub fn version() -> &'static str {
    raw::version()
}

/// What every getter says of every row of `t (id, s)`, under every policy, on both kinds of
/// connection.
///
/// # Panics
/// When there is no such file or table.
#[must_use]
pub fn report(file: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for mutex in MUTEXES {
        let db = Db::open(file.as_os_str(), ffi::SQLITE_OPEN_READONLY | mutex);
        for policy in POLICIES {
            let mut statement = db.statement("SELECT s FROM t ORDER BY id").policy(policy);
            let mut rows = statement.query_bound().expect("nothing is bound");
            let mut at = 0;
            while let Some(row) = rows.next().expect("a row") {
                for (name, getter) in GETTERS {
                    let got = shown(getter(&row));
                    lines.push(format!("{mutex:#x} {policy:?} {at} {name} {got}"));
                }
                at += 1;
            }
        }
        batches(&db, &mut lines);
    }
    lines
}

/// The same in batches, in which there is no place for a BLOB.
fn batches(db: &Db, lines: &mut Vec<String>) {
    let sql = "SELECT s FROM t WHERE typeof(s) <> 'blob' ORDER BY id";
    let mut statement = db.statement(sql);
    let rows = statement.query_bound().expect("nothing is bound");
    let mut reader = rows.batches().max_bytes(4096).lossy(true);
    let mut column = [TextBatch::new()];
    while reader.next_batch(&mut column).expect("texts") != 0 {
        let cells = column[0].iter().map(|text| shown(Ok(text.map(Into::into))));
        lines.extend(cells.map(|got| format!("batch {got}")));
    }
}

/// What a getter gave: all of a short text, and of a long one what tells it from others.
fn shown(got: Result<Option<Vec<u8>>, Error>) -> String {
    match got {
        Ok(Some(bytes)) if bytes.len() <= 64 => format!("x'{}'", hex(&bytes)),
        Ok(Some(bytes)) => format!("{} bytes {:016X}", bytes.len(), fnv(&bytes)),
        Ok(None) => "None".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// In each encoding, each fact: `encoding|expression|ours|SQLite's own`, as hexadecimal digits.
///
/// # Panics
/// When SQLite does not know an expression.
#[must_use]
pub fn facts() -> Vec<String> {
    let mut lines = Vec::new();
    for encoding in ENCODINGS {
        let flags = ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE;
        let db = Db::open(OsStr::new(":memory:"), flags | ffi::SQLITE_OPEN_NOMUTEX);
        let run = |sql: &str| {
            let mut statement = db.statement(sql);
            let mut rows = statement.query_bound().expect("nothing is bound");
            while rows.next().expect("sound").is_some() {}
        };
        run(&format!("PRAGMA encoding = '{encoding}'"));
        run("CREATE TABLE long AS SELECT char(0xFEFF) || printf('%.*c', 5000, 'x') AS s");
        for fact in FACTS {
            let sql = format!("SELECT {fact}, hex(cast(cast({fact} AS TEXT) AS BLOB))");
            let mut statement = db.statement(&sql).policy(TypePolicy::Coerce);
            let mut rows = statement.query_bound().expect("nothing is bound");
            let row = rows.next().expect("a row").expect("one");
            let ours = hex(&encoded(row.text(0).expect("a text"), encoding));
            let own = row.text(1).expect("digits");
            lines.push(format!("{encoding}|{}|{ours}|{own}", fact.escape_default()));
        }
    }
    lines
}

/// The text as a database of that encoding stores it.
fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    match encoding {
        "UTF-8" => text.into(),
        "UTF-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

/// Upper-case, as SQLite's `hex()`.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02X}");
        out
    })
}

/// The hash of Fowler, Noll and Vo, 1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_and_digits_are_the_known_ones() {
        assert_eq!(fnv(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_F739_67E8);
        assert_eq!(hex(&[0, 0xAB]), "00AB");
        assert_eq!(encoded("é\u{10000}", "UTF-16be"), [0, 0xE9, 0xD8, 0, 0xDC, 0]);
    }

    #[test]
    fn what_a_getter_gave_is_told_apart() {
        assert_eq!(shown(Ok(None)), "None");
        assert_eq!(shown(Ok(Some(Vec::new()))), "x''");
        let long = shown(Ok(Some(vec![b'a'; 65])));
        assert!(long.starts_with("65 bytes "), "{long}");
        assert_ne!(long, shown(Ok(Some(vec![b'b'; 65]))));
        assert_eq!(shown(Err(Error::NoMem)), "SQLite is out of memory");
    }
}
