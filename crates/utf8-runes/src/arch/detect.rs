//! Which instruction set the kernels use: found out once, then remembered in one byte.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::x86_64::{avx2::Avx2, avx512::Avx512, sse2::Sse2};
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
    Sse2(Sse2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(Avx512),
}

use machine::{best, known_when_compiled, of};

/// What is remembered: nothing yet, or a level. Bits, as a test of one is a branch that can be
/// foretold, where numbers become a table of jumps. A higher number is a better level.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "without `tiers` nobody asks for the others")
)]
mod remembered {
    pub(super) const UNKNOWN: u8 = 0;
    pub(super) const PORTABLE: u8 = 1;
    pub(super) const SSE2: u8 = 1 << 1;
    pub(super) const AVX2: u8 = 1 << 2;
    /// Besides `AVX2`: `pdep` is an instruction and no microcode.
    pub(super) const PDEP: u8 = 1 << 3;
    pub(super) const AVX512: u8 = 1 << 4;
    /// Besides `AVX512`: VBMI and VBMI2, which all processors with it have since 2019.
    pub(super) const VBMI2: u8 = 1 << 5;
}
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(unused_imports, reason = "as above")
)]
use remembered::{AVX2, AVX512, PDEP, PORTABLE, SSE2, UNKNOWN, VBMI2};

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

/// Whether the level has instructions that load a part of a register, or is not known yet.
pub(super) fn loads_parts() -> bool {
    match level() {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) | Level::Avx2(_) => true,
        Level::Unknown => true,
        _ => false,
    }
}

/// Asks the processor, so that the level is known.
pub(super) fn find_out() {
    REMEMBERED.store(best(), Ordering::Relaxed);
}

/// The tiers of this build that this processor can run, the slowest first.
#[cfg(feature = "tiers")]
pub(crate) fn available() -> &'static [Tier] {
    const ALL: &[Tier] = &[Tier::Portable, Tier::Sse2, Tier::Avx2, Tier::Avx512];
    let count = match best() {
        AVX512.. => 4,
        AVX2.. => 3,
        SSE2.. => 2,
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
        Some(Tier::Sse2) => SSE2,
        Some(Tier::Avx2) => AVX2 | best & PDEP,
        Some(Tier::Avx512) => AVX512 | best & (PDEP | VBMI2),
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
    use super::{AVX2, AVX512, Avx2, Avx512, Level, PDEP, PORTABLE, SSE2, Sse2, UNKNOWN, VBMI2};
    use core::arch::x86_64::__cpuid;

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

    const COMPILED_FOR_AVX2: bool = compiled_for!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt");
    const COMPILED_FOR_AVX512: bool =
        COMPILED_FOR_AVX2 && compiled_for!("avx512f", "avx512bw", "avx512vl");
    const COMPILED_FOR_VBMI2: bool =
        COMPILED_FOR_AVX512 && compiled_for!("avx512vbmi", "avx512vbmi2");

    #[inline(always)]
    pub(super) const fn known_when_compiled() -> Option<Level> {
        if COMPILED_FOR_AVX512 && (cfg!(not(feature = "std")) || COMPILED_FOR_VBMI2) {
            // SAFETY: a program that may use these anywhere runs only where they are.
            return Some(Level::Avx512(unsafe { Avx512::new(COMPILED_FOR_VBMI2) }));
        }
        if cfg!(feature = "std") || COMPILED_FOR_AVX2 {
            // There may be better, or `pdep` may be slow.
            return None;
        }
        // SAFETY: the module is compiled only where SSE2 may be used anywhere.
        Some(Level::Sse2(unsafe { Sse2::new() }))
    }

    /// What the processor can do best.
    pub(super) fn best() -> u8 {
        if !have!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt") {
            return SSE2;
        }
        let pdep = if pdep_is_microcode() { 0 } else { PDEP };
        if !have!("avx512f", "avx512bw", "avx512vl") {
            return AVX2 | pdep;
        }
        let vbmi2 = if have!("avx512vbmi", "avx512vbmi2") { VBMI2 } else { 0 };
        AVX512 | pdep | vbmi2
    }

    /// The level that `best` or `force` remembered so.
    #[inline(always)]
    pub(super) fn of(remembered: u8) -> Level {
        if remembered & AVX512 != 0 {
            // SAFETY: `best` sets this bit only where it found the features of `Avx2` and AVX-512
            // F, BW and VL, and `VBMI2` only where it found those besides; `force` stores nothing
            // above what `best` said.
            return Level::Avx512(unsafe { Avx512::new(remembered & VBMI2 != 0) });
        }
        if remembered & AVX2 != 0 {
            let pdep = remembered & PDEP != 0;
            // SAFETY: `best` sets this bit, or a higher one, only where it found AVX2, BMI1, BMI2,
            // LZCNT and POPCNT; `force` stores nothing above it.
            return Level::Avx2(unsafe { Avx2::new(pdep) });
        }
        if remembered == UNKNOWN {
            return Level::Unknown;
        }
        if remembered == PORTABLE {
            return Level::Portable;
        }
        // SAFETY: the module is compiled only where SSE2 may be used anywhere.
        Level::Sse2(unsafe { Sse2::new() })
    }

    /// AMD's processors before Zen 3 (family 19h), and Hygon's, take tens of cycles and more for
    /// what others do in three.
    fn pdep_is_microcode() -> bool {
        #[allow(unused_unsafe, reason = "the function was unsafe before Rust 1.92")]
        // SAFETY: every x86-64 has the instruction.
        let (vendor, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let intel = *b"GenuineIntel";
        let amd = *b"AuthenticAMD";
        let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let family = (signature >> 8 & 0xF) + (signature >> 20 & 0xFF);
        if name.as_flattened() == intel {
            return false;
        }
        name.as_flattened() != amd || family < 0x19
    }
}
