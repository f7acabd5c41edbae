//! Files mapped into memory; what is unsafe about that is in `raw`.

use super::raw::{Map, MmapDirectory};
use super::{Directory, FileSlice};
use crate::data::through::{advance, data_input_in_memory};
use crate::{DataInput, Error, SliceInput, WriteOutput};
use core::fmt;
use std::fs::File;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

/// Reads a file mapped into memory, and lends what lies in it.
///
/// It reads as [`SliceInput`] does, but owns its bytes; a clone shares them, and stands at the same
/// place.
///
/// ```no_run
/// use lucene_io::{DataInput, MmapInput, codec};
///
/// // SAFETY: nothing writes to the file or makes it shorter while it is mapped.
/// let mut input = unsafe { MmapInput::open("_0.dict")? };
/// codec::checksum_entire_file(input.as_slice())?;
/// codec::check_header(&mut input, "Dict", 0..=0)?;
/// let first: &str = input.read_str()?; // where it lies
///
/// // Several at a time, as far as they are wanted.
/// let mut words = input.slice_input();
/// let (second, third) = (words.read_str()?, words.read_str()?);
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone)]
pub struct MmapInput {
    bytes: Arc<Map>,
    /// At most the length.
    at: usize,
}

impl fmt::Debug for MmapInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MmapInput")
            .field("position", &self.at)
            .field("remaining", &(self.bytes.len() - self.at))
            .finish()
    }
}

impl MmapInput {
    pub(super) fn new(bytes: Arc<Map>) -> Self {
        Self { bytes, at: 0 }
    }

    /// All bytes of the file.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads what is left, counting from there, and leaves this input where it is.
    #[must_use]
    pub fn slice_input(&self) -> SliceInput<'_> {
        SliceInput::new(&self.bytes[self.at..])
    }

    /// Goes on at `position`.
    ///
    /// # Errors
    /// [`Error::UnexpectedEof`] when it is beyond the end; nothing has moved then.
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        match usize::try_from(position) {
            Ok(at) if at <= self.bytes.len() => {
                self.at = at;
                Ok(())
            }
            _ => Err(Error::UnexpectedEof { at: position, need: 0 }),
        }
    }

    /// As [`SliceInput::read_str`]: a string where it lies.
    ///
    /// # Errors
    /// As there.
    pub fn read_str(&mut self) -> Result<&str, Error> {
        advance(&self.bytes, &mut self.at, SliceInput::read_str)
    }

    /// As [`SliceInput::read_byte_slice`]: bytes behind their length, where they lie.
    ///
    /// # Errors
    /// As there.
    pub fn read_byte_slice(&mut self) -> Result<&[u8], Error> {
        advance(&self.bytes, &mut self.at, SliceInput::read_byte_slice)
    }
}

data_input_in_memory!(MmapInput);

impl Directory for MmapDirectory {
    type Input = MmapInput;
    type Output = WriteOutput<File>;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        self.unmapped().list_all()
    }

    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.unmapped().file_length(name)
    }

    fn open_input(&self, name: &str) -> Result<MmapInput, Error> {
        self.map(name).map(MmapInput::new)
    }

    fn create_output(&self, name: &str) -> Result<WriteOutput<File>, Error> {
        self.unmapped().create_output(name)
    }

    fn delete_file(&self, name: &str) -> Result<(), Error> {
        self.unmapped().delete_file(name)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        self.unmapped().rename(from, to)
    }

    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        self.unmapped().sync(names)
    }

    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        Ok(FileSlice::new(self.map(name)?))
    }
}
