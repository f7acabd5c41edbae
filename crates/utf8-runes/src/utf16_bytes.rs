//! UTF-16LE and UTF-16BE as bytes, at any alignment: what files, `SQLite` databases and wire
//! protocols hold.
//!
//! The functions have the names of [`utf16`]'s, are fewer (such bytes are written by
//! [`u16::to_le_bytes`] of what `utf16::append_utf16` gives) and treat surrogates alike: a pair is
//! one rune, a lone surrogate too. A U+FEFF at the start is a character like others; whoever takes it
//! for a byte order mark strips it before.
//!
//! # An odd byte at the end
//!
//! Half a unit cannot be read, yet is not dropped in silence: it is *one more malformed rune*. It
//! counts as one, [`prefix`] gives it as one, `lossy` functions make it one U+FFFD (after that of a
//! lone high surrogate, if one precedes it) and strict ones fail at its offset. The standard
//! library's `String::from_utf16le_lossy` and .NET do the same. `encoding_rs`, as the Encoding
//! Standard has it, gives one U+FFFD for a high surrogate and the odd byte behind it; `SQLite`
//! ignores the odd byte: whoever wants that passes `len & !1` bytes.
//!
//! ```
//! use utf8_runes::utf16_bytes::{self, Endian};
//!
//! let bytes = b"\x3D\xD8\x0A\xDE!\0?"; // 😊!, and half a unit
//! assert_eq!(utf16_bytes::count(bytes, Endian::Little), 3);
//! assert_eq!(utf16_bytes::prefix(bytes, Endian::Little, 1), &bytes[..4]);
//! let mut out = [0; 8];
//! let written = utf16_bytes::encode_lossy_into(bytes, Endian::Little, &mut out);
//! assert_eq!(&out[..written.unwrap()], "😊!\u{FFFD}".as_bytes());
//! ```

use crate::{arch, utf16};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::fmt;

/// The order of the two bytes of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    /// The lower byte first: UTF-16LE.
    Little,
    /// The higher byte first: UTF-16BE.
    Big,
}

/// Bytes that are not well-formed UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedUtf16 {
    /// Where the first lone surrogate starts, or the odd byte at the end.
    pub offset: usize,
}

impl fmt::Display for MalformedUtf16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed UTF-16 at byte {}", self.offset)
    }
}

impl core::error::Error for MalformedUtf16 {}

/// Calls the function of vectors for the order of the bytes; `None` where there are none.
macro_rules! by_vectors {
    ($function:ident, $endian:expr, $($arg:expr),*) => {
        match $endian {
            Endian::Little => arch::$function::<false>($($arg),*),
            Endian::Big => arch::$function::<true>($($arg),*),
        }
    };
}

/// The number of runes.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, count};
///
/// assert_eq!(count(b"\xD8\x3D\xDE\x0A\0A", Endian::Big), 2);
/// assert_eq!(count(b"A", Endian::Big), 1);
/// ```
#[must_use]
pub fn count(bytes: &[u8], endian: Endian) -> usize {
    let mut total = usize::from(is_odd(bytes));
    if let Some(count) = by_vectors!(utf16_bytes_count, endian, units_of(bytes)) {
        return total + count;
    }
    let _ = blocks(bytes, endian, |units| {
        total += arch::utf16_count(units);
        Some(())
    });
    total
}

/// The first `runes` runes; all of `bytes` when there are no more. Never ends inside a unit or a
/// pair.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, prefix};
///
/// let bytes = b"\xD8\x3D\xDE\x0A\0A";
/// assert_eq!(prefix(bytes, Endian::Big, 1), &bytes[..4]);
/// ```
#[must_use]
pub fn prefix(bytes: &[u8], endian: Endian, runes: usize) -> &[u8] {
    // No rune but the odd byte takes less than two.
    if runes >= bytes.len().div_ceil(2) {
        return bytes;
    }
    let mut left = runes;
    let mut at = 0;
    if let Some((taken, missing)) = by_vectors!(utf16_bytes_walk, endian, units_of(bytes), runes) {
        return if missing > 0 { bytes } else { bytes.get(..2 * taken).unwrap_or(bytes) };
    }
    let _ = blocks(bytes, endian, |units| {
        let (taken, missing) = arch::utf16_walk(units, left);
        at += 2 * taken;
        left = missing;
        (left > 0).then_some(())
    });
    // What is missing can only be the odd byte.
    if left > 0 { bytes } else { bytes.get(..at).unwrap_or(bytes) }
}

