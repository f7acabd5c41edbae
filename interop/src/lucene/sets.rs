//! Sets of documents that a writer of stored fields might get wrong, random but the same in every
//! run: where a chunk ends, where a large one is cut, what compresses well and not at all.

use super::document::{Document, Field, ID, Value};
use super::texts;
use fastrand::Rng;

/// A set and what to call it.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) documents: Vec<Document>,
}

/// How many are random.
pub(super) const RANDOM: usize = 50;

type Make = fn(&mut Rng) -> Vec<Document>;

/// What random sets are made of, in turn.
const KINDS: [(&str, Make); 10] = [
    ("small", small),
    ("every type", every_type),
    ("long texts", long_texts),
    ("edges of a chunk", edges),
    ("binary", binary),
    ("Unicode", unicode),
    ("no fields", empty),
    ("many fields", many_fields),
    ("repetitive", repetitive),
    ("anything", anything),
];

/// All sets: the random ones, then those that are made with care.
pub(super) fn all() -> Vec<Set> {
    let mut sets = Vec::new();
    for n in 0..RANDOM {
        let (kind, make) = KINDS[n % KINDS.len()];
        let mut rng = Rng::with_seed(texts::SEED + n as u64);
        sets.push(Set { name: format!("{kind} {n}"), documents: make(&mut rng) });
    }
    let mut rng = Rng::with_seed(texts::SEED);
    sets.push(Set { name: "story".into(), documents: story(&mut rng, 200) });
    sets.push(Set { name: "thousands of chunks".into(), documents: thousands(&mut rng) });
    sets.push(Set { name: "a megabyte".into(), documents: megabyte(&mut rng) });
    sets
}

/// The documents of the story: a hundred fields with a GUID each.
pub(super) fn story(rng: &mut Rng, count: usize) -> Vec<Document> {
    let field = |rng: &mut Rng, n: usize| (format!("field{n:02}"), Value::Text(guid(rng)));
    (0..count).map(|_| (0..100).map(|n| field(rng, n)).collect()).collect()
}

fn guid(rng: &mut Rng) -> Vec<u16> {
    let digits = format!("{:032x}", rng.u128(..));
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    parts.join("-").encode_utf16().collect()
}

fn ascii(length: usize, unit: impl Fn(usize) -> u8) -> Value {
    Value::Text((0..length).map(|at| u16::from(unit(at))).collect())
}

/// A text that hardly compresses, of as many bytes.
fn noise(rng: &mut Rng, length: usize) -> Value {
    let bytes: Vec<u8> = (0..length).map(|_| rng.u8(0x20..0x7F)).collect();
    ascii(length, |at| bytes[at])
}

fn number(rng: &mut Rng) -> Value {
    let bits = match rng.u8(..6) {
        0 => [0, 1, u64::MAX, i64::MIN as u64, i64::MAX as u64, 1 << 31][rng.usize(..6)],
        _ => rng.u64(..) >> rng.u32(..64),
    };
    let specials = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, f64::MAX, 5e-324, -1.5];
    let real = if rng.bool() { specials[rng.usize(..8)] } else { f64::from_bits(bits) };
    // Java writes every NaN as this one.
    let real = if real.is_nan() { f64::from_bits(0x7FF8_0000_0000_0000) } else { real };
    let single = if real.is_nan() { f32::from_bits(0x7FC0_0000) } else { real as f32 };
    match rng.u8(..4) {
        0 => Value::I32(bits as i32),
        1 => Value::I64(bits as i64),
        2 => Value::F32(single.to_bits()),
        _ => Value::F64(real.to_bits()),
    }
}

fn small(rng: &mut Rng) -> Vec<Document> {
    let count = rng.usize(1..900);
    let document = |rng: &mut Rng, n: usize| -> Document {
        let mut fields = vec![(ID.to_owned(), ascii_text(&n.to_string()))];
        for field in 0..rng.usize(..4) {
            let length = rng.usize(..30);
            let text = Value::Text(texts::units(rng, length));
            fields.push((format!("f{field}"), if rng.bool() { text } else { number(rng) }));
        }
        fields
    };
    (0..count).map(|n| document(rng, n)).collect()
}

