//! The kernels: everything that walks over bytes or units.
//!
//! Safe, dispatched functions on slices; which code runs is decided here and nowhere else. The
//! portable tier runs everywhere and is what the vector tiers are tested against. Those are
//! [`generic`], where each algorithm stands once, over [`isa`], what it needs of an instruction
//! set, which the modules of `x86_64` give it. [`detect`] finds the best one out, [`dispatch`] goes
//! there.

#[allow(unsafe_code, reason = "each block proves its one call")]
mod cell;
mod detect;
mod dispatch;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, unused_imports, reason = "no instruction set to compile them for")
)]
mod generic;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "no instruction set to compile them for")
)]
mod isa;
mod portable;
#[cfg(all(test, target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code, reason = "the kernels of each instruction set are called by their tokens")]
mod tests;
mod unchecked;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "no instruction set to compile them for")
)]
mod units;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code, reason = "each block proves its one call")]
mod x86_64;

pub(crate) use unchecked::prefix;
#[cfg(feature = "alloc")]
pub(crate) use unchecked::{
    padded, utf16_append, utf16_append_text, utf16_append_units, utf16_bytes_append,
    utf16_bytes_append_text,
};

#[cfg(feature = "tiers")]
pub(crate) use detect::{available, force};

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
use portable::{narrow, no_wide, widen};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use x86_64::sse2::{narrow, no_wide, widen};

use core::str::Utf8Error;
use unchecked::unit_bytes;
use units::Encoded;

/// Bytes, or units, below which no vector is worth its set-up, nor the question which there is.
const SHORT: usize = 32;
/// The same of units that are to be UTF-8 and not all of them ASCII, for which portable code has
/// branches that nobody foretells.
const SHORT_WIDE: usize = 16;
/// How the bytes of a unit lie.
const BIG: bool = cfg!(target_endian = "big");

/// The number of leads: bytes that are no continuation bytes.
#[inline]
pub(crate) fn count(bytes: &[u8]) -> usize {
    if bytes.len() < SHORT { portable::count_short(bytes) } else { dispatch::count(bytes) }
}

/// The offset of the lead that `n` others precede, or else how many leads there are.
#[inline]
pub(crate) fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize> {
    if n >= bytes.len() {
        // There cannot be so many; how many there are may not matter to the caller.
        return Err(count(bytes));
    }
    if bytes.len() < SHORT {
        portable::nth_lead_short(bytes, n)
    } else {
        dispatch::nth_lead(bytes, n)
    }
}

/// The length without trailing bytes 0x20.
#[inline]
pub(crate) fn trimmed_len(bytes: &[u8]) -> usize {
    if bytes.len() < SHORT { portable::trimmed_len(bytes) } else { dispatch::trimmed_len(bytes) }
}

/// With `COUNT` the number of runes, else any number; `None` when `bytes` are malformed.
#[inline]
fn scan<const COUNT: bool>(bytes: &[u8]) -> Option<usize> {
    if bytes.len() >= SHORT {
        dispatch::validate::<COUNT>(bytes)
    } else if portable::is_ascii_short(bytes) {
        Some(if COUNT { bytes.len() } else { 0 })
    } else {
        scan_short::<COUNT>(bytes)
    }
}

/// [`scan`] of what is short and no ASCII. By characters that takes many branches which nobody can
/// foretell; a register that loads the bytes which are there, and zeros, takes none.
#[inline(never)]
fn scan_short<const COUNT: bool>(bytes: &[u8]) -> Option<usize> {
    if detect::loads_parts() {
        dispatch::validate::<COUNT>(bytes)
    } else {
        portable::validate::<COUNT>(bytes)
    }
}

