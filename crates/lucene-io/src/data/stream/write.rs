//! Output to an `io::Write`.

use super::BUFFER;
use crate::Error;
use crate::data::varint::{self, VINT_MAX};
use crate::data::{DataOutput, IndexOutput, SliceOutput, output, utf16 as units16};
use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use crc32fast::Hasher;
use std::io::{ErrorKind, Write};

/// Writes to an `io::Write` through a buffer of 16 KiB, and hashes what leaves it.
///
/// Give it the file itself, not a `BufWriter`. Call [`finish`](Self::finish) or
/// [`close`](IndexOutput::close): what is still in the buffer when it is dropped is lost, for a
/// drop could not report a failure.
///
/// ```
/// use lucene_io::{DataOutput, IndexOutput, WriteOutput};
///
/// let mut out = WriteOutput::new(Vec::new()); // a File, a socket …
/// out.write_string("terms")?;
/// assert_eq!(out.position(), 6);
/// assert_eq!(out.finish()?, b"\x05terms");
/// # Ok::<(), lucene_io::Error>(())
/// ```
pub struct WriteOutput<W> {
    inner: W,
    buffer: Box<[u8]>,
    len: usize,
    flushed: u64,
    hasher: Hasher,
}

impl<W> fmt::Debug for WriteOutput<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteOutput")
            .field("position", &(self.flushed + self.len as u64))
            .field("buffered", &self.len)
            .finish_non_exhaustive()
    }
}

impl<W: Write> WriteOutput<W> {
    /// Allocates the buffer, the only allocation there is.
    #[must_use]
    pub fn new(inner: W) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { inner, buffer, len: 0, flushed: 0, hasher: Hasher::new() }
    }

    /// Hands everything down, flushes the writer and gives it back.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written; the writer is dropped.
    pub fn finish(mut self) -> Result<W, Error> {
        self.drain()?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// Writes the buffer down. After an error it holds what the writer did not take.
    fn drain(&mut self) -> Result<(), Error> {
        let (done, result) = write_some(&mut self.inner, &self.buffer[..self.len]);
        self.hasher.update(&self.buffer[..done]);
        self.buffer.copy_within(done..self.len, 0);
        self.len -= done;
        self.flushed += done as u64;
        result
    }

    #[cold]
    #[inline(never)]
    fn write_far(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.drain()?;
        if bytes.len() < BUFFER {
            self.buffer[..bytes.len()].copy_from_slice(bytes);
            self.len = bytes.len();
            return Ok(());
        }
        let (done, result) = write_some(&mut self.inner, bytes);
        self.hasher.update(&bytes[..done]);
        self.flushed += done as u64;
        result
    }
}

/// `write_all` that says how far it came.
fn write_some<W: Write>(to: &mut W, bytes: &[u8]) -> (usize, Result<(), Error>) {
    let mut rest = bytes;
    let result = loop {
        if rest.is_empty() {
            break Ok(());
        }
        match to.write(rest) {
            Ok(0) => break Err(Error::Io(ErrorKind::WriteZero.into())),
            // A writer that claims more than it was given is not believed.
            Ok(n) => rest = rest.get(n..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Err(error.into()),
        }
    };
    (bytes.len() - rest.len(), result)
}

impl<W: Write> DataOutput for WriteOutput<W> {
    #[inline]
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.write_bytes(&[byte])
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self.buffer[self.len..].get_mut(..bytes.len()) {
            Some(free) => {
                free.copy_from_slice(bytes);
                self.len += bytes.len();
                Ok(())
            }
            None => self.write_far(bytes),
        }
    }

    #[inline]
    fn write_vint(&mut self, value: i32) -> Result<(), Error> {
        if let 0..=0x7F = value {
            return self.write_byte(value as u8);
        }
        let (bytes, width) = varint::encode_vint(value as u32);
        // Five bytes in one go where there is room for them, of which some do not count.
        match self.buffer[self.len..].first_chunk_mut() {
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
        // Both parts with one look at the room.
        if text.len() < 0x80
            && let Some(free) = self.buffer[self.len..].get_mut(..=text.len())
            && let Some((length, body)) = free.split_first_mut()
        {
            *length = text.len() as u8;
            body.copy_from_slice(text.as_bytes());
            self.len += 1 + text.len();
            return Ok(());
        }
        self.write_vint(output::length(text.len())?)?;
        self.write_bytes(text.as_bytes())
    }

    fn write_utf16(&mut self, units: &[u16]) -> Result<(), Error> {
        let most = VINT_MAX + units.len().saturating_mul(units16::BYTES_PER_UNIT);
        if most > BUFFER {
            return units16::write(self, units);
        }
        if most > BUFFER - self.len {
            self.drain()?;
        }
        // Straight into the buffer, as into a slice.
        let mut free = SliceOutput::new(&mut self.buffer[self.len..]);
        free.write_utf16(units)?;
        self.len += free.written().len();
        Ok(())
    }
}

impl<W: Write> IndexOutput for WriteOutput<W> {
    fn position(&self) -> u64 {
        self.flushed + self.len as u64
    }

    fn checksum(&mut self) -> u32 {
        let mut hasher = self.hasher.clone();
        hasher.update(&self.buffer[..self.len]);
        hasher.finalize()
    }

    fn close(self) -> Result<(), Error> {
        self.finish().map(drop)
    }
}
