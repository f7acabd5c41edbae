//! The kernels and the only unsafe code: what goes over bytes, what writes into spare capacity and
//! what turns proven text into `str`.
//!
//! Safe functions on slices; which code runs is decided here and nowhere else. The portable tier
//! runs everywhere and is what the vector tiers of [`x86_64`] are compared with. [`detect`] finds
//! the best one out, [`dispatch`] goes there.

#![allow(unsafe_code, reason = "the one module that may")]

mod cell;
mod detect;
mod dispatch;
mod portable;
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "no vectors to use it")
)]
mod scan;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

#[cfg(feature = "tiers")]
pub(crate) use detect::{available, force};

use alloc::string::String;
use alloc::vec::Vec;
use cell::{Cell, cells_of, cells_of_room};

/// Bytes below which no vector is worth the question which there is, nor its set-up.
const SHORT: usize = 16;

/// How many bytes of `value` need an escape.
#[inline]
fn count_escapes(value: &[u8]) -> usize {
    if value.len() < SHORT { portable::count_short(value) } else { dispatch::count_escapes(value) }
}

/// Writes the value-chars of `value` to `out`, which they fill.
///
/// # Safety
/// `out` must be as long as they are.
#[inline]
unsafe fn encode(value: &[u8], out: &mut [Cell]) {
    if value.len() < SHORT {
        // SAFETY: the condition is the caller's.
        unsafe { portable::encode(value, out) }
    } else {
        // SAFETY: as above.
        unsafe { dispatch::encode(value, out) }
    }
}

/// A value whose escapes have been counted: what knows its encoded length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    value: &'a [u8],
    /// Always `count_escapes(value)`: the unsafe code below relies on it.
    escapes: usize,
}

impl<'a> Counted<'a> {
    #[inline]
    pub(crate) fn of(value: &'a [u8]) -> Self {
        Self { value, escapes: count_escapes(value) }
    }

    /// Whether every byte is an attr-char.
    #[inline]
    pub(crate) fn is_safe(self) -> bool {
        self.escapes == 0
    }

    /// The number of its value-chars; `usize::MAX` when there are more than that (which takes a
    /// third of a 32-bit address space), and then no slice and no string is so long.
    #[inline]
    pub(crate) fn encoded_len(self) -> usize {
        self.value.len().saturating_add(2 * self.escapes)
    }

    /// Writes its value-chars to `cells`, which they fill.
    ///
    /// # Safety
    /// There must be `encoded_len` of them.
    #[inline(always)]
    unsafe fn fill(self, cells: &mut [Cell]) {
        if self.escapes == 0 {
            portable::copy(self.value, cells);
        } else {
            // SAFETY: the cells are as many as the value-chars, by the condition and the count.
            unsafe { encode(self.value, cells) }
        }
    }

    /// `prefix` and its value-chars.
    #[inline]
    pub(crate) fn behind(self, prefix: &'static str) -> String {
        let len = self.encoded_len().saturating_add(prefix.len());
        let mut bytes = Vec::with_capacity(len);
        let cells = cells_of_room(&mut bytes.spare_capacity_mut()[..len]);
        let (before, cells) = cells.split_at_mut(prefix.len());
        portable::copy(prefix.as_bytes(), before);
        // SAFETY: the cells behind the prefix are `encoded_len`.
        unsafe { self.fill(cells) };
        // SAFETY: `len` is within the capacity (`spare_capacity_mut()[..len]`), and the cells up to
        // there are filled.
        unsafe { bytes.set_len(len) };
        // SAFETY: they hold a `str`, and then attr-chars, `%` and digits, which are ASCII.
        unsafe { String::from_utf8_unchecked(bytes) }
    }

    /// Appends its value-chars to `out`.
    #[inline]
    pub(crate) fn append_to(self, out: &mut String) {
        let len = self.encoded_len();
        let fill = |cells: &mut [Cell]| {
            // SAFETY: there are `encoded_len` cells.
            unsafe { self.fill(cells) };
            cells.len()
        };
        // SAFETY: `fill` fills all cells, with attr-chars, `%` and digits.
        unsafe { append_ascii(out, len, fill) };
    }

    /// Writes its value-chars to the front of `out` and returns them; `None` when there is too
    /// little room.
    #[inline]
    pub(crate) fn write_to(self, out: &mut [u8]) -> Option<&str> {
        let out = out.get_mut(..self.encoded_len())?;
        // SAFETY: `out` is `encoded_len` long.
        unsafe { self.fill(cells_of(out)) };
        // SAFETY: `out` is filled with attr-chars, `%` and digits, all of them ASCII.
        Some(unsafe { core::str::from_utf8_unchecked(out) })
    }
}

/// Appends at most `len` ASCII bytes to `out`. `fill` gets that many slots and returns how many
/// of them, from the first, it has filled.
///
/// # Safety
/// `fill` must have initialised each slot before the returned number, with a byte below 0x80.
#[inline(always)]
unsafe fn append_ascii(out: &mut String, len: usize, fill: impl FnOnce(&mut [Cell]) -> usize) {
    out.reserve(len);
    // SAFETY: only ASCII is added to the vector below, so it stays UTF-8; when `fill` panics its
    // length is unchanged.
    let bytes = unsafe { out.as_mut_vec() };
    let old = bytes.len();
    let filled = fill(cells_of_room(&mut bytes.spare_capacity_mut()[..len])).min(len);
    // SAFETY: `old + filled` is within the capacity, which `spare_capacity_mut()[..len]` has shown
    // to hold `old + len`; the slots up to it are initialised, by the condition of this function.
    unsafe { bytes.set_len(old + filled) };
}

/// Appends the fallback of `name`, `len` scalar values, to `out`.
#[inline]
pub(crate) fn append_fallback(name: &str, len: usize, out: &mut String) {
    // SAFETY: `portable::fallback` returns how many slots, from the first, it has filled: with
    // printable ASCII, as the table holds nothing else but the 0 that it does not count.
    unsafe { append_ascii(out, len, |slots| portable::fallback(name, slots)) };
}

/// The octets that `value` stands for, if it keeps to the grammar: its own when it has no escape.
#[inline]
pub(crate) fn octets(value: &[u8]) -> Option<Octets> {
    let short = value.len() < SHORT;
    let escapes = if short { portable::scan(value) } else { dispatch::scan(value) }?;
    if escapes == 0 {
        return Some(Octets::Same);
    }
    // Fewer than three bytes for each `%`: not all of them can be whole.
    let len = value.len().checked_sub(2 * escapes)?;
    let mut octets = Vec::with_capacity(len);
    let cells = cells_of_room(&mut octets.spare_capacity_mut()[..len]);
    let written =
        if short { portable::decode(value, cells) } else { dispatch::decode(value, cells) }?;
    // SAFETY: `written.min(len)` is within the capacity, and `decode` returns how many cells, from
    // the first, it has written to.
    unsafe { octets.set_len(written.min(len)) };
    Some(Octets::New(octets))
}

/// What a value stands for.
#[derive(Debug, PartialEq)]
pub(crate) enum Octets {
    /// Its own bytes.
    Same,
    New(Vec<u8>),
}

/// The octets as text, or where the first ill-formed sequence begins and the octets themselves.
#[inline]
pub(crate) fn into_string(octets: Vec<u8>) -> Result<String, (usize, Vec<u8>)> {
    if let Err(error) = utf8_runes::bytes::validate(&octets) {
        return Err((error.valid_up_to(), octets));
    }
    // SAFETY: the line above has validated exactly these bytes.
    Ok(unsafe { String::from_utf8_unchecked(octets) })
}
