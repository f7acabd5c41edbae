//! The small rules of the grammar that more than one part needs.

use crate::alphabet::{self, KINDS, NO_SEMICOLON, TOKEN, UNQUOTED};
use alloc::string::String;
use core::iter;

/// The length of the token (RFC 9110, section 5.6.2) at the front of `text`, which can be 0. The first
/// `known` bytes are known to belong to it.
#[inline]
pub(crate) fn token_len(text: &[u8], known: usize) -> usize {
    known + run_len(&text[known..], TOKEN, alphabet::is_token_char)
}

/// The length of the type at the front of `text`, or of what it begins with, if it is a usual one.
#[inline]
pub(crate) fn usual_type(text: &[u8]) -> usize {
    if text.starts_with(b"attachment") {
        10
    } else if text.starts_with(b"form-data") {
        9
    } else {
        0
    }
}

/// The same for the name of a parameter.
#[inline]
pub(crate) fn usual_name(text: &[u8]) -> usize {
    if text.starts_with(b"filename") {
        8
    } else if text.starts_with(b"name") {
        4
    } else {
        0
    }
}

/// A byte of 1 in each place of a word.
const ONES: u64 = u64::MAX / 0xFF;
/// The high bit of each byte of a word.
const HIGHS: u64 = 0x80 * ONES;

/// The length of what can stand as an unquoted value at the front of `text`: token characters and,
/// beyond the grammar, octets above ASCII, which many servers send.
#[inline]
pub(crate) fn unquoted_len(text: &[u8]) -> usize {
    run_len(text, UNQUOTED, |byte| alphabet::is_token_char(byte) | (byte >= 0x80))
}

/// Where the next `;` is, or the end.
#[inline]
pub(crate) fn semicolon(text: &[u8], from: usize) -> usize {
    from + run_len(&text[from..], NO_SEMICOLON, |byte| byte != b';')
}

/// The number of bytes at the front of `text` that are of this kind. What is longer than a word is
/// tested a block at a time by `is`, which says the same without branches and becomes vector code.
#[inline(always)]
fn run_len(text: &[u8], kind: u8, is: impl Fn(u8) -> bool) -> usize {
    looked_at(kind_len(text, kind, is))
}

#[inline(always)]
fn kind_len(text: &[u8], kind: u8, is: impl Fn(u8) -> bool) -> usize {
    let other = |byte: &u8| KINDS[usize::from(*byte)] & kind == 0;
    let Some((word, rest)) = text.split_at_checked(16) else {
        return text.iter().position(other).unwrap_or(text.len());
    };
    if let Some(len) = word.iter().position(other) {
        return len;
    }
    let (blocks, _) = rest.as_chunks::<16>();
    let whole = |block: &&[u8; 16]| block.iter().fold(true, |all, byte| all & is(*byte));
    let known = 16 * (1 + blocks.iter().take_while(whole).count());
    let rest = &text[known..];
    known + rest.iter().position(other).unwrap_or(rest.len())
}

/// Where the next byte is that means something in a quoted string: `"`, `\`, CR, LF or NUL; or the
/// end.
#[inline]
pub(crate) fn special(text: &[u8], from: usize) -> usize {
    from + looked_at(special_at(text, from) - from)
}

#[inline(always)]
fn special_at(text: &[u8], from: usize) -> usize {
    // The high bit of each byte below `limit`, up to the first such byte; behind it anything.
    let below = |word: u64, limit: u64| word.wrapping_sub(limit * ONES) & !word & HIGHS;
    let mut at = from;
    while let Some(word) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*word);
        let quote = below(word ^ (u64::from(b'"') * ONES), 1);
        let backslash = below(word ^ (u64::from(b'\\') * ONES), 1);
        let found = quote | backslash | below(word, 0x10);
        if found == 0 {
            at += 8;
            continue;
        }
        at += found.trailing_zeros() as usize / 8;
        if is_special(text[at]) {
            return at;
        }
        at += 1;
    }
    at + text[at..].iter().position(|byte| is_special(*byte)).unwrap_or(text.len() - at)
}

/// `len`, the bytes that a scan has passed; tests count them.
#[inline(always)]
pub(super) fn looked_at(len: usize) -> usize {
    #[cfg(test)]
    tests::LOOKED_AT.set(tests::LOOKED_AT.get() + len + 1);
    len
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'\r' | b'\n' | b'\0')
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

#[cfg(test)]
mod tests {
    use crate::{ContentDisposition, Profile};
    use std::cell::Cell;
    use std::vec::Vec;
    use std::{format, thread_local};

    thread_local! {
        /// The bytes that scans have passed, and one for each scan.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    /// Each byte is passed a few times at most, however the header is made to be looked at again.
    #[test]
    fn no_header_is_looked_at_again_and_again() {
        let parts: [&[u8]; 20] = [
            b"\"",
            b"\\",
            b"\\\"",
            b"\\\"  ",
            b"\"\\",
            b";",
            b"; a",
            b"; a=",
            b"; a=\"",
            b"; a=\"\\\"",
            b"; a=\"b\"c",
            b"; a*=\"",
            b"; a=b,c",
            b"; a*=b,c",
            b"; a=b",
            b"; filename*0=\"b\"",
            b" ",
            b"\r\n ",
            b"=",
            b"a",
        ];
        for start in [&b"x"[..], b"x; a=", b"x; a=\"", b"x; a*=\""] {
            for part in parts {
                for end in [&b""[..], b"\"", b";", b"\\"] {
                    let header: Vec<u8> = [start, &part.repeat(10_000), end].concat();
                    for profile in [Profile::Http, Profile::FormData, Profile::Mail] {
                        LOOKED_AT.set(0);
                        let read = ContentDisposition::parse_as(&header, profile).is_ok();
                        let looked_at = LOOKED_AT.get();
                        let case = format!("{profile:?} {}", part.escape_ascii());
                        assert!(!read || looked_at >= header.len() / 4, "{case}: {looked_at}");
                        assert!(looked_at <= 6 * header.len() + 64, "{case}: {looked_at}");
                    }
                }
            }
        }
    }
}
