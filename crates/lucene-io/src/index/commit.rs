//! Reading the newest commit and writing the next.

use super::names::{commit_generation, commit_name, file_name, generation_name, segment_number};
use super::segment_info::SegmentInfo;
use super::segments_file::{self, Record, SegmentsFile};
use super::{Committed, Origin, Segment, Target, field_infos, segment_info};
use crate::store::{CompoundDirectory, Directory, not_found};
use crate::stored::Verify;
use crate::{DataInput, DataOutput, Error, IndexOutput};
use std::boxed::Box;
use std::collections::{BTreeMap, BTreeSet};
use std::format;
use std::io::ErrorKind;
use std::string::String;
use std::vec::Vec;

/// The most documents that a Lucene 4.10 index may have.
const MOST_DOCS: u64 = i32::MAX as u64 - 128;

/// A state of an index, as a `segments_N` says it.
#[derive(Clone, Debug)]
pub struct Commit {
    generation: u64,
    segments: Vec<Segment>,
    user_data: BTreeMap<String, String>,
}

impl Commit {
    /// The N of `segments_N`, which is written in base 36.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The segments, in the order of their documents.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// What the one who committed wrote beside it.
    #[must_use]
    pub fn user_data(&self) -> &BTreeMap<String, String> {
        &self.user_data
    }
}

/// Reads the newest commit: the `segments_N` with the highest N, and the `.si` and `.fnm` of every
/// segment. There is no falling back to an older commit; `segments.gen` is not needed.
///
/// # Errors
/// [`Error::Io`] of kind `NotFound` where there is no commit, or where a file is missing;
/// [`Error::CodecMismatch`], [`Error::VersionTooOld`] and [`Error::VersionTooNew`] for what is not
/// read; [`Error::InvalidName`] for a file name that leads elsewhere; and for a damaged file
/// [`Error::ChecksumMismatch`], [`Error::FooterMismatch`], [`Error::Truncated`],
/// [`Error::Corrupt`], or what reading its primitives gives.
pub fn read_commit<D: Directory>(dir: &D) -> Result<Commit, Error> {
    let generation = newest(&dir.list_all()?).ok_or_else(not_found)?;
    let file = segments_file::parse(&dir.open_file(&commit_name(generation))?)?;
    let mut segments = Vec::new();
    let mut docs = 0;
    for record in file.records {
        let segment = segment(dir, record)?;
        docs += u64::from(segment.doc_count);
        segments.push(segment);
    }
    check_docs(docs)?;
    Ok(Commit { generation, segments, user_data: file.user_data })
}

/// Whether a commit can have so many documents.
pub(super) fn check_docs(docs: u64) -> Result<(), Error> {
    if docs > i32::MAX as u64 {
        return Err(Error::Corrupt { file: "segments", what: "too many documents" });
    }
    Ok(())
}

fn segment<D: Directory>(dir: &D, record: Record) -> Result<Segment, Error> {
    let info = segment_info::read(dir, &record.name)?;
    info.deletes(&record)?;
    let fields = match generation_name(&record.name, record.field_infos_gen, "fnm") {
        Some(newer) => field_infos::parse(&dir.open_file(&newer)?)?,
        None if info.is_compound => {
            let inner = CompoundDirectory::open(dir, &record.name, Verify::Lazy)?;
            field_infos::read(&inner, &record.name)?
        }
        None => field_infos::read(dir, &record.name)?,
    };
    Ok(Segment {
        name: record.name.clone(),
        doc_count: info.doc_count,
        fields,
        origin: Origin::Committed(Box::new(Committed { record, info })),
    })
}

/// The highest generation of the commits among these files.
pub(super) fn newest(files: &[String]) -> Option<u64> {
    files.iter().filter_map(|name| commit_generation(name)).max()
}

/// All files of a segment but its `.si`, by name.
pub(super) fn files(record: &Record, info: &SegmentInfo) -> BTreeSet<String> {
    let mut files = info.files.clone();
    files.extend(later_files(record));
    files.remove(&file_name(&record.name, "si"));
    files
}

/// The files that came after the segment: who is deleted, doc values and field infos.
pub(super) fn later_files(record: &Record) -> BTreeSet<String> {
    let deleted = generation_name(&record.name, record.del_gen, "del");
    let fields = generation_name(&record.name, record.field_infos_gen, "fnm");
    record.updates.files().into_iter().map(String::from).chain(deleted).chain(fields).collect()
}

