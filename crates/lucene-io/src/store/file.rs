//! A file that is read from any place, and an input over a part of it.

use crate::{DataInput, Error, ReadInput};
use core::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::vec::Vec;

/// The most that is allocated ahead of the bytes that a length promises.
const STEP: u64 = 64 * 1024;

/// Bytes that can be read from any place by several threads; after
/// `org.apache.lucene.store.RandomAccessInput`.
#[allow(clippy::len_without_is_empty, reason = "nobody asks")]
pub trait RandomAccessInput: Send + Sync {
    /// How many bytes there are.
    fn len(&self) -> u64;

    /// Fills `into` with what lies from `at` on.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] when it ends before, and [`Error::Io`].
    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error>;

    /// All bytes, where they lie in memory.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }
}

impl RandomAccessInput for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        let found = usize::try_from(at)
            .ok()
            .and_then(|start| self.get(start..start.checked_add(into.len())?));
        let need = into.len() as u64;
        into.copy_from_slice(found.ok_or(Error::UnexpectedEof { at, need })?);
        Ok(())
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self)
    }
}

/// A file or a part of one, shared and not copied when it is cloned. Positions are counted from its
/// own first byte.
#[derive(Clone)]
pub struct FileSlice {
    file: Arc<dyn RandomAccessInput>,
    start: u64,
    len: u64,
}

impl fmt::Debug for FileSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileSlice").field("start", &self.start).field("len", &self.len).finish()
    }
}

impl FileSlice {
    /// All of a file.
    #[must_use]
    pub fn new(file: Arc<dyn RandomAccessInput>) -> Self {
        let len = file.len();
        Self { file, start: 0, len }
    }

    /// How many bytes it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A part of this part.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] when it does not lie within.
    pub fn slice(&self, at: u64, len: u64) -> Result<Self, Error> {
        self.within(at, len)?;
        Ok(Self { file: Arc::clone(&self.file), start: self.start + at, len })
    }

    /// Fills `into` with what lies from `at` on.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] when it ends before, and [`Error::Io`].
    pub fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        self.within(at, into.len() as u64)?;
        self.file.read_at(self.start + at, into)
    }

    /// All its bytes, where they lie in memory.
    #[must_use]
    pub fn as_slice(&self) -> Option<&[u8]> {
        let start = usize::try_from(self.start).ok()?;
        let len = usize::try_from(self.len).ok()?;
        self.file.as_slice()?.get(start..start.checked_add(len)?)
    }

    /// Reads it from its first byte.
    #[must_use]
    pub fn input(&self) -> FileInput {
        FileInput { inner: ReadInput::new(Reader { file: self.clone(), at: 0 }), len: self.len }
    }

    fn within(&self, at: u64, need: u64) -> Result<(), Error> {
        match at.checked_add(need) {
            Some(end) if end <= self.len => Ok(()),
            _ => Err(Error::UnexpectedEof { at, need }),
        }
    }
}

/// Reads a [`FileSlice`] from its first byte to its last, through a buffer of 16 KiB. It knows what
/// is left.
#[derive(Debug)]
pub struct FileInput {
    inner: ReadInput<Reader>,
    len: u64,
}

/// `io::Read` of a file slice.
struct Reader {
    file: FileSlice,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = (self.file.len - self.at).min(into.len() as u64);
        self.file.read_at(self.at, &mut into[..n as usize])?;
        self.at += n;
        Ok(n as usize)
    }
}

impl DataInput for FileInput {
    #[inline]
    fn read_byte(&mut self) -> Result<u8, Error> {
        self.inner.read_byte()
    }

    #[inline]
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        self.inner.read_bytes(into)
    }

    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        self.inner.skip_bytes(n)
    }

    #[inline]
    fn position(&self) -> u64 {
        self.inner.position()
    }

    #[inline]
    fn bytes_left(&self) -> Option<u64> {
        Some(self.len - self.inner.position())
    }

    #[inline]
    fn read_vint(&mut self) -> Result<i32, Error> {
        self.inner.read_vint()
    }

    #[inline]
    fn read_vlong(&mut self) -> Result<i64, Error> {
        self.inner.read_vlong()
    }
}

/// All that an input has, read into memory; `len` is not believed beyond what comes.
pub(super) fn read_whole(mut input: impl DataInput, len: u64) -> Result<FileSlice, Error> {
    let mut bytes = Vec::new();
    let mut left = len;
    while left > 0 {
        let from = bytes.len();
        let n = left.min(STEP) as usize;
        bytes.resize(from + n, 0);
        input.read_bytes(&mut bytes[from..])?;
        left -= n as u64;
    }
    Ok(FileSlice::new(Arc::new(bytes)))
}
