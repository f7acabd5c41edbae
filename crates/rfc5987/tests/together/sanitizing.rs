//! Names from peers, random ones: what the policy leaves keeps every rule of it.

use proptest::prelude::*;
use rfc5987::{Policy, UntrustedFileName};

proptest! {
    #[test]
    fn a_sanitized_name_is_safe_and_stays_as_it_is(
        parts in prop::collection::vec(prop_oneof![
            4 => "[a-z. ]{0,20}",
            2 => "\\PC{0,6}",
            1 => any::<char>().prop_map(String::from),
            1 => prop_oneof![
                Just("/"), Just("\\"), Just(".."), Just(" "), Just("con"), Just("COM1."), Just("\u{202E}"),
                Just("nul .")
            ].prop_map(String::from),
        ], 0..6),
        max in prop_oneof![Just(255_usize), 0_usize..40],
    ) {
        let raw = parts.concat();
        let policy = Policy::default().max_bytes(max);
        let name = UntrustedFileName::new(&*raw);
        prop_assert_eq!(name.clone().into_sanitized(&policy), name.sanitized(&policy));
        let owned = UntrustedFileName::new(raw.clone());
        prop_assert_eq!(owned.into_sanitized(&policy), name.sanitized(&policy));
        let Some(kept) = name.sanitized(&policy) else { return Ok(()) };
        prop_assert!(!kept.is_empty() && kept.len() <= max);
        let forbidden = ['/', '\\', ':', '*', '?', '"', '<', '>', '|', '\u{202E}'];
        prop_assert!(!kept.contains(forbidden));
        prop_assert!(!kept.chars().any(char::is_control));
        prop_assert!(!kept.ends_with(['.', ' ']));
        let stem = kept.split('.').next().unwrap().trim_matches(' ').to_uppercase();
        prop_assert!(!["CON", "NUL", "AUX", "PRN", "COM1"].contains(&&*stem));
        let again = UntrustedFileName::new(&*kept);
        let kept_again = again.sanitized(&policy);
        prop_assert_eq!(kept_again.as_deref(), Some(&*kept));
        prop_assert!(again.is_safe());
        let untouched = name.sanitized(&Policy::default()).as_deref() == Some(&*raw);
        prop_assert_eq!(name.is_safe(), untouched);
    }
}
