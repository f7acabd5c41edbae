//! An input that knows the checksum of what it gave.

use super::DataInput;
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
    hasher: Hasher,
    gathered: [u8; GATHER],
    len: usize,
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
        Self { inner, hasher: Hasher::new(), gathered: [0; GATHER], len: 0 }
    }

    /// CRC-32 (IEEE) of all that was read through this.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let mut hasher = self.hasher.clone();
        hasher.update(&self.gathered[..self.len]);
        hasher.finalize()
    }

    /// The input underneath, where it stands.
    #[must_use]
    pub fn into_inner(self) -> I {
        self.inner
    }

    #[inline]
    fn hash(&mut self, bytes: &[u8]) {
        if let Some(free) = self.gathered[self.len..].get_mut(..bytes.len()) {
            free.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.hash_now(bytes);
        }
    }

    fn hash_now(&mut self, bytes: &[u8]) {
        self.hasher.update(&self.gathered[..self.len]);
        self.len = 0;
        if bytes.len() < GATHER {
            self.hash(bytes);
        } else {
            self.hasher.update(bytes);
        }
    }
}

impl<I: DataInput> DataInput for ChecksumInput<I> {
    #[inline]
    fn read_byte(&mut self) -> Result<u8, Error> {
        let byte = self.inner.read_byte()?;
        self.hash(&[byte]);
        Ok(byte)
    }

    #[inline]
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        self.inner.read_bytes(into)?;
        self.hash(into);
        Ok(())
    }

    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        let eof = Error::UnexpectedEof { at: self.position(), need: n };
        if self.bytes_left().is_some_and(|left| left < n) {
            return Err(eof);
        }
        let mut buffer = [0; 1024];
        let mut left = n;
        while left > 0 {
            let piece = &mut buffer[..left.min(1024) as usize];
            match self.read_bytes(piece) {
                Ok(()) => left -= piece.len() as u64,
                // As if it had been one read.
                Err(Error::UnexpectedEof { .. }) => return Err(eof),
                Err(other) => return Err(other),
            }
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
}
