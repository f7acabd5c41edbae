//! Which instruction set the kernels use, for tests and benchmarks (feature `tiers`).
//!
//! ```
//! use utf8_runes::tier::{Tier, available, force};
//!
//! for tier in available() {
//!     assert!(force(Some(*tier))); // the whole process now runs on it
//! }
//! assert!(force(None)); // back to the best there is
//! ```

/// An instruction set that kernels may be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tier {
    /// What every target has.
    Portable,
    /// x86-64 as such.
    Sse2,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// AVX-512 F, BW and VL besides. Where there are VBMI and VBMI2 too, some kernels use them.
    Avx512,
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
