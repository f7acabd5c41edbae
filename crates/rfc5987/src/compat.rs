//! What ASP.NET Core writes, byte for byte: for tests against it, and for those who must send what
//! they have always sent.
//!
//! [`Builder`](crate::Builder) is better for clients: these keep `"`, `\`, `/` and `%` in the plain
//! name, count a fallback by UTF-16 units, and send both names also when one would do. Upstream is
//! `ContentDispositionHeaderValue` in `Microsoft.Net.Http.Headers`.

use crate::alphabet::is_token_char;
use crate::arch::Counted;
use crate::header::grammar;
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
    let plain = Plain::of(name);
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
    let plain = Plain::of(name);
    if plain.printable {
        let mut out = String::with_capacity(plain.len());
        plain.push(&mut out);
        return out;
    }
    let inner = plain.text;
    let (before, behind) = ("filename=\"=?utf-8?B?", "?=\"");
    let mut out = String::with_capacity(before.len() + inner.len().div_ceil(3) * 4 + behind.len());
    out.push_str(before);
    push_base64(inner.as_bytes(), &mut out);
    out.push_str(behind);
    out
}

/// A name without the quotes around it, and whether there were any.
fn unquoted(name: &str) -> (&str, bool) {
    match name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => (inner, true),
        None => (name, false),
    }
}

/// A name as a token or a quoted string, with `_` for each UTF-16 unit that is not printable ASCII.
struct Plain<'a> {
    text: &'a str,
    printable: bool,
    quoted: bool,
}

const FILENAME: &str = "filename=";

impl<'a> Plain<'a> {
    fn of(name: &'a str) -> Self {
        let (text, had_quotes) = unquoted(name);
        let printable = grammar::is_printable(text);
        let token = |char| is_token_char(shown(char));
        let is_token = if printable { grammar::is_token(text) } else { text.chars().all(token) };
        Self { text, printable, quoted: had_quotes || !is_token }
    }

    fn len(&self) -> usize {
        let pairs = || self.text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        let units = if self.printable { self.text.len() } else { self.text.encode_utf16().count() };
        FILENAME.len() + units + if self.quoted { 2 + pairs() } else { 0 }
    }

    /// Appends the parameter, of [`len`](Self::len) bytes.
    fn push(&self, out: &mut String) {
        out.push_str(FILENAME);
        match (self.printable, self.quoted) {
            (true, true) => grammar::push_quoted(self.text, out),
            (true, false) => out.push_str(self.text),
            (false, true) => {
                out.push('"');
                self.push_units(out);
                out.push('"');
            }
            (false, false) => self.push_units(out),
        }
    }

    /// Appends what is shown, with a `\` before `"` and `\`.
    fn push_units(&self, out: &mut String) {
        for char in self.text.chars() {
            if matches!(char, '"' | '\\') {
                out.push('\\');
            }
            let shown = char::from(shown(char));
            (0..char.len_utf16()).for_each(|_| out.push(shown));
        }
    }
}

/// What stands for each of the UTF-16 units of a character.
fn shown(char: char) -> u8 {
    u8::try_from(char).ok().filter(|byte| matches!(byte, b' '..=b'~')).unwrap_or(b'_')
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
