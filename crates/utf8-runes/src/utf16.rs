//! UTF-16, as Java, .NET and Windows hold text: counting, cutting, and turning it into UTF-8 and
//! back. For units that are still bytes, see [`utf16_bytes`](crate::utf16_bytes).
//!
//! A high surrogate followed by a low one is one rune; any other surrogate is a *lone* one and
//! counts as one rune too. Cutting keeps lone surrogates; only what becomes UTF-8, which cannot
//! hold them, replaces or refuses them.

mod from_utf8;

#[cfg(feature = "alloc")]
pub use from_utf8::append_utf16;
pub use from_utf8::encode_utf16_into;

use crate::arch;
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use core::fmt;

/// A surrogate that is not part of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoneSurrogate {
    /// Its index among the units.
    pub index: usize,
}

impl fmt::Display for LoneSurrogate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lone surrogate at UTF-16 unit {}", self.index)
    }
}

impl core::error::Error for LoneSurrogate {}

/// The number of runes: units, less one for each pair.
///
/// ```
/// assert_eq!(utf8_runes::utf16::count(&[0x41, 0xD83D, 0xDE0A, 0xD83D]), 3);
/// ```
#[inline]
#[must_use]
pub fn count(units: &[u16]) -> usize {
    arch::utf16_count(units)
}

/// The number of units that the first `runes` runes take: `Some(units.len())` when there are
/// exactly that many, `None` when there are fewer. Never inside a pair.
///
/// ```
/// let units = [0xD83D, 0xDE0A, 0x21];
/// assert_eq!(utf8_runes::utf16::offset(&units, 1), Some(2));
/// assert_eq!(utf8_runes::utf16::offset(&units, 3), None);
/// ```
#[inline]
#[must_use]
pub fn offset(units: &[u16], runes: usize) -> Option<usize> {
    let (at, missing) = arch::utf16_walk(units, runes);
    (missing == 0).then_some(at)
}

/// The first `runes` runes; all of `units` when there are no more. Never ends inside a pair.
///
/// ```
/// let units: Vec<u16> = "😊!?".encode_utf16().collect();
/// assert_eq!(utf8_runes::utf16::prefix(&units, 2), &units[..3]);
/// ```
#[inline]
#[must_use]
pub fn prefix(units: &[u16], runes: usize) -> &[u16] {
    // No rune takes less than a unit: nothing to look at, nothing to cut.
    if runes >= units.len() {
        return units;
    }
    units.get(..arch::utf16_walk(units, runes).0).unwrap_or(units)
}

/// The smaller of [`count`] and `max`; reads no further than it must.
///
/// ```
/// let units: Vec<u16> = "😊!?".encode_utf16().collect();
/// assert_eq!(utf8_runes::utf16::count_upto(&units, 2), 2);
/// assert_eq!(utf8_runes::utf16::count_upto(&units, 9), 3);
/// ```
#[inline]
#[must_use]
pub fn count_upto(units: &[u16], max: usize) -> usize {
    if max >= units.len() {
        return count(units);
    }
    max.saturating_sub(arch::utf16_walk(units, max).1)
}

/// Whether there are more than `max` runes.
///
/// Decided by the length alone when that is at most `max` units (a rune takes at least one) or more
/// than `2 * max` (it takes at most two); otherwise it reads no further than it must.
///
/// ```
/// let units: Vec<u16> = "😊!?".encode_utf16().collect();
/// assert!(utf8_runes::utf16::exceeds(&units, 2));
/// assert!(!utf8_runes::utf16::exceeds(&units, 3));
/// ```
#[inline]
#[must_use]
pub fn exceeds(units: &[u16], max: usize) -> bool {
    units.len() > max
        && (units.len() > max.saturating_mul(2) || arch::utf16_walk(units, max).0 < units.len())
}

