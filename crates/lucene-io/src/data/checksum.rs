//! An input that knows the checksum of what it gave.

use super::varint::{self, VLONG_MAX};
use super::{DataInput, bytewise};
use crate::Error;
use core::fmt;
use crc32fast::Hasher;

/// Small reads are gathered: the checksum is an order of magnitude slower on a few bytes at a time.
const GATHER: usize = 512;

/// Hashes all that is read from another input, what is skipped included; the way to
/// [`check_footer`](crate::codec::check_footer).
///
/// ```
/// use lucene_io::{ChecksumInput, DataInput, SliceInput};
///
/// let mut input = ChecksumInput::new(SliceInput::new(b"123456789"));
/// input.skip_bytes(8)?;
/// input.read_byte()?;
/// assert_eq!(input.checksum(), 0xCBF4_3926);
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone)]
pub struct ChecksumInput<I> {
    inner: I,
    read: Gathered,
}

impl<I: fmt::Debug> fmt::Debug for ChecksumInput<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChecksumInput")
            .field("inner", &self.inner)
            .field("checksum", &self.checksum())
            .finish()
    }
}

impl<I> ChecksumInput<I> {
    /// Begins with no byte hashed, wherever `inner` stands.
    #[must_use]
    pub fn new(inner: I) -> Self {
        Self { inner, read: Gathered { hasher: Hasher::new(), bytes: [0; GATHER], len: 0 } }
    }

    /// CRC-32 (IEEE) of all that was read through this.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let mut hasher = self.read.hasher.clone();
        hasher.update(&self.read.bytes[..self.read.len]);
        hasher.finalize()
    }

    /// The input underneath, where it stands.
    #[must_use]
    pub fn into_inner(self) -> I {
        self.inner
    }
}

/// What was read, the last of it not hashed yet.
#[derive(Clone)]
struct Gathered {
    hasher: Hasher,
    bytes: [u8; GATHER],
    len: usize,
}

impl Gathered {
    #[inline]
    fn add(&mut self, bytes: &[u8]) {
        if let Some(free) = self.bytes[self.len..].get_mut(..bytes.len()) {
            free.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.hash(bytes);
        }
    }

    #[inline(never)]
    fn hash(&mut self, bytes: &[u8]) {
        self.hasher.update(&self.bytes[..self.len]);
        self.len = 0;
        if bytes.len() < GATHER {
            self.add(bytes);
        } else {
            self.hasher.update(bytes);
        }
    }
}

impl<I: DataInput> ChecksumInput<I> {
    /// [`skip_bytes`](DataInput::skip_bytes) of an input that lends nothing.
    fn read_over(&mut self, n: u64) -> Result<(), Error> {
        let mut buffer = [0; 1024];
        let mut left = n;
        while left > 0 {
            let piece = &mut buffer[..left.min(1024) as usize];
            self.read_bytes(piece)?;
            left -= piece.len() as u64;
        }
        Ok(())
    }

    /// A variable-length integer that the input lends all of.
    #[inline]
    fn lent<T>(
        &mut self,
        decode: impl Fn(&[u8]) -> Option<(T, usize)>,
    ) -> Result<Option<T>, Error> {
        let ahead = self.inner.lend()?;
        let Some((value, width)) = decode(ahead) else { return Ok(None) };
        self.read.add(&ahead[..width]);
        self.inner.skip_bytes(width as u64)?;
        Ok(Some(value))
    }
}

impl<I: DataInput> DataInput for ChecksumInput<I> {
    #[inline]
    fn read_byte(&mut self) -> Result<u8, Error> {
        let byte = self.inner.read_byte()?;
        self.read.add(&[byte]);
        Ok(byte)
    }

    #[inline]
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        self.inner.read_bytes(into)?;
        self.read.add(into);
        Ok(())
    }

    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        let eof = Error::UnexpectedEof { at: self.position(), need: n };
        if self.bytes_left().is_some_and(|left| left < n) {
            return Err(eof);
        }
        let mut left = n;
        while left > 0 {
            let ahead = self.inner.lend()?;
            let len = ahead.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let Some(piece @ [_, ..]) = ahead.get(..len) else {
                return match self.read_over(left) {
                    // As if it had been one read.
                    Err(Error::UnexpectedEof { .. }) => Err(eof),
                    other => other,
                };
            };
            self.read.add(piece);
            self.inner.skip_bytes(len as u64)?;
            left -= len as u64;
        }
        Ok(())
    }

    #[inline]
    fn position(&self) -> u64 {
        self.inner.position()
    }

    #[inline]
    fn bytes_left(&self) -> Option<u64> {
        self.inner.bytes_left()
    }

    #[inline]
    fn lend(&mut self) -> Result<&[u8], Error> {
        self.inner.lend()
    }

    fn read_vint(&mut self) -> Result<i32, Error> {
        match self.lent(|ahead| varint::vint(ahead).ok())? {
            Some(value) => Ok(value),
            // Cut by the end of what is lent, or bad.
            None => bytewise::vint(self),
        }
    }

    fn read_vlong(&mut self) -> Result<i64, Error> {
        match self.lent(|ahead| varint::vlong(ahead, VLONG_MAX).ok())? {
            Some(value) => Ok(value),
            None => bytewise::vlong(self, VLONG_MAX),
        }
    }
}
