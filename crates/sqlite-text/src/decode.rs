//! From the bytes of a TEXT to a `str`: the one place that decides what is text.

use core::cell::{OnceCell, RefCell};
use core::str::Utf8Error;
use std::borrow::Cow;

/// The bytes as a `str`, checked, not copied.
#[inline]
pub(crate) fn strict(bytes: &[u8]) -> Result<&str, Utf8Error> {
    utf8_runes::bytes::validate(bytes)
}

/// The bytes as a `str`, U+FFFD for what is no UTF-8 as `String::from_utf8_lossy` puts it. Copies
/// only when it must replace.
#[inline]
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match strict(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => replaced(bytes),
    }
}

#[cold]
fn replaced(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The text of a cell of a UTF-16 database.
#[derive(Debug, Default)]
pub(crate) struct WideText {
    /// U+FFFD in place of each lone surrogate.
    pub(crate) text: String,
    /// Where the first lone surrogate is, in code units.
    pub(crate) lone: Option<usize>,
}

/// The texts of a row of a UTF-16 database, each transcoded when it is first asked for and then
/// left where it is until the next row.
#[derive(Debug, Default)]
pub(crate) struct Wide {
    cells: Vec<OnceCell<WideText>>,
    /// Strings of earlier rows, for their memory.
    spare: RefCell<Vec<String>>,
}

impl Wide {
    /// Forgets the texts and keeps their memory.
    pub(crate) fn next_row(&mut self, columns: usize) {
        self.cells.resize_with(columns, OnceCell::new);
        let used = self.cells.iter_mut().filter_map(OnceCell::take);
        self.spare.get_mut().extend(used.map(|cell| cell.text));
    }

    pub(crate) fn get(&self, i: usize) -> Option<&WideText> {
        self.cells.get(i)?.get()
    }

    /// Transcodes `units` into column `i`; `None` when there is no such column.
    pub(crate) fn decode(&self, i: usize, units: &[u16]) -> Option<&WideText> {
        let cell = self.cells.get(i)?;
        Some(cell.get_or_init(|| {
            let mut text = self.spare.borrow_mut().pop().unwrap_or_default();
            text.clear();
            let lone = utf8_runes::utf16::append_lossy(units, &mut text);
            WideText { text, lone: if lone == 0 { None } else { first_lone(units) } }
        }))
    }
}

#[cold]
fn first_lone(units: &[u16]) -> Option<usize> {
    let mut index = 0;
    char::decode_utf16(units.iter().copied()).find_map(|scalar| match scalar {
        Ok(scalar) => {
            index += scalar.len_utf16();
            None
        }
        Err(_) => Some(index),
    })
}
