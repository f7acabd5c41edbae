//! The same work with what people use today.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;
use std::fmt::Write;

/// attr-char of RFC 8187, as that crate's documentation has one make a set.
const ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// percent-encoding at its best: room for the longest result, extended by its pieces. (Its
/// `format!` form, which its documentation shows first, is about twice as slow for short names.)
pub(super) fn percent_ext_value(name: &str) -> String {
    let mut out = String::with_capacity("UTF-8''".len() + 3 * name.len());
    out.push_str("UTF-8''");
    out.extend(utf8_percent_encode(name, ATTR_CHAR));
    out
}

/// percent-encoding into a string that is kept.
pub(super) fn percent_append(name: &str, out: &mut String) {
    out.extend(utf8_percent_encode(name, ATTR_CHAR));
}

/// percent-encoding into a buffer, piece by piece.
pub(super) fn percent_into<'b>(name: &str, buffer: &'b mut [u8]) -> &'b str {
    let mut at = 0;
    for piece in utf8_percent_encode(name, ATTR_CHAR) {
        buffer[at..at + piece.len()].copy_from_slice(piece.as_bytes());
        at += piece.len();
    }
    std::str::from_utf8(&buffer[..at]).unwrap_or_default()
}

/// The length that percent-encoding's pieces have together.
pub(super) fn percent_len(name: &str) -> usize {
    utf8_percent_encode(name, ATTR_CHAR).map(str::len).sum()
}

/// percent-encoding's way back. It keeps a bad `%`, so it checks less.
pub(super) fn percent_decode(value: &str) -> Cow<'_, str> {
    percent_decode_str(value).decode_utf8_lossy()
}

/// Whether the name can be sent alone; simple and quick.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| {
        matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'/' | b'%' | b'=')
    })
}

fn fallback(name: &str) -> String {
    let shown = |char| match char {
        '"' | '\\' | '/' | '%' => '_',
        ' '..='~' => char,
        _ => '_',
    };
    name.chars().map(shown).collect()
}

/// A header as it is written by hand with percent-encoding.
pub(super) fn percent_header(name: &str) -> String {
    if is_plain(name) {
        return format!("attachment; filename=\"{name}\"");
    }
    format!(
        "attachment; filename=\"{}\"; filename*=UTF-8''{}",
        fallback(name),
        utf8_percent_encode(name, ATTR_CHAR)
    )
}

/// A header as it is written by hand with the standard library.
pub(super) fn std_header(name: &str) -> String {
    if is_plain(name) {
        return format!("attachment; filename=\"{name}\"");
    }
    let mut out = String::with_capacity(64 + 4 * name.len());
    out.push_str("attachment; filename=\"");
    out.push_str(&fallback(name));
    out.push_str("\"; filename*=UTF-8''");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
