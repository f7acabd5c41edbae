//! UTF-16 as bytes: both orders, any alignment, an odd byte at the end, against the slow model.

mod each_tier;
mod model;

use each_tier::each_tier;
use proptest::prelude::*;
use utf8_runes::utf16_bytes::{self, Endian, MalformedUtf16};

fn in_order(units: &[u16], endian: Endian) -> Vec<u8> {
    match endian {
        Endian::Little => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        Endian::Big => units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
    }
}

fn check(units: &[u16], endian: Endian, odd: Option<u8>, numbers: &[usize]) {
    let mut all = in_order(units, endian);
    all.extend(odd);
    let mut runes: Vec<usize> = model::runes(units).iter().map(|rune| 2 * rune.len()).collect();
    runes.extend(odd.map(|_| 1));
    let mut text = String::from_utf16_lossy(units);
    text.extend(odd.map(|_| '\u{FFFD}'));
    let bad = model::lone_count(units) + usize::from(odd.is_some());
    let first = model::first_lone(units).map(|at| 2 * at);
    let first = first.or(odd.map(|_| 2 * units.len()));
    let error = first.map(|offset| MalformedUtf16 { offset });

    // At an even and at an odd address.
    let mut buffer = Vec::new();
    for align in [0, 1] {
        let bytes = model::aligned(&mut buffer, &all, align);
        assert_eq!(utf16_bytes::count(bytes, endian), runes.len(), "{bytes:x?}");
        assert_eq!(utf16_bytes::utf8_len(bytes, endian), text.len(), "{bytes:x?}");
        assert_eq!(utf16_bytes::validate(bytes, endian).err(), error, "{bytes:x?}");
        for n in numbers.iter().copied().chain([0, 1, runes.len(), runes.len() + 1, usize::MAX]) {
            let cut = runes.iter().take(n).sum();
            assert_eq!(utf16_bytes::prefix(bytes, endian, n), &bytes[..cut], "{n} of {bytes:x?}");
        }
        for more in [0, 1, 70] {
            let mut out = vec![0xAA; text.len() + more];
            let written = utf16_bytes::encode_lossy_into(bytes, endian, &mut out);
            assert_eq!(written, Some(text.len()), "{bytes:x?}");
            assert_eq!(&out[..text.len()], text.as_bytes(), "{bytes:x?}");
        }
        for fewer in 1..=text.len().min(4) {
            let mut out = vec![0; text.len() - fewer];
            assert_eq!(utf16_bytes::encode_lossy_into(bytes, endian, &mut out), None);
        }
        #[cfg(feature = "alloc")]
        for spare in [0, text.len(), 4 * text.len()] {
            let mut out = Vec::with_capacity(1 + spare);
            out.push(b'>');
            assert_eq!(utf16_bytes::append_utf8_lossy(bytes, endian, &mut out), bad);
            assert_eq!(out, [b">", text.as_bytes()].concat(), "{bytes:x?}");
            let mut out = Vec::with_capacity(1 + spare);
            out.push(b'>');
            assert_eq!(utf16_bytes::append_utf8(bytes, endian, &mut out).err(), error);
            let kept = if error.is_none() { &*text } else { "" };
            assert_eq!(out, [b">", kept.as_bytes()].concat());
            let mut out = String::with_capacity(1 + spare);
            out.push('>');
            assert_eq!(utf16_bytes::append_lossy(bytes, endian, &mut out), bad);
            assert_eq!(out, format!(">{text}"));
            let mut out = String::from(">");
            assert_eq!(utf16_bytes::append(bytes, endian, &mut out).err(), error);
            assert_eq!(out, format!(">{kept}"));
        }
    }
    let _ = bad;
}

const ENDIANS: [Endian; 2] = [Endian::Little, Endian::Big];

#[test]
fn every_order_of_surrogates() {
    each_tier(|| {
        let kinds = [0xD83D, 0xDE0A, 0x41, 0x65E5];
        for index in 0..4_usize.pow(4) {
            let units: Vec<u16> =
                (0..4).map(|place| kinds[index / 4_usize.pow(place) % 4]).collect();
            for endian in ENDIANS {
                for len in 0..=4 {
                    check(&units[..len], endian, None, &[2, 3]);
                    check(&units[..len], endian, Some(0xDE), &[2, 3]);
                }
            }
        }
    });
}

/// Pairs, halves of pairs and ends around the 256 units that are looked at in one go.
#[test]
fn edges_of_blocks() {
    each_tier(|| {
        let strangers: [&[u16]; 5] =
            [&[0xD83D, 0xDE0A], &[0xD83D], &[0xDE0A], &[0xD83D, 0xD83D, 0xDE0A], &[0xE9]];
        for stranger in strangers {
            for at in [253, 254, 255, 256, 257, 509, 510, 511, 512] {
                for behind in [0, 1, 2, 300] {
                    let units = [&[0x61].repeat(at), stranger, &[0x65E5].repeat(behind)].concat();
                    for endian in ENDIANS {
                        check(&units, endian, None, &[at - 1, at, at + 1, at + 2]);
                        check(&units, endian, Some(b'x'), &[at, at + 1, at + 2]);
                    }
                }
            }
        }
        let pairs = [0xD83D, 0xDE0A].repeat(600);
        check(&pairs[1..], Endian::Little, Some(1), &[255, 256, 257, 512]);
        check(&[0xD83D; 600], Endian::Big, None, &[255, 256, 257]);
    });
}

/// A fresh buffer is allocated once and to the byte.
#[cfg(feature = "alloc")]
#[test]
fn fresh_buffers_fit() {
    for text in ["aé日😊".repeat(200), "a".repeat(700), "日".repeat(999)] {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut out = Vec::new();
        let bytes = in_order(&units, Endian::Big);
        assert_eq!(utf16_bytes::append_utf8(&bytes, Endian::Big, &mut out), Ok(()));
        assert_eq!(out, text.as_bytes());
        assert_eq!(out.capacity(), out.len());
    }
}

proptest! {
    #[test]
    fn any_bytes(
        bytes in prop::collection::vec(any::<u8>(), 0..700),
        surrogates: bool,
        big: bool,
        n in 0..400_usize,
    ) {
        let endian = if big { Endian::Big } else { Endian::Little };
        let (pairs, odd) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs
            .iter()
            .map(|pair| {
                let unit = u16::from_le_bytes(*pair);
                if surrogates { 0xD800 | unit & 0x7FF } else { unit }
            })
            .collect();
        each_tier(|| check(&units, endian, odd.first().copied(), &[n]));
    }
}
