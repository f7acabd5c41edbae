//! A batch as an array of Arrow.

use super::{Offset, TextBatch};
use arrow_array::{GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{BooleanBuffer, NullBuffer};

impl<O: Offset + OffsetSizeTrait> TextBatch<O> {
    /// The batch as a `StringArray` (or `LargeStringArray` for `i64`), without a copy and without
    /// another check.
    ///
    #[cfg_attr(feature = "rusqlite", doc = "```")]
    #[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
    /// # use std::sync::Arc;
    /// use arrow_array::{ArrayRef, RecordBatch};
    /// use sqlite_text::{TextBatch, TextStatement};
    ///
    /// let db = rusqlite::Connection::open_in_memory()?;
    /// db.execute_batch("CREATE TABLE t (name, city); INSERT INTO t VALUES ('Zoë', 'Bern'), ('Uwe', NULL)")?;
    /// let mut statement = TextStatement::prepare(&db, "SELECT name, city FROM t")?;
    /// let mut reader = statement.read_batch(&[])?;
    /// let mut columns = [TextBatch::new(), TextBatch::new()];
    /// while reader.next_batch(&mut columns)? != 0 {
    ///     let [name, city] = columns.each_mut().map(|c| Arc::new(std::mem::take(c).into_array()) as ArrayRef);
    ///     // Nullable, whether this batch has a NULL or not: all batches are of one schema.
    ///     let batch = RecordBatch::try_from_iter_with_nullable([("name", name, true), ("city", city, true)])?;
    ///     assert_eq!((batch.num_rows(), batch.column(1).null_count()), (2, 1));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_array(self) -> GenericStringArray<O> {
        let rows = self.len();
        let (cells, validity) = self.into_cells();
        let valid = validity.map(|bits| NullBuffer::new(BooleanBuffer::new(bits.into(), 0, rows)));
        cells.into_array(valid)
    }
}
