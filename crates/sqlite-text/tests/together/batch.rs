//! Batches of text columns; `src/batch/tests.rs` compares them with a model.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::{Connection, params_from_iter};
use sqlite_text::{BatchReader, Error, Offset, StorageClass, TextBatch, TextStatement, TypePolicy};

/// A database with a table `t` of one column, whose values are TEXT of any bytes.
fn of_bytes(values: &[Vec<u8>]) -> Connection {
    let db = database("UTF-8");
    db.execute_batch("CREATE TABLE t (s)").unwrap();
    let mut insert = db.prepare("INSERT INTO t VALUES (cast(?1 AS TEXT))").unwrap();
    for value in values {
        insert.execute([value]).unwrap();
    }
    drop(insert);
    db
}

/// The rows of all batches, and what ended them.
fn all<O: Offset>(
    reader: &mut BatchReader<'_>,
    columns: usize,
) -> (Vec<Vec<Option<String>>>, Result<(), Error>) {
    let mut texts = Vec::new();
    let mut batch = vec![TextBatch::<O>::default(); columns];
    loop {
        match reader.next_batch(&mut batch) {
            Ok(0) => return (texts, Ok(())),
            Ok(rows) => {
                assert!(batch.iter().all(|column| column.len() == rows));
                let text = |i| batch.iter().map(|c| c.get(i).map(str::to_owned)).collect();
                texts.extend((0..rows).map(text));
            }
            Err(error) => {
                assert!(batch.iter().all(TextBatch::is_empty));
                assert_eq!(reader.next_batch(&mut batch), Ok(0));
                return (texts, Err(error));
            }
        }
    }
}

fn texts(column: &TextBatch) -> Vec<Option<&str>> {
    column.iter().collect()
}

/// Two rows that are no text, although their bytes one behind the other are: wherever the border
/// between them is in what is checked at a time.
#[test]
fn a_character_split_between_two_rows() {
    const EURO: &[u8] = "€".as_bytes();
    for cut in [1, 2] {
        for chunk in [0_usize, 16 << 10, 32 << 10, 64 << 10] {
            for shift in 0..8 {
                let filler = vec![b'x'; (chunk + 4).saturating_sub(shift)];
                let first = [b"a", &EURO[..cut]].concat();
                let values = [filler, first, EURO[cut..].to_vec(), b"later".to_vec()];
                let db = of_bytes(&values);
                let mut statement = TextStatement::prepare(&db, "SELECT s FROM t").unwrap();
                let (rows, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap(), 1);
                assert_eq!(rows.len(), 0);
                assert_eq!(end, Err(Error::InvalidUtf8 { column: 0, row: 1, valid_up_to: 1 }));

                let mut lossy = statement.read_batch(&[]).unwrap().lossy(true);
                let (rows, end) = all::<i64>(&mut lossy, 1);
                assert_eq!(end, Ok(()));
                for (text, value) in rows.iter().zip(&values) {
                    assert_eq!(text, &[Some(String::from_utf8_lossy(value).into_owned())]);
                }
            }
        }
    }
}

/// SQLite meets a number in the last row long before the text of the first ones has been checked.
#[test]
fn the_first_fault_by_rows_wins() {
    let db = database("UTF-8");
    let sql = "SELECT 'a', 'b', 'c' UNION ALL SELECT 'a', 'b', cast(x'63FF' AS TEXT) UNION ALL
               SELECT 'a', cast(x'FF' AS TEXT), 'c' UNION ALL SELECT 7, 'b', 'c'";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    let mut read =
        |columns, rows| all::<i32>(&mut statement.read_batch(&[]).unwrap().max_rows(rows), columns);
    let in_third = Err(Error::InvalidUtf8 { column: 2, row: 1, valid_up_to: 1 });
    let in_second = Err(Error::InvalidUtf8 { column: 1, row: 2, valid_up_to: 0 });
    let number = Err(Error::InvalidType { column: 0, row: 3, actual: StorageClass::Integer });
    for rows in 1..9 {
        let before = |bad| bad / rows * rows;
        assert_eq!(read(3, rows).1, in_third);
        assert_eq!(read(3, rows).0.len(), before(1));
        assert_eq!(read(2, rows).1, in_second);
        assert_eq!(read(2, rows).0.len(), before(2));
        assert_eq!(read(1, rows).1, number);
        assert_eq!(read(1, rows).0.len(), before(3));
    }
}

