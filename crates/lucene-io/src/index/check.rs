//! Verifying every file of the newest commit.

use super::commit::{files, later_files, newest, not_found};
use super::names::{commit_name, file_name, generation_name};
use super::part::truncated;
use super::segment_info::SegmentInfo;
use super::segments_file::Record;
use super::{deleted, field_infos, segment_info, segments_file};
use crate::store::{CompoundDirectory, Directory, FileSlice};
use crate::stored::{Reader, Verify, Visit};
use crate::{Error, codec};

use std::collections::BTreeSet;
use std::string::String;
use std::vec::Vec;

/// Verifies every file of the newest commit, and says of each what came of it: what a repair tool
/// prints. `segments_N` comes first, then for each segment its `.si` and its other files by name;
/// after a `.cfs` the files that lie in it. A file that is missing is [`Error::Io`] of kind
/// `NotFound` in its entry. What an unreadable `segments_N` or `.si` would name is not in the list.
///
/// | file | what is verified |
/// |---|---|
/// | `segments_N`, `.si`, `.fnm`, `.del`, `.cfe` | the checksum if it has one, and all entries |
/// | `.fdt`, with what it needs of `.fdx` and `.fnm` | the checksum if it has one, and every document is read (Lucene 4.1 and later) |
/// | others, Lucene 4.8 and later | the checksum |
/// | others, before | that they are there and begin as a file of Lucene; there is nothing to verify them by |
///
/// Of segments of a codec that is not Lucene's own, only what has a checksum is verified.
///
/// ```
/// # use lucene_io::index::{self, Target};
/// # let dir = lucene_io::store::RamDirectory::new();
/// # index::write_commit(&dir, &[], Target::Lucene410)?;
/// for (name, result) in index::check(&dir)? {
///     match result {
///         Ok(()) => println!("{name}: good"),
///         Err(error) => println!("{name}: {error}"),
///     }
/// }
/// # Ok::<(), lucene_io::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] of kind `NotFound` where there is no commit, and what listing the directory gives.
#[allow(clippy::type_complexity, reason = "a list that is iterated over once")]
pub fn check<D: Directory>(dir: &D) -> Result<Vec<(String, Result<(), Error>)>, Error> {
    let name = commit_name(newest(&dir.list_all()?).ok_or_else(not_found)?);
    let mut report = Report::default();
    match dir.open_file(&name).and_then(|file| segments_file::parse(&file)) {
        Ok(file) => {
            report.add(name, Ok(()));
            for record in &file.records {
                segment(dir, record, &mut report);
            }
        }
        Err(error) => report.add(name, Err(error)),
    }
    Ok(report.entries)
}

/// Each file once.
#[derive(Default)]
struct Report {
    entries: Vec<(String, Result<(), Error>)>,
    seen: BTreeSet<String>,
}

impl Report {
    fn add(&mut self, name: String, result: Result<(), Error>) {
        if self.seen.insert(name.clone()) {
            self.entries.push((name, result));
        }
    }
}

fn segment<D: Directory>(dir: &D, record: &Record, report: &mut Report) {
    let name = file_name(&record.name, "si");
    let info = match segment_info::read(dir, &record.name) {
        Ok(info) => info,
        Err(error) => {
            report.add(name, Err(error));
            for name in later_files(record) {
                let result = dir.open_file(&name).and_then(|file| plain(&file, Kind::Unknown));
                report.add(name, result);
            }
            return;
        }
    };
    report.add(name, info.deletes(record));

    let [cfe, cfs] = ["cfe", "cfs"].map(|extension| file_name(&record.name, extension));
    let mut names = files(record, &info);
    if info.is_compound {
        names.extend([cfe.clone(), cfs.clone()]);
    }
    for name in names {
        if !info.is_compound || name != cfe && name != cfs {
            report.add(name.clone(), one(dir, dir, &name, record, &info));
            continue;
        }
        let verify = if name == cfs { Verify::OnOpen } else { Verify::Lazy };
        report.add(name.clone(), CompoundDirectory::open(dir, &record.name, verify).map(drop));
        if name == cfs
            && let Ok(inner) = CompoundDirectory::open(dir, &record.name, Verify::Lazy)
            && let Ok(inside) = inner.list_all()
        {
            for name in inside {
                let result = one(dir, &inner, &name, record, &info);
                report.add(name, result);
            }
        }
    }
}

/// One file in `inner`, which is `dir` or the compound file in it.
fn one<D: Directory, I: Directory>(
    dir: &D,
    inner: &I,
    name: &str,
    record: &Record,
    info: &SegmentInfo,
) -> Result<(), Error> {
    let file = inner.open_file(name)?;
    if name.ends_with(".fnm") {
        return field_infos::parse(&file).map(drop);
    }
    if Some(name) == generation_name(&record.name, record.del_gen, "del").as_deref() {
        return deleted::verify(&file, info.doc_count, record.del_count);
    }
    let kind = Kind::of(record, info);
    plain(&file, kind)?;
    if name == file_name(&record.name, "fdt") && kind != Kind::Unknown && record.codec != "Lucene40"
    {
        // Both files' checksums are entries of their own.
        documents(dir, &record.name)?;
    }
    Ok(())
}

fn documents<D: Directory>(dir: &D, segment: &str) -> Result<(), Error> {
    let mut reader = Reader::open(dir, segment, Verify::Lazy)?;
    for doc in 0..reader.doc_count() {
        reader.visit(doc, |_| Visit::Next)?;
    }
    Ok(())
}

/// By what a file can be verified.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A codec of Lucene's own, since 4.8: every file has a footer.
    Footer,
    /// Before: a header.
    Header,
    /// Neither can be asked for.
    Unknown,
}

impl Kind {
    fn of(record: &Record, info: &SegmentInfo) -> Self {
        let known =
            ["Lucene40", "Lucene41", "Lucene42", "Lucene45", "Lucene46", "Lucene49", "Lucene410"];
        if !known.contains(&record.codec.as_str()) {
            return Self::Unknown;
        }
        let mut numbers = info.version.split('.').map(|number| number.parse::<u32>().unwrap_or(0));
        let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        if version >= (4, 8) { Self::Footer } else { Self::Header }
    }
}

fn plain(file: &FileSlice, kind: Kind) -> Result<(), Error> {
    if kind == Kind::Footer || ends_with_footer(file) {
        file.checksum_entire_file()?;
    }
    if kind == Kind::Unknown {
        return Ok(());
    }
    let mut magic = [0; 4];
    file.read_at(0, &mut magic).map_err(truncated)?;
    if i32::from_be_bytes(magic) == codec::CODEC_MAGIC {
        Ok(())
    } else {
        Err(Error::HeaderMismatch)
    }
}

/// By its magic: the chance that something else looks like one is 1 in 2⁶⁴.
fn ends_with_footer(file: &FileSlice) -> bool {
    file.retrieve_checksum().is_ok()
}
