//! Everything equals the slow, obvious model, on generated input.

mod model;

use proptest::prelude::*;
use utf8_runes::column::{DecodeError, EncodeError, FixedText, Overflow, Pad, RightTruncation};
use utf8_runes::column::{Tail, Unit};
use utf8_runes::{bytes, utf16};

/// Text that mixes lengths, with runs of one kind and many blanks.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => "[a-z]{0,40}",
        2 => " {0,40}",
        1 => "[é-ɏ]{0,20}",
        1 => "[一-龥]{0,30}",
        1 => "[😀-🙏]{0,20}",
        1 => any::<String>(),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

/// Bytes: text with faults put in.
fn dirty() -> impl Strategy<Value = Vec<u8>> {
    let faults = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    (text(), faults).prop_map(|(text, faults)| {
        let mut bytes = text.into_bytes();
        for (at, byte) in faults {
            let at = at.index(bytes.len() + 1);
            bytes.insert(at, byte);
        }
        bytes
    })
}

fn units() -> impl Strategy<Value = Vec<u16>> {
    let part = prop_oneof![
        text().prop_map(|text| text.encode_utf16().collect()),
        prop::collection::vec(0xD7FE_u16..=0xE001, 0..20),
        prop::collection::vec(prop_oneof![Just(0xD800), Just(0xDC00), Just(0x41)], 0..70),
    ];
    prop::collection::vec(part, 0..3).prop_map(|parts| parts.concat())
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![2 => Just(Unit::Scalars), 1 => Just(Unit::Bytes), 1 => Just(Unit::Utf16)]
}

fn overflow() -> impl Strategy<Value = Overflow> {
    prop_oneof![Just(Overflow::Error), Just(Overflow::SqlStore), Just(Overflow::Truncate)]
}

fn pad() -> impl Strategy<Value = Pad> {
    prop_oneof![Just(Pad::Keep), Just(Pad::Trim)]
}

/// A length near that of the input, or any.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 0..200_usize, 1 => Just(usize::MAX), 1 => Just(usize::MAX / 4)]
}

fn measure(unit: Unit, text: &str) -> usize {
    match unit {
        Unit::Scalars => text.chars().count(),
        Unit::Bytes => text.len(),
        Unit::Utf16 => text.encode_utf16().count(),
    }
}

fn cut(unit: Unit, text: &str, length: usize) -> String {
    match unit {
        Unit::Scalars => model::prefix(text, length),
        Unit::Bytes => model::prefix_bytes(text, length).to_owned(),
        Unit::Utf16 => model::prefix_utf16(text, length),
    }
}

