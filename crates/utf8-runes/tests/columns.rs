//! Every setting of a column with every other, on every text of a few characters, against a model
//! that goes character by character.
#![cfg(feature = "alloc")]

mod model;

use std::borrow::Cow;
use utf8_runes::column::{DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad};
use utf8_runes::column::{RightTruncation, Tail, Unit, VarText};

const UNITS: [Unit; 3] = [Unit::Scalars, Unit::Bytes, Unit::Utf16];
const PADS: [Pad; 2] = [Pad::Keep, Pad::Trim];
const OVERFLOWS: [Overflow; 3] = [Overflow::Error, Overflow::SqlStore, Overflow::Truncate];
const TAILS: [Tail; 2] = [Tail::Ignore, Tail::RequireBlank];
const LETTERS: [char; 5] = [' ', 'a', 'é', '日', '😊'];

/// All texts of up to four of the letters.
fn texts() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let to = all.len();
        for at in from..to {
            for letter in LETTERS {
                all.push(format!("{}{letter}", all[at]));
            }
        }
        from = to;
    }
    all
}

fn weight(unit: Unit, c: char) -> usize {
    match unit {
        Unit::Scalars => 1,
        Unit::Bytes => c.len_utf8(),
        Unit::Utf16 => c.len_utf16(),
    }
}

fn weigh(unit: Unit, text: &str) -> usize {
    text.chars().map(|c| weight(unit, c)).sum()
}

fn cut(unit: Unit, text: &str, length: usize) -> &str {
    let mut left = length;
    let mut end = 0;
    for c in text.chars() {
        if weight(unit, c) > left {
            break;
        }
        left -= weight(unit, c);
        end += c.len_utf8();
    }
    &text[..end]
}

/// The text of the column that holds `text`, with its blanks, or why it does not.
fn stored(
    (unit, overflow): (Unit, Overflow),
    text: &str,
    length: usize,
) -> Result<String, RightTruncation> {
    let kept = cut(unit, text, length);
    let excess = &text[kept.len()..];
    let fits = match overflow {
        Overflow::Error => excess.is_empty(),
        Overflow::SqlStore => excess.chars().all(|c| c == ' '),
        _ => true,
    };
    if !fits {
        return Err(RightTruncation { expected: length, actual: weigh(unit, text) });
    }
    Ok(format!("{kept}{}", " ".repeat(length - weigh(unit, kept))))
}

#[test]
fn encode_then_decode_is_fit() {
    for text in texts() {
        for unit in UNITS {
            for overflow in OVERFLOWS {
                for length in 0..=6 {
                    check_store(&text, unit, overflow, length);
                }
            }
        }
    }
}

fn check_store(text: &str, unit: Unit, overflow: Overflow, length: usize) {
    let expected = stored((unit, overflow), text, length);
    for pad in PADS {
        let column = FixedText::new(length).unit(unit).pad(pad).overflow(overflow);
        let fit = column.fit(text);
        let Ok(whole) = &expected else {
            let refused = *expected.as_ref().unwrap_err();
            assert_eq!(fit, Err(refused));
            let mut field = [0xAA; 40];
            assert_eq!(column.encode(text, &mut field), Err(EncodeError::RightTruncation(refused)));
            assert_eq!(field, [0xAA; 40]);
            let mut out = b">".to_vec();
            assert_eq!(
                column.encode_append(text, &mut out),
                Err(EncodeError::RightTruncation(refused))
            );
            assert_eq!(out, b">");
            continue;
        };
        check_append(text, column, whole);
        for size in (whole.len().saturating_sub(3)..whole.len() + 4).chain([0, 40]) {
            let mut field = vec![0xAA; size].into_boxed_slice();
            let done = column.encode(text, &mut field);
            if size < whole.len() {
                assert_eq!(done, Err(EncodeError::FieldTooShort { needed: whole.len() }));
                assert!(field.iter().all(|byte| *byte == 0xAA));
                continue;
            }
            assert_eq!(done, Ok(()));
            let blanks = " ".repeat(size - whole.len());
            assert_eq!(std::str::from_utf8(&field).unwrap(), format!("{whole}{blanks}"));
            for tail in TAILS {
                assert_eq!(column.tail(tail).decode(&field), Ok(fit.as_deref().unwrap()));
            }
        }
    }
}

