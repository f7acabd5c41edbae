//! Stored fields: what was written is read back, and a damaged or invented segment is read without
//! a panic, alike by every way to read it.

use super::files::{Opaque, Source, damage, footed, get, put, seal};
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, FieldRef, Reader, Value, Verify, Visit, Writer};
use lucene_io::{DataOutput, Error, codec};

/// A value of its own; floats by their bits.
#[derive(Debug, Clone, PartialEq)]
enum Owned {
    String(String),
    Bytes(Vec<u8>),
    I32(i32),
    I64(i64),
    F32(u32),
    F64(u64),
}

type Field = (String, Owned);
type Doc = Vec<Field>;

/// The most documents that are read of an invented segment: a few bytes can stand for 2³¹ empty ones.
const DOCS: u32 = 200;

/// The first byte says which.
pub fn stored(data: &[u8]) {
    let mut source = Source(data);
    match source.byte() {
        how if how & 1 == 0 => written(&mut source, how >> 1),
        how => invented(&mut source, how >> 1),
    }
}

/// Documents are written, read back, damaged and read again.
fn written(source: &mut Source<'_>, how: u8) {
    let compression = match how & 3 {
        0 => Compression::Fast,
        1 => Compression::Literals,
        _ => Compression::LuceneExact,
    };
    let length = source.two();
    let docs = documents(&mut Source(source.take(length)));
    let dir = RamDirectory::new();
    write(&dir, &docs, compression);
    for verify in [Verify::OnOpen, Verify::Lazy] {
        let mut reader = Reader::open(&dir, "_0", verify).expect("as written");
        assert_eq!(reader.doc_count(), docs.len() as u32);
        for (id, doc) in (0..).zip(&docs) {
            assert_eq!(visit(&mut reader, id).expect("as written"), *doc);
        }
        let ids: Vec<u32> = (0..docs.len() as u32).rev().collect();
        let read = reader.documents(&ids).expect("as written");
        for (document, doc) in read.iter().rev().zip(&docs) {
            assert_eq!(document.fields().map(owned).collect::<Doc>(), *doc);
        }
        assert!(reader.visit(docs.len() as u32, |_| Visit::Next).is_err());
    }
    if source.is_empty() {
        return;
    }
    let checksums = how & 4 == 0;
    let mut changed = Vec::new();
    while !source.is_empty() {
        let name = ["_0.fdt", "_0.fdx", "_0.fnm", "_0.si"][usize::from(source.byte() % 4)];
        let before = get(&dir, name);
        let mut bytes = before.clone();
        if damage(&mut bytes, source) && !checksums {
            let differ = bytes.iter().zip(&before).filter(|(a, b)| a != b).count();
            changed.push((bytes.len() == before.len()).then_some(differ));
        }
        if checksums {
            seal(&mut bytes, true);
        }
        put(&dir, name, &bytes);
    }
    if let [Some(1)] = changed[..] {
        assert!(Reader::open(&dir, "_0", Verify::OnOpen).is_err(), "one byte is always found");
    }
    all(&dir);
}

/// A `.fdt` or `.fdx` of any bytes behind a header that is right.
fn invented(source: &mut Source<'_>, how: u8) {
    let version = i32::from(how & 3).min(2);
    let (docs, size) = (u32::from(source.byte()), 1 + source.two());
    let dir = RamDirectory::new();
    // For its `.fnm` and `.si`.
    let empty: Vec<Doc> =
        vec![vec![("a".into(), Owned::I32(1)), ("b".into(), Owned::I32(2))]; docs as usize];
    write(&dir, &empty, Compression::Fast);

    let packed = i32::from(how >> 2) % 3;
    let mut file = Vec::new();
    let out = &mut file;
    codec::write_header(out, "Lucene41StoredFieldsData", version).expect("a codec's name");
    if version >= 1 {
        out.write_vint(size as i32).expect("a vector");
    }
    out.write_vint(packed).expect("a vector");
    let start = out.len();
    let mut index = Vec::new();
    codec::write_header(&mut index, "Lucene41StoredFieldsIndex", version).expect("a codec's name");
    index.write_vint(packed).expect("a vector");
    if how & 0x40 == 0 {
        // One chunk.
        out.write_vint(0).expect("a vector");
        out.write_vint(docs as i32).expect("a vector");
        out.extend_from_slice(source.0);
        index.extend_from_slice(&[1, 0, 0, 1, 0]);
        index.write_vlong(start as i64).expect("a vector");
        index.extend_from_slice(&[0, 1, 0, 0]);
        if packed == 0 {
            // Whole words.
            index.splice(index.len() - 1..index.len() - 1, [0; 7]);
        }
    } else {
        let n = usize::from(source.byte());
        index.extend_from_slice(source.take(n));
        index.push(0);
        out.extend_from_slice(source.0);
    }
    if version >= 2 {
        index.write_vlong(file.len() as i64).expect("a vector");
        (file, index) = (footed(file), footed(index));
    }
    put(&dir, "_0.fdt", &file);
    put(&dir, "_0.fdx", &index);
    all(&dir);
}

