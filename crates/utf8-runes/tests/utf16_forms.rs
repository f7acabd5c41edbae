//! UTF-16 cut from both ends, bounded, mended, and made of UTF-8, against the slow model.

mod each_tier;
mod model;

use each_tier::each_tier;
use proptest::prelude::*;
use utf8_runes::utf16;

/// All of them at one number.
fn check(units: &[u16], n: usize) {
    let runes = model::runes(units);
    let count = runes.len();
    let cut = n.min(count);

    assert_eq!(utf16::count_upto(units, n), cut, "{n} of {units:x?}");
    assert_eq!(utf16::exceeds(units, n), count > n, "{n} of {units:x?}");
    let (head, rest) = utf16::split_at(units, n);
    assert_eq!((head, rest), (&*runes[..cut].concat(), &*runes[cut..].concat()), "{n} {units:x?}");
    assert_eq!(utf16::suffix(units, n), runes[count - cut..].concat(), "{n} of {units:x?}");
    for start in [0, 1, count / 2, count, count + 1, usize::MAX] {
        let from = start.min(count);
        let expected = runes[from..from.saturating_add(n).min(count)].concat();
        assert_eq!(utf16::substr(units, start, n), expected, "{start} {n} of {units:x?}");
    }
    #[cfg(feature = "alloc")]
    {
        let mut shorter = units.to_vec();
        utf16::truncate(&mut shorter, n);
        assert_eq!(shorter, head);
    }
}

fn check_lone(units: &[u16]) {
    let lone = model::first_lone(units).map(|index| utf16::LoneSurrogate { index });
    assert_eq!(utf16::validate(units).err(), lone, "{units:x?}");
    let mut mended = units.to_vec();
    assert_eq!(utf16::replace_lone(&mut mended), model::lone_count(units), "{units:x?}");
    assert_eq!(String::from_utf16(&mended).unwrap(), String::from_utf16_lossy(units));
}

/// Into a slice of exactly the room, into more and into less.
fn check_encode(text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    for more in [0, 1, 20] {
        let mut out = vec![0xAAAA; units.len() + more];
        assert_eq!(utf16::encode_utf16_into(text, &mut out), Some(units.len()), "{text:?}");
        assert_eq!(out[..units.len()], units, "{text:?}");
    }
    for fewer in [1, 2, 15, 16, 17] {
        if let Some(room) = units.len().checked_sub(fewer) {
            assert_eq!(utf16::encode_utf16_into(text, &mut vec![0; room]), None, "{text:?}");
        }
    }
    #[cfg(feature = "alloc")]
    {
        let mut out = vec![0x3E];
        utf16::append_utf16(text, &mut out);
        assert_eq!((out[0], &out[1..]), (0x3E, &*units));
        let mut out = Vec::new();
        utf16::append_utf16(text, &mut out);
        assert!(out.capacity() <= units.len().max(4), "{} for {}", out.capacity(), units.len());
    }
}

/// Every text of a few surrogates and letters, and each in the middle of others.
#[test]
fn every_order_of_surrogates() {
    each_tier(|| {
        let kinds = [0xD83D, 0xDE0A, 0x41, 0xFFFF];
        for index in 0..4_usize.pow(5) {
            let odd: Vec<u16> = (0..5).map(|place| kinds[index / 4_usize.pow(place) % 4]).collect();
            check_lone(&odd);
            for n in (0..=6).chain([usize::MAX]) {
                check(&odd, n);
            }
            for before in [14, 27, 30, 31, 32, 33] {
                let units = [&[0x61].repeat(before), &odd[..], &[0x61; 40]].concat();
                check_lone(&units);
            }
        }
    });
}

/// Around the blocks that are taken from the end.
#[test]
fn edges_of_blocks() {
    each_tier(|| {
        for len in [255, 256, 257, 258, 511, 512, 513, 514] {
            for shape in
                [&[0x61][..], &[0xD83D, 0xDE0A], &[0x61, 0xD83D, 0xDE0A], &[0xDE0A, 0xD83D]]
            {
                let units: Vec<u16> = shape.iter().copied().cycle().take(len).collect();
                let count = utf16::count(&units);
                for n in [0, 1, 2, 127, 128, 129, 255, 256, 257, count - 1, count, count + 1] {
                    check(&units, n);
                }
                check_lone(&units);
            }
        }
    });
}

#[test]
fn text_of_every_length_as_utf16() {
    each_tier(|| {
        for len in (0..=70).chain([191, 192, 193, 400, 1000]) {
            for text in model::texts(len) {
                check_encode(&text);
            }
        }
    });
}

#[test]
fn every_scalar_value_as_utf16() {
    each_tier(|| {
        let mut text = String::new();
        for c in '\0'..=char::MAX {
            text.push(c);
            if text.len() > 4000 || c == char::MAX {
                check_encode(&text);
                text.clear();
            }
        }
    });
}

fn units() -> impl Strategy<Value = Vec<u16>> {
    let part = prop_oneof![
        any::<String>().prop_map(|text| text.encode_utf16().collect()),
        prop::collection::vec(0xD7FE_u16..=0xE001, 0..20),
        prop::collection::vec(any::<u16>(), 0..70),
        (0..300_usize).prop_map(|len| vec![0x61; len]),
    ];
    prop::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn as_the_model(units in units(), n in prop_oneof![8 => 0..300_usize, 1 => any::<usize>()]) {
        each_tier(|| {
            check(&units, n);
            check_lone(&units);
            check_encode(&String::from_utf16_lossy(&units));
        });
    }
}
