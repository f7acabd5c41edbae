//! Directories: what every kind that can be written to does. Names in the comments are those of the
//! tests of Lucene that state it (`BaseDirectoryTestCase`).

use crate::kit::{self, Kind, get, kind, noise, put};
use crate::on;
use lucene_io::store::Directory;
use lucene_io::{DataInput, DataOutput, Error, IndexOutput};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

on! {
    ram: Ram fs: Fs behind: Behind;
    [
        delete_file create_output_for_existing_file rename_takes_the_place values copy_bytes
        copy_bytes_with_threads listing_while_writing a_name_is_not_the_file sync large_writes
        odd_names
    ]
}
#[cfg(feature = "mmap")]
on! {
    mmap: Mapped;
    [
        delete_file create_output_for_existing_file rename_takes_the_place values copy_bytes
        copy_bytes_with_threads listing_while_writing a_name_is_not_the_file sync large_writes
        odd_names
    ]
}

/// `testDeleteFile`, `testFileExistsInListAfterCreated`
fn delete_file<K: Kind>() {
    K::with(&[], |dir| {
        assert!(dir.list_all().unwrap().is_empty());
        let out = dir.create_output("foo.txt").unwrap();
        assert_eq!(dir.list_all().unwrap(), ["foo.txt"]);
        out.close().unwrap();
        assert_eq!(dir.file_length("foo.txt").unwrap(), 0);
        dir.delete_file("foo.txt").unwrap();
        assert!(dir.list_all().unwrap().is_empty());
        assert_eq!(kind(dir.delete_file("foo.txt")), ErrorKind::NotFound);
    });
}

/// `testCreateOutputForExistingFile`
fn create_output_for_existing_file<K: Kind>() {
    K::with(&[("_0.a", b"one")], |dir| {
        assert_eq!(kind(dir.create_output("_0.a").map(drop)), ErrorKind::AlreadyExists);
        assert_eq!(get(dir, "_0.a"), b"one");
        dir.delete_file("_0.a").unwrap();
        put(dir, "_0.a", b"another");
        assert_eq!(get(dir, "_0.a"), b"another");
    });
}

/// `testRename`
fn rename_takes_the_place<K: Kind>() {
    let bytes = noise(1, 20_000);
    K::with(&[("_0.a", &bytes), ("_0.b", b"old")], |dir| {
        dir.rename("_0.a", "_0.b").unwrap();
        assert_eq!(dir.list_all().unwrap(), ["_0.b"]);
        assert_eq!(get(dir, "_0.b"), bytes);
        assert_eq!(kind(dir.rename("_0.a", "_0.b")), ErrorKind::NotFound);
        dir.rename("_0.b", "_0.b").unwrap();
        assert_eq!(get(dir, "_0.b"), bytes);
    });
}

/// `testByte` … `testZLong`, `testSetOfStrings`, `testMapOfStrings`: the values, and how long the
/// file then is.
fn values<K: Kind>() {
    type Write = fn(&mut dyn DataOutput) -> Result<(), Error>;
    type Read = fn(&mut dyn DataInput) -> Result<bool, Error>;
    fn words(words: [&str; 2]) -> BTreeSet<String> {
        words.map(String::from).into()
    }
    let facts: [(&str, u64, Write, Read); 12] = [
        ("byte", 1, |o| o.write_byte(128), |i| Ok(i.read_byte()? == 128)),
        ("short", 2, |o| o.write_i16(-20), |i| Ok(i.read_i16()? == -20)),
        ("int", 4, |o| o.write_i32(-500), |i| Ok(i.read_i32()? == -500)),
        ("long", 8, |o| o.write_i64(-5000), |i| Ok(i.read_i64()? == -5000)),
        ("int_le", 4, |o| o.write_i32_le(-500), |i| Ok(i.read_i32_le()? == -500)),
        ("string", 7, |o| o.write_string("hello!"), |i| Ok(i.read_string()? == "hello!")),
        ("vint", 2, |o| o.write_vint(500), |i| Ok(i.read_vint()? == 500)),
        ("vlong", 9, |o| o.write_vlong(i64::MAX), |i| Ok(i.read_vlong()? == i64::MAX)),
        ("zint", 5, |o| o.write_zint(i32::MIN), |i| Ok(i.read_zint()? == i32::MIN)),
        ("zlong", 10, |o| o.write_zlong(i64::MIN), |i| Ok(i.read_zlong()? == i64::MIN)),
        (
            "stringset",
            13,
            |mut o| (&mut o).write_set_of_strings(["test1", "test2"]),
            |i| Ok(i.read_set_of_strings()? == words(["test1", "test2"])),
        ),
        (
            "stringmap",
            27,
            |mut o| (&mut o).write_map_of_strings([("test1", "value1"), ("test2", "value2")]),
            |i| {
                let map = [("test1", "value1"), ("test2", "value2")];
                let map: BTreeMap<_, _> =
                    map.map(|(key, value)| (String::from(key), String::from(value))).into();
                Ok(i.read_map_of_strings()? == map)
            },
        ),
    ];
    K::with(&[], |dir| {
        for (name, len, write, read) in facts {
            let mut out = dir.create_output(name).unwrap();
            write(&mut out).unwrap();
            out.close().unwrap();
            assert_eq!(dir.file_length(name).unwrap(), len, "{name}");
            let mut input = dir.open_input(name).unwrap();
            assert!(read(&mut input).unwrap(), "{name}");
            assert_eq!(input.position(), len, "{name}");
        }
    });
}

