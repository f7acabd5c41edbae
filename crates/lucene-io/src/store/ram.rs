//! A directory in memory.

use super::{Directory, FileInput, FileSlice, check_name};
use crate::{DataOutput, Error, IndexOutput, WriteOutput};
use core::fmt;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

type Files = BTreeMap<String, Arc<Vec<u8>>>;

/// Files in memory, for tests and for indexes that are sent elsewhere. A clone is the same directory.
///
/// A file is there, and empty, from when it is created; its bytes are there when its output was
/// closed.
#[derive(Clone, Default)]
pub struct RamDirectory {
    files: Arc<Mutex<Files>>,
}

impl fmt::Debug for RamDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.files();
        f.debug_map().entries(files.iter().map(|(name, bytes)| (name, bytes.len()))).finish()
    }
}

impl RamDirectory {
    /// An empty directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The map is whole whatever a thread did that panicked: each change is one call.
    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes(&self, name: &str) -> Result<Arc<Vec<u8>>, Error> {
        check_name(name)?;
        self.files().get(name).cloned().ok_or_else(not_found)
    }
}

fn not_found() -> Error {
    Error::Io(ErrorKind::NotFound.into())
}

impl Directory for RamDirectory {
    type Input = FileInput;
    type Output = RamOutput;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(self.files().keys().cloned().collect())
    }

    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.bytes(name).map(|bytes| bytes.len() as u64)
    }

    fn open_input(&self, name: &str) -> Result<FileInput, Error> {
        self.open_file(name).map(|file| file.input())
    }

    fn create_output(&self, name: &str) -> Result<RamOutput, Error> {
        check_name(name)?;
        let mut files = self.files();
        if files.contains_key(name) {
            return Err(Error::Io(ErrorKind::AlreadyExists.into()));
        }
        files.insert(name.into(), Arc::default());
        let bytes = Bytes { name: name.into(), bytes: Vec::new(), files: Arc::clone(&self.files) };
        Ok(RamOutput(WriteOutput::new(bytes)))
    }

    fn delete_file(&self, name: &str) -> Result<(), Error> {
        check_name(name)?;
        self.files().remove(name).map(drop).ok_or_else(not_found)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        check_name(from)?;
        check_name(to)?;
        let mut files = self.files();
        let bytes = files.remove(from).ok_or_else(not_found)?;
        files.insert(to.into(), bytes);
        Ok(())
    }

    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        names.iter().try_for_each(|name| self.bytes(name).map(drop))
    }

    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        Ok(FileSlice::new(self.bytes(name)?))
    }
}

/// Writes a file of a [`RamDirectory`].
#[derive(Debug)]
pub struct RamOutput(WriteOutput<Bytes>);

/// What was written of a file, and where it goes.
struct Bytes {
    name: String,
    bytes: Vec<u8>,
    files: Arc<Mutex<Files>>,
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DataOutput for RamOutput {
    #[inline]
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.0.write_byte(byte)
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write_bytes(bytes)
    }
}

impl IndexOutput for RamOutput {
    fn position(&self) -> u64 {
        self.0.position()
    }

    fn checksum(&mut self) -> u32 {
        self.0.checksum()
    }

    fn close(self) -> Result<(), Error> {
        let Bytes { name, bytes, files } = self.0.finish()?;
        files.lock().unwrap_or_else(PoisonError::into_inner).insert(name, Arc::new(bytes));
        Ok(())
    }
}
