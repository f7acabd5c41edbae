//! The small rules of the grammar that more than one part needs.

use crate::alphabet;
use alloc::string::String;
use core::iter;

/// The length of the token (RFC 9110, section 5.6.2) at the front of `text`, which can be 0.
#[inline]
pub(crate) fn token_len(text: &[u8]) -> usize {
    run_len(text, alphabet::is_token_char)
}

/// The length of what can stand as an unquoted value at the front of `text`: token characters and,
/// beyond the grammar, octets above ASCII, which many servers send.
#[inline]
pub(crate) fn unquoted_len(text: &[u8]) -> usize {
    run_len(text, |byte| alphabet::is_token_char(byte) | (byte >= 0x80))
}

/// The number of bytes at the front of `text` that mean nothing but themselves in a quoted string.
#[inline]
pub(crate) fn literal_len(text: &[u8]) -> usize {
    let special = |byte| {
        (byte == b'"') | (byte == b'\\') | (byte == b'\r') | (byte == b'\n') | (byte == b'\0')
    };
    run_len(text, |byte| !special(byte))
}

/// Where the next `;` is, or the end.
#[inline]
pub(crate) fn semicolon(text: &[u8], from: usize) -> usize {
    from + run_len(&text[from..], |byte| byte != b';')
}

/// The number of bytes at the front of `text` for which `is` holds. `is` has no branches: a block
/// is tested as a whole, which becomes vector code.
#[inline(always)]
fn run_len(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    let (blocks, _) = text.as_chunks::<16>();
    let whole = |block: &&[u8; 16]| block.iter().fold(true, |all, byte| all & is(*byte));
    let known = 16 * blocks.iter().take_while(whole).count();
    let rest = &text[known..];
    known + rest.iter().position(|byte| !is(*byte)).unwrap_or(rest.len())
}

/// What is between the quotes of a quoted string; `None` for a value without.
#[inline]
pub(crate) fn inside_quotes(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// What a quoted string with the text `inside` says: the pieces between its backslashes, each
/// after the first from the character that its backslash stands before.
pub(crate) fn unescaped(inside: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut rest = inside;
    iter::from_fn(move || {
        let start = usize::from(rest.len() > 1 && rest.first() == Some(&b'\\'));
        let behind = rest.get(start + 1..)?;
        let len = behind.iter().position(|byte| *byte == b'\\').unwrap_or(behind.len());
        let (piece, tail) = rest.split_at(start + 1 + len);
        rest = tail;
        Some(&piece[start..])
    })
}

/// A token of RFC 9110, section 5.6.2.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(alphabet::is_token_char)
}

/// A name that can have a `*` behind it: `1*attr-char`, the parmname of RFC 8187.
pub(crate) fn is_parameter_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(alphabet::is_attr_char)
}

/// The shape of a language tag.
pub(crate) fn is_language(tag: &str) -> bool {
    tag.split('-').all(|subtag| {
        (1..=8).contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Printable ASCII, blank included: what any recipient can read in a quoted string.
pub(crate) fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, 0x20..=0x7E))
}

fn is_quoted_pair(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\')
}

/// The bytes that [`push_quoted`] appends.
pub(crate) fn quoted_len(text: &str) -> usize {
    2 + text.len() + text.bytes().filter(|byte| is_quoted_pair(*byte)).count()
}

/// Appends `text` as a quoted-string of RFC 9110, section 5.6.4. `text` is printable.
pub(crate) fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    for part in text.split_inclusive(['"', '\\']) {
        match part.as_bytes() {
            [.., last] if is_quoted_pair(*last) => {
                let (plain, pair) = part.split_at(part.len() - 1);
                out.push_str(plain);
                out.push('\\');
                out.push_str(pair);
            }
            _ => out.push_str(part),
        }
    }
    out.push('"');
}
