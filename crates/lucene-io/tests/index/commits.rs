//! Commits: what is written, and read again; what Java wrote; what is carried over.

use crate::common::hexdump;
use crate::index_common::*;
use lucene_io::Error;
use lucene_io::index::{self, Segment, Target};
use lucene_io::store::{Directory, FsDirectory, RamDirectory};
use std::collections::BTreeMap;
use std::io::ErrorKind;

fn names(commit: &index::Commit) -> Vec<&str> {
    commit.segments().iter().map(Segment::name).collect()
}

#[test]
fn what_is_written_is_read() {
    for (target, codec) in TARGETS.into_iter().zip(["Lucene410", "Lucene46"]) {
        let dir = RamDirectory::new();
        let first = segment(&dir, "_0", 3, &["title", "", "größe"]);
        assert_eq!((first.codec(), first.deleted_count(), first.is_compound()), ("", 0, false));
        let second = segment(&dir, "_z", 200, &["title"]);
        index::write_commit(&dir, &[first, second], target).unwrap();

        let fields = |names: &[&str]| (0..).zip(names.iter().map(|&n| n.to_owned())).collect();
        let expected = Said {
            generation: 1,
            user_data: BTreeMap::new(),
            segments: vec![
                ("_0".into(), 3, 0, false, codec.into(), fields(&["title", "", "größe"])),
                ("_z".into(), 200, 0, false, codec.into(), fields(&["title"])),
            ],
        };
        assert_eq!(said_of(&dir).unwrap(), expected);
        assert_eq!(bad(&dir), []);
        assert!(!dir.list_all().unwrap().iter().any(|name| name.starts_with("pending")));
    }
}

