//! Directories and inputs against models: a map of names to bytes, and a slice.

use crate::kit::{self, Kind, Packed, Seek, get, kind, noise, put};
use lucene_io::store::{Directory, FileSlice, RandomAccessInput};
use lucene_io::stored::Verify;
use lucene_io::{DataInput, DataOutput, Error, SliceInput};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::Arc;

#[derive(Clone, Debug)]
enum Change {
    Create(usize, usize),
    Delete(usize),
    Rename(usize, usize),
    Sync(usize),
    Read(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let size = prop_oneof![0..40_usize, 16_380..16_390_usize, 0..70_000_usize];
    prop_oneof![
        3 => (0..6_usize, size).prop_map(|(name, len)| Change::Create(name, len)),
        1 => (0..6_usize).prop_map(Change::Delete),
        1 => (0..6_usize, 0..6_usize).prop_map(|(from, to)| Change::Rename(from, to)),
        1 => (0..6_usize).prop_map(Change::Sync),
        2 => (0..6_usize).prop_map(Change::Read),
    ]
}

const NAMES: [&str; 6] = ["_0.fdt", "_0.fdx", "_0_1.del", "segments_1", "segments.gen", "é"];

fn as_the_map<K: Kind>(changes: &[Change]) {
    K::with(&[], |dir| {
        let mut model = BTreeMap::<&str, Vec<u8>>::new();
        for (i, change) in changes.iter().enumerate() {
            match *change {
                Change::Create(name, len) if model.contains_key(NAMES[name]) => {
                    let _ = len;
                    let result = dir.create_output(NAMES[name]).map(drop);
                    assert_eq!(kind(result), ErrorKind::AlreadyExists);
                }
                Change::Create(name, len) => {
                    let bytes = noise(i as u64, len);
                    put(dir, NAMES[name], &bytes);
                    model.insert(NAMES[name], bytes);
                }
                Change::Delete(name) => {
                    let result = dir.delete_file(NAMES[name]);
                    match model.remove(NAMES[name]) {
                        Some(_) => result.unwrap(),
                        None => assert_eq!(kind(result), ErrorKind::NotFound),
                    }
                }
                Change::Rename(from, to) => {
                    let result = dir.rename(NAMES[from], NAMES[to]);
                    match model.remove(NAMES[from]) {
                        Some(bytes) => {
                            result.unwrap();
                            model.insert(NAMES[to], bytes);
                        }
                        None => assert_eq!(kind(result), ErrorKind::NotFound),
                    }
                }
                Change::Sync(name) => {
                    let result = dir.sync(&[NAMES[name]]);
                    match model.get(NAMES[name]) {
                        Some(_) => result.unwrap(),
                        None => assert_eq!(kind(result), ErrorKind::NotFound),
                    }
                }
                Change::Read(name) => match model.get(NAMES[name]) {
                    Some(bytes) => assert_eq!(&get(dir, NAMES[name]), bytes),
                    None => assert_eq!(kind(dir.file_length(NAMES[name])), ErrorKind::NotFound),
                },
            }
            let names: Vec<&str> = model.keys().copied().collect();
            assert_eq!(dir.list_all().unwrap(), names);
        }
        for (name, bytes) in &model {
            assert_eq!(&get(dir, name), bytes);
        }
    });
}

/// Bytes that have to be fetched, as those of a file.
struct Disk(Vec<u8>);

impl RandomAccessInput for Disk {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }
    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        self.0.read_at(at, into)
    }
}

/// A directory whose files are read whole, by the method that every directory has.
fn read_whole(bytes: &[u8]) -> FileSlice {
    struct Plain(lucene_io::store::RamDirectory);
    impl Directory for Plain {
        type Input = lucene_io::store::FileInput;
        type Output = lucene_io::store::RamOutput;
        fn list_all(&self) -> Result<Vec<String>, Error> {
            self.0.list_all()
        }
        fn file_length(&self, name: &str) -> Result<u64, Error> {
            self.0.file_length(name)
        }
        fn open_input(&self, name: &str) -> Result<Self::Input, Error> {
            self.0.open_input(name)
        }
        fn create_output(&self, name: &str) -> Result<Self::Output, Error> {
            self.0.create_output(name)
        }
        fn delete_file(&self, name: &str) -> Result<(), Error> {
            self.0.delete_file(name)
        }
        fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
            self.0.rename(from, to)
        }
        fn sync(&self, names: &[&str]) -> Result<(), Error> {
            self.0.sync(names)
        }
    }
    let dir = Plain(lucene_io::store::RamDirectory::new());
    put(&dir, "a", bytes);
    dir.open_file("a").unwrap()
}