pub(super) fn ascii_text(text: &str) -> Value {
    Value::Text(text.encode_utf16().collect())
}

fn every_type(rng: &mut Rng) -> Vec<Document> {
    let count = rng.usize(1..300);
    let document = |rng: &mut Rng| -> Document {
        let mut fields: Vec<Field> = Vec::new();
        for n in 0..rng.usize(..30) {
            fields.push((format!("n{}", n % 7), number(rng)));
        }
        fields
    };
    (0..count).map(|_| document(rng)).collect()
}

fn long_texts(rng: &mut Rng) -> Vec<Document> {
    let count = rng.usize(1..12);
    let document = |rng: &mut Rng| -> Document {
        let length = [1_000, 16_000, 33_000, 81_920, 140_000][rng.usize(..5)] + rng.usize(..100);
        let text = if rng.bool() { noise(rng, length) } else { words(rng, length) };
        let tail = Value::Text(texts::units(rng, 20));
        vec![("body".into(), text), ("tail".into(), tail)]
    };
    (0..count).map(|_| document(rng)).collect()
}

/// Text that compresses as text does.
fn words(rng: &mut Rng, length: usize) -> Value {
    let words: Vec<String> =
        (0..60).map(|_| (0..rng.usize(1..10)).map(|_| rng.lowercase()).collect()).collect();
    let mut text = String::new();
    while text.len() < length {
        text += &words[rng.usize(..words.len())];
        text.push(' ');
    }
    text.truncate(length);
    ascii_text(&text)
}

/// Documents that end a chunk just before, at, and just behind where it is full or cut.
fn edges(rng: &mut Rng) -> Vec<Document> {
    let mut documents = Vec::new();
    for _ in 0..rng.usize(2..8) {
        let total = [16_384, 32_768, 49_152, 65_536][rng.usize(..4)] + rng.usize(..5) - 2;
        // The last document brings the buffer to that length, whatever stands before it; the field
        // and its length take three bytes below 16 KiB and four from there on.
        let before = if rng.bool() { 0 } else { rng.usize(10..16_000) };
        if before > 0 {
            let prefix = if before - 2 < 128 { 2 } else { 3 };
            documents.push(vec![("edge".into(), noise(rng, before - prefix))]);
        }
        let left = total - before;
        let prefix = if left - 3 < 16_384 { 3 } else { 4 };
        documents.push(vec![("edge".into(), noise(rng, left - prefix))]);
    }
    documents
}

fn binary(rng: &mut Rng) -> Vec<Document> {
    let count = rng.usize(1..60);
    let document = |rng: &mut Rng| -> Document {
        let length = [0, 1, 127, 128, 700, 5_000, 20_000][rng.usize(..7)];
        let mask = [0x00, 0x03, 0xFF][rng.usize(..3)];
        let bytes = (0..length).map(|_| rng.u8(..) & mask).collect();
        vec![("bytes".into(), Value::Bytes(bytes)), ("n".into(), number(rng))]
    };
    (0..count).map(|_| document(rng)).collect()
}

fn unicode(rng: &mut Rng) -> Vec<Document> {
    let count = rng.usize(1..80);
    let document = |rng: &mut Rng| -> Document {
        let mut fields: Vec<Field> = Vec::new();
        for name in ["plain", "naïve", "日本", "😀", ""] {
            let length = texts::length(rng);
            fields.push((name.into(), Value::Text(texts::units(rng, length))));
        }
        fields
    };
    (0..count).map(|_| document(rng)).collect()
}

/// Mostly documents without fields, of which 128 fill a chunk.
fn empty(rng: &mut Rng) -> Vec<Document> {
    let count = [1, 127, 128, 129, 1000, 5000][rng.usize(..6)];
    let rare = rng.usize(1..200);
    let document = |rng: &mut Rng| -> Document {
        if rng.usize(..=rare) > 0 { Vec::new() } else { vec![("rare".into(), number(rng))] }
    };
    (0..count).map(|_| document(rng)).collect()
}

