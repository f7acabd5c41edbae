//! Bytes that may be malformed.

use crate::{hex, load, tiers};
use serde::Deserialize;
use utf8_runes::bytes;
use utf8_runes::column::{DecodeError, FixedText};

#[derive(Deserialize)]
struct Cuts {
    case: Vec<Cut>,
}

#[derive(Deserialize)]
struct Cut {
    name: String,
    hex: String,
    runes: usize,
    prefix: Option<String>,
    error: Option<usize>,
    lossy: String,
}

#[test]
fn cut() {
    tiers(|| {
        let all: Cuts = load("bytes.toml");
        for Cut { name, hex: input, runes, prefix, error, lossy } in &all.case {
            let input = hex(input);
            let expected = match error {
                None => Ok(prefix.as_deref().unwrap()),
                Some(at) => {
                    let whole = std::str::from_utf8(&input).unwrap_err();
                    assert_eq!(whole.valid_up_to(), *at, "{name}");
                    Err(whole)
                }
            };
            assert_eq!(bytes::prefix(&input, *runes), expected, "{name}");
            #[cfg(feature = "alloc")]
            assert_eq!(bytes::prefix_lossy(&input, *runes), *lossy, "{name}");
            let _ = lossy;
        }
    });
}

#[derive(Deserialize)]
struct Groups {
    group: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    name: String,
    good: Vec<String>,
    bad: Vec<(String, usize, usize)>,
}

/// What surrounds a sequence, so that it lies at each place of a block and over its edges.
const BEFORE: [usize; 14] = [0, 1, 12, 13, 14, 15, 29, 30, 31, 61, 62, 63, 64, 125];
const BEHIND: [usize; 5] = [0, 1, 3, 40, 130];

fn surrounded(sequence: &[u8]) -> impl Iterator<Item = (usize, usize, Vec<u8>)> {
    BEFORE.iter().flat_map(move |before| {
        BEHIND.iter().map(move |behind| {
            (*before, *behind, [&b"a".repeat(*before), sequence, &b"z".repeat(*behind)].concat())
        })
    })
}

#[test]
fn well_formed() {
    tiers(|| {
        let all: Groups = load("validate.toml");
        for (name, good) in all.group.iter().flat_map(|g| g.good.iter().map(|good| (&g.name, good)))
        {
            let sequence = hex(good);
            let runes = String::from_utf8(sequence.clone()).unwrap().chars().count();
            for (before, behind, input) in surrounded(&sequence) {
                let count = before + runes + behind;
                assert!(bytes::validate(&input).is_ok(), "{name}: {input:x?}");
                assert_eq!(bytes::validate_count(&input), Ok(count), "{name}: {input:x?}");
                let cut = bytes::prefix(&input, before + runes).map(str::len);
                assert_eq!(cut, Ok(before + sequence.len()), "{name}: {input:x?}");
            }
        }
    });
}

#[test]
fn malformed() {
    tiers(|| {
        let all: Groups = load("validate.toml");
        for (name, bad) in all.group.iter().flat_map(|g| g.bad.iter().map(|bad| (&g.name, bad))) {
            let (sequence, at, replaced) = (hex(&bad.0), bad.1, bad.2);
            for (before, _, input) in surrounded(&sequence) {
                let expected = std::str::from_utf8(&input).unwrap_err();
                assert_eq!(expected.valid_up_to(), before + at, "{name}: {input:x?}");
                assert_eq!(bytes::validate(&input), Err(expected), "{name}: {input:x?}");
                assert_eq!(bytes::validate_count(&input), Err(expected), "{name}: {input:x?}");
                assert_eq!(bytes::prefix(&input, usize::MAX), Err(expected), "{name}: {input:x?}");
                let malformed = DecodeError::Malformed { offset: before + at };
                let column = FixedText::new(input.len());
                assert_eq!(column.decode(&input), Err(malformed), "{name}: {input:x?}");
                #[cfg(feature = "alloc")]
                {
                    let lossy = bytes::prefix_lossy(&input, usize::MAX);
                    assert_eq!(lossy.matches('\u{FFFD}').count(), replaced, "{name}: {input:x?}");
                    assert_eq!(lossy, String::from_utf8_lossy(&input), "{name}: {input:x?}");
                }
                let _ = replaced;
            }
        }
    });
}
