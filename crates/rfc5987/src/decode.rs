//! Value-chars to text, as the grammar says or as far as one can.

use crate::alphabet::{self, is_attr_char};
use crate::arch::{self, Octets};
use crate::error::DecodeError;
use crate::error::DecodeErrorKind::{self, InvalidChar, InvalidEscape, InvalidUtf8};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Decodes value-chars (RFC 8187, section 3.2.1), strictly: attr-chars and whole escapes that give
/// UTF-8, nothing else.
///
/// Borrowed when there is no escape; else one allocation of exactly the length. Hexadecimal digits
/// may be of either case; `+` is a plus sign. The result can hold anything that UTF-8 can: control
/// characters, `/`, `..`. Do not use it as a path.
///
/// # Errors
/// The first offence against the grammar, or, when there is none, the first ill-formed sequence.
///
/// ```
/// use rfc5987::{DecodeErrorKind, decode};
///
/// assert_eq!(decode("%c2%a3%20rates")?, "£ rates");
/// let error = decode("100%.txt").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidEscape, 3));
/// # Ok::<(), rfc5987::DecodeError>(())
/// ```
pub fn decode(value: &str) -> Result<Cow<'_, str>, DecodeError> {
    match octets(value)? {
        None => Ok(Cow::Borrowed(value)),
        Some(octets) => arch::into_string(octets).map(Cow::Owned).map_err(|(valid, _)| {
            let offset = input_offset(value, valid);
            DecodeError::new(InvalidUtf8, offset)
        }),
    }
}

/// Decodes value-chars as far as one can: a `%` without two digits and every character that should
/// have been escaped stay as they are, and what is not UTF-8 becomes U+FFFD, one for each maximal
/// subpart of an ill-formed sequence.
///
/// Borrowed when there is no whole escape. For values of senders that are known to be wrong; where
/// there is another value to fall back on, [`decode`] and its error are the better choice.
///
/// ```
/// assert_eq!(rfc5987::decode_lossy("100%25 sure%"), "100% sure%");
/// assert_eq!(rfc5987::decode_lossy("A%E4B"), "A\u{FFFD}B");
/// ```
#[must_use]
pub fn decode_lossy(value: &str) -> Cow<'_, str> {
    decode(value).unwrap_or_else(|_| tolerate(value))
}

/// The octets that `value` stands for, strictly; `None` when they are those of `value` itself.
pub(crate) fn octets(value: &str) -> Result<Option<Vec<u8>>, DecodeError> {
    match arch::octets(value.as_bytes()) {
        Some(Octets::Same) => Ok(None),
        Some(Octets::New(octets)) => Ok(Some(octets)),
        None => Err(first_offence(value)),
    }
}

/// The octet of the escape at the front of `text`, if there is a whole one.
fn escape(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let high = alphabet::HEX_VALUE[usize::from(*high)];
    let low = alphabet::HEX_VALUE[usize::from(*low)];
    (high != alphabet::NO_DIGIT && low != alphabet::NO_DIGIT).then_some(high << 4 | low)
}

/// The first octet of value-chars and the bytes that stand for it, or what is wrong with them.
#[inline]
pub(crate) fn first_octet(chars: &[u8]) -> Result<(u8, usize), DecodeErrorKind> {
    match chars {
        [b'%', ..] => escape(chars).map(|octet| (octet, 3)).ok_or(InvalidEscape),
        [byte, ..] if is_attr_char(*byte) => Ok((*byte, 1)),
        _ => Err(InvalidChar),
    }
}

/// The first offence against the grammar of a value that has one.
#[cold]
fn first_offence(value: &str) -> DecodeError {
    let mut at = 0;
    loop {
        match first_octet(&value.as_bytes()[at..]) {
            Ok((_, taken)) => at += taken,
            Err(kind) => return DecodeError::new(kind, at),
        }
    }
}

/// The byte of `value` from which octet number `octet` comes.
#[cold]
fn input_offset(value: &str, octet: usize) -> usize {
    let bytes = value.as_bytes();
    let mut at = 0;
    for _ in 0..octet {
        at += if escape(&bytes[at.min(bytes.len())..]).is_some() { 3 } else { 1 };
    }
    at
}

/// The characters of a value that may break the grammar, an escaped octet read by `read`.
pub(crate) fn tolerated_chars(
    value: &str,
    read: impl Fn(u8) -> char + Clone,
) -> impl Iterator<Item = char> + Clone {
    let mut rest = value;
    core::iter::from_fn(move || {
        let (char, len) = match escape(rest.as_bytes()) {
            Some(octet) => (read(octet), 3),
            None => rest.chars().next().map(|char| (char, char.len_utf8()))?,
        };
        rest = &rest[len..];
        Some(char)
    })
}

/// The octets of a value that breaks the grammar.
fn tolerated_octets(value: &str) -> Vec<u8> {
    let bytes = value.as_bytes();
    let mut at = 0;
    let mut len = 0;
    while at < bytes.len() {
        at += if escape(&bytes[at..]).is_some() { 3 } else { 1 };
        len += 1;
    }
    let mut octets = Vec::with_capacity(len);
    at = 0;
    while at < bytes.len() {
        let escaped = escape(&bytes[at..]);
        octets.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    octets
}

#[cold]
fn tolerate(value: &str) -> Cow<'_, str> {
    let octets = tolerated_octets(value);
    // Each whole escape takes two bytes off.
    if octets.len() == value.len() {
        return Cow::Borrowed(value);
    }
    Cow::Owned(arch::into_string(octets).unwrap_or_else(|(_, octets)| replaced(&octets)))
}

/// `octets` with U+FFFD for what is ill-formed, in one allocation of exactly the length.
pub(crate) fn replaced(octets: &[u8]) -> String {
    let parts = || {
        octets.utf8_chunks().flat_map(|chunk| {
            let mark = if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" };
            [chunk.valid(), mark]
        })
    };
    let mut text = String::with_capacity(parts().map(str::len).sum());
    parts().for_each(|part| text.push_str(part));
    text
}
