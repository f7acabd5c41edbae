//! What the tests of directories share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use lucene_io::store::{CompoundDirectory, Directory, FsDirectory, RamDirectory};
use lucene_io::stored::Verify;
use lucene_io::{DataInput, DataOutput, Error, IndexOutput, codec};
use std::io::ErrorKind;
use std::sync::{Arc, Mutex};

/// The kind of an I/O error.
pub fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    match result {
        Err(Error::Io(error)) => error.kind(),
        other => panic!("no I/O error: {other:?}"),
    }
}

/// A new file.
pub fn put<D: Directory + ?Sized>(dir: &D, name: &str, bytes: &[u8]) {
    let mut out = dir.create_output(name).unwrap();
    out.write_bytes(bytes).unwrap();
    assert_eq!(out.position(), bytes.len() as u64);
    out.close().unwrap();
}

/// All of a file, by each of the ways there are to read it.
pub fn get<D: Directory + ?Sized>(dir: &D, name: &str) -> Vec<u8> {
    let len = dir.file_length(name).unwrap();
    let mut bytes = vec![0xEE; len as usize];
    let mut input = dir.open_input(name).unwrap();
    input.read_bytes(&mut bytes).unwrap();
    assert_eq!((input.position(), input.bytes_left()), (len, Some(0)));
    assert!(input.read_byte().is_err());
    let file = dir.open_file(name).unwrap();
    assert_eq!((file.len(), file.is_empty()), (len, len == 0));
    let mut again = vec![0xEE; bytes.len()];
    file.read_at(0, &mut again).unwrap();
    assert_eq!(again, bytes);
    if let Some(slice) = file.as_slice() {
        assert_eq!(slice, bytes);
    }
    bytes
}

/// Each test on each kind of directory.
#[macro_export]
macro_rules! on {
    ($($module:ident: $kind:ident)*; $tests:tt) => {
        $(on!(@ $module $kind $tests);)*
    };
    (@ $module:ident $kind:ident [$($test:ident)*]) => {
        mod $module {
            $(#[test]
            fn $test() {
                super::$test::<super::kit::$kind>();
            })*
        }
    };
}

/// Bytes that look like nothing, the same for the same seed.
pub fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// A kind of directory.
pub trait Kind {
    type Dir: Directory<Input: Seek> + Clone + Send + Sync;
    /// Runs a test on a directory of these files, whose names begin with `_0`.
    fn with(files: &[(&str, &[u8])], test: impl FnOnce(&Self::Dir));
}

/// What the inputs have beside `DataInput`.
pub trait Seek: DataInput + Clone + Send {
    fn go(&mut self, position: u64) -> Result<(), Error>;
}

impl Seek for lucene_io::store::FileInput {
    fn go(&mut self, position: u64) -> Result<(), Error> {
        self.seek(position)
    }
}

pub enum Ram {}
pub enum Fs {}
/// Behind an `Arc` and a reference.
pub enum Behind {}
/// Packed into one file of each of the others.
pub enum Compound {}

impl Kind for Ram {
    type Dir = RamDirectory;
    fn with(files: &[(&str, &[u8])], test: impl FnOnce(&Self::Dir)) {
        let dir = RamDirectory::new();
        files.iter().for_each(|(name, bytes)| put(&dir, name, bytes));
        test(&dir);
    }
}

impl Kind for Fs {
    type Dir = FsDirectory;
    fn with(files: &[(&str, &[u8])], test: impl FnOnce(&Self::Dir)) {
        let folder = tempfile::tempdir().unwrap();
        let dir = FsDirectory::open(folder.path()).unwrap();
        files.iter().for_each(|(name, bytes)| put(&dir, name, bytes));
        test(&dir);
    }
}

impl Kind for Behind {
    type Dir = Arc<&'static RamDirectory>;
    fn with(files: &[(&str, &[u8])], test: impl FnOnce(&Self::Dir)) {
        // Kept, so that a leak checker sees who owns them.
        static KEPT: Mutex<Vec<&RamDirectory>> = Mutex::new(Vec::new());
        let dir: &RamDirectory = Box::leak(Box::default());
        KEPT.lock().unwrap().push(dir);
        let dir = Arc::new(dir);
        files.iter().for_each(|(name, bytes)| put(&dir, name, bytes));
        test(&dir);
    }
}