/// Writes the next commit, of these segments and no others: the `.fnm` and `.si` of those that a
/// writer has just finished, and `segments_N`. Segments of [`read_commit`] are carried over as they
/// are, and so is the user data of the commit before. Nothing is deleted; older commits stay.
///
/// The commit is there, whole and synced, or it is not there: `segments_N` is written under another
/// name, `pending_segments_N`, and gets its own when everything is safe. After an error the files
/// that were made are taken away again, as far as the directory lets itself be written.
///
/// Lucene reads a segment without documents, but its `CheckIndex` refuses one: leave it out.
///
/// The same segments give the same bytes. To commit a finished segment once more, pass it again, or
/// what `read_commit` gave for it: files that are there already with the bytes that they would get
/// are left alone.
///
/// # Errors
/// * [`Error::InvalidName`]: a segment whose name is not `_` and a number in base 36 (lower case)
///   below 2³¹ - 1, or two of one name.
/// * [`Error::CodecMismatch`]: a segment carried over that the target cannot have: `Lucene410` knows
///   doc-values updates of Lucene 4.9 and later only, `Lucene46` only those of before, and no
///   segment of Lucene 4.9 or later.
/// * [`Error::TooLong`]: more documents than an index may have, 2³¹ - 129.
/// * [`Error::Io`]: of kind `NotFound` where a segment's file is not in the directory, of kind
///   `AlreadyExists` where its `.fnm` or `.si` is and has other bytes or another writer made the
///   next commit meanwhile, and what the directory gives.
/// * [`Error::Corrupt`]: a segment carried over whose `.si` is not the one that was read, or a new
///   one whose `.fdt` or `.fdx` is not the file that was written, by its length and the checksum in
///   its footer; or no generation is left. And as [`read_commit`], from the `segments_N` before.
pub fn write_commit<D: Directory>(
    dir: &D,
    segments: &[Segment],
    target: Target,
) -> Result<(), Error> {
    let mut commit = Next::plan(dir, segments, target)?;
    let done = commit.write(dir);
    if done.is_err() {
        commit.undo(dir);
    }
    done
}

/// The commit that is being written.
struct Next {
    /// `segments_N`.
    name: String,
    pending: String,
    /// Files to write, with their bytes; the last is the commit's.
    files: Vec<(String, Vec<u8>)>,
    commit: Vec<u8>,
    /// Files that must be there.
    others: BTreeSet<String>,
    created: Vec<String>,
    /// Whether `pending` may be there, and `name`: what another writer made is not ours to delete.
    may_be_pending: bool,
    may_be_named: bool,
}

impl Next {
    /// Everything that can be refused before a byte is written.
    fn plan<D: Directory>(dir: &D, segments: &[Segment], target: Target) -> Result<Self, Error> {
        let names = dir.list_all()?;
        let before = newest(&names);
        let mut commit = match before {
            Some(generation) => segments_file::parse(&dir.open_file(&commit_name(generation))?)?,
            None => SegmentsFile::empty(),
        };
        let generation = before.unwrap_or(0) + 1;
        if i64::try_from(generation).is_err() {
            return Err(Error::Corrupt { file: "segments", what: "generation without a next one" });
        }
        commit.version = commit.version.wrapping_add(1);
        commit.counter = commit.counter.max(counter(segments)?);
        commit.records.clear();

        let mut files = Vec::new();
        let mut others = BTreeSet::new();
        for segment in segments {
            let record = match &segment.origin {
                Origin::Committed(known) => {
                    carry(dir, known, target)?;
                    others.extend(self::files(&known.record, &known.info));
                    others.insert(file_name(&segment.name, "si"));
                    known.record.clone()
                }
                Origin::Written(ends) => {
                    let made = ["fdt", "fdx"].map(|extension| file_name(&segment.name, extension));
                    let new = ["fnm", "si"].map(|extension| file_name(&segment.name, extension));
                    for (name, end) in made.iter().zip(ends) {
                        end.check(dir, name)?;
                    }
                    let (record, bytes) = new_segment(segment, target, made.iter().chain(&new))?;
                    others.extend(made);
                    files.extend(new.into_iter().zip(bytes));
                    record
                }
            };
            commit.records.push(record);
        }
        for name in &others {
            dir.file_length(name)?;
        }
        let name = commit_name(generation);
        let bytes = segments_file::write(&commit, target)?;
        let pending = format!("pending_{name}");
        Ok(Self {
            name,
            pending,
            files,
            commit: bytes,
            others,
            created: Vec::new(),
            may_be_pending: false,
            may_be_named: false,
        })
    }

