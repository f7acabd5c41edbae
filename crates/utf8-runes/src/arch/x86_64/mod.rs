//! The vector types of x86-64. Each module has a token for its instruction set, what that does for
//! [`Isa`](super::isa::Isa), and the algorithms compiled for it.

pub(super) mod avx2;
pub(super) mod avx512;
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
    ($($(#[$attr:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        fn $name(self, $($arg: $type),*) -> $out {
            // SAFETY: the function needs the features of the tier; `self`, its token, exists only
            // where they are there (`new`).
            unsafe { $name($($arg),*) }
        }
    )*};
}
use methods;
