//! What writer and reader agree on: names, versions, limits and lists of small integers.

use crate::data::varint;
use crate::index::names::file_name;
use crate::packed::{self, Packed};
use crate::{DataInput, DataOutput, Error, SliceInput};
use std::string::String;
use std::vec::Vec;

/// Of the header of the documents.
pub(super) const DATA_CODEC: &str = "Lucene41StoredFieldsData";
/// Of the header of the chunks' places.
pub(super) const INDEX_CODEC: &str = "Lucene41StoredFieldsIndex";
/// The newest version, which is written.
pub(super) const VERSION: i32 = 2;
/// The first version that says how large chunks are, and cuts twice as large ones.
pub(super) const VERSION_BIG_CHUNKS: i32 = 1;
/// The first version with footers.
pub(super) const VERSION_CHECKSUM: i32 = 2;
/// Of packed integers, as it is written.
pub(super) const PACKED_VERSION: i32 = 2;
/// Before it, packed integers end at whole words of 8 bytes.
const PACKED_BYTE_ALIGNED: i32 = 1;

/// A chunk is full with this many bytes.
pub(super) const CHUNK_SIZE: usize = 1 << 14;
/// A chunk is full with this many documents.
pub(super) const CHUNK_DOCS: usize = 128;
/// Memory that a large chunk needed is given back when chunks are small again.
pub(super) const KEEP: usize = 1 << 20;
/// Java counts in signed integers of 32 bits.
pub(super) const MAX: usize = i32::MAX as usize;

/// A field begins with its number, shifted by this, and its type.
pub(super) const TYPE_BITS: u32 = 3;
pub(super) const STRING: u8 = 0;
pub(super) const BYTES: u8 = 1;
pub(super) const I32: u8 = 2;
pub(super) const F32: u8 = 3;
pub(super) const I64: u8 = 4;
pub(super) const F64: u8 = 5;

/// The names of the two files of a segment.
pub(super) fn file_names(segment: &str) -> (String, String) {
    (file_name(segment, "fdt"), file_name(segment, "fdx"))
}

/// The error of `.fdt`.
pub(super) fn corrupt_data(what: &'static str) -> Error {
    Error::Corrupt { file: "stored fields", what }
}

/// The error of `.fdx`.
pub(super) fn corrupt_index(what: &'static str) -> Error {
    Error::Corrupt { file: "stored fields index", what }
}

/// Zigzag of 64 bits: small magnitudes of either sign become small values.
pub(super) fn zig(value: i64) -> u64 {
    varint::zig_i64(value) as u64
}

/// Undoes [`zig`].
pub(super) fn zag(value: u64) -> i64 {
    varint::zag_i64(value as i64)
}

/// Writes integers of 31 bits, as many as the reader will know of: one alone, or one for all
/// behind a 0, or packed behind their width.
pub(super) fn write_ints<O: DataOutput>(out: &mut O, values: &[u32]) -> Result<(), Error> {
    let Some((&first, rest)) = values.split_first() else { return Ok(()) };
    if rest.is_empty() {
        return out.write_vint(first as i32);
    }
    if rest.iter().all(|&value| value == first) {
        out.write_vint(0)?;
        return out.write_vint(first as i32);
    }
    let all = values.iter().fold(0, |all, &value| all | value);
    let bits = packed::bits_required(u64::from(all));
    out.write_vint(bits as i32)?;
    packed::write(out, values.iter().map(|&value| u64::from(value)), bits)
}

/// Packed integers where the input stands, which then stands behind them.
pub(super) fn read_packed<'a>(
    bytes: &'a [u8],
    input: &mut SliceInput<'a>,
    count: usize,
    bits: u32,
    version: i32,
) -> Result<Packed<'a>, Error> {
    let at = input.position() as usize;
    let mut len = packed::byte_len(count, bits);
    if version < PACKED_BYTE_ALIGNED {
        len = len.checked_next_multiple_of(8).unwrap_or(usize::MAX);
    }
    input.skip_bytes(len as u64)?;
    Packed::new(bytes.get(at..at + len).unwrap_or_default(), count, bits)
}

/// What [`write_ints`] wrote. Nothing is allocated for values that are all the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Ints {
    count: usize,
    same: Option<u32>,
    each: Vec<u32>,
}

