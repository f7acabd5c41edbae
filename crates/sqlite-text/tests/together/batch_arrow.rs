//! Batches as arrays of Arrow.
#![cfg(all(feature = "arrow", feature = "rusqlite"))]

use crate::common::database;
use arrow_array::{Array, GenericStringArray, LargeStringArray, OffsetSizeTrait, StringArray};
use proptest::prelude::*;
use sqlite_text::{Offset, TextBatch, TextStatement};

fn batch<O: Offset>(texts: &[Option<String>], encoding: &str) -> TextBatch<O> {
    let db = database(encoding);
    db.execute_batch("CREATE TABLE t (s)").unwrap();
    for text in texts {
        db.execute("INSERT INTO t VALUES (?1)", [text]).unwrap();
    }
    let mut statement = TextStatement::prepare(&db, "SELECT s FROM t ORDER BY rowid").unwrap();
    let mut columns = [TextBatch::default()];
    let rows = statement.read_batch(&[]).unwrap().next_batch(&mut columns).unwrap();
    assert_eq!(rows, texts.len());
    let [batch] = columns;
    batch
}

/// Equal to what Arrow builds itself, which checks everything, of the parts and of the texts.
fn compare<O: Offset + OffsetSizeTrait>(batch: &TextBatch<O>, texts: &[Option<String>]) {
    let array = batch.clone().into_array();
    assert_eq!(array, GenericStringArray::<O>::from_iter(texts));
    let (bytes, offsets, validity) = batch.clone().into_parts();
    let offsets = arrow_buffer::OffsetBuffer::new(offsets.into());
    let valid = validity.map(|bits| {
        arrow_buffer::NullBuffer::new(arrow_buffer::BooleanBuffer::new(bits.into(), 0, texts.len()))
    });
    let checked = GenericStringArray::<O>::try_new(offsets, bytes.into(), valid).unwrap();
    assert_eq!(array, checked);
    assert_eq!(array.null_count(), texts.iter().filter(|text| text.is_none()).count());
    array.to_data().validate_full().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn arrays_are_those_that_arrow_builds(
        texts in proptest::collection::vec(proptest::option::weighted(0.8, "[a-zé世😀]{0,9}"), 0..40),
        encoding in prop_oneof![Just("UTF-8"), Just("UTF-16le"), Just("UTF-16be")],
    ) {
        compare(&batch::<i32>(&texts, encoding), &texts);
        compare(&batch::<i64>(&texts, encoding), &texts);
    }
}

#[test]
fn nothing_is_copied() {
    let texts = ["Aare", "Rhône", "Inn"].map(|text| Some(text.to_owned()));
    let batch: TextBatch = batch(&texts, "UTF-8");
    let start = batch.get(0).unwrap().as_ptr();
    let array: StringArray = batch.into_array();
    assert_eq!(array.value_data().as_ptr(), start);
    assert_eq!(array.value_data().len(), 13);
    // Of the offsets and the bits `tests/batch_allocations.rs` sees it.
    assert_eq!(array.value_offsets(), [0, 4, 10, 13]);
    assert!(array.nulls().is_none());
}

#[test]
fn no_rows_make_an_empty_array() {
    for array in [TextBatch::new().into_array(), batch::<i32>(&[], "UTF-8").into_array()] {
        assert_eq!((array.len(), array.value_offsets()), (0, &[0][..]));
        array.to_data().validate_full().unwrap();
    }
    assert_eq!(TextBatch::<i64>::default().into_array(), LargeStringArray::new_null(0));
    let none = batch::<i32>(&[None, None, None], "UTF-8");
    assert_eq!(none.into_array(), StringArray::new_null(3));
}
