//! `DataInput`: what a format is read with.

use super::bytewise::{array, body, group, map, set, string_into, string_length, vint, vlong};
use super::varint::{self, VLONG_MAX, ZLONG_MAX};
use crate::Error;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// Reads Lucene's primitives; after `org.apache.lucene.store.DataInput`.
///
/// Four methods are required, the rest are made of them.
///
/// ```
/// use lucene_io::{DataInput, SliceInput};
///
/// let mut input = SliceInput::new(&[0xAC, 0x02, 3, b'n', 0xC3, 0xA9]);
/// assert_eq!(input.read_vint()?, 300);
/// assert_eq!(input.read_string()?, "né");
/// assert_eq!(input.position(), 6);
/// # Ok::<(), lucene_io::Error>(())
/// ```
///
/// # To implement it
///
/// * The end is [`Error::UnexpectedEof`], and no other error: readers that go on until the end, and
///   those that report one read where they made several, know it by that.
/// * [`bytes_left`](Self::bytes_left), where it is given, is exact. It is what a declared length is
///   held against; one that says more than there is has its bytes allocated before the read fails.
/// * [`lend`](Self::lend) lends the bytes that the next read would give, and moves nothing. Override
///   it or not, but where it lends, [`skip_bytes`](Self::skip_bytes) passes over what was lent.
/// * The methods for integers and strings may be overridden for speed; what they read, consume and
///   refuse is fixed.
///
/// # Errors
/// Every method gives [`Error::UnexpectedEof`] where the input ends too soon, and what the source
/// gives ([`Error::Io`]); what else it may give is said at the method. A string whose body is
/// missing has its length consumed, and `at` is where the body begins.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait DataInput {
    /// One byte.
    fn read_byte(&mut self) -> Result<u8, Error>;

    /// Fills `into`; no byte is needed to fill an empty one.
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error>;

    /// Passes over `n` bytes, which must be there.
    fn skip_bytes(&mut self, n: u64) -> Result<(), Error>;

    /// How many bytes were consumed.
    fn position(&self) -> u64;

    /// How many bytes are left, where that is known without reading. A declared length is checked
    /// against it before anything is allocated.
    fn bytes_left(&self) -> Option<u64> {
        None
    }

    /// Lends what lies ahead in memory, after reading on when that would be nothing. Empty at the
    /// end, and always where an input has no memory to lend; [`skip_bytes`](Self::skip_bytes)
    /// consumes what was used. Spares [`copy_bytes`](crate::DataOutput::copy_bytes) a buffer of its
    /// own.
    fn lend(&mut self) -> Result<&[u8], Error> {
        Ok(&[])
    }

    /// 2 bytes, big-endian.
    fn read_i16(&mut self) -> Result<i16, Error> {
        array(self).map(i16::from_be_bytes)
    }

    /// 4 bytes, big-endian.
    fn read_i32(&mut self) -> Result<i32, Error> {
        array(self).map(i32::from_be_bytes)
    }

    /// 8 bytes, big-endian.
    fn read_i64(&mut self) -> Result<i64, Error> {
        array(self).map(i64::from_be_bytes)
    }

    /// 2 bytes, little-endian (Lucene 9).
    fn read_i16_le(&mut self) -> Result<i16, Error> {
        array(self).map(i16::from_le_bytes)
    }

    /// 4 bytes, little-endian (Lucene 9).
    fn read_i32_le(&mut self) -> Result<i32, Error> {
        array(self).map(i32::from_le_bytes)
    }

    /// 8 bytes, little-endian (Lucene 9).
    fn read_i64_le(&mut self) -> Result<i64, Error> {
        array(self).map(i64::from_le_bytes)
    }

    /// 1 to 5 bytes of 7 bits, the low ones first. More bytes than needed are accepted.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`], with five bytes consumed.
    fn read_vint(&mut self) -> Result<i32, Error> {
        vint(self)
    }

    /// 1 to 9 bytes of 7 bits, the low ones first; never negative.
    ///
    /// # Errors
    /// [`Error::InvalidVLong`], with nine bytes consumed.
    fn read_vlong(&mut self) -> Result<i64, Error> {
        vlong(self, VLONG_MAX)
    }

    /// What [`write_zint`](crate::DataOutput::write_zint) wrote.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`], with five bytes consumed.
    fn read_zint(&mut self) -> Result<i32, Error> {
        self.read_vint().map(varint::zag_i32)
    }

    /// What [`write_zlong`](crate::DataOutput::write_zlong) wrote.
    ///
    /// # Errors
    /// [`Error::InvalidVLong`], with ten bytes consumed.
    fn read_zlong(&mut self) -> Result<i64, Error> {
        vlong(self, ZLONG_MAX).map(varint::zag_i64)
    }

    /// Fills `into` with what [`write_group_vints`](crate::DataOutput::write_group_vints) wrote;
    /// the format holds no count.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`] from one of the last three.
    fn read_group_vints(&mut self, into: &mut [u32]) -> Result<(), Error> {
        let (groups, rest) = into.as_chunks_mut::<4>();
        for values in groups {
            group(self, values)?;
        }
        for value in rest {
            *value = self.read_vint()? as u32;
        }
        Ok(())
    }

    /// A string of its own: exactly one allocation, none for an empty one (more only for one of
    /// more than 64 KiB from a stream, which grows by that much at a time).
    ///
    /// # Errors
    /// As [`read_string_into`](Self::read_string_into).
    fn read_string(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        self.read_string_into(&mut text)?;
        Ok(text)
    }

    /// Replaces `into`, reusing its memory; after an error it is empty.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`] and [`Error::NegativeLength`] from the length, and
    /// [`Error::InvalidUtf8`], with the whole string consumed.
    fn read_string_into(&mut self, into: &mut String) -> Result<(), Error> {
        string_into(self, into)
    }

    /// A string in which whatever is not UTF-8 becomes U+FFFD, as
    /// [`String::from_utf8_lossy`] (and the WHATWG and .NET) does it: one for each maximal part of
    /// a sequence. Java gives the same but for an encoded surrogate, one U+FFFD instead of three.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`] and [`Error::NegativeLength`] from the length.
    fn read_string_lossy(&mut self) -> Result<String, Error> {
        let len = string_length(self)?;
        let mut bytes = Vec::new();
        body(self, len, &mut bytes)?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(bad) => String::from_utf8_lossy(bad.as_bytes()).into_owned(),
        })
    }

    /// A map as Lucene 4 writes it, with a count of 4 bytes. The last value of a repeated key wins
    /// and a negative count is empty, as in Java.
    ///
    /// # Errors
    /// As [`read_string`](Self::read_string).
    fn read_string_string_map(&mut self) -> Result<BTreeMap<String, String>, Error> {
        let count = self.read_i32()?;
        map(self, count)
    }

    /// A map as Lucene 5 and later write it, with a vInt as count; otherwise as
    /// [`read_string_string_map`](Self::read_string_string_map).
    ///
    /// # Errors
    /// [`Error::InvalidVInt`], and as [`read_string`](Self::read_string).
    fn read_map_of_strings(&mut self) -> Result<BTreeMap<String, String>, Error> {
        let count = self.read_vint()?;
        map(self, count)
    }

    /// A set as Lucene 4 writes it, with a count of 4 bytes. A negative count is empty.
    ///
    /// # Errors
    /// As [`read_string`](Self::read_string).
    fn read_string_set(&mut self) -> Result<BTreeSet<String>, Error> {
        let count = self.read_i32()?;
        set(self, count)
    }

    /// A set as Lucene 5 and later write it, with a vInt as count. A negative count is empty.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`], and as [`read_string`](Self::read_string).
    fn read_set_of_strings(&mut self) -> Result<BTreeSet<String>, Error> {
        let count = self.read_vint()?;
        set(self, count)
    }
}

