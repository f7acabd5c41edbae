//! The unsafe code of the portable tier: text that is known to be well-formed becomes `str`
//! without being validated a second time, room in a `Vec` is written before it is filled with
//! zeros, and units are looked at several at a time.
#![allow(unsafe_code, reason = "each block proves its one call")]

#[cfg(feature = "alloc")]
use super::cell::{cells_of_room, cells_of_units_room};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// `bytes` as text, if they are that.
#[inline]
pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    // Short and ASCII is what a value is more often than not.
    if !(super::SHORT..=64).contains(&bytes.len()) || !super::portable::is_ascii_wide(bytes) {
        super::scan::<false>(bytes)?;
    }
    // SAFETY: all of `bytes` is ASCII, or `scan` just said that it is well-formed UTF-8.
    Some(unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// The first `runes` runes of `bytes` (or all) as text, with `trim` without the blanks at their
/// end; `None` when they are malformed.
#[inline]
pub(crate) fn prefix(bytes: &[u8], runes: usize, trim: bool) -> Option<&str> {
    let kept = bytes.get(..super::prefix_len(bytes, runes, trim)?)?;
    // SAFETY: `prefix_len` just said that the prefix is well-formed UTF-8, of which only whole
    // characters, blanks, may have been left out at the end.
    Some(unsafe { core::str::from_utf8_unchecked(kept) })
}

/// `text` and so many blanks behind it, in one allocation of just that size; `None` when the memory
/// cannot be had.
#[cfg(feature = "alloc")]
pub(crate) fn padded(text: &str, blanks: usize) -> Option<String> {
    let mut bytes = Vec::new();
    let len = text.len().checked_add(blanks)?;
    bytes.try_reserve_exact(len).ok()?;
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(len, b' ');
    // SAFETY: the bytes are those of a `str`, and ASCII behind them.
    Some(unsafe { String::from_utf8_unchecked(bytes) })
}

/// Appends `units` as UTF-8; how many lone surrogates became U+FFFD.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_append(units: &[u16], out: &mut Vec<u8>) -> usize {
    let room = cells_of_room(out.spare_capacity_mut());
    if super::encode_short_ascii(units, room) != Some(true) {
        return append_any(units, out);
    }
    let len = out.len() + units.len();
    // SAFETY: `encode_short_ascii` wrote as many cells of the spare capacity as there are units:
    // they are there and initialised, as those before `out.len()` are.
    unsafe { out.set_len(len) };
    0
}

/// [`utf16_append`] of what is not short and ASCII, or has no room.
#[cfg(feature = "alloc")]
#[inline(never)]
fn append_any(units: &[u16], out: &mut Vec<u8>) -> usize {
    let spare = out.spare_capacity_mut();
    // No unit takes less than a byte.
    let done = if spare.len() < units.len() {
        None
    } else {
        super::encode_any(units, cells_of_room(spare)).get()
    };
    let (written, lone) = match done {
        Some((written, lone)) => (written, lone),
        None => encode_grown(units, out),
    };
    let len = out.len() + written;
    // SAFETY: `encode_any` returned `written` for the spare capacity, so that it has as many
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
    super::encode_any(units, cells_of_room(out.spare_capacity_mut())).get().unwrap_or_default()
}

/// [`utf16_append`] into a `String`.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_append_text(units: &[u16], out: &mut String) -> usize {
    // SAFETY: the bytes must be well-formed UTF-8 when the borrow ends, also by a panic.
    // `utf16_append` leaves those that are there and appends scalar values of `units` as UTF-8,
    // U+FFFD for lone surrogates. It sets the length once, at its end, so that a panic before (of
    // `Vec`, when it cannot grow) leaves the text as it was.
    let bytes = unsafe { out.as_mut_vec() };
    utf16_append(units, bytes)
}

