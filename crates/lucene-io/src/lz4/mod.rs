//! LZ4 blocks as Lucene's stored fields hold them: no frame, no checksum, no length.
//!
//! For what general LZ4 libraries do not do: stop at an exact length and say how much of the input
//! that took (Lucene stores several blocks one behind the other and the length of none), read only
//! as far as is asked for, and write the very bytes that Lucene 4.1 to 4.10 and Lucene.NET 4.8
//! write.
//!
//! ```
//! use lucene_io::lz4::{self, Compression, Compressor};
//!
//! let text = b"to be, or not to be: that is the question whether to be or not to be";
//! let mut compressor = Compressor::new(Compression::LuceneExact); // reuse it: it allocates once
//! let mut block = Vec::new();
//! compressor.compress(text, &mut block)?;
//! assert!(block.len() < text.len());
//!
//! let mut back = Vec::new();
//! assert_eq!(lz4::decompress(&block, text.len(), &mut back)?, block.len());
//! assert_eq!(back, text);
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! Lucene lets a match begin 10 bytes before the end of a block, the LZ4 library wants 12: it refuses
//! some of the blocks that [`Compression::LuceneExact`] writes, as it does Java's.
//! [`Compression::Fast`] keeps to its rules.

mod common;
mod decode;
mod encode;
mod exact;
mod fast;
mod sink;
mod table;

pub use encode::Compressor;

use crate::Error;
use alloc::vec::Vec;

/// How blocks are compressed. Every Lucene reads all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Compression {
    /// The bytes that Lucene 4.1 to 4.10 and Lucene.NET 4.8 write (their `CompressionMode.FAST`).
    #[default]
    LuceneExact,
    /// Faster, by much where there is little to find: what does not compress is soon passed over.
    /// On text a few per cent smaller than Lucene's; of digits and GUIDs, where there is little to find, it
    /// finds next to nothing.
    Fast,
    /// Not compressed at all: one run of literals. The fastest to write and to read.
    Literals,
}

/// Appends the `len` bytes that a block stands for to `into`, and gives how many bytes of
/// `compressed` the block takes; what follows them is not looked at.
///
/// As Lucene does, a block is taken to end where `len` bytes are reached, with a match too.
///
/// # Errors
/// [`Error::Corrupt`] when the block is not LZ4, is cut short or stands for more or fewer bytes;
/// `into` is then as it was. No more is reserved than `compressed` can yield, 255 times its length.
pub fn decompress(compressed: &[u8], len: usize, into: &mut Vec<u8>) -> Result<usize, Error> {
    most(compressed, len)?;
    grown(len, into, |bytes| Ok((decompress_into(compressed, bytes)?, len)))
}

/// [`decompress`] into memory that is there already, and fills all of it: a buffer that is kept
/// between blocks need not be cleared for each.
///
/// # Errors
/// As [`decompress`]; what is in `into` is then of no meaning.
pub fn decompress_into(compressed: &[u8], into: &mut [u8]) -> Result<usize, Error> {
    let want = into.len();
    Ok(decode::decode(compressed, into, want)?.0)
}

/// Appends the beginning of the `len` bytes that a block stands for to `into`: at least `want`
/// bytes, up to the end of the sequence that reaches them, and never more than `len`.
///
/// ```
/// use lucene_io::lz4;
///
/// let block = b"\x1f\x00\x01\x00\x07\x50\x00\x00\x00\x00\x00"; // 32 zeros
/// let mut start = Vec::new();
/// lz4::decompress_prefix(block, 32, 10, &mut start)?;
/// assert_eq!(start, [0; 27]);
/// # Ok::<(), lucene_io::Error>(())
/// ```
///
/// # Errors
/// [`Error::Corrupt`] when the block is damaged before `want` bytes are reached, goes beyond `len`
/// there, or `want` is above `len`; `into` is then as it was.
pub fn decompress_prefix(
    compressed: &[u8],
    len: usize,
    want: usize,
    into: &mut Vec<u8>,
) -> Result<(), Error> {
    if want > len {
        return Err(corrupt("it is shorter than what is asked of it"));
    }
    let most = most(compressed, want)?.min(len);
    grown(most, into, |bytes| Ok(((), decompress_prefix_into(compressed, bytes, want)?)))
}

/// [`decompress_prefix`] into memory that is there already and as long as the whole block; gives
/// how many bytes at its beginning are those of the block.
///
/// # Errors
/// As [`decompress_prefix`]; what is in `into` is then of no meaning.
pub fn decompress_prefix_into(
    compressed: &[u8],
    into: &mut [u8],
    want: usize,
) -> Result<usize, Error> {
    if want > into.len() {
        return Err(corrupt("it is shorter than what is asked of it"));
    }
    Ok(decode::decode(compressed, into, want)?.1)
}

/// How many bytes a block can yield at most; an error when that is not `enough`. A byte of it adds
/// 255 to a length, and whoever declares more must not make us reserve it.
fn most(compressed: &[u8], enough: usize) -> Result<usize, Error> {
    let most = compressed.len().saturating_mul(255);
    if most < enough {
        return Err(corrupt("it cannot hold as many bytes as declared"));
    }
    Ok(most)
}

/// Runs `fill` on `len` new bytes behind `into` and keeps as many as it says.
fn grown<T>(
    len: usize,
    into: &mut Vec<u8>,
    fill: impl FnOnce(&mut [u8]) -> Result<(T, usize), Error>,
) -> Result<T, Error> {
    let start = into.len();
    into.resize(start + len, 0);
    match fill(&mut into[start..]) {
        Ok((value, kept)) => {
            into.truncate(start + kept);
            Ok(value)
        }
        Err(error) => {
            into.truncate(start);
            Err(error)
        }
    }
}

const fn corrupt(what: &'static str) -> Error {
    Error::Corrupt { file: "LZ4 block", what }
}
