//! The cases under `data/`.

mod each_tier;

use each_tier::each_tier;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utf8_runes::column::{DecodeError, EncodeError, FixedText, Overflow, Pad, RightTruncation};
use utf8_runes::column::{Tail, Unit};
use utf8_runes::{bytes, utf16};

const ORIGINS: &str = include_str!("data/ORIGINS.md");

fn load<T: DeserializeOwned>(file: &str) -> T {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn known(origin: Option<&str>) {
    if let Some(origin) = origin {
        // A row may shorten what its origins have in common: `netprovider-1213`, `-1252`.
        let known = ORIGINS.contains(&format!("`{origin}`"))
            || origin.rsplit_once('-').is_some_and(|(_, n)| ORIGINS.contains(&format!("`-{n}`")));
        assert!(known, "{origin} is not in ORIGINS.md");
    }
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    count: Vec<Count>,
    prefix: Vec<Prefix>,
    prefix_bytes: Vec<PrefixBytes>,
    trim: Vec<Trim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    name: String,
    origin: Option<String>,
    text: String,
    runes: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prefix {
    name: String,
    origin: Option<String>,
    text: String,
    runes: usize,
    prefix: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrefixBytes {
    name: String,
    origin: Option<String>,
    text: String,
    max: usize,
    prefix: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trim {
    name: String,
    origin: Option<String>,
    text: String,
    trimmed: String,
}

#[test]
fn text() {
    each_tier(|| {
        let texts: Texts = load("text.toml");
        for Count { name, origin, text, runes } in &texts.count {
            known(origin.as_deref());
            assert_eq!(utf8_runes::count(text), *runes, "{name}");
            assert_eq!(bytes::validate_count(text.as_bytes()), Ok(*runes), "{name}");
        }
        for Prefix { name, origin, text, runes, prefix } in &texts.prefix {
            known(origin.as_deref());
            assert_eq!(utf8_runes::prefix(text, *runes), prefix, "{name}");
            assert_eq!(bytes::prefix(text.as_bytes(), *runes), Ok(prefix.as_str()), "{name}");
            assert_eq!(utf8_runes::exceeds(text, *runes), prefix.len() < text.len(), "{name}");
            #[cfg(feature = "alloc")]
            {
                let mut cut = text.clone();
                utf8_runes::truncate(&mut cut, *runes);
                assert_eq!(cut, *prefix, "{name}");
            }
        }
        for PrefixBytes { name, origin, text, max, prefix } in &texts.prefix_bytes {
            known(origin.as_deref());
            assert_eq!(utf8_runes::prefix_bytes(text, *max), prefix, "{name}");
        }
        for Trim { name, origin, text, trimmed } in &texts.trim {
            known(origin.as_deref());
            assert_eq!(utf8_runes::trim_blanks(text), trimmed, "{name}");
        }
    });
}

#[derive(Deserialize)]
struct All<T> {
    case: Vec<T>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Malformed {
    name: String,
    origin: Option<String>,
    hex: String,
    runes: usize,
    prefix: Option<String>,
    error: Option<usize>,
    lossy: String,
}

#[test]
fn malformed_bytes() {
    each_tier(|| {
        let all: All<Malformed> = load("bytes.toml");
        for case in &all.case {
            let Malformed { name, origin, runes, .. } = case;
            known(origin.as_deref());
            let input = hex(&case.hex);
            let expected = match case.error {
                None => Ok(case.prefix.as_deref().unwrap()),
                Some(at) => {
                    let whole = std::str::from_utf8(&input).unwrap_err();
                    assert_eq!(whole.valid_up_to(), at, "{name}");
                    Err(whole)
                }
            };
            assert_eq!(bytes::prefix(&input, *runes), expected, "{name}");
            #[cfg(feature = "alloc")]
            assert_eq!(bytes::prefix_lossy(&input, *runes), case.lossy, "{name}");
            let _ = &case.lossy;
        }
    });
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Units {
    name: String,
    origin: Option<String>,
    units: String,
    count: usize,
    runes: usize,
    cut: usize,
    text: String,
    lone: Vec<usize>,
}

#[test]
fn units() {
    each_tier(|| {
        let all: All<Units> = load("utf16.toml");
        for case in &all.case {
            let Units { name, origin, count, runes, cut, text, lone, .. } = case;
            known(origin.as_deref());
            let units: Vec<u16> = case
                .units
                .split_whitespace()
                .map(|u| u16::from_str_radix(u, 16).unwrap())
                .collect();
            assert_eq!(utf16::count(&units), *count, "{name}");
            assert_eq!(utf16::offset(&units, *runes), Some(*cut), "{name}");
            assert_eq!(utf16::prefix(&units, *runes), &units[..*cut], "{name}");
            assert_eq!(utf16::utf8_len(&units), text.len(), "{name}");
            let mut out = vec![0; text.len()];
            assert_eq!(utf16::encode_lossy_into(&units, &mut out), Some(text.len()), "{name}");
            assert_eq!(out, text.as_bytes(), "{name}");
            #[cfg(feature = "alloc")]
            {
                let mut out = String::new();
                assert_eq!(utf16::append_lossy(&units, &mut out), lone.len(), "{name}");
                assert_eq!(out, *text, "{name}");
                let first = lone.first().map(|index| utf16::LoneSurrogate { index: *index });
                assert_eq!(utf16::append(&units, &mut out).err(), first, "{name}");
            }
            let _ = lone;
        }
    });
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Column {
    length: usize,
    unit: Option<String>,
    pad: Option<String>,
    overflow: Option<String>,
    tail: Option<String>,
}

impl Column {
    fn build(&self) -> FixedText {
        let column = FixedText::new(self.length);
        let column = match self.unit.as_deref() {
            None => column,
            Some("bytes") => column.unit(Unit::Bytes),
            Some("utf16") => column.unit(Unit::Utf16),
            Some(other) => panic!("unit {other}"),
        };
        let column = match self.pad.as_deref() {
            None => column,
            Some("trim") => column.pad(Pad::Trim),
            Some(other) => panic!("pad {other}"),
        };
        let column = match self.overflow.as_deref() {
            None => column,
            Some("sql-store") => column.overflow(Overflow::SqlStore),
            Some("truncate") => column.overflow(Overflow::Truncate),
            Some(other) => panic!("overflow {other}"),
        };
        match self.tail.as_deref() {
            None => column,
            Some("require-blank") => column.tail(Tail::RequireBlank),
            Some(other) => panic!("tail {other}"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    decode: Vec<Decode>,
    encode: Vec<Encode>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decode {
    name: String,
    origin: Option<String>,
    column: Column,
    field: Option<String>,
    #[serde(default)]
    blanks: usize,
    hex: Option<String>,
    value: Option<String>,
    malformed: Option<usize>,
    tail: Option<usize>,
    lossy: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Encode {
    name: String,
    origin: Option<String>,
    column: Column,
    text: String,
    width: usize,
    field: Option<String>,
    truncation: Option<[usize; 2]>,
    too_short: Option<usize>,
}

#[test]
fn decode_columns() {
    each_tier(|| {
        let columns: Columns = load("column.toml");
        for case in &columns.decode {
            let name = &case.name;
            known(case.origin.as_deref());
            let column = case.column.build();
            let mut field = match (&case.field, &case.hex) {
                (Some(text), None) => text.clone().into_bytes(),
                (None, Some(text)) => hex(text),
                _ => panic!("{name}: a field or hex"),
            };
            field.resize(field.len() + case.blanks, b' ');
            let expected = match (&case.value, case.malformed, case.tail) {
                (Some(value), None, None) => Ok(value.as_str()),
                (None, Some(offset), None) => Err(DecodeError::Malformed { offset }),
                (None, None, Some(offset)) => Err(DecodeError::Tail { offset }),
                _ => panic!("{name}: a value or an error"),
            };
            assert_eq!(column.decode(&field), expected, "{name}");
            let first_row = column.decode_rows(&field, field.len().max(1)).next();
            if field.len() <= column.byte_width() && !field.is_empty() {
                assert_eq!(first_row, Some(expected), "{name}");
            }
            let lossy = case.lossy.as_ref().or(case.value.as_ref()).unwrap();
            #[cfg(feature = "alloc")]
            {
                let decoded = column.decode_lossy(&field);
                assert_eq!(decoded, *lossy, "{name}");
                if expected == Ok(lossy.as_str()) {
                    assert!(matches!(decoded, std::borrow::Cow::Borrowed(_)), "{name}");
                }
                let mut out = String::from("before");
                assert_eq!(column.decode_into(&field, &mut out), expected.map(|_| ()), "{name}");
                assert_eq!(out, expected.unwrap_or("before"), "{name}");
            }
            let _ = lossy;
        }
    });
}

#[test]
fn encode_columns() {
    each_tier(|| {
        let columns: Columns = load("column.toml");
        for case in &columns.encode {
            let name = &case.name;
            known(case.origin.as_deref());
            let column = case.column.build();
            let truncation =
                case.truncation.map(|[expected, actual]| RightTruncation { expected, actual });
            let expected = match (&case.field, truncation, case.too_short) {
                (Some(_), None, None) => Ok(()),
                (None, Some(error), None) => Err(EncodeError::RightTruncation(error)),
                (None, None, Some(needed)) => Err(EncodeError::FieldTooShort { needed }),
                _ => panic!("{name}: a field or an error"),
            };
            let before = vec![0xAA; case.width];
            let mut field = before.clone();
            assert_eq!(column.encode(&case.text, &mut field), expected, "{name}");
            let after = case.field.as_ref().map_or(before, |text| text.clone().into_bytes());
            assert_eq!(field, after, "{name}");
            #[cfg(feature = "alloc")]
            match truncation {
                Some(error) => assert_eq!(column.fit(&case.text), Err(error), "{name}"),
                None if expected.is_ok() => {
                    assert_eq!(
                        column.fit(&case.text).unwrap(),
                        column.decode(&field).unwrap(),
                        "{name}"
                    );
                }
                None => {}
            }
        }
    });
}
