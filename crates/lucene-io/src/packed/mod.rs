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

    /// All values.
    pub(crate) fn iter(&self) -> Values<'a> {
        Values::new(self.bytes, self.count, self.bits)
    }
}

/// See [`Packed::iter`].
#[derive(Debug, Clone)]
pub(crate) struct Values<'a> {
    rest: &'a [u8],
    left: usize,
    bits: u32,
    /// The bits not given yet, from the top, and how many.
    word: u64,
    filled: u32,
}

impl<'a> Values<'a> {
    fn new(bytes: &'a [u8], count: usize, bits: u32) -> Self {
        Self { rest: bytes, left: count, bits, word: 0, filled: 0 }
    }

    /// Takes the next 8 bytes, or what there is.
    #[inline]
    fn refill(&mut self) {
        if let Some((word, rest)) = self.rest.split_first_chunk() {
            (self.word, self.filled, self.rest) = (u64::from_be_bytes(*word), 64, rest);
        } else {
            self.filled = 8 * self.rest.len() as u32;
            let word = self.rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.word = word.checked_shl(64 - self.filled).unwrap_or(0);
            self.rest = &[];
        }
    }
}

impl Iterator for Values<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let top = self.word;
        // What is taken of the next word: none is 0, and all can be 64.
        let more = self.bits.saturating_sub(self.filled);
        if more == 0 {
            self.word = top.checked_shl(self.bits).unwrap_or(0);
            self.filled -= self.bits;
            return Some(top >> (64 - self.bits));
        }
        let had = self.filled;
        self.refill();
        let value = (top | self.word.checked_shr(had).unwrap_or(0)) >> (64 - self.bits);
        self.word = self.word.checked_shl(more).unwrap_or(0);
        self.filled = self.filled.saturating_sub(more);
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Values<'_> {}

fn check(bits: u32) -> Result<(), Error> {
    match bits {
        1..=64 => Ok(()),
        _ => Err(Error::Corrupt { file: "packed integers", what: "no such number of bits" }),
    }
}

#[cfg(test)]
mod tests;
