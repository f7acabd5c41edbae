//! The algorithms, once: over whatever [`Isa`](super::isa::Isa) there is.
//!
//! All of it is `inline(always)`, and nothing of an instruction set is called from a closure that
//! an iterator runs: what is not inlined into the function that has the features pays a call for
//! each instruction.

mod count;
mod scan;
mod select;

pub(super) use count::count;
pub(super) use scan::{ascii_prefix, ascii_validate, is_ascii, prefix, trimmed_len, validate};
pub(super) use select::nth_lead;
