//! `segments_N`: which segments a commit has; after `org.apache.lucene.index.SegmentInfos`.

use super::Target;
use super::names::{FOREIGN, is_of};
use super::part::{Ending, Format, Part};
use crate::data::length;
use crate::store::{FileSlice, check_name};
use crate::{DataInput, DataOutput, Error, codec};
use std::collections::{BTreeMap, BTreeSet};
use std::string::String;
use std::vec::Vec;

const CODEC: &str = "segments";

/// Lucene 4.6 and 4.7: field infos and doc values that are written anew.
const VERSION_46: i32 = 1;
/// Lucene 4.8, Lucene.NET 4.8: a footer.
const VERSION_48: i32 = 2;
/// Lucene 4.9 and 4.10: the files of doc values by field.
const VERSION_49: i32 = 3;

static FORMATS: [Format; 1] = [Format {
    codec: CODEC,
    versions: 0..=VERSION_49,
    ending: |version| if version >= VERSION_48 { Ending::Footer } else { Ending::Checksum },
}];

/// All that a `segments_N` says.
#[derive(Debug)]
pub(super) struct SegmentsFile {
    /// Counts the changes of the index.
    pub(super) version: i64,
    /// The number of the next segment.
    pub(super) counter: i32,
    pub(super) records: Vec<Record>,
    pub(super) user_data: BTreeMap<String, String>,
}

impl SegmentsFile {
    /// Before the first commit.
    pub(super) fn empty() -> Self {
        Self { version: 0, counter: 0, records: Vec::new(), user_data: BTreeMap::new() }
    }
}

/// What it says of one segment. A generation of -1 is none.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) codec: String,
    pub(super) del_gen: i64,
    pub(super) del_count: u32,
    pub(super) field_infos_gen: i64,
    pub(super) doc_values_gen: i64,
    pub(super) updates: Updates,
}

/// The files in which doc values and field infos were written anew.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Updates {
    /// As Lucene 4.6 to 4.8 count them.
    ByGeneration(BTreeMap<i64, BTreeSet<String>>),
    /// As Lucene 4.9 counts them.
    ByField { field_infos: BTreeSet<String>, doc_values: BTreeMap<i32, BTreeSet<String>> },
}

impl Updates {
    pub(super) fn none() -> Self {
        Self::ByGeneration(BTreeMap::new())
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::ByGeneration(files) => files.is_empty(),
            Self::ByField { field_infos, doc_values } => {
                field_infos.is_empty() && doc_values.is_empty()
            }
        }
    }

    /// The names of all these files; one may come twice.
    pub(super) fn files(&self) -> Vec<&str> {
        let all: Vec<&BTreeSet<String>> = match self {
            Self::ByGeneration(files) => files.values().collect(),
            Self::ByField { field_infos, doc_values } => {
                doc_values.values().chain([field_infos]).collect()
            }
        };
        all.into_iter().flatten().map(String::as_str).collect()
    }
}

impl Record {
    /// A new segment: nothing of it was ever changed.
    pub(super) fn new(name: &str, codec: &str) -> Self {
        Self {
            name: name.into(),
            codec: codec.into(),
            del_gen: -1,
            del_count: 0,
            field_infos_gen: -1,
            doc_values_gen: -1,
            updates: Updates::none(),
        }
    }
}

pub(super) fn parse(file: &FileSlice) -> Result<SegmentsFile, Error> {
    Part::read(file, "segments", &FORMATS, segments)
}

fn segments(part: &mut Part) -> Result<SegmentsFile, Error> {
    let version = part.input.read_i64()?;
    let counter = part.input.read_i32()?;
    let count = part.input.read_i32()?;
    if counter < 0 || count < 0 {
        return Err(part.corrupt("negative count of segments"));
    }
    let mut records = Vec::new();
    let mut names = BTreeSet::new();
    for _ in 0..count {
        let record = record(part)?;
        if !names.insert(record.name.clone()) {
            return Err(part.corrupt("two segments of one name"));
        }
        records.push(record);
    }
    let user_data = part.input.read_string_string_map()?;
    Ok(SegmentsFile { version, counter, records, user_data })
}