fn many_fields(rng: &mut Rng) -> Vec<Document> {
    let names = rng.usize(20..3000);
    let count = rng.usize(1..20);
    let document = |rng: &mut Rng| -> Document {
        let field = |rng: &mut Rng| {
            let name = format!("name{}", rng.usize(..names));
            let length = rng.usize(..12);
            (name, Value::Text(texts::units(rng, length)))
        };
        (0..rng.usize(..1500)).map(|_| field(rng)).collect()
    };
    (0..count).map(|_| document(rng)).collect()
}

/// Long matches, far ones, and lengths at which LZ4 needs another byte.
fn repetitive(rng: &mut Rng) -> Vec<Document> {
    let mut documents = Vec::new();
    let block: Vec<u8> = (0..70_000).map(|_| rng.u8(..)).collect();
    for _ in 0..rng.usize(1..10) {
        let mut bytes = Vec::new();
        for _ in 0..rng.usize(1..40) {
            match rng.u8(..3) {
                0 => bytes.extend(std::iter::repeat_n(rng.u8(..), rng.usize(1..900))),
                1 => {
                    let at = rng.usize(..block.len() - 600);
                    bytes.extend(&block[at..at + rng.usize(1..600)]);
                }
                _ => bytes.extend((0..rng.usize(1..300)).map(|_| rng.u8(..))),
            }
        }
        if rng.u8(..4) == 0 {
            // Twice the same, at the longest distance that a match can have and one more.
            let far = block[..65_535 + rng.usize(..3)].to_vec();
            bytes = [far.clone(), far].concat();
        }
        documents.push(vec![("bytes".into(), Value::Bytes(bytes))]);
    }
    documents
}

fn anything(rng: &mut Rng) -> Vec<Document> {
    let mut documents = Vec::new();
    for _ in 0..rng.usize(2..5) {
        let (_, make) = KINDS[rng.usize(..KINDS.len() - 1)];
        let some = make(rng);
        let most = rng.usize(1..60);
        documents.extend(some.into_iter().filter(|document| named(document).is_none()).take(most));
    }
    rng.shuffle(&mut documents);
    documents
}

fn named(document: &Document) -> Option<&Field> {
    document.iter().find(|(name, _)| name == ID)
}

/// More chunks than one block of the index file has: most of them by the count of their documents,
/// some by their bytes.
fn thousands(rng: &mut Rng) -> Vec<Document> {
    let mut documents = Vec::new();
    for _ in 0..1_300 {
        match rng.u8(..20) {
            0 => {
                let unit = rng.u8(b'a'..=b'z');
                documents.push(vec![("same".into(), ascii(16_384, |_| unit))]);
            }
            1..=5 => documents.extend((0..128).map(|n| vec![("n".into(), Value::I32(n))])),
            _ => documents.extend(std::iter::repeat_n(Vec::new(), 128)),
        }
    }
    documents
}

fn megabyte(rng: &mut Rng) -> Vec<Document> {
    let mut text = texts::units(rng, 300_000);
    text.extend(std::iter::repeat_n(0x41, 700_000));
    vec![
        vec![("n".into(), Value::I32(1))],
        vec![("text".into(), Value::Text(text)), ("n".into(), Value::I32(2))],
        vec![("n".into(), Value::I32(3))],
    ]
}

#[cfg(test)]
mod tests {
    use super::super::document::encode;
    use super::*;

    #[test]
    fn sets_repeat_and_have_everything_in_them() {
        let sets = all();
        let again = all();
        for (one, other) in sets.iter().zip(&again) {
            assert!(one.documents == other.documents, "{}", one.name);
            assert!(!one.documents.is_empty(), "{}", one.name);
        }
        let fields = || sets.iter().flat_map(|set| set.documents.iter().flatten());
        let has = |wanted: fn(&Value) -> bool| fields().any(|(_, value)| wanted(value));
        assert!(has(|value| matches!(value, Value::Text(units) if units.is_empty())));
        assert!(has(|value| matches!(value, Value::Text(units) if units.len() > 81_920)));
        assert!(has(|value| matches!(value, Value::Bytes(bytes) if bytes.len() > 131_000)));
        assert!(has(|value| matches!(value, Value::F32(0x7FC0_0000))));
        // So that a run stays short.
        let total: usize = sets.iter().map(|set| encode(&set.documents).len()).sum();
        assert!(total < 100 << 20, "{total}");
    }
}