#[test]
fn an_error_of_a_step_leaves_nothing() {
    for encoding in ["UTF-8", "UTF-16le"] {
        let db = database(encoding);
        let sql = "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9)
                   SELECT iif(i < 5, 'text', abs(-9223372036854775807 - 1)) FROM n";
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        let (rows, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap().max_rows(3), 1);
        assert_eq!(rows.len(), 3);
        let Err(Error::Sqlite { code: 1, message, .. }) = end else { panic!("{end:?}") };
        assert_eq!(message, "integer overflow");
        // The text that is none came before.
        if encoding == "UTF-8" {
            let sql = sql.replace("'text'", "cast(x'FF' AS TEXT)");
            let mut statement = TextStatement::prepare(&db, &sql).unwrap();
            let (_, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap(), 1);
            assert_eq!(end, Err(Error::InvalidUtf8 { column: 0, row: 0, valid_up_to: 0 }));
        }
        // With the first row already.
        let sql = "SELECT abs(-9223372036854775807 - 1)";
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        for columns in [0, 1, 2] {
            let (_, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap(), columns);
            assert!(matches!(end, Err(Error::Sqlite { code: 1, .. })), "{end:?}");
        }
    }
}

#[test]
fn rows_count_from_the_start_of_the_result() {
    let db = of_bytes(&[b"0".into(), b"1".into(), b"2".into(), b"3".into(), b"\xFF".into()]);
    let mut statement = TextStatement::prepare(&db, "SELECT s FROM t").unwrap();
    let bad = Err(Error::InvalidUtf8 { column: 0, row: 4, valid_up_to: 0 });
    assert_eq!(all::<i32>(&mut statement.read_batch(&[]).unwrap().max_rows(2), 1).1, bad);

    let mut rows = statement.query(&[]).unwrap();
    assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("0"));
    assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("1"));
    let mut reader = rows.batches().max_rows(2);
    let mut column = [TextBatch::new()];
    assert_eq!(reader.next_batch(&mut column), Ok(2));
    assert_eq!(texts(&column[0]), [Some("2"), Some("3")]);
    assert_eq!(reader.next_batch(&mut column), bad.map(|()| 0));
    drop(reader);

    let mut rows = statement.query(&[]).unwrap();
    while rows.next().unwrap().is_some() {}
    assert_eq!(rows.batches().next_batch(&mut column), Ok(0));
}

#[test]
fn fewer_columns_are_the_first_and_more_are_an_error() {
    let db = database("UTF-8");
    let mut statement = TextStatement::prepare(&db, "VALUES ('a', 7), ('b', 8)").unwrap();
    let (rows, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap(), 1);
    assert_eq!((rows, end), (vec![vec![Some("a".into())], vec![Some("b".into())]], Ok(())));
    for columns in 3..5 {
        let (rows, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap(), columns);
        assert_eq!((rows.len(), end), (0, Err(Error::ColumnOutOfRange { column: 2 })));
    }
    // Of no columns only the rows are counted.
    let mut reader = statement.read_batch(&[]).unwrap().max_rows(0);
    assert_eq!([(); 3].map(|()| reader.next_batch::<i64>(&mut []).unwrap()), [1, 1, 0]);
    drop(reader);

    let mut none = TextStatement::prepare(&db, "CREATE TABLE t (s)").unwrap();
    assert_eq!(none.read_batch(&[]).unwrap().next_batch::<i32>(&mut []), Ok(0));
}

