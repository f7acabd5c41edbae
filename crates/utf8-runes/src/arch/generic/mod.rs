//! The algorithms, once: over whatever [`Isa`](super::isa::Isa) there is.
//!
//! All of it is `inline(always)`, and nothing of an instruction set is called from a closure that
//! an iterator runs: what is not inlined into the function that has the features pays a call for
//! each instruction.

mod count;
mod from_utf8;
mod scan;
mod select;
mod transcode;
mod utf16;

pub(super) use count::count;
pub(super) use from_utf8::{nth_lead_utf16, utf8_to_utf16, utf16_len};
pub(super) use scan::{ascii_prefix, ascii_validate, is_ascii, prefix, trimmed_len, validate};
pub(super) use select::nth_lead;
pub(super) use transcode::{utf16_encode_ascii, utf16_encode_from};
pub(super) use utf16::{utf16_count, utf16_first_lone, utf16_utf8_len, utf16_walk};
