//! The kernels of each tier, by the functions that choose one.

use super::*;
use proptest::prelude::*;
use std::format;

/// Runs a check on every tier that this processor has; without the feature `tiers`, on the best.
fn each_tier(check: impl Fn() -> Result<(), TestCaseError>) -> Result<(), TestCaseError> {
    #[cfg(feature = "tiers")]
    {
        use std::sync::{Mutex, PoisonError};

        // A tier is the whole process's: one check at a time.
        static FORCED: Mutex<()> = Mutex::new(());
        let _one = FORCED.lock().unwrap_or_else(PoisonError::into_inner);
        for tier in available() {
            assert!(force(Some(*tier)));
            check()?;
        }
        force(None);
        Ok(())
    }
    #[cfg(not(feature = "tiers"))]
    check()
}

fn slow(value: &[u8]) -> String {
    value
        .iter()
        .map(|byte| match byte {
            b if crate::is_attr_char(*b) => format!("{}", char::from(*b)),
            b => format!("%{b:02X}"),
        })
        .collect()
}

fn check_exact(value: &[u8]) -> Result<(), TestCaseError> {
    let expected = slow(value);
    let counted = Counted::of(value);
    prop_assert_eq!(counted.encoded_len(), expected.len());
    let mut guarded = std::vec![0xAA; expected.len() + 80];
    prop_assert_eq!(counted.write_to(&mut guarded).unwrap(), &expected);
    prop_assert!(guarded[expected.len()..].iter().all(|byte| *byte == 0xAA));
    let short = expected.len().saturating_sub(1);
    prop_assert!(expected.is_empty() || counted.write_to(&mut guarded[..short]).is_none());

    let mut text = String::from("é");
    counted.append_to(&mut text);
    prop_assert_eq!(&text["é".len()..], &expected);

    let decoded = octets(expected.as_bytes()).unwrap();
    if counted.is_safe() {
        prop_assert_eq!(decoded, Octets::Same);
    } else {
        prop_assert_eq!(decoded, Octets::New(value.to_vec()));
    }
    Ok(())
}

/// The octets by the grammar, byte by byte.
fn slow_octets(value: &[u8]) -> Option<Octets> {
    let mut octets = Vec::new();
    let mut rest = value;
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        rest = behind;
        if *first == b'%' {
            octets.push(u8::try_from(digit(0)? << 4 | digit(1)?).ok()?);
            rest = &behind[2..];
        } else if crate::is_attr_char(*first) {
            octets.push(*first);
        } else {
            return None;
        }
    }
    Some(if octets.len() == value.len() { Octets::Same } else { Octets::New(octets) })
}

/// Values that mostly keep to the grammar.
fn values() -> impl Strategy<Value = Vec<u8>> {
    let right = prop_oneof![
        4 => "[!-~]{0,40}".prop_map(|text| slow(text.as_bytes()).into_bytes()),
        4 => "\\PC{0,12}".prop_map(|text| slow(text.as_bytes()).to_ascii_lowercase().into_bytes()),
    ];
    let wrong = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..2),
        Just(b"%".to_vec()),
        Just(b"%4".to_vec()),
        Just(b"%g0".to_vec()),
        Just(b"%0`".to_vec()),
    ];
    let values = |right| prop::collection::vec(right, 0..8).prop_map(|parts| parts.concat());
    let broken = (values(right.clone().boxed()), wrong, values(right.clone().boxed()));
    prop_oneof![
        values(right.boxed()),
        broken.prop_map(|(before, wrong, behind)| [before, wrong, behind].concat()),
    ]
}

proptest! {
    #[test]
    fn octets_agree_with_the_grammar(value in values()) {
        let expected = slow_octets(&value);
        each_tier(|| {
            prop_assert_eq!(&octets(&value), &expected);
            Ok(())
        })?;
    }

    #[test]
    fn an_exact_buffer_is_filled_and_not_passed(
        value in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a')], 0..200),
        blanks in prop::collection::vec(0_usize..200, 0..3),
    ) {
        // Long runs without an escape, too.
        let mut sparse = std::vec![b'a'; 200];
        blanks.into_iter().for_each(|at| sparse[at] = b' ');
        each_tier(|| {
            check_exact(&value)?;
            check_exact(&sparse)
        })?;
    }

    #[test]
    fn a_wrong_length_is_no_fault(
        value in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'%'), Just(b'4')], 0..200),
        name in any::<String>(),
        len in 0_usize..200,
    ) {
        let mut text = String::new();
        append_fallback(&name, len, &mut text);
        prop_assert!(text.is_ascii() && text.len() <= len);
        if value.len() < SHORT {
            return Ok(());
        }
        each_tier(|| {
            let mut room = std::vec![0xAA; len + 80];
            if let Some(written) = dispatch::decode(&value, cells_of(&mut room[..len])) {
                prop_assert!(written <= len);
            }
            prop_assert!(room[len..].iter().all(|byte| *byte == 0xAA));
            Ok(())
        })?;
    }
}
