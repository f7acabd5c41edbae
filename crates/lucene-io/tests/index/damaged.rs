//! Commits of damaged, cut and hostile files: an error, never another commit.

use crate::index_common::*;
use lucene_io::Error;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};

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

#[test]
fn two_segments_of_one_name() {
    let dir = index_of(Target::Lucene410);
    let mut bytes = read(&dir, "segments_2");
    let at = bytes.windows(2).position(|two| two == b"_1").unwrap();
    bytes[at + 1] = b'0';
    replace(&dir, "segments_2", &resealed(bytes));
    let result = index::read_commit(&dir);
    assert!(matches!(result, Err(Error::Corrupt { .. })), "{result:?}");
}