proptest! {
    #[test]
    fn counts_and_cuts(text in text(), n in length()) {
        let count = text.chars().count();
        prop_assert_eq!(utf8_runes::count(&text), count);
        prop_assert_eq!(utf8_runes::count_upto(&text, n), count.min(n));
        prop_assert_eq!(utf8_runes::exceeds(&text, n), count > n);
        prop_assert_eq!(utf8_runes::offset(&text, n), model::offset(&text, n));
        prop_assert_eq!(utf8_runes::prefix(&text, n), model::prefix(&text, n));
        prop_assert_eq!(utf8_runes::prefix_bytes(&text, n), model::prefix_bytes(&text, n));
        prop_assert_eq!(utf8_runes::trim_blanks(&text), text.trim_end_matches(' '));
        #[cfg(feature = "alloc")]
        {
            let mut cut = text.clone();
            utf8_runes::truncate(&mut cut, n);
            prop_assert_eq!(cut, model::prefix(&text, n));
        }
    }

    #[test]
    fn bytes_as_std(input in dirty(), n in length()) {
        prop_assert_eq!(bytes::validate(&input), std::str::from_utf8(&input));
        let count = std::str::from_utf8(&input).map(|text| text.chars().count());
        prop_assert_eq!(bytes::validate_count(&input), count);
        prop_assert_eq!(bytes::prefix(&input, n), model::bytes_prefix(&input, n));
        #[cfg(feature = "alloc")]
        prop_assert_eq!(bytes::prefix_lossy(&input, n), model::prefix_lossy(&input, n));
    }

    #[test]
    fn units_as_decode_utf16(units in units(), n in length()) {
        let runes = model::runes(&units);
        prop_assert_eq!(utf16::count(&units), runes.len());
        let offset = model::utf16_offset(&units, n);
        prop_assert_eq!(utf16::offset(&units, n), offset);
        prop_assert_eq!(utf16::prefix(&units, n), &units[..offset.unwrap_or(units.len())]);
        let text = String::from_utf16_lossy(&units);
        prop_assert_eq!(utf16::utf8_len(&units), text.len());
        let mut out = vec![0; text.len() + n.min(9)];
        prop_assert_eq!(utf16::encode_lossy_into(&units, &mut out), Some(text.len()));
        prop_assert_eq!(&out[..text.len()], text.as_bytes());
        #[cfg(feature = "alloc")]
        for spare in [0, text.len(), 4 * text.len()] {
            let mut out = Vec::with_capacity(spare + 1);
            out.push(b'>');
            prop_assert_eq!(utf16::append_utf8_lossy(&units, &mut out), model::lone_count(&units));
            prop_assert_eq!(&out[1..], text.as_bytes());
            let expected = model::first_lone(&units).map(|index| utf16::LoneSurrogate { index });
            let mut out = String::from("é");
            prop_assert_eq!(utf16::append(&units, &mut out).err(), expected);
            prop_assert_eq!(&out["é".len()..], if expected.is_none() { &text } else { "" });
        }
    }

    #[test]
    fn fields_decode(input in dirty(), n in length(), unit in unit(), pad in pad(), strict: bool) {
        let tail = if strict { Tail::RequireBlank } else { Tail::Ignore };
        let column = FixedText::new(n).unit(unit).pad(pad).tail(tail);
        let decoded = column.decode(&input);
        if let Ok(text) = std::str::from_utf8(&input) {
            let kept = match unit {
                Unit::Bytes => std::str::from_utf8(&input[..n.min(input.len())])
                    .map(str::to_owned)
                    .map_err(|error| DecodeError::Malformed { offset: error.valid_up_to() }),
                _ => Ok(cut(unit, text, n)),
            };
            let expected = kept.and_then(|kept| {
                match input[kept.len()..].iter().position(|byte| *byte != b' ') {
                    Some(at) if strict => Err(DecodeError::Tail { offset: kept.len() + at }),
                    _ if pad == Pad::Trim => Ok(kept.trim_end_matches(' ').to_owned()),
                    _ => Ok(kept),
                }
            });
            prop_assert_eq!(decoded.map(str::to_owned), expected);
        } else if unit == Unit::Scalars && !strict {
            let expected = model::bytes_prefix(&input, n)
                .map(|text| if pad == Pad::Trim { text.trim_end_matches(' ') } else { text })
                .map_err(|error| DecodeError::Malformed { offset: error.valid_up_to() });
            prop_assert_eq!(decoded, expected);
        }
        #[cfg(feature = "alloc")]
        {
            let lossy = match unit {
                Unit::Bytes => String::from_utf8_lossy(&input[..n.min(input.len())]).into_owned(),
                _ => cut(unit, &String::from_utf8_lossy(&input), n),
            };
            let lossy = if pad == Pad::Trim { lossy.trim_end_matches(' ') } else { &lossy };
            let decoded_lossy = column.decode_lossy(&input);
            if std::str::from_utf8(&input[..n.min(input.len())]).is_ok()
                && std::str::from_utf8(&input).is_ok()
            {
                prop_assert!(matches!(decoded_lossy, std::borrow::Cow::Borrowed(_)));
            }
            prop_assert_eq!(decoded_lossy, lossy);
            let mut out = String::from("before");
            prop_assert_eq!(column.decode_into(&input, &mut out), decoded.map(|_| ()));
            prop_assert_eq!(out, decoded.unwrap_or("before"));
        }
    }

    #[test]
    fn rows(input in dirty(), n in 0..9_usize, per in 0..5_usize, stride in 0..40_usize) {
        let column = FixedText::new(n).bytes_per_char(per);
        let rows: Vec<_> = column.decode_rows(&input, stride).collect();
        prop_assert_eq!(column.decode_rows(&input, stride).len(), rows.len());
        let count = if stride == 0 { 0 } else { input.len().div_ceil(stride) };
        prop_assert_eq!(rows.len(), count);
        for (index, row) in rows.iter().enumerate() {
            let field = &input[index * stride..input.len().min((index + 1) * stride)];
            prop_assert_eq!(*row, column.decode(&field[..field.len().min(n * per)]));
        }
    }

    #[test]
    fn fields_encode(
        text in text(),
        n in length(),
        unit in unit(),
        pad in pad(),
        overflow in overflow(),
        width in 0..400_usize,
    ) {
        let column = FixedText::new(n).unit(unit).pad(pad).overflow(overflow);
        let kept = cut(unit, &text, n);
        let excess = &text[kept.len()..];
        let fits = match overflow {
            Overflow::Error => excess.is_empty(),
            Overflow::SqlStore => excess.bytes().all(|byte| byte == b' '),
            _ => true,
        };
        let needed = kept.len().saturating_add(n - measure(unit, &kept));
        let refused = RightTruncation { expected: n, actual: measure(unit, &text) };
        let expected = match () {
            () if !fits => Err(EncodeError::RightTruncation(refused)),
            () if width < needed => Err(EncodeError::FieldTooShort { needed }),
            () => Ok(()),
        };
        let mut field = vec![0xAA; width];
        prop_assert_eq!(column.encode(&text, &mut field), expected);
        if expected.is_ok() {
            let written = format!("{kept}{}", " ".repeat(width - kept.len()));
            prop_assert_eq!(std::str::from_utf8(&field), Ok(written.as_str()));
        } else {
            prop_assert!(field.iter().all(|byte| *byte == 0xAA));
        }
        #[cfg(feature = "alloc")]
        if !fits {
            prop_assert_eq!(column.fit(&text), Err(refused));
        } else if pad == Pad::Trim {
            prop_assert_eq!(column.fit(&text).unwrap(), kept.trim_end_matches(' '));
        } else if n < 1000 {
            let padded = format!("{kept}{}", " ".repeat(needed - kept.len()));
            prop_assert_eq!(column.fit(&text).unwrap(), padded);
        } else {
            // Blanks that no memory can hold are left out.
            prop_assert_eq!(column.fit(&text).unwrap(), kept);
        }
    }
}
