//! Random input against slow, obvious versions of the same thing.

use crate::oracle::ATTR_CHAR;
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use proptest::prelude::*;
use rfc5987::{Builder, DecodeErrorKind, ExtValue, Fallback, compat, form_data};
use std::borrow::Cow;

/// Texts like names, with what is awkward in them, of lengths around every block size.
fn name() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        8 => "[a-zA-Z0-9._-]{1,20}",
        2 => "[ -~]{1,6}",
        2 => any::<char>().prop_map(String::from),
        1 => Just(String::from("\"")),
        1 => Just(String::from("%4")),
        1 => Just(String::from("=?")),
        1 => "[\\x00-\\x1F\\x7F]",
        1 => "[\u{80}-\u{7FF}]{1,5}",
        1 => "[\u{4E00}-\u{4FFF}]{1,8}",
        1 => "[\u{1F300}-\u{1F5FF}]{1,3}",
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// Texts like value-chars, mostly right.
fn chars() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => "[a-zA-Z0-9._-]{1,12}",
        3 => name().prop_map(|name| rfc5987::encode(&name).into_owned()),
        2 => "%[0-9a-fA-F]{2}",
        1 => prop_oneof![Just("%"), Just("%4"), Just("%%"), Just("é"), Just(" "), Just("%C3"), Just("%a9")]
            .prop_map(String::from),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

/// The grammar, read byte by byte: the octets, or the kind and place of the first offence.
fn slow_octets(chars: &str) -> Result<Vec<u8>, (DecodeErrorKind, usize)> {
    let bytes = chars.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut octets = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else {
                return Err((DecodeErrorKind::InvalidEscape, at));
            };
            octets.push((high * 16 + low) as u8);
            at += 3;
        } else if bytes[at].is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&bytes[at]) {
            octets.push(bytes[at]);
            at += 1;
        } else {
            return Err((DecodeErrorKind::InvalidChar, at));
        }
    }
    Ok(octets)
}

/// The byte of the input that gave octet number `octet`, for an input that is right so far.
fn slow_offset(chars: &str, octet: usize) -> usize {
    let mut at = 0;
    for _ in 0..octet {
        at += if chars.as_bytes()[at] == b'%' { 3 } else { 1 };
    }
    at
}

/// Takes a header apart as a strict reader does: the type and the parameters, quotes removed.
fn take_apart(header: &str) -> (String, Vec<(String, String)>) {
    let (kind, mut rest) = match header.find(';') {
        Some(at) => header.split_at(at),
        None => (header, ""),
    };
    let mut params = Vec::new();
    while !rest.is_empty() {
        rest = rest.strip_prefix("; ").expect("a separator");
        let (name, behind) = rest.split_once('=').expect("a value");
        let mut value = String::new();
        if let Some(quoted) = behind.strip_prefix('"') {
            let mut chars = quoted.char_indices();
            let end = loop {
                match chars.next().expect("a closing quote") {
                    (at, '"') => break at,
                    (_, '\\') => value.push(chars.next().expect("a quoted pair").1),
                    (_, char) => value.push(char),
                }
            };
            rest = &quoted[end + 1..];
        } else {
            let end = behind.find(';').unwrap_or(behind.len());
            value.push_str(&behind[..end]);
            rest = &behind[end..];
        }
        params.push((name.to_owned(), value));
    }
    (kind.to_owned(), params)
}

/// Whether a name can be sent as it is, by the words of the rule.
fn is_plain(name: &str) -> bool {
    let chars: Vec<char> = name.chars().collect();
    let printable = chars.iter().all(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\' | '/'));
    let escape = |w: &[char]| w[0] == '%' && w[1].is_ascii_hexdigit() && w[2].is_ascii_hexdigit();
    printable && !chars.windows(3).any(escape) && !name.contains("=?")
}

#[test]
fn every_byte_is_written_as_percent_encoding_writes_it() {
    for char in (0..=0xFF_u8).map(char::from) {
        let text = char.to_string();
        assert_eq!(rfc5987::encode(&text), utf8_percent_encode(&text, ATTR_CHAR).to_string());
    }
    for byte in 0..=0xFF_u8 {
        let safe = byte.is_ascii()
            && utf8_percent_encode(&char::from(byte).to_string(), ATTR_CHAR).to_string().len() == 1;
        assert_eq!(rfc5987::is_attr_char(byte), safe, "{byte:#04X}");
    }
}

#[test]
fn an_escape_is_found_at_every_place_of_every_length() {
    for len in 0..100 {
        for at in 0..len {
            let mut text = "a".repeat(len);
            text.replace_range(at..=at, " ");
            let expected = text.replace(' ', "%20");
            assert_eq!(rfc5987::encode(&text), expected);
            assert_eq!(rfc5987::decode(&expected).unwrap(), text);
            // The same with what must not be there.
            let error = rfc5987::decode(&text).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidChar, at));
            text.replace_range(at..=at, "%");
            let error = rfc5987::decode(&text).unwrap_err();
            let whole = at + 2 < len;
            if !whole {
                assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidEscape, at));
            }
        }
    }
}

