//! Values that have gone wrong somewhere, random ones, and how they are put into SQL.

use crate::strings::{LENGTHS, SEED, random};
use fastrand::Rng;
use std::fmt::Write as _;

/// The encodings a database can have, as `PRAGMA encoding` names them.
pub(super) const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];

/// One value of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Blob(Vec<u8>),
    Text(String),
    /// TEXT that is none in the database's encoding, which `CAST(x'…' AS TEXT)` makes.
    Invalid(Vec<u8>),
}

/// A value and what it is called.
pub(super) type Named = (String, Value);

/// How many random texts there are of each length, and how many of them with something put in.
const EACH: usize = 24;
const SPOILT: usize = 16;

/// The values, by name. Noncharacters only where a database holds UTF-8: SQLite 3.40 stores U+FFFF as
/// U+FFFD when it converts.
pub(super) fn values(encoding: &str) -> Vec<Named> {
    let picked = picked(encoding).into_iter().map(|(name, value)| (name.to_owned(), value));
    picked.chain(made(encoding)).collect()
}

/// Random ones, the same in every run: texts around each length, and texts that were spoilt at one
/// place.
fn made(encoding: &str) -> Vec<Named> {
    let mut rng = Rng::with_seed(SEED);
    // At the start of a text that lies on more than one page, newer versions of SQLite drop it from a
    // UTF-16 database, whoever asks: that is among the facts of the system's SQLite.
    let random = |rng: &mut Rng, n| {
        let text = random(rng, n, 32_765);
        match encoding {
            "UTF-8" => text,
            _ => text.trim_start_matches('\u{FEFF}').to_owned(),
        }
    };
    let mut values = Vec::new();
    for n in LENGTHS {
        for at in 0..EACH {
            let mut text = random(&mut rng, n);
            if rng.u8(..4) == 0 {
                text.insert(0, '\0');
            }
            values.push((format!("random, n {n}, text {at}"), Value::Text(text)));
        }
        for at in 0..SPOILT {
            let text = random(&mut rng, n);
            values.push((format!("spoilt, n {n}, text {at}"), spoilt(&mut rng, &text, encoding)));
        }
    }
    values
}

/// The text with a byte, or in UTF-16 with half a pair, where something else stood.
fn spoilt(rng: &mut Rng, text: &str, encoding: &str) -> Value {
    let (kept, text) = if encoding == "UTF-8" {
        let mut bytes = text.as_bytes().to_vec();
        match bytes.len() {
            0 => bytes.push(0xC3),
            length => bytes[rng.usize(..length)] = rng.u8(..),
        }
        let text = String::from_utf8(bytes.clone()).ok();
        (bytes, text)
    } else {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        units.insert(rng.usize(..=units.len()), rng.u16(0xD800..0xE000));
        let text = String::from_utf16(&units).ok();
        (as_stored(units.into_iter(), encoding), text)
    };
    text.map_or(Value::Invalid(kept), Value::Text)
}

/// Those that are picked.
fn picked(encoding: &str) -> Vec<(&'static str, Value)> {
    let text = |text: &str| Value::Text(text.to_owned());
    let mut values = vec![
        ("null", Value::Null),
        ("empty", text("")),
        ("empty blob", Value::Blob(Vec::new())),
        ("blob of text", Value::Blob(b"abc".to_vec())),
        ("blob of bad bytes", Value::Blob(vec![0xFF, 0xFE, 0])),
        ("a letter", text("a")),
        ("a quote", text("it's \"quoted\"")),
        ("a number as text", text("007")),
        ("lines", text("one\r\ntwo\ttabbed|piped")),
        ("embedded NUL", text("before\0after")),
        ("only NULs", text("\0\0\0")),
        ("trailing blanks", text("padded   ")),
        ("Latin", text("Zürich, Łódź, façade")),
        ("Greek and Cyrillic", text("Ωμέγα и Москва")),
        ("CJK", text("京都の秋、서울、北京")),
        ("emoji", text("😀👩\u{200D}👩\u{200D}👧🇨🇭")),
        ("byte order mark", text("\u{FEFF}marked")),
        ("last of each length", text("\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}")),
        ("around the surrogates", text("\u{D7FF}\u{E000}")),
        ("24 bytes", text("exactly-24-bytes-of-text")),
        ("25 bytes", text("exactly--25-bytes-of-text")),
        ("100 KB of ASCII", Value::Text("0123456789".repeat(10_240))),
        ("100 KB of CJK", Value::Text("永".repeat(34_134))),
        ("100 KB, the last rune beyond the BMP", Value::Text("x".repeat(102_399) + "😀")),
    ];
    let invalid = |bytes: &[u8]| Value::Invalid(bytes.to_vec());
    if encoding == "UTF-8" {
        values.extend([
            ("noncharacters", text("\u{FFFE}\u{FFFF}\u{1FFFF}")),
            ("a byte that is never UTF-8", invalid(b"a\xFFb")),
            ("cut inside a rune", invalid(b"caf\xC3")),
            ("overlong", invalid(b"\xC0\x80")),
            ("a surrogate as UTF-8", invalid(b"\xED\xA0\x80")),
            ("past the last rune", invalid(b"\xF4\x90\x80\x80")),
            ("Latin-1", invalid(b"Z\xFCrich")),
        ]);
    } else {
        let invalid = |units: &[u16]| Value::Invalid(as_stored(units.iter().copied(), encoding));
        values.extend([
            ("a lone high surrogate", invalid(&[0x61, 0xD83D, 0x62])),
            ("a lone low surrogate", invalid(&[0xDE00, 0x62])),
            ("a pair the wrong way round", invalid(&[0xDE00, 0xD83D])),
            ("a high surrogate at the end", invalid(&[0x4EAC, 0xD83D])),
            ("a pair after a lone high one", invalid(&[0xD83D, 0xD83D, 0xDE00])),
        ]);
    }
    values
}

