//! What a repair tool prints: every file of the newest commit, verified.

use crate::index_common::*;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Options, Writer};
use lucene_io::{DataOutput, Error, codec};
use std::io::ErrorKind;

fn listed(dir: &RamDirectory) -> Vec<String> {
    index::check(dir).unwrap().into_iter().map(|(name, _)| name).collect()
}

fn result(dir: &RamDirectory, name: &str) -> Result<(), Error> {
    let found = index::check(dir).unwrap().into_iter().find(|(entry, _)| entry == name);
    found.unwrap_or_else(|| panic!("{name} is not in the list")).1
}

fn two_segments() -> RamDirectory {
    let dir = RamDirectory::new();
    // Two chunks of documents.
    let both = [segment(&dir, "_1", 300, &["title", "größe"]), segment(&dir, "_0", 2, &["id"])];
    index::write_commit(&dir, &both, Target::Lucene410).unwrap();
    dir
}

const ORDER: [&str; 9] =
    ["segments_1", "_1.si", "_1.fdt", "_1.fdx", "_1.fnm", "_0.si", "_0.fdt", "_0.fdx", "_0.fnm"];

#[test]
fn every_file_in_one_order() {
    let dir = two_segments();
    write(&dir, "segments.gen", b"of no interest");
    write(&dir, "_7.fdt", b"of no commit");
    assert_eq!(listed(&dir), ORDER);
    assert_eq!(bad(&dir), []);
}

#[test]
fn a_flipped_bit_in_any_file() {
    let dir = two_segments();
    for name in ORDER {
        let whole = read(&dir, name);
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            replace(&dir, name, &bytes);
            let bad: Vec<String> = bad(&dir).into_iter().map(|(entry, _)| entry).collect();
            assert_eq!(bad, [name], "at {at}");
        }
        replace(&dir, name, &whole);
    }
    assert_eq!(bad(&dir), []);
}

#[test]
fn a_missing_file() {
    let dir = two_segments();
    for name in &ORDER[1..] {
        let whole = read(&dir, name);
        dir.delete_file(name).unwrap();
        assert_eq!(kind(result(&dir, name)), Some(ErrorKind::NotFound), "{name}");
        assert_eq!(bad(&dir).len(), 1, "{name}");
        write(&dir, name, &whole);
    }
}

#[test]
fn an_unreadable_commit_is_the_only_entry() {
    let dir = two_segments();
    write(&dir, "segments_2", b"");
    let entries = index::check(&dir).unwrap();
    assert_eq!(entries.len(), 1);
    assert!(entries[0].0 == "segments_2" && entries[0].1.is_err());
    dir.delete_file("segments_2").unwrap();
    dir.delete_file("segments_1").unwrap();
    assert_eq!(kind(index::check(&dir)), Some(ErrorKind::NotFound));
}

#[test]
fn an_unreadable_segment_info_hides_its_files() {
    let dir = two_segments();
    replace(&dir, "_1.si", b"");
    assert_eq!(listed(&dir), ["segments_1", "_1.si", "_0.si", "_0.fdt", "_0.fdx", "_0.fnm"]);
}

/// The checksum is right, and the documents are not: they are read.
#[test]
fn documents_are_read() {
    let dir = two_segments();
    let mut data = read(&dir, "_0.fdt");
    // The last chunk's last byte, before the footer: a part of the text.
    let at = data.len() - 17;
    data[at] = 0xFF;
    replace(&dir, "_0.fdt", &resealed(data));
    assert!(result(&dir, "_0.fdt").is_err());
    assert_eq!(bad(&dir).len(), 1);
}

/// A segment that names fields which its documents do not have is good, and not the other way round.
#[test]
fn fields_that_are_not_named() {
    let dir = RamDirectory::new();
    let one = segment(&dir, "_0", 2, &["a", "b"]);
    index::write_commit(&dir, &[one], Target::Lucene410).unwrap();
    let other = RamDirectory::new();
    for (fields, good) in [(&["x", "y", "z"][..], true), (&["x"][..], false)] {
        let made = segment(&other, "_0", 1, fields);
        index::write_commit(&other, &[made], Target::Lucene410).unwrap();
        replace(&dir, "_0.fnm", &read(&other, "_0.fnm"));
        assert_eq!(bad(&dir).is_empty(), good);
        other.list_all().unwrap().iter().for_each(|name| other.delete_file(name).unwrap());
    }
}

/// Rewrites what `.si` says of a segment: its version and its files.
fn info(dir: &RamDirectory, version: &str, files: &[&str]) {
    replace(dir, "_0.si", &info_of(version, 0xFF, files));
}

