//! What is short and ASCII, as most values are: looked at whole, with one branch, and inlined.

use super::super::cell::Cell;
use super::super::unchecked::word;

/// Units, and bytes, looked at a time.
const BLOCK: usize = 16;

/// Writes `units`, 8 to 64, if they are ASCII. `None` when `out` is too small.
#[inline]
pub(crate) fn utf16_encode_ascii(
    units: &[u16],
    out: &mut [Cell],
    no_wide: impl Fn(&[&[u16; BLOCK]]) -> bool,
    narrow: impl Fn(&[u16; BLOCK], &mut [Cell; BLOCK]),
) -> Option<bool> {
    match units.len() {
        0..16 => halves(units, out),
        16..=32 => blocks::<2>(units, out, no_wide, narrow),
        33..=48 => blocks::<3>(units, out, no_wide, narrow),
        _ => blocks::<4>(units, out, no_wide, narrow),
    }
}

/// N blocks, of which the last one ends with the units and overlaps the one before.
#[inline(always)]
fn blocks<const N: usize>(
    units: &[u16],
    out: &mut [Cell],
    no_wide: impl Fn(&[&[u16; BLOCK]]) -> bool,
    narrow: impl Fn(&[u16; BLOCK], &mut [Cell; BLOCK]),
) -> Option<bool> {
    let last = units.last_chunk::<BLOCK>()?;
    let mut blocks = [last; N];
    for (i, block) in blocks.iter_mut().take(N - 1).enumerate() {
        *block = units.get(i * BLOCK..)?.first_chunk()?;
    }
    if !no_wide(&blocks) {
        return Some(false);
    }
    // No unit takes less than a byte, whatever they are.
    let out = out.get_mut(..units.len())?;
    for (i, block) in blocks.iter().take(N - 1).enumerate() {
        narrow(block, out.get_mut(i * BLOCK..)?.first_chunk_mut()?);
    }
    narrow(last, out.last_chunk_mut()?);
    Some(true)
}

/// Two halves of a block, which overlap. Out of line, as longer ones are what is inlined.
#[inline(never)]
fn halves(units: &[u16], out: &mut [Cell]) -> Option<bool> {
    const WIDE: u64 = 0xFF80_FF80_FF80_FF80;
    let (Some(first), Some(last)) = (words(units.first_chunk()), words(units.last_chunk())) else {
        return Some(false);
    };
    if (first[0] | first[1] | last[0] | last[1]) & WIDE != 0 {
        return Some(false);
    }
    let out = out.get_mut(..units.len())?;
    *out.first_chunk_mut()? = narrow_words(first);
    *out.last_chunk_mut()? = narrow_words(last);
    Some(true)
}

/// Eight units as two words.
#[inline]
fn words(units: Option<&[u16; BLOCK / 2]>) -> Option<[u64; 2]> {
    let (fours, _) = units?.as_chunks();
    Some([word(*fours.first()?), word(*fours.last()?)])
}

/// Units below 0x80 as bytes.
#[inline]
fn narrow_words(words: [u64; 2]) -> [Cell; BLOCK / 2] {
    let [low, high] = words.map(|word| {
        let twos = (word | word >> 8) & 0x0000_FFFF_0000_FFFF;
        (twos | twos >> 16) & 0xFFFF_FFFF
    });
    (low | high << 32).to_le_bytes().map(Cell::holding)
}

/// Whether all units of all blocks are below 0x80.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline]
pub(crate) fn no_wide(blocks: &[&[u16; BLOCK]]) -> bool {
    blocks.iter().flat_map(|block| block.iter()).fold(0, |all, unit| all | unit) < 0x80
}

/// Writes units below 0x80 as bytes.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline]
pub(crate) fn narrow(units: &[u16; BLOCK], place: &mut [Cell; BLOCK]) {
    *place = units.map(|unit| Cell::holding(unit as u8));
}

/// Whether 32 to 64 bytes are all below 0x80.
#[inline]
pub(crate) fn is_ascii_wide(bytes: &[u8]) -> bool {
    // Two looks that overlap.
    let (Some(first), Some(last)) = (bytes.first_chunk::<32>(), bytes.last_chunk::<32>()) else {
        return false;
    };
    let both: [u8; 32] = core::array::from_fn(|i| first[i] | last[i]);
    !both.iter().fold(false, |high, byte| high | (*byte >= 0x80))
}
