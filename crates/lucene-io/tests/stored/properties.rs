//! Whatever is written is read: over the edges of chunks and pieces, in any order.

use super::files::older;
use super::model::{COMPRESSIONS, Doc, Owned, own, read_all, visit, write};
use lucene_io::stored::{Reader, Verify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-d]", 1 => any::<String>(), 1 => Just(String::new())]
}

fn value() -> impl Strategy<Value = Owned> {
    prop_oneof![
        any::<String>().prop_map(Owned::String),
        // Up to some pieces, of a few bytes over and over.
        ("[a-z]{1,9}", 0..6000_usize).prop_map(|(text, n)| Owned::String(text.repeat(n))),
        vec(any::<u8>(), 0..400).prop_map(Owned::Bytes),
        any::<i32>().prop_map(Owned::I32),
        any::<i64>().prop_map(Owned::I64),
        any::<u32>().prop_map(Owned::F32),
        any::<u64>().prop_map(Owned::F64),
    ]
}

/// Runs of documents: some of one, some of as many as fill chunks.
fn docs() -> impl Strategy<Value = Vec<Doc>> {
    let small = vec(
        (name(), prop_oneof![any::<i32>().prop_map(Owned::I32), ".{0,20}".prop_map(Owned::String)]),
        0..4,
    );
    let any = vec((name(), value()), 0..12);
    let runs = prop_oneof![(any, 1..3_usize), (small, 1..300_usize)];
    vec(runs, 0..8).prop_map(|runs| {
        runs.into_iter().flat_map(|(doc, times)| std::iter::repeat_n(doc, times)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_written_is_read(docs in docs(), places in vec(any::<Index>(), 0..40), mode in 0..3_usize) {
        let dir = write(&docs, COMPRESSIONS[mode]);
        let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
        prop_assert_eq!(reader.doc_count() as usize, docs.len());
        prop_assert!(read_all(&mut reader).unwrap() == docs);
        if docs.is_empty() {
            return Ok(());
        }
        let ids: Vec<u32> = places.iter().map(|place| place.index(docs.len()) as u32).collect();
        for (at, &id) in ids.iter().enumerate() {
            // Each way to read a document, in any order, by one reader.
            let read = if at % 2 == 0 {
                visit(&mut reader, id).unwrap()
            } else {
                own(&reader.document(id).unwrap())
            };
            prop_assert!(read == docs[id as usize], "document {id}");
        }
        let documents = reader.documents(&ids).unwrap();
        prop_assert_eq!(documents.len(), ids.len());
        for (document, id) in documents.iter().zip(ids) {
            prop_assert!(own(document) == docs[id as usize], "document {id}");
        }
    }

    #[test]
    fn older_versions_too(docs in docs()) {
        let dir = older(&write(&docs, COMPRESSIONS[0]), 1);
        let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
        prop_assert!(read_all(&mut reader).unwrap() == docs);
    }
}