/// Reads all documents in several ways, which must agree.
fn all(dir: &RamDirectory) {
    let opened = Reader::open(dir, "_0", Verify::Lazy);
    let verified = Reader::open(dir, "_0", Verify::OnOpen);
    let opaque = Reader::open(&Opaque(dir), "_0", Verify::OnOpen);
    assert_eq!(text(&verified), text(&opaque));
    assert_eq!(text(&opened), text(&Reader::open(&Opaque(dir), "_0", Verify::Lazy)));
    assert!(opened.is_ok() || verified.is_err(), "less is verified, and more is refused");
    let Ok(mut reader) = opened else { return };
    let n = reader.doc_count().min(DOCS);
    let forwards: Vec<_> = (0..n).map(|id| visit(&mut reader, id)).collect();
    if let (Ok(mut verified), Ok(mut opaque)) = (verified, opaque) {
        for (id, doc) in (0..).zip(&forwards) {
            same(doc, &visit(&mut opaque, id), true);
            same(doc, &visit(&mut verified, id), true);
        }
    }
    // What is decompressed depends on the order, and so may what is found to be wrong.
    let mut other = reader.clone();
    for id in (0..n).rev() {
        same(&forwards[id as usize], &visit(&mut other, id), false);
        let document = other.document(id).map(|document| document.fields().map(owned).collect());
        same(&forwards[id as usize], &document, false);
    }
    let ids: Vec<u32> = (0..n).step_by(3).chain((0..n).rev().step_by(2)).collect();
    if let Ok(documents) = reader.documents(&ids) {
        for (&id, document) in ids.iter().zip(&documents) {
            same(&forwards[id as usize], &Ok(document.fields().map(owned).collect()), false);
        }
    }
    assert!(reader.visit(reader.doc_count(), |_| Visit::Next).is_err());
    // Enough is enough, and text that is none is replaced.
    reader.set_lossy(true);
    for id in 0..n {
        let mut seen = 0;
        let _ = reader.visit(id, |_| {
            seen += 1;
            if seen == 2 { Visit::Stop } else { Visit::Next }
        });
        assert!(seen <= 2);
        if let (Ok(doc), Ok(lossy)) = (&forwards[id as usize], visit(&mut reader, id)) {
            assert_eq!(lossy, *doc);
        }
    }
}

fn text<T>(result: &Result<T, Error>) -> Option<String> {
    result.as_ref().err().map(ToString::to_string)
}

fn same(one: &Result<Doc, Error>, other: &Result<Doc, Error>, errors: bool) {
    match (one, other) {
        (Ok(one), Ok(other)) => assert_eq!(one, other),
        _ if errors => assert_eq!(text(one), text(other)),
        _ => {}
    }
}

fn visit(reader: &mut Reader, id: u32) -> Result<Doc, Error> {
    let mut doc = Doc::new();
    reader.visit(id, |field| {
        doc.push(owned(field));
        Visit::Next
    })?;
    Ok(doc)
}

fn owned(field: FieldRef<'_>) -> Field {
    let value = match field.value {
        Value::String(text) => Owned::String(text.into()),
        Value::Bytes(bytes) => Owned::Bytes(bytes.into()),
        Value::I32(value) => Owned::I32(value),
        Value::I64(value) => Owned::I64(value),
        Value::F32(value) => Owned::F32(value.to_bits()),
        Value::F64(value) => Owned::F64(value.to_bits()),
    };
    (field.name.into(), value)
}

fn write(dir: &RamDirectory, docs: &[Doc], compression: Compression) {
    let mut writer = Writer::create(dir, "_0", compression).expect("a new segment");
    for doc in docs {
        let out = writer.start_document().expect("none is open");
        for (name, value) in doc {
            match value {
                Owned::String(text) => out.string(name, text),
                Owned::Bytes(bytes) => out.bytes(name, bytes),
                Owned::I32(value) => out.i32(name, *value),
                Owned::I64(value) => out.i64(name, *value),
                Owned::F32(bits) => out.f32(name, f32::from_bits(*bits)),
                Owned::F64(bits) => out.f64(name, f64::from_bits(*bits)),
            };
        }
        out.end().expect("fields that fit");
    }
    let segment = writer.finish().expect("no document is open");
    index::write_commit(dir, &[segment], Target::Lucene46).expect("the first commit");
    assert_eq!(dir.list_all().expect("memory").len(), 5);
}

/// What the bytes say: fields, ends of documents, and again what there was.
fn documents(source: &mut Source<'_>) -> Vec<Doc> {
    let mut docs = Vec::new();
    let mut doc = Doc::new();
    let mut room = 60_000_usize;
    while !source.is_empty() && room > 0 {
        let op = source.byte();
        let n = usize::from(op >> 4);
        room = room.saturating_sub(50);
        let name = ["a", "body", "Größe", ""][usize::from(op >> 3 & 1) + 2 * (n & 1)].to_owned();
        let value = match op % 8 {
            0 => Owned::String(String::from_utf8_lossy(source.take(n)).into_owned()),
            1 => Owned::Bytes(source.take(n * 8).to_vec()),
            2 => Owned::I32(source.two() as i32 - 100),
            3 => Owned::I64(-(source.two() as i64) << (n * 3)),
            4 if op & 8 == 0 => Owned::F32(source.two() as u32 * 65_537),
            4 => Owned::F64(source.two() as u64 * 0x1_0001_0001_0001),
            5 => {
                // Long ones.
                let times = source.two().min(room / (n + 1));
                room -= times * n;
                Owned::String(String::from_utf8_lossy(source.take(n)).repeat(times / 3))
            }
            6 => {
                docs.push(std::mem::take(&mut doc));
                continue;
            }
            _ => {
                // Documents that are alike, or empty.
                for _ in 0..n * 10 {
                    let size = 50 + doc.iter().map(|(_, value)| 50 + size(value)).sum::<usize>();
                    room = room.saturating_sub(size);
                    if room > 0 {
                        docs.push(doc.clone());
                    }
                }
                continue;
            }
        };
        doc.push((name, value));
    }
    docs.push(doc);
    docs
}

fn size(value: &Owned) -> usize {
    match value {
        Owned::String(text) => text.len(),
        Owned::Bytes(bytes) => bytes.len(),
        _ => 8,
    }
}
