//! A file that is read from any place, and parts of it.

use super::FileInput;
use crate::{Error, codec};
use alloc::boxed::Box;
use core::fmt;
use crc32fast::Hasher;
use std::sync::Arc;
use std::vec::Vec;

/// Bytes that can be read from any place by several threads; after
/// `org.apache.lucene.store.RandomAccessInput`.
///
/// `Vec<u8>`, `Box<[u8]>`, `Arc<[u8]>` and `&'static [u8]` are some, and `Bytes` with feature
/// `bytes`.
///
/// ```
/// use lucene_io::store::{FileSlice, RandomAccessInput};
/// use lucene_io::{DataInput, Error};
/// use std::sync::Arc;
///
/// /// A gigabyte of zeros; or blocks of an object store.
/// struct Zeros;
///
/// impl RandomAccessInput for Zeros {
///     fn length(&self) -> u64 {
///         1 << 30
///     }
///     fn read_at(&self, _: u64, into: &mut [u8]) -> Result<(), Error> {
///         into.fill(0);
///         Ok(())
///     }
/// }
///
/// let mut input = FileSlice::new(Arc::new(Zeros)).input();
/// input.seek((1 << 30) - 8)?;
/// assert_eq!(input.read_i64()?, 0);
/// assert!(input.read_byte().is_err());
/// # Ok::<(), Error>(())
/// ```
pub trait RandomAccessInput: Send + Sync {
    /// How many bytes there are: always as many, for a [`FileSlice`] asks once.
    // Lucene's name; `len` would be found before that of a slice wherever the trait is in scope.
    fn length(&self) -> u64;

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

/// What lies in memory.
macro_rules! random_access_of_bytes {
    ($($type:ty),*) => {$(
        impl RandomAccessInput for $type {
            fn length(&self) -> u64 {
                (**self).len() as u64
            }

            fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
                copy(self, at, into)
            }

            fn as_slice(&self) -> Option<&[u8]> {
                Some(self)
            }
        }
    )*};
}
pub(super) use random_access_of_bytes;

random_access_of_bytes!(Vec<u8>, Box<[u8]>, Arc<[u8]>, &'static [u8]);
#[cfg(feature = "bytes")]
random_access_of_bytes!(::bytes::Bytes);

pub(super) fn copy(bytes: &[u8], at: u64, into: &mut [u8]) -> Result<(), Error> {
    let need = into.len();
    let found =
        usize::try_from(at).ok().and_then(|start| bytes.get(start..start.checked_add(need)?));
    into.copy_from_slice(found.ok_or(Error::UnexpectedEof { at, need: need as u64 })?);
    Ok(())
}

/// A file or a part of one, shared and not copied when it is cloned. Positions are counted from its
/// own first byte.
///
/// ```
/// use lucene_io::{DataInput, store::FileSlice};
///
/// let file = FileSlice::from(b"..\x05terms..".to_vec());
/// let part = file.slice(2, 6)?;
/// assert_eq!(part.input().read_string()?, "terms");
/// assert!(part.slice(2, 6).is_err());
/// # Ok::<(), lucene_io::Error>(())
/// ```
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

impl From<Vec<u8>> for FileSlice {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(Arc::new(bytes))
    }
}

impl FileSlice {
    /// All of a file, as long as it is now.
    #[must_use]
    pub fn new(file: Arc<dyn RandomAccessInput>) -> Self {
        let len = file.length();
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
        let need = into.len() as u64;
        self.within(at, need)?;
        self.file.read_at(self.start + at, into).map_err(|error| match error {
            // A file that was cut short since it was opened: still counted from our first byte.
            Error::UnexpectedEof { .. } => Error::UnexpectedEof { at, need },
            other => other,
        })
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
        FileInput::new(self.clone())
    }

    /// As [`codec::retrieve_checksum`]: what the footer holds, without computing it.
    ///
    /// # Errors
    /// As there, and [`Error::Io`].
    pub fn retrieve_checksum(&self) -> Result<u32, Error> {
        let mut footer = [0; codec::FOOTER_LENGTH];
        let at = self.len.checked_sub(footer.len() as u64).ok_or(Error::Truncated)?;
        self.read_at(at, &mut footer)?;
        codec::retrieve_checksum(&footer)
    }

    /// As [`codec::checksum_entire_file`]: verifies it against the footer at its end. What does not
    /// lie in memory is read in pieces.
    ///
    /// # Errors
    /// As there, and [`Error::Io`].
    pub fn checksum_entire_file(&self) -> Result<u32, Error> {
        if let Some(bytes) = self.as_slice() {
            return codec::checksum_entire_file(bytes);
        }
        let expected = self.retrieve_checksum()?;
        // The checksum is of all that comes before it.
        let end = self.len - 8;
        let mut piece = std::vec![0; end.min(PIECE as u64) as usize];
        let mut hasher = Hasher::new();
        let mut at = 0;
        while at < end {
            let n = (end - at).min(PIECE as u64) as usize;
            self.read_at(at, &mut piece[..n])?;
            hasher.update(&piece[..n]);
            at += n as u64;
        }
        let actual = hasher.finalize();
        if actual == expected {
            Ok(actual)
        } else {
            Err(Error::ChecksumMismatch { expected, actual })
        }
    }

    pub(super) fn within(&self, at: u64, need: u64) -> Result<(), Error> {
        match at.checked_add(need) {
            Some(end) if end <= self.len => Ok(()),
            _ => Err(Error::UnexpectedEof { at, need }),
        }
    }
}

/// What is hashed at a time: large enough for the checksum's full speed, small enough for the cache.
const PIECE: usize = 64 * 1024;
