//! The compound file of a segment.

use super::{Directory, FileInput, FileSlice, check_name, not_found};
use crate::stored::Verify;
use crate::{DataInput, DataOutput, Error, IndexOutput, codec};
use core::convert::Infallible;
use core::fmt;
use std::io::{self, ErrorKind};
use std::string::String;
use std::vec::Vec;

const DATA_CODEC: &str = "CompoundFileWriterData";
const ENTRY_CODEC: &str = "CompoundFileWriterEntries";
/// Lucene 4.0 to 4.7: no footers.
const VERSION_START: i32 = 0;
/// Lucene 4.8 and later, Lucene.NET 4.8.
const VERSION_CHECKSUM: i32 = 1;

const CFE: &str = ".cfe";
const CFS: &str = ".cfs";

/// The files of a segment that Lucene packed into one (`.cfs`), found by a table beside it (`.cfe`).
/// It is read-only, and by default Lucene 4 makes one of every new segment.
///
/// Files have their full names here (`_0.fdt`), as beside a compound file; the table leaves the
/// name of the segment out. Their bytes are parts of the `.cfs`, and not copied.
///
/// What is read: version 0 (Lucene 4.0 to 4.7), which has no checksums of its own, and version 1
/// (Lucene 4.8 to 4.10, Lucene.NET 4.8).
///
/// ```no_run
/// use lucene_io::store::{CompoundDirectory, Directory, FsDirectory};
/// use lucene_io::stored::Verify;
///
/// let dir = FsDirectory::open("index")?;
/// let segment = CompoundDirectory::open(&dir, "_0", Verify::OnOpen)?;
/// for name in segment.list_all()? {
///     println!("{name}: {} bytes", segment.file_length(&name)?);
/// }
/// # Ok::<(), lucene_io::Error>(())
/// ```
#[derive(Clone)]
pub struct CompoundDirectory {
    data: FileSlice,
    /// Sorted by their names.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    at: u64,
    len: u64,
}

impl fmt::Debug for CompoundDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.entries.iter().map(|entry| (&entry.name, entry.len))).finish()
    }
}

