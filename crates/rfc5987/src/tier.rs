//! Which instruction set the kernels use, for tests and benchmarks (feature `tiers`).
//!
//! ```
//! use rfc5987::tier::{Tier, available, force};
//!
//! for tier in available() {
//!     assert!(force(Some(*tier))); // the whole process now runs on it
//! }
//! assert!(force(None)); // back to the best there is
//! ```
//!
//! UTF-8 is checked by `utf8-runes`, which has a switch of its own.

/// An instruction set that kernels may be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tier {
    /// What every target has.
    Portable,
    /// SSSE3, SSE4.1 and POPCNT.
    Ssse3,
    /// AVX2, BMI1, BMI2 and LZCNT besides.
    Avx2,
    /// AVX-512 F, BW, VL, VBMI and VBMI2 besides.
    Avx512Vbmi2,
}

/// The tiers that this build has kernels for and this processor can run, the slowest first.
/// Without the feature `std` nothing can be asked of the processor: they are then those that the
/// program is compiled for.
#[must_use]
pub fn available() -> &'static [Tier] {
    crate::arch::available()
}

/// Makes the whole process use one tier, or with `None` the best that is available again. Gives
/// `false` and changes nothing when the tier is not available.
#[allow(clippy::must_use_candidate, reason = "called for its effect")]
pub fn force(tier: Option<Tier>) -> bool {
    crate::arch::force(tier)
}
