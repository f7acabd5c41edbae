//! The forms of counting and cutting that go from the end, by bytes, by UTF-16 units or back from
//! an offset, against the slow model.

mod each_tier;
mod model;

use each_tier::each_tier;
use proptest::prelude::*;
use utf8_runes::RuneStr;

/// All of them at one number.
fn check(text: &str, n: usize) {
    let chars: Vec<char> = text.chars().collect();
    let count = chars.len();
    let cut = n.min(count);
    let of = |chars: &[char]| chars.iter().collect::<String>();

    let (head, rest) = utf8_runes::split_at(text, n);
    assert_eq!((head, rest), (&*of(&chars[..cut]), &*of(&chars[cut..])), "{n} of {text:?}");
    let suffix = utf8_runes::suffix(text, n);
    assert_eq!(suffix, of(&chars[count - cut..]), "{n} of {text:?}");
    let from_end = utf8_runes::offset_from_end(text, n);
    assert_eq!(from_end, (n <= count).then(|| text.len() - suffix.len()), "{n} of {text:?}");
    for start in [0, 1, count / 2, count, count + 1, usize::MAX] {
        let from = start.min(count);
        let expected = of(&chars[from..from.saturating_add(n).min(count)]);
        assert_eq!(utf8_runes::substr(text, start, n), expected, "{start} {n} of {text:?}");
        assert_eq!(text.rune_substr(start, n), expected);
    }

    // `n` as an offset in bytes.
    let boundaries = || (0..=text.len()).filter(|at| text.is_char_boundary(*at));
    let floor = boundaries().take_while(|at| *at <= n).last().unwrap();
    let ceil = boundaries().find(|at| *at >= n).unwrap_or(text.len());
    assert_eq!(utf8_runes::floor_char_boundary(text, n), floor, "{n} of {text:?}");
    assert_eq!(utf8_runes::ceil_char_boundary(text, n), ceil, "{n} of {text:?}");
    assert_eq!(utf8_runes::rune_index(text, n), text[..floor].chars().count(), "{n} of {text:?}");
    assert_eq!(utf8_runes::offset(text, utf8_runes::rune_index(text, n)), Some(floor));
    let start = boundaries().find(|at| text.len() - at <= n).unwrap();
    assert_eq!(utf8_runes::suffix_bytes(text, n), &text[start..], "{n} of {text:?}");

    // And in UTF-16 units.
    assert_eq!(utf8_runes::utf16_len(text), text.encode_utf16().count(), "{text:?}");
    let units = utf8_runes::prefix_utf16(text, n);
    assert_eq!(units, model::prefix_utf16(text, n), "{n} of {text:?}");

    assert_eq!(text.rune_count(), count);
    assert_eq!(text.rune_count_upto(n), cut);
    assert_eq!(text.exceeds_runes(n), count > n);
    assert_eq!(text.rune_offset(n), model::offset(text, n));
    assert_eq!(text.rune_offset_from_end(n), from_end);
    assert_eq!(RuneStr::rune_index(text, n), utf8_runes::rune_index(text, n));
    assert_eq!(text.rune_prefix(n), head);
    assert_eq!(text.rune_suffix(n), suffix);
    assert_eq!(text.rune_split_at(n), (head, rest));
    assert_eq!(text.prefix_bytes(n), &text[..floor]);
    assert_eq!(text.suffix_bytes(n), &text[start..]);
    assert_eq!(text.utf16_len(), utf8_runes::utf16_len(text));
    assert_eq!(text.prefix_utf16(n), units);
    assert_eq!(text.trim_blanks(), text.trim_end_matches(' '));
}

#[test]
fn every_number_of_every_length() {
    each_tier(|| {
        for len in (0..=40).chain([63, 64, 65, 66, 67]) {
            for text in model::texts(len) {
                for n in (0..=len + 2).chain([usize::MAX / 4, usize::MAX]) {
                    check(&text, n);
                }
            }
        }
    });
}

/// Around the blocks that counting from the end and in UTF-16 takes.
#[test]
fn edges_of_blocks() {
    each_tier(|| {
        for len in [191, 192, 193, 195, 383, 384, 385, 511, 512, 513, 514, 515, 516, 1024, 1027] {
            for text in model::texts(len) {
                let count = text.chars().count();
                for n in [0, 1, 2, count / 2, count - 1, count, count + 1, len / 2, len, len + 1] {
                    check(&text, n);
                }
                for n in (0..=count).step_by(7) {
                    assert_eq!(
                        utf8_runes::suffix(&text, n),
                        &text[model::offset(&text, count - n).unwrap()..]
                    );
                }
            }
        }
    });
}

#[test]
fn every_alignment() {
    each_tier(|| {
        let mut buffer = Vec::new();
        for len in [0, 1, 7, 15, 31, 33, 64, 100, 193, 600] {
            for text in model::texts(len) {
                let (count, units) = (text.chars().count(), text.encode_utf16().count());
                let half = &text[model::offset(&text, count - count / 2).unwrap()..];
                for align in 0..64 {
                    let bytes = model::aligned(&mut buffer, text.as_bytes(), align);
                    assert_eq!(utf8_runes::bytes::count_leads(bytes), count);
                    assert_eq!(
                        utf8_runes::bytes::trim_blanks(bytes),
                        text.trim_blanks().as_bytes()
                    );
                    let text = std::str::from_utf8(bytes).unwrap();
                    assert_eq!(utf8_runes::utf16_len(text), units);
                    assert_eq!(utf8_runes::suffix(text, count / 2), half);
                }
            }
        }
    });
}

proptest! {
    #[test]
    fn as_the_model(
        parts in prop::collection::vec(
            prop_oneof!["[a-z ]{0,40}", "[é-ɏ]{0,20}", "[一-龥]{0,30}", "[😀-🙏]{0,20}", any::<String>()],
            0..5,
        ),
        n in prop_oneof![8 => 0..200_usize, 1 => any::<usize>()],
    ) {
        each_tier(|| check(&parts.concat(), n));
    }

    #[test]
    fn bytes_nobody_validated(bytes in prop::collection::vec(any::<u8>(), 0..300), blanks in 0..40_usize) {
        let leads = bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        prop_assert_eq!(utf8_runes::bytes::count_leads(&bytes), leads);
        let padded = [&bytes[..], &b" ".repeat(blanks)].concat();
        let end = bytes.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
        prop_assert_eq!(utf8_runes::bytes::trim_blanks(&padded), &bytes[..end]);
    }
}
