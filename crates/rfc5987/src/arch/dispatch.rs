//! One function a kernel, that calls the one of the tier in use.
#![allow(unsafe_code, reason = "the macro proves its calls")]

use super::cell::Cell;
use super::detect::{self, Level};
use super::portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::x86_64::{avx2, avx512, ssse3};

macro_rules! dispatched {
    ($($(#[$attr:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        $(#[$attr])*
        #[inline]
        pub(super) fn $name($($arg: $type),*) -> $out {
            /// A call of its own, so that the others need to save nothing for it.
            #[cold]
            #[inline(never)]
            fn first($($arg: $type),*) -> $out {
                detect::find_out();
                $name($($arg),*)
            }

            match detect::level() {
                // SAFETY: the function needs the features of the tier, whose token exists only
                // where they are there.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512Vbmi2(isa) => unsafe { avx512::$name(isa, $($arg),*) },
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(isa) => unsafe { avx2::$name(isa, $($arg),*) },
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Ssse3(isa) => unsafe { ssse3::$name(isa, $($arg),*) },
                Level::Portable => portable::$name($($arg),*),
                Level::Unknown => first($($arg),*),
            }
        }
    )*};
}

dispatched! {
    /// How many bytes of `value`, at least 16, need an escape.
    fn count_escapes(value: &[u8]) -> usize;
    /// How many escapes `value`, at least 16 bytes, has; `None` when it breaks the grammar. The
    /// portable code only counts `%`, and finds the rest when it decodes.
    fn scan(value: &[u8]) -> Option<usize>;
    /// Writes the octets that `value`, at least 16 bytes, stands for to `out`, which is as long as
    /// they are; how many cells, from the first, hold a byte now; `None` when `value` breaks the
    /// grammar in a way that `scan` has not seen, or the length is wrong.
    fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize>;
}

/// Writes the value-chars of `value`, at least 16 bytes, to `out`, which they fill.
///
/// # Safety
/// `out` must be as long as they are.
#[inline]
pub(super) unsafe fn encode(value: &[u8], out: &mut [Cell]) {
    /// As of the others.
    ///
    /// # Safety
    /// As of `encode`: `out` must be as long as the value-chars are.
    #[cold]
    #[inline(never)]
    unsafe fn first(value: &[u8], out: &mut [Cell]) {
        detect::find_out();
        // SAFETY: the condition is the caller's.
        unsafe { encode(value, out) }
    }

    match detect::level() {
        // SAFETY: the function needs the features of the tier, whose token exists only where they
        // are there.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512Vbmi2(isa) => unsafe { avx512::encode(isa, value, out) },
        // SAFETY: as above.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(isa) => unsafe { avx2::encode(isa, value, out) },
        // SAFETY: as above.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Ssse3(isa) => unsafe { ssse3::encode(isa, value, out) },
        // SAFETY: the condition is the caller's.
        Level::Portable => unsafe { portable::encode(value, out) },
        // SAFETY: the condition is the caller's.
        Level::Unknown => unsafe { first(value, out) },
    }
}
