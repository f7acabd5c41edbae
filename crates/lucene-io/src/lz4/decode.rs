//! The decoder. Short runs are copied as whole words, which may write rubbish behind their end: it
//! is overwritten by what comes next, and only where there is room for it.

use super::corrupt;
use crate::Error;

/// What a match is longer than its 4 bits say.
const MIN_MATCH: usize = 4;

/// Decodes until `want` bytes are reached. Gives how many bytes were read and how many written.
pub(super) fn decode(src: &[u8], dst: &mut [u8], want: usize) -> Result<(usize, usize), Error> {
    let (mut read, mut written) = (0, 0);
    loop {
        // The usual sequence: short, and far enough from both ends.
        if let Some(window) = src.get(read..).and_then(|rest| rest.first_chunk::<32>())
            && let Some(room) = dst.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<64>())
            && window[0] >> 4 < 15
        {
            let literals = usize::from(window[0] >> 4);
            room[..16].copy_from_slice(&window[1..17]);
            read += 1 + literals;
            written += literals;
            if written >= want {
                return Ok((read, written));
            }
            let offset =
                usize::from(u16::from_le_bytes([window[1 + literals], window[2 + literals]]));
            let short = usize::from(window[0] & 15);
            read += 2;
            let from = source(written, offset)?;
            if short < 15 && offset >= 8 {
                copy8(dst, from, written);
                copy8(dst, from + 8, written + 8);
                copy8(dst, from + 16, written + 16);
                written += short + MIN_MATCH;
            } else {
                let len = length(src, &mut read, short, dst.len() - written)? + MIN_MATCH;
                repeat(dst, from, written, len)?;
                written += len;
            }
            if written >= want {
                return Ok((read, written));
            }
            continue;
        }
        let token = usize::from(*src.get(read).ok_or(ENDS)?);
        read += 1;
        let literals = length(src, &mut read, token >> 4, dst.len() - written)?;
        let run = src.get(read..).and_then(|rest| rest.get(..literals)).ok_or(ENDS)?;
        let room =
            dst.get_mut(written..).and_then(|rest| rest.get_mut(..literals)).ok_or(BEYOND)?;
        room.copy_from_slice(run);
        read += literals;
        written += literals;
        if written >= want {
            return Ok((read, written));
        }
        let offset = src.get(read..).and_then(|rest| rest.first_chunk()).ok_or(ENDS)?;
        read += 2;
        let from = source(written, usize::from(u16::from_le_bytes(*offset)))?;
        let len = length(src, &mut read, token & 15, dst.len() - written)? + MIN_MATCH;
        repeat(dst, from, written, len)?;
        written += len;
        if written >= want {
            return Ok((read, written));
        }
    }
}

const ENDS: Error = corrupt("it ends too early");
const BEYOND: Error = corrupt("it holds more bytes than declared");

/// Where the bytes of a match come from.
#[inline]
fn source(written: usize, offset: usize) -> Result<usize, Error> {
    match written.checked_sub(offset) {
        Some(from) if offset > 0 => Ok(from),
        _ => Err(corrupt("a match refers to what is not there")),
    }
}

/// A length whose first 4 bits are `short`. It is not followed beyond `most`, so that neither time
/// nor a sum runs away.
#[inline]
fn length(src: &[u8], read: &mut usize, short: usize, most: usize) -> Result<usize, Error> {
    let mut length = short;
    if short == 15 {
        loop {
            let byte = *src.get(*read).ok_or(ENDS)?;
            *read += 1;
            length += usize::from(byte);
            if byte < 255 {
                break;
            }
            if length > most {
                return Err(BEYOND);
            }
        }
    }
    Ok(length)
}

/// Copies 8 bytes that do not overlap.
#[inline(always)]
fn copy8(bytes: &mut [u8], from: usize, to: usize) {
    let word: [u8; 8] = bytes[from..from + 8].try_into().expect("8 bytes");
    bytes[to..to + 8].copy_from_slice(&word);
}

/// Copies a match of any length, which may overlap with its source: the source is then a pattern
/// to repeat.
fn repeat(bytes: &mut [u8], from: usize, to: usize, len: usize) -> Result<(), Error> {
    if bytes.len() - to < len {
        return Err(BEYOND);
    }
    // What lies between is the pattern, or whole repetitions of it: twice as much each time.
    let (mut to, mut left) = (to, len);
    while left > 0 {
        let piece = left.min(to - from);
        bytes.copy_within(from..from + piece, to);
        to += piece;
        left -= piece;
    }
    Ok(())
}
