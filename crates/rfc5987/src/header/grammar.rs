//! The small rules of the grammar that more than one part needs.

use crate::alphabet;
use alloc::string::String;

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
