//! Integers of so many bits each, one behind the other, big-endian.

/// How many bits the value needs, at least one.
pub(super) fn bits(value: u64) -> u32 {
    (u64::BITS - value.leading_zeros()).max(1)
}

pub(super) fn byte_len(count: usize, bits: u32) -> usize {
    (count * bits as usize).div_ceil(8)
}

pub(super) fn write(values: impl Iterator<Item = u64>, bits: u32, out: &mut Vec<u8>) {
    let (mut held, mut count) = (0_u128, 0);
    for value in values {
        held = held << bits | u128::from(value);
        count += bits;
        while count >= 8 {
            count -= 8;
            out.push((held >> count) as u8);
        }
    }
    if count > 0 {
        out.push((held << (8 - count)) as u8);
    }
}

pub(super) fn get(bytes: &[u8], i: usize, bits: u32) -> u64 {
    let first = i * bits as usize;
    let last = first + bits as usize;
    let held = bytes[first / 8..last.div_ceil(8)]
        .iter()
        .fold(0_u128, |held, &byte| held << 8 | u128::from(byte));
    let value = held >> (last.next_multiple_of(8) - last);
    (value & ((1 << bits) - 1)) as u64
}

/// The sign in the lowest bit.
pub(super) fn zig(value: i64) -> u64 {
    (value >> 63 ^ value << 1) as u64
}

pub(super) fn zag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}
