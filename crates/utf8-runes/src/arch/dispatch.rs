//! One function a kernel, that calls the one of the tier in use.
#![allow(unsafe_code, reason = "the macro proves its calls")]

use super::detect::{self, Level};
use super::portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::x86_64::{avx2, avx512, sse2};

macro_rules! dispatched {
    ($(fn $name:ident $(<const $flag:ident>)? ($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        #[inline]
        pub(super) fn $name $(<const $flag: bool>)? ($($arg: $type),*) -> $out {
            /// A call of its own, so that the others need to save nothing for it.
            #[cold]
            #[inline(never)]
            fn first $(<const $flag: bool>)? ($($arg: $type),*) -> $out {
                detect::find_out();
                $name $(::<$flag>)? ($($arg),*)
            }

            match detect::level() {
                // SAFETY: the function needs the features of the tier, whose token exists only
                // where they are there.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(isa) => unsafe { avx512::$name $(::<$flag>)? (isa, $($arg),*) },
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(isa) => unsafe { avx2::$name $(::<$flag>)? (isa, $($arg),*) },
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Sse2(isa) => unsafe { sse2::$name $(::<$flag>)? (isa, $($arg),*) },
                Level::Portable => portable::$name $(::<$flag>)? ($($arg),*),
                Level::Unknown => first $(::<$flag>)? ($($arg),*),
            }
        }
    )*};
}

dispatched! {
    fn count(bytes: &[u8]) -> usize;
    fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize>;
    fn trimmed_len(bytes: &[u8]) -> usize;
    fn validate<const COUNT>(bytes: &[u8]) -> Option<usize>;
    fn prefix<const TRIM>(bytes: &[u8], runes: usize) -> Option<usize>;
}
