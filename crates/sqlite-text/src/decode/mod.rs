//! From the bytes of a TEXT to a `str`: the one place that decides what is text.

#[allow(unsafe_code, reason = "the room of its own")]
mod raw;

pub(crate) use raw::Wide;

use crate::error::{Error, Result};
use core::str::Utf8Error;
use std::borrow::Cow;

/// The bytes as a `str`, checked, not copied.
#[inline(always)]
pub(crate) fn strict(bytes: &[u8]) -> core::result::Result<&str, Utf8Error> {
    match raw::checked(bytes) {
        Some(text) => Ok(text),
        None => refused(bytes),
    }
}

/// Why it is no text.
#[cold]
fn refused(bytes: &[u8]) -> core::result::Result<&str, Utf8Error> {
    utf8_runes::bytes::validate(bytes)
}

/// The bytes of a cell as a `str`, or the error that names the cell.
#[inline(always)]
pub(crate) fn text(bytes: &[u8], column: usize, row: usize) -> Result<&str> {
    match strict(bytes) {
        Ok(text) => Ok(text),
        Err(error) => Err(not_utf8(column, row, error.valid_up_to())),
    }
}

#[cold]
fn not_utf8(column: usize, row: usize, valid_up_to: usize) -> Error {
    Error::InvalidUtf8 { column, row, valid_up_to }
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

/// A value that may be read as text.
pub(crate) enum Read<'a> {
    Null,
    /// Unchecked.
    Utf8(&'a [u8]),
    Utf16(&'a WideText),
}

impl<'a> Read<'a> {
    /// The text, `None` for NULL, or the error that names the cell.
    #[inline]
    pub(crate) fn text_opt(self, column: usize, row: usize) -> Result<Option<&'a str>> {
        match self {
            Read::Null => Ok(None),
            Read::Utf8(bytes) => text(bytes, column, row).map(Some),
            Read::Utf16(wide) => wide.text(column, row).map(Some),
        }
    }

    /// The text with U+FFFD for what is none, `None` for NULL.
    #[inline]
    pub(crate) fn lossy(self) -> Option<Cow<'a, str>> {
        match self {
            Read::Null => None,
            Read::Utf8(bytes) => Some(lossy(bytes)),
            Read::Utf16(wide) => Some(Cow::Borrowed(&wide.text)),
        }
    }
}

/// The text of a cell of a UTF-16 database.
#[derive(Debug, Default)]
pub(crate) struct WideText {
    /// U+FFFD in place of each lone surrogate.
    pub(crate) text: String,
    /// Where the first lone surrogate is, in code units.
    pub(crate) lone: Option<usize>,
}

impl WideText {
    /// The text, or the error that names the cell.
    #[inline]
    pub(crate) fn text(&self, column: usize, row: usize) -> Result<&str> {
        match self.lone {
            None => Ok(&self.text),
            Some(index) => Err(Error::InvalidUtf16 { column, row, index }),
        }
    }

    /// Becomes the text of `units`, in the memory that it has.
    #[inline]
    fn decode(&mut self, units: &[u16]) {
        self.text.clear();
        self.lone = None;
        if utf8_runes::utf16::append_lossy(units, &mut self.text) != 0 {
            self.lone = first_lone(units);
        }
    }
}

#[cold]
fn first_lone(units: &[u16]) -> Option<usize> {
    utf8_runes::utf16::validate(units).err().map(|lone| lone.index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Short ASCII is decided here, the rest elsewhere: the verdict and its place are those of the
    /// standard library whatever the length, and wherever the byte that is no ASCII lies.
    #[test]
    fn the_verdict_is_the_standard_librarys() {
        for length in (0..150).chain([511, 512, 513, 600]) {
            let ascii = vec![b'a'; length];
            assert_eq!(strict(&ascii), core::str::from_utf8(&ascii));
            for at in 0..length {
                for wrong in [&[0x80][..], b"\xFF", b"\xC3", b"\xC3\xA9", b"\xE6\x97\xA5"] {
                    let mut bytes = ascii.clone();
                    for (place, byte) in bytes.iter_mut().skip(at).zip(wrong) {
                        *place = *byte;
                    }
                    assert_eq!(strict(&bytes), core::str::from_utf8(&bytes), "{length}, {at}");
                }
            }
        }
    }

    #[test]
    fn a_wide_text_is_that_of_its_row() {
        let mut wide = Wide::default();
        wide.next_row(2);
        assert!(wide.get(0).is_none());
        let first = wide.decode(0, &[0x61, 0xD800]).unwrap();
        // What is held stays as it is while others are made, and is not made again.
        let second = wide.decode(1, &[0x62]).unwrap();
        let again = wide.decode(0, &[0x63]).unwrap();
        assert!(core::ptr::eq(first, again));
        assert_eq!((&*first.text, first.lone), ("a\u{FFFD}", Some(1)));
        assert_eq!((&*second.text, second.lone), ("b", None));
        assert!(wide.decode(2, &[0x64]).is_none());
        wide.same_columns();
        assert!(wide.get(0).is_none());
        assert_eq!(wide.decode(0, &[0x65]).unwrap().text, "e");
        assert!(wide.get(1).is_none());
        wide.next_row(3);
        assert!(wide.get(0).is_none() && wide.get(2).is_none());
        assert_eq!(wide.decode(2, &[]).unwrap().text, "");
    }
}