/// The row that had no room is neither lost nor twice there, whatever is made of it.
#[test]
fn max_bytes_ends_a_batch_before_a_row() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        for db in [database(encoding), serialised(encoding)] {
            let sql =
                "VALUES ('aa', 'bbb'), (NULL, ''), (x'C3A9C3A9', 1.5), ('', NULL), ('é', 'é')";
            let mut statement =
                TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
            let (whole, _) = all::<i32>(&mut statement.read_batch(&[]).unwrap(), 2);
            let sizes: Vec<usize> =
                whole.iter().map(|row| row.iter().flatten().map(String::len).sum()).collect();
            for max in 0..40 {
                let mut reader = statement.read_batch(&[]).unwrap().max_bytes(max);
                let mut columns = [TextBatch::new(), TextBatch::new()];
                let mut seen = 0;
                loop {
                    let rows = reader.next_batch(&mut columns).unwrap();
                    if rows == 0 {
                        break;
                    }
                    for i in 0..rows {
                        assert_eq!(
                            [0, 1].map(|c| columns[c].get(i)),
                            [0, 1].map(|c| whole[seen + i][c].as_deref())
                        );
                    }
                    let size: usize = sizes[seen..seen + rows].iter().sum();
                    assert!(rows == 1 || size <= max, "{rows} rows of {size} bytes, {max}");
                    // The next row would not have fitted.
                    if let Some(next) = sizes.get(seen + rows) {
                        assert!(size + next > max || size == max);
                    }
                    seen += rows;
                }
                assert_eq!(seen, whole.len());
            }
        }
    }
}

/// A row that a batch had no room for was converted when it was looked at; what class SQLite says
/// it is of then must not decide.
#[test]
fn a_row_put_off_keeps_its_policy() {
    let db = database("UTF-8");
    let sql = "VALUES ('abc'), (45), (6)";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    let refused = |row| Err(Error::InvalidType { column: 0, row, actual: StorageClass::Integer });
    let mut column = [TextBatch::new()];
    // Three bytes are the whole batch, so that nobody looks at the second row; or they are not.
    for (max_bytes, next) in [(3, refused(1)), (4, Ok(1))] {
        let reader = statement.read_batch(&[]).unwrap().policy(TypePolicy::Coerce);
        let mut reader = reader.max_bytes(max_bytes);
        assert_eq!(reader.next_batch(&mut column), Ok(1));
        let mut reader = reader.policy(TypePolicy::TextOnly).max_rows(1);
        assert_eq!(reader.next_batch(&mut column), next);
        if next.is_ok() {
            assert_eq!(texts(&column[0]), [Some("45")]);
            assert_eq!(reader.next_batch(&mut column), refused(2));
        }
    }
}

#[test]
fn the_policy_is_the_statements_unless_set() {
    let db = database("UTF-8");
    let sql = "VALUES ('a'), (NULL), (7)";
    let end = |policy: Option<TypePolicy>, own: Option<TypePolicy>| {
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        if let Some(policy) = policy {
            statement = statement.policy(policy);
        }
        let mut reader = statement.read_batch(&[]).unwrap();
        if let Some(own) = own {
            reader = reader.policy(own);
        }
        let end = all::<i32>(&mut reader, 1).1;
        drop(reader);
        // The reader's does not stay with the statement.
        let mut again = statement.read_batch(&[]).unwrap();
        assert!(own.is_some() || all::<i32>(&mut again, 1).1 == end);
        end
    };
    let refused = |row, actual| Err(Error::InvalidType { column: 0, row, actual });
    let (only, number) = (refused(1, StorageClass::Null), refused(2, StorageClass::Integer));
    assert_eq!(end(None, None), number);
    assert_eq!(end(Some(TypePolicy::TextOnly), None), only);
    assert_eq!(end(Some(TypePolicy::Coerce), None), Ok(()));
    assert_eq!(end(Some(TypePolicy::Coerce), Some(TypePolicy::TextOnly)), only);
    assert_eq!(end(Some(TypePolicy::TextOnly), Some(TypePolicy::Coerce)), Ok(()));
}

