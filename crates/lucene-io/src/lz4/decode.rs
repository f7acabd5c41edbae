//! The decoder. Short runs are copied as whole words, which may write rubbish behind their end: it
//! is overwritten by what comes next, and only where there is room for it.

use super::common::MIN_MATCH;
use super::corrupt;
use crate::Error;

/// What is wrong with a block. Small, so that it is given back in a register.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// It is cut short.
    Ends,
    /// It stands for more than there is room for.
    Beyond,
    /// A match refers to itself or to what lies before the first byte.
    Before,
}

impl From<Fault> for Error {
    #[cold]
    fn from(fault: Fault) -> Self {
        corrupt(match fault {
            Fault::Ends => "it ends too early",
            Fault::Beyond => "it holds more bytes than declared",
            Fault::Before => "a match refers to what is not there",
        })
    }
}

/// Decodes until `want` bytes are reached. Gives how many bytes were read and how many written.
pub(super) fn decode(src: &[u8], dst: &mut [u8], want: usize) -> Result<(usize, usize), Fault> {
    let mut input = src;
    let mut written = 0;
    loop {
        let (&token, rest) = input.split_first().ok_or(Fault::Ends)?;
        input = rest;
        let mut literals = usize::from(token >> 4);
        if literals < 15
            && let (Some(run), Some(room)) = (input.first_chunk::<16>(), room::<16>(dst, written))
        {
            *room = *run;
            input = &input[literals..];
        } else {
            literals = length(&mut input, literals, dst.len() - written)?;
            run(&mut input, literals, dst, written)?;
        }
        written += literals;
        if written >= want {
            return Ok((src.len() - input.len(), written));
        }
        let (&offset, rest) = input.split_first_chunk().ok_or(Fault::Ends)?;
        input = rest;
        let offset = usize::from(u16::from_le_bytes(offset));
        // Neither 0 nor beyond the first byte.
        if offset.wrapping_sub(1) >= written {
            return Err(Fault::Before);
        }
        let from = written - offset;
        let mut len = usize::from(token & 15);
        let (past, rest) = dst.split_at_mut(written);
        if len < 15
            && let (Some(found), Some(room)) =
                (past[from..].first_chunk::<18>(), rest.first_chunk_mut::<18>())
        {
            *room = *found;
            len += MIN_MATCH;
        } else {
            len = length(&mut input, len, rest.len())? + MIN_MATCH;
            repeat(dst, from, written, len)?;
        }
        written += len;
        if written >= want {
            return Ok((src.len() - input.len(), written));
        }
    }
}

#[inline(always)]
fn room<const N: usize>(bytes: &mut [u8], at: usize) -> Option<&mut [u8; N]> {
    bytes.get_mut(at..)?.first_chunk_mut()
}

/// A length whose first 4 bits are `short`. It is not followed beyond `most`, so that neither time
/// nor a sum runs away.
#[inline]
fn length(input: &mut &[u8], short: usize, most: usize) -> Result<usize, Fault> {
    let mut length = short;
    if short == 15 {
        loop {
            let (&byte, rest) = input.split_first().ok_or(Fault::Ends)?;
            *input = rest;
            length += usize::from(byte);
            if byte < 255 {
                break;
            }
            if length > most {
                return Err(Fault::Beyond);
            }
        }
    }
    Ok(length)
}

/// Literals of any number.
#[inline]
fn run(input: &mut &[u8], n: usize, dst: &mut [u8], written: usize) -> Result<(), Fault> {
    if n <= 48
        && let (Some(bytes), Some(room)) = (input.first_chunk::<48>(), room::<48>(dst, written))
    {
        *room = *bytes;
        *input = &input[n..];
        return Ok(());
    }
    let (bytes, rest) = input.split_at_checked(n).ok_or(Fault::Ends)?;
    let room = dst.get_mut(written..).and_then(|rest| rest.get_mut(..n)).ok_or(Fault::Beyond)?;
    room.copy_from_slice(bytes);
    *input = rest;
    Ok(())
}

/// Copies a match of any length, which may overlap with its source: the source is then a pattern
/// to repeat.
#[inline(never)]
fn repeat(bytes: &mut [u8], from: usize, to: usize, len: usize) -> Result<(), Fault> {
    if bytes.len() - to < len {
        return Err(Fault::Beyond);
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
