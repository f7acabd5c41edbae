//! The kernels: everything that walks over bytes or units.
//!
//! Safe, dispatched functions on slices; which code runs is decided here and nowhere else. The
//! portable tier runs everywhere and is what vector tiers are tested against. Those have their
//! rooms beside it: `x86_64/{sse2, avx2, avx512}` pick the vector types, and
//! `generic/{count, select, scan, transcode}` hold each algorithm once. With them this module
//! gets one cached detection of the processor and its re-exports become functions that ask it.

mod portable;
mod unchecked;

pub(crate) use portable::{
    count, is_ascii, nth_lead, nth_lead_utf16, trimmed_len, utf16_count, utf16_encode,
    utf16_utf8_len, utf16_walk,
};
#[cfg(feature = "alloc")]
pub(crate) use unchecked::{utf16_append, utf16_append_text};

use core::str::Utf8Error;

/// [`core::str::from_utf8`], quicker on ASCII.
#[inline]
pub(crate) fn validate(bytes: &[u8]) -> Result<&str, Utf8Error> {
    match unchecked::ascii(bytes) {
        Some(text) => Ok(text),
        None => core::str::from_utf8(bytes),
    }
}

/// The first `runes` runes (or all) when each is ASCII and they end before a lead: what a field is
/// more often than not. `None` says nothing.
#[inline]
pub(crate) fn ascii_prefix(bytes: &[u8], runes: usize) -> Option<&str> {
    match bytes.split_at_checked(runes) {
        Some((head, [next, ..])) if portable::is_lead(*next) => unchecked::ascii(head),
        Some((_, [_, ..])) => None,
        Some((_, [])) | None => unchecked::ascii(bytes),
    }
}
