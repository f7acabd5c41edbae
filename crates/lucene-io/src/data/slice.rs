//! Input from borrowed memory.

use super::varint::{self, Fault, VLONG_MAX, ZLONG_MAX};
use super::{DataInput, bytewise};
use crate::Error;
use alloc::string::String;
use core::fmt;

/// Reads from a slice and lends what lies in it.
///
/// A read that fails for want of bytes moves nothing, but for a vInt or vLong that the end cuts
/// short: its bytes are consumed, and [`Error::UnexpectedEof`] names the first missing one.
///
/// ```
/// use lucene_io::{DataInput, SliceInput};
///
/// let mut input = SliceInput::new(b"\x05termsrest");
/// assert_eq!(input.read_str()?, "terms"); // borrowed, nothing is allocated
/// assert_eq!(input.remaining(), 4);
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone)]
pub struct SliceInput<'a> {
    rest: &'a [u8],
    len: usize,
}

impl fmt::Debug for SliceInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SliceInput")
            .field("position", &self.position())
            .field("remaining", &self.remaining())
            .finish()
    }
}

impl<'a> SliceInput<'a> {
    /// Begins at the first byte.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, len: bytes.len() }
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// A string where it lies, checked to be UTF-8. Allocates nothing.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`] and [`Error::NegativeLength`] from the length,
    /// [`Error::UnexpectedEof`], and [`Error::InvalidUtf8`] with the whole string consumed.
    #[inline(always)]
    pub fn read_str(&mut self) -> Result<&'a str, Error> {
        // A length of one byte or two is what most have.
        let split = match self.rest {
            [len @ 0..=0x7F, behind @ ..] => behind.split_at_checked(usize::from(*len)),
            [low, high @ 0..=0x7F, behind @ ..] => {
                behind.split_at_checked(usize::from(low & 0x7F) | usize::from(*high) << 7)
            }
            _ => None,
        };
        if let Some((bytes, rest)) = split
            && let Ok(text) = utf8_runes::bytes::validate(bytes)
        {
            self.rest = rest;
            return Ok(text);
        }
        let (read, later) = any_str(self.clone());
        *self = later;
        read
    }

    /// Bytes behind their length (a vInt), where they lie.
    ///
    /// # Errors
    /// [`Error::InvalidVInt`] and [`Error::NegativeLength`] from the length, and
    /// [`Error::UnexpectedEof`].
    #[inline]
    pub fn read_byte_slice(&mut self) -> Result<&'a [u8], Error> {
        let len = bytewise::string_length(self)?;
        self.take(len)
    }

    #[inline]
    fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(n) else {
            return Err(self.eof(n as u64));
        };
        self.rest = rest;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let Some((taken, rest)) = self.rest.split_first_chunk() else {
            return Err(self.eof(N as u64));
        };
        self.rest = rest;
        Ok(*taken)
    }

    // None of what follows takes the input by reference but what is inlined: in a loop it then
    // stays in registers.

    #[inline]
    fn eof(&self, need: u64) -> Error {
        Error::UnexpectedEof { at: self.position(), need }
    }

    /// Consumes what a variable-length integer took, or what it spoilt.
    #[inline]
    fn variable<T>(
        &mut self,
        decoded: Result<(T, usize), Fault>,
        max: usize,
        bad: fn(u64) -> Error,
    ) -> Result<T, Error> {
        let at = self.position();
        match decoded {
            Ok((value, width)) => {
                self.rest = self.rest.get(width..).unwrap_or_default();
                Ok(value)
            }
            Err(fault) => {
                // A short one has fewer bytes than the most: all of them go.
                self.rest = self.rest.get(max..).unwrap_or_default();
                Err(match fault {
                    Fault::Bad => bad(at),
                    Fault::Short => self.eof(1),
                })
            }
        }
    }
}

/// [`SliceInput::read_str`] of any string. By value, so that the input of a loop stays in registers.
#[inline(never)]
fn any_str(mut input: SliceInput<'_>) -> (Result<&str, Error>, SliceInput<'_>) {
    let read = input.read_byte_slice().and_then(|bytes| {
        let start = input.position() - bytes.len() as u64;
        utf8_runes::bytes::validate(bytes)
            .map_err(|bad| Error::InvalidUtf8 { at: start + bad.valid_up_to() as u64 })
    });
    (read, input)
}