/// Names of every length over the borders of what the fallback is made in, with what is awkward at
/// every place of a block.
#[test]
fn a_fallback_is_right_at_every_length() {
    let shown = |name: &str| {
        let mut shown = String::new();
        for char in name.chars() {
            let kept = matches!(char, ' '..='~') && !"\"\\/%".contains(char);
            let word = char == '?' && shown.ends_with('=');
            shown.push(if kept && !word { char } else { '_' });
        }
        shown
    };
    for unit in ["é", "四", "🤩", "a四", "é=?", "ab\"", "\u{7F}~ ", "%é", "=?", "?=", "\u{1F}é!"]
    {
        for shift in 0..8 {
            for count in 0..300 / unit.len() {
                let name = "x".repeat(shift) + &unit.repeat(count) + "é";
                let header = Builder::inline().filename(&name).build().unwrap();
                let start = format!("inline; filename=\"{}\"; filename*=", shown(&name));
                assert!(header.starts_with(&start), "{name:?}\n{header}");
            }
        }
    }
    // A name is plain or not for one byte, wherever it is.
    for len in 1..70 {
        for at in 0..len {
            for (char, plain) in
                [('~', true), (' ', true), ('=', true), ('%', true), ('?', true), ('"', false)]
                    .into_iter()
                    .chain([('\\', false), ('/', false), ('\u{1F}', false), ('\u{7F}', false)])
            {
                let mut name = "q".repeat(len);
                name.replace_range(at..=at, char.encode_utf8(&mut [0; 4]));
                let header = Builder::inline().filename(&name).build().unwrap();
                assert_eq!(header == format!("inline; filename=\"{name}\""), plain, "{name:?}");
            }
        }
    }
}

#[test]
fn time_and_room_are_linear() {
    let long = "\"\\%".repeat(40_000);
    let ext = format!("UTF-8''{}", rfc5987::encode(&long));
    assert_eq!(ExtValue::new(&long).to_string(), ext);
    assert_eq!(String::from(ExtValue::new(&long)), ext);
    let header = Builder::attachment().filename(&long).build().unwrap();
    assert_eq!(header.capacity(), header.len());
    let chars = rfc5987::encode(&long);
    assert_eq!(rfc5987::decode(&chars).unwrap(), long);
    let bad = "%".repeat(100_000);
    assert!(rfc5987::decode(&bad).is_err());
    assert_eq!(rfc5987::decode_lossy(&bad), bad);
    assert!(ExtValue::parse(&"'".repeat(100_000)).is_err());
    assert_eq!(rfc5987::encoded_len(&[0xFF; 100_000]), 900_000);
}

