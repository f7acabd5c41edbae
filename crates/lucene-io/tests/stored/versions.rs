//! The versions before ours: no footers, and in the first no pieces.

use super::files::{copy, get, older, put};
use super::model::{COMPRESSIONS, Doc, Rng, own, read_all, write};
use lucene_io::Error;
use lucene_io::stored::{Reader, Verify};

/// Version 0 cuts no chunk in pieces: no document here makes a chunk that large.
fn docs(version: i32) -> Vec<Doc> {
    let mut rng = Rng(12);
    let mut docs = rng.docs(900, 10, 80);
    if version > 0 {
        docs.insert(300, rng.docs(1, 500, 400).remove(0));
    }
    docs
}

#[test]
fn older_versions_are_read() {
    for version in [0, 1] {
        let docs = docs(version);
        for compression in COMPRESSIONS {
            let dir = older(&write(&docs, compression), version);
            for verify in [Verify::OnOpen, Verify::Lazy] {
                let mut reader = Reader::open(&dir, "_0", verify).unwrap();
                assert_eq!(read_all(&mut reader).unwrap(), docs, "version {version}");
                let ids = [899, 1, 300, 301, 0];
                let some: Vec<Doc> = reader.documents(&ids).unwrap().iter().map(own).collect();
                assert_eq!(some, ids.map(|id| docs[id as usize].clone()));
            }
        }
        let none = older(&write(&[], COMPRESSIONS[0]), version);
        assert_eq!(Reader::open(&none, "_0", Verify::OnOpen).unwrap().doc_count(), 0);
    }
}

/// A version that is damaged does not switch a checksum off: what follows the end is too much.
#[test]
fn bytes_behind_the_end_of_an_older_version() {
    for version in [0, 1] {
        let dir = older(&write(&docs(version), COMPRESSIONS[0]), version);
        for name in ["_0.fdt", "_0.fdx"] {
            let mut longer = get(&dir, name);
            longer.push(0);
            let other = copy(&dir);
            put(&other, name, &longer);
            let read = Reader::open(&other, "_0", Verify::OnOpen)
                .and_then(|mut reader| read_all(&mut reader));
            assert!(matches!(read, Err(Error::Corrupt { .. })), "{name}");
        }
    }
}

/// rucene#8: a version that is not known says what is.
#[test]
fn versions_that_are_not_read() {
    let dir = write(&docs(0), COMPRESSIONS[0]);
    for (version, name) in [(3, "_0.fdx"), (-1, "_0.fdx"), (i32::MAX, "_0.fdx")] {
        let other = older(&dir, version);
        let error = Reader::open(&other, "_0", Verify::OnOpen).unwrap_err();
        match error {
            Error::VersionTooNew { actual, min: 0, max: 2 } if version > 2 => {
                assert_eq!(actual, version);
            }
            Error::VersionTooOld { actual: -1, min: 0, max: 2 } if version < 0 => {}
            error => panic!("{name}: {error}"),
        }
    }
    // One file is older than the other.
    for (data, index) in [(0, 1), (1, 0)] {
        let mixed = older(&dir, data);
        put(&mixed, "_0.fdx", &get(&older(&dir, index), "_0.fdx"));
        let error = Reader::open(&mixed, "_0", Verify::OnOpen).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    }
}

/// Without a checksum damage may go unseen; it never makes a panic.
#[test]
fn flipped_bits_in_older_versions() {
    let mut rng = Rng(13);
    for version in [0, 1] {
        let dir = older(&write(&docs(version), COMPRESSIONS[0]), version);
        for name in ["_0.fdt", "_0.fdx"] {
            let whole = get(&dir, name);
            let mut found = 0;
            for _ in 0..100 {
                let mut damaged = whole.clone();
                damaged[rng.below(whole.len())] ^= 1 << rng.below(8);
                let other = copy(&dir);
                put(&other, name, &damaged);
                let read = Reader::open(&other, "_0", Verify::OnOpen)
                    .and_then(|mut reader| read_all(&mut reader));
                found += u32::from(read.is_err());
            }
            assert!(found > 0, "{name}: not one is found");
        }
    }
}

/// There is nothing to tell the length by, but each chunk has to end where it should.
#[test]
fn every_length_of_an_older_file() {
    let mut rng = Rng(14);
    for version in [0, 1] {
        for docs in [rng.docs(12, 4, 20), vec![Doc::new(); 5]] {
            let dir = older(&write(&docs, COMPRESSIONS[0]), version);
            for name in ["_0.fdt", "_0.fdx"] {
                let whole = get(&dir, name);
                for len in (0..whole.len()).chain(whole.len() + 1..whole.len() + 20) {
                    let mut other = whole.clone();
                    other.resize(len, 0);
                    let damaged = copy(&dir);
                    put(&damaged, name, &other);
                    let read = Reader::open(&damaged, "_0", Verify::OnOpen)
                        .and_then(|mut reader| read_all(&mut reader));
                    assert!(read.is_err(), "version {version}, {name} of {len} bytes");
                }
            }
        }
    }
}
