//! `.del`: which documents of a segment are deleted; after `org.apache.lucene.codecs.lucene40.BitVector`.

use super::part::{Ending, Format, Part};
use crate::store::FileSlice;
use crate::{DataInput, Error};

/// Stands before the header since Lucene 4.
const NOT_LUCENE_3: i32 = -2;
/// Stands before the counts in the sparse form.
const SPARSE: i32 = -1;

/// Since Lucene 4.8 there is a footer.
static FORMATS: [Format; 1] = [Format {
    codec: "BitVector",
    versions: 1..=2,
    ending: |version| if version >= 2 { Ending::Footer } else { Ending::Nothing },
}];

/// Whether a `.del` is whole, and deletes so many of so many documents.
pub(super) fn verify(file: &FileSlice, docs: u32, deleted: u32) -> Result<(), Error> {
    let mut first = [0; 4];
    file.read_at(0, &mut first).map_err(Error::of_file)?;
    if i32::from_be_bytes(first) != NOT_LUCENE_3 {
        return Err(Error::HeaderMismatch);
    }
    Part::read_at(file, 4, "deleted documents", &FORMATS, |part| {
        let mut count = part.input.read_i32()?;
        let sparse = count == SPARSE;
        if sparse {
            count = part.input.read_i32()?;
        }
        let alive = u32::try_from(part.input.read_i32()?).ok();
        if u32::try_from(count) != Ok(docs) || alive != docs.checked_sub(deleted) {
            return Err(part.corrupt("other counts than the segment and the commit have"));
        }
        let bits = if sparse { sparse_bits } else { dense_bits };
        if bits(part, docs, deleted)? != deleted {
            return Err(part.corrupt("other documents deleted than counted"));
        }
        Ok(())
    })
}

/// The bits of a byte that are not set, but for those behind the last document.
fn cleared(byte: u8, at: u32, docs: u32) -> u32 {
    let used = docs.saturating_sub(at.saturating_mul(8)).min(8);
    used.saturating_sub((u32::from(byte) & ((1 << used) - 1)).count_ones())
}

/// A bit for each document.
fn dense_bits(part: &mut Part, docs: u32, _deleted: u32) -> Result<u32, Error> {
    (0..docs.div_ceil(8)).try_fold(0, |sum, at| {
        let byte = part.input.read_byte()?;
        Ok(sum + cleared(byte, at, docs))
    })
}

/// The bytes in which a bit is not set, each behind its distance from the one before.
fn sparse_bits(part: &mut Part, docs: u32, deleted: u32) -> Result<u32, Error> {
    let mut sum = 0;
    let mut at = 0_u32;
    while sum < deleted {
        let gap = u32::try_from(part.input.read_vint()?).unwrap_or(u32::MAX);
        at = at.saturating_add(gap);
        let byte = part.input.read_byte()?;
        sum += cleared(byte, at, docs);
    }
    Ok(sum)
}