fn record(part: &mut Part) -> Result<Record, Error> {
    let name = part.input.read_string()?;
    check_name(&name)?;
    let codec = part.input.read_string()?;
    let del_gen = generation(part)?;
    let del_count = u32::try_from(part.input.read_i32()?)
        .map_err(|_| part.corrupt("negative count of deleted documents"))?;
    if del_count > 0 && del_gen < 0 {
        return Err(part.corrupt("documents deleted and no generation of it"));
    }
    let mut record = Record { del_gen, del_count, ..Record::new(&name, &codec) };
    if part.version < VERSION_46 {
        return Ok(record);
    }
    record.field_infos_gen = generation(part)?;
    record.updates = if part.version < VERSION_49 {
        Updates::ByGeneration(file_sets(part, DataInput::read_i64)?)
    } else {
        record.doc_values_gen = generation(part)?;
        let field_infos = file_set(part)?;
        Updates::ByField { field_infos, doc_values: file_sets(part, DataInput::read_i32)? }
    };
    if !record.updates.files().iter().all(|file| is_of(&record.name, file)) {
        return Err(part.corrupt(FOREIGN));
    }
    Ok(record)
}

/// -1 or what has a successor.
fn generation(part: &mut Part) -> Result<i64, Error> {
    match part.input.read_i64()? {
        i64::MAX => Err(part.corrupt("generation without a next one")),
        generation if generation < -1 => Err(part.corrupt("negative generation")),
        generation => Ok(generation),
    }
}

fn file_set(part: &mut Part) -> Result<BTreeSet<String>, Error> {
    let files = part.input.read_string_set()?;
    files.iter().try_for_each(|name| check_name(name))?;
    Ok(files)
}

/// Sets of files by a number; a negative count is none, as in Java.
fn file_sets<K: Ord>(
    part: &mut Part,
    key: fn(&mut crate::store::FileInput) -> Result<K, Error>,
) -> Result<BTreeMap<K, BTreeSet<String>>, Error> {
    let mut sets = BTreeMap::new();
    for _ in 0..part.input.read_i32()? {
        let key = key(&mut part.input)?;
        let files = file_set(part)?;
        if sets.insert(key, files).is_some() {
            return Err(part.corrupt("two sets of files of one number"));
        }
    }
    Ok(sets)
}

/// Whether a target can read the segment, and its record holds all that this one does.
pub(super) fn fits(record: &Record, target: Target) -> bool {
    let unchanged =
        record.updates.is_empty() && record.field_infos_gen == -1 && record.doc_values_gen == -1;
    match target {
        Target::Lucene410 => unchanged || matches!(record.updates, Updates::ByField { .. }),
        Target::Lucene46 => {
            let known = !matches!(record.codec.as_str(), "Lucene49" | "Lucene410");
            known && (unchanged || matches!(record.updates, Updates::ByGeneration(_)))
        }
    }
}

/// The bytes of a `segments_N`.
pub(super) fn write(file: &SegmentsFile, target: Target) -> Result<Vec<u8>, Error> {
    let version = match target {
        Target::Lucene410 => VERSION_49,
        Target::Lucene46 => VERSION_48,
    };
    let mut out = Vec::new();
    codec::write_header(&mut out, CODEC, version)?;
    out.write_i64(file.version)?;
    out.write_i32(file.counter)?;
    out.write_i32(length(file.records.len())?)?;
    for record in &file.records {
        write_record(record, version, &mut out)?;
    }
    out.write_string_string_map(file.user_data.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    codec::write_footer(&mut out)?;
    Ok(out)
}

fn write_record(record: &Record, version: i32, out: &mut Vec<u8>) -> Result<(), Error> {
    out.write_string(&record.name)?;
    out.write_string(&record.codec)?;
    out.write_i64(record.del_gen)?;
    out.write_i32(length(record.del_count as usize)?)?;
    out.write_i64(record.field_infos_gen)?;
    if version >= VERSION_49 {
        let none = (&BTreeSet::new(), &BTreeMap::new());
        let (field_infos, doc_values) = match &record.updates {
            Updates::ByField { field_infos, doc_values } => (field_infos, doc_values),
            Updates::ByGeneration(_) => none,
        };
        out.write_i64(record.doc_values_gen)?;
        out.write_string_set(field_infos.iter().map(String::as_str))?;
        write_sets(doc_values, out, |out, &field| out.write_i32(field))
    } else {
        let none = &BTreeMap::new();
        let by_generation = match &record.updates {
            Updates::ByGeneration(files) => files,
            Updates::ByField { .. } => none,
        };
        write_sets(by_generation, out, |out, &generation| out.write_i64(generation))
    }
}

fn write_sets<K>(
    sets: &BTreeMap<K, BTreeSet<String>>,
    out: &mut Vec<u8>,
    key: fn(&mut Vec<u8>, &K) -> Result<(), Error>,
) -> Result<(), Error> {
    out.write_i32(length(sets.len())?)?;
    for (number, files) in sets {
        key(out, number)?;
        out.write_string_set(files.iter().map(String::as_str))?;
    }
    Ok(())
}