impl DataInput for SliceInput<'_> {
    #[inline]
    fn read_byte(&mut self) -> Result<u8, Error> {
        self.array().map(|[byte]| byte)
    }

    #[inline]
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        into.copy_from_slice(self.take(into.len())?);
        Ok(())
    }

    #[inline]
    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        match usize::try_from(n) {
            Ok(n) => self.take(n).map(drop),
            Err(_) => Err(self.eof(n)),
        }
    }

    #[inline]
    fn position(&self) -> u64 {
        (self.len - self.rest.len()) as u64
    }

    #[inline]
    fn bytes_left(&self) -> Option<u64> {
        Some(self.rest.len() as u64)
    }

    #[inline]
    fn lend(&mut self) -> Result<&[u8], Error> {
        Ok(self.rest)
    }

    #[inline]
    fn read_i16(&mut self) -> Result<i16, Error> {
        self.array().map(i16::from_be_bytes)
    }

    #[inline]
    fn read_i32(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_be_bytes)
    }

    #[inline]
    fn read_i64(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_be_bytes)
    }

    #[inline]
    fn read_i16_le(&mut self) -> Result<i16, Error> {
        self.array().map(i16::from_le_bytes)
    }

    #[inline]
    fn read_i32_le(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_le_bytes)
    }

    #[inline]
    fn read_i64_le(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_le_bytes)
    }

    #[inline]
    fn read_vint(&mut self) -> Result<i32, Error> {
        // Most lengths and field tags have one byte or two.
        match self.rest {
            [byte @ 0..=0x7F, rest @ ..] => {
                self.rest = rest;
                return Ok(i32::from(*byte));
            }
            [low, high @ 0..=0x7F, rest @ ..] => {
                self.rest = rest;
                return Ok(i32::from(low & 0x7F) | i32::from(*high) << 7);
            }
            _ => {}
        }
        let decoded = varint::vint(self.rest);
        self.variable(decoded, varint::VINT_MAX, |at| Error::InvalidVInt { at })
    }

    #[inline]
    fn read_vlong(&mut self) -> Result<i64, Error> {
        // So have the tags of stored fields.
        match self.rest {
            [byte @ 0..=0x7F, rest @ ..] => {
                self.rest = rest;
                return Ok(i64::from(*byte));
            }
            [low, high @ 0..=0x7F, rest @ ..] => {
                self.rest = rest;
                return Ok(i64::from(low & 0x7F) | i64::from(*high) << 7);
            }
            _ => {}
        }
        let decoded = varint::vlong(self.rest, VLONG_MAX);
        self.variable(decoded, VLONG_MAX, |at| Error::InvalidVLong { at })
    }

    fn read_group_vints(&mut self, into: &mut [u32]) -> Result<(), Error> {
        let (groups, rest) = into.as_chunks_mut::<4>();
        for group in groups {
            match varint::group(self.rest) {
                Some((values, width)) => {
                    *group = values;
                    self.rest = self.rest.get(width..).unwrap_or_default();
                }
                None => bytewise::group(self, group)?,
            }
        }
        for value in rest {
            *value = self.read_vint()? as u32;
        }
        Ok(())
    }

    fn read_zlong(&mut self) -> Result<i64, Error> {
        let decoded = varint::vlong(self.rest, ZLONG_MAX);
        let value = self.variable(decoded, ZLONG_MAX, |at| Error::InvalidVLong { at })?;
        Ok(varint::zag_i64(value))
    }

    #[inline]
    fn read_string(&mut self) -> Result<String, Error> {
        self.read_str().map(String::from)
    }

    #[inline]
    fn read_string_into(&mut self, into: &mut String) -> Result<(), Error> {
        into.clear();
        into.push_str(self.read_str()?);
        Ok(())
    }

    fn read_string_lossy(&mut self) -> Result<String, Error> {
        let bytes = self.read_byte_slice()?;
        Ok(match utf8_runes::bytes::validate(bytes) {
            Ok(text) => String::from(text),
            Err(_) => String::from_utf8_lossy(bytes).into_owned(),
        })
    }
}
