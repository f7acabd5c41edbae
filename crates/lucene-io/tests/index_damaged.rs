//! Commits of damaged, cut and hostile files: an error, never another commit.

#![cfg(feature = "std")]

mod common;
mod index_common;

use index_common::*;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::{DataOutput, Error, IndexOutput, codec};
use std::collections::BTreeMap;

/// Two segments and a second commit, with enough in each file for 300 different bits.
fn index_of(target: Target) -> RamDirectory {
    let dir = RamDirectory::new();
    let first = segment(&dir, "_0", 3, &["id", "größe", "title", "a longer name of a field"]);
    index::write_commit(&dir, &[first], target).unwrap();
    let mut segments = index::read_commit(&dir).unwrap().segments().to_vec();
    segments.push(segment(&dir, "_1", 2, &["id"]));
    index::write_commit(&dir, &segments, target).unwrap();
    dir
}

/// Different bits of a file, spread over all of it.
fn bits(len: usize) -> impl Iterator<Item = usize> {
    let all = len * 8;
    assert!(all > 300, "{len} bytes");
    // 300 steps of a stride that is coprime to the number of bits never meet.
    let mut stride = all * 5 / 8;
    while gcd(stride, all) != 1 {
        stride += 1;
    }
    (0..300).map(move |i| i * stride % all)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `check` names the file. Whatever else it says, it says it of every file.
fn found_by_check(dir: &RamDirectory, name: &str) -> bool {
    let entries = index::check(dir).unwrap();
    entries.iter().any(|(entry, result)| entry == name && result.is_err())
}

#[test]
fn three_hundred_flipped_bits() {
    for target in TARGETS {
        let dir = index_of(target);
        for name in ["_0.fnm", "_0.si", "segments_2"] {
            let whole = read(&dir, name);
            let mut seen = std::collections::BTreeSet::new();
            for bit in bits(whole.len()) {
                assert!(seen.insert(bit));
                let mut bytes = whole.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                replace(&dir, name, &bytes);
                let result = index::read_commit(&dir);
                assert!(result.is_err(), "{name} bit {bit} of {target:?}: {result:?}");
                assert!(found_by_check(&dir, name), "{name} bit {bit}");
                if bit / 8 >= 40 && bit / 8 < whole.len() - 16 {
                    // Behind every header: nothing was parsed before.
                    assert!(matches!(result, Err(Error::ChecksumMismatch { .. })), "{result:?}");
                }
            }
            replace(&dir, name, &whole);
        }
        assert_eq!(bad(&dir), []);
    }
}

#[test]
fn cut_at_every_length() {
    for target in TARGETS {
        let dir = index_of(target);
        for name in ["_0.fnm", "_0.si", "segments_2"] {
            let whole = read(&dir, name);
            for len in 0..whole.len() {
                replace(&dir, name, &whole[..len]);
                assert!(index::read_commit(&dir).is_err(), "{name} cut at {len}");
                assert!(found_by_check(&dir, name), "{name} cut at {len}");
            }
            let mut longer = whole.clone();
            for byte in [0, 0xFF] {
                longer.truncate(whole.len());
                for _ in 0..20 {
                    longer.push(byte);
                    replace(&dir, name, &longer);
                    assert!(index::read_commit(&dir).is_err(), "{name} of {}", longer.len());
                }
            }
            replace(&dir, name, &whole);
        }
    }
}

#[test]
fn missing_files() {
    let dir = index_of(Target::Lucene410);
    for name in ["_0.fnm", "_0.si"] {
        let bytes = read(&dir, name);
        dir.delete_file(name).unwrap();
        let result = index::read_commit(&dir);
        assert_eq!(kind(result), Some(std::io::ErrorKind::NotFound), "{name}");
        write(&dir, name, &bytes);
    }
}

/// What each Lucene of the 4 series wrote of a segment with three fields, two documents, one of
/// them deleted; typed from their formats. Versions of `segments_N`, `.si`, `.fnm` are given.
struct Old {
    segments: i32,
    info: (&'static str, i32),
    fields: (&'static str, i32),
    codec: &'static str,
}

const OLD: [Old; 5] = [
    // 4.0, 4.1
    Old {
        segments: 0,
        info: ("Lucene40SegmentInfo", 0),
        fields: ("Lucene40FieldInfos", 0),
        codec: "Lucene40",
    },
    // 4.2 to 4.5
    Old {
        segments: 0,
        info: ("Lucene40SegmentInfo", 0),
        fields: ("Lucene42FieldInfos", 0),
        codec: "Lucene42",
    },
    // 4.6, 4.7
    Old {
        segments: 1,
        info: ("Lucene46SegmentInfo", 0),
        fields: ("Lucene46FieldInfos", 0),
        codec: "Lucene46",
    },
    // 4.8
    Old {
        segments: 2,
        info: ("Lucene46SegmentInfo", 1),
        fields: ("Lucene46FieldInfos", 1),
        codec: "Lucene46",
    },
    // 4.9, 4.10
    Old {
        segments: 3,
        info: ("Lucene46SegmentInfo", 1),
        fields: ("Lucene46FieldInfos", 2),
        codec: "Lucene410",
    },
];

impl Old {
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        BTreeMap::from([
            ("_0.fnm".into(), self.fields(&[(0, "id"), (2, "größe"), (1, "")], 0x13)),
            ("_0.si".into(), self.info(2, &["_0.fdt", "_0.fdx", "_0.fnm", "_0.si"])),
            ("segments_1".into(), self.segments("_0", (1, 1), &[])),
        ])
    }

    fn fields(&self, fields: &[(i32, &str)], types: u8) -> Vec<u8> {
        let mut out = Vec::new();
        codec::write_header(&mut out, self.fields.0, self.fields.1).unwrap();
        out.write_vint(fields.len() as i32).unwrap();
        for &(number, name) in fields {
            out.write_string(name).unwrap();
            out.write_vint(number).unwrap();
            out.write_bytes(&[0x51, types]).unwrap();
            if self.fields.0 == "Lucene46FieldInfos" {
                out.write_i64(-1).unwrap();
            }
            out.write_string_string_map([("key", "value")]).unwrap();
        }
        if self.fields.1 >= 1 {
            codec::write_footer(&mut out).unwrap();
        }
        out
    }

    fn info(&self, docs: i32, files: &[&str]) -> Vec<u8> {
        let mut out = Vec::new();
        codec::write_header(&mut out, self.info.0, self.info.1).unwrap();
        out.write_string("4.0").unwrap();
        out.write_i32(docs).unwrap();
        out.write_byte(0xFF).unwrap();
        out.write_string_string_map([("os", "any"), ("source", "flush")]).unwrap();
        if self.info.0 == "Lucene40SegmentInfo" {
            out.write_string_string_map([("attribute", "of old")]).unwrap();
        }
        out.write_string_set(files.iter().copied()).unwrap();
        if self.info.1 >= 1 {
            codec::write_footer(&mut out).unwrap();
        }
        out
    }

    /// `deletes`: generation and count; `updates`: files of generation 5 of field infos.
    fn segments(&self, name: &str, deletes: (i64, i32), updates: &[&str]) -> Vec<u8> {
        let mut out = Vec::new();
        codec::write_header(&mut out, "segments", self.segments).unwrap();
        out.write_i64(7).unwrap();
        out.write_bytes(&[0, 0, 0, 3, 0, 0, 0, 1]).unwrap();
        out.write_string(name).unwrap();
        out.write_string(self.codec).unwrap();
        out.write_i64(deletes.0).unwrap();
        out.write_i32(deletes.1).unwrap();
        let generation = if updates.is_empty() { -1 } else { 5 };
        if self.segments >= 1 {
            out.write_i64(generation).unwrap();
        }
        if self.segments == 3 {
            out.write_i64(generation).unwrap();
            out.write_string_set([]).unwrap();
        }
        if self.segments >= 1 {
            out.write_i32(i32::from(!updates.is_empty())).unwrap();
            if !updates.is_empty() {
                match self.segments {
                    3 => out.write_i32(0).unwrap(),
                    _ => out.write_i64(5).unwrap(),
                }
                out.write_string_set(updates.iter().copied()).unwrap();
            }
        }
        out.write_string_string_map([("by", "hand")]).unwrap();
        if self.segments >= 2 {
            codec::write_footer(&mut out).unwrap();
        } else {
            let checksum = out.checksum();
            out.write_i64(checksum.into()).unwrap();
        }
        out
    }
}

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
                assert!(said_of(&ram(&files)).is_err(), "{name} cut at {len} of {}", old.codec);
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
        files.insert("_0_5.fnm".into(), old.fields(&[(0, "updated")], 0));
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
        let fnm = |fields: &[(i32, &str)], types| with("_0.fnm", old.fields(fields, types), old);
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
        }
        let elsewhere = old.segments("../_0", (1, 1), &[]);
        assert!(matches!(with("segments_1", elsewhere, old), Err(Error::InvalidName)));
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

#[test]
fn two_segments_of_one_name() {
    let dir = index_of(Target::Lucene410);
    let mut bytes = read(&dir, "segments_2");
    let at = bytes.windows(2).position(|two| two == b"_1").unwrap();
    bytes[at + 1] = b'0';
    replace(&dir, "segments_2", &resealed(bytes));
    assert!(is_corrupt(said_of(&dir)));
}
