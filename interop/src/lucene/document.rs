//! Documents as they are handed to the programs in Java, and as these hand them back: their count,
//! and of each the count of its fields, and of each field its type, its name and its value. Numbers
//! are big-endian, a text is its count of UTF-16 units and these, bytes are their count and these.

use super::question::{put_bytes, put_text, put_units};
use lucene_io::Error;
use lucene_io::index::Segment;
use lucene_io::store::Directory;
use lucene_io::stored::{self, Compression, FieldRef, Writer};
use std::fmt;

/// The value of a field. Floating-point numbers as their bits: a NaN equals itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(Vec<u16>),
    Bytes(Vec<u8>),
    I32(i32),
    F32(u32),
    I64(i64),
    F64(u64),
}

/// A field: its name and its value.
pub(super) type Field = (String, Value);

/// A document.
pub(super) type Document = Vec<Field>;

/// The field by which a document can be deleted; a text.
pub(super) const ID: &str = "id";

impl From<stored::Value<'_>> for Value {
    fn from(value: stored::Value<'_>) -> Self {
        match value {
            stored::Value::String(text) => Self::Text(text.encode_utf16().collect()),
            stored::Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            stored::Value::I32(n) => Self::I32(n),
            stored::Value::I64(n) => Self::I64(n),
            stored::Value::F32(n) => Self::F32(n.to_bits()),
            stored::Value::F64(n) => Self::F64(n.to_bits()),
        }
    }
}

/// A field as a reader of ours gives it.
pub(super) fn field(field: FieldRef<'_>) -> Field {
    (field.name.to_owned(), field.value.into())
}

/// As it is after it was stored: a lone surrogate is U+FFFD.
pub(super) fn stored(documents: &[Document]) -> Vec<Document> {
    let value = |value: &Value| match value {
        Value::Text(units) => Value::Text(super::texts::stored(units).encode_utf16().collect()),
        other => other.clone(),
    };
    let field = |(name, content): &Field| (name.clone(), value(content));
    documents.iter().map(|document| document.iter().map(field).collect()).collect()
}

/// The form in which they are handed over.
pub(super) fn encode(documents: &[Document]) -> Vec<u8> {
    let mut into = Vec::new();
    let count = |n: usize| i32::try_from(n).expect("a small count").to_be_bytes();
    into.extend(count(documents.len()));
    for document in documents {
        into.extend(count(document.len()));
        for (name, value) in document {
            let kind = match value {
                Value::Text(_) => 0,
                Value::Bytes(_) => 1,
                Value::I32(_) => 2,
                Value::F32(_) => 3,
                Value::I64(_) => 4,
                Value::F64(_) => 5,
            };
            into.push(kind);
            put_text(name, &mut into);
            match value {
                Value::Text(units) => put_units(units, &mut into),
                Value::Bytes(bytes) => put_bytes(bytes, &mut into),
                Value::I32(n) => into.extend(n.to_be_bytes()),
                Value::F32(bits) => into.extend(bits.to_be_bytes()),
                Value::I64(n) => into.extend(n.to_be_bytes()),
                Value::F64(bits) => into.extend(bits.to_be_bytes()),
            }
        }
    }
    into
}

/// The reverse of [`encode`]; none when it is not of that form.
pub(super) fn decode(mut from: &[u8]) -> Option<Vec<Document>> {
    let mut documents = Vec::new();
    for _ in 0..count(&mut from)? {
        let mut document = Vec::new();
        for _ in 0..count(&mut from)? {
            let [kind] = take::<1>(&mut from)?;
            let name = String::from_utf16(&units(&mut from)?).ok()?;
            let value = match kind {
                0 => Value::Text(units(&mut from)?),
                1 => {
                    let length = count(&mut from)?;
                    let (bytes, rest) = from.split_at_checked(length)?;
                    from = rest;
                    Value::Bytes(bytes.to_vec())
                }
                2 => Value::I32(i32::from_be_bytes(take(&mut from)?)),
                3 => Value::F32(u32::from_be_bytes(take(&mut from)?)),
                4 => Value::I64(i64::from_be_bytes(take(&mut from)?)),
                5 => Value::F64(u64::from_be_bytes(take(&mut from)?)),
                _ => return None,
            };
            document.push((name, value));
        }
        documents.push(document);
    }
    from.is_empty().then_some(documents)
}

fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = from.split_first_chunk::<N>()?;
    *from = rest;
    Some(*taken)
}

fn count(from: &mut &[u8]) -> Option<usize> {
    usize::try_from(i32::from_be_bytes(take(from)?)).ok()
}

fn units(from: &mut &[u8]) -> Option<Vec<u16>> {
    (0..count(from)?).map(|_| take(from).map(u16::from_be_bytes)).collect()
}

/// Writes a segment of ours. Texts without a lone surrogate go by both methods in turn.
pub(super) fn write<D: Directory>(
    directory: &D,
    segment: &str,
    compression: Compression,
    documents: &[Document],
) -> Result<Segment, Error> {
    let mut writer = Writer::create(directory, segment, compression)?;
    let mut turn = false;
    for document in documents {
        let mut out = writer.start_document()?;
        for (name, value) in document {
            out = match value {
                Value::Text(units) => match String::from_utf16(units) {
                    Ok(text) if turn => out.string(name, &text),
                    _ => out.utf16(name, units),
                },
                Value::Bytes(bytes) => out.bytes(name, bytes),
                Value::I32(n) => out.i32(name, *n),
                Value::F32(bits) => out.f32(name, f32::from_bits(*bits)),
                Value::I64(n) => out.i64(name, *n),
                Value::F64(bits) => out.f64(name, f64::from_bits(*bits)),
            };
            turn = !turn;
        }
        out.end()?;
    }
    writer.finish()
}

/// The first difference of two lists of documents, short enough to be shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Difference {
    None,
    Count { ours: usize, theirs: usize },
    Fields { document: usize, ours: usize, theirs: usize },
    Field { document: usize, field: usize, ours: Shown, theirs: Shown },
}

/// Of a field what a person can look at.
#[derive(PartialEq, Eq)]
pub(super) struct Shown(Field);

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self((name, value)) = self;
        let text = match value {
            Value::Text(units) => format!("{:?}", String::from_utf16_lossy(units)),
            other => format!("{other:?}"),
        };
        write!(f, "{name} = {text:.60} ({} characters)", text.len())
    }
}

/// Looks for the first difference.
pub(super) fn difference(ours: &[Document], theirs: &[Document]) -> Difference {
    if ours.len() != theirs.len() {
        return Difference::Count { ours: ours.len(), theirs: theirs.len() };
    }
    for (document, (one, other)) in ours.iter().zip(theirs).enumerate() {
        if one.len() != other.len() {
            return Difference::Fields { document, ours: one.len(), theirs: other.len() };
        }
        if let Some(field) = one.iter().zip(other).position(|(one, other)| one != other) {
            let (ours, theirs) = (Shown(one[field].clone()), Shown(other[field].clone()));
            return Difference::Field { document, field, ours, theirs };
        }
    }
    Difference::None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> Vec<Document> {
        vec![
            vec![],
            vec![
                ("a".into(), Value::Text(vec![0x61, 0xD83D])),
                ("é".into(), Value::Bytes(vec![0, 255])),
                ("a".into(), Value::I32(-1)),
                ("".into(), Value::F32(f32::NAN.to_bits())),
                ("d".into(), Value::I64(i64::MIN)),
                ("e".into(), Value::F64((-0.0_f64).to_bits())),
            ],
        ]
    }

    #[test]
    fn what_is_handed_over_comes_back() {
        let encoded = encode(&documents());
        assert_eq!(decode(&encoded), Some(documents()));
        for end in 0..encoded.len() {
            assert_eq!(decode(&encoded[..end]), None, "{end}");
        }
    }

    #[test]
    fn the_first_difference_is_found() {
        let ours = documents();
        assert_eq!(difference(&ours, &ours), Difference::None);
        let mut theirs = stored(&ours);
        assert!(matches!(
            difference(&ours, &theirs),
            Difference::Field { document: 1, field: 0, .. }
        ));
        theirs[1].pop();
        assert_eq!(
            difference(&ours, &theirs),
            Difference::Fields { document: 1, ours: 6, theirs: 5 }
        );
        theirs.pop();
        assert_eq!(difference(&ours, &theirs), Difference::Count { ours: 2, theirs: 1 });
    }
}
