//! Content-Disposition. [`build`] writes it; what reads it belongs beside it, as `parse`.

pub(crate) mod build;
pub(crate) mod fallback;
pub mod form_data;
pub(crate) mod grammar;