impl<T: DataInput + ?Sized> DataInput for &mut T {
    fn read_byte(&mut self) -> Result<u8, Error> {
        (**self).read_byte()
    }
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        (**self).read_bytes(into)
    }
    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        (**self).skip_bytes(n)
    }
    fn position(&self) -> u64 {
        (**self).position()
    }
    fn bytes_left(&self) -> Option<u64> {
        (**self).bytes_left()
    }
    fn lend(&mut self) -> Result<&[u8], Error> {
        (**self).lend()
    }
    fn read_i16(&mut self) -> Result<i16, Error> {
        (**self).read_i16()
    }
    fn read_i32(&mut self) -> Result<i32, Error> {
        (**self).read_i32()
    }
    fn read_i64(&mut self) -> Result<i64, Error> {
        (**self).read_i64()
    }
    fn read_i16_le(&mut self) -> Result<i16, Error> {
        (**self).read_i16_le()
    }
    fn read_i32_le(&mut self) -> Result<i32, Error> {
        (**self).read_i32_le()
    }
    fn read_i64_le(&mut self) -> Result<i64, Error> {
        (**self).read_i64_le()
    }
    fn read_vint(&mut self) -> Result<i32, Error> {
        (**self).read_vint()
    }
    fn read_vlong(&mut self) -> Result<i64, Error> {
        (**self).read_vlong()
    }
    fn read_zint(&mut self) -> Result<i32, Error> {
        (**self).read_zint()
    }
    fn read_zlong(&mut self) -> Result<i64, Error> {
        (**self).read_zlong()
    }
    fn read_group_vints(&mut self, into: &mut [u32]) -> Result<(), Error> {
        (**self).read_group_vints(into)
    }
    fn read_string(&mut self) -> Result<String, Error> {
        (**self).read_string()
    }
    fn read_string_into(&mut self, into: &mut String) -> Result<(), Error> {
        (**self).read_string_into(into)
    }
    fn read_string_lossy(&mut self) -> Result<String, Error> {
        (**self).read_string_lossy()
    }
    fn read_string_string_map(&mut self) -> Result<BTreeMap<String, String>, Error> {
        (**self).read_string_string_map()
    }
    fn read_map_of_strings(&mut self) -> Result<BTreeMap<String, String>, Error> {
        (**self).read_map_of_strings()
    }
    fn read_string_set(&mut self) -> Result<BTreeSet<String>, Error> {
        (**self).read_string_set()
    }
    fn read_set_of_strings(&mut self) -> Result<BTreeSet<String>, Error> {
        (**self).read_set_of_strings()
    }
}