/// One call, its result as text.
fn call(input: &mut dyn DataInput, op: usize, n: u64) -> String {
    let run = |input: &mut dyn DataInput| -> Result<String, Error> {
        Ok(match op {
            0 => input.read_byte()?.to_string(),
            1 => input.read_i16()?.to_string(),
            2 => input.read_i32()?.to_string(),
            3 => input.read_i64()?.to_string(),
            4 => input.read_i16_le()?.to_string(),
            5 => input.read_i32_le()?.to_string(),
            6 => input.read_i64_le()?.to_string(),
            7 => input.read_vint()?.to_string(),
            8 => input.read_vlong()?.to_string(),
            9 => input.read_zint()?.to_string(),
            10 => input.read_zlong()?.to_string(),
            11 => input.read_string()?,
            12 => {
                let mut text = String::from("left over");
                input.read_string_into(&mut text)?;
                text
            }
            13 => input.read_string_lossy()?,
            14 => input.skip_bytes(n).map(|()| "skipped".into())?,
            _ => {
                let mut bytes = vec![0; n as usize % 50_000];
                input.read_bytes(&mut bytes)?;
                format!("{bytes:?}")
            }
        })
    };
    run(input).unwrap_or_else(|error| format!("{error:?}"))
}

/// Strings of several lengths, vInts good and bad, and noise.
fn content(seed: u64, len: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let noise = noise(seed, len);
    for (i, piece) in noise.chunks(997).enumerate() {
        let text = "aé京🙂".repeat(usize::from(piece[0]) * (i % 7) * 2);
        bytes.write_string(&text).unwrap();
        bytes.write_vint(i as i32 * 1_000_003).unwrap();
        bytes.extend_from_slice(&piece[..piece.len().min(usize::from(piece[0]))]);
    }
    bytes
}

fn lends_what_is_next(input: &mut dyn DataInput, bytes: &[u8]) {
    let at = input.position();
    let rest = &bytes[at as usize..];
    let lent = input.lend().unwrap();
    assert!(rest.starts_with(lent) && lent.is_empty() == rest.is_empty(), "at {at}");
    assert_eq!(input.position(), at);
}

/// Calls on every kind of input of a file are those on a slice: results, positions, what is left.
fn as_the_slice(bytes: &[u8], calls: &[(usize, u64)]) {
    let behind = [b"before".as_slice(), bytes, b"behind"].concat();
    let part = FileSlice::new(Arc::new(Disk(behind))).slice(6, bytes.len() as u64).unwrap();
    let packed = Packed::of(1, &[(".a", bytes), (".b", b"b")]).open(Verify::OnOpen).unwrap();
    let mut inputs = vec![
        FileSlice::from(bytes.to_vec()).input(),
        FileSlice::new(Arc::new(Arc::<[u8]>::from(bytes))).input(),
        FileSlice::new(Arc::new(Disk(bytes.to_vec()))).input(),
        part.input(),
        packed.open_input("_0.a").unwrap(),
        read_whole(bytes).input(),
    ];
    let mut slice = SliceInput::new(bytes);
    for (i, &(op, n)) in calls.iter().enumerate() {
        if op == 16 {
            // Anywhere, or beyond.
            let to = n % (bytes.len() as u64 + 2);
            let beyond = to > bytes.len() as u64;
            if !beyond {
                slice = SliceInput::new(bytes);
                slice.skip_bytes(to).unwrap();
            }
            for input in &mut inputs {
                assert_eq!(input.go(to).is_err(), beyond);
            }
        } else {
            let expected = call(&mut slice, op, n);
            for (kind, input) in inputs.iter_mut().enumerate() {
                assert_eq!(call(input, op, n), expected, "kind {kind}, call {i}: {op} {n}");
            }
        }
        for input in &mut inputs {
            assert_eq!(input.position(), slice.position());
            assert_eq!(input.bytes_left(), Some(slice.remaining() as u64));
            if i % 3 == 0 {
                lends_what_is_next(input, bytes);
            }
            if i % 5 == 0 {
                *input = input.clone();
            }
        }
    }
}

