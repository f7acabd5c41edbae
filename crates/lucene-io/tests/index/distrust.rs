//! What nobody should do: inputs, outputs and directories that lie, files with holes, two writers at
//! a time, and forged indexes that are all right file by file.

use crate::index_common::*;
use lucene_io::index::{self, Target};
use lucene_io::store::RandomAccessInput as RandomAccess;
use lucene_io::store::{Directory, FileInput, FileSlice, RamDirectory, RamOutput};
use lucene_io::stored::{Compression, Reader, Verify, Writer};
use lucene_io::{DataInput, DataOutput, Error, IndexOutput, codec};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An index with a segment of a document.
fn index_of_one() -> RamDirectory {
    let dir = RamDirectory::new();
    let first = segment(&dir, "_0", 1, &["a"]);
    index::write_commit(&dir, &[first], Target::Lucene410).unwrap();
    dir
}

fn footed(mut bytes: Vec<u8>) -> Vec<u8> {
    codec::write_footer(&mut bytes).unwrap();
    bytes
}

fn header(codec: &str, version: i32) -> Vec<u8> {
    let mut bytes = Vec::new();
    codec::write_header(&mut bytes, codec, version).unwrap();
    bytes
}

fn info(docs: i32, compound: bool, files: &[&str]) -> Vec<u8> {
    let mut out = header("Lucene46SegmentInfo", 1);
    out.write_string(if compound { "4.7" } else { "4.10.4" }).unwrap();
    out.write_i32(docs).unwrap();
    out.write_byte(if compound { 1 } else { 0xFF }).unwrap();
    out.write_string_string_map([]).unwrap();
    out.write_string_set(files.iter().copied()).unwrap();
    footed(out)
}

/// Its `.fdt` and `.fdx` become those of Lucene 4.5 to 4.7.
fn without_footers(dir: &RamDirectory) {
    let mut data = header("Lucene41StoredFieldsData", 1);
    data.write_bytes(&[0x80, 0x80, 1, 2]).unwrap();
    let start = data.len() as u8;
    data.write_bytes(&[0, 1, 1, 3, 0x30, 0, 1, b'x']).unwrap();
    replace(dir, "_0.fdt", &data);
    let mut places = header("Lucene41StoredFieldsIndex", 1);
    places.write_bytes(&[2, 1, 0, 0, 1, 0, start, 0, 1, 0, 0]).unwrap();
    replace(dir, "_0.fdx", &places);
}

/// A directory in memory, some files of which are said to be longer than memory, as files with holes
/// are.
struct Long<'a>(RamDirectory, &'a str);

struct LongFile(FileSlice);

impl RandomAccess for LongFile {
    fn length(&self) -> u64 {
        1 << 62
    }
    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        into.fill(0);
        let n = self.0.len().saturating_sub(at).min(into.len() as u64) as usize;
        self.0.read_at(at.min(self.0.len()), &mut into[..n])
    }
}

impl Directory for Long<'_> {
    type Input = FileInput;
    type Output = RamOutput;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        self.0.list_all()
    }
    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.open_file(name).map(|file| file.len())
    }
    fn open_input(&self, name: &str) -> Result<FileInput, Error> {
        self.open_file(name).map(|file| file.input())
    }
    fn create_output(&self, name: &str) -> Result<RamOutput, Error> {
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
    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        let file = self.0.open_file(name)?;
        Ok(if name == self.1 { FileSlice::new(Arc::new(LongFile(file))) } else { file })
    }
}

/// A length of a file is believed no more than one in a file: an error, and not the end of the
/// process.
#[test]
fn files_longer_than_memory() {
    let names = index_of_one().list_all().unwrap();
    assert_eq!(names.len(), 5);
    for name in &names {
        let dir = Long(index_of_one(), name);
        assert!(index::check(&dir).unwrap().iter().any(|(_, state)| state.is_err()), "{name}");
        let opened = Reader::open(&dir, "_0", Verify::Lazy);
        assert_eq!(opened.is_err(), name != "segments_1", "{name}");
    }
}

/// Without a footer, the last chunk goes on to the end of the file.
#[test]
fn a_chunk_longer_than_memory() {
    let dir = index_of_one();
    without_footers(&dir);
    Reader::open(&dir, "_0", Verify::OnOpen).unwrap().document(0).unwrap();
    let dir = Long(dir, "_0.fdt");
    let read = Reader::open(&dir, "_0", Verify::OnOpen).unwrap().document(0);
    assert_eq!(kind(read), Some(ErrorKind::OutOfMemory));
}