impl CompoundDirectory {
    /// Opens `<segment>.cfs` and `<segment>.cfe`.
    ///
    /// The table is always verified, and it must fit: its entries fill the `.cfs` from the header
    /// to the footer without a gap or an overlap. [`Verify::OnOpen`] reads all of the `.cfs` for its
    /// checksum as well.
    ///
    /// # Errors
    /// What the directory gives, `NotFound` among it; those of [`codec::check_header`] and
    /// [`codec::checksum_entire_file`]; [`Error::InvalidName`] for the segment or a name in the
    /// table; [`Error::Truncated`] when a file ends too soon, and [`Error::Corrupt`] when it goes
    /// on too long or the table contradicts itself or the `.cfs`.
    pub fn open<D>(dir: &D, segment: &str, verify: Verify) -> Result<Self, Error>
    where
        D: Directory + ?Sized,
    {
        check_name(segment)?;
        let data = dir.open_file(&(String::from(segment) + CFS))?;
        let table = dir.open_file(&(String::from(segment) + CFE))?;
        let (version, start) = header(&data, DATA_CODEC)?;
        let mut entries = read_table(&table, version, segment)?;
        check_places(&mut entries, start, footer_length(version), data.len())?;
        match verify {
            _ if version < VERSION_CHECKSUM => {}
            Verify::OnOpen => drop(data.checksum_entire_file()?),
            Verify::Lazy => drop(data.retrieve_checksum()?),
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        if entries.windows(2).any(|pair| pair[0].name == pair[1].name) {
            return Err(corrupt(CFE, "two entries of one name"));
        }
        Ok(Self { data, entries })
    }

    fn entry(&self, name: &str) -> Result<&Entry, Error> {
        check_name(name)?;
        let found = self.entries.binary_search_by(|entry| entry.name.as_str().cmp(name));
        found.map(|i| &self.entries[i]).map_err(|_| not_found())
    }
}

/// The version, and where the header ends.
fn header(file: &FileSlice, codec: &str) -> Result<(i32, u64), Error> {
    let mut input = file.input();
    let version = codec::check_header(&mut input, codec, VERSION_START..=VERSION_CHECKSUM)
        .map_err(Error::of_file)?;
    Ok((version, input.position()))
}

fn footer_length(version: i32) -> u64 {
    if version < VERSION_CHECKSUM { 0 } else { codec::FOOTER_LENGTH as u64 }
}

/// The entries in the table's order, each looked at by itself.
fn read_table(table: &FileSlice, version: i32, segment: &str) -> Result<Vec<Entry>, Error> {
    let (its_version, start) = header(table, ENTRY_CODEC)?;
    if its_version != version {
        // Both are written at once. A damaged version must not switch a checksum off.
        return Err(corrupt(CFE, "of another version than the .cfs"));
    }
    if version >= VERSION_CHECKSUM {
        table.checksum_entire_file()?;
    }
    let body = (table.len() - start).checked_sub(footer_length(version)).ok_or(Error::Truncated)?;
    let mut input = table.slice(start, body)?.input();
    let entries = parse_table(&mut input, segment).map_err(Error::of_file)?;
    if input.position() < body {
        return Err(corrupt(CFE, "bytes behind the entries"));
    }
    Ok(entries)
}

fn parse_table(input: &mut FileInput, segment: &str) -> Result<Vec<Entry>, Error> {
    let count = input.read_vint()?;
    if count < 0 {
        return Err(corrupt(CFE, "negative count of entries"));
    }
    // Nothing is reserved for it: what it promises must come first.
    (0..count)
        .map(|_| {
            let id = input.read_string()?;
            check_name(&id)?;
            // A valid name: that of the segment does not end with a dot, for `.cfs` followed it.
            let name = String::from(segment) + &id;
            let place = (u64::try_from(input.read_i64()?), u64::try_from(input.read_i64()?));
            match place {
                (Ok(at), Ok(len)) => Ok(Entry { name, at, len }),
                _ => Err(corrupt(CFE, "negative offset or length")),
            }
        })
        .collect()
}

/// Whether the entries are all that is in the `.cfs`, each byte of it once.
fn check_places(entries: &mut [Entry], start: u64, footer: u64, len: u64) -> Result<(), Error> {
    // Each sum is at most two times i64::MAX.
    let end = entries.iter().map(|entry| entry.at + entry.len).fold(start, u64::max);
    let needed = end.saturating_add(footer);
    if len < needed {
        return Err(Error::Truncated);
    }
    if len > needed {
        return Err(corrupt(CFS, "bytes behind the last file"));
    }
    // An empty file lies before the one that begins where it does.
    entries.sort_unstable_by_key(|entry| (entry.at, entry.len));
    let mut next = start;
    for entry in entries {
        if entry.at < next {
            return Err(corrupt(CFE, "a file overlaps another or the header"));
        }
        if entry.at > next {
            return Err(corrupt(CFE, "bytes of no file"));
        }
        next += entry.len;
    }
    Ok(())
}

fn corrupt(file: &'static str, what: &'static str) -> Error {
    Error::Corrupt { file, what }
}

/// Of a valid name: what cannot be done to a file here.
fn read_only<T>(name: &str) -> Result<T, Error> {
    check_name(name)?;
    Err(unchangeable())
}

fn unchangeable() -> Error {
    Error::Io(io::Error::new(ErrorKind::ReadOnlyFilesystem, "a compound file is read-only"))
}

/// Whatever would change something is [`Error::Io`] of kind `ReadOnlyFilesystem`.
impl Directory for CompoundDirectory {
    type Input = FileInput;
    type Output = Infallible;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(self.entries.iter().map(|entry| entry.name.clone()).collect())
    }

    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.entry(name).map(|entry| entry.len)
    }

    fn open_input(&self, name: &str) -> Result<FileInput, Error> {
        self.open_file(name).map(|file| file.input())
    }

    fn create_output(&self, name: &str) -> Result<Infallible, Error> {
        read_only(name)
    }

    fn delete_file(&self, name: &str) -> Result<(), Error> {
        read_only(name)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        check_name(to)?;
        read_only(from)
    }

    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        names.iter().try_for_each(|name| check_name(name))?;
        Err(unchangeable())
    }

    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        let entry = self.entry(name)?;
        self.data.slice(entry.at, entry.len)
    }
}

/// The output of a directory that has none, such as [`CompoundDirectory`].
impl DataOutput for Infallible {
    fn write_byte(&mut self, _: u8) -> Result<(), Error> {
        match *self {}
    }

    fn write_bytes(&mut self, _: &[u8]) -> Result<(), Error> {
        match *self {}
    }
}

impl IndexOutput for Infallible {
    fn position(&self) -> u64 {
        match *self {}
    }

    fn checksum(&mut self) -> u32 {
        match *self {}
    }

    fn close(self) -> Result<(), Error> {
        match self {}
    }
}
