//! UTF-16 against `String::from_utf16_lossy` and the model, on each tier: each unit in each company,
//! each size of the room around the need, surrogates over the edges of blocks and groups.

mod each_tier;
mod model;

use each_tier::each_tier;
use utf8_runes::utf16;

/// What fills a block beside the units in question: a unit or pair of each class.
const COMPANY: [&[u16]; 5] =
    [&[0x61], &[0xE9], &[0x65E5], &[0xD83D, 0xDE0A], &[0x61, 0x3B1, 0x4E00]];

fn filled(company: &[u16], len: usize) -> Vec<u16> {
    company.iter().copied().cycle().take(len).collect()
}

/// Into a slice that ends where it should, with others behind.
fn encoded(units: &[u16]) {
    const GUARD: [u8; 64] = [0xA5; 64];
    let text = String::from_utf16_lossy(units);
    let mut out = vec![0xA5; text.len() + GUARD.len()];
    let room = &mut out[..text.len()];
    assert_eq!(utf16::encode_lossy_into(units, room), Some(text.len()), "{units:x?}");
    assert_eq!(room, text.as_bytes(), "{units:x?}");
    assert_eq!(out[text.len()..], GUARD, "{units:x?}");
}

/// What is counted, measured and walked, and that it is encoded right.
fn all_right(units: &[u16]) {
    let runes = model::runes(units);
    let count = runes.len();
    assert_eq!(utf16::count(units), count, "{units:x?}");
    assert_eq!(utf16::utf8_len(units), String::from_utf16_lossy(units).len(), "{units:x?}");
    for n in [1, 8, 31, 32, 33, 127, 128, 129, count / 2, count.saturating_sub(1), count] {
        let expected = (n <= count).then(|| runes[..n].iter().map(Vec::len).sum::<usize>());
        assert_eq!(utf16::offset(units, n), expected, "{n} of {units:x?}");
    }
    assert_eq!(utf16::offset(units, count + 1), None, "{units:x?}");
    encoded(units);
}

#[test]
fn each_unit_in_each_company() {
    each_tier(|| {
        let mut roomy = [0; 3 * 33 + 112];
        for company in COMPANY {
            for len in [16, 33] {
                let mut units = filled(company, len);
                // Each in the longer ones, of a block of vectors and one more; some in the others.
                for unit in (0..=u16::MAX).step_by(if len == 16 { 5 } else { 1 }) {
                    let at = usize::from(unit) % len;
                    let before = std::mem::replace(&mut units[at], unit);
                    let text = String::from_utf16_lossy(&units);
                    assert_eq!(utf16::encode_lossy_into(&units, &mut roomy), Some(text.len()));
                    assert_eq!(&roomy[..text.len()], text.as_bytes(), "{units:x?}");
                    assert_eq!(utf16::utf8_len(&units), text.len());
                    units[at] = before;
                }
            }
            for unit in (0..=u16::MAX).step_by(7) {
                let mut units = filled(company, 7);
                units[usize::from(unit) % 7] = unit;
                encoded(&units);
            }
        }
    });
}

#[test]
fn each_surrogate_in_a_pair() {
    each_tier(|| {
        let mut block = filled(&[0x61], 40);
        for high in 0xD800..=0xDBFF {
            for low in (0xDC00..=0xDFFF).step_by(31).chain([0xDFFF]) {
                encoded(&[high, low, 0xD800, 0xDC00]);
                encoded(&[0x61, high, low]);
            }
            // Among others, and among pairs alone.
            let low = 0xDC00 | (high.wrapping_mul(37) & 0x3FF);
            let at = usize::from(high) % 30;
            block[at..at + 2].copy_from_slice(&[high, low]);
            encoded(&block);
            block[at..at + 2].fill(0x61);
            encoded(&filled(&[high, low], 34));
        }
    });
}

#[test]
fn each_size_of_the_room() {
    each_tier(|| {
        for len in 0..=70 {
            for company in COMPANY {
                let units = filled(company, len);
                let text = String::from_utf16_lossy(&units);
                // From the whole need less 64 on, or from nothing.
                for size in text.len().saturating_sub(64)..=text.len() + 130 {
                    let mut out = vec![0xA5; size + 64];
                    let written = utf16::encode_lossy_into(&units, &mut out[..size]);
                    assert_eq!(written, (size >= text.len()).then_some(text.len()), "{size} {len}");
                    if let Some(written) = written {
                        assert_eq!(&out[..written], text.as_bytes());
                    }
                    assert_eq!(out[size..], [0xA5; 64], "{size} {units:x?}");
                }
            }
        }
    });
}

/// One or two odd ones at each place of two blocks and a half of either size.
#[test]
fn strangers_at_each_place() {
    let strangers: [&[u16]; 8] = [
        &[0xD83D],
        &[0xDE0A],
        &[0xD83D, 0xDE0A],
        &[0xDE0A, 0xD83D],
        &[0x7F],
        &[0x7FF],
        &[0xFFFD],
        &[0],
    ];
    each_tier(|| {
        for company in COMPANY {
            for len in [1, 4, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 80] {
                for at in 0..len {
                    for stranger in strangers {
                        let mut units = filled(company, len);
                        units.splice(at..(at + stranger.len()).min(len), stranger.iter().copied());
                        all_right(&units);
                    }
                }
            }
        }
    });
}

/// What is just not ASCII, in units and in bytes, at each place of each short length: those are
/// looked at whole, by looks that overlap.
#[test]
fn not_ascii_at_each_place() {
    each_tier(|| {
        for len in 1..=70 {
            let (mut units, mut bytes) = (vec![0x7F; len], vec![0x7F; len]);
            encoded(&units);
            assert!(utf8_runes::bytes::validate(&bytes).is_ok());
            for at in 0..len {
                for unit in [0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFF00, 0xFFFF] {
                    units[at] = unit;
                    encoded(&units);
                }
                units[at] = 0x7F;
                for byte in [0x80, 0xFF] {
                    bytes[at] = byte;
                    let error = utf8_runes::bytes::validate(&bytes).unwrap_err();
                    assert_eq!(error.valid_up_to(), at);
                }
                bytes[at] = 0x7F;
            }
        }
    });
}

/// Runs of pairs from each phase, over the edges of groups, with a fault or another class behind.
#[test]
fn runs_of_pairs() {
    let behind: [&[u16]; 6] =
        [&[], &[0xD83D], &[0xDE0A, 0x61], &[0x61; 40], &[0x65E5; 150], &[0xDE0A; 130]];
    each_tier(|| {
        for head in [0, 1, 2, 30, 31, 32, 127, 128, 129] {
            for run in [1, 2, 15, 16, 17, 63, 64, 65, 66, 127, 128, 129, 200] {
                for behind in behind {
                    let mut units = vec![0x62; head];
                    units.extend([0xD83D, 0xDE0A].repeat(run));
                    units.extend_from_slice(behind);
                    all_right(&units);
                }
            }
        }
    });
}

/// A fault, or a pair over the edge, at each place of long text of each class.
#[test]
fn strangers_in_groups() {
    each_tier(|| {
        for company in COMPANY {
            for len in [256, 257, 258, 300] {
                for at in (0..len).filter(|at| at % 32 >= 30 || at % 32 < 2 || at % 7 == 0) {
                    for stranger in [0xD800, 0xDFFF, 0xE000, 0x80] {
                        let mut units = filled(company, len);
                        units[at] = stranger;
                        all_right(&units);
                    }
                }
            }
        }
    });
}

#[cfg(feature = "alloc")]
#[test]
fn each_spare_capacity() {
    each_tier(|| {
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
    });
}
