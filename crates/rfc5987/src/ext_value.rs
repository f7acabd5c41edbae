//! A whole ext-value: charset, language and value.

use crate::arch::Counted;
use crate::decode as decoding;
use crate::error::{DecodeError, DecodeErrorKind, ExtValueError};
use crate::header::grammar::is_language;
#[cfg(feature = "encoding_rs")]
use crate::integrations::encoding_rs::{self, Legacy};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// The charset that is written, and the only one that RFC 8187 lets a producer write.
const UTF_8: &str = "UTF-8";

/// An ext-value of RFC 8187: what stands behind `filename*=`, `title*=` or `username*=`, such as
/// `UTF-8'en'%C2%A3%20rates`.
///
/// Displayed, it is always UTF-8, whatever was read. [`String::from`] makes a string of it in one
/// allocation of exactly the length; so does `to_string` up to 1024 bytes.
///
/// ```
/// use rfc5987::ExtValue;
///
/// let title = ExtValue::new("£ rates").with_language("en")?;
/// assert_eq!(title.to_string(), "UTF-8'en'%C2%A3%20rates");
///
/// let read = ExtValue::parse("iso-8859-1'en'%A3%20rates")?;
/// assert_eq!((read.value(), read.language()), ("£ rates", Some("en")));
/// assert_eq!(read.to_string(), "UTF-8'en'%C2%A3%20rates");
/// # Ok::<(), rfc5987::ExtValueError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ExtValue<'a> {
    charset: &'a str,
    language: Option<&'a str>,
    value: Cow<'a, str>,
}

/// What can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charset {
    Utf8,
    Latin1,
    #[cfg(feature = "encoding_rs")]
    Legacy(Legacy),
}

impl<'a> ExtValue<'a> {
    /// An ext-value without a language.
    #[must_use]
    pub const fn new(value: &'a str) -> Self {
        Self { charset: UTF_8, language: None, value: Cow::Borrowed(value) }
    }

    /// The same with a language: a language tag such as `en` or `zh-Hant`, of which only the shape
    /// is checked (subtags of one to eight ASCII letters or digits with `-` between them).
    ///
    /// # Errors
    /// [`ExtValueError::InvalidLanguage`].
    pub fn with_language(self, language: &'a str) -> Result<Self, ExtValueError> {
        if !is_language(language) {
            return Err(ExtValueError::InvalidLanguage);
        }
        Ok(Self { language: Some(language), ..self })
    }

    /// Reads an ext-value as the grammar of RFC 8187 says. Charsets are UTF-8 and, from RFC 5987,
    /// ISO-8859-1 without the octets 80 to 9F; the letter case of both is free.
    ///
    /// Allocates at most once, for a value with an escape in it; more often only for the charsets of
    /// the feature `encoding_rs`.
    ///
    /// # Errors
    /// The first part that is wrong: the delimiters, the charset, the language, the value.
    pub fn parse(text: &'a str) -> Result<Self, ExtValueError> {
        let parts = Parts::split(text)?;
        let charset = strict_charset(parts.charset)?;
        let language = match parts.language {
            "" => None,
            tag if is_language(tag) => Some(tag),
            _ => return Err(ExtValueError::InvalidLanguage),
        };
        let value = match charset {
            Charset::Utf8 => decoding::decode(parts.value).map_err(|e| parts.error(e))?,
            Charset::Latin1 => parts.latin1()?,
            #[cfg(feature = "encoding_rs")]
            Charset::Legacy(charset) => parts.legacy(charset)?,
        };
        Ok(Self { charset: parts.charset, language, value })
    }

    /// Reads an ext-value as ASP.NET Core does: the value as by
    /// [`decode_lossy`](crate::decode_lossy) (in ISO-8859-1, U+FFFD for 80 to 9F), `utf8` as a name
    /// of UTF-8, and a language that is none as no language.
    ///
    /// # Errors
    /// When there are not exactly two `'`, or the charset is missing or neither UTF-8 nor
    /// ISO-8859-1.
    ///
    /// ```
    /// assert_eq!(rfc5987::ExtValue::parse_lenient("utf8''100%")?.value(), "100%");
    /// # Ok::<(), rfc5987::ExtValueError>(())
    /// ```
    pub fn parse_lenient(text: &'a str) -> Result<Self, ExtValueError> {
        let parts = Parts::split(text)?;
        let charset = match strict_charset(parts.charset) {
            Err(_) if parts.charset.eq_ignore_ascii_case("utf8") => Charset::Utf8,
            charset => charset?,
        };
        if let Some(at) = parts.value.find('\'') {
            return Err(parts.error(DecodeError::new(DecodeErrorKind::InvalidChar, at)));
        }
        let language = Some(parts.language).filter(|tag| is_language(tag));
        let value = match charset {
            Charset::Utf8 => decoding::decode_lossy(parts.value),
            Charset::Latin1 => parts.latin1_lossy(),
            #[cfg(feature = "encoding_rs")]
            Charset::Legacy(charset) => {
                Cow::Owned(charset.decode_lossy(&encoding_rs::tolerated_octets(parts.value)))
            }
        };
        Ok(Self { charset: parts.charset, language, value })
    }

