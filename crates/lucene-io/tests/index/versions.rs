//! Every version of the files of a commit: read, damaged, contradicting itself, carried over.

use crate::index_common::old::{OLD, Old};
use crate::index_common::*;
use lucene_io::index::{self, Target};
use lucene_io::{DataOutput, Error, codec};
use std::collections::BTreeMap;

#[test]
fn every_version_is_read() {
    for old in &OLD {
        let expected = Said {
            generation: 1,
            user_data: BTreeMap::from([("by".into(), "hand".into())]),
            segments: vec![(
                "_0".into(),
                2,
                1,
                false,
                old.codec.into(),
                vec![(0, "id".into()), (1, String::new()), (2, "größe".into())],
            )],
        };
        assert_eq!(said_of(&ram(&old.files())).unwrap(), expected);
    }
}

/// A version that is one bit away does not switch the checksum off, and a cut never goes unseen.
#[test]
fn every_version_damaged() {
    for old in &OLD {
        let files = old.files();
        let right = said_of(&ram(&files)).unwrap();
        for (name, bytes) in &files {
            let checked = match name.as_str() {
                "_0.fnm" => old.fields.1 >= 1,
                "_0.si" => old.info.1 >= 1,
                _ => true,
            };
            for bit in 0..bytes.len() * 8 {
                let mut files = files.clone();
                files.get_mut(name).unwrap()[bit / 8] ^= 1 << (bit % 8);
                let result = said_of(&ram(&files));
                // Without a checksum damage may go unseen; what is in it must not stop the reader.
                assert!(!checked || result.is_err(), "{name} bit {bit} of {}", old.codec);
            }
            for len in 0..bytes.len() {
                let mut files = files.clone();
                files.get_mut(name).unwrap().truncate(len);
                let result = said_of(&ram(&files));
                let cut = matches!(result, Err(Error::Truncated));
                assert!(cut || checked && result.is_err(), "{name} cut at {len}: {result:?}");
            }
            let mut files = files.clone();
            files.get_mut(name).unwrap().push(0);
            assert!(said_of(&ram(&files)).is_err(), "{name} longer, of {}", old.codec);
        }
        assert_eq!(said_of(&ram(&files)).unwrap(), right);
    }
}

/// What can be carried into which commit: 4.8 counts updates by generation, 4.9 by field.
#[test]
fn carried_between_the_dialects() {
    for old in &OLD {
        let mut files = old.files();
        files.extend(["_0.fdt", "_0.fdx", "_0_1.del"].map(|name| (name.into(), Vec::new())));
        let newer = old.segments == 3;
        for target in TARGETS {
            let dir = ram(&files);
            let before = index::read_commit(&dir).unwrap();
            let result = index::write_commit(&dir, before.segments(), target);
            if newer && target == Target::Lucene46 {
                assert!(matches!(result, Err(Error::CodecMismatch)), "{result:?}");
                continue;
            }
            result.unwrap();
            let expected = Said { generation: 2, ..said(&before) };
            assert_eq!(said_of(&dir).unwrap(), expected);
        }
        if old.segments == 0 {
            continue;
        }
        files.insert("segments_1".into(), old.segments("_0", (1, 1), &["_0_5.fnm", "_0_5.dvd"]));
        files.insert("_0_5.fnm".into(), old.fields(&[(0, "updated")], 0, 5));
        files.insert("_0_5.dvd".into(), Vec::new());
        for target in TARGETS {
            let dir = ram(&files);
            let before = index::read_commit(&dir).unwrap();
            // The field infos of the later generation count.
            assert_eq!(before.segments()[0].fields().collect::<Vec<_>>(), [(0, "updated")]);
            let result = index::write_commit(&dir, before.segments(), target);
            if newer == (target == Target::Lucene410) {
                result.unwrap();
                let expected = Said { generation: 2, ..said(&before) };
                assert_eq!(said_of(&dir).unwrap(), expected);
                let names: Vec<String> =
                    index::check(&dir).unwrap().into_iter().map(|(name, _)| name).collect();
                assert!(names.contains(&"_0_5.dvd".to_owned()));
            } else {
                assert!(matches!(result, Err(Error::CodecMismatch)), "{result:?}");
                assert_eq!(index::read_commit(&dir).unwrap().generation(), 1);
            }
        }
    }
}

fn with(name: &str, bytes: Vec<u8>, old: &Old) -> Result<Said, Error> {
    let mut files = old.files();
    files.insert(name.into(), bytes);
    said_of(&ram(&files))
}

fn is_corrupt(result: Result<Said, Error>) -> bool {
    matches!(result, Err(Error::Corrupt { .. }))
}

