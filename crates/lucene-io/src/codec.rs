//! Headers and footers of files; after `org.apache.lucene.codecs.CodecUtil`.
//!
//! | part | bytes, big-endian in every version |
//! |---|---|
//! | header | magic `3f d7 6c 17`, codec name as a string, version (4) |
//! | index header (Lucene 5) | a header, an id (16), a suffix behind its length in one byte |
//! | footer (Lucene 4.8) | magic `c0 28 93 e8`, algorithm 0 (4), CRC-32 of all before it (8) |
//!
//! Verify a file first and parse it then: damage is then always a checksum failure, and not
//! whatever the parser stumbles over.
//!
//! ```
//! use lucene_io::{ChecksumInput, DataInput, DataOutput, SliceInput, codec};
//!
//! let mut file = Vec::new();
//! codec::write_header(&mut file, "FooBar", 1)?;
//! file.write_string("hi")?;
//! codec::write_footer(&mut file)?;
//!
//! codec::checksum_entire_file(&file)?;
//! let mut input = ChecksumInput::new(SliceInput::new(&file));
//! assert_eq!(codec::check_header(&mut input, "FooBar", 0..=1)?, 1);
//! assert_eq!(input.read_string()?, "hi");
//! codec::check_footer(&mut input)?;
//! # Ok::<(), lucene_io::Error>(())
//! ```

use crate::{ChecksumInput, DataInput, DataOutput, Error, IndexOutput};
use core::ops::RangeInclusive;

/// The first four bytes of a header.
pub const CODEC_MAGIC: i32 = 0x3FD7_6C17;
/// The first four bytes of a footer.
pub const FOOTER_MAGIC: i32 = !CODEC_MAGIC;
/// How many bytes a footer has.
pub const FOOTER_LENGTH: usize = 16;

/// The only algorithm there is: CRC-32 (IEEE), zero-extended to 8 bytes.
const ALGORITHM: i32 = 0;

/// Writes a header: 9 bytes and the name.
///
/// # Errors
/// [`Error::InvalidName`] when `codec` has 128 bytes or more or is not ASCII, and what the output
/// gives.
pub fn write_header<O>(out: &mut O, codec: &str, version: i32) -> Result<(), Error>
where
    O: DataOutput + ?Sized,
{
    if codec.len() >= 128 || !codec.is_ascii() {
        return Err(Error::InvalidName);
    }
    out.write_i32(CODEC_MAGIC)?;
    out.write_string(codec)?;
    out.write_i32(version)
}

/// Reads a header and gives the version. Nothing is allocated.
///
/// # Errors
/// [`Error::HeaderMismatch`], [`Error::CodecMismatch`], [`Error::VersionTooOld`],
/// [`Error::VersionTooNew`], and what the input gives.
pub fn check_header<I>(
    input: &mut I,
    codec: &str,
    versions: RangeInclusive<i32>,
) -> Result<i32, Error>
where
    I: DataInput + ?Sized,
{
    if input.read_i32()? != CODEC_MAGIC {
        return Err(Error::HeaderMismatch);
    }
    if usize::try_from(input.read_vint()?) != Ok(codec.len()) || !same(input, codec.as_bytes())? {
        return Err(Error::CodecMismatch);
    }
    let actual = input.read_i32()?;
    let (min, max) = versions.into_inner();
    if actual < min {
        Err(Error::VersionTooOld { actual, min, max })
    } else if actual > max {
        Err(Error::VersionTooNew { actual, min, max })
    } else {
        Ok(actual)
    }
}

/// Writes an index header: a header, the id of the segment or commit, and a suffix (often empty).
///
/// # Errors
/// [`Error::InvalidName`] when `codec` has 128 bytes or more, `suffix` 256 or more, or one of them
/// is not ASCII; and what the output gives.
pub fn write_index_header<O>(
    out: &mut O,
    codec: &str,
    version: i32,
    id: &[u8; 16],
    suffix: &str,
) -> Result<(), Error>
where
    O: DataOutput + ?Sized,
{
    let length = match u8::try_from(suffix.len()) {
        Ok(length) if suffix.is_ascii() => length,
        _ => return Err(Error::InvalidName),
    };
    write_header(out, codec, version)?;
    out.write_bytes(id)?;
    out.write_byte(length)?;
    out.write_bytes(suffix.as_bytes())
}

/// Reads an index header and gives the version. Nothing is allocated.
///
/// # Errors
/// As [`check_header`]; [`Error::HeaderMismatch`] also when the id or the suffix is another.
pub fn check_index_header<I>(
    input: &mut I,
    codec: &str,
    versions: RangeInclusive<i32>,
    id: &[u8; 16],
    suffix: &str,
) -> Result<i32, Error>
where
    I: DataInput + ?Sized,
{
    let version = check_header(input, codec, versions)?;
    if !same(input, id)?
        || usize::from(input.read_byte()?) != suffix.len()
        || !same(input, suffix.as_bytes())?
    {
        return Err(Error::HeaderMismatch);
    }
    Ok(version)
}