/// A field of the whole width, behind what was there; `whole` is the text with its blanks.
fn check_append(text: &str, column: FixedText, whole: &str) {
    for per_char in 1..=4 {
        let column = column.bytes_per_char(per_char);
        let width = column.byte_width();
        let mut out = b">".to_vec();
        let done = column.encode_append(text, &mut out);
        if whole.len() > width {
            assert_eq!(done, Err(EncodeError::FieldTooShort { needed: whole.len() }));
            assert_eq!(out, b">");
        } else {
            assert_eq!(done, Ok(()));
            assert_eq!(out, format!(">{whole}{}", " ".repeat(width - whole.len())).as_bytes());
        }
    }
}

/// A character of more bytes than the column's set has must not make a longer field.
#[test]
fn a_character_wider_than_its_column() {
    let two = VarText::new(2).bytes_per_char(3);
    let mut out = b">".to_vec();
    assert_eq!(two.encode_append("😊😊", &mut out), Err(EncodeError::FieldTooShort { needed: 10 }));
    assert_eq!(out, b">");
    assert_eq!(two.encode_append("😊é", &mut out), Ok(8));
}

/// No field of that size can be had: not written, not tried.
#[test]
fn a_field_larger_than_memory() {
    let mut out = b">".to_vec();
    let needed = usize::MAX;
    let done = FixedText::new(usize::MAX).encode_append("a", &mut out);
    assert_eq!(done, Err(EncodeError::FieldTooShort { needed }));
    assert_eq!(out, b">");
    let mut field = [0; 9];
    let done = FixedText::new(usize::MAX).encode("a", &mut field);
    assert_eq!(done, Err(EncodeError::FieldTooShort { needed }));
    assert_eq!(field, [0; 9]);
}

#[test]
fn every_field_of_few_characters() {
    for text in texts() {
        for unit in UNITS {
            for length in (0..=6).chain([usize::MAX]) {
                let kept = if unit == Unit::Bytes {
                    std::str::from_utf8(&text.as_bytes()[..length.min(text.len())])
                        .map_err(|error| DecodeError::Malformed { offset: error.valid_up_to() })
                } else {
                    Ok(cut(unit, &text, length))
                };
                for (pad, tail) in PADS
                    .into_iter()
                    .zip(TAILS)
                    .chain([(Pad::Keep, Tail::RequireBlank), (Pad::Trim, Tail::Ignore)])
                {
                    let column = FixedText::new(length).unit(unit).pad(pad).tail(tail);
                    let expected = kept.and_then(|kept| {
                        let behind = text[kept.len()..].bytes().position(|byte| byte != b' ');
                        match behind {
                            Some(at) if tail == Tail::RequireBlank => {
                                Err(DecodeError::Tail { offset: kept.len() + at })
                            }
                            _ if pad == Pad::Trim => Ok(kept.trim_end_matches(' ')),
                            _ => Ok(kept),
                        }
                    });
                    assert_eq!(column.decode(text.as_bytes()), expected, "{column:?} {text:?}");
                }
            }
        }
    }
}

