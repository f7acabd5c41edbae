//! The same on bytes that nobody has validated yet.
//!
//! Verdicts and error positions are those of [`core::str::from_utf8`]. What cuts also validates,
//! and validates what it returns and nothing behind it.

use crate::arch;
use core::str::Utf8Error;

/// `bytes` as text, if they are well-formed UTF-8.
///
/// ```
/// assert_eq!(utf8_runes::bytes::validate(b"caf\xC3\xA9"), Ok("café"));
/// assert_eq!(utf8_runes::bytes::validate(b"caf\xE9").unwrap_err().valid_up_to(), 3);
/// ```
///
/// # Errors
/// As [`core::str::from_utf8`].
#[inline]
pub fn validate(bytes: &[u8]) -> Result<&str, Utf8Error> {
    arch::validate(bytes)
}

/// The number of scalar values of `bytes`, if they are well-formed UTF-8.
///
/// ```
/// assert_eq!(utf8_runes::bytes::validate_count("日本語".as_bytes()), Ok(3));
/// assert_eq!(utf8_runes::bytes::validate_count(b"ab\xFF").unwrap_err().valid_up_to(), 2);
/// ```
///
/// # Errors
/// As [`core::str::from_utf8`].
#[inline]
pub fn validate_count(bytes: &[u8]) -> Result<usize, Utf8Error> {
    arch::validate_count(bytes)
}

/// The first `runes` scalar values of `bytes`, or all of them when there are no more.
///
/// The prefix ends before the (`runes` + 1)-th byte that is no continuation byte, and exactly this
/// prefix is validated: what lies behind may be anything, but a stray continuation byte right
/// behind the last rune belongs to it and makes it malformed. Zero runes are `""` of any input.
///
/// ```
/// use utf8_runes::bytes::prefix;
///
/// assert_eq!(prefix("😊!".as_bytes(), 1), Ok("😊"));
/// assert_eq!(prefix(b"ab\xFF", 2), Ok("ab"));
/// assert!(prefix(b"ab\x80", 2).is_err());
/// ```
///
/// # Errors
/// When the prefix is malformed: the error that [`core::str::from_utf8`] gives for all of `bytes`.
#[inline]
pub fn prefix(bytes: &[u8], runes: usize) -> Result<&str, Utf8Error> {
    match arch::prefix(bytes, runes, false) {
        Some(text) => Ok(text),
        None => malformed(bytes, runes),
    }
}

/// The first `runes` scalar values of `String::from_utf8_lossy(bytes)`: each maximal part of a
/// malformed sequence is one U+FFFD and counts as one. Borrowed unless one had to be put in.
///
/// ```
/// assert_eq!(utf8_runes::bytes::prefix_lossy(b"a\xFFbc", 3), "a\u{FFFD}b");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn prefix_lossy(bytes: &[u8], runes: usize) -> alloc::borrow::Cow<'_, str> {
    if let Ok(text) = prefix(bytes, runes) {
        return text.into();
    }
    lossy(bytes, runes, crate::prefix, crate::count)
}

/// How many bytes are no continuation bytes (10xxxxxx): the scalar values when `bytes` are
/// well-formed, and what a counter that does not validate takes for them when they are not.
///
/// ```
/// assert_eq!(utf8_runes::bytes::count_leads("日本語".as_bytes()), 3);
/// assert_eq!(utf8_runes::bytes::count_leads(b"2\x8142"), 3);
/// ```
#[inline]
#[must_use]
pub fn count_leads(bytes: &[u8]) -> usize {
    arch::count(bytes)
}

/// `bytes` without their trailing blanks, bytes 0x20: for text of another character set that has
/// this blank, before it is converted.
///
/// ```
/// assert_eq!(utf8_runes::bytes::trim_blanks(b" caf\xE9   "), b" caf\xE9");
/// ```
#[inline]
#[must_use]
pub fn trim_blanks(bytes: &[u8]) -> &[u8] {
    bytes.get(..arch::trimmed_len(bytes)).unwrap_or(bytes)
}

/// Where [`prefix`] cuts: never past the end, and 0 for no runes even before a stray byte.
#[inline]
pub(crate) fn cut(bytes: &[u8], runes: usize) -> usize {
    match runes {
        0 => 0,
        // No rune takes less than a byte.
        _ if runes >= bytes.len() => bytes.len(),
        _ => arch::nth_lead(bytes, runes).unwrap_or(bytes.len()),
    }
}

/// The prefix is malformed: the error of the whole input, as a sequence that the cut ended early
/// reads differently in the prefix.
#[cold]
fn malformed(bytes: &[u8], runes: usize) -> Result<&str, Utf8Error> {
    core::str::from_utf8(bytes).map(|text| crate::prefix(text, runes))
}

/// `from_utf8_lossy(bytes)` cut to `limit`, where `cut` gives the longest prefix within a limit
/// and `measure` the size of a text, both in one unit in which U+FFFD takes 1.
///
/// Stops where the limit is reached, so that the work does not grow with what is cut off. Goes over
/// the bytes twice, so that it allocates once and no more than it fills.
#[cfg(feature = "alloc")]
#[cold]
pub(crate) fn lossy<'a>(
    bytes: &'a [u8],
    limit: usize,
    cut: impl Fn(&str, usize) -> &str,
    measure: impl Fn(&str) -> usize,
) -> alloc::borrow::Cow<'a, str> {
    let mut len = 0;
    let mut parts = 0;
    let mut first = "";
    each_part(bytes, limit, &cut, &measure, |part| {
        if parts == 0 {
            first = part;
        }
        parts += 1;
        len += part.len();
    });
    if parts <= 1 {
        return first.into();
    }
    let mut out = alloc::string::String::with_capacity(len);
    each_part(bytes, limit, &cut, &measure, |part| out.push_str(part));
    out.into()
}

/// What [`lossy`] is made of: well-formed text (it may be empty), and U+FFFD between.
#[cfg(feature = "alloc")]
fn each_part<'a>(
    bytes: &'a [u8],
    limit: usize,
    cut: impl Fn(&str, usize) -> &str,
    measure: impl Fn(&str) -> usize,
    mut see: impl FnMut(&'a str),
) {
    let mut left = limit;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let kept = cut(valid, left);
        see(kept);
        left -= measure(kept).min(left);
        if kept.len() < valid.len() || left == 0 || chunk.invalid().is_empty() {
            break;
        }
        see("\u{FFFD}");
        left -= 1;
    }
}
