//! What is so only in mail: folded lines, names in sections, encoded words.

pub(super) mod rfc2047;
pub(super) mod rfc2231;

use super::{grammar, parse};
use crate::alphabet;
#[cfg(feature = "encoding_rs")]
use crate::integrations::encoding_rs::Legacy;
use crate::{arch, ext_value};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The length of the line break at the front of `text` if the line goes on behind it, or nothing
/// does; else 0. Files keep mail with a bare LF.
pub(super) fn fold_len(text: &[u8]) -> usize {
    let len = match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => return 0,
    };
    if matches!(text.get(len), None | Some(b' ' | b'\t')) { len } else { 0 }
}

/// The length of an unquoted value: a token of RFC 2045, which knows braces, octets above ASCII,
/// and what encoded words are made of, as many programs forget their quotes.
pub(super) fn unquoted_len(text: &[u8]) -> usize {
    let is = |byte: u8| {
        let more = matches!(byte, b'{' | b'}' | b'=' | b'?' | b'/') || byte >= 0x80;
        more || alphabet::is_token_char(byte)
    };
    grammar::looked_at(text.iter().position(|byte| !is(*byte)).unwrap_or(text.len()))
}

/// What a quoted string says: without line breaks, and without the backslash before a character.
pub(super) fn unescaped(inside: &[u8]) -> Cow<'_, [u8]> {
    let line_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
    match (inside.contains(&b'\\'), inside.iter().any(line_break)) {
        (false, false) => Cow::Borrowed(inside),
        (true, false) => parse::joined(grammar::unescaped(inside)),
        (_, true) => parse::joined(inside.split(line_break).flat_map(grammar::unescaped)),
    }
}

/// The value of a parameter without its quotes.
fn unquoted(value: &[u8]) -> Cow<'_, [u8]> {
    grammar::inside_quotes(value).map_or(Cow::Borrowed(value), unescaped)
}

/// What can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charset {
    Utf8,
    Ascii,
    Latin1,
    #[cfg(feature = "encoding_rs")]
    Legacy(Legacy),
}

impl Charset {
    fn named(name: &[u8]) -> Option<Self> {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        match () {
            // RFC 2231, section 4, lets it be left out.
            () if name.is_empty() || is("UTF-8") || is("UTF8") => Some(Self::Utf8),
            () if is("US-ASCII") => Some(Self::Ascii),
            () if is("ISO-8859-1") => Some(Self::Latin1),
            #[cfg(feature = "encoding_rs")]
            () => Legacy::named(name).map(Self::Legacy),
            #[cfg(not(feature = "encoding_rs"))]
            () => None,
        }
    }

    /// Whether octets of ASCII are the text that they would be alone.
    fn is_ascii_itself(self) -> bool {
        match self {
            Self::Utf8 | Self::Ascii | Self::Latin1 => true,
            #[cfg(feature = "encoding_rs")]
            Self::Legacy(_) => false,
        }
    }

    /// The text of these octets, or which of them is the first that is not in the charset.
    fn decode(self, octets: Vec<u8>) -> Result<String, usize> {
        let foreign = |octet: &u8| match self {
            Self::Utf8 => false,
            #[cfg(feature = "encoding_rs")]
            Self::Legacy(_) => false,
            Self::Ascii => !octet.is_ascii(),
            Self::Latin1 => (0x80..0xA0).contains(octet),
        };
        if let Some(at) = octets.iter().position(foreign) {
            return Err(at);
        }
        match self {
            Self::Latin1 => Ok(ext_value::collect(octets.iter().map(|octet| char::from(*octet)))),
            #[cfg(feature = "encoding_rs")]
            Self::Legacy(charset) => charset.decode(&octets).ok_or(0),
            Self::Utf8 | Self::Ascii => arch::into_string(octets).map_err(|(at, _)| at),
        }
    }
}