/// Short fields of all kinds of bytes: the verdict on the first n characters and on no more.
#[test]
fn every_field_of_odd_bytes() {
    let bytes = [0x20, 0x61, 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF];
    let mut field = [0; 4];
    for index in 0..10_usize.pow(4) {
        for (place, byte) in field.iter_mut().enumerate() {
            *byte = bytes[index / 10_usize.pow(place as u32) % 10];
        }
        for len in 0..=4 {
            for n in 0..=5 {
                let field = &field[..len];
                let expected = model::bytes_prefix(field, n);
                assert_eq!(utf8_runes::bytes::prefix(field, n), expected, "{n} {field:x?}");
                let column = FixedText::new(n);
                let offset = |error: std::str::Utf8Error| DecodeError::Malformed {
                    offset: error.valid_up_to(),
                };
                assert_eq!(column.decode(field), expected.map_err(offset));
                let lossy = model::prefix_lossy(field, n);
                assert_eq!(column.decode_lossy(field), lossy, "{n} {field:x?}");
                let trimmed = column.pad(Pad::Trim);
                assert_eq!(trimmed.decode_lossy(field), lossy.trim_end_matches(' '));
                let halves = model::prefix_utf16(&String::from_utf8_lossy(field), n);
                assert_eq!(column.unit(Unit::Utf16).decode_lossy(field), halves, "{field:x?}");
            }
        }
    }
}

/// Text that had to be made owned has just the memory that it fills.
#[test]
fn lossy_text_is_allocated_once() {
    let malformed = [b"abc\xFFdef".repeat(9), vec![0x80; 100], "é日\0".repeat(20).into_bytes()];
    for field in &malformed {
        let mut field = field.clone();
        field.push(0xE6);
        for n in [5, 50, 500] {
            let units = [Unit::Scalars, Unit::Bytes, Unit::Utf16];
            let columns = units.map(|unit| FixedText::new(n).unit(unit).decode_lossy(&field));
            for text in columns.into_iter().chain([utf8_runes::bytes::prefix_lossy(&field, n)]) {
                if let Cow::Owned(text) = text {
                    assert_eq!(text.capacity(), text.len(), "{n} {field:x?}");
                }
            }
        }
    }
}

const PREFIXES: [LengthPrefix; 2] = [LengthPrefix::U16Le, LengthPrefix::U32Be];

/// The length as the field begins.
fn announced(prefix: LengthPrefix, len: usize) -> Vec<u8> {
    match prefix {
        LengthPrefix::U16Le => vec![len as u8, (len >> 8) as u8],
        _ => vec![(len >> 24) as u8, (len >> 16) as u8, (len >> 8) as u8, len as u8],
    }
}

#[test]
fn fields_with_a_length() {
    for text in texts() {
        for unit in UNITS {
            for overflow in OVERFLOWS {
                for (length, prefix) in
                    (0..=6).chain([usize::MAX]).flat_map(|n| PREFIXES.map(|prefix| (n, prefix)))
                {
                    let column = VarText::new(length).unit(unit).overflow(overflow).prefix(prefix);
                    check_var(&text, column, (unit, overflow, length, prefix));
                }
            }
        }
    }
}

