//! One function a kernel, that calls the one of the tier in use.
#![allow(unsafe_code, reason = "the macro proves its calls")]

use super::cell::Cell;
use super::detect::{self, Level};
use super::portable;
use super::units::Encoded;
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
    fn utf16_len(bytes: &[u8]) -> usize;
    fn nth_lead_utf16(bytes: &[u8], limit: usize) -> Option<usize>;
    fn utf8_to_utf16(text: &[u8], out: &mut [[Cell; 2]]) -> Option<usize>;
}

/// Of units by their bytes; `None` where only the portable code is, which SSE2 has nothing to add
/// to.
macro_rules! dispatched_units {
    ($(fn $name:ident<const $big:ident> ($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        #[inline]
        pub(super) fn $name<const $big: bool>($($arg: $type),*) -> Option<$out> {
            #[cold]
            #[inline(never)]
            fn first<const $big: bool>($($arg: $type),*) -> Option<$out> {
                detect::find_out();
                $name::<$big>($($arg),*)
            }

            match detect::level() {
                // SAFETY: the function needs the features of the tier, whose token exists only
                // where they are there.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(isa) => Some(unsafe { avx512::$name::<$big>(isa, $($arg),*) }),
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(isa) => Some(unsafe { avx2::$name::<$big>(isa, $($arg),*) }),
                Level::Unknown => first::<$big>($($arg),*),
                _ => None,
            }
        }
    )*};
}

dispatched_units! {
    fn utf16_count<const BE>(units: &[[u8; 2]]) -> usize;
    fn utf16_walk<const BE>(units: &[[u8; 2]], runes: usize) -> (usize, usize);
    fn utf16_utf8_len<const BE>(units: &[[u8; 2]]) -> usize;
    fn utf16_first_lone<const BE>(units: &[[u8; 2]]) -> Option<usize>;
    fn utf16_encode<const BE>(units: &[[u8; 2]], out: &mut [Cell]) -> Encoded;
}
