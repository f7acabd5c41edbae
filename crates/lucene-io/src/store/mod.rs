//! Directories: where files are found by name; after `org.apache.lucene.store.Directory`.
//!
//! ```
//! use lucene_io::store::{Directory, RamDirectory};
//! use lucene_io::{DataInput, DataOutput, IndexOutput, codec};
//!
//! let dir = RamDirectory::new(); // or a folder: FsDirectory::open(path)?
//! let mut out = dir.create_output("_0.txt")?;
//! codec::write_header(&mut out, "Notes", 0)?;
//! out.write_string("one")?;
//! codec::write_footer(&mut out)?;
//! out.close()?;
//!
//! dir.open_file("_0.txt")?.checksum_entire_file()?;
//! let mut input = dir.open_input("_0.txt")?;
//! codec::check_header(&mut input, "Notes", 0..=0)?;
//! assert_eq!(input.read_string()?, "one");
//! # Ok::<(), lucene_io::Error>(())
//! ```

mod compound;
mod file;
mod fs;
mod input;
#[cfg(feature = "mmap")]
mod mmap;
mod ram;
#[cfg(feature = "mmap")]
#[allow(unsafe_code, reason = "the one room for it")]
mod raw;

pub use compound::CompoundDirectory;
pub use file::{FileSlice, RandomAccessInput};
pub use fs::FsDirectory;
pub use input::FileInput;
#[cfg(feature = "mmap")]
#[doc(no_inline)]
pub use mmap::MmapInput;
pub use ram::{RamDirectory, RamOutput};
#[cfg(feature = "mmap")]
pub use raw::MmapDirectory;

use crate::{DataInput, Error, IndexOutput};
use std::io::ErrorKind;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

/// A flat set of files, each written once from its first byte to its last, and then only read.
///
/// # Errors
/// A file that is not there is [`Error::Io`] of kind `NotFound`, one that is there already is
/// [`Error::Io`] of kind `AlreadyExists` when it is created. A name that is empty, absolute or
/// holds `/`, `\` or `..` is [`Error::InvalidName`] everywhere, also when it was read from a file:
/// see [`check_name`].
///
/// # To implement it
///
/// [`index::write_commit`](crate::index::write_commit) rests on three things: `create_output` never
/// empties a file that is there, `rename` replaces in one step, and `sync` returns no sooner than it
/// says. Names are checked with [`check_name`], kinds of [`Error::Io`] are those above, and
/// `open_file` is overridden where files can be read from any place.
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

    /// Takes a file away. Who has it open may go on.
    fn delete_file(&self, name: &str) -> Result<(), Error>;

    /// Gives a file another name, in one step, in the place of a file that had it.
    fn rename(&self, from: &str, to: &str) -> Result<(), Error>;

    /// Returns when these files, and the names of all, would survive a loss of power.
    fn sync(&self, names: &[&str]) -> Result<(), Error>;

    /// A file that is read from any place, as the readers of stored fields do.
    ///
    /// By default all of it is read into memory; the directories of this module do better.
    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        read_whole(self.open_input(name)?, self.file_length(name)?)
    }
}

macro_rules! directory_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<D: Directory + ?Sized> Directory for $pointer {
            type Input = D::Input;
            type Output = D::Output;

            fn list_all(&self) -> Result<Vec<String>, Error> {
                (**self).list_all()
            }
            fn file_length(&self, name: &str) -> Result<u64, Error> {
                (**self).file_length(name)
            }
            fn open_input(&self, name: &str) -> Result<D::Input, Error> {
                (**self).open_input(name)
            }
            fn create_output(&self, name: &str) -> Result<D::Output, Error> {
                (**self).create_output(name)
            }
            fn delete_file(&self, name: &str) -> Result<(), Error> {
                (**self).delete_file(name)
            }
            fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
                (**self).rename(from, to)
            }
            fn sync(&self, names: &[&str]) -> Result<(), Error> {
                (**self).sync(names)
            }
            fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
                (**self).open_file(name)
            }
        }
    )*};
}

directory_behind_a_pointer!(&D, Arc<D>);

/// Refuses what is not the plain name of a file in a directory: empty, absolute, `.`, or with `/`,
/// `\`, `:`, `..` or a NUL in it.
///
/// ```
/// use lucene_io::store::check_name;
///
/// check_name("_0.fdt")?;
/// assert!(check_name("../segments_1").is_err());
/// # Ok::<(), lucene_io::Error>(())
/// ```
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

pub(crate) fn not_found() -> Error {
    Error::Io(ErrorKind::NotFound.into())
}

/// The most that is allocated ahead of the bytes that a length promises.
const STEP: u64 = 64 * 1024;

/// All that an input has, read into memory; `len` is not believed beyond what comes.
fn read_whole(mut input: impl DataInput, len: u64) -> Result<FileSlice, Error> {
    let mut bytes = Vec::new();
    let mut left = len;
    while left > 0 {
        let from = bytes.len();
        let n = left.min(STEP) as usize;
        bytes.resize(from + n, 0);
        input.read_bytes(&mut bytes[from..])?;
        left -= n as u64;
    }
    Ok(FileSlice::from(bytes))
}