impl Ints {
    /// Reads `count` of them.
    pub(super) fn read<'a>(
        &mut self,
        bytes: &'a [u8],
        input: &mut SliceInput<'a>,
        count: usize,
        version: i32,
    ) -> Result<(), Error> {
        self.count = count;
        self.each.clear();
        let bits = if count == 1 { 0 } else { input.read_vint()? };
        self.same = None;
        match bits {
            0 => self.same = Some(read_length(input)?),
            1..=31 => {
                let packed = read_packed(bytes, input, count, bits as u32, version)?;
                self.each.extend(packed.iter().map(|value| value as u32));
            }
            _ => return Err(corrupt_data("width of packed integers")),
        }
        Ok(())
    }

    pub(super) fn get(&self, i: usize) -> Option<u32> {
        match self.same {
            Some(value) => (i < self.count).then_some(value),
            None => self.each.get(i).copied(),
        }
    }

    /// Whether all are 0, as the file says it at once.
    pub(super) fn are_all_zero(&self) -> bool {
        self.same == Some(0)
    }

    /// Each value becomes the sum of those up to it, as [`range`](Self::range) needs them; gives
    /// the sum of all.
    pub(super) fn sum_up(&mut self) -> u64 {
        if let Some(value) = self.same {
            return u64::from(value).saturating_mul(self.count as u64);
        }
        let mut sum = 0_u64;
        for value in &mut self.each {
            sum += u64::from(*value);
            // A sum that does not fit makes the whole chunk refused.
            *value = sum as u32;
        }
        sum
    }

    /// Where the value at `i` begins and ends among the sums.
    pub(super) fn range(&self, i: usize) -> Option<(usize, usize)> {
        if let Some(value) = self.same {
            let start = i.checked_mul(value as usize)?;
            return (i < self.count).then_some((start, start + value as usize));
        }
        let end = *self.each.get(i)? as usize;
        let start = i.checked_sub(1).and_then(|before| self.each.get(before)).copied();
        Some((start.unwrap_or(0) as usize, end))
    }
}

/// Makes `memory` so long, for a part of a file; an error where there is not as much memory, for a
/// file with holes may be longer than all there is.
pub(super) fn make_room(memory: &mut Vec<u8>, len: usize) -> Result<(), Error> {
    memory
        .try_reserve_exact(len.saturating_sub(memory.len()))
        .map_err(|_| Error::Io(std::io::ErrorKind::OutOfMemory.into()))?;
    memory.resize(len, 0);
    Ok(())
}

/// A vInt that is not negative.
pub(super) fn read_length(input: &mut SliceInput<'_>) -> Result<u32, Error> {
    u32::try_from(input.read_vint()?).map_err(|_| corrupt_data("negative count or length"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_in_every_form() {
        let long: Vec<u32> = (0..200).map(|i| i * i).collect();
        for values in [&[7][..], &[0], &[5, 5, 5], &[0, 0], &[1, 0], &[MAX as u32, 3], &long] {
            let mut bytes = Vec::new();
            write_ints(&mut bytes, values).unwrap();
            let mut input = SliceInput::new(&bytes);
            let mut ints = Ints::default();
            ints.read(&bytes, &mut input, values.len(), PACKED_VERSION).unwrap();
            assert_eq!(input.remaining(), 0);
            let back: Vec<_> = (0..=values.len()).map(|i| ints.get(i)).collect();
            let expected: Vec<_> = values.iter().copied().map(Some).chain([None]).collect();
            assert_eq!(back, expected);

            let total: u64 = values.iter().map(|&value| u64::from(value)).sum();
            assert_eq!(ints.sum_up(), total);
            let mut end = 0;
            for (i, &value) in values.iter().enumerate() {
                let start = end;
                end += value as usize;
                assert_eq!(ints.range(i), Some((start, end)));
            }
            assert_eq!(ints.range(values.len()), None);
        }
    }

    /// Before packed integers ended at a byte, they ended at a word of 8.
    #[test]
    fn lists_of_whole_words() {
        let bytes = [4, 0x12, 0x34, 0x50, 0, 0, 0, 0, 0, 0xAA];
        for (version, left) in [(0, 1), (1, 6), (2, 6)] {
            let mut input = SliceInput::new(&bytes);
            let mut ints = Ints::default();
            ints.read(&bytes, &mut input, 5, version).unwrap();
            assert_eq!((ints.get(4), input.remaining()), (Some(5), left));
        }
        let mut input = SliceInput::new(&bytes[..8]);
        assert!(Ints::default().read(&bytes[..8], &mut input, 5, 0).is_err());
    }
}
