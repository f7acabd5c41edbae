//! A directory in memory.

use super::file::{copy, random_access_of_bytes};
use super::{Directory, FileInput, FileSlice, RandomAccessInput, check_name, not_found};
use crate::{DataOutput, Error, IndexOutput, WriteOutput};
use core::fmt;
use core::ops::Deref;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::vec::Vec;

/// A file, empty until it was closed. As on Unix, it is not its name: who writes or reads it may go
/// on when the name is gone or another file's.
#[derive(Default)]
struct RamFile(OnceLock<Vec<u8>>);

impl Deref for RamFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get().map_or(&[], Vec::as_slice)
    }
}

random_access_of_bytes!(RamFile);

/// Files in memory, for tests and for indexes that are sent elsewhere. A clone is the same directory.
///
/// A file is there, and empty, from when it is created; its bytes are there when its output was
/// closed.
///
/// ```
/// use lucene_io::{DataInput, DataOutput, IndexOutput};
/// use lucene_io::store::{Directory, RamDirectory};
///
/// let dir = RamDirectory::new();
/// let mut out = dir.create_output("a.txt")?;
/// out.write_string("terms")?;
/// out.close()?;
/// assert_eq!(dir.list_all()?, ["a.txt"]);
/// assert_eq!(dir.open_input("a.txt")?.read_string()?, "terms");
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct RamDirectory {
    files: Arc<Mutex<BTreeMap<String, Arc<RamFile>>>>,
}

impl fmt::Debug for RamDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.files();
        f.debug_map().entries(files.iter().map(|(name, file)| (name, (***file).len()))).finish()
    }
}

impl RamDirectory {
    /// An empty directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The map is whole whatever a thread did that panicked: each change is one call.
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Arc<RamFile>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, name: &str) -> Result<Arc<RamFile>, Error> {
        check_name(name)?;
        self.files().get(name).cloned().ok_or_else(not_found)
    }
}

impl Directory for RamDirectory {
    type Input = FileInput;
    type Output = RamOutput;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(self.files().keys().cloned().collect())
    }

    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.file(name).map(|file| (**file).len() as u64)
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
        let file = Arc::<RamFile>::default();
        files.insert(name.into(), Arc::clone(&file));
        Ok(RamOutput(WriteOutput::new(Bytes { bytes: Vec::new(), file })))
    }

    fn delete_file(&self, name: &str) -> Result<(), Error> {
        check_name(name)?;
        self.files().remove(name).map(drop).ok_or_else(not_found)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        check_name(from)?;
        check_name(to)?;
        let mut files = self.files();
        let file = files.remove(from).ok_or_else(not_found)?;
        files.insert(to.into(), file);
        Ok(())
    }

    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        names.iter().try_for_each(|name| self.file(name).map(drop))
    }

    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        Ok(FileSlice::new(self.file(name)?))
    }
}

/// Writes a file of a [`RamDirectory`].
#[derive(Debug)]
pub struct RamOutput(WriteOutput<Bytes>);

/// What was written of a file, and where it goes.
struct Bytes {
    bytes: Vec<u8>,
    file: Arc<RamFile>,
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

    #[inline]
    fn write_vint(&mut self, value: i32) -> Result<(), Error> {
        self.0.write_vint(value)
    }

    #[inline]
    fn write_string(&mut self, text: &str) -> Result<(), Error> {
        self.0.write_string(text)
    }

    fn write_utf16(&mut self, units: &[u16]) -> Result<(), Error> {
        self.0.write_utf16(units)
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
        let Bytes { mut bytes, file } = self.0.finish()?;
        bytes.shrink_to_fit();
        // Nobody else has this output, so it is set once.
        file.0.get_or_init(|| bytes);
        Ok(())
    }
}