/// `units` in two: the first `runes` runes, and the rest, which is empty when there are no more.
///
/// ```
/// let units: Vec<u16> = "😊!?".encode_utf16().collect();
/// assert_eq!(utf8_runes::utf16::split_at(&units, 1), (&units[..2], &units[2..]));
/// ```
#[inline]
#[must_use]
pub fn split_at(units: &[u16], runes: usize) -> (&[u16], &[u16]) {
    units.split_at_checked(prefix(units, runes).len()).unwrap_or((units, &[]))
}

/// At most `runes` runes, after the first `start`. Empty when `start` lies at the end or past it.
///
/// ```
/// let units: Vec<u16> = "😊!?".encode_utf16().collect();
/// assert_eq!(utf8_runes::utf16::substr(&units, 1, 1), &units[2..3]);
/// ```
#[inline]
#[must_use]
pub fn substr(units: &[u16], start: usize, runes: usize) -> &[u16] {
    prefix(split_at(units, start).1, runes)
}

/// The last `runes` runes; all of `units` when there are no more. Never begins inside a pair.
///
/// ```
/// let units: Vec<u16> = "!?😊".encode_utf16().collect();
/// assert_eq!(utf8_runes::utf16::suffix(&units, 2), &units[1..]);
/// ```
#[must_use]
pub fn suffix(units: &[u16], runes: usize) -> &[u16] {
    const STEP: usize = 256;
    if runes >= units.len() {
        return units;
    }
    let mut left = runes;
    let mut end = units.len();
    while left > 0 {
        let mut start = end.saturating_sub(STEP);
        // A high surrogate before a low one always pairs with it, whatever is around them.
        if let Some([first, second]) =
            units.get(start.wrapping_sub(1)..).and_then(<[u16]>::first_chunk)
            && is_pair(*first, *second)
        {
            start -= 1;
        }
        let block = units.get(start..end).unwrap_or_default();
        let here = count(block);
        if here >= left {
            let at = start + prefix(block, here - left).len();
            return units.get(at..).unwrap_or(units);
        }
        if start == 0 {
            return units;
        }
        left -= here;
        end = start;
    }
    units.get(end..).unwrap_or_default()
}

/// Shortens `units` to the first `runes` runes; the capacity stays.
///
/// ```
/// let mut units: Vec<u16> = "😊!?".encode_utf16().collect();
/// utf8_runes::utf16::truncate(&mut units, 1);
/// assert_eq!(units, [0xD83D, 0xDE0A]);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn truncate(units: &mut Vec<u16>, runes: usize) {
    units.truncate(prefix(units, runes).len());
}

/// Whether `units` are well-formed: every surrogate is part of a pair.
///
/// ```
/// use utf8_runes::utf16::{LoneSurrogate, validate};
///
/// assert_eq!(validate(&[0xD83D, 0xDE0A]), Ok(()));
/// assert_eq!(validate(&[0x41, 0xD83D]), Err(LoneSurrogate { index: 1 }));
/// ```
///
/// # Errors
/// At the first lone surrogate.
pub fn validate(units: &[u16]) -> Result<(), LoneSurrogate> {
    arch::utf16_first_lone(units).map_or(Ok(()), |index| Err(LoneSurrogate { index }))
}

/// Puts U+FFFD in the place of each lone surrogate and returns how many there were: JavaScript's
/// `toWellFormed`.
///
/// ```
/// let mut units = [0xD83D, 0x41, 0xD83D, 0xDE0A];
/// assert_eq!(utf8_runes::utf16::replace_lone(&mut units), 1);
/// assert_eq!(units, [0xFFFD, 0x41, 0xD83D, 0xDE0A]);
/// ```
pub fn replace_lone(units: &mut [u16]) -> usize {
    let mut replaced = 0;
    let mut rest = units;
    while let Some(at) = arch::utf16_first_lone(rest)
        && let Some((lone, later)) = rest.split_at_mut(at).1.split_first_mut()
    {
        *lone = 0xFFFD;
        replaced += 1;
        rest = later;
    }
    replaced
}

#[inline]
const fn is_pair(first: u16, second: u16) -> bool {
    is_high(first) && second & 0xFC00 == 0xDC00
}

#[inline]
pub(crate) const fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

