//! Names in the parts of a `multipart/form-data` body.
//!
//! Not ext-values: RFC 7578, section 4.2, forbids them. What browsers send is fixed by the HTML
//! standard ("multipart/form-data encoding algorithm"): UTF-8 as it is, and three escapes that
//! look like those of URLs but are the only ones; `%` and `\` are ordinary characters.

use alloc::borrow::Cow;
use alloc::string::String;
use core::iter;

const ESCAPED: [char; 3] = ['"', '\r', '\n'];

/// What is written for a character of [`ESCAPED`].
fn escape(char: u8) -> &'static str {
    match char {
        b'"' => "%22",
        b'\r' => "%0D",
        _ => "%0A",
    }
}

/// Escapes the name of a field for `name="…"`: line breaks of any kind become `%0D%0A`, and `"`
/// becomes `%22`.
///
/// Borrowed when there is nothing to escape; else one allocation of exactly the length.
///
/// ```
/// use rfc5987::form_data::escape_name;
///
/// assert_eq!(escape_name("a\"b\nc"), "a%22b%0D%0Ac");
/// assert_eq!(escape_name(r"50%\é"), r"50%\é");
/// ```
#[must_use]
pub fn escape_name(name: &str) -> Cow<'_, str> {
    escaped(name, true)
}

/// Escapes a file name for `filename="…"`: `"`, CR and LF become `%22`, `%0D` and `%0A`.
///
/// Borrowed when there is nothing to escape; else one allocation of exactly the length.
///
/// ```
/// assert_eq!(rfc5987::form_data::escape_filename("a\"b\nc"), "a%22b%0Ac");
/// ```
#[must_use]
pub fn escape_filename(name: &str) -> Cow<'_, str> {
    escaped(name, false)
}

fn escaped(text: &str, line_breaks: bool) -> Cow<'_, str> {
    if !text.contains(ESCAPED) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(parts(text, line_breaks).map(str::len).sum());
    push(text, line_breaks, &mut out);
    Cow::Owned(out)
}

/// The bytes that [`push`] appends.
pub(crate) fn escaped_len(text: &str, line_breaks: bool) -> usize {
    parts(text, line_breaks).map(str::len).sum()
}

/// Appends `text` escaped; with `line_breaks`, every line break as `%0D%0A`.
pub(crate) fn push(text: &str, line_breaks: bool, out: &mut String) {
    parts(text, line_breaks).for_each(|part| out.push_str(part));
}

/// What an escaped text is made of: runs as they are, and escapes.
fn parts(text: &str, line_breaks: bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let run = rest.find(ESCAPED).unwrap_or(rest.len());
        if run > 0 {
            let (plain, tail) = rest.split_at(run);
            rest = tail;
            return Some(plain);
        }
        let first = *rest.as_bytes().first()?;
        if line_breaks && first != b'"' {
            rest = rest.strip_prefix("\r\n").unwrap_or(&rest[1..]);
            return Some("%0D%0A");
        }
        rest = &rest[1..];
        Some(escape(first))
    })
}

/// Whether anything in a quoted string is read by [`unescaped`] as something else.
pub(crate) fn has_escapes(inside: &[u8]) -> bool {
    let mut marks = (0..inside.len()).filter(|at| matches!(inside[*at], b'%' | b'\\'));
    marks.any(|at| read_escape(&inside[at..]).is_some())
}

/// What the quoted string of a part says: its pieces, with the three escapes undone that browsers
/// write, and `\"`, which other clients write, as the quote. Every other `%` and `\` is itself.
pub(crate) fn unescaped(inside: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut rest = inside;
    iter::from_fn(move || {
        let (piece, len) = read_escape(rest).or_else(|| {
            let (_, behind) = rest.split_first()?;
            let run = behind.iter().position(|byte| matches!(byte, b'%' | b'\\'));
            let len = 1 + run.unwrap_or(behind.len());
            Some((&rest[..len], len))
        })?;
        rest = &rest[len..];
        Some(piece)
    })
}

/// What the escape at the front of `text` stands for, and its length.
fn read_escape(text: &[u8]) -> Option<(&'static [u8], usize)> {
    match text {
        [b'\\', b'"', ..] => Some((b"\"", 2)),
        [b'%', b'2', b'2', ..] => Some((b"\"", 3)),
        [b'%', b'0', b'D', ..] => Some((b"\r", 3)),
        [b'%', b'0', b'A', ..] => Some((b"\n", 3)),
        _ => None,
    }
}