    fn write<D: Directory>(&mut self, dir: &D) -> Result<(), Error> {
        for (name, bytes) in &self.files {
            if is_there(dir, name, bytes)? {
                continue;
            }
            self.created.push(name.clone());
            if let Err(error) = put(dir, name, bytes) {
                // What was there already stays.
                if is(&error, ErrorKind::AlreadyExists) {
                    self.created.pop();
                }
                return Err(error);
            }
        }
        let parts: Vec<&str> = self
            .others
            .iter()
            .chain(self.files.iter().map(|(name, _)| name))
            .map(String::as_str)
            .collect();
        dir.sync(&parts)?;
        // Of a commit that was cut off.
        match dir.delete_file(&self.pending) {
            Err(error) if !is(&error, ErrorKind::NotFound) => return Err(error),
            _ => {}
        }
        self.may_be_pending = true;
        put(dir, &self.pending, &self.commit)?;
        dir.sync(&[&self.pending])?;
        match dir.file_length(&self.name) {
            Err(error) if is(&error, ErrorKind::NotFound) => {}
            Err(error) => return Err(error),
            // Another writer was faster. Nothing prevents that it is in the next moment.
            Ok(_) => return Err(Error::Io(ErrorKind::AlreadyExists.into())),
        }
        self.may_be_named = true;
        dir.rename(&self.pending, &self.name)?;
        dir.sync(&[&self.name])
    }

    /// Takes away what was made, the commit before its parts: while it may be there, they stay.
    fn undo<D: Directory>(&self, dir: &D) {
        if self.may_be_named {
            let _ = dir.delete_file(&self.name);
        }
        if self.may_be_pending {
            let _ = dir.delete_file(&self.pending);
        }
        if let Err(error) = dir.file_length(&self.name)
            && is(&error, ErrorKind::NotFound)
        {
            for name in self.created.iter().rev() {
                let _ = dir.delete_file(name);
            }
        }
    }
}

/// The number of the next segment.
fn counter(segments: &[Segment]) -> Result<i32, Error> {
    let mut seen = BTreeSet::new();
    let mut next = 0;
    let mut docs = 0;
    for segment in segments {
        let after = segment_number(&segment.name).and_then(|number| number.checked_add(1));
        next = next.max(after.ok_or(Error::InvalidName)?);
        if !seen.insert(segment.name()) {
            return Err(Error::InvalidName);
        }
        docs += u64::from(segment.doc_count);
    }
    if docs > MOST_DOCS {
        return Err(Error::TooLong { length: docs });
    }
    Ok(next)
}

/// Whether a segment of an earlier commit can be in the next one.
fn carry<D: Directory>(dir: &D, known: &Committed, target: Target) -> Result<(), Error> {
    if !segments_file::fits(&known.record, target) {
        return Err(Error::CodecMismatch);
    }
    if segment_info::read(dir, &known.record.name)? != known.info {
        return Err(Error::Corrupt { file: "segment info", what: "not the segment that was read" });
    }
    Ok(())
}

/// The record of a new segment, and the bytes of its `.fnm` and `.si`.
fn new_segment<'a>(
    segment: &Segment,
    target: Target,
    files: impl Iterator<Item = &'a String>,
) -> Result<(Record, [Vec<u8>; 2]), Error> {
    let (codec, version) = match target {
        Target::Lucene410 => ("Lucene410", "4.10.4"),
        Target::Lucene46 => ("Lucene46", "4.8"),
    };
    let info = SegmentInfo {
        version: version.into(),
        doc_count: segment.doc_count,
        is_compound: false,
        // No clock, no machine: the same documents give the same bytes.
        diagnostics: BTreeMap::from([("source".into(), "lucene-io".into())]),
        files: files.cloned().collect(),
    };
    let fields = field_infos::write(&segment.fields, target)?;
    Ok((Record::new(&segment.name, codec), [fields, segment_info::write(&info)?]))
}

/// Whether a file is there with exactly these bytes.
fn is_there<D: Directory>(dir: &D, name: &str, bytes: &[u8]) -> Result<bool, Error> {
    match dir.file_length(name) {
        Err(error) if is(&error, ErrorKind::NotFound) => return Ok(false),
        Err(error) => return Err(error),
        Ok(length) if length != bytes.len() as u64 => {
            return Err(Error::Io(ErrorKind::AlreadyExists.into()));
        }
        Ok(_) => {}
    }
    let mut input = dir.open_input(name)?;
    let mut buffer = [0; 1024];
    for piece in bytes.chunks(buffer.len()) {
        let read = &mut buffer[..piece.len()];
        input.read_bytes(read)?;
        if read != piece {
            return Err(Error::Io(ErrorKind::AlreadyExists.into()));
        }
    }
    Ok(true)
}

fn put<D: Directory>(dir: &D, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let mut out = dir.create_output(name)?;
    out.write_bytes(bytes)?;
    out.close()
}

fn is(error: &Error, kind: ErrorKind) -> bool {
    matches!(error, Error::Io(error) if error.kind() == kind)
}
