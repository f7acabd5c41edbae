//! The unsafe code of the portable tier: text that is known to be well-formed becomes `str`
//! without being validated a second time.
#![allow(unsafe_code, reason = "each block proves its one call")]

#[cfg(feature = "alloc")]
use alloc::string::String;

/// `bytes` as text if they are ASCII.
#[inline]
pub(crate) fn ascii(bytes: &[u8]) -> Option<&str> {
    if !super::is_ascii(bytes) {
        return None;
    }
    // SAFETY: each byte was just found to be below 0x80, and any sequence of such bytes is
    // well-formed UTF-8 of one-byte scalar values.
    Some(unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// [`utf16_append`](super::utf16_append) into a `String`.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_append_text(units: &[u16], out: &mut String) -> usize {
    // SAFETY: the bytes must be well-formed UTF-8 when the borrow ends, also by a panic.
    // `utf16_append` leaves those that are there and appends scalar values of `units` as UTF-8,
    // U+FFFD for lone surrogates. Nothing in it panics but `Vec` when it cannot grow, and before
    // each growth what was appended is whole scalar values.
    let bytes = unsafe { out.as_mut_vec() };
    super::utf16_append(units, bytes)
}