    /// The same for the bytes of a header.
    pub(crate) fn parse_bytes(text: &'a [u8]) -> Result<Self, ExtValueError> {
        let error = match utf8_runes::bytes::validate(text) {
            Ok(text) => return Self::parse(text),
            Err(error) => error,
        };
        // What is wrong before the byte that is no text comes first; that byte is no character of
        // the part in which it stands.
        let (before, behind) = text.split_at(error.valid_up_to());
        let before = core::str::from_utf8(before).unwrap_or_default();
        let marks = behind.iter().filter(|byte| **byte == b'\'').count();
        match (Self::parse(before), before.split_once('\'')) {
            (Err(ExtValueError::MissingDelimiter), None) if marks > 1 => {
                Err(ExtValueError::UnsupportedCharset)
            }
            (Err(ExtValueError::MissingDelimiter), Some((charset, _))) if marks > 0 => {
                strict_charset(charset).and(Err(ExtValueError::InvalidLanguage))
            }
            (Err(error), _) if !error.is_of_octets() => Err(error),
            _ => {
                let error = DecodeError::new(DecodeErrorKind::InvalidChar, before.len());
                Err(ExtValueError::Value(error))
            }
        }
    }

    /// One that was read by other rules.
    pub(crate) const fn of(
        charset: &'a str,
        language: Option<&'a str>,
        value: Cow<'a, str>,
    ) -> Self {
        Self { charset, language, value }
    }

    /// The charset as it was read, or `UTF-8`.
    #[must_use]
    pub fn charset(&self) -> &str {
        self.charset
    }

    /// The language as it was given, if there is one.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.language
    }

    /// The value, decoded. It came from a peer: do not use it as a path.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The value, decoded; borrowed when there was nothing to decode.
    #[must_use]
    pub fn into_value(self) -> Cow<'a, str> {
        self.value
    }

    /// The three parts before the value-chars.
    fn prefix(&self) -> [&str; 4] {
        [UTF_8, "'", self.language.unwrap_or_default(), "'"]
    }
}

/// How much is put together before it is written: most ext-values whole, and the longest that file
/// systems take as a name (255 bytes).
const SHORT: usize = 256;
const LONG: usize = 1024;

impl fmt::Display for ExtValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = Counted::of(self.value.as_bytes());
        let len = value.encoded_len().saturating_add(prefix_len(self.language.unwrap_or_default()));
        if len <= SHORT { self.write_by::<SHORT>(f) } else { self.write_by::<LONG>(f) }
    }
}

impl ExtValue<'_> {
    /// Writes it in pieces of up to `PIECE` bytes.
    fn write_by<const PIECE: usize>(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut piece = [0; PIECE];
        let mut at = 0;
        for part in self.prefix() {
            // A language can be of any length.
            if at + part.len() > PIECE {
                f.write_str(ascii(&piece[..at])?)?;
                at = 0;
            }
            match piece.get_mut(at..at + part.len()) {
                Some(room) => {
                    room.copy_from_slice(part.as_bytes());
                    at += part.len();
                }
                None => f.write_str(part)?,
            }
        }
        let mut rest = self.value.as_bytes();
        while !rest.is_empty() {
            // All that is left if it fits, else as much as certainly does.
            let all = Some(rest).filter(|rest| rest.len() <= PIECE).map(Counted::of);
            let (now, later) = match all.filter(|all| all.encoded_len() <= PIECE - at) {
                Some(all) => (all, &[][..]),
                None => {
                    let (now, later) = rest.split_at(rest.len().min((PIECE - at) / 3));
                    (Counted::of(now), later)
                }
            };
            at += now.write_to(&mut piece[at..]).ok_or(fmt::Error)?.len();
            rest = later;
            if !rest.is_empty() {
                f.write_str(ascii(&piece[..at])?)?;
                at = 0;
            }
        }
        f.write_str(ascii(&piece[..at])?)
    }
}

/// The piece as text; the error cannot be.
fn ascii(piece: &[u8]) -> Result<&str, fmt::Error> {
    core::str::from_utf8(piece).map_err(|_| fmt::Error)
}

impl From<&ExtValue<'_>> for String {
    // Small, and always inlined: an `ExtValue` that is written to memory and read again at once
    // costs as much as the work on a short name.
    #[inline(always)]
    fn from(ext: &ExtValue<'_>) -> Self {
        match ext.language {
            None => Counted::of(ext.value.as_bytes()).behind("UTF-8''"),
            Some(language) => with_language(&ext.value, language),
        }
    }
}

