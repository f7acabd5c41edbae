//! Commits that Java wrote: read, verified, carried over.

use crate::common::unhex;
use crate::index_common::*;
use lucene_io::Error;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Reader, Verify};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    commit: Vec<JavaCommit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JavaCommit {
    name: String,
    generation: u64,
    user_data: BTreeMap<String, String>,
    segments: Vec<JavaSegment>,
    empty: Vec<String>,
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JavaSegment {
    name: String,
    docs: u32,
    deleted: u32,
    compound: bool,
    codec: String,
    fields: Vec<(u32, String)>,
}

fn java() -> Vec<(JavaCommit, RamDirectory)> {
    let file: File = toml::from_str(include_str!("../data/index_java.toml")).unwrap();
    let with_files = file.commit.into_iter().map(|commit| {
        let mut files: BTreeMap<String, Vec<u8>> =
            commit.files.iter().map(|(name, hex)| (name.clone(), unhex(hex))).collect();
        files.extend(commit.empty.iter().map(|name| (name.clone(), Vec::new())));
        (commit, ram(&files))
    });
    with_files.collect()
}

#[test]
fn commits_of_java() {
    for (commit, dir) in java() {
        let segments = commit.segments.into_iter();
        let expected = Said {
            generation: commit.generation,
            user_data: commit.user_data,
            segments: segments
                .map(|s| (s.name, s.docs, s.deleted, s.compound, s.codec, s.fields))
                .collect(),
        };
        assert_eq!(said_of(&dir).unwrap(), expected, "{}", commit.name);
        let entries = index::check(&dir).unwrap();
        for (name, result) in entries {
            assert_eq!(result.is_err(), commit.empty.contains(&name), "{name}: {result:?}");
        }
    }
}

/// Deletes, updates of doc values and the compound file are carried over as they were, and Java's
/// records come out as Java wrote them.
#[test]
fn commits_of_java_carried_over() {
    for (commit, dir) in java() {
        let before = index::read_commit(&dir).unwrap();
        index::write_commit(&dir, before.segments(), Target::Lucene410).unwrap();
        let after = index::read_commit(&dir).unwrap();
        assert_eq!(after.generation(), commit.generation + 1);
        let expected = Said { generation: commit.generation + 1, ..said(&before) };
        assert_eq!(said(&after), expected, "{}", commit.name);

        let mut segments = before.segments().to_vec();
        segments.push(segment(&dir, "_9", 2, &["new"]));
        index::write_commit(&dir, &segments, Target::Lucene410).unwrap();
        assert_eq!(said_of(&dir).unwrap().segments.len(), commit.segments.len() + 1);

        // Lucene.NET does not know the codec.
        let result = index::write_commit(&dir, before.segments(), Target::Lucene46);
        assert!(matches!(result, Err(Error::CodecMismatch)), "{result:?}");
    }
    let (_, dir) = java().swap_remove(0);
    // One byte of the version counts on, the sets and the user data are sorted; the rest is Java's.
    let java = read(&dir, "segments_4");
    let before = index::read_commit(&dir).unwrap();
    index::write_commit(&dir, before.segments(), Target::Lucene410).unwrap();
    let ours = read(&dir, "segments_5");
    assert_eq!(ours.len(), java.len());
    let sorted = |bytes: &[u8]| {
        let mut bytes = bytes[..bytes.len() - 16].to_vec();
        bytes[24] = 0;
        bytes.sort_unstable();
        bytes
    };
    assert_eq!(sorted(&ours), sorted(&java));
    assert_eq!(ours[..24], java[..24]);
    assert_eq!(ours[24], java[24] + 1);
}

/// A segment whose documents are in a compound file is read through its `.si`.
#[test]
fn documents_of_java_in_a_compound_file() {
    let (commit, dir) = java().swap_remove(1);
    assert_eq!(commit.name, "compound");
    let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
    assert_eq!(reader.doc_count(), 3);
    let third = reader.document(2).unwrap();
    assert_eq!(third.fields().map(|field| field.name).collect::<Vec<_>>(), ["title", "year"]);
    let inside = index::check(&dir).unwrap();
    let names: Vec<&str> = inside.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["segments_1", "_0.si", "_0.cfe", "_0.cfs", "_0.fdt", "_0.fdx", "_0.fnm"]);
}

/// What is wrong with one of the two files is not said of the other, and the files within are
/// looked at as far as they can be found.
#[test]
fn a_compound_file_that_is_damaged() {
    let (_, dir) = java().swap_remove(1);
    let bad = || -> Vec<String> { bad(&dir).into_iter().map(|(name, _)| name).collect() };
    let data = read(&dir, "_0.cfs");
    let table = read(&dir, "_0.cfe");
    let within = data.windows(4).position(|w| w == b"year").unwrap();
    for (at, expected) in [(within, &["_0.cfs", "_0.fnm"][..]), (data.len() - 1, &["_0.cfs"])] {
        let mut bytes = data.clone();
        bytes[at] ^= 1;
        replace(&dir, "_0.cfs", &bytes);
        assert_eq!(bad(), expected, "at {at}");
        assert_eq!(index::check(&dir).unwrap().len(), 7);
    }
    replace(&dir, "_0.cfs", &data[..data.len() - 1]);
    assert_eq!(bad(), ["_0.cfs"]);
    dir.delete_file("_0.cfs").unwrap();
    assert_eq!(bad(), ["_0.cfs"]);
    write(&dir, "_0.cfs", &data);

    for at in 0..table.len() {
        let mut bytes = table.clone();
        bytes[at] ^= 1;
        replace(&dir, "_0.cfe", &bytes);
        assert_eq!(bad(), ["_0.cfe"], "at {at}");
    }
    // Right by itself, and another file's: a length that does not fit.
    let mut bytes = table.clone();
    let length = table.len() - 17;
    bytes[length] ^= 1;
    replace(&dir, "_0.cfe", &resealed(bytes));
    assert_eq!(bad(), ["_0.cfe"]);
    assert_eq!(index::check(&dir).unwrap().len(), 4);
    dir.delete_file("_0.cfe").unwrap();
    assert_eq!(bad(), ["_0.cfe"]);
}

#[test]
fn user_data_is_carried_over() {
    let (_, dir) = java().swap_remove(0);
    index::write_commit(&dir, &[], Target::Lucene46).unwrap();
    let commit = index::read_commit(&dir).unwrap();
    assert_eq!(commit.user_data()["emoji"], "😀");
    assert_eq!(commit.generation(), 5);
}
