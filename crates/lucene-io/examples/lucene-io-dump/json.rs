//! A document as a line of JSON, such that no value loses its type or a bit of it.
//!
//! | type | value |
//! |---|---|
//! | `string` | a string |
//! | `bytes` | a string of hexadecimal digits |
//! | `i32`, `i64` | a number |
//! | `f32`, `f64` | a number; what JSON has no number for is a string with its bits in hexadecimal |

use lucene_io::IndexOutput;
use lucene_io::stored::{DocumentWriter, FieldRef, Value as Stored};
use serde_json::{Number, Value, json};

/// A field's value that owns what it holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Owned {
    String(String),
    Bytes(Vec<u8>),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
}

impl Owned {
    pub(crate) fn add<O: IndexOutput>(&self, field: &str, to: &mut DocumentWriter<O>) {
        match self {
            Self::String(text) => to.string(field, text),
            Self::Bytes(bytes) => to.bytes(field, bytes),
            Self::I32(n) => to.i32(field, *n),
            Self::I64(n) => to.i64(field, *n),
            Self::F32(n) => to.f32(field, *n),
            Self::F64(n) => to.f64(field, *n),
        };
    }
}

pub(crate) fn field(field: &FieldRef<'_>) -> Value {
    let (kind, value) = match field.value {
        Stored::String(text) => ("string", json!(text)),
        Stored::Bytes(bytes) => ("bytes", json!(hex(bytes))),
        Stored::I32(n) => ("i32", json!(n)),
        Stored::I64(n) => ("i64", json!(n)),
        // Through f64, which holds every f32.
        Stored::F32(n) => ("f32", number(n.into(), &n.to_bits().to_be_bytes())),
        Stored::F64(n) => ("f64", number(n, &n.to_bits().to_be_bytes())),
    };
    json!({ "field": field.name, kind: value })
}

fn number(n: f64, bits: &[u8]) -> Value {
    Number::from_f64(n).map_or_else(|| json!(hex(bits)), Value::Number)
}

/// The fields of a line, in its order.
pub(crate) fn document(line: &str) -> Result<Vec<(String, Owned)>, String> {
    let mut fields = Vec::new();
    match serde_json::from_str(line).map_err(|error| error.to_string())? {
        Value::Array(typed) => {
            for value in typed {
                fields.push(typed_field(&value).ok_or_else(|| format!("not a field: {value}"))?);
            }
        }
        Value::Object(plain) => {
            for (name, value) in plain {
                match value {
                    Value::Array(values) => {
                        for value in values {
                            fields.push((name.clone(), plain_value(value, &name)?));
                        }
                    }
                    value => {
                        let value = plain_value(value, &name)?;
                        fields.push((name, value));
                    }
                }
            }
        }
        _ => return Err("neither an array nor an object".to_owned()),
    }
    Ok(fields)
}

fn plain_value(value: Value, name: &str) -> Result<Owned, String> {
    match value {
        Value::String(text) => Ok(Owned::String(text)),
        Value::Number(n) => n
            .as_i64()
            .map(Owned::I64)
            // An integer above is not made a fraction of fewer digits.
            .or_else(|| n.as_f64().filter(|_| !n.is_u64()).map(Owned::F64))
            .ok_or_else(|| format!("{name}: {n} has no place in 64 bits")),
        other => Err(format!("{name}: {other} is no string and no number")),
    }
}

fn typed_field(value: &Value) -> Option<(String, Owned)> {
    let object = value.as_object().filter(|object| object.len() == 2)?;
    let name = object.get("field")?.as_str()?.to_owned();
    let (kind, value) = object.iter().find(|(key, _)| *key != "field")?;
    let bits = || value.as_str().and_then(unhex);
    let owned = match kind.as_str() {
        "string" => Owned::String(value.as_str()?.to_owned()),
        "bytes" => Owned::Bytes(bits()?),
        "i32" => Owned::I32(value.as_i64()?.try_into().ok()?),
        "i64" => Owned::I64(value.as_i64()?),
        "f32" => Owned::F32(match value.as_f64() {
            // Rounded, but not to infinity.
            Some(n) => Some(n as f32).filter(|n| n.is_finite())?,
            None => f32::from_bits(u32::from_be_bytes(bits()?.try_into().ok()?)),
        }),
        "f64" => Owned::F64(match value.as_f64() {
            Some(n) => n,
            None => f64::from_bits(u64::from_be_bytes(bits()?.try_into().ok()?)),
        }),
        _ => return None,
    };
    Some((name, owned))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    let (pairs, []) = digits.as_deref()?.as_chunks::<2>() else { return None };
    Some(pairs.iter().map(|[high, low]| (high << 4 | low) as u8).collect())
}
