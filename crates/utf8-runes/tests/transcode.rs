//! UTF-16 to UTF-8 against `String::from_utf16_lossy`: each unit in each company, each size of the
//! room around the need, surrogates over the edges of blocks.

mod model;

use utf8_runes::utf16;

/// What fills a block beside the units in question: a unit or pair of each class.
const COMPANY: [&[u16]; 5] =
    [&[0x61], &[0xE9], &[0x65E5], &[0xD83D, 0xDE0A], &[0x61, 0x3B1, 0x4E00]];

fn filled(company: &[u16], len: usize) -> Vec<u16> {
    company.iter().copied().cycle().take(len).collect()
}

/// Into a slice that ends where it should.
fn encoded(units: &[u16]) -> Vec<u8> {
    let text = String::from_utf16_lossy(units);
    let mut out = vec![0xAA; text.len()].into_boxed_slice();
    assert_eq!(utf16::encode_lossy_into(units, &mut out), Some(text.len()), "{units:x?}");
    assert_eq!(&*out, text.as_bytes(), "{units:x?}");
    out.into_vec()
}

#[test]
fn each_unit_in_each_company() {
    let mut roomy = [0; 3 * 16 + 100];
    for company in COMPANY {
        let mut units = filled(company, 16);
        for unit in 0..=u16::MAX {
            let at = usize::from(unit) % 16;
            let before = std::mem::replace(&mut units[at], unit);
            let text = String::from_utf16_lossy(&units);
            assert_eq!(utf16::encode_lossy_into(&units, &mut roomy), Some(text.len()));
            assert_eq!(&roomy[..text.len()], text.as_bytes(), "{units:x?}");
            assert_eq!(utf16::utf8_len(&units), text.len());
            units[at] = before;
        }
        for unit in (0..=u16::MAX).step_by(7) {
            let mut units = filled(company, 7);
            units[usize::from(unit) % 7] = unit;
            encoded(&units);
        }
    }
}

#[test]
fn each_surrogate_in_a_pair() {
    for high in 0xD800..=0xDBFF {
        for low in (0xDC00..=0xDFFF).step_by(31).chain([0xDFFF]) {
            encoded(&[high, low, 0xD800, 0xDC00]);
            encoded(&[0x61, high, low]);
        }
    }
}

#[test]
fn each_size_of_the_room() {
    for len in 0..=70 {
        for company in COMPANY {
            let units = filled(company, len);
            let text = String::from_utf16_lossy(&units);
            for size in 0..=text.len() + 70 {
                let mut out = vec![0xAA; size].into_boxed_slice();
                let written = utf16::encode_lossy_into(&units, &mut out);
                assert_eq!(written, (size >= text.len()).then_some(text.len()), "{size} {len}");
                if let Some(written) = written {
                    assert_eq!(&out[..written], text.as_bytes());
                }
            }
        }
    }
}

/// One or two odd ones at each place of two blocks and a half.
#[test]
fn strangers_at_each_place() {
    let strangers: [&[u16]; 7] =
        [&[0xD83D], &[0xDE0A], &[0xD83D, 0xDE0A], &[0xDE0A, 0xD83D], &[0x7F], &[0x7FF], &[0xFFFD]];
    for company in COMPANY {
        for len in [1, 4, 15, 16, 17, 31, 32, 33, 40] {
            for at in 0..len {
                for stranger in strangers {
                    let mut units = filled(company, len);
                    units.splice(at..(at + stranger.len()).min(len), stranger.iter().copied());
                    encoded(&units);
                    assert_eq!(utf16::count(&units), model::runes(&units).len());
                }
            }
        }
    }
}

#[cfg(feature = "alloc")]
#[test]
fn each_spare_capacity() {
    for len in 0..=40 {
        for company in COMPANY {
            for faulty in [false, true] {
                let mut units = filled(company, len);
                if faulty {
                    units.push(0xD800);
                }
                let text = String::from_utf16_lossy(&units);
                for spare in 0..=text.len() + 60 {
                    let mut out = Vec::with_capacity(5 + spare);
                    out.extend_from_slice(b"ahead");
                    let lone = utf16::append_utf8_lossy(&units, &mut out);
                    assert_eq!(lone, model::lone_count(&units));
                    assert_eq!(out, [b"ahead", text.as_bytes()].concat(), "{units:x?} {spare}");
                    if spare >= text.len() {
                        assert!(out.capacity() < 5 + spare + 64, "grew without need");
                    }

                    let mut out = String::with_capacity(5 + spare);
                    out.push_str("ahead");
                    let first = model::first_lone(&units);
                    let error = first.map(|index| utf16::LoneSurrogate { index });
                    assert_eq!(utf16::append(&units, &mut out).err(), error);
                    let added = if first.is_some() { "" } else { &text };
                    assert_eq!(out, format!("ahead{added}"));
                }
            }
        }
    }
}
