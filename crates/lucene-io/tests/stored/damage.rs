//! Flipped bits, cut and lengthened files.

use super::files::{copy, get, put};
use super::model::{Doc, Rng, own, read_all, visit, write};
use lucene_io::Error;
use lucene_io::store::RamDirectory;
use lucene_io::stored::{Compression, Reader, Verify};

fn sample() -> (RamDirectory, Vec<Doc>) {
    let mut rng = Rng(6);
    let mut docs = rng.docs(400, 12, 60);
    // One that is cut in pieces.
    docs.insert(200, rng.docs(1, 900, 200).remove(0));
    (write(&docs, Compression::LuceneExact), docs)
}

/// lucene#16479: of 300 flipped bits in `.fdt`, Java 4.10 read 279 as other documents.
#[test]
fn flipped_bits_are_found_at_open() {
    let (dir, docs) = sample();
    let mut rng = Rng(7);
    for name in ["_0.fdt", "_0.fdx"] {
        let whole = get(&dir, name);
        for _ in 0..300 {
            let (at, bit) = (rng.below(whole.len()), rng.below(8));
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            let other = copy(&dir);
            put(&other, name, &damaged);
            let opened = Reader::open(&other, "_0", Verify::OnOpen);
            // In the body it is the checksum, whatever a parser would have stumbled over.
            let error = opened.err().unwrap_or_else(|| panic!("{name}: bit {bit} of byte {at}"));
            if at < whole.len() - 16 {
                assert!(matches!(error, Error::ChecksumMismatch { .. }), "{name} {at}: {error}");
            }
            if let Ok(mut reader) = Reader::open(&other, "_0", Verify::Lazy) {
                assert_eq!(name, "_0.fdt", "the index is always verified");
                read_what_there_is(&mut reader, docs.len());
            }
        }
    }
}

/// No panic and no endless loop; what is read may be anything.
fn read_what_there_is(reader: &mut Reader, count: usize) {
    let mut rng = Rng(8);
    for _ in 0..50 {
        let id = rng.below(count) as u32;
        let once = visit(reader, id).ok();
        let document = reader.document(id).ok();
        assert_eq!(once, document.as_ref().map(own), "the same twice");
    }
    let _ = read_all(reader);
    let _ = reader.documents(&[5, 4, 300, 200]);
}

/// The checksum of what is damaged is right, as after a fault in memory, or forged.
#[test]
fn flipped_bits_under_a_right_checksum() {
    let (dir, docs) = sample();
    let mut rng = Rng(9);
    for name in ["_0.fdt", "_0.fdx"] {
        let mut whole = get(&dir, name);
        whole.truncate(whole.len() - 16);
        for _ in 0..300 {
            let (at, bit) = (rng.below(whole.len()), rng.below(8));
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            let other = copy(&dir);
            put(&other, name, &super::files::footed(damaged));
            match Reader::open(&other, "_0", Verify::OnOpen) {
                Ok(mut reader) => read_what_there_is(&mut reader, docs.len()),
                Err(Error::ChecksumMismatch { .. }) => panic!("it was right"),
                Err(_) => {}
            }
        }
    }
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    let mut rng = Rng(10);
    let dir = write(&rng.docs(10, 4, 20), Compression::LuceneExact);
    for name in ["_0.fdt", "_0.fdx"] {
        let whole = get(&dir, name);
        for len in (0..whole.len()).chain(whole.len() + 1..whole.len() + 40) {
            let mut other = whole.clone();
            other.resize(len, 0);
            let damaged = copy(&dir);
            put(&damaged, name, &other);
            for verify in [Verify::OnOpen, Verify::Lazy] {
                let error = Reader::open(&damaged, "_0", verify).unwrap_err();
                // lucene-solr#1557: not only that there is no footer.
                let found = match error {
                    Error::Truncated => len < whole.len(),
                    Error::Corrupt { file: "stored fields", .. } => len > whole.len(),
                    // Of `.fdx` nothing says how long it is.
                    Error::FooterMismatch => name == "_0.fdx",
                    _ => false,
                };
                assert!(found, "{name} of {len} bytes: {error}");
            }
        }
    }
}

/// Two files that are each whole and do not belong together.
#[test]
fn files_of_other_segments() {
    let mut rng = Rng(11);
    let docs = rng.docs(50, 4, 20);
    let (dir, fewer) = (write(&docs, Compression::Fast), write(&docs[1..], Compression::Fast));
    for (names, lengths_differ) in [(["_0.fdt"].as_slice(), true), (&["_0.fdt", "_0.fdx"], false)] {
        let mixed = copy(&dir);
        for name in names {
            put(&mixed, name, &get(&fewer, name));
        }
        let error = Reader::open(&mixed, "_0", Verify::OnOpen).unwrap_err();
        let short = matches!(error, Error::Truncated);
        assert!(short == lengths_differ && (short || is_corrupt(&error)), "{error}");
    }
    // Fields of another segment.
    let unnamed = copy(&dir);
    put(&unnamed, "_0.fnm", &get(&write(&[], Compression::Fast), "_0.fnm"));
    let mut reader = Reader::open(&unnamed, "_0", Verify::OnOpen).unwrap();
    assert!(is_corrupt(&read_all(&mut reader).unwrap_err()));
}

fn is_corrupt(error: &Error) -> bool {
    matches!(error, Error::Corrupt { .. })
}
