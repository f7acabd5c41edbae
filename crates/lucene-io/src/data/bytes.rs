//! Feature `bytes`: reading `Bytes` without a copy, writing to `BytesMut`.

use super::through::{advance, data_input_in_memory};
use super::{DataInput, DataOutput, IndexOutput, SliceInput};
use crate::Error;
use ::bytes::{BufMut, Bytes, BytesMut};
use alloc::string::String;

/// Reads [`Bytes`] as [`SliceInput`] reads a slice, and shares what lies in them: what
/// [`take`](Self::take) gives is the same memory, and may outlive the input.
///
/// ```
/// use bytes::Bytes;
/// use lucene_io::{BytesInput, DataInput};
///
/// let mut input = BytesInput::new(Bytes::from_static(b"\x07\x05terms\x02\xFF\xFErest"));
/// assert_eq!(input.read_vint()?, 7);
/// assert_eq!(input.read_str()?, "terms"); // borrowed
/// let key: Bytes = input.read_byte_slice()?; // shared
/// assert_eq!(key, [0xFF, 0xFE].as_slice());
/// assert_eq!(input.take(4)?, "rest");
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BytesInput {
    bytes: Bytes,
    /// At most the length.
    at: usize,
}

impl From<Bytes> for BytesInput {
    fn from(bytes: Bytes) -> Self {
        Self::new(bytes)
    }
}

impl BytesInput {
    /// Begins at the first byte.
    #[must_use]
    pub const fn new(bytes: Bytes) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes are left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next `n` bytes, shared.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`].
    pub fn take(&mut self, n: usize) -> Result<Bytes, Error> {
        if n > self.remaining() {
            return Err(Error::UnexpectedEof { at: self.position(), need: n as u64 });
        }
        let start = self.at;
        self.at += n;
        Ok(self.bytes.slice(start..self.at))
    }

    /// Bytes behind their length (a vInt), shared.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`] and [`Error::NegativeLength`] from the length, and
    /// [`Error::UnexpectedEof`].
    pub fn read_byte_slice(&mut self) -> Result<Bytes, Error> {
        let len = advance(&self.bytes, &mut self.at, SliceInput::read_byte_slice)?.len();
        Ok(self.bytes.slice(self.at - len..self.at))
    }

    /// As [`SliceInput::read_str`]: a string where it lies.
    ///
    /// # Errors
    /// As there.
    pub fn read_str(&mut self) -> Result<&str, Error> {
        advance(&self.bytes, &mut self.at, SliceInput::read_str)
    }
}

data_input_in_memory!(BytesInput);

/// Feature `bytes`. Appends, as to a `Vec<u8>`; never fails for want of room.
///
/// ```
/// use bytes::BytesMut;
/// use lucene_io::{DataOutput, codec};
///
/// let mut file = BytesMut::new();
/// codec::write_header(&mut file, "FooBar", 1)?;
/// file.write_string("terms")?;
/// codec::write_footer(&mut file)?;
/// codec::checksum_entire_file(&file.freeze())?;
/// # Ok::<(), lucene_io::Error>(())
/// ```
impl DataOutput for BytesMut {
    #[inline]
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.put_u8(byte);
        Ok(())
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Feature `bytes`. They are the file: what they held before counts too.
impl IndexOutput for BytesMut {
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
