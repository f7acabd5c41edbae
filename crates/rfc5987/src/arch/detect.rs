//! Which instruction set the kernels use: found out once, then remembered in one byte.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::x86_64::{Avx2, Avx512Vbmi2, Ssse3};
#[cfg(feature = "tiers")]
use crate::tier::Tier;
use core::sync::atomic::{AtomicU8, Ordering};

/// The tier in use, with the token of its instruction set.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "what is known when compiled leaves some of them out")]
pub(super) enum Level {
    /// Nobody has asked yet: `find_out`.
    Unknown,
    Portable,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Ssse3(Ssse3),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512Vbmi2(Avx512Vbmi2),
}

use machine::{best, known_when_compiled, of};

/// What is remembered: nothing yet, or a level. Bits, as a test of one is a branch that can be
/// foretold, where numbers become a table of jumps. A higher number is a better level.
const UNKNOWN: u8 = 0;
const PORTABLE: u8 = 1;
const SSSE3: u8 = 1 << 1;
const AVX2: u8 = 1 << 2;
const AVX512_VBMI2: u8 = 1 << 3;

/// Written by `find_out` and `force` alone, and nothing above `best`.
static REMEMBERED: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The level to use.
#[inline(always)]
pub(super) fn level() -> Level {
    // With `tiers` another one may be forced.
    if cfg!(not(feature = "tiers"))
        && let Some(level) = known_when_compiled()
    {
        return level;
    }
    // Relaxed: whatever another thread stored is as good as what this one would.
    of(REMEMBERED.load(Ordering::Relaxed))
}

/// Asks the processor, so that the level is known.
pub(super) fn find_out() {
    REMEMBERED.store(best(), Ordering::Relaxed);
}

/// The tiers of this build that this processor can run, the slowest first.
#[cfg(feature = "tiers")]
pub(crate) fn available() -> &'static [Tier] {
    const ALL: &[Tier] = &[Tier::Portable, Tier::Ssse3, Tier::Avx2, Tier::Avx512Vbmi2];
    let count = match best() {
        AVX512_VBMI2 => 4,
        AVX2 => 3,
        SSSE3 => 2,
        _ => 1,
    };
    &ALL[..count]
}

/// Uses `tier`, or the best; whether that is available.
#[cfg(feature = "tiers")]
pub(crate) fn force(tier: Option<Tier>) -> bool {
    let best = best();
    let wanted = match tier {
        None => best,
        Some(Tier::Portable) => PORTABLE,
        Some(Tier::Ssse3) => SSSE3,
        Some(Tier::Avx2) => AVX2,
        Some(Tier::Avx512Vbmi2) => AVX512_VBMI2,
    };
    if wanted > best {
        return false;
    }
    REMEMBERED.store(wanted, Ordering::Relaxed);
    true
}

/// Without vector types.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod machine {
    use super::{Level, PORTABLE};

    pub(super) const fn known_when_compiled() -> Option<Level> {
        Some(Level::Portable)
    }

    pub(super) const fn of(_: u8) -> Level {
        Level::Portable
    }

    pub(super) const fn best() -> u8 {
        PORTABLE
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code, reason = "each block proves its one call")]
mod machine {
    use super::{AVX2, AVX512_VBMI2, Avx2, Avx512Vbmi2, Level, PORTABLE, SSSE3, Ssse3, UNKNOWN};

    /// Whether the compiler may use all of these anywhere.
    macro_rules! compiled_for {
        ($($feature:tt),*) => { cfg!(all($(target_feature = $feature),*)) };
    }

    /// Whether all of these are there. Without `std` nobody can ask the operating system.
    #[cfg(feature = "std")]
    macro_rules! have {
        ($($feature:tt),*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    #[cfg(not(feature = "std"))]
    use compiled_for as have;

    const COMPILED_FOR_SSSE3: bool = compiled_for!("ssse3", "sse4.1", "popcnt");
    const COMPILED_FOR_AVX2: bool =
        COMPILED_FOR_SSSE3 && compiled_for!("avx2", "bmi1", "bmi2", "lzcnt");
    const COMPILED_FOR_AVX512_VBMI2: bool = COMPILED_FOR_AVX2
        && compiled_for!("avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2");

    #[inline(always)]
    pub(super) const fn known_when_compiled() -> Option<Level> {
        if COMPILED_FOR_AVX512_VBMI2 {
            // SAFETY: a program that may use these anywhere runs only where they are.
            return Some(Level::Avx512Vbmi2(unsafe { Avx512Vbmi2::new() }));
        }
        if cfg!(feature = "std") {
            // There may be better.
            return None;
        }
        if COMPILED_FOR_AVX2 {
            // SAFETY: as above.
            return Some(Level::Avx2(unsafe { Avx2::new() }));
        }
        if COMPILED_FOR_SSSE3 {
            // SAFETY: as above.
            return Some(Level::Ssse3(unsafe { Ssse3::new() }));
        }
        Some(Level::Portable)
    }

    /// What the processor can do best.
    pub(super) fn best() -> u8 {
        if !have!("ssse3", "sse4.1", "popcnt") {
            return PORTABLE;
        }
        if !have!("avx2", "bmi1", "bmi2", "lzcnt") {
            return SSSE3;
        }
        if !have!("avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2") {
            return AVX2;
        }
        AVX512_VBMI2
    }

    /// The level that `best` or `force` remembered so.
    #[inline(always)]
    pub(super) fn of(remembered: u8) -> Level {
        if remembered & AVX512_VBMI2 != 0 {
            // SAFETY: `best` says so only where it found all that the token stands for; `force`
            // stores nothing above what `best` said.
            return Level::Avx512Vbmi2(unsafe { Avx512Vbmi2::new() });
        }
        if remembered & AVX2 != 0 {
            // SAFETY: `best` says so, or more, only where it found all that the token stands for;
            // `force` stores nothing above it.
            return Level::Avx2(unsafe { Avx2::new() });
        }
        if remembered & SSSE3 != 0 {
            // SAFETY: as above.
            return Level::Ssse3(unsafe { Ssse3::new() });
        }
        if remembered == UNKNOWN { Level::Unknown } else { Level::Portable }
    }
}
