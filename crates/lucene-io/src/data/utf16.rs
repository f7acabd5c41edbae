//! UTF-16 into a sink that lends no space: through a scratch on the stack, piece by piece.

use super::varint::{self, MAX_LENGTH};
use super::{DataOutput, output};
use crate::Error;
use utf8_runes::utf16;

/// A unit becomes three bytes at most (a pair of two units four).
pub(crate) const BYTES_PER_UNIT: usize = 3;

/// Enough for a GUID and most terms; zeroing it costs a few stores.
const SHORT: usize = 2 + 42 * BYTES_PER_UNIT;
/// Units of a piece of a long text.
const PIECE: usize = 341;

/// [`DataOutput::write_utf16`] for any sink.
pub(crate) fn write<O: DataOutput + ?Sized>(out: &mut O, units: &[u16]) -> Result<(), Error> {
    if units.len() * BYTES_PER_UNIT > SHORT - 2 {
        return write_long(out, units);
    }
    // The length comes before the text but is known after it: room for both of its widths.
    let mut scratch = [0; SHORT];
    let len = encode(units, &mut scratch[2..])?;
    let (bytes, width) = varint::encode_vint(len as u32);
    let start = 2 - width;
    scratch[start..2].copy_from_slice(&bytes[..width]);
    out.write_bytes(&scratch[start..2 + len])
}

/// Counts first, so that nothing has to be kept.
#[inline(never)]
fn write_long<O: DataOutput + ?Sized>(out: &mut O, units: &[u16]) -> Result<(), Error> {
    check_length(units)?;
    out.write_vint(output::length(utf16::utf8_len(units))?)?;
    let mut scratch = [0; PIECE * BYTES_PER_UNIT];
    let mut rest = units;
    while !rest.is_empty() {
        let mut end = rest.len().min(PIECE);
        if end < rest.len() && matches!(rest[end - 1], 0xD800..=0xDBFF) {
            // The other half of the pair may be next.
            end -= 1;
        }
        let (piece, next) = rest.split_at(end);
        let len = encode(piece, &mut scratch)?;
        out.write_bytes(&scratch[..len])?;
        rest = next;
    }
    Ok(())
}

/// Refuses early what has too many bytes in any case: there is one a unit at least.
#[inline]
pub(crate) fn check_length(units: &[u16]) -> Result<(), Error> {
    if units.len() > MAX_LENGTH {
        Err(Error::TooLong { length: units.len() as u64 })
    } else {
        Ok(())
    }
}

/// Encodes into a buffer of [`BYTES_PER_UNIT`] times the units.
#[inline]
fn encode(units: &[u16], into: &mut [u8]) -> Result<usize, Error> {
    let need = (units.len() * BYTES_PER_UNIT) as u64;
    utf16::encode_lossy_into(units, into).ok_or(Error::TooLong { length: need })
}
