//! What the tests of commits share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

pub mod old;

use lucene_io::index::{self, Commit, Segment, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Options, Writer};
use lucene_io::{DataInput, DataOutput, Error, IndexOutput};
use std::collections::BTreeMap;
use std::io::ErrorKind;

pub const TARGETS: [Target; 2] = [Target::Lucene410, Target::Lucene46];

/// A finished segment: `docs` documents, each with every one of `fields`.
pub fn segment<D: Directory>(dir: &D, name: &str, docs: u32, fields: &[&str]) -> Segment {
    try_segment(dir, name, docs, fields).unwrap()
}

pub fn try_segment<D: Directory>(
    dir: &D,
    name: &str,
    docs: u32,
    fields: &[&str],
) -> Result<Segment, Error> {
    let mut writer = Writer::create(dir, name, Options::default())?;
    for doc in 0..docs {
        let mut document = writer.start_document()?;
        for field in fields {
            document = document.string(field, &format!("{name} {doc}"));
        }
        document.end()?;
    }
    writer.finish()
}

pub fn read<D: Directory>(dir: &D, name: &str) -> Vec<u8> {
    let mut bytes = vec![0; dir.file_length(name).unwrap() as usize];
    dir.open_input(name).unwrap().read_bytes(&mut bytes).unwrap();
    bytes
}

pub fn write<D: Directory>(dir: &D, name: &str, bytes: &[u8]) {
    let mut out = dir.create_output(name).unwrap();
    out.write_bytes(bytes).unwrap();
    out.close().unwrap();
}

pub fn replace<D: Directory>(dir: &D, name: &str, bytes: &[u8]) {
    dir.delete_file(name).unwrap();
    write(dir, name, bytes);
}

/// Every file with its bytes.
pub fn all<D: Directory>(dir: &D) -> BTreeMap<String, Vec<u8>> {
    dir.list_all().unwrap().into_iter().map(|name| (name.clone(), read(dir, &name))).collect()
}

pub fn ram(files: &BTreeMap<String, Vec<u8>>) -> RamDirectory {
    let dir = RamDirectory::new();
    files.iter().for_each(|(name, bytes)| write(&dir, name, bytes));
    dir
}

/// All that a commit says.
#[derive(Debug, PartialEq, Clone)]
pub struct Said {
    pub generation: u64,
    pub user_data: BTreeMap<String, String>,
    pub segments: Vec<SaidSegment>,
}

/// Name, documents, deleted, compound, codec, fields.
pub type SaidSegment = (String, u32, u32, bool, String, Vec<(u32, String)>);

pub fn said(commit: &Commit) -> Said {
    Said {
        generation: commit.generation(),
        user_data: commit.user_data().clone(),
        segments: commit.segments().iter().map(said_segment).collect(),
    }
}

pub fn said_segment(segment: &Segment) -> SaidSegment {
    (
        segment.name().into(),
        segment.doc_count(),
        segment.deleted_count(),
        segment.is_compound(),
        segment.codec().into(),
        segment.fields().map(|(number, name)| (number, name.to_owned())).collect(),
    )
}

pub fn said_of<D: Directory>(dir: &D) -> Result<Said, Error> {
    index::read_commit(dir).map(|commit| said(&commit))
}

pub fn kind<T>(result: Result<T, Error>) -> Option<ErrorKind> {
    match result {
        Err(Error::Io(error)) => Some(error.kind()),
        _ => None,
    }
}

/// The entries of `check` that are not good.
pub fn bad<D: Directory>(dir: &D) -> Vec<(String, String)> {
    let entries = index::check(dir).unwrap();
    entries
        .into_iter()
        .filter_map(|(name, result)| Some((name, result.err()?.to_string())))
        .collect()
}

/// Gives a file with a footer, whose body was changed, the checksum that it then has.
pub fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 8;
    bytes.truncate(body);
    let checksum = bytes.checksum();
    bytes.extend_from_slice(&u64::from(checksum).to_be_bytes());
    bytes
}
