//! UTF-8 to UTF-16.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Writes `text` as UTF-16 to the start of `out` and returns how many units that took; `None` when
/// `out` is too small, and then nothing is promised about what it holds.
/// [`utf16_len`](crate::utf16_len) units always suffice.
///
/// ```
/// let mut out = [0; 4];
/// assert_eq!(utf8_runes::utf16::encode_utf16_into("日😊", &mut out), Some(3));
/// assert_eq!(out[..3], [0x65E5, 0xD83D, 0xDE0A]);
/// assert_eq!(utf8_runes::utf16::encode_utf16_into("日😊", &mut out[..2]), None);
/// ```
pub fn encode_utf16_into(text: &str, out: &mut [u16]) -> Option<usize> {
    let size = out.len();
    let mut rest = text.as_bytes();
    let mut room = out;
    loop {
        (rest, room) = ascii::<16>(rest, room)?;
        (rest, room) = ascii::<8>(rest, room)?;
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
                    *slots.next()? = 0xD800 | high;
                    0xDC00 | bits(*c, 0x0F) << 6 | bits(*d, 0x3F)
                }
                // The end, as text ends with no sequence cut short.
                _ => return Some(size - slots.len()),
            };
            *slots.next()? = unit;
        }
        room = slots.into_slice();
        (rest, room) = threes(rest, room)?;
    }
}

/// What is left of the bytes and of the room.
type Left<'t, 'o> = (&'t [u8], &'o mut [u16]);

/// Takes off blocks of ASCII.
#[inline]
fn ascii<'t, 'o, const N: usize>(text: &'t [u8], out: &'o mut [u16]) -> Option<Left<'t, 'o>> {
    let (mut rest, mut room) = (text, out);
    while let Some((block, tail)) = rest.split_first_chunk::<N>()
        && block.is_ascii()
    {
        let (units, later) = room.split_first_chunk_mut()?;
        *units = block.map(u16::from);
        (rest, room) = (tail, later);
    }
    Some((rest, room))
}

/// Takes off four at a time that have three bytes each.
#[inline]
fn threes<'t, 'o>(text: &'t [u8], out: &'o mut [u16]) -> Option<Left<'t, 'o>> {
    let (mut rest, mut room) = (text, out);
    while let Some((block, tail)) = rest.split_first_chunk::<12>()
        && let (four, []) = block.as_chunks::<3>()
        && four.iter().fold(true, |all, bytes| all & (bytes[0] & 0xF0 == 0xE0))
    {
        let (units, later) = room.split_first_chunk_mut::<4>()?;
        for (unit, [a, b, c]) in units.iter_mut().zip(four) {
            *unit = three(*a, *b, *c);
        }
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

/// Appends `text` as UTF-16.
///
/// ```
/// let mut out = vec![0x3E];
/// utf8_runes::utf16::append_utf16("日😊", &mut out);
/// assert_eq!(out, [0x3E, 0x65E5, 0xD83D, 0xDE0A]);
/// ```
#[cfg(feature = "alloc")]
pub fn append_utf16(text: &str, out: &mut Vec<u16>) {
    let start = out.len();
    out.resize(start + crate::utf16_len(text), 0);
    // The room is what it takes.
    let _ = encode_utf16_into(text, out.get_mut(start..).unwrap_or_default());
}
