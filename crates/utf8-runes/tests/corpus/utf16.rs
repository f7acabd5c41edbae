//! UTF-16, as units and as bytes.

use crate::{hex, load, tiers};
use serde::Deserialize;
use utf8_runes::utf16;
use utf8_runes::utf16_bytes::{self, Endian, MalformedUtf16};

#[derive(Deserialize)]
struct All {
    case: Vec<Units>,
    bytes: Vec<Bytes>,
}

#[derive(Deserialize)]
struct Units {
    name: String,
    units: String,
    count: usize,
    runes: usize,
    cut: usize,
    text: String,
    lone: Vec<usize>,
}

#[derive(Deserialize)]
struct Bytes {
    name: String,
    endian: String,
    hex: String,
    count: usize,
    text: String,
    error: Option<usize>,
}

#[test]
fn units() {
    tiers(|| {
        let all: All = load("utf16.toml");
        for Units { name, units, count, runes, cut, text, lone } in &all.case {
            let units: Vec<u16> =
                units.split_whitespace().map(|u| u16::from_str_radix(u, 16).unwrap()).collect();
            assert_eq!(utf16::count(&units), *count, "{name}");
            assert_eq!(utf16::offset(&units, *runes), Some(*cut), "{name}");
            assert_eq!(utf16::prefix(&units, *runes), &units[..*cut], "{name}");
            assert_eq!(utf16::utf8_len(&units), text.len(), "{name}");
            let first = lone.first().map(|index| utf16::LoneSurrogate { index: *index });
            assert_eq!(utf16::validate(&units).err(), first, "{name}");
            let mut mended = units.clone();
            assert_eq!(utf16::replace_lone(&mut mended), lone.len(), "{name}");
            assert_eq!(String::from_utf16(&mended).unwrap(), *text, "{name}");
            let mut out = vec![0; text.len()];
            assert_eq!(utf16::encode_lossy_into(&units, &mut out), Some(text.len()), "{name}");
            assert_eq!(out, text.as_bytes(), "{name}");
            #[cfg(feature = "alloc")]
            {
                let mut out = String::new();
                assert_eq!(utf16::append_lossy(&units, &mut out), lone.len(), "{name}");
                assert_eq!(out, *text, "{name}");
                assert_eq!(utf16::append(&units, &mut out).err(), first, "{name}");
            }
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            assert_eq!(utf16_bytes::count(&little, Endian::Little), *count, "{name}");
            let kept = utf16_bytes::prefix(&little, Endian::Little, *runes);
            assert_eq!(kept.len(), 2 * cut, "{name}");
        }
    });
}

#[test]
fn as_bytes() {
    tiers(|| {
        let all: All = load("utf16.toml");
        for Bytes { name, endian, hex: input, count, text, error } in &all.bytes {
            let endian = match endian.as_str() {
                "little" => Endian::Little,
                "big" => Endian::Big,
                other => panic!("{name}: {other}"),
            };
            let input = hex(input);
            assert_eq!(utf16_bytes::count(&input, endian), *count, "{name}");
            assert_eq!(utf16_bytes::utf8_len(&input, endian), text.len(), "{name}");
            let mut out = vec![0; text.len()];
            let written = utf16_bytes::encode_lossy_into(&input, endian, &mut out);
            assert_eq!((written, &*out), (Some(text.len()), text.as_bytes()), "{name}");
            let error = error.map(|offset| MalformedUtf16 { offset });
            assert_eq!(utf16_bytes::validate(&input, endian).err(), error, "{name}");
        }
    });
}
