//! The tier for every target: safe Rust in shapes that compilers turn into vector code (fixed-size
//! blocks, no early exit inside of one), and arithmetic on whole words where that is not enough.

mod transcode;
mod utf16;
mod utf8;

pub(crate) use transcode::{utf16_encode, utf16_encode_ascii};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use utf8::prefix_with;
pub(crate) use utf8::{
    count, count_short, is_ascii_short, is_lead, nth_lead, nth_lead_utf16, prefix, trimmed_len,
    validate,
};
pub(crate) use utf16::{utf16_count, utf16_utf8_len, utf16_walk};
