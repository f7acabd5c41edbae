//! `Vec<u8>` as output: everything is written at its end.

use super::{DataOutput, IndexOutput, output, utf16 as units16, varint};
use crate::Error;
use alloc::vec::Vec;
use utf8_runes::utf16;

/// Appends; never fails for want of room.
impl DataOutput for Vec<u8> {
    #[inline]
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.push(byte);
        Ok(())
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn write_vint(&mut self, value: i32) -> Result<(), Error> {
        if let 0..=0x7F = value {
            self.push(value as u8);
            return Ok(());
        }
        // Five bytes in one store, of which some do not stay.
        let (bytes, width) = varint::encode_vint(value as u32);
        let end = self.len() + width;
        self.extend_from_slice(&bytes);
        self.truncate(end);
        Ok(())
    }

    #[inline]
    fn write_vlong(&mut self, value: i64) -> Result<(), Error> {
        match value {
            0..=0x7F => {
                self.push(value as u8);
                Ok(())
            }
            0x80.. => {
                append_vlong(self, value as u64);
                Ok(())
            }
            _ => Err(Error::NegativeVLong),
        }
    }

    #[inline]
    fn write_zlong(&mut self, value: i64) -> Result<(), Error> {
        append_vlong(self, varint::zig_i64(value) as u64);
        Ok(())
    }

    // Small, and what it costs not to be inlined is most of what a short string costs.
    #[inline(always)]
    fn write_string(&mut self, text: &str) -> Result<(), Error> {
        let len = text.len();
        // No `reserve` for both parts: each appends with a check of its own anyway.
        if len < 0x80 {
            self.push(len as u8);
            self.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        if len < 0x4000 {
            self.extend_from_slice(&[len as u8 | 0x80, (len >> 7) as u8]);
            self.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        write_long(self, text)
    }

    #[inline]
    fn write_utf16(&mut self, units: &[u16]) -> Result<(), Error> {
        if units.len() >= 0x80 {
            return write_long_utf16(self, units);
        }
        // The text goes behind a length of the width it has when all is ASCII.
        let start = self.len();
        self.push(0);
        utf16::append_utf8_lossy(units, self);
        let len = self.len() - start - 1;
        if len < 0x80 {
            self[start] = len as u8;
            Ok(())
        } else {
            finish(self, start, 1)
        }
    }
}

/// All ten bytes in two stores, of which some do not stay.
#[inline]
fn append_vlong(out: &mut Vec<u8>, value: u64) {
    let (bytes, width) = varint::encode_vlong(value);
    let end = out.len() + width;
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// Out of line, so that little is inlined with a short string.
#[inline(never)]
fn write_long(out: &mut Vec<u8>, text: &str) -> Result<(), Error> {
    out.write_vint(output::length(text.len())?)?;
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

#[inline(never)]
fn write_long_utf16(out: &mut Vec<u8>, units: &[u16]) -> Result<(), Error> {
    let start = out.len();
    if (0x80..0x4000).contains(&units.len()) {
        out.extend_from_slice(&[0; 2]);
        utf16::append_utf8_lossy(units, out);
        let len = out.len() - start - 2;
        let head = out.get_mut(start..).and_then(<[u8]>::first_chunk_mut);
        if let (0x80..0x4000, Some(head)) = (len, head) {
            *head = [len as u8 | 0x80, (len >> 7) as u8];
            return Ok(());
        }
        return finish(out, start, 2);
    }
    units16::check_length(units)?;
    let guess = varint::vint_width(units.len() as u32);
    out.extend_from_slice(&[0; varint::VINT_MAX][..guess]);
    utf16::append_utf8_lossy(units, out);
    finish(out, start, guess)
}

/// Puts the length before a text that lies `guess` behind it, and moves the text when that is too
/// near.
#[inline(never)]
fn finish(out: &mut Vec<u8>, start: usize, guess: usize) -> Result<(), Error> {
    let body = start + guess;
    let len = out.len() - body;
    let Ok(length) = output::length(len) else {
        out.truncate(start);
        return Err(Error::TooLong { length: len as u64 });
    };
    let (length, width) = varint::encode_vint(length as u32);
    let short = width - guess;
    if short > 0 {
        out.extend_from_slice(&[0; varint::VINT_MAX][..short]);
        out.copy_within(body..body + len, body + short);
    }
    out[start..start + width].copy_from_slice(&length[..width]);
    Ok(())
}

/// The vector is the file: what it held before counts too.
impl IndexOutput for Vec<u8> {
    fn position(&self) -> u64 {
        self.len() as u64
    }

    /// Computed from the bytes each time it is asked for.
    fn checksum(&mut self) -> u32 {
        crc32fast::hash(self)
    }

    fn close(self) -> Result<(), Error> {
        Ok(())
    }
}
