//! Input from an `io::Read`.

use super::BUFFER;
use crate::Error;
use crate::data::varint::{self, VLONG_MAX};
use crate::data::{DataInput, bytewise};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use core::fmt;
use std::io::{self, ErrorKind, Read};

/// Reads from an `io::Read` through a buffer of 16 KiB. It reads ahead, so the reader is not given
/// back.
///
/// Give it the file itself, not a `BufReader`. Nothing is known of what is left: a declared length
/// is believed 64 KiB at a time.
///
/// ```
/// use lucene_io::{DataInput, ReadInput};
///
/// let file: &[u8] = b"\x05terms\x07"; // a File, a socket …
/// let mut input = ReadInput::new(file);
/// assert_eq!(input.read_string()?, "terms");
/// assert_eq!(input.read_vint()?, 7);
/// # Ok::<(), lucene_io::Error>(())
/// ```
pub struct ReadInput<R> {
    inner: R,
    buffer: Box<[u8]>,
    /// What is buffered and not consumed.
    start: usize,
    end: usize,
    /// Where in the stream the buffer begins.
    base: u64,
}

impl<R> fmt::Debug for ReadInput<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadInput")
            .field("position", &(self.base + self.start as u64))
            .field("buffered", &(self.end - self.start))
            .finish_non_exhaustive()
    }
}

impl<R: Read> ReadInput<R> {
    /// Allocates the buffer; reads nothing yet.
    #[must_use]
    pub fn new(inner: R) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { inner, buffer, start: 0, end: 0, base: 0 }
    }

    fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Makes `need` bytes, at most the buffer, lie in one piece; asks the reader for no more than
    /// one reading beyond them. `false`: the stream ends first.
    fn fill(&mut self, need: usize) -> Result<bool, Error> {
        if self.end - self.start >= need {
            return Ok(true);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        while self.end < need {
            match read_some(&mut self.inner, &mut self.buffer[self.end..])? {
                0 => return Ok(false),
                n => self.end += n,
            }
        }
        Ok(true)
    }

    /// The body of a string that the buffer can hold.
    fn buffered_str(&mut self, len: usize) -> Result<&str, Error> {
        if !self.fill(len)? {
            return Err(self.eof(len as u64));
        }
        let at = self.position();
        let bytes = &self.buffer[self.start..self.start + len];
        self.start += len;
        utf8_runes::bytes::validate(bytes)
            .map_err(|bad| Error::InvalidUtf8 { at: at + bad.valid_up_to() as u64 })
    }

    /// Empties the buffer without reading: what it held is consumed.
    fn consume_all(&mut self) {
        self.base += self.end as u64;
        (self.start, self.end) = (0, 0);
    }

    #[cold]
    #[inline(never)]
    fn read_far(&mut self, into: &mut [u8]) -> Result<(), Error> {
        let eof = self.eof(into.len() as u64);
        let (near, mut rest) = into.split_at_mut(self.end - self.start);
        near.copy_from_slice(self.buffered());
        self.consume_all();
        while rest.len() >= BUFFER {
            // No need to pass through the buffer.
            match read_some(&mut self.inner, rest)? {
                0 => return Err(eof),
                n => {
                    self.base += n as u64;
                    rest = &mut rest[n..];
                }
            }
        }
        if !self.fill(rest.len())? {
            self.consume_all();
            return Err(eof);
        }
        rest.copy_from_slice(&self.buffer[..rest.len()]);
        self.start = rest.len();
        Ok(())
    }

    #[cold]
    fn eof(&self, need: u64) -> Error {
        Error::UnexpectedEof { at: self.position(), need }
    }
}

/// One reading; 0 at the end of the stream only.
fn read_some<R: Read>(from: &mut R, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(into) {
            Ok(n) => return Ok(n.min(into.len())),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl<R: Read> DataInput for ReadInput<R> {
    #[inline]
    fn read_byte(&mut self) -> Result<u8, Error> {
        if self.start == self.end && !self.fill(1)? {
            return Err(self.eof(1));
        }
        let byte = self.buffer[self.start];
        self.start += 1;
        Ok(byte)
    }

    #[inline]
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        match self.buffered().get(..into.len()) {
            Some(bytes) => {
                into.copy_from_slice(bytes);
                self.start += into.len();
                Ok(())
            }
            None => self.read_far(into),
        }
    }

    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        let eof = self.eof(n);
        let mut left = n;
        loop {
            let near = left.min((self.end - self.start) as u64);
            self.start += near as usize;
            left -= near;
            if left == 0 {
                return Ok(());
            }
            if !self.fill(1)? {
                return Err(eof);
            }
        }
    }

    #[inline]
    fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    fn lend(&mut self) -> Result<&[u8], Error> {
        if self.start == self.end {
            self.fill(1)?;
        }
        Ok(self.buffered())
    }

    #[inline]
    fn read_vint(&mut self) -> Result<i32, Error> {
        match self.buffered() {
            [byte @ 0..=0x7F, ..] => {
                let value = i32::from(*byte);
                self.start += 1;
                Ok(value)
            }
            bytes => match varint::vint(bytes) {
                Ok((value, width)) => {
                    self.start += width;
                    Ok(value)
                }
                // Also at the end of the buffer: byte by byte asks for no more than there must be.
                Err(_) => bytewise::vint(self),
            },
        }
    }

    #[inline]
    fn read_vlong(&mut self) -> Result<i64, Error> {
        match varint::vlong(self.buffered(), VLONG_MAX) {
            Ok((value, width)) => {
                self.start += width;
                Ok(value)
            }
            Err(_) => bytewise::vlong(self, VLONG_MAX),
        }
    }

    fn read_string(&mut self) -> Result<String, Error> {
        let len = bytewise::string_length(self)?;
        if len <= BUFFER {
            return self.buffered_str(len).map(String::from);
        }
        let mut text = String::new();
        bytewise::string_body(self, len, &mut text)?;
        Ok(text)
    }

    fn read_string_into(&mut self, into: &mut String) -> Result<(), Error> {
        into.clear();
        let len = bytewise::string_length(self)?;
        if len > BUFFER {
            return bytewise::string_body(self, len, into);
        }
        into.push_str(self.buffered_str(len)?);
        Ok(())
    }
}