#[test]
fn text_that_is_none_is_replaced_cell_by_cell() {
    let db = of_bytes(&[b"\xE2\x82".into(), b"\xAC".into(), b"\xF0\x9F\x92!".into()]);
    let mut statement = TextStatement::prepare(&db, "SELECT s FROM t").unwrap();
    let mut column = [TextBatch::new()];
    // In the middle of a run it can be turned on.
    let mut reader = statement.read_batch(&[]).unwrap().lossy(true).max_rows(2);
    assert_eq!(reader.next_batch(&mut column), Ok(2));
    assert_eq!(texts(&column[0]), [Some("\u{FFFD}"), Some("\u{FFFD}")]);
    let mut reader = reader.lossy(false);
    let bad = Err(Error::InvalidUtf8 { column: 0, row: 2, valid_up_to: 0 });
    assert_eq!(reader.next_batch(&mut column), bad);

    for (encoding, lone) in [("UTF-16le", "x'61003DD86200'"), ("UTF-16be", "x'0061D83D0062'")] {
        let db = database(encoding);
        let sql = format!("SELECT 'a', cast({lone} AS TEXT), NULL, '😀'");
        let mut statement = TextStatement::prepare(&db, &sql).unwrap();
        let bad = Err(Error::InvalidUtf16 { column: 1, row: 0, index: 1 });
        assert_eq!(all::<i32>(&mut statement.read_batch(&[]).unwrap(), 4).1, bad);
        let (rows, end) = all::<i32>(&mut statement.read_batch(&[]).unwrap().lossy(true), 4);
        assert_eq!(end, Ok(()));
        let texts: Vec<Option<&str>> = rows[0].iter().map(Option::as_deref).collect();
        assert_eq!(texts, [Some("a"), Some("a\u{FFFD}b"), None, Some("😀")]);
    }
}

