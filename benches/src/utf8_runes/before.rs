//! The Firebird .NET provider, rendered in Rust: the regression (a list of one array a rune, made
//! on every call) and the fix that was published for it (counting and cutting on spans).

use std::borrow::Cow;

/// One array a rune: the list that release 10.3.3 made before it looked at anything.
fn list(units: &[u16]) -> Vec<Vec<u16>> {
    char::decode_utf16(units.iter().copied())
        .map(|rune| rune.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf16(&mut [0; 2]).to_vec())
        .collect()
}

/// The first `n` runes: the list, and the whole text if it is short enough.
#[must_use]
pub fn prefix(units: &[u16], n: usize) -> Cow<'_, [u16]> {
    let runes = list(units);
    if runes.len() <= n { Cow::Borrowed(units) } else { Cow::Owned(runes[..n].concat()) }
}

/// The number of runes: the length of the list.
pub(super) fn count(units: &[u16]) -> usize {
    list(units).len()
}

/// A CHAR(n) field: all of it decoded, then the list.
pub(crate) fn decode(field: &[u8], n: usize) -> Cow<'_, str> {
    let text = std::str::from_utf8(field).unwrap_or_default();
    let runes: Vec<Vec<u8>> =
        text.chars().map(|rune| rune.encode_utf8(&mut [0; 4]).as_bytes().to_vec()).collect();
    if runes.len() <= n {
        return Cow::Borrowed(text);
    }
    Cow::Owned(String::from_utf8(runes[..n].concat()).unwrap_or_default())
}

fn high(unit: u16) -> bool {
    (0xD800..=0xDBFF).contains(&unit)
}

fn low(unit: u16) -> bool {
    (0xDC00..=0xDFFF).contains(&unit)
}

/// Two units for a pair, else one.
fn rune_len(units: &[u16], at: usize) -> usize {
    let pair = high(units[at]) && units.get(at + 1).is_some_and(|next| low(*next));
    if pair { 2 } else { 1 }
}

/// The published fix (pull request 1252): up to the first high surrogate, units are runes.
pub(super) fn fix_count(units: &[u16]) -> usize {
    let Some(first) = units.iter().position(|unit| high(*unit)) else { return units.len() };
    let mut count = first;
    let mut at = first;
    while at < units.len() {
        at += rune_len(units, at);
        count += 1;
    }
    count
}

/// The published fix: looks for the first high surrogate among the first `n` units, and walks on
/// from there.
#[must_use]
pub fn fix_prefix(units: &[u16], n: usize) -> &[u16] {
    if n >= units.len() {
        return units;
    }
    let Some(first) = units[..n].iter().position(|unit| high(*unit)) else { return &units[..n] };
    let mut count = first;
    let mut at = first;
    while at < units.len() && count < n {
        at += rune_len(units, at);
        count += 1;
    }
    &units[..at]
}

/// The published fix on a field: all of it decoded, then cut in place.
pub(super) fn fix_decode(field: &[u8], n: usize) -> &str {
    let text = std::str::from_utf8(field).unwrap_or_default();
    text.char_indices().nth(n).map_or(text, |(at, _)| &text[..at])
}