fn info_of(version: &str, compound: u8, files: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    codec::write_header(&mut out, "Lucene46SegmentInfo", 1).unwrap();
    out.write_string(version).unwrap();
    out.write_i32(2).unwrap();
    out.write_byte(compound).unwrap();
    out.write_string_string_map([]).unwrap();
    out.write_string_set(files.iter().copied()).unwrap();
    codec::write_footer(&mut out).unwrap();
    out
}

fn one_segment() -> RamDirectory {
    let dir = RamDirectory::new();
    let one = segment(&dir, "_0", 2, &["id"]);
    index::write_commit(&dir, &[one], Target::Lucene410).unwrap();
    dir
}

#[test]
fn files_of_other_formats() {
    let dir = one_segment();
    let mut footed = Vec::new();
    codec::write_header(&mut footed, "BLOCK_TREE_TERMS_DICT", 2).unwrap();
    let headed = footed.clone();
    codec::write_footer(&mut footed).unwrap();
    let mut flipped = footed.clone();
    flipped[6] ^= 1;
    let no_header = resealed(footed[1..].to_vec());

    // Lucene 4.8 and later: a footer. Before: a header, and a footer where there is one.
    let cases: [(&str, &[u8], bool); 11] = [
        ("4.8", &footed, true),
        ("4.10.4", &footed, true),
        ("4.8", &headed, false),
        ("4.10.4", &headed, false),
        ("4.8", &flipped, false),
        ("4.8", &no_header, false),
        ("4.7.2", &headed, true),
        ("4.0", &headed, true),
        ("4.7.2", &flipped, false),
        ("4.7.2", b"xxxxyyyy", false),
        ("4.7.2", b"", false),
    ];
    for (version, bytes, good) in cases {
        info(&dir, version, &["_0.fdt", "_0.fdx", "_0.fnm", "_0.si", "_0_x.tim"]);
        let _ = dir.delete_file("_0_x.tim");
        write(&dir, "_0_x.tim", bytes);
        assert_eq!(result(&dir, "_0_x.tim").is_ok(), good, "{version} {bytes:?}");
    }
    let entries = listed(&dir);
    assert_eq!(entries.last().unwrap(), "_0_x.tim");
}

#[test]
fn files_that_lead_elsewhere() {
    let dir = one_segment();
    info(&dir, "4.10.4", &["../../etc/passwd"]);
    assert!(matches!(result(&dir, "_0.si"), Err(Error::InvalidName)));
    assert_eq!(listed(&dir), ["segments_1", "_0.si"]);
}

/// A `.del` as Lucene 4.0 to 4.7 (version 1, no checksum) and later wrote it; typed from its format.
fn deletes(version: i32, sparse: bool, docs: i32, alive: i32, bits: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    out.write_i32(-2).unwrap();
    codec::write_header(&mut out, "BitVector", version).unwrap();
    if sparse {
        out.write_i32(-1).unwrap();
    }
    out.write_i32(docs).unwrap();
    out.write_i32(alive).unwrap();
    out.write_bytes(bits).unwrap();
    if version == 2 {
        codec::write_footer(&mut out).unwrap();
    }
    out
}

/// A commit in which one document of `_0` is deleted, by generation 37.
fn one_deleted() -> RamDirectory {
    let dir = one_segment();
    write(&dir, "segments_2", &commit_of("Lucene46", 37, 1));
    dir
}

/// A commit of one segment, `_0`, in the dialect of 4.8.
fn commit_of(name: &str, generation: i64, deleted: i32) -> Vec<u8> {
    let mut commit = Vec::new();
    codec::write_header(&mut commit, "segments", 2).unwrap();
    commit.write_i64(1).unwrap();
    commit.write_bytes(&[0, 0, 0, 1, 0, 0, 0, 1]).unwrap();
    commit.write_string("_0").unwrap();
    commit.write_string(name).unwrap();
    commit.write_i64(generation).unwrap();
    commit.write_i32(deleted).unwrap();
    commit.write_i64(-1).unwrap();
    commit.write_i32(0).unwrap();
    commit.write_string_string_map([]).unwrap();
    codec::write_footer(&mut commit).unwrap();
    commit
}