#[test]
fn a_batch_by_itself() {
    let empty = TextBatch::new();
    assert_eq!((empty.len(), empty.is_empty(), empty.get(0)), (0, true, None));
    assert_eq!(empty.into_parts(), (vec![], vec![0], None));
    assert_eq!(TextBatch::<i64>::default().into_parts(), (vec![], vec![0], None));

    let db = database("UTF-8");
    let sql = "VALUES (''), (NULL), ('héllo'), ('a' || char(0) || 'b')";
    let mut statement = TextStatement::prepare(&db, sql).unwrap();
    let mut batch = [TextBatch::new()];
    assert_eq!(statement.read_batch(&[]).unwrap().next_batch(&mut batch), Ok(4));
    let [mut batch] = batch;
    assert_eq!(format!("{batch:?}"), r#"[Some(""), None, Some("héllo"), Some("a\0b")]"#);
    assert_eq!(format!("{:?}", batch.iter()), format!("{batch:?}"));
    assert_eq!(
        [0, 1, 3, 4, usize::MAX].map(|i| batch.get(i)),
        [Some(""), None, Some("a\0b"), None, None]
    );
    let mut iter = batch.iter();
    assert_eq!(
        (iter.len(), iter.next_back(), iter.nth(2)),
        (4, Some(Some("a\0b")), Some(Some("héllo")))
    );
    assert_eq!((iter.len(), iter.next(), iter.next_back(), iter.next()), (0, None, None, None));
    assert!((&batch).into_iter().rev().eq(texts(&batch).into_iter().rev()));

    let mut wide = [TextBatch::<i64>::default()];
    assert_eq!(statement.read_batch(&[]).unwrap().next_batch(&mut wide), Ok(4));
    assert!(wide[0].iter().eq(&batch));
    assert_eq!(batch, batch.clone());
    assert_ne!(batch, TextBatch::default());

    let copy = batch.clone();
    batch.clear();
    assert_eq!((batch.len(), batch.get(0), batch.iter().next()), (0, None, None));
    assert_eq!(batch.clone().into_parts(), (vec![], vec![0], None));
    let (bytes, offsets, validity) = copy.into_parts();
    assert_eq!((&bytes[..], &offsets[..]), ("hélloa\0b".as_bytes(), &[0, 0, 0, 6, 9][..]));
    assert_eq!(validity, Some(vec![0b1101]));
    // A column's NULLs go when it is filled anew.
    let mut again = [batch];
    let mut statement = TextStatement::prepare(&db, "VALUES ('a'), ('b')").unwrap();
    assert_eq!(statement.read_batch(&[]).unwrap().next_batch(&mut again), Ok(2));
    let [again] = again;
    assert_eq!(again.into_parts(), (b"ab".into(), vec![0, 1, 2], None));
}

/// What rows are read as does not depend on how many are read at a time, and a run that was left
/// in the middle does not show in the next.
#[test]
fn a_reader_left_in_the_middle() {
    let db = database("UTF-8");
    let mut statement = TextStatement::prepare(&db, "VALUES ('a'), ('b'), (?1)").unwrap();
    let mut column = [TextBatch::new()];
    for last in ["x", "y"] {
        let mut reader = statement.read_batch(&[&last]).unwrap().max_rows(2);
        assert_eq!(reader.next_batch(&mut column), Ok(2));
        std::mem::forget(reader);
        let mut reader = statement.query_bound().unwrap().batches();
        assert_eq!(reader.next_batch(&mut column), Ok(3));
        assert_eq!(column[0].get(2), Some(last));
    }
    assert!(matches!(statement.read_batch(&[]), Err(Error::Sqlite { code: 25, .. })));
}

/// Long and short texts, so that what is checked at a time ends anywhere.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        20 => "[a-zé世😀]{0,20}".prop_map(String::into_bytes),
        6 => ("[a-zé世😀]{1,8}", 1..4000_usize).prop_map(|(text, n)| text.repeat(n).into_bytes()),
        1 => vec(any::<u8>(), 0..20),
        1 => (1..3_usize).prop_map(|n| "世".as_bytes()[..n].to_vec()),
        1 => (1..3_usize).prop_map(|n| "世".as_bytes()[n..].to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Rows and first error are those of reading value by value.
    #[test]
    fn as_value_by_value(
        rows in vec([bytes(), bytes()], 0..40),
        encoding in prop_oneof![3 => Just("UTF-8"), 1 => Just("UTF-16le"), 1 => Just("UTF-16be")],
        max_rows in 0..50_usize,
        max_bytes in 0..200_000_usize,
    ) {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (a, b)").unwrap();
        for row in &rows {
            let sql = "INSERT INTO t VALUES (cast(?1 AS TEXT), cast(?2 AS TEXT))";
            db.execute(sql, params_from_iter(row)).unwrap();
        }
        let mut statement = TextStatement::prepare(&db, "SELECT a, b FROM t ORDER BY rowid").unwrap();
        let mut seen = Vec::new();
        let end = (|| {
            let mut rows = statement.query(&[])?;
            while let Some(row) = rows.next()? {
                let text = |i| row.text_opt(i).map(|text| text.map(str::to_owned));
                seen.push(vec![text(0)?, text(1)?]);
            }
            Ok(())
        })();
        let mut reader = statement.read_batch(&[]).unwrap().max_rows(max_rows).max_bytes(max_bytes);
        let (batched, batched_end) = all::<i32>(&mut reader, 2);
        prop_assert_eq!(&batched_end, &end);
        prop_assert_eq!(&batched, &seen[..batched.len()]);
        prop_assert!(end.is_err() || batched.len() == seen.len());
    }
}
