//! The vector types of x86-64: a module and a token for each instruction set. The algorithms over
//! 16 bytes at a time are [`sixteen`], which AVX2 has for the end of a value.

pub(super) mod avx2;
pub(super) mod avx512;
mod sixteen;
pub(super) mod ssse3;
mod tables;

macro_rules! tokens {
    ($($(#[$attr:meta])* $name:ident;)*) => {$(
        $(#[$attr])*
        #[derive(Debug, Clone, Copy)]
        pub(in crate::arch) struct $name(());

        impl $name {
            /// The token.
            ///
            /// # Safety
            /// The processor and its operating system must have the instructions.
            #[inline]
            pub(in crate::arch) const unsafe fn new() -> Self {
                Self(())
            }
        }
    )*};
}

tokens! {
    /// That this processor has SSSE3, SSE4.1 and POPCNT.
    Ssse3;
    /// That this processor has those, AVX2, BMI1, BMI2 and LZCNT.
    Avx2;
    /// That this processor has those and AVX-512 F, BW, VL, VBMI and VBMI2.
    Avx512Vbmi2;
}

impl Avx2 {
    /// The token of what it has besides.
    #[inline(always)]
    const fn ssse3(self) -> Ssse3 {
        Ssse3(())
    }
}

/// Each kernel is a function over the token, compiled for its instruction set.
macro_rules! kernels {
    ($isa:ty, $features:literal: $($(#[$attr:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $of:path;)*) => {$(
        $(#[$attr])*
        #[target_feature(enable = $features)]
        pub(in crate::arch) fn $name(isa: $isa, $($arg: $type),*) -> $out {
            $of(isa, $($arg),*)
        }
    )*};
}
use kernels;

/// Each method is one call of the function of its name below.
macro_rules! methods {
    ($($(#[$attr:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        pub(super) fn $name(self, $($arg: $type),*) -> $out {
            // SAFETY: the function needs the features of the tier; `self`, its token, exists only
            // where they are there (`new`).
            unsafe { $name($($arg),*) }
        }
    )*};
}
use methods;
