//! `DataOutput`: what a format is written with, and `IndexOutput`: a file that knows its checksum.

use super::varint;
use super::{DataInput, utf16};
use crate::Error;

/// Writes Lucene's primitives; after `org.apache.lucene.store.DataOutput`.
///
/// Two methods are required, the rest are made of them. Fixed-width integers are big-endian up to
/// Lucene 8 (and in Lucene.NET 4.8) and little-endian (`_le`) since Lucene 9; the headers and
/// footers of [`codec`](crate::codec) are big-endian in both.
///
/// ```
/// use lucene_io::DataOutput;
///
/// let mut out = Vec::new();
/// out.write_vint(300)?;
/// out.write_string("né")?;
/// assert_eq!(out, [0xAC, 0x02, 3, b'n', 0xC3, 0xA9]);
/// # Ok::<(), lucene_io::Error>(())
/// ```
///
/// The trait is dyn-compatible. Generic methods need a sized `Self`, which a reference to a trait
/// object is:
///
/// ```
/// use lucene_io::{DataOutput, SliceInput};
///
/// let mut sink = Vec::new();
/// let mut out: &mut dyn DataOutput = &mut sink;
/// out.write_vint(1)?;
/// (&mut out).copy_bytes(&mut SliceInput::new(b"abc"), 2)?;
/// assert_eq!(sink, [1, b'a', b'b']);
/// # Ok::<(), lucene_io::Error>(())
/// ```
///
/// # Errors
/// Every method gives what the sink gives ([`Error::OutputFull`], [`Error::Io`]); what else it may
/// give is said at the method.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait DataOutput {
    /// One byte.
    fn write_byte(&mut self, byte: u8) -> Result<(), Error>;

    /// All of `bytes`, with no length.
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// 2 bytes, big-endian.
    fn write_i16(&mut self, value: i16) -> Result<(), Error> {
        self.write_bytes(&value.to_be_bytes())
    }

    /// 4 bytes, big-endian.
    fn write_i32(&mut self, value: i32) -> Result<(), Error> {
        self.write_bytes(&value.to_be_bytes())
    }

    /// 8 bytes, big-endian.
    fn write_i64(&mut self, value: i64) -> Result<(), Error> {
        self.write_bytes(&value.to_be_bytes())
    }

    /// 2 bytes, little-endian (Lucene 9).
    fn write_i16_le(&mut self, value: i16) -> Result<(), Error> {
        self.write_bytes(&value.to_le_bytes())
    }

    /// 4 bytes, little-endian (Lucene 9).
    fn write_i32_le(&mut self, value: i32) -> Result<(), Error> {
        self.write_bytes(&value.to_le_bytes())
    }

    /// 8 bytes, little-endian (Lucene 9).
    fn write_i64_le(&mut self, value: i64) -> Result<(), Error> {
        self.write_bytes(&value.to_le_bytes())
    }

    /// 1 to 5 bytes of 7 bits, the low ones first; a negative value takes 5.
    fn write_vint(&mut self, value: i32) -> Result<(), Error> {
        if let 0..=0x7F = value {
            return self.write_byte(value as u8);
        }
        let (bytes, width) = varint::encode_vint(value as u32);
        self.write_bytes(&bytes[..width])
    }

    /// 1 to 9 bytes of 7 bits, the low ones first.
    ///
    /// # Errors
    /// [`Error::NegativeVLong`]: use [`write_zlong`](Self::write_zlong).
    fn write_vlong(&mut self, value: i64) -> Result<(), Error> {
        match value {
            0..=0x7F => self.write_byte(value as u8),
            0x80.. => {
                let (bytes, width) = varint::encode_vlong(value as u64);
                self.write_bytes(&bytes[..width])
            }
            _ => Err(Error::NegativeVLong),
        }
    }

    /// A vInt of the zigzag form: 1 to 5 bytes, few for a small magnitude of either sign (Lucene 5).
    fn write_zint(&mut self, value: i32) -> Result<(), Error> {
        self.write_vint(varint::zig_i32(value))
    }

    /// A vLong of the zigzag form, of all 64 bits: 1 to 10 bytes (Lucene 5).
    fn write_zlong(&mut self, value: i64) -> Result<(), Error> {
        let (bytes, width) = varint::encode_vlong(varint::zig_i64(value) as u64);
        self.write_bytes(&bytes[..width])
    }

    /// Unsigned values in groups of four: a byte of four two-bit widths (the first value in the top
    /// bits), then the values in 1 to 4 little-endian bytes each; one to three that are left over
    /// are vInts (Lucene 9.9).
    fn write_group_vints(&mut self, values: &[u32]) -> Result<(), Error> {
        let (groups, rest) = values.as_chunks::<4>();
        for group in groups {
            let mut bytes = [0; 17];
            let mut end = 1;
            for &value in group {
                let width = (4 - (value | 1).leading_zeros() / 8) as usize;
                bytes[0] = bytes[0] << 2 | (width - 1) as u8;
                bytes[end..end + width].copy_from_slice(&value.to_le_bytes()[..width]);
                end += width;
            }
            self.write_bytes(&bytes[..end])?;
        }
        rest.iter().try_for_each(|&value| self.write_vint(value as i32))
    }

    /// The length in bytes as a vInt, then the UTF-8 as it is.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` bytes.
    fn write_string(&mut self, text: &str) -> Result<(), Error> {
        self.write_vint(length(text.len())?)?;
        self.write_bytes(text.as_bytes())
    }

    /// UTF-16 as a string: the length in bytes as a vInt, then UTF-8, with U+FFFD (3 bytes) for
    /// each lone surrogate, as Java and .NET write it. No temporary lies on the heap.
    ///
    /// ```
    /// use lucene_io::DataOutput;
    ///
    /// let units: Vec<u16> = "🙂".encode_utf16().chain([0xD83D]).collect();
    /// let mut out = Vec::new();
    /// out.write_utf16(&units)?;
    /// assert_eq!(out, "\u{7}🙂\u{FFFD}".as_bytes());
    /// # Ok::<(), lucene_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` bytes of UTF-8.
    fn write_utf16(&mut self, units: &[u16]) -> Result<(), Error> {
        utf16::write(self, units)
    }

    /// A map as Lucene 4 writes it: the count as 4 bytes, then each key and value as strings, in
    /// the order given.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` entries, or bytes of a string.
    fn write_string_string_map<'a, I>(&mut self, entries: I) -> Result<(), Error>
    where
        Self: Sized,
        I: IntoIterator<Item = (&'a str, &'a str)>,
        I::IntoIter: ExactSizeIterator,
    {
        let entries = entries.into_iter();
        self.write_i32(length(entries.len())?)?;
        pairs(self, entries)
    }

    /// A map as Lucene 5 and later write it: the count as a vInt, then each key and value as
    /// strings, in the order given.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` entries, or bytes of a string.
    fn write_map_of_strings<'a, I>(&mut self, entries: I) -> Result<(), Error>
    where
        Self: Sized,
        I: IntoIterator<Item = (&'a str, &'a str)>,
        I::IntoIter: ExactSizeIterator,
    {
        let entries = entries.into_iter();
        self.write_vint(length(entries.len())?)?;
        pairs(self, entries)
    }

    /// A set as Lucene 4 writes it: the count as 4 bytes, then the strings in the order given.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` entries, or bytes of a string.
    fn write_string_set<'a, I>(&mut self, entries: I) -> Result<(), Error>
    where
        Self: Sized,
        I: IntoIterator<Item = &'a str>,
        I::IntoIter: ExactSizeIterator,
    {
        let mut entries = entries.into_iter();
        self.write_i32(length(entries.len())?)?;
        entries.try_for_each(|text| self.write_string(text))
    }

    /// A set as Lucene 5 and later write it: the count as a vInt, then the strings in the order
    /// given.
    ///
    /// # Errors
    /// [`Error::TooLong`] above `i32::MAX` entries, or bytes of a string.
    fn write_set_of_strings<'a, I>(&mut self, entries: I) -> Result<(), Error>
    where
        Self: Sized,
        I: IntoIterator<Item = &'a str>,
        I::IntoIter: ExactSizeIterator,
    {
        let mut entries = entries.into_iter();
        self.write_vint(length(entries.len())?)?;
        entries.try_for_each(|text| self.write_string(text))
    }

    /// Copies the next `n` bytes of an input. Nothing moves when the input knows that it has fewer
    /// (a slice does); otherwise what was read before an error is written.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] for all `n` bytes when the input has fewer.
    fn copy_bytes<I>(&mut self, from: &mut I, n: u64) -> Result<(), Error>
    where
        Self: Sized,
        I: DataInput + ?Sized,
    {
        copy(self, from, n)
    }
}

