//! Fields of CHAR(n) and VARCHAR(n).

use crate::{hex, load, tiers};
use serde::Deserialize;
use utf8_runes::column::{DecodeError, EncodeError, FixedText, Overflow, Pad, RightTruncation};
use utf8_runes::column::{Tail, Unit, VarText};

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
struct Columns {
    decode: Vec<Decode>,
    encode: Vec<Encode>,
    varchar: Vec<Varchar>,
}

#[derive(Deserialize)]
struct Decode {
    name: String,
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
struct Encode {
    name: String,
    column: Column,
    text: String,
    width: usize,
    field: Option<String>,
    truncation: Option<[usize; 2]>,
    too_short: Option<usize>,
}

#[test]
fn decode_columns() {
    tiers(|| {
        let columns: Columns = load("column.toml");
        for case in &columns.decode {
            let name = &case.name;
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
    tiers(|| {
        let columns: Columns = load("column.toml");
        for case in &columns.encode {
            let name = &case.name;
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

#[derive(Deserialize)]
struct Varchar {
    name: String,
    length: usize,
    text: String,
    kept: Option<String>,
    truncation: Option<[usize; 2]>,
}

#[test]
fn store_varchars() {
    tiers(|| {
        let columns: Columns = load("column.toml");
        for Varchar { name, length, text, kept, truncation } in &columns.varchar {
            let column = VarText::new(*length).overflow(Overflow::SqlStore);
            let mut field = vec![0xAA; column.byte_width() + text.len()];
            let written = column.encode(text, &mut field);
            match (kept, truncation) {
                (Some(kept), None) => {
                    assert_eq!(written, Ok(2 + kept.len()), "{name}");
                    assert_eq!(column.decode(&field), Ok(kept.as_str()), "{name}");
                }
                (None, Some([expected, actual])) => {
                    let error = RightTruncation { expected: *expected, actual: *actual };
                    assert_eq!(written, Err(EncodeError::RightTruncation(error)), "{name}");
                    assert!(field.iter().all(|byte| *byte == 0xAA), "{name}");
                }
                _ => panic!("{name}: kept or truncation"),
            }
        }
    });
}
