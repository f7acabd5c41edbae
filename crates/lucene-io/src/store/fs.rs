//! A directory of the file system.

use super::{Directory, FileInput, FileSlice, RandomAccessInput, check_name, not_found};
use crate::{Error, WriteOutput};
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

/// A folder of the file system, of which the regular files are seen, and no subfolders.
///
/// * A symbolic link is the file it points to; deleting takes the link away.
/// * A file whose name is not UTF-8, or is one that [`check_name`] refuses, is not listed: no call
///   could name it.
/// * What is not a regular file (a subfolder, a pipe) is not there, but its name is taken.
/// * Files are read by position and never mapped; several threads may read one at a time.
/// * Lucene's locks (`write.lock`) are neither taken nor looked at.
///
/// ```no_run
/// use lucene_io::store::{Directory, FsDirectory};
///
/// let dir = FsDirectory::open("index")?;
/// for name in dir.list_all()? {
///     println!("{name}: {} bytes", dir.file_length(&name)?);
/// }
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FsDirectory {
    path: PathBuf,
}

impl FsDirectory {
    /// A folder that is there.
    ///
    /// # Errors
    /// [`Error::Io`], of kind `NotFound` where there is nothing and `NotADirectory` where there is
    /// something else.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if fs::metadata(path)?.is_dir() {
            Ok(Self { path: path.into() })
        } else {
            Err(Error::Io(ErrorKind::NotADirectory.into()))
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn new_path(&self, name: &str) -> Result<PathBuf, Error> {
        check_name(name)?;
        Ok(self.path.join(name))
    }

    /// The path of a regular file, and how long it is. Asked before a file is opened: opening a
    /// pipe would wait for its other end.
    pub(super) fn existing(&self, name: &str) -> Result<(PathBuf, u64), Error> {
        let path = self.new_path(name)?;
        let metadata = fs::metadata(&path)?;
        if metadata.is_file() { Ok((path, metadata.len())) } else { Err(not_found()) }
    }
}

impl Directory for FsDirectory {
    type Input = FileInput;
    type Output = WriteOutput<File>;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if check_name(&name).is_err() {
                continue;
            }
            let kind = entry.file_type().and_then(|kind| match kind.is_symlink() {
                true => Ok(fs::metadata(entry.path())?.file_type()),
                false => Ok(kind),
            });
            // A link that leads nowhere is no file, nor is what went while we were listing.
            if kind.is_ok_and(|kind| kind.is_file()) {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.existing(name).map(|(_, len)| len)
    }

    fn open_input(&self, name: &str) -> Result<FileInput, Error> {
        self.open_file(name).map(|file| file.input())
    }

    fn create_output(&self, name: &str) -> Result<WriteOutput<File>, Error> {
        let file = OpenOptions::new().write(true).create_new(true).open(self.new_path(name)?)?;
        Ok(WriteOutput::new(file))
    }

    fn delete_file(&self, name: &str) -> Result<(), Error> {
        let (path, _) = self.existing(name)?;
        Ok(fs::remove_file(path)?)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        let to = self.new_path(to)?;
        let (from, _) = self.existing(from)?;
        Ok(fs::rename(from, to)?)
    }

    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        for name in names {
            let (path, _) = self.existing(name)?;
            // Windows flushes only what is open for writing.
            OpenOptions::new().read(true).write(cfg!(windows)).open(path)?.sync_all()?;
        }
        // The names, too; elsewhere a folder cannot be opened.
        if cfg!(unix) {
            File::open(&self.path)?.sync_all()?;
        }
        Ok(())
    }

    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        let (path, _) = self.existing(name)?;
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(FileSlice::new(Arc::new(Shared { file: Positional::from(file), len })))
    }
}

/// A file that several read at a time.
struct Shared {
    file: Positional,
    len: u64,
}

#[cfg(any(unix, windows))]
type Positional = File;
#[cfg(not(any(unix, windows)))]
type Positional = std::sync::Mutex<File>;

impl RandomAccessInput for Shared {
    fn length(&self) -> u64 {
        self.len
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        let need = into.len() as u64;
        read_exact_at(&self.file, at, into).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Error::UnexpectedEof { at, need },
            _ => Error::Io(error),
        })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, at: u64, into: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut at: u64, mut into: &mut [u8]) -> std::io::Result<()> {
    while !into.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, into, at) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                at += n as u64;
                into = &mut into[n..];
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(file: &Positional, at: u64, into: &mut [u8]) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    // Every reading seeks first: where another one left it does not matter.
    let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(into)
}
