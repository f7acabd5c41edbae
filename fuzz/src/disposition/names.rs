//! What the parameters of a header say, read a byte at a time.

use super::Params;
use rfc5987::{ContentDisposition, ExtValue, Profile, is_attr_char};
use std::collections::BTreeMap;

/// Compares the names that were read with those that are in the parameters.
pub(super) fn check(read: &ContentDisposition<'_>, params: &Params, profile: Profile) {
    let ext = extended(params, "filename", profile);
    let got = read.filename_ext();
    match (&got, &ext) {
        (Some(Ok(got)), Some(Some(value))) => assert_eq!(got.value(), value, "{profile:?}"),
        (Some(Err(_)), Some(None)) | (None, None) => {}
        _ => panic!("{profile:?}: {got:?}, {ext:?}"),
    }
    // Of text, the error is that of the ext-value alone.
    let value = params.iter().find(|(name, _)| name.eq_ignore_ascii_case(b"filename*"));
    if let Some(text) = value.and_then(|(_, value)| std::str::from_utf8(value).ok())
        && profile != Profile::Mail
    {
        assert_eq!(got.and_then(Result::err), ExtValue::parse(text).err());
    }
    for (name, got) in [("filename", read.filename()), ("name", read.name())] {
        let plain = || {
            let of_name = |(own, _): &&(Vec<u8>, _)| own.eq_ignore_ascii_case(name.as_bytes());
            params.iter().find(of_name).map(|(_, value)| text(&said(value, profile), profile))
        };
        let expected = extended(params, name, profile).flatten().or_else(plain);
        // Encoded words have tests of their own.
        let words = expected.as_ref().is_some_and(|name| name.contains("=?"));
        if profile != Profile::Mail || !words {
            assert_eq!(got.as_deref(), expected.as_deref(), "{profile:?}");
        }
    }
}

/// What a value says without its quotes and escapes.
fn said(value: &[u8], profile: Profile) -> Vec<u8> {
    let quoted = value.len() > 1 && value.starts_with(b"\"") && value.ends_with(b"\"");
    if !quoted {
        return value.to_vec();
    }
    let inside = &value[1..value.len() - 1];
    let (mut said, mut at) = (Vec::new(), 0);
    while at < inside.len() {
        let rest = &inside[at..];
        let line_break = |byte: Option<&u8>| matches!(byte, None | Some(b'\r' | b'\n'));
        let (octet, len) = match profile {
            Profile::FormData if rest.starts_with(b"\\\"") => (b'"', 2),
            Profile::FormData if rest.starts_with(b"%22") => (b'"', 3),
            Profile::FormData if rest.starts_with(b"%0D") => (b'\r', 3),
            Profile::FormData if rest.starts_with(b"%0A") => (b'\n', 3),
            Profile::Mail if line_break(rest.first()) => {
                at += 1;
                continue;
            }
            Profile::Mail if rest[0] == b'\\' && !line_break(rest.get(1)) => (rest[1], 2),
            Profile::Http if rest[0] == b'\\' && rest.len() > 1 => (rest[1], 2),
            _ => (rest[0], 1),
        };
        said.push(octet);
        at += len;
    }
    said
}

/// The text of octets without a charset.
fn text(octets: &[u8], profile: Profile) -> String {
    match std::str::from_utf8(octets) {
        Ok(text) => text.to_owned(),
        Err(_) if profile == Profile::FormData => String::from_utf8_lossy(octets).into_owned(),
        Err(_) => latin1(octets).replace(|char| matches!(char, '\u{80}'..'\u{A0}'), "\u{FFFD}"),
    }
}

fn latin1(octets: &[u8]) -> String {
    octets.iter().map(|octet| char::from(*octet)).collect()
}

/// The extended value of this name: nothing when there is none, and none in it that is not valid.
fn extended(params: &Params, name: &str, profile: Profile) -> Option<Option<String>> {
    let starred = format!("{name}*");
    let whole = params.iter().find(|(own, _)| own.eq_ignore_ascii_case(starred.as_bytes()));
    if profile != Profile::Mail {
        return whole.map(|(_, value)| of_http(value));
    }
    if let Some((_, value)) = whole {
        return Some(of_sections(&[(true, said(value, profile))]));
    }
    // Up to the first number that is there already.
    let mut sections = BTreeMap::new();
    for (own, value) in params {
        let own = String::from_utf8_lossy(own).to_ascii_lowercase();
        let Some(number) = own.strip_prefix(&starred) else { continue };
        let digits = number.strip_suffix('*').unwrap_or(number);
        let Some(index) = digits.parse::<usize>().ok().filter(|_| digits.len() < 10) else {
            continue;
        };
        if index.to_string() != digits {
            continue;
        }
        if sections.contains_key(&index) {
            break;
        }
        sections.insert(index, (number != digits, said(value, profile)));
    }
    let series: Vec<_> = (0..).map_while(|index| sections.remove(&index)).collect();
    (!series.is_empty()).then(|| of_sections(&series))
}

/// An ext-value of RFC 8187.
fn of_http(value: &[u8]) -> Option<String> {
    let mut parts = value.splitn(3, |byte| *byte == b'\'');
    let (charset, language, value) = (parts.next()?, parts.next()?, parts.next()?);
    let subtag =
        |tag: &[u8]| (1..=8).contains(&tag.len()) && tag.iter().all(u8::is_ascii_alphanumeric);
    if !language.is_empty() && !language.split(|byte| *byte == b'-').all(subtag) {
        return None;
    }
    let octets = unescaped(value, is_attr_char)?;
    match &*charset.to_ascii_lowercase() {
        b"utf-8" => String::from_utf8(octets).ok(),
        b"iso-8859-1" => {
            (!octets.iter().any(|octet| (0x80..0xA0).contains(octet))).then(|| latin1(&octets))
        }
        _ => None,
    }
}

/// The sections of RFC 2231, in their order: whether each has escapes, and what it says.
fn of_sections(sections: &[(bool, Vec<u8>)]) -> Option<String> {
    let mut octets = Vec::new();
    let mut charset = None;
    for (index, (extended, said)) in sections.iter().enumerate() {
        let mut said = &said[..];
        if index == 0 && *extended {
            let mut parts = said.splitn(3, |byte| *byte == b'\'');
            charset = Some(parts.next()?.to_ascii_lowercase());
            parts.next()?;
            said = parts.next()?;
        }
        if *extended {
            octets.extend(unescaped(said, |byte| byte != b'%' && byte.is_ascii())?);
        } else {
            octets.extend(said);
        }
    }
    match charset.as_deref() {
        None => Some(text(&octets, Profile::Mail)),
        Some(b"" | b"utf-8" | b"utf8") => String::from_utf8(octets).ok(),
        Some(b"us-ascii") => octets.is_ascii().then(|| latin1(&octets)),
        Some(b"iso-8859-1") => {
            (!octets.iter().any(|octet| (0x80..0xA0).contains(octet))).then(|| latin1(&octets))
        }
        Some(_) => None,
    }
}

/// The octets of a value of escapes and of what `may` stand for itself.
fn unescaped(value: &[u8], may: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
    let (mut octets, mut rest) = (Vec::new(), value);
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if let (b'%', [high, low, behind @ ..]) = (byte, tail) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            octets.push((digit(*high)? * 16 + digit(*low)?) as u8);
            rest = behind;
        } else {
            octets.push(Some(*byte).filter(|byte| may(*byte))?);
        }
    }
    Some(octets)
}
