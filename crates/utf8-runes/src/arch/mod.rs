//! The kernels: everything that walks over bytes or units.
//!
//! Safe, dispatched functions on slices; which code runs is decided here and nowhere else. The
//! portable tier runs everywhere and is what the vector tiers are tested against. Those are
//! [`generic`], where each algorithm stands once, over [`isa`], what it needs of an instruction
//! set, which the modules of `x86_64` give it. [`detect`] finds the best one out.

#[allow(unsafe_code, reason = "each block proves its one call")]
mod cell;
mod detect;
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
mod unchecked;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "no instruction set to compile them for")
)]
mod units;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code, reason = "each block proves its one call")]
mod x86_64;

pub(crate) use portable::nth_lead_utf16;
pub(crate) use unchecked::prefix;
#[cfg(feature = "alloc")]
pub(crate) use unchecked::{utf16_append, utf16_append_text};

#[cfg(feature = "tiers")]
pub(crate) use detect::{available, force};

use core::str::Utf8Error;
use detect::Level;
use unchecked::unit_bytes;

/// Bytes, or units, below which no vector is worth its set-up, nor the question which there is.
const SHORT: usize = 32;
/// How the bytes of a unit lie.
const BIG: bool = cfg!(target_endian = "big");

/// Calls the kernel of the tier in use. `sse2 = portable`: that has none of its own.
macro_rules! dispatch {
    ($name:ident $(::<$flag:ident>)? ($($arg:expr),*)) => {
        match detect::level() {
            Level::Portable => portable::$name $(::<$flag>)? ($($arg),*),
            // SAFETY: the function needs the features of the tier, whose token exists only where
            // they are there.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Sse2(isa) => unsafe { x86_64::sse2::$name $(::<$flag>)? (isa, $($arg),*) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx2(isa) => unsafe { x86_64::avx2::$name $(::<$flag>)? (isa, $($arg),*) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx512(isa) => unsafe { x86_64::avx512::$name $(::<$flag>)? (isa, $($arg),*) },
        }
    };
}

/// As [`dispatch`], of units by their bytes; `None` where only the portable code is, which SSE2 has
/// nothing to add to.
macro_rules! dispatch_units {
    ($name:ident::<$big:ident>($units:expr $(, $arg:expr)*)) => {
        match detect::level() {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx2(isa) => {
                // SAFETY: the function needs the features of the tier, whose token exists only where
                // they are there.
                Some(unsafe { x86_64::avx2::$name::<$big>(isa, $units $(, $arg)*) })
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx512(isa) => {
                // SAFETY: as above.
                Some(unsafe { x86_64::avx512::$name::<$big>(isa, $units $(, $arg)*) })
            }
            _ => {
                // Used nowhere if there are no vectors at all.
                let _ = (&$units $(, &$arg)*);
                None
            }
        }
    };
}

/// The number of leads: bytes that are no continuation bytes.
#[inline]
#[allow(unsafe_code, reason = "`dispatch` proves it")]
pub(crate) fn count(bytes: &[u8]) -> usize {
    if bytes.len() < SHORT { portable::count_short(bytes) } else { dispatch!(count(bytes)) }
}

/// The offset of the lead that `n` others precede, or else how many leads there are.
#[inline]
#[allow(unsafe_code, reason = "`dispatch` proves it")]
pub(crate) fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize> {
    if n >= bytes.len() {
        // There cannot be so many; how many there are may not matter to the caller.
        return Err(count(bytes));
    }
    if bytes.len() < SHORT { portable::nth_lead(bytes, n) } else { dispatch!(nth_lead(bytes, n)) }
}

/// The length without trailing bytes 0x20.
#[inline]
#[allow(unsafe_code, reason = "`dispatch` proves it")]
pub(crate) fn trimmed_len(bytes: &[u8]) -> usize {
    if bytes.len() < SHORT { portable::trimmed_len(bytes) } else { dispatch!(trimmed_len(bytes)) }
}

/// Whether `bytes` are well-formed UTF-8.
#[inline]
#[allow(unsafe_code, reason = "`dispatch` proves it")]
fn is_text(bytes: &[u8]) -> bool {
    if bytes.len() < SHORT { portable::validate(bytes) } else { dispatch!(validate(bytes)) }
}

/// The length of the first `runes` runes (or of all), with `TRIM` without the blanks at their
/// end; `None` when they are malformed.
#[inline]
#[allow(unsafe_code, reason = "`dispatch` proves it")]
fn prefix_len<const TRIM: bool>(bytes: &[u8], runes: usize) -> Option<usize> {
    match bytes.get(runes) {
        _ if runes == 0 => Some(0),
        // Short and ASCII is what a value is more often than not.
        Some(next)
            if runes < SHORT && portable::is_lead(*next) && portable::is_ascii(&bytes[..runes]) =>
        {
            Some(if TRIM { portable::trimmed_len(&bytes[..runes]) } else { runes })
        }
        _ if bytes.len() < SHORT => portable::prefix::<TRIM>(bytes, runes),
        _ => dispatch!(prefix::<TRIM>(bytes, runes)),
    }
}

/// [`core::str::from_utf8`].
#[inline]
pub(crate) fn validate(bytes: &[u8]) -> Result<&str, Utf8Error> {
    // Who is not told why asks the standard library.
    unchecked::text(bytes).map_or_else(|| core::str::from_utf8(bytes), Ok)
}

/// [`utf16_count`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
#[allow(unsafe_code, reason = "`dispatch_units` proves it")]
pub(crate) fn utf16_bytes_count<const BE: bool>(units: &[[u8; 2]]) -> Option<usize> {
    dispatch_units!(utf16_count::<BE>(units))
}

/// [`utf16_walk`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
#[allow(unsafe_code, reason = "`dispatch_units` proves it")]
pub(crate) fn utf16_bytes_walk<const BE: bool>(
    units: &[[u8; 2]],
    runes: usize,
) -> Option<(usize, usize)> {
    dispatch_units!(utf16_walk::<BE>(units, runes))
}

/// [`utf16_utf8_len`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
#[allow(unsafe_code, reason = "`dispatch_units` proves it")]
pub(crate) fn utf16_bytes_utf8_len<const BE: bool>(units: &[[u8; 2]]) -> Option<usize> {
    dispatch_units!(utf16_utf8_len::<BE>(units))
}

/// [`encode_cells`] by vectors, if there are any, of units big-endian (`BE`) or not.
#[inline]
#[allow(unsafe_code, reason = "`dispatch_units` proves it")]
fn utf16_bytes_encode<const BE: bool>(
    units: &[[u8; 2]],
    out: &mut [cell::Cell],
) -> Option<Option<(usize, usize)>> {
    dispatch_units!(utf16_encode::<BE>(units, out))
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
    let len = units.len();
    // Short and ASCII is what a value is more often than not.
    if (16..=64).contains(&len) && portable::utf16_encode_ascii(units, out)? {
        return Some((len, 0));
    }
    let vectors = if len < 16 { None } else { utf16_bytes_encode::<BIG>(unit_bytes(units), out) };
    vectors.unwrap_or_else(|| portable::utf16_encode(units, out))
}