/// The length of the first `runes` runes (or of all), with `trim` without the blanks at their
/// end; `None` when they are malformed.
#[inline]
fn prefix_len(bytes: &[u8], runes: usize, trim: bool) -> Option<usize> {
    // Short and ASCII is what a value is more often than not.
    if runes < SHORT
        && let Some((head, [next, ..])) = bytes.split_at_checked(runes)
        && portable::is_lead(*next)
        && portable::is_ascii_short(head)
    {
        return Some(if trim { portable::trimmed_len(head) } else { runes });
    }
    prefix_len_any(bytes, runes, trim)
}

#[inline(never)]
fn prefix_len_any(bytes: &[u8], runes: usize, trim: bool) -> Option<usize> {
    match (trim, bytes.len() < SHORT) {
        _ if runes == 0 => Some(0),
        (false, true) => portable::prefix::<false>(bytes, runes),
        (true, true) => portable::prefix::<true>(bytes, runes),
        (false, false) => dispatch::prefix::<false>(bytes, runes),
        (true, false) => dispatch::prefix::<true>(bytes, runes),
    }
}

/// [`core::str::from_utf8`].
#[inline]
pub(crate) fn validate(bytes: &[u8]) -> Result<&str, Utf8Error> {
    // Who is not told why asks the standard library.
    unchecked::text(bytes).map_or_else(|| core::str::from_utf8(bytes), Ok)
}

/// The number of runes.
#[inline]
pub(crate) fn validate_count(bytes: &[u8]) -> Result<usize, Utf8Error> {
    match scan::<true>(bytes) {
        Some(count) => Ok(count),
        None => core::str::from_utf8(bytes).map(|text| count(text.as_bytes())),
    }
}

/// [`utf16_count`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
pub(crate) fn utf16_bytes_count<const BE: bool>(units: &[[u8; 2]]) -> Option<usize> {
    dispatch::utf16_count::<BE>(units)
}

/// [`utf16_walk`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
pub(crate) fn utf16_bytes_walk<const BE: bool>(
    units: &[[u8; 2]],
    runes: usize,
) -> Option<(usize, usize)> {
    dispatch::utf16_walk::<BE>(units, runes)
}

/// [`utf16_utf8_len`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
pub(crate) fn utf16_bytes_utf8_len<const BE: bool>(units: &[[u8; 2]]) -> Option<usize> {
    dispatch::utf16_utf8_len::<BE>(units)
}

/// [`encode_cells`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
fn utf16_bytes_encode<const BE: bool>(
    units: &[[u8; 2]],
    out: &mut [cell::Cell],
) -> Option<Option<(usize, usize)>> {
    dispatch::utf16_encode::<BE>(units, out).map(Encoded::get)
}

/// [`utf16_encode`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
pub(crate) fn utf16_bytes_encode_into<const BE: bool>(
    units: &[[u8; 2]],
    out: &mut [u8],
) -> Option<Option<(usize, usize)>> {
    utf16_bytes_encode::<BE>(units, cell::cells_of(out))
}

/// The number of runes.
#[inline]
pub(crate) fn utf16_count(units: &[u16]) -> usize {
    let vectors =
        if units.len() <= SHORT { None } else { utf16_bytes_count::<BIG>(unit_bytes(units)) };
    vectors.unwrap_or_else(|| portable::utf16_count(units))
}

/// Goes over the first `runes` runes: how many units they take, and how many runes are missing.
#[inline]
pub(crate) fn utf16_walk(units: &[u16], runes: usize) -> (usize, usize) {
    let vectors = if units.len() <= SHORT || runes < 8 {
        None
    } else {
        utf16_bytes_walk::<BIG>(unit_bytes(units), runes)
    };
    vectors.unwrap_or_else(|| portable::utf16_walk(units, runes))
}

/// The length as UTF-8.
#[inline]
pub(crate) fn utf16_utf8_len(units: &[u16]) -> usize {
    let vectors =
        if units.len() <= SHORT { None } else { utf16_bytes_utf8_len::<BIG>(unit_bytes(units)) };
    vectors.unwrap_or_else(|| portable::utf16_utf8_len(units))
}

