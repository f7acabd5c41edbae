//! Verifying every file of the newest commit.

use super::commit::{check_docs, files, later_files, newest};
use super::names::{commit_name, file_name, generation_name};
use super::segment_info::SegmentInfo;
use super::segments_file::Record;
use super::{deleted, field_infos, segment_info, segments_file};
use crate::store::{CompoundDirectory, Directory, FileSlice, not_found};
use crate::stored::{Reader, Verify, Visit};
use crate::{Error, codec};

use std::collections::BTreeSet;
use std::string::String;
use std::vec::Vec;

/// Verifies every file of the newest commit, and says of each what came of it: what a repair tool
/// prints. `segments_N` comes first, then for each segment its `.si` and its other files by name;
/// after a `.cfs` the files that lie in it. A file that is missing is [`Error::Io`] of kind
/// `NotFound` in its entry; `.fdt`, `.fdx` and `.fnm` are looked for also where nothing names them,
/// for a segment cannot be opened without. What an unreadable `segments_N` or `.si` would name is not in the list.
///
/// | file | what is verified |
/// |---|---|
/// | `segments_N`, `.si`, `.fnm`, `.del`, `.cfe` | the checksum if it has one, and all entries |
/// | `.fdt` of Lucene 4.1 and later | the checksum if it has one, and every document is read (if `.fdx` and `.fnm` are good) |
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
            report.add(name, |_| Ok(()));
            let mut docs = 0;
            for record in &file.records {
                docs += u64::from(segment(dir, record, &mut report));
            }
            if let (Err(error), Some(commit)) = (check_docs(docs), report.entries.first_mut()) {
                commit.1 = Err(error);
            }
        }
        Err(error) => report.add(name, |_| Err(error)),
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
    /// What is listed already is not verified again.
    fn add(&mut self, name: String, verify: impl FnOnce(&str) -> Result<(), Error>) {
        if self.seen.insert(name.clone()) {
            let result = verify(&name);
            self.entries.push((name, result));
        }
    }
}

/// Gives how many documents it has.
fn segment<D: Directory>(dir: &D, record: &Record, report: &mut Report) -> u32 {
    let name = file_name(&record.name, "si");
    let info = match segment_info::read(dir, &record.name) {
        Ok(info) => info,
        Err(error) => {
            report.add(name, |_| Err(error));
            for name in later_files(record) {
                report.add(name, |name| plain(&dir.open_file(name)?, Kind::Unknown));
            }
            return 0;
        }
    };
    report.add(name, |_| info.deletes(record));
    if info.is_compound {
        compound(dir, record, &info, report);
    }
    for name in files(record, &info) {
        report.add(name, |name| one(dir, dir, name, record, &info));
    }
    if !info.is_compound {
        for name in needed(record, &info) {
            report.add(name, |name| one(dir, dir, name, record, &info));
        }
    }
    info.doc_count
}

/// What every segment of Lucene 4 has, named or not: without them it cannot be opened.
fn needed(record: &Record, info: &SegmentInfo) -> Vec<String> {
    let names = ["fdt", "fdx", "fnm"].map(|extension| file_name(&record.name, extension));
    if Kind::of(record, info) == Kind::Unknown { Vec::new() } else { names.into() }
}

/// `.cfe`, `.cfs` and what lies in it.
fn compound<D: Directory>(dir: &D, record: &Record, info: &SegmentInfo, report: &mut Report) {
    let [table, data] = ["cfe", "cfs"].map(|extension| file_name(&record.name, extension));
    let mut of_table = one(dir, dir, &table, record, info);
    let of_data = one(dir, dir, &data, record, info);
    let inner = match CompoundDirectory::open(dir, &record.name, Verify::Lazy) {
        Ok(inner) => Some(inner),
        Err(error) => {
            // Each is good by itself, and they contradict each other.
            if of_table.is_ok() && of_data.is_ok() {
                of_table = Err(error);
            }
            None
        }
    };
    report.add(table, |_| of_table);
    report.add(data, |_| of_data);
    if let Some(inner) = inner {
        let names = inner.list_all().unwrap_or_default();
        for name in names.into_iter().chain(needed(record, info)) {
            report.add(name, |name| one(dir, &inner, name, record, info));
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
    let reads = kind != Kind::Unknown && record.codec != "Lucene40";
    if name == file_name(&record.name, "fdt") && reads {
        // What is wrong with these alone is their own entry.
        let needed = ["fdx", "fnm"].map(|extension| file_name(&record.name, extension));
        if needed.iter().all(|name| one(dir, inner, name, record, info).is_ok()) {
            documents(dir, &record.name)?;
        }
    }
    Ok(())
}

fn documents<D: Directory>(dir: &D, segment: &str) -> Result<(), Error> {
    let mut reader = Reader::open(dir, segment, Verify::Lazy)?;
    let mut doc = 0;
    while doc < reader.doc_count() {
        reader.visit(doc, |_| Visit::Next)?;
        // A few bytes can stand for 2³¹ documents without fields, which are all alike.
        doc = reader.end_of_empty(doc).unwrap_or(doc + 1);
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
    file.read_at(0, &mut magic).map_err(Error::of_file)?;
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
