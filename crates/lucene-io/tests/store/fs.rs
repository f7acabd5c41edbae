//! What only a folder of the file system has.

use crate::kit::{get, kind, noise, put};
use lucene_io::store::{Directory, FsDirectory};
use lucene_io::{DataInput, DataOutput, Error, IndexOutput};
use std::fs;
use std::io::ErrorKind;

fn folder() -> (tempfile::TempDir, FsDirectory) {
    let folder = tempfile::tempdir().unwrap();
    let dir = FsDirectory::open(folder.path()).unwrap();
    (folder, dir)
}

/// `BaseDirectoryTestCase.testNoDir`
#[test]
fn a_folder_that_is_not_there() {
    let (folder, dir) = folder();
    let path = folder.path().join("doesnotexist");
    assert_eq!(kind(FsDirectory::open(&path)), ErrorKind::NotFound);
    assert!(!path.exists());
    put(&dir, "file", b"");
    assert_eq!(kind(FsDirectory::open(folder.path().join("file"))), ErrorKind::NotADirectory);
    assert_eq!(dir.path(), folder.path());
    // It may go later.
    drop(folder);
    assert_eq!(kind(dir.list_all()), ErrorKind::NotFound);
    assert_eq!(kind(dir.create_output("a").map(drop)), ErrorKind::NotFound);
    assert_eq!(kind(dir.open_file("file")), ErrorKind::NotFound);
}

/// Its name is taken, and that is all.
#[test]
fn a_subfolder_is_no_file() {
    let (folder, dir) = folder();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub").join("inner"), "x").unwrap();
    put(&dir, "file", b"x");
    assert_eq!(dir.list_all().unwrap(), ["file"]);
    assert_eq!(kind(dir.file_length("sub")), ErrorKind::NotFound);
    assert_eq!(kind(dir.open_input("sub")), ErrorKind::NotFound);
    assert_eq!(kind(dir.open_file("sub")), ErrorKind::NotFound);
    assert_eq!(kind(dir.delete_file("sub")), ErrorKind::NotFound);
    assert_eq!(kind(dir.rename("sub", "other")), ErrorKind::NotFound);
    assert_eq!(kind(dir.sync(&["sub"])), ErrorKind::NotFound);
    assert_eq!(kind(dir.create_output("sub").map(drop)), ErrorKind::AlreadyExists);
    dir.rename("file", "sub").unwrap_err();
    assert_eq!(get(&dir, "file"), b"x");
    assert!(folder.path().join("sub").join("inner").exists());
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;
    let (folder, dir) = folder();
    let at = |name: &str| folder.path().join(name);
    put(&dir, "file", b"bytes");
    fs::create_dir(at("sub")).unwrap();
    symlink("file", at("to-file")).unwrap();
    symlink("sub", at("to-sub")).unwrap();
    symlink("nowhere", at("to-nowhere")).unwrap();
    symlink("to-itself", at("to-itself")).unwrap();
    assert_eq!(dir.list_all().unwrap(), ["file", "to-file"]);
    assert_eq!(get(&dir, "to-file"), b"bytes");
    assert_eq!(kind(dir.open_file("to-sub")), ErrorKind::NotFound);
    assert_eq!(kind(dir.open_file("to-nowhere")), ErrorKind::NotFound);
    dir.open_file("to-itself").unwrap_err();
    // Never written through.
    assert_eq!(kind(dir.create_output("to-nowhere").map(drop)), ErrorKind::AlreadyExists);
    assert!(!at("nowhere").exists());
    dir.delete_file("to-file").unwrap();
    assert_eq!(dir.list_all().unwrap(), ["file"]);
    // The folder itself may be one.
    symlink(".", at("here")).unwrap();
    let linked = FsDirectory::open(at("here")).unwrap();
    assert_eq!(get(&linked, "file"), b"bytes");
}

/// Opening a pipe would wait for ever; a socket is as little a file.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file() {
    let (folder, dir) = folder();
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    assert!(dir.list_all().unwrap().is_empty());
    assert_eq!(kind(dir.open_input("socket")), ErrorKind::NotFound);
    assert_eq!(kind(dir.delete_file("socket")), ErrorKind::NotFound);
}

/// No call could name them.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_listed() {
    use std::os::unix::ffi::OsStrExt;
    let (folder, dir) = folder();
    for name in [b"\xFF.fdt".as_slice(), b"a..b", b"a\\b", b"a:b"] {
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), "x").unwrap();
    }
    put(&dir, "é", b"");
    assert_eq!(dir.list_all().unwrap(), ["é"]);
}

/// A file that is cut short, or goes, while it is read.
#[test]
fn a_file_that_shrinks() {
    let (folder, dir) = folder();
    let bytes = noise(1, 60_000);
    put(&dir, "_0.a", &bytes);
    let file = dir.open_file("_0.a").unwrap();
    let part = file.slice(100, 50_000).unwrap();
    let mut input = part.input();
    assert_eq!(input.read_byte().unwrap(), bytes[100]);
    fs::OpenOptions::new()
        .write(true)
        .open(folder.path().join("_0.a"))
        .unwrap()
        .set_len(30_000)
        .unwrap();
    // What is asked for is named by the part's own places.
    let error = part.read_at(29_899, &mut [0; 2]).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 29_899, need: 2 }), "{error:?}");
    part.read_at(29_898, &mut [0; 2]).unwrap();
    // What was buffered stays readable, and what is gone is an error.
    input.skip_bytes(16_000).unwrap();
    assert_eq!(input.read_byte().unwrap(), bytes[16_101]);
    let error = input.read_bytes(&mut [0; 20_000]).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 16_002, need: 20_000 }), "{error:?}");
    assert_eq!(input.position(), 16_002);
    input.skip_bytes(20_000).unwrap();
    input.read_i32().unwrap_err();
    assert!(file.checksum_entire_file().is_err());
}

/// What is not closed is not there whole, and that is no harm to others.
#[test]
fn an_output_that_is_dropped() {
    let (_folder, dir) = folder();
    let mut out = dir.create_output("_0.a").unwrap();
    out.write_bytes(&noise(2, 1000)).unwrap();
    drop(out);
    assert_eq!(dir.file_length("_0.a").unwrap(), 0);
    assert_eq!(kind(dir.create_output("_0.a").map(drop)), ErrorKind::AlreadyExists);
    dir.delete_file("_0.a").unwrap();
    let mut out = dir.create_output("_0.a").unwrap();
    out.write_string("whole").unwrap();
    out.close().unwrap();
    assert_eq!(get(&dir, "_0.a"), b"\x05whole");
}

/// Two of one folder see the same.
#[test]
fn two_directories_of_a_folder() {
    let (folder, one) = folder();
    let two = FsDirectory::open(folder.path()).unwrap();
    put(&one, "a", b"from one");
    assert_eq!(get(&two, "a"), b"from one");
    two.rename("a", "b").unwrap();
    assert_eq!(one.list_all().unwrap(), ["b"]);
    two.sync(&["b"]).unwrap();
}
