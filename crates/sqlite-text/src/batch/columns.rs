//! A column of a batch.

use super::Offset;
use super::raw::Cells;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

/// Many texts of one column in Arrow's layout: their UTF-8 one behind the other, where each ends,
/// and, if there is a NULL, a bit for each that is none.
///
/// A [`BatchReader`](crate::BatchReader) fills it, and refills it in the same memory. The texts
/// are checked: what is read from a batch is UTF-8.
///
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::{TextBatch, TextStatement};
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let mut statement = TextStatement::prepare(&db, "VALUES ('Aare'), (NULL), (''), ('Rhône')")?;
/// let mut rivers = [TextBatch::new()];
/// assert_eq!(statement.read_batch(&[])?.next_batch(&mut rivers)?, 4);
/// let [rivers] = rivers;
/// assert_eq!(rivers.get(3), Some("Rhône"));
/// assert_eq!(rivers.iter().flatten().collect::<String>(), "AareRhône");
///
/// let (bytes, offsets, validity) = rivers.into_parts();
/// assert_eq!(bytes, "AareRhône".as_bytes());
/// assert_eq!(offsets, [0, 4, 4, 4, 10]);
/// assert_eq!(validity, Some(vec![0b1101]));
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[derive(Clone)]
pub struct TextBatch<O: Offset = i32> {
    cells: Cells<O>,
    nulls: Nulls,
}

impl TextBatch {
    /// A batch without rows, of `i32` offsets; of others: `TextBatch::<i64>::default()`.
    #[must_use]
    pub const fn new() -> Self {
        Self { cells: Cells::new(), nulls: Nulls::new() }
    }
}

impl<O: Offset> TextBatch<O> {
    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no row.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a row, counted from 0; `None` for NULL and for a row that is not there.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&str> {
        if self.nulls.has(row) { None } else { self.cells.get(row) }
    }

    /// The texts in order, `None` for NULL.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> TextBatchIter<'_, O> {
        TextBatchIter { batch: self, text: self.cells.text(), rows: 0..self.len() }
    }

    /// Removes the rows and keeps the memory.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.nulls.clear();
    }

    /// The bytes of the texts, the offsets, and the validity, none of them copied.
    ///
    /// The bytes are UTF-8. There is one offset more than there are rows: row `i` is
    /// `bytes[offsets[i]..offsets[i + 1]]`, and NULL has no bytes. The validity is there only if a
    /// NULL is: bit `i % 8` of byte `i / 8`, the lowest bit first, is 1 for a text and 0 for NULL
    /// and behind the last row.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Vec<O>, Option<Vec<u8>>) {
        let validity = self.nulls.into_validity(self.cells.len());
        let (bytes, offsets) = self.cells.into_parts();
        (bytes, offsets, validity)
    }

    /// For `into_array`.
    #[cfg(feature = "arrow")]
    pub(super) fn into_cells(self) -> (Cells<O>, Option<Vec<u8>>) {
        let validity = self.nulls.into_validity(self.cells.len());
        (self.cells, validity)
    }

    /// The cells, for appending what is not NULL.
    #[inline(always)]
    pub(super) fn cells(&mut self) -> &mut Cells<O> {
        &mut self.cells
    }

    /// The first text that is none, by its row, and how many of its bytes are UTF-8.
    #[cold]
    pub(super) fn first_invalid(&self) -> Option<(usize, usize)> {
        self.cells.first_invalid()
    }

    #[inline]
    pub(super) fn append_null(&mut self) {
        self.nulls.add(self.cells.appended(), self.cells.capacity());
        self.cells.append_empty();
    }

    /// Takes back what was appended after the first `rows` rows, of which there is at most one.
    pub(super) fn cut(&mut self, rows: usize) {
        self.nulls.remove(rows);
        self.cells.cut(rows);
    }
}

impl<O: Offset> Default for TextBatch<O> {
    fn default() -> Self {
        Self { cells: Cells::new(), nulls: Nulls::new() }
    }
}

impl<O: Offset> fmt::Debug for TextBatch<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// By the texts.
impl<O: Offset> PartialEq for TextBatch<O> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<O: Offset> Eq for TextBatch<O> {}

impl<'a, O: Offset> IntoIterator for &'a TextBatch<O> {
    type Item = Option<&'a str>;
    type IntoIter = TextBatchIter<'a, O>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The texts of a [`TextBatch`] in order.
#[derive(Clone)]
pub struct TextBatchIter<'a, O: Offset = i32> {
    batch: &'a TextBatch<O>,
    text: &'a str,
    rows: Range<usize>,
}

impl<'a, O: Offset> TextBatchIter<'a, O> {
    #[inline]
    fn at(&self, row: usize) -> Option<&'a str> {
        if self.batch.nulls.has(row) { None } else { self.batch.cells.part(self.text, row) }
    }
}

impl<'a, O: Offset> Iterator for TextBatchIter<'a, O> {
    type Item = Option<&'a str>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().map(|row| self.at(row))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.rows.nth(n).map(|row| self.at(row))
    }
}

impl<O: Offset> DoubleEndedIterator for TextBatchIter<'_, O> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.rows.next_back().map(|row| self.at(row))
    }
}

impl<O: Offset> ExactSizeIterator for TextBatchIter<'_, O> {}

impl<O: Offset> FusedIterator for TextBatchIter<'_, O> {}

impl<O: Offset> fmt::Debug for TextBatchIter<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Which rows are NULL, as Arrow's validity up to the last of them: rows behind it cost nothing.
#[derive(Clone)]
struct Nulls {
    bits: Vec<u8>,
    count: usize,
}

impl Nulls {
    const fn new() -> Self {
        Self { bits: Vec::new(), count: 0 }
    }

    fn clear(&mut self) {
        self.bits.clear();
        self.count = 0;
    }

    #[inline]
    fn has(&self, row: usize) -> bool {
        self.bits.get(row / 8).is_some_and(|bits| bits & mask(row) == 0)
    }

    /// `row` is none yet; so many rows are likely.
    fn add(&mut self, row: usize, rows: usize) {
        if row / 8 >= self.bits.len() {
            self.bits.reserve((rows / 8 + 1).saturating_sub(self.bits.len()));
            self.bits.resize(row / 8 + 1, 0xFF);
        }
        if let Some(bits) = self.bits.get_mut(row / 8) {
            *bits &= !mask(row);
            self.count += 1;
        }
    }

    fn remove(&mut self, row: usize) {
        if let Some(bits) = self.bits.get_mut(row / 8)
            && *bits & mask(row) == 0
        {
            *bits |= mask(row);
            self.count -= 1;
        }
    }

    fn into_validity(mut self, rows: usize) -> Option<Vec<u8>> {
        if self.count == 0 {
            return None;
        }
        self.bits.resize(rows.div_ceil(8), 0xFF);
        if let Some(last) = self.bits.last_mut()
            && !rows.is_multiple_of(8)
        {
            *last &= mask(rows) - 1;
        }
        Some(self.bits)
    }
}

#[inline]
fn mask(row: usize) -> u8 {
    1 << (row % 8)
}
