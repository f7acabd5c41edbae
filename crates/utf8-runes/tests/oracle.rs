//! Every length from 0 to 300 at every alignment within 64 bytes, against the oracle.

mod each_tier;
mod model;

use each_tier::each_tier;
use utf8_runes::{bytes, utf16};

/// How many runes to ask for: the edges and one in the middle.
fn asked(count: usize) -> [usize; 7] {
    [0, 1, count / 2, count.saturating_sub(1), count, count + 1, usize::MAX]
}

#[test]
fn text_of_every_length_and_alignment() {
    each_tier(|| {
        let mut buffer = Vec::new();
        for len in 0..=300 {
            for text in model::texts(len) {
                let count = text.chars().count();
                let offsets = asked(count).map(|n| model::offset(&text, n));
                let middle = model::offset(&text, count / 2).unwrap();
                for align in 0..64 {
                    let text = model::aligned(&mut buffer, text.as_bytes(), align);
                    assert_eq!(bytes::validate_count(text), Ok(count));
                    let text = bytes::validate(text).unwrap();
                    assert_eq!(utf8_runes::count(text), count, "{text:?} at {align}");
                    assert_eq!(
                        utf8_runes::offset(text, count / 2),
                        Some(middle),
                        "{text:?} at {align}"
                    );
                    assert_eq!(bytes::prefix(text.as_bytes(), count / 2), Ok(&text[..middle]));
                }
                for (n, offset) in asked(count).into_iter().zip(offsets) {
                    assert_eq!(utf8_runes::offset(&text, n), offset, "{n} of {text:?}");
                    let prefix = &text[..offset.unwrap_or(text.len())];
                    assert_eq!(utf8_runes::prefix(&text, n), prefix);
                    assert_eq!(bytes::prefix(text.as_bytes(), n), Ok(prefix));
                    assert_eq!(utf8_runes::count_upto(&text, n), count.min(n));
                    assert_eq!(utf8_runes::exceeds(&text, n), count > n);
                }
            }
        }
    });
}

