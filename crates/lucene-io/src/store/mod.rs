//! Directories: where files are found by name; after `org.apache.lucene.store.Directory`.

mod file;
mod ram;

pub use file::{FileInput, FileSlice, RandomAccessInput};
pub use ram::{RamDirectory, RamOutput};

use crate::{DataInput, Error, IndexOutput};
use std::string::String;
use std::vec::Vec;

/// A flat set of files, each written once from its first byte to its last, and then only read.
///
/// # Errors
/// A file that is not there is [`Error::Io`] of kind `NotFound`, one that is there already is
/// [`Error::Io`] of kind `AlreadyExists` when it is created. A name that is empty, absolute or
/// holds `/`, `\` or `..` is [`Error::InvalidName`] everywhere, also when it was read from a file:
/// see [`check_name`].
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Directory {
    /// How a file is read.
    type Input: DataInput;
    /// How a file is written.
    type Output: IndexOutput;

    /// The names of all files, sorted by their bytes.
    fn list_all(&self) -> Result<Vec<String>, Error>;

    /// How many bytes a file has.
    fn file_length(&self, name: &str) -> Result<u64, Error>;

    /// Reads a file from its first byte.
    fn open_input(&self, name: &str) -> Result<Self::Input, Error>;

    /// Makes a new, empty file. It is whole once the output was closed.
    fn create_output(&self, name: &str) -> Result<Self::Output, Error>;

    /// Takes a file away.
    fn delete_file(&self, name: &str) -> Result<(), Error>;

    /// Gives a file another name, in one step, in the place of a file that had it.
    fn rename(&self, from: &str, to: &str) -> Result<(), Error>;

    /// Returns when these files, and the names of all, would survive a loss of power.
    fn sync(&self, names: &[&str]) -> Result<(), Error>;

    /// A file that is read from any place, as the readers of stored fields do.
    ///
    /// By default all of it is read into memory; the directories of this module do better.
    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        file::read_whole(self.open_input(name)?, self.file_length(name)?)
    }
}

/// Refuses what is not the plain name of a file in a directory: empty, absolute, or with `/`, `\`,
/// `:`, `..` or a NUL in it.
///
/// # Errors
/// [`Error::InvalidName`].
pub fn check_name(name: &str) -> Result<(), Error> {
    let refused = |unit: &u8| matches!(unit, b'/' | b'\\' | b':' | 0);
    if name.is_empty() || name == "." || name.contains("..") || name.bytes().any(|b| refused(&b)) {
        return Err(Error::InvalidName);
    }
    Ok(())
}
