//! All of the crate's `unsafe`: files mapped into memory.
//!
//! A map is a slice of memory that the compiler takes for unchanging, over a file that anybody may
//! change. Nothing here can prevent that, so whoever asks for one promises it, by calling an
//! `unsafe` function; the promise is handed down to the one call of `memmap2`. A map is made in this
//! module and lent as `&[u8]` only, never for longer than whoever owns it lives.

use super::file::{copy, random_access_of_bytes};
use super::{FsDirectory, MmapInput, RandomAccessInput};
use crate::Error;
use core::ops::Deref;
use memmap2::Mmap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// All of a file, as long as it was when it was mapped.
#[derive(Debug)]
pub(super) struct Map(Mmap);

impl Map {
    /// # Safety
    /// Until the map is dropped, nobody writes to those bytes of the file that it has now, nor makes
    /// it shorter.
    unsafe fn new(file: &File) -> Result<Self, Error> {
        // SAFETY: the caller's promise is what `memmap2` asks for; it checks the length itself and
        // maps an empty file to an empty slice.
        Ok(Self(unsafe { Mmap::map(file)? }))
    }
}

impl Deref for Map {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

random_access_of_bytes!(Map);

impl MmapInput {
    /// Maps a file, as long as it is now.
    ///
    /// # Errors
    /// [`Error::Io`].
    ///
    /// # Safety
    /// While the input or a clone of it lives, nothing writes to the file or makes it shorter, not
    /// even another process. (The bytes of files that Lucene has closed never change; but a copying
    /// or syncing tool may write into them in place.)
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let file = File::open(path)?;
        // SAFETY: the caller's promise; all that holds the map are this input and its clones.
        let map = unsafe { Map::new(&file)? };
        Ok(Self::new(Arc::new(map)))
    }
}

/// A [`FsDirectory`] whose files are mapped into memory when they are opened.
///
/// What is read from it is borrowed from the map: stored fields without a copy of the file.
///
/// ```no_run
/// use lucene_io::store::{Directory, MmapDirectory};
///
/// // SAFETY: nothing else writes to the files of this folder.
/// let dir = unsafe { MmapDirectory::open("index")? };
/// let file = dir.open_file("_0.fdt")?;
/// let bytes: &[u8] = file.as_slice().unwrap_or_default();
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MmapDirectory {
    // Private to this module: there is none that nobody has made the promise for.
    files: FsDirectory,
}

impl MmapDirectory {
    /// A folder that is there. Nothing is mapped yet.
    ///
    /// # Errors
    /// As [`FsDirectory::open`].
    ///
    /// # Safety
    /// From when a file is opened here and until all that came of it is dropped, nothing writes to
    /// it or makes it shorter, not even another process. The outputs of this directory may be used
    /// as they are: they only append.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self { files: FsDirectory::open(path)? })
    }

    /// The same folder, of which nothing is mapped.
    #[must_use]
    pub fn unmapped(&self) -> &FsDirectory {
        &self.files
    }

    pub(super) fn map(&self, name: &str) -> Result<Arc<Map>, Error> {
        let (path, _) = self.files.existing(name)?;
        let file = File::open(path)?;
        // SAFETY: whoever made `self` has promised that no file opened here is written to or made
        // shorter while its map lives. An output of this directory that is still open writes behind
        // the bytes that are mapped; renaming and deleting change names, and no bytes.
        let map = unsafe { Map::new(&file)? };
        Ok(Arc::new(map))
    }
}
