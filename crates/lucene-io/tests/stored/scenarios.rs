//! The scenarios of Lucene's `BaseStoredFieldsFormatTestCase`, each under its name.

use super::files::get;
use super::model::{COMPRESSIONS, Doc, Owned, Rng, doc, open, own, read_all, visit, write};
use lucene_io::stored::{Compression, Reader, Value, Verify, Visit};
use std::thread;

/// `testRandomStoredFields`
#[test]
fn random_stored_fields() {
    let mut rng = Rng(1);
    let mut order: Vec<usize> = (0..5).collect();
    let mut docs = Vec::new();
    for id in 0..300 {
        let mut fields = doc([("id", id.to_string().as_str())]);
        for field in &order {
            if rng.below(4) != 3 {
                fields.push((format!("f{field}"), Owned::String(rng.text(1000))));
            }
        }
        docs.push(fields);
        if rng.below(50) == 17 {
            let by = rng.below(5);
            order.rotate_left(by);
        }
    }
    for compression in COMPRESSIONS {
        let mut reader = open(&write(&docs, compression));
        for _ in 0..300 {
            let id = rng.below(docs.len());
            let document = reader.document(id as u32).unwrap();
            for field in 0..5 {
                let name = format!("f{field}");
                let expected = docs[id].iter().find(|(known, _)| *known == name);
                assert_eq!(document.get(&name).map(Owned::from).as_ref(), expected.map(|e| &e.1));
            }
        }
    }
}

/// `testStoredFieldsOrder` (LUCENE-1727)
#[test]
fn stored_fields_order() {
    let fields = doc([("zzz", "a b c"), ("aaa", "a b c"), ("zzz", "1 2 3")]);
    let mut reader = open(&write(std::slice::from_ref(&fields), Compression::LuceneExact));
    let document = reader.document(0).unwrap();
    assert_eq!(own(&document), fields);
    assert_eq!(document.get("zzz"), Some(Value::String("a b c")));
    assert_eq!(document.get("bbb"), None);
    let numbers: Vec<u32> = document.fields().map(|field| field.number).collect();
    assert_eq!(numbers, [0, 1, 0]);
}

/// `testBinaryFieldOffsetLength` (LUCENE-1219)
#[test]
fn binary_field_offset_length() {
    let bytes: Vec<u8> = (77..127).collect();
    let fields = vec![("binary".into(), Owned::Bytes(bytes[10..27].to_vec()))];
    let mut reader = open(&write(&[fields], Compression::LuceneExact));
    let document = reader.document(0).unwrap();
    assert_eq!(document.get("binary"), Some(Value::Bytes(&bytes[10..27])));
}

/// `testNumericField`
#[test]
fn numeric_field() {
    let mut rng = Rng(2);
    let edges = [0, 1, i64::MIN, i64::MAX, -1, 0x7FF8_0000_0000_0001, 0x7FA0_0000_7FA0_0000];
    let docs: Vec<Doc> = (0..500)
        .map(|id| {
            let bits = edges.get(id).copied().unwrap_or(rng.next() as i64);
            [
                ("int", Owned::I32(bits as i32)),
                ("long", Owned::I64(bits)),
                ("float", Owned::F32(bits as u32)),
                ("double", Owned::F64(bits as u64)),
                ("id", Owned::I32(id as i32)),
            ]
            .map(|(name, value)| (name.into(), value))
            .into()
        })
        .collect();
    let mut reader = open(&write(&docs, Compression::LuceneExact));
    assert_eq!(read_all(&mut reader).unwrap(), docs);
}

/// `testIndexedBit`: a field that is stored and nothing else is not said to be indexed.
#[test]
fn indexed_bit() {
    let dir = write(&[doc([("field", "value")])], Compression::LuceneExact);
    let infos = get(&dir, "_0.fnm");
    let name = b"\x05field";
    let at = infos.windows(name.len()).position(|bytes| bytes == name).unwrap() + name.len();
    // Its number, how it is indexed, its doc values and norms.
    assert_eq!(infos[at..at + 3], [0, 0, 0]);
}

/// `testReadSkip`: one field of a document, the others passed over.
#[test]
fn read_skip() {
    let fields: Doc = [
        ("bytes", Owned::Bytes(b"\x00\xFF skipped".to_vec())),
        ("string", Owned::String("skipped too".into())),
        ("long", Owned::I64(-41)),
        ("int", Owned::I32(41)),
        ("float", Owned::F32(0.25_f32.to_bits())),
        ("double", Owned::F64(0.125_f64.to_bits())),
    ]
    .map(|(name, value)| (name.into(), value))
    .into();
    let mut reader = open(&write(&vec![fields.clone(); 100], Compression::LuceneExact));
    for (i, (name, value)) in fields.iter().enumerate() {
        let mut seen = 0;
        let mut found = None;
        reader
            .visit(17, |field| {
                seen += 1;
                if field.name != name {
                    return Visit::Next;
                }
                found = Some(Owned::from(field.value));
                Visit::Stop
            })
            .unwrap();
        assert_eq!((seen, found.as_ref()), (i + 1, Some(value)));
    }
}