impl Kind for Compound {
    type Dir = CompoundDirectory;
    fn with(files: &[(&str, &[u8])], test: impl FnOnce(&Self::Dir)) {
        Fs::with(&[], |dir| {
            let files: Vec<_> = files.iter().map(|(name, bytes)| (&name[2..], *bytes)).collect();
            Packed::of(1, &files).put(dir, "_0");
            test(&CompoundDirectory::open(dir, "_0", Verify::OnOpen).unwrap());
        });
    }
}

#[cfg(feature = "mmap")]
pub enum Mapped {}

#[cfg(feature = "mmap")]
impl Kind for Mapped {
    type Dir = lucene_io::store::MmapDirectory;
    fn with(files: &[(&str, &[u8])], test: impl FnOnce(&Self::Dir)) {
        let folder = tempfile::tempdir().unwrap();
        // SAFETY: nobody else knows the folder, and no test writes to a file that is there.
        let dir = unsafe { lucene_io::store::MmapDirectory::open(folder.path()) }.unwrap();
        files.iter().for_each(|(name, bytes)| put(&dir, name, bytes));
        test(&dir);
    }
}

#[cfg(feature = "mmap")]
impl Seek for lucene_io::MmapInput {
    fn go(&mut self, position: u64) -> Result<(), Error> {
        self.seek(position)
    }
}

/// A compound file as Lucene's `CompoundFileWriter` makes it, in parts that a test may bend.
#[derive(Clone, Debug)]
pub struct Packed {
    pub cfs: Vec<u8>,
    /// Name without the segment's, offset, length.
    pub entries: Vec<(String, i64, i64)>,
    pub version: i32,
    /// What the table says of its own size, its own version, and what is put behind it.
    pub count: i32,
    pub cfe_version: i32,
    pub rest: Vec<u8>,
}

impl Packed {
    pub fn of(version: i32, files: &[(&str, &[u8])]) -> Self {
        let mut cfs = Vec::new();
        codec::write_header(&mut cfs, "CompoundFileWriterData", version).unwrap();
        let mut entries = Vec::new();
        for (name, bytes) in files {
            entries.push((name.to_string(), cfs.len() as i64, bytes.len() as i64));
            cfs.extend_from_slice(bytes);
        }
        if version > 0 {
            codec::write_footer(&mut cfs).unwrap();
        }
        let count = files.len() as i32;
        Self { cfs, entries, version, count, cfe_version: version, rest: Vec::new() }
    }

    pub fn cfe(&self) -> Vec<u8> {
        let mut cfe = Vec::new();
        codec::write_header(&mut cfe, "CompoundFileWriterEntries", self.cfe_version).unwrap();
        cfe.write_vint(self.count).unwrap();
        for (name, at, len) in &self.entries {
            cfe.write_string(name).unwrap();
            cfe.write_i64(*at).unwrap();
            cfe.write_i64(*len).unwrap();
        }
        cfe.extend_from_slice(&self.rest);
        if self.cfe_version > 0 {
            codec::write_footer(&mut cfe).unwrap();
        }
        cfe
    }

    pub fn put<D: Directory>(&self, dir: &D, segment: &str) {
        put(dir, &format!("{segment}.cfs"), &self.cfs);
        put(dir, &format!("{segment}.cfe"), &self.cfe());
    }

    pub fn open(&self, verify: Verify) -> Result<CompoundDirectory, Error> {
        open(&self.cfs, &self.cfe(), verify)
    }
}

/// A compound file of these bytes.
pub fn open(cfs: &[u8], cfe: &[u8], verify: Verify) -> Result<CompoundDirectory, Error> {
    let dir = RamDirectory::new();
    put(&dir, "_0.cfs", cfs);
    put(&dir, "_0.cfe", cfe);
    CompoundDirectory::open(&dir, "_0", verify)
}
