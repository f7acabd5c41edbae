//! What is read of any input, by its required methods only.

use super::DataInput;
use super::varint::{self, VINT_MAX};
use crate::Error;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// The most that is allocated ahead of the bytes that a declared length promises.
const STEP: usize = 64 * 1024;

#[inline]
pub(super) fn array<const N: usize, I: DataInput + ?Sized>(
    input: &mut I,
) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    input.read_bytes(&mut bytes)?;
    Ok(bytes)
}

/// A vInt byte by byte.
pub(super) fn vint<I: DataInput + ?Sized>(input: &mut I) -> Result<i32, Error> {
    let at = input.position();
    let mut value = 0_u32;
    for i in 0..VINT_MAX {
        let byte = input.read_byte()?;
        if i == VINT_MAX - 1 && byte & 0xF0 != 0 {
            break;
        }
        value |= u32::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Ok(value as i32);
        }
    }
    Err(Error::InvalidVInt { at })
}

/// A vLong byte by byte; `max` as in [`varint::vlong`].
pub(super) fn vlong<I: DataInput + ?Sized>(input: &mut I, max: usize) -> Result<i64, Error> {
    let at = input.position();
    let mut value = 0_u64;
    for i in 0..max {
        let byte = input.read_byte()?;
        if i == max - 1 && byte > varint::last_byte(max) {
            break;
        }
        value |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return Ok(value as i64);
        }
    }
    Err(Error::InvalidVLong { at })
}

/// A group of four byte by byte; before an error some values may have been read.
pub(super) fn group<I>(input: &mut I, values: &mut [u32; 4]) -> Result<(), Error>
where
    I: DataInput + ?Sized,
{
    let mut widths = input.read_byte()?;
    for value in values {
        // The first width is in the top bits.
        let width = usize::from(widths >> 6) + 1;
        widths <<= 2;
        let mut bytes = [0; 4];
        input.read_bytes(&mut bytes[..width])?;
        *value = u32::from_le_bytes(bytes);
    }
    Ok(())
}

// Entries go in one by one, and are not collected first: of what is repeated one is kept.

/// So many pairs of strings.
pub(super) fn map<I>(input: &mut I, count: i32) -> Result<BTreeMap<String, String>, Error>
where
    I: DataInput + ?Sized,
{
    let mut map = BTreeMap::new();
    for _ in 0..count {
        let key = input.read_string()?;
        map.insert(key, input.read_string()?);
    }
    Ok(map)
}

/// So many strings.
pub(super) fn set<I>(input: &mut I, count: i32) -> Result<BTreeSet<String>, Error>
where
    I: DataInput + ?Sized,
{
    let mut set = BTreeSet::new();
    for _ in 0..count {
        set.insert(input.read_string()?);
    }
    Ok(set)
}

/// The vInt before a string.
#[inline]
pub(crate) fn string_length<I: DataInput + ?Sized>(input: &mut I) -> Result<usize, Error> {
    usize::try_from(input.read_vint()?).map_err(|_| Error::NegativeLength)
}

/// A string of any input, through the memory of `into`.
pub(super) fn string_into<I>(input: &mut I, into: &mut String) -> Result<(), Error>
where
    I: DataInput + ?Sized,
{
    into.clear();
    let len = string_length(input)?;
    string_body(input, len, into)
}

/// The body of a string of any input, through the memory of `into`.
pub(crate) fn string_body<I>(input: &mut I, len: usize, into: &mut String) -> Result<(), Error>
where
    I: DataInput + ?Sized,
{
    let start = input.position();
    let mut bytes = core::mem::take(into).into_bytes();
    let read = body(input, len, &mut bytes);
    if read.is_err() {
        bytes.clear();
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            *into = text;
            read
        }
        Err(bad) => {
            let at = start.saturating_add(bad.utf8_error().valid_up_to() as u64);
            *into = emptied(bad.into_bytes());
            Err(Error::InvalidUtf8 { at })
        }
    }
}

/// A string with the memory of `bytes`, and nothing in it.
fn emptied(mut bytes: Vec<u8>) -> String {
    bytes.clear();
    String::from_utf8(bytes).unwrap_or_default()
}

/// Replaces `bytes` by the next `len` of the input.
pub(super) fn body<I>(input: &mut I, len: usize, bytes: &mut Vec<u8>) -> Result<(), Error>
where
    I: DataInput + ?Sized,
{
    bytes.clear();
    let eof = Error::UnexpectedEof { at: input.position(), need: len as u64 };
    let step = match input.bytes_left() {
        Some(left) if left < len as u64 => return Err(eof),
        Some(_) => len,
        None => STEP,
    };
    while bytes.len() < len {
        let from = bytes.len();
        let to = len.min(from + step);
        bytes.reserve_exact(to - from);
        bytes.resize(to, 0);
        match input.read_bytes(&mut bytes[from..]) {
            Ok(()) => {}
            // As if it had been one read.
            Err(Error::UnexpectedEof { .. }) => return Err(eof),
            Err(other) => return Err(other),
        }
    }
    Ok(())
}
