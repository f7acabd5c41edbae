//! Bytes that were found to be ASCII, and memory for texts that rows borrow from.

use super::WideText;
use crate::raw::str_of;
use core::cell::{Cell, UnsafeCell};
use core::fmt;

/// The bytes as a `str` if they are UTF-8. Most values are short and ASCII: that is looked for with
/// few branches, since how long the next one is nobody can guess.
#[inline(always)]
pub(super) fn checked(bytes: &[u8]) -> Option<&str> {
    let length = bytes.len();
    if length > 32 {
        return long(bytes);
    }
    let Some(last) = length.checked_sub(8) else { return tiny(bytes) };
    // Words that overlap.
    let word = |at: usize| bytes.get(at..)?.first_chunk().copied().map(u64::from_ne_bytes);
    let all = word(0)? | word(last.min(8))? | word(last.min(16))? | word(last)?;
    if all & HIGH != 0 {
        return other(bytes);
    }
    // SAFETY: no byte has its highest bit set: all are ASCII, which is UTF-8.
    Some(unsafe { str_of(bytes) })
}

const HIGH: u64 = 0x8080_8080_8080_8080;

/// [`checked`] of up to 7 bytes.
#[inline(never)]
fn tiny(bytes: &[u8]) -> Option<&str> {
    let all = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
        u64::from(first | bytes.get(1).unwrap_or(first) | last)
    } else {
        0
    };
    if all & HIGH != 0 {
        return other(bytes);
    }
    // SAFETY: no byte has its highest bit set: all are ASCII, which is UTF-8.
    Some(unsafe { str_of(bytes) })
}

/// [`checked`] of more than 32 bytes. As long as they are few, the vectors that every processor
/// has are as good as wider ones, which must be asked for.
#[inline(never)]
fn long(bytes: &[u8]) -> Option<&str> {
    let all_ascii = match bytes.len() {
        0..128 => ascii_blocks::<32>(bytes),
        128..=512 => ascii_blocks::<128>(bytes),
        _ => false,
    };
    if !all_ascii {
        return other(bytes);
    }
    // SAFETY: they are ASCII, which is UTF-8.
    Some(unsafe { str_of(bytes) })
}

/// Whether all is ASCII; not of less than N bytes.
#[inline(always)]
fn ascii_blocks<const N: usize>(bytes: &[u8]) -> bool {
    let ascii = |block: &[u8; N]| !block.iter().fold(false, |high, byte| high | (*byte >= 0x80));
    // The last block overlaps the one before, or ends where that would.
    let Some(before) = bytes.len().checked_sub(1).and_then(|end| bytes.get(..end)) else {
        return false;
    };
    bytes.last_chunk().is_some_and(ascii) && before.as_chunks().0.iter().all(ascii)
}

/// [`checked`] of what is no short ASCII.
#[inline(never)]
fn other(bytes: &[u8]) -> Option<&str> {
    utf8_runes::bytes::validate(bytes).ok()
}

/// The texts of a row of a UTF-16 database, each transcoded when it is first asked for, and then
/// left where it is until the next row.
#[derive(Default)]
pub(crate) struct Wide {
    slots: Vec<Slot>,
    /// Counts the rows of all runs, from 1. Changed by [`Wide::same_columns`] alone, which has
    /// `&mut self`.
    row: u64,
}

/// The memory of a column.
#[derive(Default)]
struct Slot {
    /// The row whose text it holds; 0 is none.
    row: Cell<u64>,
    /// Written only while `row` is not that of the `Wide`, and lent only while it is.
    text: UnsafeCell<WideText>,
}

impl Wide {
    /// Forgets the texts, keeps their memory, and makes room for so many columns.
    pub(crate) fn next_row(&mut self, columns: usize) {
        self.slots.resize_with(columns, Slot::default);
        self.same_columns();
    }

    /// [`next_row`](Self::next_row), of as many columns as before.
    #[inline(always)]
    pub(crate) fn same_columns(&mut self) {
        self.row += 1;
    }

    /// The text of column `i`, if it was asked for in this row.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> Option<&WideText> {
        let slot = self.slots.get(i)?;
        if slot.row.get() != self.row {
            return None;
        }
        // SAFETY: its row is this one: it is not written before `same_columns`, whose `&mut self`
        // ends the borrow that is given out here.
        Some(unsafe { &*slot.text.get() })
    }

    /// Transcodes `units` into column `i` unless this row has done so; `None` when there is no such
    /// column.
    #[inline(always)]
    pub(crate) fn decode(&self, i: usize, units: &[u16]) -> Option<&WideText> {
        let slot = self.slots.get(i)?;
        if slot.row.get() != self.row {
            // SAFETY: its row is not this one, so that nothing of it was lent since `same_columns`,
            // whose `&mut self` ended what had been lent before. Nobody comes here meanwhile: the
            // type is not `Sync`, and `WideText::decode` knows nothing of it.
            let text = unsafe { &mut *slot.text.get() };
            text.decode(units);
            slot.row.set(self.row);
        }
        // SAFETY: as in `get`.
        Some(unsafe { &*slot.text.get() })
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wide").field("row", &self.row).finish_non_exhaustive()
    }
}
