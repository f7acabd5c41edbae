//! Files in memory, and what can be done to them.

use lucene_io::store::{Directory, FileSlice, RamDirectory, RandomAccessInput};
use lucene_io::{DataInput, DataOutput, Error, IndexOutput, codec};
use std::sync::Arc;

/// The bytes of a case, taken off the front; 0 where there are no more.
pub(super) struct Source<'a>(pub(super) &'a [u8]);

impl<'a> Source<'a> {
    pub(super) fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    pub(super) fn two(&mut self) -> usize {
        usize::from(self.byte()) | usize::from(self.byte()) << 8
    }

    pub(super) fn take(&mut self, n: usize) -> &'a [u8] {
        self.0.split_off(..n.min(self.0.len())).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

pub(super) fn get(dir: &RamDirectory, name: &str) -> Vec<u8> {
    let mut bytes = vec![0; dir.file_length(name).expect("a file") as usize];
    dir.open_input(name).expect("a file").read_bytes(&mut bytes).expect("its bytes");
    bytes
}

/// Makes a file, in the place of one that is there.
pub(super) fn put(dir: &RamDirectory, name: &str, bytes: &[u8]) {
    let _ = dir.delete_file(name);
    let mut out = dir.create_output(name).expect("a new file");
    out.write_bytes(bytes).expect("memory");
    out.close().expect("memory");
}

/// A footer behind these bytes.
pub(super) fn footed(mut bytes: Vec<u8>) -> Vec<u8> {
    codec::write_footer(&mut bytes).expect("a vector takes anything");
    bytes
}

/// Makes the checksum right: of a footer, or of the 8 bytes that ended a `segments_N` before.
pub(super) fn seal(bytes: &mut Vec<u8>, footer: bool) {
    let body = bytes.len().saturating_sub(if footer { codec::FOOTER_LENGTH } else { 8 });
    bytes.truncate(body);
    if footer {
        *bytes = footed(std::mem::take(bytes));
    } else {
        let crc = IndexOutput::checksum(bytes);
        bytes.write_i64(i64::from(crc)).expect("a vector takes anything");
    }
}

/// One change, of a byte or a few; gives whether it is one.
pub(super) fn damage(bytes: &mut Vec<u8>, source: &mut Source<'_>) -> bool {
    let before = bytes.clone();
    let how = source.byte();
    // Mostly near one of the ends, where the headers and the footers are.
    let at = match source.two() {
        near @ 0..0x8000 => near % (bytes.len() + 1),
        far => bytes.len().saturating_sub((far - 0x8000) % (bytes.len() + 1)),
    };
    match how % 8 {
        0..=2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = source.byte();
            }
        }
        3 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << (how >> 3 & 7);
            }
        }
        4 => bytes.insert(at, source.byte()),
        5 => drop(bytes.drain(at..bytes.len().min(at + usize::from(how >> 3)))),
        6 => bytes.truncate(at),
        _ => {
            let new = source.take(usize::from(how >> 3));
            let end = bytes.len().min(at + new.len());
            bytes.splice(at..end, new.iter().copied());
        }
    }
    *bytes != before
}

/// A directory whose files do not lie in memory, as far as a reader can see.
pub(super) struct Opaque<'a>(pub(super) &'a RamDirectory);

struct NotInMemory(FileSlice);

impl RandomAccessInput for NotInMemory {
    fn length(&self) -> u64 {
        self.0.len()
    }
    fn read_at(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        self.0.read_at(at, into)
    }
}

impl Directory for Opaque<'_> {
    type Input = <RamDirectory as Directory>::Input;
    type Output = <RamDirectory as Directory>::Output;

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
    fn open_file(&self, name: &str) -> Result<FileSlice, Error> {
        Ok(FileSlice::new(Arc::new(NotInMemory(self.0.open_file(name)?))))
    }
}
