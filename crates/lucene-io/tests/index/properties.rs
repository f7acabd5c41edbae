//! Commits of random segments and fields, in any order of steps.

use crate::index_common::*;
use lucene_io::Error;
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn base36(mut n: u32) -> String {
    let mut digits = String::new();
    loop {
        digits.insert(0, char::from_digit(n % 36, 36).unwrap());
        n /= 36;
        if n == 0 {
            return format!("_{digits}");
        }
    }
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![Just(Target::Lucene410), Just(Target::Lucene46)]
}

type New = (u32, u32, std::collections::BTreeSet<String>);

fn new_segments() -> impl Strategy<Value = Vec<New>> {
    let number = prop_oneof![0..50_u32, 0..0x7FFF_FFFF_u32];
    let fields = btree_set(prop_oneof!["[a-z]{0,3}", "\\PC{0,20}", "x{200,300}"], 0..6);
    vec((number, 0..5_u32, fields), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// A model that holds what each commit must say, through several commits in which segments are
    /// added, carried over and left out.
    #[test]
    fn commits_say_what_was_committed(
        target in target(),
        steps in vec((new_segments(), vec(any::<bool>(), 12)), 1..4),
    ) {
        let dir = RamDirectory::new();
        let codec = format!("{target:?}");
        let mut current = Vec::new();
        let mut model: Vec<SaidSegment> = Vec::new();
        let mut used = BTreeMap::new();
        for (generation, (new, keep)) in (1..).zip(steps) {
            let mut keep_all = keep.into_iter().chain(std::iter::repeat(true));
            let keep: Vec<bool> = current.iter().map(|_| keep_all.next().unwrap()).collect();
            let mut kept = keep.iter();
            current.retain(|_| *kept.next().unwrap());
            let mut kept = keep.iter();
            model.retain(|_| *kept.next().unwrap());
            for (number, docs, fields) in new {
                let name = base36(number);
                if used.insert(name.clone(), ()).is_some() {
                    continue;
                }
                let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
                current.push(segment(&dir, &name, docs, &fields));
                // A field gets its number when a document has it.
                let fields = (0..).zip(fields.iter().map(|&name| name.to_owned()));
                let fields = if docs == 0 { Vec::new() } else { fields.collect() };
                model.push((name, docs, 0, false, codec.clone(), fields));
            }
            index::write_commit(&dir, &current, target).unwrap();
            let commit = index::read_commit(&dir).unwrap();
            let expected =
                Said { generation, user_data: BTreeMap::new(), segments: model.clone() };
            prop_assert_eq!(said(&commit), expected);
            prop_assert_eq!(bad(&dir), []);
            current = commit.segments().to_vec();
        }
    }

    /// Two bytes changed anywhere, with the checksum set right again: whatever a forger writes, it
    /// is read as something or refused, and `check` lists it.
    #[test]
    fn forged(
        which in 0..3_usize,
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..3),
        target in target(),
    ) {
        let dir = RamDirectory::new();
        let first = segment(&dir, "_0", 3, &["a", "größe"]);
        index::write_commit(&dir, &[first], target).unwrap();
        let name = ["_0.fnm", "_0.si", "segments_1"][which];
        let mut bytes = read(&dir, name);
        let body = bytes.len() - 16;
        for (at, byte) in changes {
            bytes[at.index(body)] = byte;
        }
        replace(&dir, name, &resealed(bytes));
        let entries = index::check(&dir).unwrap();
        prop_assert!(entries.iter().any(|(entry, _)| entry == name));
        match index::read_commit(&dir) {
            Ok(commit) => {
                // What was read can be written, or is refused: never a half of it.
                let before = all(&dir);
                match index::write_commit(&dir, commit.segments(), target) {
                    Ok(()) => {
                        let after = index::read_commit(&dir).unwrap();
                        let expected = Said { generation: 2, ..said(&commit) };
                        prop_assert_eq!(said(&after), expected);
                    }
                    Err(_) => prop_assert_eq!(all(&dir), before),
                }
            }
            Err(Error::Io(error)) => {
                prop_assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
            }
            Err(_) => {}
        }
    }

    /// Random bytes are no commit.
    #[test]
    fn noise(bytes in vec(any::<u8>(), 0..200), which in 0..3_usize) {
        let dir = RamDirectory::new();
        let first = segment(&dir, "_0", 1, &["a"]);
        index::write_commit(&dir, &[first], Target::Lucene410).unwrap();
        let name = ["_0.fnm", "_0.si", "segments_1"][which];
        replace(&dir, name, &bytes);
        prop_assert!(index::read_commit(&dir).is_err());
        prop_assert!(bad(&dir).iter().any(|(entry, _)| entry == name));
        prop_assert!(dir.list_all().unwrap().len() == 5);
    }
}
