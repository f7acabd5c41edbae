//! The vector types of x86-64. Each module has a token for its instruction set, what that does for
//! [`Isa`](super::isa::Isa), and the algorithms compiled for it.

pub(super) mod avx2;
pub(super) mod avx512;
mod shuffles;
pub(super) mod sse2;
mod table;

/// The algorithms of [`generic`](super::generic) compiled for one instruction set.
macro_rules! kernels {
    ($isa:ty, $features:literal: $($(#[$attr:meta])* fn $name:ident $(<$(const $flag:ident),*>)? ($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        $(#[$attr])*
        #[target_feature(enable = $features)]
        pub(in crate::arch) fn $name $(<$(const $flag: bool),*>)? (isa: $isa, $($arg: $type),*) -> $out {
            $crate::arch::generic::$name $(::<$isa, $($flag),*>)? (isa, $($arg),*)
        }
    )*};
}
use kernels;

/// The same of algorithms in two steps: a quick one, and a function of its own for what that cannot
/// tell.
macro_rules! kernels_in_steps {
    ($isa:ty, $features:literal: $(fn $name:ident<const $flag:ident> ($($arg:ident: $type:ty),*) -> $out:ty = $first:ident;)*) => {$(
        #[target_feature(enable = $features)]
        pub(in crate::arch) fn $name<const $flag: bool>(isa: $isa, $($arg: $type),*) -> Option<$out> {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn other<const $flag: bool>(isa: $isa, $($arg: $type),*) -> Option<$out> {
                $crate::arch::generic::$name::<$isa, $flag>(isa, $($arg),*)
            }

            match $crate::arch::generic::$first::<$isa, $flag>(isa, $($arg),*) {
                None => other::<$flag>(isa, $($arg),*),
                some => some,
            }
        }
    )*};
}
use kernels_in_steps;

/// Each method is one call of the function of its name below.
macro_rules! methods {
    ($($(#[$attr:meta])* fn $name:ident $(<$flag:ident>)? ($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        fn $name(self, $($arg: $type),*) -> $out {
            // SAFETY: the function needs the features of the tier; `self`, its token, exists only
            // where they are there (`new`).
            unsafe { $name $(::<$flag>)? ($($arg),*) }
        }
    )*};
}
use methods;

/// As [`kernels`], of units whose bytes lie in either order.
macro_rules! unit_kernels {
    ($isa:ty, $features:literal: $($(#[$attr:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        $(#[$attr])*
        #[target_feature(enable = $features)]
        pub(in crate::arch) fn $name<const BE: bool>(
            isa: $isa, units: &[[u8; 2]], $($arg: $type),*
        ) -> $out {
            $crate::arch::generic::$name::<$isa, BE>(isa, units, $($arg),*)
        }
    )*};
}
use unit_kernels;

/// Writes units as UTF-8 to the start of `out`.
macro_rules! encode_kernel {
    ($isa:ty, $features:literal) => {
        // What it needs to have in registers is not for those who have ASCII only.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn utf16_encode_from<const BE: bool>(
            isa: $isa,
            units: &[[u8; 2]],
            start: usize,
            out: &mut [Cell],
        ) -> $crate::arch::units::Encoded {
            let done = $crate::arch::generic::utf16_encode_from::<$isa, BE>(isa, units, start, out);
            $crate::arch::units::Encoded::of(done)
        }

        #[target_feature(enable = $features)]
        pub(in crate::arch) fn utf16_encode<const BE: bool>(
            isa: $isa,
            units: &[[u8; 2]],
            out: &mut [Cell],
        ) -> $crate::arch::units::Encoded {
            let ascii = $crate::arch::generic::utf16_encode_ascii::<$isa, BE>(isa, units, out);
            match ascii {
                Some(ascii) if ascii < units.len() => {
                    utf16_encode_from::<BE>(isa, units, ascii, out)
                }
                done => $crate::arch::units::Encoded::of(done.map(|ascii| (ascii, 0))),
            }
        }
    };
}
use encode_kernel;