/// Ends a file with a footer: 16 bytes with the checksum of all that the output has written.
///
/// # Errors
/// What the output gives.
pub fn write_footer<O>(out: &mut O) -> Result<(), Error>
where
    O: IndexOutput + ?Sized,
{
    end(out).map(drop)
}

/// As [`write_footer`]; gives the checksum.
pub(crate) fn end<O>(out: &mut O) -> Result<u32, Error>
where
    O: IndexOutput + ?Sized,
{
    out.write_i32(FOOTER_MAGIC)?;
    out.write_i32(ALGORITHM)?;
    let checksum = out.checksum();
    out.write_i64(i64::from(checksum))?;
    Ok(checksum)
}

/// Reads the footer, which must end the input, and gives the checksum, which must be that of all
/// that was read before. `input` has hashed the file from its first byte.
///
/// # Errors
/// [`Error::Truncated`] when fewer than 16 bytes are left, [`Error::FooterMismatch`],
/// [`Error::ChecksumMismatch`], [`Error::Corrupt`] when bytes follow or the checksum has more than
/// 32 bits, and what the input gives.
pub fn check_footer<I: DataInput>(input: &mut ChecksumInput<I>) -> Result<u32, Error> {
    if input.bytes_left().is_some_and(|left| left < FOOTER_LENGTH as u64) {
        return Err(Error::Truncated);
    }
    let mut head = [0; 8];
    input.read_bytes(&mut head).map_err(Error::of_file)?;
    let actual = input.checksum();
    // What is too short is that first of all, also where the input does not know its end.
    let mut stored = [0; 8];
    input.read_bytes(&mut stored).map_err(Error::of_file)?;
    check_footer_head(head)?;
    compare(stored, actual)?;
    match input.read_byte() {
        Err(Error::UnexpectedEof { .. }) => Ok(actual),
        Err(other) => Err(other),
        Ok(_) => Err(Error::Corrupt { file: "codec footer", what: "bytes follow it" }),
    }
}

/// The checksum that the footer at the end of a file holds, without computing it.
///
/// # Errors
/// [`Error::Truncated`] below 16 bytes, [`Error::FooterMismatch`], and [`Error::Corrupt`] when the
/// checksum has more than 32 bits.
pub fn retrieve_checksum(file: &[u8]) -> Result<u32, Error> {
    split_footer(file).and_then(|(_, stored)| checksum_of(stored))
}

/// Verifies a file against the footer at its end and gives the checksum.
///
/// # Errors
/// As [`retrieve_checksum`], and [`Error::ChecksumMismatch`].
pub fn checksum_entire_file(file: &[u8]) -> Result<u32, Error> {
    let (hashed, stored) = split_footer(file)?;
    // A value that is no CRC-32 is found before the time is spent.
    checksum_of(stored)?;
    compare(stored, crc32fast::hash(hashed))
}

/// What a footer's checksum is of, and the 8 bytes that hold it.
fn split_footer(file: &[u8]) -> Result<(&[u8], [u8; 8]), Error> {
    let (before, footer) = file.split_last_chunk::<FOOTER_LENGTH>().ok_or(Error::Truncated)?;
    let [m0, m1, m2, m3, a0, a1, a2, a3, stored @ ..] = *footer;
    check_footer_head([m0, m1, m2, m3, a0, a1, a2, a3])?;
    Ok((&file[..before.len() + 8], stored))
}

fn check_footer_head(head: [u8; 8]) -> Result<(), Error> {
    let expected = i64::from(FOOTER_MAGIC) << 32 | i64::from(ALGORITHM);
    if i64::from_be_bytes(head) == expected { Ok(()) } else { Err(Error::FooterMismatch) }
}

fn checksum_of(stored: [u8; 8]) -> Result<u32, Error> {
    u32::try_from(u64::from_be_bytes(stored))
        .map_err(|_| Error::Corrupt { file: "codec footer", what: "checksum above 32 bits" })
}

fn compare(stored: [u8; 8], actual: u32) -> Result<u32, Error> {
    let expected = checksum_of(stored)?;
    if expected == actual { Ok(actual) } else { Err(Error::ChecksumMismatch { expected, actual }) }
}

/// Whether the next bytes are these; reads as many, by pieces of a buffer on the stack.
fn same<I: DataInput + ?Sized>(input: &mut I, bytes: &[u8]) -> Result<bool, Error> {
    let mut buffer = [0; 32];
    let mut same = true;
    for piece in bytes.chunks(buffer.len()) {
        let read = &mut buffer[..piece.len()];
        input.read_bytes(read)?;
        same &= read == piece;
    }
    Ok(same)
}
