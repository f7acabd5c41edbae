//! UTF-16, as Java, .NET and Windows hold text: counting, cutting, and turning it into UTF-8.
//!
//! A high surrogate followed by a low one is one rune; any other surrogate is a *lone* one and
//! counts as one rune too. Cutting keeps lone surrogates; only what becomes UTF-8, which cannot
//! hold them, replaces or refuses them.

use crate::arch;
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::fmt;

/// A surrogate that is not part of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoneSurrogate {
    /// Its index among the units.
    pub index: usize,
}

impl fmt::Display for LoneSurrogate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lone surrogate at UTF-16 unit {}", self.index)
    }
}

impl core::error::Error for LoneSurrogate {}

/// The number of runes: units, less one for each pair.
///
/// ```
/// assert_eq!(utf8_runes::utf16::count(&[0x41, 0xD83D, 0xDE0A, 0xD83D]), 3);
/// ```
#[inline]
#[must_use]
pub fn count(units: &[u16]) -> usize {
    arch::utf16_count(units)
}

/// The number of units that the first `runes` runes take: `Some(units.len())` when there are
/// exactly that many, `None` when there are fewer. Never inside a pair.
///
/// ```
/// let units = [0xD83D, 0xDE0A, 0x21];
/// assert_eq!(utf8_runes::utf16::offset(&units, 1), Some(2));
/// assert_eq!(utf8_runes::utf16::offset(&units, 3), None);
/// ```
#[inline]
#[must_use]
pub fn offset(units: &[u16], runes: usize) -> Option<usize> {
    let (at, missing) = arch::utf16_walk(units, runes);
    (missing == 0).then_some(at)
}

/// The first `runes` runes; all of `units` when there are no more. Never ends inside a pair.
///
/// ```
/// let units: Vec<u16> = "😊!?".encode_utf16().collect();
/// assert_eq!(utf8_runes::utf16::prefix(&units, 2), &units[..3]);
/// ```
#[inline]
#[must_use]
pub fn prefix(units: &[u16], runes: usize) -> &[u16] {
    // No rune takes less than a unit: nothing to look at, nothing to cut.
    if runes >= units.len() {
        return units;
    }
    units.get(..arch::utf16_walk(units, runes).0).unwrap_or(units)
}

/// How many bytes of UTF-8 `append_utf8_lossy` and [`encode_lossy_into`] write.
///
/// ```
/// assert_eq!(utf8_runes::utf16::utf8_len(&[0x41, 0xE9, 0x65E5, 0xD83D, 0xDE0A, 0xD800]), 13);
/// ```
#[inline]
#[must_use]
pub fn utf8_len(units: &[u16]) -> usize {
    arch::utf16_utf8_len(units)
}

/// Writes `units` as UTF-8 to the start of `out`, one U+FFFD a lone surrogate, and returns how many
/// bytes that took; `None` when `out` is too small, and then nothing is promised about what it
/// holds. [`utf8_len`] bytes always suffice.
///
/// ```
/// let mut out = [0; 8];
/// assert_eq!(utf8_runes::utf16::encode_lossy_into(&[0x65E5, 0xD800], &mut out), Some(6));
/// assert_eq!(&out[..6], "日\u{FFFD}".as_bytes());
/// assert_eq!(utf8_runes::utf16::encode_lossy_into(&[0x65E5, 0xD800], &mut out[..5]), None);
/// ```
#[inline]
pub fn encode_lossy_into(units: &[u16], out: &mut [u8]) -> Option<usize> {
    arch::utf16_encode(units, out).map(|(written, _)| written)
}

/// Appends `units` as UTF-8, one U+FFFD a lone surrogate, and returns how many of those there were.
///
/// ```
/// let mut out = b"> ".to_vec();
/// assert_eq!(utf8_runes::utf16::append_utf8_lossy(&[0x65E5, 0xD800], &mut out), 1);
/// assert_eq!(out, "> 日\u{FFFD}".as_bytes());
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn append_utf8_lossy(units: &[u16], out: &mut Vec<u8>) -> usize {
    arch::utf16_append(units, out)
}

/// Appends `units` as UTF-8.
///
/// # Errors
/// At the first lone surrogate; `out` is then as it was.
#[cfg(feature = "alloc")]
pub fn append_utf8(units: &[u16], out: &mut Vec<u8>) -> Result<(), LoneSurrogate> {
    let before = out.len();
    if append_utf8_lossy(units, out) == 0 {
        return Ok(());
    }
    out.truncate(before);
    Err(first_lone(units))
}

/// [`append_utf8_lossy`] into a `String`.
#[cfg(feature = "alloc")]
#[inline]
pub fn append_lossy(units: &[u16], out: &mut String) -> usize {
    arch::utf16_append_text(units, out)
}

/// [`append_utf8`] into a `String`.
///
/// # Errors
/// At the first lone surrogate; `out` is then as it was.
#[cfg(feature = "alloc")]
pub fn append(units: &[u16], out: &mut String) -> Result<(), LoneSurrogate> {
    let before = out.len();
    if append_lossy(units, out) == 0 {
        return Ok(());
    }
    out.truncate(before);
    Err(first_lone(units))
}

/// Only called when there is one.
#[cfg(feature = "alloc")]
#[cold]
fn first_lone(units: &[u16]) -> LoneSurrogate {
    let mut index = 0;
    for item in char::decode_utf16(units.iter().copied()) {
        match item {
            Ok(c) => index += c.len_utf16(),
            Err(_) => break,
        }
    }
    LoneSurrogate { index }
}