/// Writes `units` as UTF-8 to the start of `out`: how many bytes, and how many lone surrogates
/// became U+FFFD. `None` when `out` is too small.
#[inline]
pub(crate) fn utf16_encode(units: &[u16], out: &mut [u8]) -> Option<(usize, usize)> {
    encode_cells(units, cell::cells_of(out))
}

/// [`utf16_encode`]; every cell before the end that it returns was written.
#[inline]
fn encode_cells(units: &[u16], out: &mut [cell::Cell]) -> Option<(usize, usize)> {
    if encode_short_ascii(units, out)? {
        Some((units.len(), 0))
    } else {
        encode_any(units, out).get()
    }
}

/// Writes `units` if they are 8 to 64 and ASCII, which is what a value is more often than not:
/// every cell up to their number. `None` when `out` is too small.
#[inline]
fn encode_short_ascii(units: &[u16], out: &mut [cell::Cell]) -> Option<bool> {
    if !(8..=64).contains(&units.len()) {
        return Some(false);
    }
    portable::utf16_encode_ascii(units, out, no_wide, narrow)
}

/// [`encode_cells`], of what is not short and ASCII.
#[inline(always)]
fn encode_any(units: &[u16], out: &mut [cell::Cell]) -> Encoded {
    if units.len() >= SHORT_WIDE
        && let Some(done) = dispatch::utf16_encode::<BIG>(unit_bytes(units), out)
    {
        return done;
    }
    Encoded::of(portable::utf16_encode(units, out))
}

/// Writes `text` as UTF-16 to the start of `out`: how many units. `None` when `out` is too small.
#[inline]
pub(crate) fn utf8_to_utf16(text: &str, out: &mut [u16]) -> Option<usize> {
    utf8_to_utf16_cells(text, cell::cells_of_units(out))
}

/// [`utf8_to_utf16`]; both cells of every unit before the end that it returns were written.
#[inline]
fn utf8_to_utf16_cells(text: &str, out: &mut [[cell::Cell; 2]]) -> Option<usize> {
    let bytes = text.as_bytes();
    // Short and ASCII is what a value is more often than not.
    if (16..=64).contains(&bytes.len()) && portable::utf8_to_utf16_ascii(bytes, out, widen)? {
        return Some(bytes.len());
    }
    utf8_to_utf16_any(bytes, out)
}

#[inline(never)]
fn utf8_to_utf16_any(bytes: &[u8], out: &mut [[cell::Cell; 2]]) -> Option<usize> {
    if bytes.len() < 16 {
        portable::utf8_to_utf16(bytes, out)
    } else {
        dispatch::utf8_to_utf16(bytes, out)
    }
}

/// The number of UTF-16 units that `bytes`, which are well-formed, take.
#[inline]
pub(crate) fn utf16_len(bytes: &[u8]) -> usize {
    if bytes.len() < SHORT { portable::utf16_len(bytes) } else { dispatch::utf16_len(bytes) }
}

/// Where the lead lies that no longer fits `limit` UTF-16 units, of which a lead of four bytes
/// takes two; `None` when all fit.
#[inline]
pub(crate) fn nth_lead_utf16(bytes: &[u8], limit: usize) -> Option<usize> {
    if bytes.len() < SHORT {
        portable::nth_lead_utf16(bytes, limit)
    } else {
        dispatch::nth_lead_utf16(bytes, limit)
    }
}

/// The index of the first lone surrogate.
#[inline]
pub(crate) fn utf16_first_lone(units: &[u16]) -> Option<usize> {
    let vectors =
        if units.len() <= SHORT { None } else { utf16_bytes_first_lone::<BIG>(unit_bytes(units)) };
    vectors.unwrap_or_else(|| portable::utf16_first_lone(units))
}

/// [`utf16_first_lone`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
pub(crate) fn utf16_bytes_first_lone<const BE: bool>(units: &[[u8; 2]]) -> Option<Option<usize>> {
    dispatch::utf16_first_lone::<BE>(units)
}
