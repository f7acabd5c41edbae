//! The vector types of x86-64: a module and a token for each instruction set. What 16 bytes take is
//! in [`sixteen`], which AVX2 has for the end of a value and for blocks that are mixed.

pub(super) mod avx2;
pub(super) mod avx512;
mod sixteen;
pub(super) mod ssse3;
mod tables;

macro_rules! tokens {
    ($($(#[$attr:meta])* $name:ident;)*) => {$(
        $(#[$attr])*
        #[derive(Debug, Clone, Copy)]
        pub(super) struct $name(());

        impl $name {
            /// The token.
            ///
            /// # Safety
            /// The processor and its operating system must have the instructions.
            #[inline]
            pub(super) const unsafe fn new() -> Self {
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
