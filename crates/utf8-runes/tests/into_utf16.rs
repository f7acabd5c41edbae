//! UTF-8 to UTF-16 against `str::encode_utf16`, on each tier: each scalar value in each company,
//! each size of the room around the need, sequences over the edges of blocks and groups.

mod each_tier;

use each_tier::each_tier;
use utf8_runes::utf16;

/// What fills a block beside the text in question: each length of a sequence, and a mixture.
const COMPANY: [&str; 5] = ["a", "é", "日", "😊", "aéb日c😊"];
const GUARD: [u16; 64] = [0xA5A5; 64];

/// Whole sequences of `company`, at most `len` bytes.
fn filled(company: &str, len: usize) -> String {
    let mut text = String::new();
    for c in company.chars().cycle() {
        if text.len() + c.len_utf8() > len {
            return text;
        }
        text.push(c);
    }
    text
}

/// Into a slice that ends where it should, with others behind.
fn encoded(text: &str) -> Vec<u16> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut out = vec![0xA5A5; units.len() + GUARD.len()];
    let (room, guard) = out.split_at_mut(units.len());
    assert_eq!(utf16::encode_utf16_into(text, room), Some(units.len()), "{text:?}");
    assert_eq!(room, units, "{text:?}");
    assert_eq!(guard, GUARD, "{text:?}");
    units
}

/// What is measured and cut, and that it is encoded right.
fn all_right(text: &str) {
    let units = encoded(text);
    assert_eq!(utf8_runes::utf16_len(text), units.len(), "{text:?}");
    let mut all = [1, 31, 32, 33, 63, 64, 65, 127, 128, 129].to_vec();
    all.extend([units.len() / 2, units.len().saturating_sub(1), units.len(), units.len() + 1]);
    for limit in all {
        let mut left = limit;
        let fits = text.chars().take_while(|c| {
            let fits = c.len_utf16() <= left;
            left = if fits { left - c.len_utf16() } else { 0 };
            fits
        });
        let len: usize = fits.map(char::len_utf8).sum();
        assert_eq!(utf8_runes::prefix_utf16(text, limit), &text[..len], "{limit} of {text:?}");
    }
}

#[test]
fn each_scalar_value_in_each_company() {
    each_tier(|| {
        let mut room = [0; 300];
        for (index, company) in COMPANY.into_iter().enumerate() {
            let behind = filled(company, 40);
            // All of the first plane in turn and some of the others, at all places of a block.
            let first = (index as u32..0x1_0000).step_by(COMPANY.len());
            for value in first.chain((0x1_0000 + index as u32..=0x10_FFFF).step_by(97)) {
                let Some(c) = char::from_u32(value) else { continue };
                let mut text = filled(company, (value / 5 % 66) as usize);
                let at = text.chars().map(char::len_utf16).sum::<usize>();
                text.push(c);
                text.push_str(&behind);
                let written = utf16::encode_utf16_into(&text, &mut room);
                let expected = c.encode_utf16(&mut [0; 2]).to_vec();
                assert_eq!(room[at..at + expected.len()], expected, "{c:?} in {text:?}");
                assert_eq!(written, Some(utf8_runes::utf16_len(&text)));
            }
        }
    });
}

#[test]
fn each_length() {
    each_tier(|| {
        for company in COMPANY {
            for len in (0..=300).chain([511, 512, 513, 1024, 4096]) {
                all_right(&filled(company, len));
            }
        }
    });
}