#[test]
fn every_cut_of_every_length() {
    each_tier(|| {
        for len in (0..=70).chain([127, 128, 129, 255, 256, 257, 300]) {
            for text in model::texts(len) {
                for n in 0..=len + 1 {
                    assert_eq!(
                        utf8_runes::offset(&text, n),
                        model::offset(&text, n),
                        "{n} {text:?}"
                    );
                    assert_eq!(utf8_runes::prefix_bytes(&text, n), model::prefix_bytes(&text, n));
                }
                let units: Vec<u16> = text.encode_utf16().collect();
                for n in 0..=units.len() + 1 {
                    assert_eq!(
                        utf16::offset(&units, n),
                        model::utf16_offset(&units, n),
                        "{n} {text:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn blanks_of_every_length_and_alignment() {
    each_tier(|| {
        let mut buffer = Vec::new();
        for len in 0..=100 {
            for ahead in ["", "a", "é", "\t", " a", "!\u{3000}"] {
                let text = format!("{ahead}{}", " ".repeat(len));
                for align in 0..64 {
                    let text = model::aligned(&mut buffer, text.as_bytes(), align);
                    let text = std::str::from_utf8(text).unwrap();
                    assert_eq!(utf8_runes::trim_blanks(text), text.trim_end_matches(' '));
                }
            }
        }
    });
}

#[test]
fn stray_bytes_at_every_place() {
    each_tier(|| {
        // One fault at a time, in each text, at each place around the blocks' edges.
        for len in (0..=20).chain(62..=66).chain(127..=129) {
            for text in model::texts(len) {
                let count = text.chars().count();
                for at in 0..text.len() {
                    for fault in [0x20, 0x80, 0xBF, 0xC0, 0xE0, 0xED, 0xF0, 0xF5, 0xFF] {
                        let mut input = text.clone().into_bytes();
                        input[at] = fault;
                        assert_eq!(bytes::validate(&input), std::str::from_utf8(&input));
                        for n in [1, count / 2, count, usize::MAX] {
                            let expected = model::bytes_prefix(&input, n);
                            assert_eq!(bytes::prefix(&input, n), expected, "{n} of {input:x?}");
                            #[cfg(feature = "alloc")]
                            assert_eq!(
                                bytes::prefix_lossy(&input, n),
                                model::prefix_lossy(&input, n)
                            );
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn utf16_of_every_length_and_alignment() {
    each_tier(|| {
        let mut buffer = Vec::new();
        for len in 0..=300 {
            for kind in model::UNIT_KINDS {
                let units: Vec<u16> = kind.iter().copied().cycle().take(len).collect();
                let count = model::runes(&units).len();
                let offsets = asked(count).map(|n| model::utf16_offset(&units, n));
                let text = String::from_utf16_lossy(&units);
                let lone = model::lone_count(&units);
                let mut out = vec![0; text.len()];
                // 32 units: 64 bytes.
                for align in 0..32 {
                    let units = model::aligned(&mut buffer, &units, align);
                    assert_eq!(utf16::count(units), count, "{units:x?} at {align}");
                    for (n, offset) in asked(count).into_iter().zip(offsets).skip(align % 7).take(1)
                    {
                        assert_eq!(utf16::offset(units, n), offset, "{n} of {units:x?} at {align}");
                        assert_eq!(utf16::prefix(units, n), &units[..offset.unwrap_or(len)]);
                    }
                    assert_eq!(utf16::utf8_len(units), text.len());
                    out.fill(0);
                    assert_eq!(utf16::encode_lossy_into(units, &mut out), Some(text.len()));
                    assert_eq!(out, text.as_bytes(), "{units:x?} at {align}");
                }
                if let Some((_, short)) = out.split_last_mut() {
                    assert_eq!(utf16::encode_lossy_into(&units, short), None);
                }
                #[cfg(feature = "alloc")]
                {
                    let mut appended = b"ahead".to_vec();
                    assert_eq!(utf16::append_utf8_lossy(&units, &mut appended), lone);
                    assert_eq!(appended, [b"ahead", text.as_bytes()].concat());
                }
                let _ = lone;
            }
        }
    });
}

#[cfg(feature = "alloc")]
#[test]
fn utf16_into_strings_of_every_length() {
    each_tier(|| {
        for len in 0..=300 {
            for kind in model::UNIT_KINDS {
                for turn in 0..kind.len() {
                    let units: Vec<u16> =
                        kind.iter().copied().cycle().skip(turn).take(len).collect();
                    let text = String::from_utf16_lossy(&units);
                    let mut lossy = String::from("é");
                    assert_eq!(utf16::append_lossy(&units, &mut lossy), model::lone_count(&units));
                    assert_eq!(lossy, format!("é{text}"));

                    let expected = match model::first_lone(&units) {
                        Some(index) => Err(utf16::LoneSurrogate { index }),
                        None => Ok(()),
                    };
                    let mut bytes = b"ahead".to_vec();
                    assert_eq!(utf16::append_utf8(&units, &mut bytes), expected);
                    let mut string = String::from("ahead");
                    assert_eq!(utf16::append(&units, &mut string), expected);
                    let whole = format!("ahead{}", if expected.is_ok() { &text } else { "" });
                    assert_eq!(string, whole);
                    assert_eq!(bytes, whole.as_bytes());
                }
            }
        }
    });
}

#[test]
fn counters_do_not_overflow() {
    each_tier(|| {
        // More vectors than a lane of a byte can count, all leads and none.
        for len in [254 * 32, 255 * 32, 256 * 32, 255 * 64 + 7, 100_003] {
            assert_eq!(utf8_runes::count(&"a".repeat(len)), len);
            assert_eq!(utf8_runes::count(&"😊".repeat(len / 4)), len / 4);
            assert_eq!(utf8_runes::offset(&"日".repeat(len), len - 1), Some(3 * (len - 1)));
        }
    });
}