/// [`utf16_append`] by vectors, if there are any, of units big-endian (`BE`) or not. Where it has
/// to make room, it makes it for `more` bytes besides.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_bytes_append<const BE: bool>(
    units: &[[u8; 2]],
    more: usize,
    out: &mut Vec<u8>,
) -> Option<usize> {
    let spare = out.spare_capacity_mut();
    // No unit takes less than a byte.
    let done = if spare.len() < units.len() {
        None
    } else {
        super::utf16_bytes_encode::<BE>(units, cells_of_room(spare))?
    };
    let (written, lone) = match done {
        Some(done) => done,
        None => bytes_encode_grown::<BE>(units, more, out)?,
    };
    let len = out.len() + written;
    // SAFETY: `utf16_bytes_encode` returned `written` for the spare capacity, so that it has as
    // many cells, and wrote each of them: they are initialised, as those before `out.len()` are.
    // (`bytes_encode_grown` returns what it returned, or 0.)
    unsafe { out.set_len(len) };
    Some(lone)
}

/// Makes room to the byte, so that a fresh buffer is allocated once whatever the units are.
#[cfg(feature = "alloc")]
#[inline(never)]
fn bytes_encode_grown<const BE: bool>(
    units: &[[u8; 2]],
    more: usize,
    out: &mut Vec<u8>,
) -> Option<(usize, usize)> {
    out.reserve(super::utf16_bytes_utf8_len::<BE>(units)?.saturating_add(more));
    let room = cells_of_room(out.spare_capacity_mut());
    Some(super::utf16_bytes_encode::<BE>(units, room)?.unwrap_or_default())
}

/// [`utf16_bytes_append`] into a `String`.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_bytes_append_text<const BE: bool>(
    units: &[[u8; 2]],
    more: usize,
    out: &mut String,
) -> Option<usize> {
    // SAFETY: as in `utf16_append_text`: `utf16_bytes_append` appends scalar values as UTF-8 or
    // leaves the text as it was.
    let bytes = unsafe { out.as_mut_vec() };
    utf16_bytes_append::<BE>(units, more, bytes)
}

/// Appends `text` as UTF-16.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn utf16_append_units(text: &str, out: &mut Vec<u16>) {
    // No unit takes less than a byte. Else room to the unit, so that a fresh buffer is allocated
    // once.
    if out.capacity() - out.len() < text.len() {
        out.reserve(super::utf16_len(text.as_bytes()));
    }
    let room = cells_of_units_room(out.spare_capacity_mut());
    // There is the room.
    let written = super::utf8_to_utf16_cells(text, room).unwrap_or_default();
    let len = out.len() + written;
    // SAFETY: `utf8_to_utf16_cells` returned how many units of the spare capacity, so that there
    // are as many, and wrote both cells of each: they are initialised, as those before `out.len()`
    // are.
    unsafe { out.set_len(len) };
}

/// Four units as one word, the first lowest.
#[inline]
pub(crate) fn word(units: [u16; 4]) -> u64 {
    if cfg!(target_endian = "big") {
        let [a, b, c, d] = units.map(u64::from);
        return a | b << 16 | c << 32 | d << 48;
    }
    // SAFETY: both types have eight bytes, all of them initialised, and a `u64` may hold any.
    unsafe { core::mem::transmute::<[u16; 4], u64>(units) }
}

/// Each two units as one word, the first in the lower half.
#[inline]
pub(crate) fn halves(units: [u16; 16]) -> [u32; 8] {
    if cfg!(target_endian = "big") {
        let (twos, _) = units.as_chunks::<2>();
        return core::array::from_fn(|i| u32::from(twos[i][0]) | u32::from(twos[i][1]) << 16);
    }
    // SAFETY: both types have 32 bytes, all of them initialised, and a `u32` may hold any.
    unsafe { core::mem::transmute::<[u16; 16], [u32; 8]>(units) }
}

/// The bytes of each unit, in the machine's order.
#[inline]
pub(super) fn unit_bytes(units: &[u16]) -> &[[u8; 2]] {
    // SAFETY: the memory of `units` is initialised and borrowed for as long; two bytes have the
    // size of a unit, may be any, and lie anywhere.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}
