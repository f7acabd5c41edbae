//! The compressor and its table.

use super::table::Table;
use super::{Compression, exact, fast, sink};
use crate::Error;
use alloc::vec::Vec;
use core::fmt;

/// Compresses blocks, each on its own, and keeps its table between them: the first block allocates
/// it (64 KiB, and another 16 KiB for blocks above 64 KiB), later ones allocate nothing but what
/// the output needs.
#[derive(Clone)]
pub struct Compressor {
    compression: Compression,
    near: Table<u16>,
    far: Table<u32>,
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressor").field("compression", &self.compression).finish_non_exhaustive()
    }
}

impl Compressor {
    /// Allocates nothing yet.
    #[must_use]
    pub const fn new(compression: Compression) -> Self {
        Self { compression, near: Table::NEW, far: Table::NEW }
    }

    /// Appends one block that stands for `bytes` to `into`. No bytes at all are a block too, of one
    /// byte. What is written depends on `bytes` only, not on the blocks before.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` bytes.
    pub fn compress(&mut self, bytes: &[u8], into: &mut Vec<u8>) -> Result<(), Error> {
        if i32::try_from(bytes.len()).is_err() {
            return Err(Error::TooLong { length: bytes.len() as u64 });
        }
        let start = into.len();
        if self.compression == Compression::Literals {
            // Exactly what it takes, and no byte of it written twice.
            let long = bytes.len().checked_sub(15);
            into.reserve(2 + bytes.len() + bytes.len() / 255);
            into.push((bytes.len().min(15) << 4) as u8);
            if let Some(long) = long {
                into.resize(into.len() + long / 255, 255);
                into.push((long % 255) as u8);
            }
            into.extend_from_slice(bytes);
            return Ok(());
        }
        into.resize(start + sink::bound(bytes.len()), 0);
        let room = &mut into[start..];
        let written = match self.compression {
            Compression::LuceneExact => exact::compress(bytes, &mut self.near, &mut self.far, room),
            _ => fast::compress(bytes, &mut self.near, &mut self.far, room),
        };
        into.truncate(start + written);
        Ok(())
    }
}
