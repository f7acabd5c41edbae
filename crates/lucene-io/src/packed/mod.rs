//! Integers of a fixed number of bits, one behind the other and big-endian, as Lucene's
//! `PackedInts` holds them in the format `PACKED` with no header.

use crate::{DataOutput, Error};

/// How many bits a value of up to `max` takes: 1 for 0.
pub(crate) fn bits_required(max: u64) -> u32 {
    (u64::BITS - max.leading_zeros()).max(1)
}

/// How many bytes `count` values of `bits` bits take, the last one filled up with zeros. One that
/// cannot be said is `usize::MAX`.
pub(crate) fn byte_len(count: usize, bits: u32) -> usize {
    let bytes = (count as u128 * u128::from(bits)).div_ceil(8);
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Writes the low `bits` bits (1 to 64) of each value.
pub(crate) fn write<O: DataOutput + ?Sized>(
    out: &mut O,
    values: impl Iterator<Item = u64>,
    bits: u32,
) -> Result<(), Error> {
    check(bits)?;
    let mut buffer = [0; 64];
    let mut at = 0;
    // The bits not written yet, from the top.
    let (mut word, mut filled) = (0_u64, 0);
    for value in values {
        let value = value << (64 - bits);
        word |= value >> filled;
        filled += bits;
        if filled >= 64 {
            buffer[at..at + 8].copy_from_slice(&word.to_be_bytes());
            at += 8;
            if at == buffer.len() {
                out.write_bytes(&buffer)?;
                at = 0;
            }
            filled -= 64;
            // What did not fit: none of it when the word was filled exactly.
            word = value.checked_shl(bits - filled).unwrap_or(0);
        }
    }
    let rest = filled.div_ceil(8) as usize;
    buffer[at..at + rest].copy_from_slice(&word.to_be_bytes()[..rest]);
    out.write_bytes(&buffer[..at + rest])
}

/// Packed values where they lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed<'a> {
    bytes: &'a [u8],
    count: usize,
    bits: u32,
}

impl<'a> Packed<'a> {
    /// The first `count` values in `bytes`, which may be longer.
    pub(crate) fn new(bytes: &'a [u8], count: usize, bits: u32) -> Result<Self, Error> {
        check(bits)?;
        let bytes = bytes.get(..byte_len(count, bits)).ok_or(Error::Truncated)?;
        Ok(Self { bytes, count, bits })
    }

    /// The value at `i`.
    #[cfg(test)]
    pub(crate) fn get(&self, i: usize) -> Option<u64> {
        (i < self.count).then(|| self.at(i))
    }

    /// All values.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = u64> + Clone + use<'a> {
        let packed = *self;
        (0..self.count).map(move |i| packed.at(i))
    }

    #[inline(always)]
    fn at(&self, i: usize) -> u64 {
        // No overflow but where usize has 32 bits.
        let bit = i as u64 * u64::from(self.bits);
        let (byte, skip) = ((bit / 8) as usize, (bit % 8) as u32);
        let rest = self.bytes.get(byte..).unwrap_or_default();
        if let Some(word) = rest.first_chunk() {
            let mut top = u64::from_be_bytes(*word) << skip;
            if skip + self.bits > 64
                && let Some(&ninth) = rest.get(8)
            {
                top |= u64::from(ninth) >> (8 - skip);
            }
            top >> (64 - self.bits)
        } else {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            u64::from_be_bytes(word) << skip >> (64 - self.bits)
        }
    }
}

fn check(bits: u32) -> Result<(), Error> {
    match bits {
        1..=64 => Ok(()),
        _ => Err(Error::Corrupt { file: "packed integers", what: "no such number of bits" }),
    }
}

#[cfg(test)]
mod tests;
