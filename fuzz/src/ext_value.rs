//! `rfc5987` against a byte-at-a-time reading of RFC 8187.

use crate::tiers::on_every_codec_tier;
use rfc5987::{Builder, DecodeErrorKind, ExtValue, Policy, UntrustedFileName};
use std::borrow::Cow;

/// The input as text to encode, and as a value to decode.
pub fn encode_decode(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let expected = encoded(&text);
    on_every_codec_tier(|| check(data, &text, &expected));
    file_name(&text);
}

fn check(data: &[u8], text: &str, expected: &str) {
    // Ill-formed bytes encode as U+FFFD, so as the lossy text.
    assert_eq!(rfc5987::encoded_len(data), expected.len());
    // To the byte, so that the sanitizer sees one too many.
    let mut out = vec![0; expected.len()];
    assert_eq!(rfc5987::encode_into(data, &mut out), Ok(expected));
    if let Some(short) = expected.len().checked_sub(1) {
        let error = rfc5987::encode_into(data, &mut out[..short]).unwrap_err();
        assert_eq!(error.needed, expected.len());
    }
    let encoded = rfc5987::encode(text);
    assert_eq!(encoded, expected);
    assert_eq!(matches!(encoded, Cow::Borrowed(_)), expected == text);
    assert_eq!(rfc5987::decode(&encoded).as_deref(), Ok(text));
    assert_eq!(rfc5987::decode_lossy(&encoded), text);
    any_value(text);
    header(text);
    let value = ExtValue::new(text);
    let written = value.to_string();
    let read = ExtValue::parse(&written).expect("what is written is read");
    assert_eq!((read.charset(), read.language(), read.value()), ("UTF-8", None, text));
}

/// What is left of a name is safe, short enough, and stays as it is.
fn file_name(name: &str) {
    let policy = Policy::default();
    let name = UntrustedFileName::new(name);
    let sanitized = name.sanitized(&policy);
    assert_eq!(name.is_safe(), sanitized.as_deref() == Some(name.as_raw()));
    let Some(sanitized) = sanitized else { return };
    assert!(!sanitized.is_empty() && sanitized.len() <= 255, "{sanitized:?}");
    assert!(!sanitized.contains(['/', '\\', '\0', ':']), "{sanitized:?}");
    let again = UntrustedFileName::new(&*sanitized);
    assert_eq!(again.sanitized(&policy).as_deref(), Some(&*sanitized));
}

/// Nothing that is passed as a name gets out of its quotes.
fn header(name: &str) {
    let header = Builder::attachment().filename(name).build().expect("any name");
    assert!(header.bytes().all(|byte| (0x20..0x7F).contains(&byte)), "{header:?}");
    // One quoted string without an escape, whatever text the name holds, and at most one value more.
    let quoted = header.strip_prefix("attachment; filename=\"").expect("a plain value first");
    let (inside, rest) = quoted.split_once('"').expect("a closing quote");
    assert!(!inside.contains('\\'), "{header:?}");
    if rest.is_empty() {
        assert_eq!(inside, name);
    } else {
        let extended = rest.strip_prefix("; filename*=UTF-8''").expect("the extended value last");
        assert_eq!(rfc5987::decode(extended).as_deref(), Ok(name));
    }
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        // attr-char, RFC 8187 section 3.2.1
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit = |digit: u8| char::from(b"0123456789ABCDEF"[usize::from(digit)]);
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

/// Anything may be handed to the decoders.
fn any_value(value: &str) {
    let (octets, strict) = octets(value);
    match (rfc5987::decode(value), strict) {
        (Ok(decoded), None) => assert_eq!(decoded.as_bytes(), octets),
        (Err(e), None) => {
            let valid = std::str::from_utf8(&octets).expect_err(value).valid_up_to();
            let at =
                (0..valid).fold(0, |at, _| at + if value[at..].starts_with('%') { 3 } else { 1 });
            assert_eq!((e.kind(), e.offset()), (DecodeErrorKind::InvalidUtf8, at), "{value:?}");
        }
        // The grammar comes before the octets.
        (Err(e), Some(at)) => {
            let percent = value.as_bytes()[at] == b'%';
            let kind =
                if percent { DecodeErrorKind::InvalidEscape } else { DecodeErrorKind::InvalidChar };
            assert_eq!((e.kind(), e.offset()), (kind, at), "{value:?}");
        }
        (Ok(decoded), Some(at)) => panic!("{value:?} breaks the grammar at {at}: {decoded:?}"),
    }
    assert_eq!(rfc5987::decode_lossy(value), String::from_utf8_lossy(&octets), "{value:?}");
    // A whole ext-value: no panic, and what is understood can be written and read again.
    for parsed in [ExtValue::parse(value), ExtValue::parse_lenient(value)].into_iter().flatten() {
        let written = parsed.to_string();
        let again = ExtValue::parse(&written).expect("what is written is read");
        assert_eq!((again.value(), again.language()), (parsed.value(), parsed.language()));
    }
}

/// The octets that the value stands for, a bad `%` kept, and where the grammar first breaks.
fn octets(value: &str) -> (Vec<u8>, Option<usize>) {
    let bytes = value.as_bytes();
    let (mut octets, mut broken, mut at) = (Vec::new(), None, 0);
    while at < bytes.len() {
        let hex = |i: usize| bytes.get(i).and_then(|&b| char::from(b).to_digit(16));
        let byte = bytes[at];
        if byte == b'%'
            && let (Some(high), Some(low)) = (hex(at + 1), hex(at + 2))
        {
            octets.push((high * 16 + low) as u8);
            at += 3;
            continue;
        }
        if !rfc5987::is_attr_char(byte) {
            broken = broken.or(Some(at));
        }
        octets.push(byte);
        at += 1;
    }
    (octets, broken)
}
