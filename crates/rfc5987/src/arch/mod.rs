//! The kernels and the only unsafe code: what writes into spare capacity and what turns proven
//! text into `str`.
//!
//! A tier for x86-64 belongs beside [`portable`], chosen here; nothing above this module changes.

#![allow(unsafe_code, reason = "the one module that may")]

mod portable;

use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

pub(crate) use portable::{count_escapes, count_percents};

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

    /// Appends its value-chars to `out`.
    #[inline]
    pub(crate) fn append_to(self, out: &mut String) {
        if self.escapes == 0 {
            // SAFETY: no byte needs an escape, so all are attr-chars, which are ASCII.
            out.push_str(unsafe { core::str::from_utf8_unchecked(self.value) });
        } else {
            self.append_escaped_to(out);
        }
    }

    fn append_escaped_to(self, out: &mut String) {
        let fill = |slots: &mut [MaybeUninit<u8>]| {
            // SAFETY: `escapes` is the count, and there are `encoded_len` slots.
            unsafe { portable::encode(self.value, self.escapes, slots) };
            slots.len()
        };
        // SAFETY: `portable::encode` fills all slots, with attr-chars, `%` and digits.
        unsafe { append_ascii(out, self.encoded_len(), fill) };
    }

    /// Writes its value-chars to the front of `out` and returns them; `None` when there is too
    /// little room.
    #[inline]
    pub(crate) fn write_to(self, out: &mut [u8]) -> Option<&str> {
        let out = out.get_mut(..self.encoded_len())?;
        if self.escapes == 0 {
            out.copy_from_slice(self.value);
        } else {
            // SAFETY: `escapes` is the count, and `out` is `encoded_len` long.
            unsafe { portable::encode(self.value, self.escapes, out) };
        }
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
unsafe fn append_ascii(
    out: &mut String,
    len: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> usize,
) {
    out.reserve(len);
    // SAFETY: only ASCII is added to the vector below, so it stays UTF-8; when `fill` panics its
    // length is unchanged.
    let bytes = unsafe { out.as_mut_vec() };
    let old = bytes.len();
    let filled = fill(&mut bytes.spare_capacity_mut()[..len]).min(len);
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

/// The octets that `value` stands for, `len` of them; `None` when an escape is bad.
#[inline]
pub(crate) fn decode_to_vec(value: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(len);
    let written = portable::decode(value, &mut octets.spare_capacity_mut()[..len])?.min(len);
    // SAFETY: `written` is within the capacity, and `portable::decode` returns how many slots,
    // from the first, it has initialised.
    unsafe { octets.set_len(written) };
    Some(octets)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::format;

    fn slow(value: &[u8]) -> String {
        value
            .iter()
            .map(|byte| match byte {
                b if crate::is_attr_char(*b) => format!("{}", char::from(*b)),
                b => format!("%{b:02X}"),
            })
            .collect()
    }

    proptest! {
        #[test]
        fn an_exact_buffer_is_filled_and_not_passed(
            value in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a')], 0..80),
            blanks in prop::collection::vec(0_usize..200, 0..3),
        ) {
            // Long runs without an escape, too.
            let mut sparse = std::vec![b'a'; 200];
            blanks.into_iter().for_each(|at| sparse[at] = b' ');
            for value in [value, sparse] {
                let expected = slow(&value);
                let counted = Counted::of(&value);
                prop_assert_eq!(counted.encoded_len(), expected.len());
                let mut guarded = std::vec![0xAA; expected.len() + 8];
                prop_assert_eq!(counted.write_to(&mut guarded).unwrap(), &expected);
                prop_assert!(guarded[expected.len()..].iter().all(|byte| *byte == 0xAA));
                prop_assert!(expected.is_empty() || counted.write_to(&mut guarded[1..expected.len()]).is_none());

                let mut text = String::from("é");
                counted.append_to(&mut text);
                prop_assert_eq!(&text["é".len()..], &expected);
                prop_assert_eq!(decode_to_vec(expected.as_bytes(), value.len()).unwrap(), value);
            }
        }

        #[test]
        fn a_wrong_length_is_no_fault(
            value in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'%'), Just(b'4')], 0..40),
            name in any::<String>(),
            len in 0_usize..40,
        ) {
            let _ = decode_to_vec(&value, len);
            let mut text = String::new();
            append_fallback(&name, len, &mut text);
            prop_assert!(text.is_ascii() && text.len() <= len);
        }
    }
}