#[cfg(feature = "bytes")]
fn bytes_as_the_slice(bytes: &[u8], calls: &[(usize, u64)]) {
    let mut input = lucene_io::BytesInput::new(bytes::Bytes::copy_from_slice(bytes));
    let mut slice = SliceInput::new(bytes);
    for &(op, n) in calls {
        if op == 16 {
            let take = input.take(n as usize % 300).map_err(|error| format!("{error:?}"));
            let mut expected = vec![0; n as usize % 300];
            let read = slice.read_bytes(&mut expected).map_err(|error| format!("{error:?}"));
            assert_eq!(take, read.map(|()| expected.into()));
            let shared = input.read_byte_slice().map_err(|error| format!("{error:?}"));
            let lent = slice.read_byte_slice().map_err(|error| format!("{error:?}"));
            assert_eq!(shared.as_deref(), lent.as_deref());
            let text = input.read_str().map_err(|error| format!("{error:?}"));
            assert_eq!(text, slice.read_str().map_err(|error| format!("{error:?}")));
        } else {
            assert_eq!(call(&mut input, op, n), call(&mut slice, op, n));
        }
        assert_eq!(input.position(), slice.position());
        assert_eq!(input.remaining(), slice.remaining());
        assert_eq!(input.bytes_left(), slice.bytes_left());
        lends_what_is_next(&mut input, bytes);
    }
}

#[cfg(feature = "mmap")]
fn mapped_as_the_slice(bytes: &[u8], calls: &[(usize, u64)]) {
    kit::Mapped::with(&[("_0.a", bytes)], |dir| {
        let mut input = dir.open_input("_0.a").unwrap();
        assert_eq!(input.as_slice(), bytes);
        let mut slice = SliceInput::new(bytes);
        for &(op, n) in calls {
            if op == 16 {
                let text = input.slice_input().read_str().map(String::from);
                let text = text.map_err(|_| ());
                assert_eq!(input.position(), slice.position());
                assert_eq!(slice.clone().read_str().map(String::from).map_err(|_| ()), text);
                let text = input.read_str().map_err(|error| format!("{error:?}"));
                assert_eq!(text, slice.read_str().map_err(|error| format!("{error:?}")));
                let lent = input.read_byte_slice().map_err(|error| format!("{error:?}"));
                assert_eq!(lent, slice.read_byte_slice().map_err(|error| format!("{error:?}")));
            } else {
                assert_eq!(call(&mut input, op, n), call(&mut slice, op, n));
            }
            assert_eq!(input.position(), slice.position());
            assert_eq!(input.bytes_left(), slice.bytes_left());
            lends_what_is_next(&mut input, bytes);
        }
    });
}

fn calls() -> impl Strategy<Value = Vec<(usize, u64)>> {
    let n = prop_oneof![0..20_u64, 16_300..16_500_u64, 0..80_000_u64, any::<u64>()];
    prop::collection::vec((0..17_usize, n), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ram_as_the_map(changes in prop::collection::vec(change(), 1..30)) {
        as_the_map::<kit::Ram>(&changes);
    }

    #[test]
    fn fs_as_the_map(changes in prop::collection::vec(change(), 1..30)) {
        as_the_map::<kit::Fs>(&changes);
    }

    #[test]
    fn behind_as_the_map(changes in prop::collection::vec(change(), 1..30)) {
        as_the_map::<kit::Behind>(&changes);
    }

    #[cfg(feature = "mmap")]
    #[test]
    fn mapped_as_the_map(changes in prop::collection::vec(change(), 1..30)) {
        as_the_map::<kit::Mapped>(&changes);
    }

    #[test]
    fn inputs_as_the_slice(seed: u64, len in 0..20_000_usize, calls in calls()) {
        let bytes = content(seed, len);
        as_the_slice(&bytes, &calls);
        #[cfg(feature = "bytes")]
        bytes_as_the_slice(&bytes, &calls);
        #[cfg(feature = "mmap")]
        mapped_as_the_slice(&bytes, &calls);
    }
}
