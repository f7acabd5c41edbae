//! Texts that lie one behind the other, and the `unsafe` that this needs.

use super::Offset;
use crate::decode;
use utf8_runes::utf16;

/// The bytes of many cells and where each ends; the first `ready` cells are known to be UTF-8.
///
/// What holds between two calls, because only this file writes the fields:
/// 1. `offsets` is empty, and `bytes` too; or it starts with 0, ascends, and ends with the length
///    of `bytes`.
/// 2. `offsets` has more than `ready` entries, or none, and then `ready` is 0.
/// 3. `bytes` up to `offsets[ready]` are UTF-8, and `offsets[..=ready]` are char boundaries of it.
///
/// A panic changes nothing of that: what appends makes room first, and then writes.
#[derive(Clone, Default)]
pub(super) struct Cells<O> {
    bytes: Vec<u8>,
    offsets: Vec<O>,
    ready: usize,
}

impl<O: Offset> Cells<O> {
    pub(super) const fn new() -> Self {
        Self { bytes: Vec::new(), offsets: Vec::new(), ready: 0 }
    }

    /// How many cells can be read.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.ready
    }

    /// How many cells were appended.
    #[inline]
    pub(super) fn appended(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// How many bytes the cells have that were appended.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// For how many cells there is memory.
    pub(super) fn capacity(&self) -> usize {
        self.offsets.capacity().saturating_sub(1)
    }

    pub(super) fn clear(&mut self) {
        self.ready = 0;
        self.offsets.clear();
        self.bytes.clear();
    }

    /// Empties it and makes it ready to be appended to, with room for so many cells and bytes.
    pub(super) fn start(&mut self, cells: usize, bytes: usize) {
        self.clear();
        self.offsets.reserve(cells.saturating_add(1));
        self.offsets.extend(O::of(0));
        self.bytes.reserve(bytes);
    }

    /// Takes back what was appended after the first `cells` cells.
    pub(super) fn cut(&mut self, cells: usize) {
        if cells < self.appended() {
            self.ready = self.ready.min(cells);
            self.bytes.truncate(self.offset(cells));
            self.offsets.truncate(cells + 1);
        }
    }

    /// Appends bytes that [`check`](Self::check) looks at later; how many, or `None` when there is
    /// no [`room`](Self::room), and then nothing is appended, as with the other ways to append.
    #[inline(always)]
    pub(super) fn append(&mut self, bytes: &[u8]) -> Option<usize> {
        let end = self.room(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        self.offsets.push(end);
        Some(bytes.len())
    }

    /// Appends bytes as text, with U+FFFD as `String::from_utf8_lossy` puts it.
    #[inline(never)]
    pub(super) fn append_lossy(&mut self, bytes: &[u8]) -> Option<usize> {
        let Ok(text) = decode::strict(bytes) else { return self.append_replaced(bytes) };
        let end = self.room(text.len())?;
        self.bytes.extend_from_slice(text.as_bytes());
        self.close(end);
        Some(text.len())
    }

    #[cold]
    fn append_replaced(&mut self, bytes: &[u8]) -> Option<usize> {
        let pieces = || {
            bytes.utf8_chunks().flat_map(|chunk| {
                let bad = !chunk.invalid().is_empty();
                [chunk.valid(), if bad { "\u{FFFD}" } else { "" }]
            })
        };
        let size = pieces().map(str::len).sum();
        let end = self.room(size)?;
        self.bytes.reserve(size);
        pieces().for_each(|piece| self.bytes.extend_from_slice(piece.as_bytes()));
        self.close(end);
        Some(size)
    }

    /// Appends UTF-16 as text, with U+FFFD for each lone surrogate; also says how many these were.
    #[inline]
    pub(super) fn append_utf16(&mut self, units: &[u16]) -> Option<(usize, usize)> {
        let before = self.bytes.len();
        // A unit takes three bytes at most.
        if self.room(units.len().saturating_mul(3)).is_none() {
            self.room(utf16::utf8_len(units))?;
        }
        let lone = utf16::append_utf8_lossy(units, &mut self.bytes);
        let size = self.bytes.len() - before;
        match O::of(self.bytes.len()) {
            Some(end) => self.close(end),
            None => self.bytes.truncate(before),
        }
        Some((size, lone))
    }

    /// Appends a cell without bytes.
    #[inline]
    pub(super) fn append_empty(&mut self) {
        if let Some(end) = self.room(0) {
            self.close(end);
        }
    }

    /// Where a cell of so many bytes would end, and room for that number; `None` when `O` does not
    /// reach so far, or before [`start`](Self::start).
    #[inline(always)]
    fn room(&mut self, size: usize) -> Option<O> {
        self.offsets.first()?;
        self.offsets.reserve(1);
        O::of(self.bytes.len().checked_add(size)?)
    }

    /// Ends a cell whose bytes are UTF-8 and have been appended.
    #[inline]
    fn close(&mut self, end: O) {
        // Else there are cells before it that are to be checked, and it will be with them.
        if self.ready == self.appended() {
            self.ready += 1;
        }
        self.offsets.push(end);
    }

    /// Checks what is not checked yet. Each cell must be UTF-8: that all of them together are is
    /// not enough, for a character could be split between two.
    pub(super) fn check(&mut self) -> bool {
        let start = self.offset(self.ready);
        let unread = self.bytes.get(start..).unwrap_or_default();
        let Ok(text) = utf8_runes::bytes::validate(unread) else { return false };
        let ends = self.offsets.get(self.ready..).unwrap_or_default();
        if !ends.iter().all(|end| text.is_char_boundary(end.get() - start)) {
            return false;
        }
        self.ready = self.appended();
        true
    }

    /// The first cell that is not UTF-8, and how many of its bytes are.
    #[cold]
    pub(super) fn first_invalid(&self) -> Option<(usize, usize)> {
        (self.ready..self.appended()).find_map(|i| {
            let cell = self.bytes.get(self.offset(i)..self.offset(i + 1)).unwrap_or_default();
            decode::strict(cell).err().map(|error| (i, error.valid_up_to()))
        })
    }

    #[inline]
    fn offset(&self, i: usize) -> usize {
        self.offsets.get(i).map_or(0, |offset| offset.get())
    }

    /// The cells that can be read, as one text.
    #[inline]
    pub(super) fn text(&self) -> &str {
        let checked = self.bytes.get(..self.offset(self.ready)).unwrap_or_default();
        // SAFETY: `bytes` up to `offsets[ready]` are UTF-8 (3).
        unsafe { crate::raw::str_of(checked) }
    }

    #[inline]
    pub(super) fn get(&self, i: usize) -> Option<&str> {
        if i >= self.ready {
            return None;
        }
        self.part(self.text(), i)
    }

    /// Cell `i` of [`text`](Self::text), for whoever reads many and has asked for that before.
    #[inline]
    pub(super) fn part<'a>(&self, text: &'a str, i: usize) -> Option<&'a str> {
        text.get(self.offset(i)..self.offset(i + 1))
    }

    /// The bytes and the offsets, one more than there are cells.
    pub(super) fn into_parts(mut self) -> (Vec<u8>, Vec<O>) {
        self.cut(self.ready);
        if self.offsets.is_empty() {
            self.offsets.extend(O::of(0));
        }
        (self.bytes, self.offsets)
    }
}

#[cfg(feature = "arrow")]
impl<O: Offset + arrow_array::OffsetSizeTrait> Cells<O> {
    /// As an array, `valid` having one bit a cell.
    pub(super) fn into_array(
        self,
        valid: Option<arrow_buffer::NullBuffer>,
    ) -> arrow_array::GenericStringArray<O> {
        let cells = self.ready;
        let (bytes, offsets) = self.into_parts();
        let valid = valid.filter(|valid| valid.len() == cells);
        // SAFETY: `into_parts` gives one offset at least; they ascend from 0 (1), and `O::of` makes
        // no negative ones.
        let offsets = unsafe { arrow_buffer::OffsetBuffer::new_unchecked(offsets.into()) };
        // SAFETY: `try_new` would accept it: `into_parts` has cut off what is not checked, so that
        // the bytes are UTF-8, the last offset is their number and all are char boundaries (3);
        // the bits are as many as the cells.
        unsafe { arrow_array::GenericStringArray::new_unchecked(offsets, bytes.into(), valid) }
    }
}