/// An output that is a file: it has a position, a checksum and an end.
pub trait IndexOutput: DataOutput {
    /// How many bytes were written.
    fn position(&self) -> u64;

    /// CRC-32 (IEEE) of all bytes written so far, those in a buffer included.
    fn checksum(&mut self) -> u32;

    /// Hands everything down and ends the file.
    ///
    /// # Errors
    /// [`Error::Io`] when the rest cannot be written. There is no second try: the output is gone.
    fn close(self) -> Result<(), Error>
    where
        Self: Sized;
}

impl<T: DataOutput + ?Sized> DataOutput for &mut T {
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        (**self).write_byte(byte)
    }
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        (**self).write_bytes(bytes)
    }
    fn write_i16(&mut self, value: i16) -> Result<(), Error> {
        (**self).write_i16(value)
    }
    fn write_i32(&mut self, value: i32) -> Result<(), Error> {
        (**self).write_i32(value)
    }
    fn write_i64(&mut self, value: i64) -> Result<(), Error> {
        (**self).write_i64(value)
    }
    fn write_i16_le(&mut self, value: i16) -> Result<(), Error> {
        (**self).write_i16_le(value)
    }
    fn write_i32_le(&mut self, value: i32) -> Result<(), Error> {
        (**self).write_i32_le(value)
    }
    fn write_i64_le(&mut self, value: i64) -> Result<(), Error> {
        (**self).write_i64_le(value)
    }
    fn write_vint(&mut self, value: i32) -> Result<(), Error> {
        (**self).write_vint(value)
    }
    fn write_vlong(&mut self, value: i64) -> Result<(), Error> {
        (**self).write_vlong(value)
    }
    fn write_zint(&mut self, value: i32) -> Result<(), Error> {
        (**self).write_zint(value)
    }
    fn write_zlong(&mut self, value: i64) -> Result<(), Error> {
        (**self).write_zlong(value)
    }
    fn write_group_vints(&mut self, values: &[u32]) -> Result<(), Error> {
        (**self).write_group_vints(values)
    }
    fn write_string(&mut self, text: &str) -> Result<(), Error> {
        (**self).write_string(text)
    }
    fn write_utf16(&mut self, units: &[u16]) -> Result<(), Error> {
        (**self).write_utf16(units)
    }
}

