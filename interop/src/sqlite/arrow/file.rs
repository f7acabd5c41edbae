//! Batches of ours as a file of Arrow's.

use super::tables::Table;
use anyhow::Result;
use arrow_array::{ArrayRef, OffsetSizeTrait, RecordBatch};
use arrow_ipc::writer::FileWriter;
use rusqlite::Connection;
use sqlite_text::{BatchReader, Offset, TextBatch, TextStatement};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// How a table is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// Offsets of 32 bits; a batch ends after so many rows.
    Rows,
    /// Offsets of 64 bits; a batch ends after so many bytes.
    Bytes,
}

impl Shape {
    pub(super) const ALL: [Self; 2] = [Self::Rows, Self::Bytes];

    /// As Arrow's C++ names it.
    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Rows => "string",
            Self::Bytes => "large_string",
        }
    }
}

/// Writes the table; tells of how many batches.
pub(super) fn write(db: &Connection, table: &Table, shape: Shape, file: &Path) -> Result<usize> {
    let mut statement = TextStatement::prepare(db, &table.query())?;
    let reader = statement.read_batch(&[])?.lossy(!table.is_sound());
    match shape {
        Shape::Rows => write_as::<i32>(reader.max_rows(1000), table, file),
        Shape::Bytes => write_as::<i64>(reader.max_bytes(10_000), table, file),
    }
}

fn write_as<O: Offset + OffsetSizeTrait>(
    mut reader: BatchReader<'_>,
    table: &Table,
    file: &Path,
) -> Result<usize> {
    let mut columns: Vec<TextBatch<O>> = Vec::new();
    columns.resize_with(table.columns.len(), TextBatch::default);
    let schema = record(table, &mut columns)?.schema();
    let mut writer = FileWriter::try_new(File::create(file)?, &schema)?;
    let mut batches = 0;
    while reader.next_batch(&mut columns)? != 0 {
        writer.write(&record(table, &mut columns)?)?;
        batches += 1;
    }
    writer.finish()?;
    Ok(batches)
}

/// Leaves empty batches behind.
fn record<O: Offset + OffsetSizeTrait>(
    table: &Table,
    columns: &mut [TextBatch<O>],
) -> Result<RecordBatch> {
    let arrays =
        columns.iter_mut().map(|column| Arc::new(std::mem::take(column).into_array()) as ArrayRef);
    let named = table.names().into_iter().zip(arrays).map(|(name, array)| (name, array, true));
    Ok(RecordBatch::try_from_iter_with_nullable(named)?)
}

#[cfg(test)]
mod tests {
    use super::super::tables::{all, fill};
    use super::*;
    use arrow_array::{Array as _, GenericStringArray};
    use arrow_ipc::reader::FileReader;

    fn texts<O: OffsetSizeTrait>(file: &Path, column: usize) -> Vec<Option<String>> {
        let reader = FileReader::try_new(File::open(file).unwrap(), None).unwrap();
        let mut texts = Vec::new();
        for batch in reader {
            let batch = batch.unwrap();
            let array = batch.column(column).as_any();
            let array = array.downcast_ref::<GenericStringArray<O>>().unwrap();
            array.to_data().validate_full().unwrap();
            texts.extend(array.iter().map(|text| text.map(str::to_owned)));
        }
        texts
    }

    #[test]
    fn what_is_written_is_what_the_tables_hold() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("tables.db");
        let tables = all("UTF-16be");
        let db = fill(&database, "UTF-16be", &tables).unwrap();
        let file = folder.path().join("table.arrow");
        for table in &tables {
            for (at, column) in table.columns.iter().enumerate() {
                assert!(write(&db, table, Shape::Rows, &file).unwrap() <= column.texts().len());
                assert_eq!(texts::<i32>(&file, at), column.texts(), "{}", table.name);
                write(&db, table, Shape::Bytes, &file).unwrap();
                assert_eq!(texts::<i64>(&file, at), column.texts(), "{}", table.name);
            }
        }
    }
}
