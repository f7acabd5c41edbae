//! The algorithms, once: over whatever [`Isa`](super::isa::Isa) there is.

mod count;
mod scan;
mod select;

pub(super) use count::count;
pub(super) use scan::{is_ascii, prefix, trimmed_len, validate};
pub(super) use select::nth_lead;