/// 2³¹ documents in a few bytes are verified in the time that these take.
#[test]
fn check_of_documents_that_are_nothing() {
    let dir = index_of_one();
    let docs = i32::MAX - 128;
    let mut data = header("Lucene41StoredFieldsData", 2);
    data.write_bytes(&[0x80, 0x80, 1, 2]).unwrap();
    let start = data.len() as i32;
    for vint in [0, docs, 0, 0, 0, 0, 0] {
        data.write_vint(vint).unwrap();
    }
    let end = data.len() as i32;
    let mut places = header("Lucene41StoredFieldsIndex", 2);
    for vint in [2, 1, 0, 0, 1, 0, start, 0, 1, 0, 0, end] {
        places.write_vint(vint).unwrap();
    }
    replace(&dir, "_0.fdt", &footed(data));
    replace(&dir, "_0.fdx", &footed(places));
    replace(&dir, "_0.si", &info(docs, false, &["_0.fdt", "_0.fdx", "_0.fnm", "_0.si"]));
    let begun = Instant::now();
    assert_eq!(bad(&dir), []);
    assert!(begun.elapsed() < Duration::from_secs(10));
    let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
    assert_eq!(reader.document(docs as u32 - 1).unwrap().fields().count(), 0);
}

/// What a segment cannot be opened without is verified, whether or not something names it.
#[test]
fn check_of_files_that_are_not_named() {
    let dir = index_of_one();
    replace(&dir, "_0.si", &info(1, false, &[]));
    let names: Vec<_> = index::check(&dir).unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["segments_1", "_0.si", "_0.fdt", "_0.fdx", "_0.fnm"]);
    assert_eq!(bad(&dir), []);
    for gone in ["_0.fdt", "_0.fdx", "_0.fnm"] {
        let dir = index_of_one();
        replace(&dir, "_0.si", &info(1, false, &[]));
        dir.delete_file(gone).unwrap();
        assert_eq!(bad(&dir).len(), 1, "{gone}");
        assert_eq!(bad(&dir)[0].0, gone);
    }
}

/// Before Lucene 4.8 the table of a compound file has no checksum: a bit of a name in it.
#[test]
fn check_of_a_compound_file_that_names_another_file() {
    for bent in [".fdu", ".fdy", ".fnl"] {
        let dir = index_of_one();
        without_footers(&dir);
        let mut data = header("CompoundFileWriterData", 0);
        let mut table = header("CompoundFileWriterEntries", 0);
        table.write_vint(3).unwrap();
        for extension in [".fnm", ".fdt", ".fdx"] {
            let name = format!("_0{extension}");
            let bytes = read(&dir, &name);
            let last = extension.as_bytes()[3];
            table
                .write_string(if bent.as_bytes()[3] ^ last == 1 { bent } else { extension })
                .unwrap();
            table.write_i64(data.len() as i64).unwrap();
            table.write_i64(bytes.len() as i64).unwrap();
            data.extend(bytes);
            dir.delete_file(&name).unwrap();
        }
        write(&dir, "_0.cfs", &data);
        write(&dir, "_0.cfe", &table);
        replace(&dir, "_0.si", &info(1, true, &["_0.cfe", "_0.cfs", "_0.si"]));
        assert!(Reader::open(&dir, "_0", Verify::OnOpen).is_err());
        assert_eq!(bad(&dir).len(), 1, "{bent}: {:?}", bad(&dir));
    }
}

/// What a commit cannot be read for, `check` finds too.
#[test]
fn check_of_too_many_documents_and_of_fields_written_anew() {
    let dir = RamDirectory::new();
    let segments = [segment(&dir, "_0", 1, &["a"]), segment(&dir, "_1", 1, &["a"])];
    index::write_commit(&dir, &segments, Target::Lucene410).unwrap();
    for name in ["_0.si", "_1.si"] {
        replace(&dir, name, &info(1 << 30, false, &[]));
    }
    assert!(matches!(index::read_commit(&dir), Err(Error::Corrupt { .. })));
    assert!(bad(&dir).iter().any(|(name, _)| name == "segments_1"), "{:?}", bad(&dir));

    let dir = index_of_one();
    let mut bytes = read(&dir, "segments_1");
    // Behind the name, the codec, and what was deleted: generation and count.
    let at = bytes.windows(9).position(|nine| nine == b"Lucene410").unwrap() + 9 + 8 + 4;
    bytes[at..at + 8].copy_from_slice(&5_i64.to_be_bytes());
    replace(&dir, "segments_1", &resealed(bytes));
    assert_eq!(kind(index::read_commit(&dir)), Some(ErrorKind::NotFound));
    assert_eq!(bad(&dir).len(), 1);
    assert_eq!(bad(&dir)[0].0, "_0_5.fnm");
}

/// Calls something when files are synced the first time.
struct Meanwhile<F>(RamDirectory, std::cell::RefCell<Option<F>>);

