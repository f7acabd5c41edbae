//! Charsets of the Encoding Standard, read: what old programs sent and send.

use crate::alphabet::{HEX_VALUE, NO_DIGIT, is_attr_char};
use crate::error::{DecodeError, DecodeErrorKind};
use ::encoding_rs::Encoding;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// A charset that is neither UTF-8 nor ISO-8859-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Legacy(&'static Encoding);

impl Legacy {
    /// The charset of this label; letter case makes no difference.
    pub(crate) fn named(label: &[u8]) -> Option<Self> {
        // The standard lets blanks stand around a label; RFC 8187 does not. It also has other names
        // of UTF-8, and takes US-ASCII and ISO-8859-1 for windows-1252: those have their own rules.
        let graphic = label.iter().all(u8::is_ascii_graphic);
        let encoding = Encoding::for_label_no_replacement(label)?;
        let own_rules = encoding == ::encoding_rs::UTF_8
            || encoding == ::encoding_rs::WINDOWS_1252 && !label.ends_with(b"1252");
        (graphic && !own_rules).then_some(Self(encoding))
    }

    /// The text of these octets; `None` when they are not in the charset.
    pub(crate) fn decode(self, octets: &[u8]) -> Option<String> {
        self.0.decode_without_bom_handling_and_without_replacement(octets).map(Cow::into_owned)
    }

    /// The text of these octets, with U+FFFD for what is not in the charset.
    pub(crate) fn decode_lossy(self, octets: &[u8]) -> String {
        self.0.decode_without_bom_handling(octets).0.into_owned()
    }
}

/// The octets that value-chars stand for.
pub(crate) fn octets(value: &str) -> Result<Vec<u8>, DecodeError> {
    collect(value, |at, byte| {
        let kind = match byte {
            b'%' => DecodeErrorKind::InvalidEscape,
            byte if is_attr_char(byte) => return Ok(byte),
            _ => DecodeErrorKind::InvalidChar,
        };
        Err(DecodeError::new(kind, at))
    })
}

/// The same of a text that breaks the grammar: what is no escape is itself.
pub(crate) fn tolerated_octets(value: &str) -> Vec<u8> {
    collect(value, |_, byte| Ok(byte)).unwrap_or_default()
}

/// The octets of the escapes, and of the other bytes what `literal` makes of them.
fn collect(
    value: &str,
    literal: impl Fn(usize, u8) -> Result<u8, DecodeError>,
) -> Result<Vec<u8>, DecodeError> {
    let mut octets = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [byte, tail @ ..] = rest {
        let digit = |at: usize| {
            let value = tail.get(at).map(|digit| HEX_VALUE[usize::from(*digit)]);
            value.filter(|value| *value != NO_DIGIT)
        };
        if let (b'%', Some(high), Some(low)) = (*byte, digit(0), digit(1)) {
            octets.push(high << 4 | low);
            rest = &tail[2..];
        } else {
            octets.push(literal(value.len() - rest.len(), *byte)?);
            rest = tail;
        }
    }
    Ok(octets)
}