/// How many bytes of UTF-8 `append_utf8_lossy` and [`encode_lossy_into`] write.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, utf8_len};
///
/// assert_eq!(utf8_len(b"A\0\xE9\0\xE5\x65", Endian::Little), 6);
/// ```
#[must_use]
pub fn utf8_len(bytes: &[u8], endian: Endian) -> usize {
    let mut total = odd_len(bytes);
    if let Some(len) = by_vectors!(utf16_bytes_utf8_len, endian, units_of(bytes)) {
        return total + len;
    }
    let _ = blocks(bytes, endian, |units| {
        total += arch::utf16_utf8_len(units);
        Some(())
    });
    total
}

/// Whether `bytes` are well-formed: whole units, and every surrogate part of a pair.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, MalformedUtf16, validate};
///
/// assert_eq!(validate(b"A\0B\0", Endian::Little), Ok(()));
/// assert_eq!(validate(b"A\0B", Endian::Little), Err(MalformedUtf16 { offset: 2 }));
/// assert_eq!(validate(b"A\0\0\xD8", Endian::Little), Err(MalformedUtf16 { offset: 2 }));
/// ```
///
/// # Errors
/// At the first lone surrogate, or the odd byte at the end.
pub fn validate(bytes: &[u8], endian: Endian) -> Result<(), MalformedUtf16> {
    let units = units_of(bytes);
    let lone = by_vectors!(utf16_bytes_first_lone, endian, units);
    match lone.unwrap_or_else(|| first_lone(bytes, endian)) {
        Some(index) => Err(MalformedUtf16 { offset: 2 * index }),
        None if is_odd(bytes) => Err(MalformedUtf16 { offset: 2 * units.len() }),
        None => Ok(()),
    }
}

/// Writes UTF-8 to the start of `out`, one U+FFFD a malformed rune, and returns how many bytes that
/// took; `None` when `out` is too small, and then nothing is promised about what it holds.
/// [`utf8_len`] bytes always suffice. Of a longer `out` also what lies behind the text may be
/// overwritten.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, encode_lossy_into};
///
/// let mut out = [0; 6];
/// assert_eq!(encode_lossy_into(b"A\0\xE5\x65", Endian::Little, &mut out), Some(4));
/// assert_eq!(&out[..4], "A日".as_bytes());
/// assert_eq!(encode_lossy_into(b"A\0\xE5\x65", Endian::Little, &mut out[..3]), None);
/// ```
pub fn encode_lossy_into(bytes: &[u8], endian: Endian, out: &mut [u8]) -> Option<usize> {
    let mut at = match by_vectors!(utf16_bytes_encode_into, endian, units_of(bytes), out) {
        Some(done) => done?.0,
        None => encode_units(bytes, endian, out)?,
    };
    if is_odd(bytes) {
        out.get_mut(at..)?.get_mut(..REPLACEMENT.len())?.copy_from_slice(REPLACEMENT.as_bytes());
        at += REPLACEMENT.len();
    }
    Some(at)
}

/// The whole units of [`encode_lossy_into`].
fn encode_units(bytes: &[u8], endian: Endian, out: &mut [u8]) -> Option<usize> {
    let mut at = 0;
    blocks(bytes, endian, |units| {
        let (written, _) = arch::utf16_encode(units, out.get_mut(at..)?)?;
        at += written;
        Some(())
    })?;
    Some(at)
}

/// Appends UTF-8, one U+FFFD a malformed rune, and returns how many of those there were.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, append_utf8_lossy};
///
/// let mut out = b"> ".to_vec();
/// assert_eq!(append_utf8_lossy(b"A\0\0\xD8B", Endian::Little, &mut out), 2);
/// assert_eq!(out, "> A\u{FFFD}\u{FFFD}".as_bytes());
/// ```
#[cfg(feature = "alloc")]
pub fn append_utf8_lossy(bytes: &[u8], endian: Endian, out: &mut Vec<u8>) -> usize {
    let by_vectors = by_vectors!(utf16_bytes_append, endian, units_of(bytes), odd_len(bytes), out);
    let lone = by_vectors.unwrap_or_else(|| {
        // No unit takes more than three bytes. Else room to the byte, so that a fresh buffer is
        // allocated once.
        if out.capacity() - out.len() < bytes.len().saturating_mul(2) {
            out.reserve(utf8_len(bytes, endian));
        }
        let mut lone = 0;
        let _ = blocks(bytes, endian, |units| {
            lone += arch::utf16_append(units, out);
            Some(())
        });
        lone
    });
    if is_odd(bytes) {
        out.extend_from_slice(REPLACEMENT.as_bytes());
    }
    lone + usize::from(is_odd(bytes))
}

/// Appends UTF-8.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, MalformedUtf16, append_utf8};
///
/// let mut out = Vec::new();
/// assert_eq!(append_utf8(b"\xE5\x65", Endian::Little, &mut out), Ok(()));
/// assert_eq!(append_utf8(b"A", Endian::Little, &mut out), Err(MalformedUtf16 { offset: 0 }));
/// assert_eq!(out, "日".as_bytes());
/// ```
///
/// # Errors
/// At the first lone surrogate, or the odd byte at the end; `out` is then as it was.
#[cfg(feature = "alloc")]
pub fn append_utf8(bytes: &[u8], endian: Endian, out: &mut Vec<u8>) -> Result<(), MalformedUtf16> {
    let before = out.len();
    if append_utf8_lossy(bytes, endian, out) == 0 {
        return Ok(());
    }
    out.truncate(before);
    validate(bytes, endian)
}

