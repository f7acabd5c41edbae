//! Names in a charset and in sections: RFC 2231, sections 3 and 4.

use super::{Charset, unquoted};
use crate::alphabet::{HEX_VALUE, NO_DIGIT};
use crate::error::{DecodeError, DecodeErrorKind, ExtValueError};
use crate::ext_value::ExtValue;
use crate::header::grammar;
use crate::header::parse::{self, Profile};
use crate::header::source::Param;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// One section of a name.
struct Section<'a> {
    number: u32,
    /// With a `*` at the end of its own name: it has escapes.
    extended: bool,
    value: &'a [u8],
}

/// `name*` if there is one, else the name in sections.
pub(crate) fn ext_value<'a>(
    params: &[Param<'a>],
    name: &str,
) -> Option<Result<ExtValue<'a>, ExtValueError>> {
    let mut sections: SmallVec<[Section<'a>; 8]> = SmallVec::new();
    for param in params {
        let Some(rest) = strip_name(param.name, name) else { continue };
        if rest.is_empty() {
            let whole = Section { number: 0, extended: true, value: param.value };
            return Some(read(&[whole]));
        }
        let (digits, extended) = match rest.strip_suffix(b"*") {
            Some(digits) => (digits, true),
            None => (rest, false),
        };
        if let Some(number) = section_number(digits) {
            sections.push(Section { number, extended, value: param.value });
        }
    }
    let sections = first_series(sections);
    (!sections.is_empty()).then(|| read(&sections))
}

/// What is behind the `*` of a parameter of this name.
fn strip_name<'p>(param: &'p [u8], name: &str) -> Option<&'p [u8]> {
    let (own, rest) = param.split_at_checked(name.len())?;
    own.eq_ignore_ascii_case(name.as_bytes()).then(|| rest.strip_prefix(b"*"))?
}

/// A number without a needless zero; `None` also for one of more than nine digits, which is behind
/// a gap in any case.
fn section_number(digits: &[u8]) -> Option<u32> {
    match digits {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] if digits.len() <= 9 => digits.iter().try_fold(0, |number, digit| {
            digit.is_ascii_digit().then(|| 10 * number + u32::from(digit - b'0'))
        }),
        _ => None,
    }
}

/// The sections of the name in their order: from number 0 to the first gap. Where a number is
/// repeated, another name begins, and what is behind that is none of the first.
fn first_series(sections: SmallVec<[Section<'_>; 8]>) -> SmallVec<[Section<'_>; 8]> {
    let in_order = |sections: &[Section<'_>]| {
        sections
            .iter()
            .enumerate()
            .all(|(index, section)| usize::try_from(section.number) == Ok(index))
    };
    if in_order(&sections) {
        return sections;
    }
    let mut placed: Vec<(usize, Section<'_>)> = sections.into_iter().enumerate().collect();
    placed.sort_unstable_by_key(|(place, section)| (section.number, *place));
    let repeats = placed.windows(2).filter(|pair| pair[0].1.number == pair[1].1.number);
    let end = repeats.map(|pair| pair[1].0).min().unwrap_or(usize::MAX);
    let own = placed.into_iter().filter(|(place, _)| *place < end).map(|(_, section)| section);
    own.zip(0..).take_while(|(section, index)| section.number == *index).map(|own| own.0).collect()
}

/// What the sections say together: each is decoded by itself, and their octets are in one charset,
/// which the first one names.
fn read<'a>(sections: &[Section<'a>]) -> Result<ExtValue<'a>, ExtValueError> {
    let Some(first) = sections.first().filter(|first| first.extended) else {
        if let [only] = sections {
            let text = parse::text(unquoted(only.value), Profile::Mail);
            return Ok(ExtValue::of("UTF-8", None, text));
        }
        let (octets, _) = octets(sections, 0, usize::MAX)?;
        return Ok(ExtValue::of("UTF-8", None, parse::text(Cow::Owned(octets), Profile::Mail)));
    };
    let said = unquoted(first.value);
    let mut marks = (0..said.len()).filter(|at| said[*at] == b'\'');
    let (Some(charset_end), Some(language_end)) = (marks.next(), marks.next()) else {
        return Err(ExtValueError::MissingDelimiter);
    };
    let start = language_end + 1;
    let charset = Charset::named(&said[..charset_end]).ok_or(ExtValueError::UnsupportedCharset)?;
    let value = match (&said, sections) {
        // Nothing to decode.
        (Cow::Borrowed(said), [_]) if charset.is_ascii_itself() && is_plain(&said[start..]) => {
            Cow::Borrowed(text(&said[start..]))
        }
        _ => Cow::Owned(decoded(sections, start, charset)?),
    };
    // With a backslash in them there is nothing to borrow charset and language from.
    let (charset, language) = match said {
        Cow::Borrowed(said) => (&said[..charset_end], &said[charset_end + 1..language_end]),
        Cow::Owned(_) => (&b"UTF-8"[..], &b""[..]),
    };
    let language = Some(text(language)).filter(|tag| grammar::is_language(tag));
    Ok(ExtValue::of(text(charset), language, value))
}

fn text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or_default()
}

/// Whether a value is ASCII without an escape.
fn is_plain(value: &[u8]) -> bool {
    value.is_ascii() && !value.contains(&b'%')
}

/// The text of the sections, of the first one from byte `start`.
fn decoded(
    sections: &[Section<'_>],
    start: usize,
    charset: Charset,
) -> Result<String, ExtValueError> {
    let (octets, _) = octets(sections, start, usize::MAX)?;
    charset.decode(octets).map_err(|at| {
        let offset = self::octets(sections, start, at).map_or(start, |(_, offset)| offset);
        match charset {
            Charset::Latin1 => ExtValueError::UnassignedOctet { offset },
            #[cfg(feature = "encoding_rs")]
            Charset::Legacy(_) => ExtValueError::InvalidOctets,
            Charset::Ascii | Charset::Utf8 => {
                ExtValueError::Value(DecodeError::new(DecodeErrorKind::InvalidUtf8, offset))
            }
        }
    })
}

/// The octets of the sections, of the first one from byte `start`, but no more than `limit`, and the
/// byte behind the last one, counted in the sections put together.
fn octets(
    sections: &[Section<'_>],
    start: usize,
    limit: usize,
) -> Result<(Vec<u8>, usize), ExtValueError> {
    let mut octets = Vec::with_capacity(sections.iter().map(|section| section.value.len()).sum());
    let (mut before, mut at) = (0, start);
    for section in sections {
        let said = unquoted(section.value);
        while let Some(&byte) = said.get(at) {
            if octets.len() == limit {
                return Ok((octets, before + at));
            }
            let (octet, len) = match (section.extended, byte) {
                (true, b'%') => (escape(&said[at + 1..]), 3),
                // Other readers take what should have been escaped, too.
                (true, 0x80..) => (Err(DecodeErrorKind::InvalidChar), 1),
                _ => (Ok(byte), 1),
            };
            let error = |kind| ExtValueError::Value(DecodeError::new(kind, before + at));
            octets.push(octet.map_err(error)?);
            at += len;
        }
        before += said.len();
        at = 0;
    }
    Ok((octets, before))
}

/// The octet that the two digits at the front of `text` stand for.
fn escape(text: &[u8]) -> Result<u8, DecodeErrorKind> {
    let digit = |at: usize| {
        let value = text.get(at).map(|digit| HEX_VALUE[usize::from(*digit)]);
        value.filter(|value| *value != NO_DIGIT).ok_or(DecodeErrorKind::InvalidEscape)
    };
    Ok(digit(0)? << 4 | digit(1)?)
}