#[test]
fn contradictions() {
    for old in &OLD {
        let fnm =
            |fields: &[(i32, &str)], types| with("_0.fnm", old.fields(fields, types, -1), old);
        assert!(fnm(&[], 0).is_ok());
        assert!(is_corrupt(fnm(&[(0, "a"), (0, "b")], 0)), "one number");
        assert!(is_corrupt(fnm(&[(0, "a"), (1, "b"), (2, "a")], 0)), "one name");
        assert!(is_corrupt(fnm(&[(-1, "a")], 0)));
        let most = match old.fields {
            ("Lucene40FieldInfos", _) => 13,
            ("Lucene46FieldInfos", 2) => 5,
            _ => 4,
        };
        assert!(fnm(&[(0, "a")], most | most << 4).is_ok());
        assert!(is_corrupt(fnm(&[(0, "a")], most + 1)));
        assert!(is_corrupt(fnm(&[(0, "a")], (most + 1) << 4)));
        let generation = with("_0.fnm", old.fields(&[(0, "a")], 0, -2), old);
        assert_eq!(is_corrupt(generation), old.fields.0 == "Lucene46FieldInfos");

        let si = |docs, files: &[&str]| with("_0.si", old.info(docs, files), old);
        assert!(si(1, &[]).is_ok());
        assert!(is_corrupt(si(-1, &[])), "documents");
        assert!(is_corrupt(si(0, &[])), "more deleted than there are");
        for name in ["", "../x", "/x", "a/b", "a\\b", "C:x"] {
            assert!(matches!(si(2, &[name]), Err(Error::InvalidName)), "{name}");
        }

        let n = |deletes, updates: &[&str]| {
            with("segments_1", old.segments("_0", deletes, updates), old)
        };
        assert!(n((-1, 0), &[]).is_ok());
        assert!(n((0, 1), &[]).is_ok());
        assert!(is_corrupt(n((-1, 1), &[])), "deleted and no generation");
        assert!(is_corrupt(n((-2, 0), &[])), "generation");
        assert!(is_corrupt(n((i64::MAX, 1), &[])), "generation without a next one");
        assert!(is_corrupt(n((1, -1), &[])), "deleted");
        assert!(is_corrupt(n((1, 3), &[])), "more deleted than there are");
        if old.segments > 0 {
            assert!(matches!(n((1, 1), &["../x"]), Err(Error::InvalidName)));
            let twice = old.commit(3, "_0", (1, 1), &["_0_5.fnm"], 2);
            assert!(is_corrupt(with("segments_1", twice, old)), "two sets of one number");
        }
        let mut files = old.files();
        // Without a name its files would be these.
        files.insert(".si".into(), files["_0.si"].clone());
        files.insert(".fnm".into(), files["_0.fnm"].clone());
        for name in ["", "../_0", "/_0", "a:"] {
            files.insert("segments_1".into(), old.segments(name, (1, 1), &[]));
            let result = said_of(&ram(&files));
            assert!(matches!(result, Err(Error::InvalidName)), "{name}: {result:?}");
        }
        let below = old.commit(-1, "_0", (1, 1), &[], 0);
        assert!(is_corrupt(with("segments_1", below, old)), "number of the next segment");
    }
}

/// Counts promise gigabytes; what is there decides.
#[test]
fn counts_that_lie() {
    let old = &OLD[4];
    let footed = |mut bytes: Vec<u8>| {
        codec::write_footer(&mut bytes).unwrap();
        bytes
    };
    for count in [i32::MAX, 1 << 20, -1, i32::MIN] {
        let mut fnm = Vec::new();
        codec::write_header(&mut fnm, old.fields.0, old.fields.1).unwrap();
        fnm.write_vint(count).unwrap();
        assert!(with("_0.fnm", footed(fnm), old).is_err());

        for counter in [0, -1] {
            let mut n = Vec::new();
            codec::write_header(&mut n, "segments", 3).unwrap();
            n.write_i64(0).unwrap();
            n.write_i32(counter).unwrap();
            n.write_i32(count).unwrap();
            assert!(with("segments_1", footed(n), old).is_err());
        }

        // Diagnostics and files: as in Java a negative count is none.
        for which in 0..2 {
            let mut si = Vec::new();
            codec::write_header(&mut si, old.info.0, old.info.1).unwrap();
            si.write_string("4.10.4").unwrap();
            si.write_i32(2).unwrap();
            si.write_byte(0xFF).unwrap();
            si.write_i32(if which == 0 { count } else { 0 }).unwrap();
            si.write_i32(if which == 1 { count } else { 0 }).unwrap();
            assert_eq!(with("_0.si", footed(si), old).is_ok(), count < 0);
        }
    }
    let mut si = old.info(2, &[]);
    let compound = si.iter().position(|&byte| byte == 0xFF).unwrap();
    for byte in [0, 2, 0x7F, 0x80] {
        si[compound] = byte;
        assert!(is_corrupt(with("_0.si", resealed(si.clone()), old)), "{byte}");
    }
}

#[test]
fn other_versions_and_codecs() {
    let old = &OLD[4];
    for (name, header, newest) in [
        ("_0.fnm", "Lucene46FieldInfos", 2),
        ("_0.si", "Lucene46SegmentInfo", 1),
        ("segments_1", "segments", 3),
    ] {
        let whole = old.files()[name].clone();
        let version = 4 + 1 + header.len();
        let mut newer = whole.clone();
        newer[version..version + 4].copy_from_slice(&(newest + 1_i32).to_be_bytes());
        let result = with(name, resealed(newer), old);
        let Err(Error::VersionTooNew { actual, min: 0, max }) = result else {
            panic!("{name}: {result:?}")
        };
        assert_eq!((actual, max), (newest + 1, newest));
        let mut older = whole.clone();
        older[version..version + 4].copy_from_slice(&(-1_i32).to_be_bytes());
        assert!(matches!(with(name, resealed(older), old), Err(Error::VersionTooOld { .. })));
        let mut other = whole.clone();
        other[5] = b'X';
        assert!(matches!(with(name, resealed(other), old), Err(Error::CodecMismatch)));
        let mut no_magic = whole;
        no_magic[0] = 0;
        assert!(matches!(with(name, resealed(no_magic), old), Err(Error::HeaderMismatch)));
    }
}
