//! What ASP.NET Core writes, byte for byte: for tests against it, and for those who must send what
//! they have always sent.
//!
//! [`Builder`](crate::Builder) is better for clients: these keep `"`, `\`, `/` and `%` in the plain
//! name, count a fallback by UTF-16 units, and send both names also when one would do. Upstream is
//! `ContentDispositionHeaderValue` in `Microsoft.Net.Http.Headers`.

use crate::arch::Counted;
use crate::header::grammar;
use alloc::borrow::Cow;
use alloc::string::String;

/// The parameters after `SetHttpFileName`: `filename=…; filename*=UTF-8''…`; empty for an empty
/// name.
///
/// ```
/// assert_eq!(
///     rfc5987::compat::set_http_file_name("File 🤩 name.txt"),
///     "filename=\"File __ name.txt\"; filename*=UTF-8''File%20%F0%9F%A4%A9%20name.txt",
/// );
/// ```
#[must_use]
pub fn set_http_file_name(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    let ext = Counted::of(name.as_bytes());
    let sanitized = sanitized(name);
    let plain = Plain::of(&sanitized);
    let star = "; filename*=UTF-8''";
    let len = plain.len() + star.len() + ext.encoded_len();
    let mut out = String::with_capacity(len);
    plain.push(&mut out);
    out.push_str(star);
    ext.append_to(&mut out);
    out
}

/// The parameters after `SetMimeFileName`: `filename=…`, as an encoded word of RFC 2047 unless the
/// name is printable ASCII; empty for an empty name.
///
/// ```
/// assert_eq!(
///     rfc5987::compat::set_mime_file_name("FileÃName.bat"),
///     r#"filename="=?utf-8?B?RmlsZcODTmFtZS5iYXQ=?=""#,
/// );
/// ```
#[must_use]
pub fn set_mime_file_name(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    let (inner, _) = unquoted(name);
    if grammar::is_printable(inner) {
        Plain::of(name).push(&mut out);
        return out;
    }
    let (before, behind) = ("filename=\"=?utf-8?B?", "?=\"");
    out.reserve_exact(before.len() + inner.len().div_ceil(3) * 4 + behind.len());
    out.push_str(before);
    push_base64(inner.as_bytes(), &mut out);
    out.push_str(behind);
    out
}

/// `_` for each UTF-16 unit that is not printable ASCII.
fn sanitized(name: &str) -> Cow<'_, str> {
    if grammar::is_printable(name) {
        return Cow::Borrowed(name);
    }
    let shown = |char: char| if matches!(char, ' '..='~') { char } else { '_' };
    let units = |char: char| core::iter::repeat_n(shown(char), char.len_utf16());
    let mut out = String::with_capacity(name.chars().map(char::len_utf16).sum());
    out.extend(name.chars().flat_map(units));
    Cow::Owned(out)
}

/// A name without the quotes around it, and whether there were any.
fn unquoted(name: &str) -> (&str, bool) {
    match name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => (inner, true),
        None => (name, false),
    }
}

/// A printable name as a token or a quoted string.
struct Plain<'a> {
    text: &'a str,
    quoted: bool,
}

const FILENAME: &str = "filename=";

impl<'a> Plain<'a> {
    fn of(name: &'a str) -> Self {
        let (text, had_quotes) = unquoted(name);
        Self { text, quoted: had_quotes || !grammar::is_token(text) }
    }

    fn len(&self) -> usize {
        let value = if self.quoted { grammar::quoted_len(self.text) } else { self.text.len() };
        FILENAME.len() + value
    }

    fn push(&self, out: &mut String) {
        out.reserve_exact(self.len());
        out.push_str(FILENAME);
        if self.quoted {
            grammar::push_quoted(self.text, out);
        } else {
            out.push_str(self.text);
        }
    }
}

/// Base64 of RFC 4648, section 4, with padding.
fn push_base64(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            // n bytes fill n + 1 digits.
            let char = if digit <= group.len() {
                char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize])
            } else {
                '='
            };
            out.push(char);
        }
    }
}