fn with_language(value: &str, language: &str) -> String {
    let value = Counted::of(value.as_bytes());
    let mut out = String::with_capacity(value.encoded_len().saturating_add(prefix_len(language)));
    push_prefix(language, &mut out);
    value.append_to(&mut out);
    out
}

impl From<ExtValue<'_>> for String {
    #[inline(always)]
    fn from(ext: ExtValue<'_>) -> Self {
        Self::from(&ext)
    }
}

/// The bytes that [`push_prefix`] appends.
pub(crate) fn prefix_len(language: &str) -> usize {
    "UTF-8''".len() + language.len()
}

/// Appends what comes before the value-chars.
#[inline]
pub(crate) fn push_prefix(language: &str, out: &mut String) {
    if language.is_empty() {
        out.push_str("UTF-8''");
    } else {
        [UTF_8, "'", language, "'"].iter().for_each(|part| out.push_str(part));
    }
}

fn strict_charset(name: &str) -> Result<Charset, ExtValueError> {
    if name.eq_ignore_ascii_case(UTF_8) {
        Ok(Charset::Utf8)
    } else if name.eq_ignore_ascii_case("ISO-8859-1") {
        Ok(Charset::Latin1)
    } else if name.is_empty() {
        Err(ExtValueError::MissingCharset)
    } else {
        other_charset(name)
    }
}

#[cfg(feature = "encoding_rs")]
fn other_charset(name: &str) -> Result<Charset, ExtValueError> {
    let charset = Legacy::named(name.as_bytes()).map(Charset::Legacy);
    charset.ok_or(ExtValueError::UnsupportedCharset)
}

#[cfg(not(feature = "encoding_rs"))]
const fn other_charset(_: &str) -> Result<Charset, ExtValueError> {
    Err(ExtValueError::UnsupportedCharset)
}

/// The parts of an ext-value, not yet decoded.
struct Parts<'a> {
    charset: &'a str,
    language: &'a str,
    value: &'a str,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Result<Self, ExtValueError> {
        let (charset, rest) = text.split_once('\'').ok_or(ExtValueError::MissingDelimiter)?;
        let (language, value) = rest.split_once('\'').ok_or(ExtValueError::MissingDelimiter)?;
        Ok(Self { charset, language, value })
    }

    /// Where the value begins.
    fn start(&self) -> usize {
        self.charset.len() + self.language.len() + 2
    }

    fn error(&self, error: DecodeError) -> ExtValueError {
        ExtValueError::Value(error.behind(self.start()))
    }

    #[inline(never)]
    fn latin1(&self) -> Result<Cow<'a, str>, ExtValueError> {
        let bytes = self.value.as_bytes();
        // An octet above ASCII becomes two bytes.
        let (mut at, mut len, mut unassigned) = (0, 0, None);
        while at < bytes.len() {
            let (octet, taken) = decoding::first_octet(&bytes[at..])
                .map_err(|kind| self.error(DecodeError::new(kind, at)))?;
            if matches!(octet, 0x80..0xA0) {
                unassigned.get_or_insert(self.start() + at);
            }
            at += taken;
            len += 1 + usize::from(!octet.is_ascii());
        }
        if let Some(offset) = unassigned {
            return Err(ExtValueError::UnassignedOctet { offset });
        }
        if len == bytes.len() {
            return Ok(Cow::Borrowed(self.value));
        }
        let mut text = String::with_capacity(len);
        let mut rest = bytes;
        while let Ok((octet, taken)) = decoding::first_octet(rest) {
            text.push(char::from(octet));
            rest = &rest[taken..];
        }
        Ok(Cow::Owned(text))
    }

    #[cfg(feature = "encoding_rs")]
    fn legacy(&self, charset: Legacy) -> Result<Cow<'a, str>, ExtValueError> {
        let octets = encoding_rs::octets(self.value).map_err(|e| self.error(e))?;
        charset.decode(&octets).map(Cow::Owned).ok_or(ExtValueError::InvalidOctets)
    }

    fn latin1_lossy(&self) -> Cow<'a, str> {
        if let Ok(value) = self.latin1() {
            return value;
        }
        // Only an escape gives an octet of ISO-8859-1; what should have been one is text already.
        let chars = decoding::tolerated_chars(self.value, |octet| match octet {
            0x80..0xA0 => char::REPLACEMENT_CHARACTER,
            octet => char::from(octet),
        });
        Cow::Owned(collect(chars))
    }
}

/// The string of these characters, in one allocation of exactly the length.
pub(crate) fn collect(chars: impl Iterator<Item = char> + Clone) -> String {
    let mut text = String::with_capacity(chars.clone().map(char::len_utf8).sum());
    chars.for_each(|char| text.push(char));
    text
}