#[test]
fn in_a_folder() {
    let folder = std::env::temp_dir().join(format!("lucene-io-index-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let dir = FsDirectory::open(&folder).unwrap();
    assert_eq!(kind(index::read_commit(&dir)), Some(ErrorKind::NotFound));
    assert_eq!(kind(index::check(&dir)), Some(ErrorKind::NotFound));
    let first = segment(&dir, "_0", 3, &["a"]);
    index::write_commit(&dir, &[first], Target::Lucene410).unwrap();
    assert_eq!(said_of(&dir).unwrap().segments.len(), 1);
    assert_eq!(bad(&dir), []);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Byte for byte: what Java's `CheckIndex` was shown.
#[test]
fn bytes() {
    for target in TARGETS {
        let dir = RamDirectory::new();
        let one = segment(&dir, "_a", 2, &["id", "größe"]);
        index::write_commit(&dir, &[one], target).unwrap();
        let mut dump = String::new();
        for name in ["_a.fnm", "_a.si", "segments_1"] {
            dump.push_str(&format!("{name}\n{}\n", hexdump(&read(&dir, name))));
        }
        insta::assert_snapshot!(format!("bytes_{target:?}"), dump);
    }
}

#[test]
fn the_same_segments_give_the_same_bytes() {
    let made = || {
        let dir = RamDirectory::new();
        let one = segment(&dir, "_0", 100, &["id", "größe"]);
        index::write_commit(&dir, &[one], Target::Lucene410).unwrap();
        all(&dir)
    };
    assert_eq!(made(), made());
}

#[test]
fn no_segment_at_all() {
    let dir = RamDirectory::new();
    index::write_commit(&dir, &[], Target::Lucene410).unwrap();
    let commit = index::read_commit(&dir).unwrap();
    assert_eq!((commit.generation(), commit.segments().len()), (1, 0));
    assert_eq!(bad(&dir), []);
}

#[test]
fn a_segment_without_documents() {
    let dir = RamDirectory::new();
    let none = segment(&dir, "_0", 0, &["a"]);
    index::write_commit(&dir, &[none], Target::Lucene410).unwrap();
    assert_eq!(index::read_commit(&dir).unwrap().segments()[0].doc_count(), 0);
    assert_eq!(bad(&dir), []);
}

/// Documents are added: what was committed is passed again as it was read.
#[test]
fn a_second_commit() {
    for target in TARGETS {
        let dir = RamDirectory::new();
        let first = segment(&dir, "_0", 3, &["a"]);
        index::write_commit(&dir, &[first], target).unwrap();
        let before = all(&dir);

        let mut segments = index::read_commit(&dir).unwrap().segments().to_vec();
        segments.push(segment(&dir, "_1", 5, &["b"]));
        index::write_commit(&dir, &segments, target).unwrap();

        let commit = index::read_commit(&dir).unwrap();
        assert_eq!((commit.generation(), names(&commit)), (2, vec!["_0", "_1"]));
        assert_eq!(bad(&dir), []);
        // Nothing that was there is touched.
        let after = all(&dir);
        assert!(before.iter().all(|(name, bytes)| after[name] == *bytes));
    }
}

/// A value of the writer may be committed again; its files are the same already.
#[test]
fn a_written_segment_twice() {
    let dir = RamDirectory::new();
    let first = segment(&dir, "_0", 3, &["a"]);
    index::write_commit(&dir, std::slice::from_ref(&first), Target::Lucene410).unwrap();
    let second = segment(&dir, "_1", 1, &["a"]);
    index::write_commit(&dir, &[first.clone(), second], Target::Lucene410).unwrap();
    assert_eq!(names(&index::read_commit(&dir).unwrap()), ["_0", "_1"]);

    // For another target the files would be others.
    let before = all(&dir);
    let again = index::write_commit(&dir, &[first], Target::Lucene46);
    assert_eq!(kind(again), Some(ErrorKind::AlreadyExists));
    assert_eq!(all(&dir), before);
}

#[test]
fn files_that_are_in_the_way_stay() {
    for (name, same_length) in [("_0.fnm", false), ("_0.si", false), ("_0.si", true)] {
        let dir = RamDirectory::new();
        let first = segment(&dir, "_0", 3, &["a"]);
        let mut there = b"somebody else's".to_vec();
        if same_length {
            let other = RamDirectory::new();
            let same = segment(&other, "_0", 3, &["a"]);
            index::write_commit(&other, &[same], Target::Lucene410).unwrap();
            there = read(&other, name);
            there[40] ^= 1;
        }
        write(&dir, name, &there);
        let before = all(&dir);
        let result = index::write_commit(&dir, &[first], Target::Lucene410);
        assert_eq!(kind(result), Some(ErrorKind::AlreadyExists));
        assert_eq!(all(&dir), before, "{name}");
    }
}

#[test]
fn leaving_segments_out() {
    let dir = RamDirectory::new();
    let both = [segment(&dir, "_0", 3, &["a"]), segment(&dir, "_1", 4, &["a"])];
    index::write_commit(&dir, &both, Target::Lucene410).unwrap();
    let commit = index::read_commit(&dir).unwrap();
    index::write_commit(&dir, &commit.segments()[1..], Target::Lucene410).unwrap();
    assert_eq!(names(&index::read_commit(&dir).unwrap()), ["_1"]);
    // The number of the next segment never goes back: `_1` was there. It stands behind the header
    // (17 bytes) and the version (8).
    let counter = |name| read(&dir, name)[25..29].to_vec();
    assert_eq!([counter("segments_1"), counter("segments_2")], [[0, 0, 0, 2], [0, 0, 0, 2]]);
    index::write_commit(&dir, &[segment(&dir, "_z", 1, &[])], Target::Lucene410).unwrap();
    assert_eq!(counter("segments_3"), [0, 0, 0, 36]);
    index::write_commit(&dir, &[], Target::Lucene410).unwrap();
    assert_eq!(counter("segments_4"), [0, 0, 0, 36]);
}

#[test]
fn the_newest_commit() {
    let dir = RamDirectory::new();
    index::write_commit(&dir, &[], Target::Lucene410).unwrap();
    let bytes = read(&dir, "segments_1");
    // Not commits, or not names that Lucene gives: also the last, which is beyond a Java long.
    for name in [
        "segments.gen",
        "segments_",
        "segments_0",
        "segments_03",
        "segments_-4",
        "segments_+4",
        "segments_A",
        "segments_5.bak",
        "segmentsx",
        "pending_segments_9",
        "segments_1y2p0ij32e8e8",
    ] {
        write(&dir, name, b"");
    }
    assert_eq!(index::read_commit(&dir).unwrap().generation(), 1);
    for (digits, generation) in
        [("9", 9), ("a", 10), ("z", 35), ("10", 36), ("1y2p0ij32e8e7", u64::MAX / 2)]
    {
        write(&dir, &format!("segments_{digits}"), &bytes);
        assert_eq!(index::read_commit(&dir).unwrap().generation(), generation);
    }
    // There is no number after it.
    let next = index::write_commit(&dir, &[], Target::Lucene410);
    assert!(matches!(next, Err(Error::Corrupt { .. })), "{next:?}");

    let dir = RamDirectory::new();
    write(&dir, "segments", &bytes);
    assert_eq!(index::read_commit(&dir).unwrap().generation(), 0);
    index::write_commit(&dir, &[], Target::Lucene410).unwrap();
    assert_eq!(index::read_commit(&dir).unwrap().generation(), 1);
    for _ in 2..=36 {
        index::write_commit(&dir, &[], Target::Lucene410).unwrap();
    }
    assert!(dir.list_all().unwrap().contains(&"segments_10".into()));

    // No falling back.
    replace(&dir, "segments_10", b"");
    assert!(index::read_commit(&dir).is_err());
    assert!(index::write_commit(&dir, &[], Target::Lucene410).is_err());
}

#[test]
fn a_pending_commit_that_was_cut_off_is_in_nobodys_way() {
    let dir = RamDirectory::new();
    write(&dir, "pending_segments_1", b"half");
    index::write_commit(&dir, &[], Target::Lucene410).unwrap();
    assert_eq!(dir.list_all().unwrap(), ["segments_1"]);
}

#[test]
fn names_of_segments() {
    let dir = RamDirectory::new();
    for name in ["0", "_", "_A", "_0_1", "_-1", "_+1", "_zik0zk", "_zik0zj", "_é", "x_0"] {
        let odd = segment(&dir, name, 1, &[]);
        let before = all(&dir);
        let result = index::write_commit(&dir, &[odd], Target::Lucene410);
        assert!(matches!(result, Err(Error::InvalidName)), "{name}: {result:?}");
        assert_eq!(all(&dir), before);
    }
    let last = segment(&dir, "_zik0zi", 1, &[]);
    let twice = index::write_commit(&dir, &[last.clone(), last.clone()], Target::Lucene410);
    assert!(matches!(twice, Err(Error::InvalidName)));
    index::write_commit(&dir, &[last], Target::Lucene410).unwrap();
}

#[test]
fn a_segment_of_another_directory() {
    let here = RamDirectory::new();
    let there = RamDirectory::new();
    let one = segment(&there, "_0", 1, &["a"]);
    assert_eq!(
        kind(index::write_commit(&here, std::slice::from_ref(&one), Target::Lucene410)),
        Some(ErrorKind::NotFound)
    );
    index::write_commit(&there, &[one], Target::Lucene410).unwrap();
    let carried = index::read_commit(&there).unwrap();
    assert_eq!(
        kind(index::write_commit(&here, carried.segments(), Target::Lucene410)),
        Some(ErrorKind::NotFound)
    );
    assert_eq!(here.list_all().unwrap(), [""; 0]);

    // One of the same name, with other documents.
    let other = segment(&here, "_0", 2, &["a"]);
    index::write_commit(&here, &[other], Target::Lucene410).unwrap();
    let mixed = index::write_commit(&here, carried.segments(), Target::Lucene410);
    assert!(matches!(mixed, Err(Error::Corrupt { .. })), "{mixed:?}");
    assert_eq!(index::read_commit(&here).unwrap().generation(), 1);
}

#[test]
fn too_many_documents() {
    let dir = RamDirectory::new();
    let half = segment(&dir, "_0", 1, &[]);
    index::write_commit(&dir, &[half], Target::Lucene410).unwrap();
    // The count of documents stands in front of the byte that says whether it is compound.
    let info = read(&dir, "_0.si");
    let at = info.windows(6).position(|w| w == b"4.10.4").unwrap() + 6;
    let with = |docs: u32| {
        let mut info = info.clone();
        info[at..at + 4].copy_from_slice(&docs.to_be_bytes());
        resealed(info)
    };
    replace(&dir, "_0.si", &with(0x7FFF_FF7F));
    let most = index::read_commit(&dir).unwrap();
    index::write_commit(&dir, most.segments(), Target::Lucene410).unwrap();
    // Older Lucenes had a higher limit.
    for docs in [0x7FFF_FF80, 0x7FFF_FFFF] {
        replace(&dir, "_0.si", &with(docs));
        let more = index::read_commit(&dir).unwrap();
        let result = index::write_commit(&dir, more.segments(), Target::Lucene410);
        let Err(Error::TooLong { length }) = result else { panic!("{result:?}") };
        assert_eq!(length, u64::from(docs));
    }
    replace(&dir, "_0.si", &with(0x8000_0000));
    assert!(matches!(index::read_commit(&dir), Err(Error::Corrupt { .. })));

    // Two segments that are too many together.
    replace(&dir, "_0.si", &info);
    let mut segments = index::read_commit(&dir).unwrap().segments().to_vec();
    segments.push(segment(&dir, "_1", 1, &[]));
    index::write_commit(&dir, &segments, Target::Lucene410).unwrap();
    replace(&dir, "_0.si", &with(0x7FFF_FFFE));
    assert_eq!(index::read_commit(&dir).unwrap().segments().len(), 2);
    replace(&dir, "_0.si", &with(0x7FFF_FFFF));
    assert!(matches!(index::read_commit(&dir), Err(Error::Corrupt { .. })));
}

/// A segment that was finished stands for the files that were written, and no others.
#[test]
fn a_finished_segment_whose_files_were_replaced() {
    let dir = RamDirectory::new();
    let finished = segment(&dir, "_0", 3, &["a"]);
    let written = all(&dir);
    let other = RamDirectory::new();
    segment(&other, "_0", 3, &["a", "b"]);
    let refused = |dir: &RamDirectory| {
        let before = all(dir);
        let result = index::write_commit(dir, std::slice::from_ref(&finished), Target::Lucene410);
        assert_eq!(all(dir), before, "nothing is left behind");
        matches!(result, Err(Error::Corrupt { what: "not the file that was written", .. }))
    };
    for name in ["_0.fdt", "_0.fdx"] {
        let mut files = written.clone();
        file_of(&mut files, name).push(0);
        assert!(refused(&ram(&files)), "{name} longer");
        file_of(&mut files, name).truncate(8);
        assert!(refused(&ram(&files)), "{name} shorter");
        // As long as it was, with a right checksum of something else.
        let mut file = written[name].clone();
        file[40] ^= 1;
        files.insert(name.into(), resealed(file));
        assert!(refused(&ram(&files)), "{name} of other bytes");
    }
    let other = ram(&all(&other));
    assert!(refused(&other), "the same name in another directory");
    // A copy of them is as good.
    let copy = ram(&written);
    index::write_commit(&copy, std::slice::from_ref(&finished), Target::Lucene410).unwrap();
    index::write_commit(&dir, &[finished], Target::Lucene410).unwrap();
    assert_eq!(all(&copy), all(&dir));
}

fn file_of<'a>(files: &'a mut BTreeMap<String, Vec<u8>>, name: &str) -> &'a mut Vec<u8> {
    files.get_mut(name).unwrap()
}
