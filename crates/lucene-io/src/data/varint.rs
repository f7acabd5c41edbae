//! vInt and vLong on bytes: seven bits a byte, the low ones first, the high bit set on all but the
//! last. Plain LEB128 in which a vInt ends with the fifth byte and a vLong with the ninth.

/// Why nothing was decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end first.
    Short,
    /// The last byte that may come has a bit set that has no place in the value.
    Bad,
}

/// The most bytes of a vInt.
pub(crate) const VINT_MAX: usize = 5;
/// The most bytes of a vLong.
pub(crate) const VLONG_MAX: usize = 9;
/// The most bytes of a zLong, the one that may use all 64 bits.
pub(crate) const ZLONG_MAX: usize = 10;

/// The most bytes of a group of four, with its widths.
const GROUP_MAX: usize = 17;

/// The most bytes a string can have, as its vInt says.
pub(crate) const MAX_LENGTH: usize = i32::MAX as usize;

const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Packs the low seven bits of each of eight bytes into 56 bits: neighbours, then pairs, then fours.
#[inline]
fn pack(word: u64) -> u64 {
    let x = word & LOW;
    let x = (x & 0x007F_007F_007F_007F) | ((x & 0x7F00_7F00_7F00_7F00) >> 1);
    let x = (x & 0x0000_3FFF_0000_3FFF) | ((x & 0x3FFF_0000_3FFF_0000) >> 2);
    (x & 0x0FFF_FFFF) | ((x & 0x0FFF_FFFF_0000_0000) >> 4)
}

/// The value of a vInt and its width. A caller has tried the one-byte case already.
#[inline]
pub(crate) fn vint(bytes: &[u8]) -> Result<(i32, usize), Fault> {
    let Some(word) = bytes.first_chunk::<8>() else { return vint_short(bytes) };
    let word = u64::from_le_bytes(*word);
    let stops = !word & (HIGH >> 24);
    if stops == 0 {
        return Err(Fault::Bad);
    }
    // All bits up to and with the high bit of the byte that stops.
    let value = pack(word & (stops ^ (stops - 1)));
    let width = (stops.trailing_zeros() / 8 + 1) as usize;
    if value > u64::from(u32::MAX) {
        return Err(Fault::Bad);
    }
    Ok((value as u32 as i32, width))
}

#[cold]
fn vint_short(bytes: &[u8]) -> Result<(i32, usize), Fault> {
    let mut value = 0_u32;
    for (i, &byte) in bytes.iter().take(VINT_MAX).enumerate() {
        if i == VINT_MAX - 1 && byte & 0xF0 != 0 {
            return Err(Fault::Bad);
        }
        value |= u32::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Ok((value as i32, i + 1));
        }
    }
    Err(Fault::Short)
}

/// The value of a vLong (`max` = [`VLONG_MAX`], never negative) or of the vLong inside a zLong
/// (`max` = [`ZLONG_MAX`], all 64 bits), and its width.
#[inline]
pub(crate) fn vlong(bytes: &[u8], max: usize) -> Result<(i64, usize), Fault> {
    if let Some(word) = bytes.first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let stops = !word & HIGH;
        if stops != 0 {
            let value = pack(word & (stops ^ (stops - 1)));
            return Ok((value as i64, (stops.trailing_zeros() / 8 + 1) as usize));
        }
    }
    vlong_bytewise(bytes, max)
}

fn vlong_bytewise(bytes: &[u8], max: usize) -> Result<(i64, usize), Fault> {
    let mut value = 0_u64;
    for (i, &byte) in bytes.iter().take(max).enumerate() {
        if i == max - 1 && byte > last_byte(max) {
            return Err(Fault::Bad);
        }
        value |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Ok((value as i64, i + 1));
        }
    }
    Err(Fault::Short)
}

/// The highest value that the last byte of a vLong or zLong may have.
pub(crate) fn last_byte(max: usize) -> u8 {
    if max == ZLONG_MAX { 1 } else { 0x7F }
}

/// How many bytes the vInt of an unsigned value takes.
#[inline]
pub(crate) fn vint_width(value: u32) -> usize {
    // 7 bits a byte; `| 1` makes the width of 0 one.
    ((38 - (value | 1).leading_zeros()) / 7) as usize
}

/// A vInt and its width, without a branch.
#[inline]
pub(crate) fn encode_vint(value: u32) -> ([u8; VINT_MAX], usize) {
    let width = vint_width(value);
    // All but the last byte go on.
    let go_on = HIGH & ((1 << (8 * (width - 1))) - 1);
    let [a, b, c, d, e, ..] = (spread(u64::from(value)) | go_on).to_le_bytes();
    ([a, b, c, d, e], width)
}

/// Undoes [`pack`].
#[inline]
fn spread(value: u64) -> u64 {
    let x = (value & 0x0FFF_FFFF) | ((value & 0xFF_FFFF_F000_0000) << 4);
    let x = (x & 0x0000_3FFF_0000_3FFF) | ((x & 0x0FFF_C000_0FFF_C000) << 2);
    (x & 0x007F_007F_007F_007F) | ((x & 0x3F80_3F80_3F80_3F80) << 1)
}

/// A vLong of all 64 bits and its width, with at most one branch.
#[inline]
pub(crate) fn encode_vlong(value: u64) -> ([u8; ZLONG_MAX], usize) {
    let width = ((70 - (value | 1).leading_zeros()) / 7) as usize;
    let [a, b, c, d, e, f, g, h] = if width <= 8 {
        (spread(value) | (HIGH & ((1 << (8 * (width - 1))) - 1))).to_le_bytes()
    } else {
        (spread(value) | HIGH).to_le_bytes()
    };
    let ninth = (value >> 56) as u8 | if width == ZLONG_MAX { 0x80 } else { 0 };
    ([a, b, c, d, e, f, g, h, ninth, (value >> 63) as u8], width)
}

/// Four values of a group, and how many bytes they take with their widths; `None` where fewer bytes
/// are left than the longest group has.
#[inline]
pub(crate) fn group(bytes: &[u8]) -> Option<([u32; 4], usize)> {
    let [widths, body @ ..] = bytes.first_chunk::<GROUP_MAX>()?;
    let mut at = 0;
    let mut values = [0; 4];
    for (i, value) in values.iter_mut().enumerate() {
        // The first width is in the top bits. Four bytes are there for each, and those of the next
        // one are taken off again.
        let more = u32::from(widths >> (6 - 2 * i) & 3);
        let word = u32::from_le_bytes(*body.get(at..)?.first_chunk()?);
        *value = word & (u32::MAX >> (24 - 8 * more));
        at += more as usize + 1;
    }
    Some((values, 1 + at))
}

/// Zigzag: small magnitudes of either sign become small unsigned values.
pub(crate) fn zig_i32(value: i32) -> i32 {
    (value << 1) ^ (value >> 31)
}

/// Undoes [`zig_i32`].
pub(crate) fn zag_i32(value: i32) -> i32 {
    ((value as u32 >> 1) as i32) ^ -(value & 1)
}

/// Zigzag of 64 bits.
pub(crate) fn zig_i64(value: i64) -> i64 {
    (value << 1) ^ (value >> 63)
}

/// Undoes [`zig_i64`].
pub(crate) fn zag_i64(value: i64) -> i64 {
    ((value as u64 >> 1) as i64) ^ -(value & 1)
}