/// How many bytes of UTF-8 `append_utf8_lossy` and [`encode_lossy_into`] write.
///
/// ```
/// assert_eq!(utf8_runes::utf16::utf8_len(&[0x41, 0xE9, 0x65E5, 0xD83D, 0xDE0A, 0xD800]), 13);
/// ```
#[inline]
#[must_use]
pub fn utf8_len(units: &[u16]) -> usize {
    arch::utf16_utf8_len(units)
}

/// Writes `units` as UTF-8 to the start of `out`, one U+FFFD a lone surrogate, and returns how many
/// bytes that took; `None` when `out` is too small, and then nothing is promised about what it
/// holds. [`utf8_len`] bytes always suffice. Of a longer `out` also what lies behind the text may be
/// overwritten.
///
/// ```
/// let mut out = [0; 8];
/// assert_eq!(utf8_runes::utf16::encode_lossy_into(&[0x65E5, 0xD800], &mut out), Some(6));
/// assert_eq!(&out[..6], "日\u{FFFD}".as_bytes());
/// assert_eq!(utf8_runes::utf16::encode_lossy_into(&[0x65E5, 0xD800], &mut out[..5]), None);
/// ```
#[inline]
pub fn encode_lossy_into(units: &[u16], out: &mut [u8]) -> Option<usize> {
    arch::utf16_encode(units, out).map(|(written, _)| written)
}

/// Appends `units` as UTF-8, one U+FFFD a lone surrogate, and returns how many of those there were.
///
/// ```
/// let mut out = b"> ".to_vec();
/// assert_eq!(utf8_runes::utf16::append_utf8_lossy(&[0x65E5, 0xD800], &mut out), 1);
/// assert_eq!(out, "> 日\u{FFFD}".as_bytes());
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn append_utf8_lossy(units: &[u16], out: &mut Vec<u8>) -> usize {
    arch::utf16_append(units, out)
}

/// Appends `units` as UTF-8.
///
/// ```
/// use utf8_runes::utf16::{LoneSurrogate, append_utf8};
///
/// let mut out = Vec::new();
/// assert_eq!(append_utf8(&[0x65E5], &mut out), Ok(()));
/// assert_eq!(append_utf8(&[0x41, 0xD800], &mut out), Err(LoneSurrogate { index: 1 }));
/// assert_eq!(out, "日".as_bytes());
/// ```
///
/// # Errors
/// At the first lone surrogate; `out` is then as it was.
#[cfg(feature = "alloc")]
pub fn append_utf8(units: &[u16], out: &mut Vec<u8>) -> Result<(), LoneSurrogate> {
    let before = out.len();
    if append_utf8_lossy(units, out) == 0 {
        return Ok(());
    }
    out.truncate(before);
    Err(lone(units))
}

/// [`append_utf8_lossy`] into a `String`.
///
/// ```
/// let mut text = String::from("> ");
/// assert_eq!(utf8_runes::utf16::append_lossy(&[0x65E5, 0xD800], &mut text), 1);
/// assert_eq!(text, "> 日\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn append_lossy(units: &[u16], out: &mut String) -> usize {
    arch::utf16_append_text(units, out)
}

/// [`append_utf8`] into a `String`.
///
/// ```
/// let mut text = String::from("> ");
/// assert_eq!(utf8_runes::utf16::append(&[0xD83D, 0xDE0A], &mut text), Ok(()));
/// assert_eq!(text, "> 😊");
/// ```
///
/// # Errors
/// At the first lone surrogate; `out` is then as it was.
#[cfg(feature = "alloc")]
pub fn append(units: &[u16], out: &mut String) -> Result<(), LoneSurrogate> {
    let before = out.len();
    if append_lossy(units, out) == 0 {
        return Ok(());
    }
    out.truncate(before);
    Err(lone(units))
}

/// Only called when there is one.
#[cfg(feature = "alloc")]
#[cold]
fn lone(units: &[u16]) -> LoneSurrogate {
    LoneSurrogate { index: arch::utf16_first_lone(units).unwrap_or(units.len()) }
}
