//! Text to value-chars: attr-chars as they are, every other byte as `%` and two digits.

use crate::arch::Counted;
use crate::error::BufferTooSmall;
use alloc::borrow::Cow;
use alloc::string::String;

/// What an ill-formed subpart is written as: U+FFFD in UTF-8, escaped.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// The number of value-chars of `value`, in bytes: exactly what [`encode_into`] writes.
///
/// `value` should be UTF-8; of what is not, each maximal subpart (see [`encode_into`]) counts 9.
///
/// ```
/// assert_eq!(rfc5987::encoded_len("£ rates".as_bytes()), "%C2%A3%20rates".len());
/// assert_eq!(rfc5987::encoded_len(b"\xFF"), "%EF%BF%BD".len());
/// ```
#[must_use]
pub fn encoded_len(value: &[u8]) -> usize {
    let counted = Counted::of(value);
    if is_text(value, counted) { counted.encoded_len() } else { ill_formed_len(value) }
}

/// Encodes `value` as the value-chars of RFC 8187, section 3.2.1: the part of an ext-value behind
/// the second `'`.
///
/// Borrowed when nothing needs an escape; else one allocation of exactly the length.
///
/// ```
/// use std::borrow::Cow;
///
/// assert_eq!(rfc5987::encode("£ and € rates"), "%C2%A3%20and%20%E2%82%AC%20rates");
/// assert!(matches!(rfc5987::encode("rates.txt"), Cow::Borrowed("rates.txt")));
/// ```
#[must_use]
pub fn encode(value: &str) -> Cow<'_, str> {
    let counted = Counted::of(value.as_bytes());
    if counted.is_safe() {
        return Cow::Borrowed(value);
    }
    Cow::Owned(counted.behind(""))
}

/// Appends the value-chars of `value` to `out`, which grows at most once.
///
/// ```
/// let mut parameter = String::from("title*=UTF-8'de'");
/// rfc5987::encode_append("nächstes Kapitel", &mut parameter);
/// assert_eq!(parameter, "title*=UTF-8'de'n%C3%A4chstes%20Kapitel"); // RFC 8288, section 3.5
/// ```
pub fn encode_append(value: &str, out: &mut String) {
    Counted::of(value.as_bytes()).append_to(out);
}

/// Writes the value-chars of `value` to the front of `out` and returns them. What lies behind them
/// is left as it was.
///
/// `value` should be UTF-8. What is not is written as U+FFFD, one for each maximal subpart of an
/// ill-formed sequence, as [`String::from_utf8_lossy`] does: names that came from a file system
/// need no check before.
///
/// # Errors
/// When `out` is shorter than [`encoded_len`] of the value; it is unchanged then.
///
/// ```
/// let mut buffer = [0; 32];
/// assert_eq!(rfc5987::encode_into("é.txt".as_bytes(), &mut buffer)?, "%C3%A9.txt");
/// assert_eq!(rfc5987::encode_into("é".as_bytes(), &mut buffer[..4]).unwrap_err().needed, 6);
/// # Ok::<(), rfc5987::BufferTooSmall>(())
/// ```
pub fn encode_into<'b>(value: &[u8], out: &'b mut [u8]) -> Result<&'b str, BufferTooSmall> {
    let counted = Counted::of(value);
    if !is_text(value, counted) {
        return encode_ill_formed(value, out);
    }
    counted.write_to(out).ok_or(BufferTooSmall { needed: counted.encoded_len() })
}

/// Whether `value` is UTF-8.
#[inline]
fn is_text(value: &[u8], counted: Counted<'_>) -> bool {
    counted.is_safe() || value.is_ascii() || utf8_runes::bytes::validate(value).is_ok()
}

/// What is written for `value`, part for part.
fn parts(value: &[u8]) -> impl Iterator<Item = Counted<'_>> {
    value.utf8_chunks().flat_map(|chunk| {
        let replaced = if chunk.invalid().is_empty() { &[][..] } else { REPLACEMENT };
        [chunk.valid().as_bytes(), replaced].map(Counted::of)
    })
}

#[cold]
fn ill_formed_len(value: &[u8]) -> usize {
    parts(value).fold(0, |len, part| len.saturating_add(part.encoded_len()))
}

#[cold]
fn encode_ill_formed<'b>(value: &[u8], out: &'b mut [u8]) -> Result<&'b str, BufferTooSmall> {
    let needed = ill_formed_len(value);
    let error = BufferTooSmall { needed };
    let out = out.get_mut(..needed).ok_or(error)?;
    let mut at = 0;
    for part in parts(value) {
        at += part.write_to(&mut out[at..]).ok_or(error)?.len();
    }
    // All of it is ASCII; the error cannot be.
    core::str::from_utf8(out).map_err(|_| error)
}
