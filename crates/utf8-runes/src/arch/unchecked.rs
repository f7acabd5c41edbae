//! The unsafe code of the portable tier: text that is known to be well-formed becomes `str`
//! without being validated a second time.
#![allow(unsafe_code, reason = "each block proves its one call")]

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

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

/// Appends `units` as UTF-8; how many lone surrogates became U+FFFD.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_append(units: &[u16], out: &mut Vec<u8>) -> usize {
    let (written, lone) = match super::utf16_encode(units, out.spare_capacity_mut()) {
        Some(done) => done,
        None => encode_grown(units, out),
    };
    let len = out.len() + written;
    // SAFETY: `utf16_encode` returned `written` for the spare capacity, so that it has as many
    // cells, and wrote each of them: they are initialised, as those before `out.len()` are.
    // (`encode_grown` returns what it returned, or 0.)
    unsafe { out.set_len(len) };
    lone
}

/// Makes room to the byte, so that a fresh buffer is allocated once whatever the units are.
#[cfg(feature = "alloc")]
#[inline(never)]
fn encode_grown(units: &[u16], out: &mut Vec<u8>) -> (usize, usize) {
    out.reserve(super::utf16_utf8_len(units));
    super::utf16_encode(units, out.spare_capacity_mut()).unwrap_or_default()
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
    utf16_append(units, bytes)
}

/// Four units as one word, the first lowest.
#[inline]
pub(crate) fn word(units: [u16; 4]) -> u64 {
    if cfg!(target_endian = "little") {
        // SAFETY: both types are eight bytes that may hold anything.
        unsafe { core::mem::transmute::<[u16; 4], u64>(units) }
    } else {
        let [a, b, c, d] = units.map(u64::from);
        a | b << 16 | c << 32 | d << 48
    }
}

/// What a loop over a block knows of its place, in the compiler's words.
#[inline(always)]
pub(crate) fn at_most(at: usize, most: usize) {
    debug_assert!(at <= most);
    unsafe { core::hint::assert_unchecked(at <= most) }
}