/// `testCopyBytes`, `testCopyFrom`
fn copy_bytes<K: Kind>() {
    let bytes = noise(2, 177_777);
    K::with(&[("_0.a", &bytes)], |dir| {
        for chunk in [1, 7, 255, 4096, 16_384, 16_385, 77_777] {
            let mut input = dir.open_input("_0.a").unwrap();
            let mut out = dir.create_output("copy").unwrap();
            let mut left = bytes.len() as u64;
            while left > 0 {
                let n = left.min(chunk);
                out.copy_bytes(&mut input, n).unwrap();
                left -= n;
                if left > 0 {
                    out.write_byte(input.read_byte().unwrap()).unwrap();
                    left -= 1;
                }
            }
            assert_eq!(out.position(), bytes.len() as u64);
            out.close().unwrap();
            assert_eq!(get(dir, "copy"), bytes, "by {chunk}");
            dir.delete_file("copy").unwrap();
        }
    });
}

/// `testCopyBytesWithThreads`
fn copy_bytes_with_threads<K: Kind>() {
    let bytes = noise(3, 60_000);
    K::with(&[("_0.data", &bytes)], |dir| {
        let mut input = dir.open_input("_0.data").unwrap();
        let mut header = dir.create_output("header").unwrap();
        header.copy_bytes(&mut input, 100).unwrap();
        header.close().unwrap();
        assert_eq!(get(dir, "header"), bytes[..100]);
        let barrier = Barrier::new(8);
        thread::scope(|scope| {
            for i in 0..8 {
                let mut input = input.clone();
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    let mut out = dir.create_output(&format!("copy{i}")).unwrap();
                    out.copy_bytes(&mut input, 60_000 - 100).unwrap();
                    out.close().unwrap();
                });
            }
        });
        for i in 0..8 {
            assert_eq!(get(dir, &format!("copy{i}")), bytes[100..]);
        }
    });
}

/// `testThreadSafetyInListAll`
fn listing_while_writing<K: Kind>() {
    K::with(&[], |dir| {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for i in 0..200 {
                    let name = format!("file-{i}");
                    put(dir, &name, name.as_bytes());
                    assert!(dir.list_all().unwrap().contains(&name));
                }
                done.store(true, Ordering::Release);
            });
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    let names = dir.list_all().unwrap();
                    assert!(names.is_sorted());
                    for name in names {
                        let file = dir.open_file(&name).unwrap();
                        assert!(file.is_empty() || file.len() == name.len() as u64);
                    }
                }
            });
        });
        assert_eq!(dir.list_all().unwrap().len(), 200);
    });
}

/// Who has a file open goes on when its name is another file's, or nobody's.
#[cfg(unix)]
fn a_name_is_not_the_file<K: Kind>() {
    let bytes = noise(4, 50_000);
    K::with(&[("_0.a", &bytes)], |dir| {
        let mut input = dir.open_input("_0.a").unwrap();
        input.skip_bytes(1).unwrap();
        let file = dir.open_file("_0.a").unwrap();
        let mut out = dir.create_output("pending").unwrap();
        out.write_bytes(b"be").unwrap();
        dir.rename("pending", "segments_1").unwrap();
        dir.delete_file("_0.a").unwrap();
        put(dir, "_0.a", b"new");
        let mut read = vec![0; 49_999];
        input.read_bytes(&mut read).unwrap();
        assert_eq!(read, bytes[1..]);
        file.read_at(1, &mut read).unwrap();
        assert_eq!(read, bytes[1..]);
        out.write_bytes(b"gun").unwrap();
        out.close().unwrap();
        assert_eq!(dir.list_all().unwrap(), ["_0.a", "segments_1"]);
        assert_eq!(get(dir, "segments_1"), b"begun");
        assert_eq!(get(dir, "_0.a"), b"new");
    });
}

/// Elsewhere an open file may hold its name.
#[cfg(not(unix))]
fn a_name_is_not_the_file<K: Kind>() {}

/// `testFsyncDoesntCreateNewFiles`
fn sync<K: Kind>() {
    K::with(&[("_0.a", b"a"), ("_0.b", b"")], |dir| {
        dir.sync(&["_0.a", "_0.b"]).unwrap();
        dir.sync(&[]).unwrap();
        assert_eq!(kind(dir.sync(&["_0.a", "_0.c"])), ErrorKind::NotFound);
        assert_eq!(dir.list_all().unwrap(), ["_0.a", "_0.b"]);
    });
}

/// `testLargeWrites`
fn large_writes<K: Kind>() {
    K::with(&[], |dir| {
        let large = noise(5, 100_000);
        let mut out = dir.create_output("testBufferStart.txt").unwrap();
        for (i, n) in [2048, 16_384, 16_385, 1, 65_000, 0, 100_000].into_iter().enumerate() {
            let before = out.position();
            out.write_bytes(&large[..n]).unwrap();
            assert_eq!(out.position(), before + n as u64, "write {i}");
        }
        let checksum = out.checksum();
        out.close().unwrap();
        assert_eq!(get(dir, "testBufferStart.txt").checksum(), checksum);
    });
}

/// Names that are fine though they look odd.
fn odd_names<K: Kind>() {
    K::with(&[], |dir| {
        for name in ["a.", ".a", "é京🙂", " ", "-", "~", "a b", "%2e%2e"] {
            put(dir, name, name.as_bytes());
            dir.rename(name, "there").unwrap();
            dir.rename("there", name).unwrap();
            assert_eq!(get(dir, name), name.as_bytes());
            dir.sync(&[name]).unwrap();
            dir.delete_file(name).unwrap();
        }
    });
}
