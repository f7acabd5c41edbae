//! UTF-8 to UTF-16.

use super::super::cell::{Cell, put_units};

/// Writes `text`, which is well-formed, to the start of `out`: how many units. `None` when `out` is
/// too small. Both cells of every unit before the end that it returns were written.
pub(crate) fn utf8_to_utf16(text: &[u8], out: &mut [[Cell; 2]]) -> Option<usize> {
    utf8_to_utf16_with(text, out, widen)
}

/// What writes bytes as units.
pub(crate) trait Widen: Copy + Fn(&[u8; 16], &mut [[Cell; 2]; 16]) {}

impl<F: Copy + Fn(&[u8; 16], &mut [[Cell; 2]; 16])> Widen for F {}

/// The same with a better way to widen bytes.
#[inline(always)]
pub(crate) fn utf8_to_utf16_with(
    text: &[u8],
    out: &mut [[Cell; 2]],
    widen: impl Widen,
) -> Option<usize> {
    let size = out.len();
    let mut rest = text;
    let mut room = out;
    loop {
        (rest, room) = ascii(rest, room, widen)?;
        (rest, room) = ascii(rest, room, widen_8)?;
        (rest, room) = threes(rest, room)?;
        let mut slots = room.iter_mut();
        // Then ASCII gets its chance again.
        for _ in 0..16 {
            let unit = match rest {
                [a, tail @ ..] if *a < 0x80 => {
                    rest = tail;
                    u16::from(*a)
                }
                [a, b, tail @ ..] if *a < 0xE0 => {
                    rest = tail;
                    bits(*a, 0x1F) << 6 | bits(*b, 0x3F)
                }
                [a, b, c, tail @ ..] if *a < 0xF0 => {
                    rest = tail;
                    three(*a, *b, *c)
                }
                [a, b, c, d, tail @ ..] => {
                    rest = tail;
                    // The bits from U+10000 on, of which the highest five are in the first two bytes.
                    let plane = (bits(*a, 0x07) << 2 | bits(*b, 0x30) >> 4).wrapping_sub(1);
                    let high = plane << 6 | bits(*b, 0x0F) << 2 | bits(*c, 0x30) >> 4;
                    *slots.next()? = cells(0xD800 | high);
                    0xDC00 | bits(*c, 0x0F) << 6 | bits(*d, 0x3F)
                }
                // The end, as text ends with no sequence cut short.
                _ => return Some(size - slots.len()),
            };
            *slots.next()? = cells(unit);
        }
        room = slots.into_slice();
    }
}

/// Writes `text`, of 16 to 64 bytes, to the start of `out` if it is ASCII: whether it is that.
/// `None` when `out` is too small.
#[inline]
pub(crate) fn utf8_to_utf16_ascii(
    text: &[u8],
    out: &mut [[Cell; 2]],
    widen: impl Widen,
) -> Option<bool> {
    let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>()) else {
        return Some(false);
    };
    if high_bits(first) | high_bits(last) != 0 {
        return Some(false);
    }
    // Only ASCII is known to take as many units, so it is the question before that of the room.
    if let (Some(head), Some(tail)) = (text.first_chunk::<32>(), text.last_chunk::<32>()) {
        let (second, third) = (head.last_chunk::<16>()?, tail.first_chunk::<16>()?);
        if high_bits(second) | high_bits(third) != 0 {
            return Some(false);
        }
        let out = out.get_mut(..text.len())?;
        widen(second, out.get_mut(16..)?.first_chunk_mut()?);
        widen(third, out.get_mut(text.len() - 32..)?.first_chunk_mut()?);
    }
    let out = out.get_mut(..text.len())?;
    widen(first, out.first_chunk_mut()?);
    widen(last, out.last_chunk_mut()?);
    Some(true)
}

/// Not 0 if any byte is 0x80 or above.
#[inline]
const fn high_bits(bytes: &[u8; 16]) -> u128 {
    u128::from_ne_bytes(*bytes) & u128::from_ne_bytes([0x80; 16])
}

#[inline]
pub(crate) fn widen(bytes: &[u8; 16], place: &mut [[Cell; 2]; 16]) {
    put_units(place, bytes.map(u16::from));
}

#[inline]
fn widen_8(bytes: &[u8; 8], place: &mut [[Cell; 2]; 8]) {
    put_units(place, bytes.map(u16::from));
}

/// What is left of the bytes and of the room.
type Left<'t, 'o> = (&'t [u8], &'o mut [[Cell; 2]]);

/// Takes off blocks of ASCII.
#[inline(always)]
fn ascii<'t, 'o, const N: usize>(
    text: &'t [u8],
    out: &'o mut [[Cell; 2]],
    widen: impl Fn(&[u8; N], &mut [[Cell; 2]; N]),
) -> Option<Left<'t, 'o>> {
    let (mut rest, mut room) = (text, out);
    while let Some((block, tail)) = rest.split_first_chunk::<N>()
        && block.is_ascii()
    {
        let (units, later) = room.split_first_chunk_mut()?;
        widen(block, units);
        (rest, room) = (tail, later);
    }
    Some((rest, room))
}

/// Takes off four at a time that have three bytes each.
#[inline]
fn threes<'t, 'o>(text: &'t [u8], out: &'o mut [[Cell; 2]]) -> Option<Left<'t, 'o>> {
    let (mut rest, mut room) = (text, out);
    while let Some((block, tail)) = rest.split_first_chunk::<12>()
        && let (four, []) = block.as_chunks::<3>()
        && four.iter().fold(true, |all, bytes| all & (bytes[0] & 0xF0 == 0xE0))
    {
        let (units, later) = room.split_first_chunk_mut::<4>()?;
        let mut four_units = [0; 4];
        for (unit, [a, b, c]) in four_units.iter_mut().zip(four) {
            *unit = three(*a, *b, *c);
        }
        put_units(units, four_units);
        (rest, room) = (tail, later);
    }
    Some((rest, room))
}

#[inline]
const fn bits(byte: u8, mask: u8) -> u16 {
    (byte & mask) as u16
}

/// A scalar value of three bytes.
#[inline]
const fn three(a: u8, b: u8, c: u8) -> u16 {
    bits(a, 0x0F) << 12 | bits(b, 0x3F) << 6 | bits(c, 0x3F)
}

#[inline]
fn cells(unit: u16) -> [Cell; 2] {
    unit.to_ne_bytes().map(Cell::holding)
}

/// The number of units that `bytes`, which are well-formed, take.
pub(crate) fn utf16_len(bytes: &[u8]) -> usize {
    super::count(bytes) + fours(bytes)
}

/// The scalar values of four bytes: those that take two units.
fn fours(bytes: &[u8]) -> usize {
    // Summed in bytes, so that it vectorises; so a block has less than 256.
    let in_block = |block: &[u8]| {
        usize::from(block.iter().fold(0_u8, |sum, byte| sum + u8::from(*byte >= 0xF0)))
    };
    let (blocks, rest) = bytes.as_chunks::<192>();
    blocks.iter().map(|block| in_block(block)).sum::<usize>() + in_block(rest)
}