/// `testEmptyDocs`
#[test]
fn empty_docs() {
    for count in [0, 1, 2, 127, 128, 129, 1000] {
        for compression in COMPRESSIONS {
            let mut reader = open(&write(&vec![Doc::new(); count], compression));
            assert_eq!(reader.doc_count() as usize, count);
            for doc in 0..count as u32 {
                assert_eq!(visit(&mut reader, doc).unwrap(), []);
                assert_eq!(reader.document(doc).unwrap().fields().count(), 0);
            }
        }
    }
}

/// `testConcurrentReads`: each thread has its own clone.
#[test]
fn concurrent_reads() {
    let docs: Vec<Doc> = (0..1000).map(|id: i32| doc([("fld", id.to_string().as_str())])).collect();
    let mut reader = open(&write(&docs, Compression::LuceneExact));
    // A clone does not go on where the original is.
    assert_eq!(visit(&mut reader, 500).unwrap(), docs[500]);
    thread::scope(|scope| {
        for seed in 1..=6 {
            let (mut reader, docs) = (reader.clone(), &docs);
            scope.spawn(move || {
                let mut rng = Rng(seed);
                for _ in 0..200 {
                    let id = rng.below(docs.len());
                    assert_eq!(visit(&mut reader, id as u32).unwrap(), docs[id]);
                }
            });
        }
    });
    assert_eq!(visit(&mut reader, 501).unwrap(), docs[501]);
}

/// `testWriteReadMerge`: fields of few and many bytes, here copied from segment to segment.
#[test]
fn write_read_merge() {
    let mut rng = Rng(3);
    let mut docs = Vec::new();
    for id in 0..300 {
        let count = if rng.below(10) == 0 { rng.below(500) } else { rng.below(5) } + 1;
        let mut fields: Doc = vec![("id".into(), Owned::I32(id))];
        for i in 0..count {
            let len = if rng.below(10) == 0 { rng.below(1000) } else { rng.below(10) };
            let max = if rng.below(10) == 0 { 256 } else { 2 };
            fields.push((format!("bytes{i}"), Owned::Bytes(rng.bytes(len, max))));
        }
        docs.push(fields);
    }
    let mut first = open(&write(&docs, Compression::Fast));
    let copied = read_all(&mut first).unwrap();
    assert_eq!(copied, docs);
    let mut second = open(&write(&copied[100..], Compression::LuceneExact));
    assert_eq!(read_all(&mut second).unwrap(), docs[100..]);
}

/// `testBigDocuments`: many small fields, and one large one, among empty documents.
#[test]
fn big_documents() {
    let mut rng = Rng(4);
    let many = vec![(String::from("fld"), Owned::Bytes(rng.bytes(7, 256))); 20_000];
    let large = vec![("fld".into(), Owned::Bytes(rng.bytes(1_000_000, 2)))];
    let docs = [vec![], large.clone(), many.clone(), vec![], many, large, vec![]];
    for compression in COMPRESSIONS {
        let mut reader = open(&write(&docs, compression));
        for id in [6, 0, 2, 1, 5, 3, 4, 2, 1] {
            assert!(visit(&mut reader, id).unwrap() == docs[id as usize], "{id}");
            assert!(own(&reader.document(id).unwrap()) == docs[id as usize], "{id}");
        }
    }
}

/// `testBulkMergeWithDeletes`, as far as stored fields go: those that are left, in bulk.
#[test]
fn bulk_merge_with_deletes() {
    let mut rng = Rng(5);
    let docs = rng.docs(700, 8, 40);
    let mut reader = open(&write(&docs, Compression::LuceneExact));
    let mut left: Vec<u32> = (0..700).filter(|_| rng.below(3) > 0).collect();
    for _ in 0..3 {
        let read: Vec<Doc> = reader.documents(&left).unwrap().iter().map(own).collect();
        let expected: Vec<Doc> = left.iter().map(|&id| docs[id as usize].clone()).collect();
        assert_eq!(read, expected);
        // Now in another order, with some of them twice.
        for i in (1..left.len()).rev() {
            left.swap(i, rng.below(i + 1));
        }
        left.extend_from_within(..50);
    }
    assert!(reader.documents(&[]).unwrap().is_empty());
}

/// Every block of `.fdx` but the last has 1024 chunks.
#[test]
fn many_chunks() {
    let text = "x".repeat(16_400);
    let docs: Vec<Doc> = (0..2100)
        .map(|id| vec![("id".into(), Owned::I32(id)), ("text".into(), Owned::String(text.clone()))])
        .collect();
    let dir = write(&docs, Compression::LuceneExact);
    for verify in [Verify::OnOpen, Verify::Lazy] {
        let mut reader = Reader::open(&dir, "_0", verify).unwrap();
        for id in (0..2100).step_by(7).chain([0, 1023, 1024, 1025, 2047, 2048, 2099]) {
            let document = reader.document(id).unwrap();
            assert_eq!(document.get("id"), Some(Value::I32(id as i32)));
        }
    }
}
