//! Output to borrowed memory.

use super::{DataOutput, IndexOutput, output, utf16 as units16, varint};
use crate::Error;
use core::fmt;
use utf8_runes::utf16;

/// Writes into a slice of fixed length.
///
/// A value or string that does not fit is not written, not even its length:
/// [`Error::OutputFull`] says where it would begin and how many bytes all of it needs. (Maps, sets,
/// group vInts and [`copy_bytes`](DataOutput::copy_bytes) are many writes; those before the one
/// that fails stay.) Only [`write_utf16`](DataOutput::write_utf16) may touch memory behind what is
/// written.
///
/// ```
/// use lucene_io::{DataOutput, Error, SliceOutput};
///
/// let mut memory = [0; 6];
/// let mut out = SliceOutput::new(&mut memory);
/// out.write_string("abc")?;
/// assert!(matches!(out.write_string("de"), Err(Error::OutputFull { at: 4, need: 3 })));
/// assert_eq!(out.written(), b"\x03abc");
/// # Ok::<(), lucene_io::Error>(())
/// ```
pub struct SliceOutput<'a> {
    memory: &'a mut [u8],
    len: usize,
}

impl fmt::Debug for SliceOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SliceOutput")
            .field("position", &self.len)
            .field("remaining", &(self.memory.len() - self.len))
            .finish()
    }
}

impl<'a> SliceOutput<'a> {
    /// Begins at the first byte.
    #[must_use]
    pub const fn new(memory: &'a mut [u8]) -> Self {
        Self { memory, len: 0 }
    }

    /// What was written.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        &self.memory[..self.len]
    }

    #[cold]
    fn full(&self, need: usize) -> Error {
        Error::OutputFull { at: self.len as u64, need: need as u64 }
    }

    /// The next `n` bytes, which are then written.
    #[inline]
    fn claim(&mut self, n: usize) -> Result<&mut [u8], Error> {
        let end = self.len.checked_add(n).filter(|&end| end <= self.memory.len());
        let Some(end) = end else { return Err(self.full(n)) };
        let start = core::mem::replace(&mut self.len, end);
        Ok(&mut self.memory[start..end])
    }
}

impl DataOutput for SliceOutput<'_> {
    #[inline]
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.claim(1)?[0] = byte;
        Ok(())
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.claim(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn write_vint(&mut self, value: i32) -> Result<(), Error> {
        if let 0..=0x7F = value {
            return self.write_byte(value as u8);
        }
        let (bytes, width) = varint::encode_vint(value as u32);
        // Five bytes in one go where there is room for them, of which some do not count.
        match self.memory[self.len..].first_chunk_mut() {
            Some(free) => {
                *free = bytes;
                self.len += width;
                Ok(())
            }
            None => self.write_bytes(&bytes[..width]),
        }
    }

    #[inline]
    fn write_string(&mut self, text: &str) -> Result<(), Error> {
        if text.len() < 0x80
            && let Some((length, body)) = self.claim(1 + text.len())?.split_first_mut()
        {
            *length = text.len() as u8;
            body.copy_from_slice(text.as_bytes());
            return Ok(());
        }
        let (length, width) = varint::encode_vint(output::length(text.len())? as u32);
        let (head, body) = self.claim(width + text.len())?.split_at_mut(width);
        head.copy_from_slice(&length[..width]);
        body.copy_from_slice(text.as_bytes());
        Ok(())
    }

    fn write_utf16(&mut self, units: &[u16]) -> Result<(), Error> {
        units16::check_length(units)?;
        let free = &mut self.memory[self.len..];
        let guess = varint::vint_width(units.len() as u32);
        if let Some(body) = free.get_mut(guess..)
            && let Some(len) = utf16::encode_lossy_into(units, body)
        {
            if let (1, 0..0x80, [length, ..]) = (guess, len, &mut *free) {
                *length = len as u8;
                self.len += 1 + len;
                return Ok(());
            }
            let (length, width) = varint::encode_vint(output::length(len)? as u32);
            if width + len <= free.len() {
                if width > guess {
                    free.copy_within(guess..guess + len, width);
                }
                free[..width].copy_from_slice(&length[..width]);
                self.len += width + len;
                return Ok(());
            }
        }
        let len = output::length(utf16::utf8_len(units))? as u32;
        Err(self.full(varint::vint_width(len) + len as usize))
    }
}

impl IndexOutput for SliceOutput<'_> {
    fn position(&self) -> u64 {
        self.len as u64
    }

    /// Computed from the bytes each time it is asked for.
    fn checksum(&mut self) -> u32 {
        crc32fast::hash(self.written())
    }

    fn close(self) -> Result<(), Error> {
        Ok(())
    }
}