/// [`append_utf8_lossy`] into a `String`.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, append_lossy};
///
/// let mut text = String::from("> ");
/// assert_eq!(append_lossy(b"\xE5\x65\0", Endian::Little, &mut text), 1);
/// assert_eq!(text, "> 日\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
pub fn append_lossy(bytes: &[u8], endian: Endian, out: &mut String) -> usize {
    let by_vectors =
        by_vectors!(utf16_bytes_append_text, endian, units_of(bytes), odd_len(bytes), out);
    let lone = by_vectors.unwrap_or_else(|| {
        if out.capacity() - out.len() < bytes.len().saturating_mul(2) {
            out.reserve(utf8_len(bytes, endian));
        }
        let mut lone = 0;
        let _ = blocks(bytes, endian, |units| {
            lone += arch::utf16_append_text(units, out);
            Some(())
        });
        lone
    });
    if is_odd(bytes) {
        out.push_str(REPLACEMENT);
    }
    lone + usize::from(is_odd(bytes))
}

/// [`append_utf8`] into a `String`.
///
/// ```
/// use utf8_runes::utf16_bytes::{Endian, MalformedUtf16, append};
///
/// let mut text = String::new();
/// assert_eq!(append(b"\0A\x65\xE5", Endian::Big, &mut text), Ok(()));
/// assert_eq!(text, "A日");
/// assert_eq!(append(b"\0B\xD8", Endian::Big, &mut text), Err(MalformedUtf16 { offset: 2 }));
/// assert_eq!(text, "A日");
/// ```
///
/// # Errors
/// At the first lone surrogate, or the odd byte at the end; `out` is then as it was.
#[cfg(feature = "alloc")]
pub fn append(bytes: &[u8], endian: Endian, out: &mut String) -> Result<(), MalformedUtf16> {
    let before = out.len();
    if append_lossy(bytes, endian, out) == 0 {
        return Ok(());
    }
    out.truncate(before);
    validate(bytes, endian)
}

const REPLACEMENT: &str = "\u{FFFD}";

const fn is_odd(bytes: &[u8]) -> bool {
    bytes.len() % 2 == 1
}

/// The whole units.
const fn units_of(bytes: &[u8]) -> &[[u8; 2]] {
    bytes.as_chunks().0
}

/// What the odd byte becomes takes.
const fn odd_len(bytes: &[u8]) -> usize {
    if is_odd(bytes) { REPLACEMENT.len() } else { 0 }
}

/// The index of the first lone surrogate.
fn first_lone(bytes: &[u8], endian: Endian) -> Option<usize> {
    let mut at = 0;
    let mut found = None;
    let _ = blocks(bytes, endian, |units| {
        found = arch::utf16_first_lone(units).map(|index| at + index);
        at += units.len();
        found.is_none().then_some(())
    });
    found
}

/// Shows `visit` the units, some at a time, no pair in two parts, until it gives `None`; whether
/// that never was.
fn blocks(bytes: &[u8], endian: Endian, visit: impl FnMut(&[u16]) -> Option<()>) -> Option<()> {
    // The less there is, the more it costs to clear a buffer.
    if bytes.len() <= 2 * 32 {
        blocks_of::<32>(bytes, endian, visit)
    } else {
        blocks_of::<256>(bytes, endian, visit)
    }
}

fn blocks_of<const N: usize>(
    bytes: &[u8],
    endian: Endian,
    mut visit: impl FnMut(&[u16]) -> Option<()>,
) -> Option<()> {
    let mut buffer = [0; N];
    let (mut pairs, _) = bytes.as_chunks::<2>();
    while !pairs.is_empty() {
        let head = pairs.get(..N).unwrap_or(pairs);
        let places = buffer.iter_mut().zip(head);
        match endian {
            Endian::Little => places.for_each(|(unit, pair)| *unit = u16::from_le_bytes(*pair)),
            Endian::Big => places.for_each(|(unit, pair)| *unit = u16::from_be_bytes(*pair)),
        }
        let mut units = buffer.get(..head.len()).unwrap_or_default();
        if head.len() < pairs.len()
            && let Some((last, others)) = units.split_last()
            && utf16::is_high(*last)
        {
            // What may be a pair over the edge goes whole into the next part.
            units = others;
        }
        visit(units)?;
        pairs = pairs.get(units.len()..).unwrap_or_default();
    }
    Some(())
}