#[test]
fn deleted_documents() {
    let dir = one_deleted();
    assert_eq!(kind(result(&dir, "_0_11.del")), Some(ErrorKind::NotFound));
    write(&dir, "_0_11.del", b"");
    let cases: [(bool, i32, i32, &[u8], bool); 14] = [
        (false, 2, 1, &[0b01], true),
        (false, 2, 1, &[0b10], true),
        // Behind the last document anything may stand.
        (false, 2, 1, &[0b1111_1110], true),
        (false, 2, 1, &[0b11], false),
        (false, 2, 1, &[0b00], false),
        (false, 2, 1, &[], false),
        (false, 2, 1, &[0b01, 0], false),
        (false, 3, 2, &[0b011], false),
        (false, 2, 2, &[0b11], false),
        (false, -1, 1, &[0b01], false),
        (true, 2, 1, &[0, 0b01], true),
        (true, 2, 1, &[0, 0b11], false),
        (true, 2, 1, &[1, 0b01], false),
        (true, 2, 1, b"\xff\xff\xff\xff\x0f\x01", false),
    ];
    for (sparse, docs, alive, bits, good) in cases {
        for version in [1, 2] {
            replace(&dir, "_0_11.del", &deletes(version, sparse, docs, alive, bits));
            let result = result(&dir, "_0_11.del");
            assert_eq!(result.is_ok(), good, "{version} {docs} {alive} {bits:?}: {result:?}");
        }
    }
    // Its name is known without the `.si`.
    replace(&dir, "_0.si", b"");
    assert_eq!(listed(&dir), ["segments_2", "_0.si", "_0_11.del"]);
}

#[test]
fn damaged_deletes() {
    let dir = one_deleted();
    write(&dir, "_0_11.del", b"");
    for sparse in [false, true] {
        let whole = deletes(2, sparse, 2, 1, if sparse { &[0, 0b01] } else { &[0b01] });
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            replace(&dir, "_0_11.del", &bytes);
            assert!(result(&dir, "_0_11.del").is_err(), "bit {bit}");
        }
        for len in 0..whole.len() {
            replace(&dir, "_0_11.del", &whole[..len]);
            assert!(result(&dir, "_0_11.del").is_err(), "cut at {len}");
        }
    }
}

/// Of a codec that nobody here knows, files may begin and end as they like.
#[test]
fn files_of_an_unknown_codec() {
    let dir = one_segment();
    info(&dir, "4.10.4", &["_0.fdt", "_0.pst", "_0.odd"]);
    write(&dir, "_0.pst", b"field body");
    let mut footed = b"odd, and with a footer".to_vec();
    codec::write_footer(&mut footed).unwrap();
    write(&dir, "_0.odd", &footed);
    write(&dir, "segments_2", &commit_of("Lucene46", -1, 0));
    assert_eq!(bad(&dir).len(), 2);
    replace(&dir, "segments_2", &commit_of("SimpleText", -1, 0));
    assert_eq!(bad(&dir), []);
    footed[3] ^= 1;
    replace(&dir, "_0.odd", &footed);
    assert_eq!(bad(&dir).len(), 1);
}

#[test]
fn a_compound_file_that_is_missing() {
    let dir = one_segment();
    for files in [&["_0.cfe", "_0.cfs", "_0.si"][..], &[]] {
        replace(&dir, "_0.si", &info_of("4.10.4", 1, files));
        assert_eq!(listed(&dir), ["segments_1", "_0.si", "_0.cfe", "_0.cfs"]);
        assert_eq!(kind(result(&dir, "_0.cfe")), Some(ErrorKind::NotFound));
        assert_eq!(kind(result(&dir, "_0.cfs")), Some(ErrorKind::NotFound));
    }
}

#[test]
fn what_is_named_twice_is_listed_once() {
    let dir = two_segments();
    info(&dir, "4.10.4", &["_0.fdt", "_0.fdx", "_0.fnm"]);
    assert_eq!(listed(&dir), ORDER);
}

/// It would be verified, and carried over, as what it is not.
#[test]
fn a_segment_that_names_a_file_of_another() {
    for name in ["_1.fdt", "_00.fdt", "_0fdt", "_0", "_.fdt", "x_0.fdt", "segments_1"] {
        let dir = two_segments();
        info(&dir, "4.10.4", &["_0.fdt", "_0.fdx", name]);
        let refused = |result| match result {
            Err(Error::Corrupt { file: "segment info", what }) => what.contains("of another"),
            _ => false,
        };
        assert!(refused(result(&dir, "_0.si")), "{name}");
        assert!(refused(index::read_commit(&dir).map(drop)), "{name}");
    }
    let dir = two_segments();
    info(&dir, "4.10.4", &["_0.fdt", "_0.fdx", "_0_1.liv", "_0_Lucene41_0.doc"]);
    index::read_commit(&dir).unwrap();
}

/// What is large is read in pieces.
#[test]
fn a_segment_of_many_documents() {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Options::default()).unwrap();
    let text = "0123456789".repeat(4000);
    for doc in 0..50 {
        writer.start_document().unwrap().string("text", &text).i32("doc", doc).end().unwrap();
    }
    index::write_commit(&dir, &[writer.finish().unwrap()], Target::Lucene46).unwrap();
    assert_eq!(bad(&dir), []);
    assert_eq!(listed(&dir).len(), 5);
}
