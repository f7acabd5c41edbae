//! Content-Disposition: [`build`] writes it, [`parse`] reads it. [`source`] takes it
//! apart. [`grammar`] is what all need, [`mail`] and [`form_data`] what is so only there.

pub(crate) mod build;
pub(crate) mod fallback;
pub mod form_data;
pub(crate) mod grammar;
mod mail;
pub(crate) mod parse;
mod source;
