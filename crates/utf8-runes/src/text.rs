//! Counting and cutting `&str`.

use crate::arch;

/// The number of Unicode scalar values ("runes") of `text`: what `text.chars().count()` gives.
///
/// ```
/// assert_eq!(utf8_runes::count("naïve 😊"), 7);
/// assert_eq!(utf8_runes::count("e\u{301}"), 2); // no normalisation, no graphemes
/// ```
#[inline]
#[must_use]
pub fn count(text: &str) -> usize {
    arch::count(text.as_bytes())
}

/// The smaller of [`count`] and `max`; reads no further than it must.
///
/// ```
/// assert_eq!(utf8_runes::count_upto("日本語", 2), 2);
/// assert_eq!(utf8_runes::count_upto("日本語", 9), 3);
/// ```
#[inline]
#[must_use]
pub fn count_upto(text: &str, max: usize) -> usize {
    match arch::nth_lead(text.as_bytes(), max) {
        Ok(_) => max,
        Err(count) => count,
    }
}

/// Whether `text` has more than `max` scalar values.
///
/// Decided by the length alone when that has at most `max` bytes (a scalar value takes at least
/// one) or more than `4 * max` (it takes at most four); otherwise it reads no further than it must.
///
/// ```
/// assert!(utf8_runes::exceeds("日本語", 2));
/// assert!(!utf8_runes::exceeds("日本語", 3));
/// ```
#[inline]
#[must_use]
pub fn exceeds(text: &str, max: usize) -> bool {
    text.len() > max
        && (text.len() > max.saturating_mul(4) || arch::nth_lead(text.as_bytes(), max).is_ok())
}

/// The byte offset behind the first `runes` scalar values: `Some(text.len())` when `text` has
/// exactly that many, `None` when it has fewer. The offset is always a char boundary.
///
/// ```
/// assert_eq!(utf8_runes::offset("日本語", 1), Some(3));
/// assert_eq!(utf8_runes::offset("日本語", 3), Some(9));
/// assert_eq!(utf8_runes::offset("日本語", 4), None);
/// ```
#[inline]
#[must_use]
pub fn offset(text: &str, runes: usize) -> Option<usize> {
    match arch::nth_lead(text.as_bytes(), runes) {
        Ok(at) => Some(at),
        Err(count) => (count == runes).then_some(text.len()),
    }
}

/// The first `runes` scalar values; the whole `text` when it has no more.
///
/// ```
/// assert_eq!(utf8_runes::prefix("😊!?", 2), "😊!");
/// assert_eq!(utf8_runes::prefix("😊!?", 9), "😊!?");
/// ```
#[inline]
#[must_use]
pub fn prefix(text: &str, runes: usize) -> &str {
    // No rune takes less than a byte: nothing to look at, nothing to cut.
    if runes >= text.len() {
        return text;
    }
    match arch::nth_lead(text.as_bytes(), runes) {
        Ok(at) => text.get(..at).unwrap_or(text),
        Err(_) => text,
    }
}

/// The longest prefix of whole scalar values that takes at most `max_bytes` bytes.
///
/// ```
/// assert_eq!(utf8_runes::prefix_bytes("X🚀🚀", 5), "X🚀");
/// assert_eq!(utf8_runes::prefix_bytes("X🚀🚀", 4), "X");
/// ```
#[inline]
#[must_use]
pub fn prefix_bytes(text: &str, max_bytes: usize) -> &str {
    if max_bytes >= text.len() {
        return text;
    }
    // A boundary lies at most three bytes before any offset.
    let at = (max_bytes.saturating_sub(3)..=max_bytes).rev().find(|at| text.is_char_boundary(*at));
    text.get(..at.unwrap_or(0)).unwrap_or("")
}

/// `text` without its trailing blanks. A blank is U+0020 and nothing else: a TAB, U+00A0 or U+3000
/// is content to a database.
///
/// ```
/// assert_eq!(utf8_runes::trim_blanks("  a b   "), "  a b");
/// assert_eq!(utf8_runes::trim_blanks("a\t "), "a\t");
/// ```
#[inline]
#[must_use]
pub fn trim_blanks(text: &str) -> &str {
    text.get(..arch::trimmed_len(text.as_bytes())).unwrap_or(text)
}

/// Shortens `text` to its first `runes` scalar values; the capacity stays.
///
/// ```
/// let mut text = String::from("😊!?");
/// utf8_runes::truncate(&mut text, 1);
/// assert_eq!(text, "😊");
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn truncate(text: &mut alloc::string::String, runes: usize) {
    text.truncate(prefix(text, runes).len());
}
