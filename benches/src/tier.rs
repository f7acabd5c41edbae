//! Which instruction set the kernels of `utf8-runes`, on which the other crates stand, run on, and
//! those of `rfc5987` with them.

/// The instruction set that the kernels' detection finds here; asked anew, as the runners of the
/// heavy peers are without the crate.
#[must_use]
pub fn detected() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        /// Whether the processor has all of these.
        macro_rules! have {
            ($($feature:tt),*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }

        if !have!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt") {
            return "sse2";
        }
        if !have!("avx512f", "avx512bw", "avx512vl") {
            return "avx2";
        }
        "avx512"
    }
    #[cfg(not(target_arch = "x86_64"))]
    "portable"
}

/// Makes the whole process use the tier of that name, for good.
///
/// # Errors
/// A sentence that names the tiers that can be had: those that the build has kernels for and this
/// processor can run.
pub fn force(name: &str) -> Result<(), String> {
    if switch(name) {
        return Ok(());
    }
    Err(format!("the tier `{name}` is not available here; available: {}", available().join(", ")))
}

#[cfg(feature = "utf8-runes")]
mod kernels {
    use utf8_runes::tier::{Tier, available, force};

    const NAMES: [(&str, Tier); 4] = [
        ("portable", Tier::Portable),
        ("sse2", Tier::Sse2),
        ("avx2", Tier::Avx2),
        ("avx512", Tier::Avx512),
    ];

    pub(super) fn names() -> Vec<&'static str> {
        let there = |tier| available().contains(tier);
        NAMES.iter().filter(|(_, tier)| there(tier)).map(|(name, _)| *name).collect()
    }

    pub(super) fn switch(name: &str) -> bool {
        NAMES.iter().any(|(known, tier)| *known == name && force(Some(*tier)))
            && super::switch_rfc5987(name)
    }
}

/// Makes `rfc5987` use what goes with the tier of that name, or the best it has below: its kernels
/// begin at SSSE3, which no processor that is in use lacks, and need VBMI2 besides AVX-512.
#[cfg(all(feature = "utf8-runes", feature = "rfc5987"))]
fn switch_rfc5987(name: &str) -> bool {
    use rfc5987::tier::{Tier, available, force};

    let wanted = match name {
        "portable" => Tier::Portable,
        "sse2" => Tier::Ssse3,
        "avx2" => Tier::Avx2,
        "avx512" => Tier::Avx512Vbmi2,
        _ => return false,
    };
    let there = available().contains(&wanted);
    force(if there { Some(wanted) } else { available().last().copied() })
}

/// Without the crate there is nothing more to switch.
#[cfg(all(feature = "utf8-runes", not(feature = "rfc5987")))]
fn switch_rfc5987(_: &str) -> bool {
    true
}

#[cfg(feature = "utf8-runes")]
use kernels::{names as available, switch};

/// Without the crate there is nothing to switch.
#[cfg(not(feature = "utf8-runes"))]
fn available() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(not(feature = "utf8-runes"))]
fn switch(_: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tier_is_refused_with_those_that_are_there() {
        let said = force("mmx").unwrap_err();
        assert!(said.starts_with("the tier `mmx` is not available here; available: "), "{said}");
        for tier in available() {
            assert!(said.contains(tier), "{said}");
        }
    }

    #[cfg(feature = "utf8-runes")]
    #[test]
    fn the_tier_detected_is_the_best_of_the_crate() {
        assert_eq!(available().last(), Some(&detected()));
    }

    #[cfg(feature = "utf8-runes")]
    #[test]
    fn every_tier_that_is_there_can_be_forced() {
        assert!(available().contains(&"portable"));
        for tier in available() {
            assert_eq!(force(tier), Ok(()));
        }
        assert!(utf8_runes::tier::force(None));
        #[cfg(feature = "rfc5987")]
        assert!(rfc5987::tier::force(None));
    }
}
