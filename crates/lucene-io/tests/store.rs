//! Directories: the same facts of each kind.

#![cfg(feature = "std")]

use lucene_io::store::{Directory, FsDirectory, RamDirectory};
use lucene_io::{DataInput, DataOutput, Error, IndexOutput};
use std::io::ErrorKind;

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    match result {
        Err(Error::Io(error)) => error.kind(),
        other => panic!("no I/O error: {other:?}"),
    }
}

/// Runs a test on a fresh, empty directory of each kind.
macro_rules! on_each {
    ($($test:ident),* $(,)?) => {
        mod ram {
            $(#[test]
            fn $test() {
                super::$test(&super::RamDirectory::new());
            })*
        }
        mod fs {
            $(#[test]
            fn $test() {
                let folder = tempfile::tempdir().unwrap();
                super::$test(&super::FsDirectory::open(folder.path()).unwrap());
            })*
        }
    };
}

on_each!(delete_file);

fn put<D: Directory>(dir: &D, name: &str, bytes: &[u8]) {
    let mut out = dir.create_output(name).unwrap();
    out.write_bytes(bytes).unwrap();
    out.close().unwrap();
}

/// `testDeleteFile`
fn delete_file<D: Directory>(dir: &D) {
    assert!(dir.list_all().unwrap().is_empty());
    put(dir, "foo.txt", b"");
    assert_eq!(dir.list_all().unwrap(), ["foo.txt"]);
    dir.delete_file("foo.txt").unwrap();
    assert!(dir.list_all().unwrap().is_empty());
    assert_eq!(kind(dir.delete_file("foo.txt")), ErrorKind::NotFound);
    put(dir, "foo.txt", b"\x05again");
    assert_eq!(dir.open_input("foo.txt").unwrap().read_string().unwrap(), "again");
}
