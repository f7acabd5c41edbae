//! UTF-8 to UTF-16.

use crate::arch;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Writes `text` as UTF-16 to the start of `out` and returns how many units that took; `None` when
/// `out` is too small, and then nothing is promised about what it holds.
/// [`utf16_len`](crate::utf16_len) units always suffice.
///
/// ```
/// let mut out = [0; 4];
/// assert_eq!(utf8_runes::utf16::encode_utf16_into("日😊", &mut out), Some(3));
/// assert_eq!(out[..3], [0x65E5, 0xD83D, 0xDE0A]);
/// assert_eq!(utf8_runes::utf16::encode_utf16_into("日😊", &mut out[..2]), None);
/// ```
#[inline]
pub fn encode_utf16_into(text: &str, out: &mut [u16]) -> Option<usize> {
    arch::utf8_to_utf16(text, out)
}

/// Appends `text` as UTF-16.
///
/// ```
/// let mut out = vec![0x3E];
/// utf8_runes::utf16::append_utf16("日😊", &mut out);
/// assert_eq!(out, [0x3E, 0x65E5, 0xD83D, 0xDE0A]);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn append_utf16(text: &str, out: &mut Vec<u16>) {
    arch::utf16_append_units(text, out);
}