/// A length or count as the formats hold it.
#[inline]
pub(crate) fn length(n: usize) -> Result<i32, Error> {
    i32::try_from(n).map_err(|_| Error::TooLong { length: n as u64 })
}

fn pairs<'a, O: DataOutput>(
    out: &mut O,
    mut entries: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<(), Error> {
    entries.try_for_each(|(key, value)| {
        out.write_string(key)?;
        out.write_string(value)
    })
}

#[inline(never)]
fn copy<O, I>(out: &mut O, from: &mut I, n: u64) -> Result<(), Error>
where
    O: DataOutput,
    I: DataInput + ?Sized,
{
    let eof = Error::UnexpectedEof { at: from.position(), need: n };
    if from.bytes_left().is_some_and(|left| left < n) {
        return Err(eof);
    }
    let mut left = n;
    while left > 0 {
        let ahead = from.lend()?;
        let len = ahead.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let Some(piece @ [_, ..]) = ahead.get(..len) else {
            // Nothing is lent. Zeroing the large buffer would be most of a small copy.
            let copied = if left <= 256 {
                copy_through::<256, _, _>(out, from, left)
            } else {
                copy_through::<8192, _, _>(out, from, left)
            };
            return match copied {
                // As if it had been one read.
                Err(Error::UnexpectedEof { .. }) => Err(eof),
                other => other,
            };
        };
        out.write_bytes(piece)?;
        from.skip_bytes(len as u64)?;
        left -= len as u64;
    }
    Ok(())
}

#[inline(never)]
fn copy_through<const N: usize, O, I>(out: &mut O, from: &mut I, n: u64) -> Result<(), Error>
where
    O: DataOutput,
    I: DataInput + ?Sized,
{
    let mut buffer = [0; N];
    let mut left = n;
    while left > 0 {
        let piece = &mut buffer[..left.min(N as u64) as usize];
        from.read_bytes(piece)?;
        out.write_bytes(piece)?;
        left -= piece.len() as u64;
    }
    Ok(())
}