proptest! {
    #[test]
    fn encode_agrees_with_percent_encoding(name in name(), before in name()) {
        let expected = utf8_percent_encode(&name, ATTR_CHAR).to_string();
        let encoded = rfc5987::encode(&name);
        prop_assert_eq!(&encoded, &expected);
        if let Cow::Owned(owned) = &encoded {
            prop_assert_eq!(owned.capacity(), owned.len());
        }
        prop_assert_eq!(matches!(encoded, Cow::Borrowed(_)), expected == name);
        prop_assert_eq!(rfc5987::encoded_len(name.as_bytes()), expected.len());
        let mut buffer = vec![0xAA; expected.len() + 8];
        prop_assert_eq!(rfc5987::encode_into(name.as_bytes(), &mut buffer).unwrap(), &expected);
        prop_assert_eq!(&buffer[expected.len()..], &[0xAA; 8]);
        let mut out = before.clone();
        rfc5987::encode_append(&name, &mut out);
        prop_assert_eq!(out, before + &expected);
        prop_assert_eq!(rfc5987::decode(&expected).unwrap(), &*name);
        prop_assert_eq!(rfc5987::decode_lossy(&expected), name);
    }

    #[test]
    fn ill_formed_bytes_are_encoded_as_their_lossy_text(
        parts in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..6),
            name().prop_map(String::into_bytes),
        ], 0..5),
    ) {
        let bytes = parts.concat();
        let expected = rfc5987::encode(&String::from_utf8_lossy(&bytes)).into_owned();
        prop_assert_eq!(rfc5987::encoded_len(&bytes), expected.len());
        let mut buffer = vec![0; expected.len()];
        prop_assert_eq!(rfc5987::encode_into(&bytes, &mut buffer).unwrap(), &expected);
    }

    #[test]
    fn decode_agrees_with_the_grammar(chars in chars()) {
        let expected = slow_octets(&chars).and_then(|octets| {
            String::from_utf8(octets).map_err(|error| {
                let octet = error.utf8_error().valid_up_to();
                (DecodeErrorKind::InvalidUtf8, slow_offset(&chars, octet))
            })
        });
        let decoded = rfc5987::decode(&chars);
        if let Ok(Cow::Owned(owned)) = &decoded {
            prop_assert_eq!(owned.capacity(), owned.len());
        }
        let decoded = decoded.map(Cow::into_owned);
        prop_assert_eq!(decoded.map_err(|error| (error.kind(), error.offset())), expected);
        let lossy = rfc5987::decode_lossy(&chars);
        if let Cow::Owned(owned) = &lossy {
            prop_assert_eq!(owned.capacity(), owned.len());
        }
        prop_assert_eq!(lossy, percent_decode_str(&chars).decode_utf8_lossy());
    }

    #[test]
    fn an_ext_value_is_read_as_it_was_written(
        name in name(),
        language in proptest::option::of("[a-zA-Z0-9]{1,8}(-[a-zA-Z0-9]{1,8}){0,40}"),
    ) {
        let mut ext = ExtValue::new(&name);
        if let Some(language) = &language {
            ext = ext.with_language(language).unwrap();
        }
        let tag = language.as_deref().unwrap_or_default();
        let expected = format!("UTF-8'{tag}'{}", rfc5987::encode(&name));
        let shown = ext.to_string();
        // A string is never made smaller than 8.
        if (8..=1024).contains(&shown.len()) {
            prop_assert_eq!(shown.capacity(), shown.len());
        }
        prop_assert_eq!(&shown, &expected);
        let owned = String::from(&ext);
        prop_assert_eq!(owned.capacity(), owned.len());
        prop_assert_eq!(&owned, &expected);
        for read in [ExtValue::parse(&expected).unwrap(), ExtValue::parse_lenient(&expected).unwrap()] {
            prop_assert_eq!(read.value(), &*name);
            prop_assert_eq!(read.language(), language.as_deref());
            prop_assert_eq!(read.charset(), "UTF-8");
        }
    }

    #[test]
    fn latin1_is_the_first_256_scalar_values(octets in prop::collection::vec(any::<u8>(), 0..40)) {
        let chars: String = octets.iter().map(|octet| format!("%{octet:02x}")).collect();
        let input = format!("iso-8859-1''{chars}");
        let text: String = octets.iter().map(|octet| char::from(*octet)).collect();
        let left_out = octets.iter().position(|octet| (0x80..0xA0).contains(octet));
        match (ExtValue::parse(&input), left_out) {
            (Ok(ext), None) => prop_assert_eq!(ext.value(), &*text),
            (Err(error), Some(at)) => {
                let offset = "iso-8859-1''".len() + 3 * at;
                prop_assert_eq!(error, rfc5987::ExtValueError::UnassignedOctet { offset });
            }
            (got, _) => prop_assert!(false, "{:?}", got),
        }
        let lossy = text.replace(|char| matches!(char, '\u{80}'..'\u{A0}'), "\u{FFFD}");
        let read = ExtValue::parse_lenient(&input).unwrap();
        prop_assert_eq!(read.value(), lossy);
    }

    #[test]
    fn nothing_that_is_parsed_panics(text in ".{0,40}", more in chars()) {
        for input in [text.clone(), format!("UTF-8''{text}"), format!("{text}'{more}"), format!("ISO-8859-1'{text}'{more}")] {
            let _ = ExtValue::parse(&input);
            let _ = ExtValue::parse_lenient(&input);
            let _ = rfc5987::decode(&input);
            let _ = rfc5987::decode_lossy(&input);
        }
    }

    #[test]
    fn a_header_holds_the_name_and_nothing_else(name in name()) {
        let header = Builder::attachment().filename(&name).build().unwrap();
        prop_assert_eq!(header.capacity(), header.len());
        prop_assert!(header.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", header);
        let (kind, params) = take_apart(&header);
        prop_assert_eq!(kind, "attachment");
        if is_plain(&name) {
            prop_assert_eq!(params, [("filename".to_owned(), name)]);
            return Ok(());
        }
        let [(plain, fallback), (star, ext)] = &params[..] else {
            panic!("{header}");
        };
        prop_assert_eq!((&**plain, &**star), ("filename", "filename*"));
        let read = ExtValue::parse(ext).unwrap();
        prop_assert_eq!(read.value(), &*name);
        prop_assert!(is_plain(fallback) && !fallback.contains('%'), "{}", fallback);
        // A character for a character, and the same one unless it is a mark.
        prop_assert_eq!(fallback.len(), name.chars().count());
        prop_assert!(fallback.chars().zip(name.chars()).all(|(shown, char)| shown == char || shown == '_'));
        let kept = name.chars().filter(|c| matches!(c, ' '..='~') && !"\"\\/%?".contains(*c)).count();
        prop_assert!(fallback.chars().filter(|c| *c != '_').count() <= kept + name.matches('?').count());

        let alone = Builder::attachment().filename(&name).fallback(Fallback::None).build().unwrap();
        prop_assert_eq!(take_apart(&alone).1, [("filename*".to_owned(), ext.clone())]);
        let custom = Builder::attachment().filename(&name).fallback(Fallback::Custom(fallback));
        prop_assert_eq!(custom.build(), if fallback.is_empty() { custom.build() } else { Ok(header) });
    }

    #[test]
    fn parameters_come_back_as_they_were_given(
        value in "[ -~]{0,30}",
        other in ".{0,6}",
        name in name(),
        custom in ".{0,6}",
    ) {
        let builder = Builder::inline().filename(&name).param("Note", &value).param(&other, "x")
            .fallback(Fallback::Custom(&custom)).language(&other);
        // Whatever of it is wrong, it is an error or it is in the header as it was given.
        if let Ok(header) = builder.build() {
            let (_, params) = take_apart(&header);
            prop_assert_eq!(params.iter().filter(|(name, _)| name == "note").count(), 1);
            prop_assert!(params.contains(&("note".to_owned(), value.clone())));
            prop_assert!(params.contains(&(other.to_ascii_lowercase(), "x".to_owned())));
            prop_assert_eq!(params.len(), if is_plain(&name) { 3 } else { 4 });
        }
        let (_, params) = take_apart(&Builder::inline().param("note", &value).build().unwrap());
        prop_assert_eq!(params, [("note".to_owned(), value.clone())]);
    }

    #[test]
    fn form_names_are_escaped_as_browsers_do(name in name(), breaks in "[a\r\n\"%]{0,10}") {
        for text in [name, breaks] {
            let escape = |text: &str| text.replace('\r', "%0D").replace('\n', "%0A").replace('"', "%22");
            let file = escape(&text);
            let field = escape(&text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n"));
            prop_assert_eq!(form_data::escape_filename(&text), &*file);
            prop_assert_eq!(form_data::escape_name(&text), &*field);
            let header = Builder::form_data(&text).filename(&text).build().unwrap();
            prop_assert_eq!(header.capacity(), header.len());
            prop_assert_eq!(header, format!("form-data; name=\"{field}\"; filename=\"{file}\""));
        }
    }

    #[test]
    fn compat_agrees_with_a_slow_reading_of_upstream(name in name().prop_filter("empty", |n| !n.is_empty())) {
        let units: Vec<u16> = name.encode_utf16().collect();
        let sanitized: String = units
            .iter()
            .map(|unit| if (0x20..=0x7E).contains(unit) { char::from(*unit as u8) } else { '_' })
            .collect();
        let quote = |text: &str| {
            let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?={}".contains(c);
            match inner {
                None if !text.is_empty() && text.chars().all(token) => text.to_owned(),
                _ => format!("\"{}\"", inner.unwrap_or(text).replace('\\', "\\\\").replace('"', "\\\"")),
            }
        };
        prop_assert_eq!(
            compat::set_http_file_name(&name),
            format!("filename={}; filename*=UTF-8''{}", quote(&sanitized), rfc5987::encode(&name))
        );
        if sanitized == name {
            prop_assert_eq!(compat::set_mime_file_name(&name), format!("filename={}", quote(&name)));
        }
    }
}