fn check_var(
    text: &str,
    column: VarText,
    (unit, overflow, length, prefix): (Unit, Overflow, usize, LengthPrefix),
) {
    let kept = cut(unit, text, length);
    let excess = &text[kept.len()..];
    let fits = match overflow {
        Overflow::Error => excess.is_empty(),
        Overflow::SqlStore => excess.chars().all(|c| c == ' '),
        _ => true,
    };
    let whole = [&announced(prefix, kept.len()), kept.as_bytes()].concat();
    for size in (0..=whole.len()).chain([whole.len() + 3]) {
        let mut field = vec![0xAA; size].into_boxed_slice();
        let actual = column.encode(text, &mut field);
        if !fits {
            let refused = RightTruncation { expected: length, actual: weigh(unit, text) };
            assert_eq!(actual, Err(EncodeError::RightTruncation(refused)));
        } else if size < whole.len() {
            assert_eq!(actual, Err(EncodeError::FieldTooShort { needed: whole.len() }));
        } else {
            assert_eq!(actual, Ok(whole.len()));
            assert_eq!(field[..whole.len()], whole);
            field[..whole.len()].fill(0xAA);
        }
        assert!(field.iter().all(|byte| *byte == 0xAA));
    }
    let mut out = b">".to_vec();
    let appended = column.encode_append(text, &mut out);
    if fits && whole.len() > column.byte_width() {
        assert_eq!(appended, Err(EncodeError::FieldTooShort { needed: whole.len() }));
        assert_eq!(out, b">");
    } else if fits {
        assert_eq!(appended, Ok(whole.len()));
        assert_eq!(out, [b">", &whole[..]].concat());
    } else {
        let refused = RightTruncation { expected: length, actual: weigh(unit, text) };
        assert_eq!(appended, Err(EncodeError::RightTruncation(refused)));
        assert_eq!(out, b">");
    }
    assert_eq!(column.length(), length);
    let field = [&whole[..], b"\xFFx"].concat();
    assert_eq!(column.decode(&field), Ok(kept));
    assert_eq!(column.decode_lossy(&field).unwrap(), kept);
    let mut value = String::from("before");
    assert_eq!(column.decode_into(&field, &mut value), Ok(()));
    assert_eq!(value, kept);
    assert_eq!(column.pad(Pad::Trim).decode(&field), Ok(kept.trim_end_matches(' ')));
    for size in 0..whole.len() {
        let head = announced(prefix, 0).len();
        let needed = if size < head { head } else { whole.len() };
        assert_eq!(column.decode(&field[..size]), Err(DecodeError::Length { needed }));
    }
}

#[test]
fn offsets_and_lengths_behind_a_prefix() {
    let column = VarText::new(3);
    assert_eq!(column.decode(b"\x02\0a\xFF"), Err(DecodeError::Malformed { offset: 3 }));
    assert_eq!(column.decode_lossy(b"\x02\0a\xFF").unwrap(), "a\u{FFFD}");
    assert_eq!(column.decode_lossy(b"\x02\0a"), Err(DecodeError::Length { needed: 4 }));
    let mut value = String::from("before");
    let error = Err(DecodeError::Malformed { offset: 3 });
    assert_eq!(column.decode_into(b"\x02\0a\xFF", &mut value), error);
    assert_eq!(value, "before");
    let xdr = column.prefix(LengthPrefix::U32Be);
    assert_eq!(xdr.decode(b"\0\0\0\x02a\xFF"), Err(DecodeError::Malformed { offset: 5 }));
    let needed = 4_usize.saturating_add(u32::MAX as usize);
    assert_eq!(xdr.decode(b"\xFF\xFF\xFF\xFFa"), Err(DecodeError::Length { needed }));
    // More than the column holds is cut.
    assert_eq!(column.decode(b"\x05\0abcde"), Ok("abc"));
    assert_eq!(xdr.byte_width(), 16);
    assert_eq!(column.unit(Unit::Bytes).byte_width(), 5);
    assert_eq!(column.bytes_per_char(1).byte_width(), 5);
    assert_eq!(VarText::new(usize::MAX).byte_width(), usize::MAX);
}

/// A text that the prefix cannot announce is too long, whatever the column says.
#[test]
fn longer_than_a_prefix_can_say() {
    let text = format!("{}é", "a".repeat(65_534));
    let mut field = vec![0; 70_000];
    let column = VarText::new(70_000);
    let refused = RightTruncation { expected: 65_534, actual: 65_535 };
    assert_eq!(column.encode(&text, &mut field), Err(EncodeError::RightTruncation(refused)));
    assert!(field.iter().all(|byte| *byte == 0));
    let cut = column.overflow(Overflow::Truncate);
    assert_eq!(cut.encode(&text, &mut field), Ok(65_536));
    assert_eq!(cut.decode(&field), Ok(&text[..65_534]));
    assert_eq!(column.prefix(LengthPrefix::U32Be).encode(&text, &mut field), Ok(65_540));
}
