//! The tier for every target: safe Rust in shapes that compilers turn into vector code (fixed-size
//! blocks, no early exit inside of one), and arithmetic on whole words where that is not enough.

mod ascii;
mod from_utf8;
mod transcode;
mod utf16;
mod utf8;

pub(crate) use ascii::{is_ascii_wide, utf16_encode_ascii};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use ascii::{narrow, no_wide};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use from_utf8::widen;
pub(crate) use from_utf8::{utf8_to_utf16, utf8_to_utf16_ascii, utf8_to_utf16_with, utf16_len};
pub(crate) use transcode::utf16_encode;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use utf8::prefix_with;
pub(crate) use utf8::{
    count, count_short, is_ascii_short, is_lead, nth_lead, nth_lead_short, nth_lead_utf16, prefix,
    trimmed_len, validate,
};
pub(crate) use utf16::{utf16_count, utf16_first_lone, utf16_utf8_len, utf16_walk};