impl<F: FnOnce(&RamDirectory)> Directory for Meanwhile<F> {
    type Input = FileInput;
    type Output = RamOutput;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        self.0.list_all()
    }
    fn file_length(&self, name: &str) -> Result<u64, Error> {
        self.0.file_length(name)
    }
    fn open_input(&self, name: &str) -> Result<FileInput, Error> {
        self.0.open_input(name)
    }
    fn create_output(&self, name: &str) -> Result<RamOutput, Error> {
        self.0.create_output(name)
    }
    fn delete_file(&self, name: &str) -> Result<(), Error> {
        self.0.delete_file(name)
    }
    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        self.0.rename(from, to)
    }
    fn sync(&self, names: &[&str]) -> Result<(), Error> {
        let Some(call) = self.1.borrow_mut().take() else { return self.0.sync(names) };
        call(&self.0);
        // As if a file of the segment could not be synced.
        if names.contains(&"_2.fdt") { Err(Error::Truncated) } else { self.0.sync(names) }
    }
}

/// One writer at a time, it says; when there are two, the commit that one was told is there stays,
/// whatever becomes of the other's.
#[test]
fn a_commit_that_another_writer_made_meanwhile_stays() {
    for name in ["_1", "_2"] {
        let dir = index_of_one();
        let mut ours = index::read_commit(&dir).unwrap().segments().to_vec();
        let mut theirs = ours.clone();
        theirs.push(segment(&dir, "_3", 7, &["b"]));
        ours.push(segment(&dir, name, 1, &["b"]));
        let commit =
            |dir: &RamDirectory| index::write_commit(dir, &theirs, Target::Lucene410).unwrap();
        let dir = Meanwhile(dir, Some(commit).into());
        index::write_commit(&dir, &ours, Target::Lucene410).unwrap_err();
        let now = index::read_commit(&dir).unwrap();
        assert_eq!((now.generation(), now.segments().len()), (2, 2));
        assert_eq!(now.segments()[1].name(), "_3");
        assert_eq!(bad(&dir), []);
    }
}

/// An output whose position is what it was told.
struct Lying(Vec<u8>, fn(usize) -> u64);

impl DataOutput for Lying {
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.0.write_byte(byte)
    }
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write_bytes(bytes)
    }
}

impl IndexOutput for Lying {
    fn position(&self) -> u64 {
        self.1(self.0.len())
    }
    fn checksum(&mut self) -> u32 {
        0
    }
    fn close(self) -> Result<(), Error> {
        Ok(())
    }
}

struct LyingDirectory(fn(usize) -> u64);

impl Directory for LyingDirectory {
    type Input = FileInput;
    type Output = Lying;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
    fn file_length(&self, _: &str) -> Result<u64, Error> {
        Ok(0)
    }
    fn open_input(&self, _: &str) -> Result<FileInput, Error> {
        Err(Error::Truncated)
    }
    fn create_output(&self, _: &str) -> Result<Lying, Error> {
        Ok(Lying(Vec::new(), self.0))
    }
    fn delete_file(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }
    fn rename(&self, _: &str, _: &str) -> Result<(), Error> {
        Ok(())
    }
    fn sync(&self, _: &[&str]) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn outputs_whose_position_makes_no_sense() {
    let lies: [fn(usize) -> u64; 5] = [
        |_| 0,
        |_| 7,
        |len| 1_000_000 - len as u64,
        |_| u64::MAX,
        |len| i64::MAX as u64 - 100 + len as u64,
    ];
    for lie in lies {
        let write = || {
            let mut writer = Writer::create(&LyingDirectory(lie), "_0", Compression::Fast)?;
            for _ in 0..400 {
                writer.start_document()?.string("a", &"text ".repeat(50)).end()?;
            }
            writer.finish()
        };
        assert!(write().is_err());
    }
}

#[test]
fn an_input_at_the_last_position_there_is() {
    struct Last(&'static [u8]);
    impl DataInput for Last {
        fn read_byte(&mut self) -> Result<u8, Error> {
            let (&byte, rest) = self.0.split_first().ok_or(Error::Truncated)?;
            self.0 = rest;
            Ok(byte)
        }
        fn read_bytes(&mut self, into: &mut [u8]) -> Result<(), Error> {
            into.iter_mut().try_for_each(|byte| self.read_byte().map(|read| *byte = read))
        }
        fn skip_bytes(&mut self, n: u64) -> Result<(), Error> {
            (0..n).try_for_each(|_| self.read_byte().map(drop))
        }
        fn position(&self) -> u64 {
            u64::MAX
        }
    }
    let read = Last(b"\x05text\xFF").read_string();
    assert!(matches!(read, Err(Error::InvalidUtf8 { at: u64::MAX })));
}
