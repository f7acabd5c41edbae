//! The codec on each tier against percent-encoding and against the grammar: every byte at every
//! place of a block, every length and alignment, every pair of characters as the digits of an escape.

mod each_tier;
mod oracle;

use each_tier::each_tier;
use oracle::ATTR_CHAR;
use percent_encoding::{percent_decode_str, percent_encode};
use rfc5987::{DecodeErrorKind, decode, encode_into, encoded_len};

/// Around the edges of blocks of 16, 32 and 64 bytes.
const PLACES: [usize; 10] = [13, 14, 15, 16, 29, 30, 31, 61, 62, 63];

/// A character of each byte: itself when it is ASCII, else one that has it.
fn with(byte: u8) -> String {
    match byte {
        0..0x80 => char::from(byte).to_string(),
        // As a continuation byte, and as a lead.
        0x80..0xC0 => char::from(byte).to_string(),
        0xC2..0xE0 => String::from_utf8(vec![byte, 0xBF]).unwrap(),
        0xE0..0xF0 => {
            String::from_utf8(vec![byte, if byte == 0xED { 0x80 } else { 0xA0 }, 0xA5]).unwrap()
        }
        0xF0..=0xF4 => {
            String::from_utf8(vec![byte, if byte == 0xF4 { 0x80 } else { 0x9F }, 0x8E, 0x89])
                .unwrap()
        }
        // No text has these.
        _ => String::new(),
    }
}

#[test]
fn every_byte_at_every_place() {
    each_tier(|| {
        let mut buffer = [0xAA; 512];
        for byte in 0..=u8::MAX {
            for before in 0..70 {
                for behind in [0, 17] {
                    for filler in ["a", " "] {
                        let text = filler.repeat(before) + &with(byte) + &filler.repeat(behind);
                        let expected = percent_encode(text.as_bytes(), ATTR_CHAR).to_string();
                        assert_eq!(encoded_len(text.as_bytes()), expected.len());
                        assert_eq!(encode_into(text.as_bytes(), &mut buffer), Ok(&*expected));
                        assert_eq!(decode(&expected).unwrap(), text);
                    }
                }
            }
        }
    });
}

#[test]
fn every_length_and_alignment() {
    let text: String = "Prévisions (été) 四半期_2024-04-09.final~v2 🎉 zusammengefasst".repeat(8);
    each_tier(|| {
        for start in (0..80).filter(|at| text.is_char_boundary(*at)) {
            for len in (0..=300).filter(|len| text.is_char_boundary(start + len)) {
                let part = &text[start..start + len];
                let expected = percent_encode(part.as_bytes(), ATTR_CHAR).to_string();
                let mut buffer = vec![0xAA; start + expected.len() + 64];
                let (before, out) = buffer.split_at_mut(start);
                assert_eq!(encode_into(part.as_bytes(), out), Ok(&*expected));
                assert!(before.iter().chain(&out[expected.len()..]).all(|byte| *byte == 0xAA));
                assert_eq!(decode(&out_text(out, expected.len())).unwrap(), part);
            }
        }
    });
}

fn out_text(out: &[u8], len: usize) -> String {
    String::from_utf8(out[..len].to_vec()).unwrap()
}

/// What is not UTF-8 is written as the standard library reads it.
#[test]
fn ill_formed_bytes_at_every_place() {
    each_tier(|| {
        for fault in
            [&b"\xFF"[..], b"\xC3", b"\xE2\x82", b"\xF0\x9F\x8E", b"\xED\xA0\x80", b"\x80\x80"]
        {
            for before in 0..70 {
                for behind in [0, 1, 20] {
                    let value =
                        [&b"a ".repeat(before)[..before], fault, &b" a".repeat(behind)].concat();
                    let lossy = String::from_utf8_lossy(&value);
                    let expected = percent_encode(lossy.as_bytes(), ATTR_CHAR).to_string();
                    assert_eq!(encoded_len(&value), expected.len());
                    let mut out = vec![0; expected.len()];
                    assert_eq!(encode_into(&value, &mut out), Ok(&*expected));
                }
            }
        }
    });
}

/// Every character that ends an escape right, or breaks it, across the edges of blocks.
#[test]
fn every_pair_of_digits() {
    each_tier(|| {
        for before in PLACES {
            // At the end of the value and before it.
            let mut value = "e".repeat(before) + "%41" + &"e".repeat(before % 2 * 20);
            for [first, second] in (0..0x80).flat_map(|a| (0..0x80).map(move |b| [a, b])) {
                let digits = [first, second].map(char::from);
                value.replace_range(before + 1..before + 3, &String::from_iter(digits));
                check_pair(&value, before, [first, second]);
            }
        }
    });
}

fn check_pair(value: &str, at: usize, digits: [u8; 2]) {
    let right = digits.iter().all(u8::is_ascii_hexdigit);
    match decode(value) {
        Ok(text) => {
            assert!(right, "{value}");
            assert_eq!(text.as_bytes(), percent_decode_str(value).collect::<Vec<u8>>());
        }
        Err(error) if right => {
            assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidUtf8, at));
            assert!(digits[0] >= b'8', "{value}");
        }
        Err(error) => {
            assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidEscape, at));
        }
    }
}

/// One character that belongs in no value-chars is found wherever it is.
#[test]
fn every_foreign_character_at_every_place() {
    each_tier(|| {
        for byte in (0..0x80).filter(|byte| !rfc5987::is_attr_char(*byte) && *byte != b'%') {
            for before in 0..130 {
                for (filler, behind) in [("a", 0), ("a", 40), ("%41", 0), ("%41", 15)] {
                    let mut value = filler.repeat(before);
                    let at = value.len();
                    value.push(char::from(byte));
                    value.push_str(&filler.repeat(behind));
                    let error = decode(&value).unwrap_err();
                    assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::InvalidChar, at));
                }
            }
        }
    });
}