/// Each sequence in each company, at each place of two blocks.
#[test]
fn strangers_at_each_place() {
    let strangers = ["a", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"];
    each_tier(|| {
        for company in COMPANY {
            for stranger in strangers {
                for len in 0..=132 {
                    for behind in [0, 1, 40, 70] {
                        let text =
                            [&filled(company, len), stranger, &filled(company, behind)].concat();
                        all_right(&text);
                    }
                }
            }
        }
    });
}

/// Far in ASCII, which is gone over in groups.
#[test]
fn strangers_in_groups() {
    each_tier(|| {
        for stranger in ["é", "日", "😊"] {
            for at in (0..=330).filter(|at| at % 64 >= 60 || at % 64 < 2 || at % 7 == 0) {
                for behind in [0, 300] {
                    let text = ["a".repeat(at).as_str(), stranger, &"b".repeat(behind)].concat();
                    all_right(&text);
                }
            }
        }
    });
}

#[test]
fn each_size_of_the_room() {
    each_tier(|| {
        for len in 0..=140 {
            for company in COMPANY {
                let text = filled(company, len);
                let units: Vec<u16> = text.encode_utf16().collect();
                for size in units.len().saturating_sub(70)..=units.len() + 70 {
                    let mut out = vec![0xA5A5; size + GUARD.len()];
                    let written = utf16::encode_utf16_into(&text, &mut out[..size]);
                    let fits = size >= units.len();
                    assert_eq!(written, fits.then_some(units.len()), "{size}: {text:?}");
                    if fits {
                        assert_eq!(&out[..units.len()], units, "{size}: {text:?}");
                    }
                    assert_eq!(out[size..], GUARD, "{size}: {text:?}");
                }
            }
        }
    });
}

#[cfg(feature = "alloc")]
#[test]
fn each_spare_capacity() {
    each_tier(|| {
        for len in [0, 1, 5, 31, 32, 33, 64, 65, 100, 129, 300] {
            for company in COMPANY {
                let text = filled(company, len);
                let units: Vec<u16> = text.encode_utf16().collect();
                for spare in (0..=units.len() + 70).chain([3 * units.len()]) {
                    let mut out = Vec::with_capacity(2 + spare);
                    out.extend_from_slice(&[0x3E, 0x20]);
                    let before = out.capacity();
                    utf16::append_utf16(&text, &mut out);
                    assert_eq!(out[..2], [0x3E, 0x20]);
                    assert_eq!(out[2..], units, "{spare}: {text:?}");
                    if spare >= units.len() {
                        assert_eq!(out.capacity(), before, "grew without need");
                    }
                }
                // A fresh buffer is allocated once and to the unit, but for the least there is.
                let mut out = Vec::new();
                utf16::append_utf16(&text, &mut out);
                assert_eq!(out, units);
                if units.len() >= 4 {
                    assert_eq!(out.capacity(), units.len());
                }
            }
        }
    });
}

/// The first lone surrogate, at each place among pairs and others.
#[test]
fn the_first_lone_surrogate() {
    fn right(units: &[u16], lone: Option<usize>) {
        let error = lone.map(|index| utf16::LoneSurrogate { index });
        assert_eq!(utf16::validate(units).err(), error, "{units:x?}");
    }
    each_tier(|| {
        for company in [&[0x61_u16] as &[_], &[0x65E5], &[0xD83D, 0xDE0A], &[0xE000, 0xD7FF]] {
            for len in (0..=300).step_by(company.len()) {
                let mut units: Vec<u16> = company.iter().copied().cycle().take(len).collect();
                right(&units, None);
                for lone in [0xD800, 0xDBFF, 0xDC00, 0xDFFF] {
                    units.push(lone);
                    right(&units, Some(len));
                    // What follows pairs with a high one, of whichever only the second is alone.
                    units.extend([0xDC00, 0xDC01, 0x61]);
                    right(&units, Some(if lone < 0xDC00 { len + 2 } else { len }));
                    units.truncate(len + 1);
                    units.extend([0x62; 40]);
                    right(&units, Some(len));
                    let mut replaced = units.clone();
                    replaced.push(lone);
                    assert_eq!(utf16::replace_lone(&mut replaced), 2);
                    assert_eq!(replaced[len], 0xFFFD);
                    right(&replaced, None);
                    units.truncate(len);
                }
            }
        }
    });
}
