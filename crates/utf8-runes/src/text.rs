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

/// `text` in two: its first `runes` scalar values, and the rest, which is empty when there are no
/// more.
///
/// ```
/// assert_eq!(utf8_runes::split_at("日本語", 1), ("日", "本語"));
/// assert_eq!(utf8_runes::split_at("日本語", 9), ("日本語", ""));
/// ```
#[inline]
#[must_use]
pub fn split_at(text: &str, runes: usize) -> (&str, &str) {
    text.split_at_checked(prefix(text, runes).len()).unwrap_or((text, ""))
}

/// At most `runes` scalar values, after the first `start`: what SQL calls
/// `SUBSTRING(text FROM start + 1 FOR runes)`. Empty when `start` lies at the end or past it.
///
/// ```
/// assert_eq!(utf8_runes::substr("日本語です", 1, 2), "本語");
/// assert_eq!(utf8_runes::substr("日本語です", 3, 9), "です");
/// assert_eq!(utf8_runes::substr("日本語です", 9, 1), "");
/// ```
#[inline]
#[must_use]
pub fn substr(text: &str, start: usize, runes: usize) -> &str {
    prefix(split_at(text, start).1, runes)
}

/// The last `runes` scalar values; the whole `text` when it has no more. Looks no further from the
/// end than it must.
///
/// ```
/// assert_eq!(utf8_runes::suffix("日本語", 2), "本語");
/// assert_eq!(utf8_runes::suffix("日本語", 9), "日本語");
/// ```
#[inline]
#[must_use]
pub fn suffix(text: &str, runes: usize) -> &str {
    // No rune takes less than a byte.
    if runes >= text.len() {
        return text;
    }
    text.get(from_end(text.as_bytes(), runes).unwrap_or(0)..).unwrap_or(text)
}

/// The byte offset where the last `runes` scalar values begin: [`offset`] from the other end.
/// `None` when there are fewer.
///
/// ```
/// assert_eq!(utf8_runes::offset_from_end("日本語", 1), Some(6));
/// assert_eq!(utf8_runes::offset_from_end("日本語", 3), Some(0));
/// assert_eq!(utf8_runes::offset_from_end("日本語", 4), None);
/// ```
#[inline]
#[must_use]
pub fn offset_from_end(text: &str, runes: usize) -> Option<usize> {
    if runes > text.len() { None } else { from_end(text.as_bytes(), runes) }
}

/// Where the last `runes` leads begin, sought from the end.
fn from_end(bytes: &[u8], runes: usize) -> Option<usize> {
    /// Worth a call of the kernels, and not much more than most texts have.
    const STEP: usize = 512;
    let mut left = runes;
    let mut end = bytes.len();
    while left > 0 {
        let start = end.saturating_sub(STEP);
        let block = bytes.get(start..end).unwrap_or_default();
        let here = arch::count(block);
        if here >= left {
            return arch::nth_lead(block, here - left).ok().map(|at| start + at);
        }
        if start == 0 {
            return None;
        }
        left -= here;
        end = start;
    }
    Some(end)
}

/// The number of the scalar value that the byte at `offset` belongs to, counted from 0: the
/// converse of [`offset`]. From the end on, the number of all scalar values.
///
/// ```
/// assert_eq!(utf8_runes::rune_index("日本語", 3), 1);
/// assert_eq!(utf8_runes::rune_index("日本語", 5), 1); // inside the second
/// assert_eq!(utf8_runes::rune_index("日本語", 99), 3);
/// ```
#[inline]
#[must_use]
pub fn rune_index(text: &str, offset: usize) -> usize {
    count(prefix_bytes(text, offset))
}

/// The last char boundary at or before `index`; the length when `index` lies past the end.
///
/// ```
/// assert_eq!(utf8_runes::floor_char_boundary("a日", 3), 1);
/// assert_eq!(utf8_runes::floor_char_boundary("a日", 9), 4);
/// ```
#[inline]
#[must_use]
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    prefix_bytes(text, index).len()
}

/// The first char boundary at or behind `index`; the length when `index` lies past the end.
///
/// ```
/// assert_eq!(utf8_runes::ceil_char_boundary("a日", 2), 4);
/// assert_eq!(utf8_runes::ceil_char_boundary("a日", 9), 4);
/// ```
#[inline]
#[must_use]
pub fn ceil_char_boundary(text: &str, index: usize) -> usize {
    // A boundary lies at most three bytes behind any offset.
    (index..text.len()).take(4).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The longest suffix of whole scalar values that takes at most `max_bytes` bytes.
///
/// ```
/// assert_eq!(utf8_runes::suffix_bytes("🚀🚀X", 5), "🚀X");
/// assert_eq!(utf8_runes::suffix_bytes("🚀🚀X", 4), "X");
/// ```
#[inline]
#[must_use]
pub fn suffix_bytes(text: &str, max_bytes: usize) -> &str {
    let at = ceil_char_boundary(text, text.len().saturating_sub(max_bytes));
    text.get(at..).unwrap_or("")
}

/// The number of UTF-16 units that `text` takes: what Java, JavaScript, .NET and SQL Server's
/// `nvarchar` call its length, and `text.encode_utf16().count()` gives.
///
/// ```
/// assert_eq!(utf8_runes::utf16_len("日😊"), 3);
/// ```
#[inline]
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    arch::utf16_len(text.as_bytes())
}

/// The longest prefix of whole scalar values that takes at most `max_units` UTF-16 units: never
/// half of a pair.
///
/// ```
/// assert_eq!(utf8_runes::prefix_utf16("日😊x", 3), "日😊");
/// assert_eq!(utf8_runes::prefix_utf16("日😊x", 2), "日");
/// ```
#[inline]
#[must_use]
pub fn prefix_utf16(text: &str, max_units: usize) -> &str {
    // No unit takes less than a byte.
    if max_units >= text.len() {
        return text;
    }
    match arch::nth_lead_utf16(text.as_bytes(), max_units) {
        Some(at) => text.get(..at).unwrap_or(text),
        None => text,
    }
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
