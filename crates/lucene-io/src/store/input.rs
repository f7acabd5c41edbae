//! A file that is read from its first byte to its last.

use super::FileSlice;
use crate::data::through::{integers_through_slice, through};
use crate::data::{string_body, string_length};
use crate::{DataInput, Error, SliceInput};
use core::fmt;
use std::string::String;
use std::vec::Vec;

/// As Lucene's.
const BUFFER: usize = 16 * 1024;

/// Reads a [`FileSlice`] through a buffer of 16 KiB, or as large as it is.
///
/// As on a slice, a read of more than is left moves nothing, and skipping reads nothing. A clone
/// stands at the same place and goes on by itself, on another thread if need be.
///
/// ```
/// use lucene_io::{DataInput, store::FileSlice};
///
/// let mut input = FileSlice::from(b"\x01a\x01b".to_vec()).input();
/// let mut clone = input.clone();
/// clone.seek(2)?;
/// assert_eq!((input.read_string()?, clone.read_string()?), ("a".into(), "b".into()));
/// # Ok::<(), lucene_io::Error>(())
/// ```
pub struct FileInput {
    file: FileSlice,
    /// Allocated by the first reading.
    buffer: Vec<u8>,
    /// What is buffered and not consumed.
    start: usize,
    end: usize,
    /// Where in the file the buffer begins.
    base: u64,
}

impl fmt::Debug for FileInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileInput")
            .field("file", &self.file)
            .field("position", &self.position())
            .field("buffered", &(self.end - self.start))
            .finish()
    }
}

impl Clone for FileInput {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.file.clone());
        clone.base = self.position();
        clone
    }
}

impl FileInput {
    pub(super) fn new(file: FileSlice) -> Self {
        Self { file, buffer: Vec::new(), start: 0, end: 0, base: 0 }
    }

    /// What is read, from its first byte.
    #[must_use]
    pub fn file(&self) -> &FileSlice {
        &self.file
    }

    /// Goes on at `position`. Nothing is read.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] when it is beyond the end; nothing has moved then.
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        self.file.within(position, 0)?;
        match position.checked_sub(self.base) {
            Some(start) if start <= self.end as u64 => self.start = start as usize,
            _ => {
                (self.start, self.end) = (0, 0);
                self.base = position;
            }
        }
        Ok(())
    }

    #[inline]
    fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn left(&self) -> u64 {
        self.file.len() - self.position()
    }

    fn eof(&self, need: u64) -> Error {
        Error::UnexpectedEof { at: self.position(), need }
    }

    /// Buffers `need` bytes, at most the buffer, or all that are left.
    #[cold]
    #[inline(never)]
    fn fill(&mut self, need: usize) -> Result<(), Error> {
        if self.end - self.start >= need || self.file.len() == self.base + self.end as u64 {
            return Ok(());
        }
        if self.buffer.is_empty() {
            self.buffer.resize(self.file.len().min(BUFFER as u64) as usize, 0);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        let from = self.base + self.end as u64;
        let free = &mut self.buffer[self.end..];
        let n = (self.file.len() - from).min(free.len() as u64) as usize;
        self.file.read_at(from, &mut free[..n])?;
        self.end += n;
        Ok(())
    }

    /// Runs a call that consumes at most `most` bytes.
    #[inline]
    fn through<T>(
        &mut self,
        most: usize,
        call: impl FnOnce(&mut SliceInput<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.end - self.start < most {
            self.fill(most)?;
        }
        let position = self.position();
        let (used, result) = through(self.buffered(), position, call);
        self.start += used;
        result
    }

    /// The body of a string that the buffer can hold.
    fn buffered_str(&mut self, len: usize) -> Result<&str, Error> {
        if self.buffered().len() < len {
            if self.left() < len as u64 {
                return Err(self.eof(len as u64));
            }
            self.fill(len)?;
        }
        let at = self.position();
        let bytes = &self.buffer[self.start..self.start + len];
        self.start += len;
        utf8_runes::bytes::validate(bytes)
            .map_err(|bad| Error::InvalidUtf8 { at: at + bad.valid_up_to() as u64 })
    }

    #[cold]
    #[inline(never)]
    fn read_far(&mut self, into: &mut [u8]) -> Result<(), Error> {
        let need = into.len();
        if self.left() < need as u64 {
            return Err(self.eof(need as u64));
        }
        if need < BUFFER {
            return self.through(need, |input| input.read_bytes(into));
        }
        // No need to pass through the buffer.
        let position = self.position();
        let (near, far) = into.split_at_mut(self.end - self.start);
        near.copy_from_slice(self.buffered());
        self.file.read_at(position + near.len() as u64, far).map_err(|error| match error {
            // It was cut short since it was opened.
            Error::UnexpectedEof { .. } => self.eof(need as u64),
            other => other,
        })?;
        (self.start, self.end) = (0, 0);
        self.base = position + need as u64;
        Ok(())
    }
}

impl DataInput for FileInput {
    #[inline]
    fn read_byte(&mut self) -> Result<u8, Error> {
        if let [byte, ..] = *self.buffered() {
            self.start += 1;
            return Ok(byte);
        }
        self.through(1, |input| input.read_byte())
    }

    #[inline]
    fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
        match self.buffered().get(..into.len()) {
            Some(bytes) => {
                into.copy_from_slice(bytes);
                self.start += into.len();
                Ok(())
            }
            None => self.read_far(into),
        }
    }

    fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
        if self.left() < n {
            return Err(self.eof(n));
        }
        self.seek(self.position() + n)
    }

    #[inline]
    fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    #[inline]
    fn bytes_left(&self) -> Option<u64> {
        Some(self.left())
    }

    fn lend(&mut self) -> Result<&[u8], Error> {
        if self.start < self.end {
            return Ok(self.buffered());
        }
        if self.file.as_slice().is_none() {
            self.fill(1)?;
            return Ok(self.buffered());
        }
        // All of it lies in memory: there is nothing to buffer.
        let at = usize::try_from(self.position()).ok();
        let rest = self.file.as_slice().zip(at).and_then(|(bytes, at)| bytes.get(at..));
        Ok(rest.unwrap_or_default())
    }

    integers_through_slice!();

    #[inline]
    fn read_vint(&mut self) -> Result<i32, Error> {
        // Most lengths and field tags.
        if let [byte @ 0..=0x7F, ..] = *self.buffered() {
            self.start += 1;
            return Ok(i32::from(byte));
        }
        self.through(5, |input| input.read_vint())
    }

    fn read_string(&mut self) -> Result<String, Error> {
        let len = string_length(self)?;
        if len <= BUFFER {
            return self.buffered_str(len).map(String::from);
        }
        let mut text = String::new();
        string_body(self, len, &mut text)?;
        Ok(text)
    }

    fn read_string_into(&mut self, into: &mut String) -> Result<(), Error> {
        into.clear();
        let len = string_length(self)?;
        if len > BUFFER {
            return string_body(self, len, into);
        }
        into.push_str(self.buffered_str(len)?);
        Ok(())
    }
}