impl Value {
    /// As an expression for a database of that encoding.
    pub(super) fn sql(&self, encoding: &str) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Blob(bytes) => format!("x'{}'", hex(bytes)),
            Self::Invalid(bytes) => format!("CAST(x'{}' AS TEXT)", hex(bytes)),
            // Each control character makes the expression deeper, and 1000 are too deep.
            Self::Text(text) if text.chars().filter(|rune| rune.is_control()).count() > 100 => {
                format!("CAST(x'{}' AS TEXT)", hex(&self.stored(encoding)))
            }
            Self::Text(text) => literal(text),
        }
    }

    /// As `typeof()` names it.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Blob(_) => "blob",
            Self::Text(_) | Self::Invalid(_) => "text",
        }
    }

    /// The bytes that a database of that encoding holds.
    pub(super) fn stored(&self, encoding: &str) -> Vec<u8> {
        match self {
            Self::Null => Vec::new(),
            Self::Blob(bytes) | Self::Invalid(bytes) => bytes.clone(),
            Self::Text(text) if encoding == "UTF-8" => text.clone().into_bytes(),
            Self::Text(text) => as_stored(text.encode_utf16(), encoding),
        }
    }
}

/// Code units in the byte order of the encoding.
fn as_stored(units: impl Iterator<Item = u16>, encoding: &str) -> Vec<u8> {
    let order = if encoding == "UTF-16be" { u16::to_be_bytes } else { u16::to_le_bytes };
    units.flat_map(order).collect()
}

/// What stored bytes say: the text, or with U+FFFD for what is none.
pub(super) fn decode(bytes: &[u8], encoding: &str) -> Result<String, String> {
    if encoding == "UTF-8" {
        let text = String::from_utf8(bytes.to_vec());
        return text.map_err(|_| String::from_utf8_lossy(bytes).into_owned());
    }
    let order = if encoding == "UTF-16be" { u16::from_be_bytes } else { u16::from_le_bytes };
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
    String::from_utf16(&units).map_err(|_| String::from_utf16_lossy(&units))
}

/// A literal with the control characters, which a command line may not let through, as `char(n)`.
fn literal(text: &str) -> String {
    let mut sql = String::from("'");
    for rune in text.chars() {
        match rune {
            '\'' => sql.push_str("''"),
            rune if rune.is_control() => {
                let _ = write!(sql, "'||char({})||'", u32::from(rune));
            }
            rune => sql.push(rune),
        }
    }
    sql.push('\'');
    sql
}

/// Upper-case hexadecimal, as SQLite's `hex()` prints.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        let _ = write!(out, "{byte:02X}");
        out
    })
}

/// The bytes that hexadecimal digits stand for.
pub(super) fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_reads_back() {
        assert_eq!(hex(&[0, 0xAB]), "00AB");
        assert_eq!(unhex("00AB"), Some(vec![0, 0xAB]));
        assert_eq!(unhex("0g"), None);
        assert_eq!(unhex(""), Some(Vec::new()));
    }

    #[test]
    fn what_is_stored_is_decoded() {
        for encoding in ENCODINGS {
            for (name, value) in values(encoding) {
                let decoded = decode(&value.stored(encoding), encoding);
                match value {
                    Value::Text(text) => assert_eq!(decoded, Ok(text), "{encoding}, {name}"),
                    Value::Invalid(_) => {
                        assert!(decoded.unwrap_err().contains('\u{FFFD}'), "{name}");
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn random_values_are_the_same_in_every_run_and_some_are_invalid() {
        for encoding in ENCODINGS {
            let made = made(encoding);
            assert_eq!(made, super::made(encoding));
            let invalid = made.iter().filter(|(_, value)| matches!(value, Value::Invalid(_)));
            let invalid = invalid.count();
            assert!((SPOILT..=SPOILT * LENGTHS.len()).contains(&invalid), "{encoding}: {invalid}");
        }
    }

    #[test]
    fn every_value_is_an_expression_that_sqlite_evaluates_to_it() {
        let db = rusqlite::Connection::open_in_memory().unwrap();
        for (name, value) in values("UTF-8") {
            let sql = format!(
                "SELECT typeof(v), CAST(v AS BLOB) FROM (SELECT {} AS v)",
                value.sql("UTF-8")
            );
            let (class, bytes): (String, Option<Vec<u8>>) =
                db.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            assert_eq!(
                (&*class, &*bytes.unwrap_or_default()),
                (value.class(), &*value.stored("UTF-8")),
                "{name}"
            );
        }
    }
}
