//! What a caller can do wrong, and what is then left.

use super::model::{doc, open, read_all, visit};
use lucene_io::index::{self, Target};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{
    Compression, Document, DocumentWriter, FieldRef, Options, Reader, Value, Verify, Visit, Writer,
};
use lucene_io::{DataOutput, Error, IndexOutput};
use std::io::ErrorKind;

fn kind<T>(result: Result<T, Error>) -> Option<ErrorKind> {
    match result {
        Err(Error::Io(error)) => Some(error.kind()),
        _ => None,
    }
}

/// All ways to write a document compile and write the same.
#[test]
fn chained_in_a_loop_and_by_statements() {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Options::default()).unwrap();
    writer.start_document().unwrap().string("a", "x").i32("b", 1).i32("b", 2).end().unwrap();
    let mut one = writer.start_document().unwrap();
    one = one.string("a", "x");
    for value in [1, 2] {
        one = one.i32("b", value);
    }
    one.end().unwrap();
    let one = writer.start_document().unwrap();
    one.utf16("a", &[0x78]);
    one.i32("b", 1);
    one.i32("b", 2);
    one.end().unwrap();
    let segment = writer.finish().unwrap();
    assert_eq!(segment.fields().collect::<Vec<_>>(), [(0, "a"), (1, "b")]);
    index::write_commit(&dir, &[segment], Target::Lucene46).unwrap();
    let docs = read_all(&mut open(&dir)).unwrap();
    assert_eq!((docs.len(), docs[0].len()), (3, 3));
    assert!(docs.iter().all(|doc| *doc == docs[0]));
}

#[test]
fn a_document_that_is_not_ended() {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::Fast).unwrap();
    writer.start_document().unwrap().string("a", "kept").end().unwrap();
    writer.start_document().unwrap().string("b", "lost");
    assert!(matches!(writer.start_document(), Err(Error::OpenDocument)));
    writer.start_document().unwrap().string("c", "kept too").end().unwrap();
    let segment = writer.finish().unwrap();
    // The name of a field that is in no document is not there either.
    assert_eq!(segment.fields().collect::<Vec<_>>(), [(0, "a"), (1, "c")]);
    index::write_commit(&dir, &[segment], Target::Lucene410).unwrap();
    let docs = [doc([("a", "kept")]), doc([("c", "kept too")])];
    assert_eq!(read_all(&mut open(&dir)).unwrap(), docs);

    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::Fast).unwrap();
    writer.start_document().unwrap();
    assert!(matches!(writer.finish(), Err(Error::OpenDocument)));
}

#[test]
fn a_field_or_an_end_after_the_end() {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::Fast).unwrap();
    let one = writer.start_document().unwrap();
    one.string("a", "x").end().unwrap();
    assert!(matches!(one.end(), Err(Error::OpenDocument)));
    assert!(matches!(one.string("a", "stray").end(), Err(Error::OpenDocument)));
    one.string("a", "stray");
    assert!(matches!(writer.start_document(), Err(Error::OpenDocument)));
    writer.start_document().unwrap().string("a", "y").end().unwrap();
    writer.start_document().unwrap().end().unwrap();
    let one = writer.start_document().unwrap();
    one.end().unwrap();
    one.i64("a", 1);
    assert!(matches!(writer.finish(), Err(Error::OpenDocument)));
}

/// 2 GiB of zeros that nobody touches.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_value_that_is_too_long_leaves_its_document_out() {
    let long = vec![0_u8; 1 << 31];
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::Fast).unwrap();
    writer.start_document().unwrap().string("a", "x").end().unwrap();
    let one = writer.start_document().unwrap();
    one.string("a", "y").bytes("b", &long).string("c", "never looked at");
    assert!(matches!(one.end(), Err(Error::TooLong { length: 0x8000_0000 })));
    writer.start_document().unwrap().string("c", "z").end().unwrap();
    let segment = writer.finish().unwrap();
    assert_eq!((segment.doc_count(), segment.fields().count()), (2, 2));
    index::write_commit(&dir, &[segment], Target::Lucene410).unwrap();
    let docs = [doc([("a", "x")]), doc([("c", "z")])];
    assert_eq!(read_all(&mut open(&dir)).unwrap(), docs);
}

#[test]
fn files_that_are_there() {
    for taken in ["_0.fdt", "_0.fdx"] {
        let dir = RamDirectory::new();
        dir.create_output(taken).unwrap().close().unwrap();
        let created = Writer::create(&dir, "_0", Compression::Fast);
        assert_eq!(kind(created), Some(ErrorKind::AlreadyExists));
        assert_eq!(dir.list_all().unwrap(), [taken], "nothing is left of what was not made");
    }
}

#[test]
fn names_that_are_refused() {
    let dir = RamDirectory::new();
    for name in ["", "../_0", "a/b", "/_0"] {
        let created = Writer::create(&dir, name, Compression::Fast);
        assert!(matches!(created, Err(Error::InvalidName)), "{name}");
        let opened = Reader::open(&dir, name, Verify::OnOpen);
        assert!(matches!(opened, Err(Error::InvalidName)), "{name}");
    }
    assert_eq!(kind(Reader::open(&dir, "_0", Verify::Lazy)), Some(ErrorKind::NotFound));
}

#[test]
fn a_document_that_is_not_there() {
    let dir = super::model::write(&[doc([("a", "x")])], Compression::Fast);
    let mut reader = open(&dir);
    for id in [1, 2, u32::MAX] {
        assert_eq!(kind(visit(&mut reader, id)), Some(ErrorKind::InvalidInput));
        assert_eq!(kind(reader.document(id)), Some(ErrorKind::InvalidInput));
        assert_eq!(kind(reader.documents(&[0, id])), Some(ErrorKind::InvalidInput));
    }
    assert_eq!(visit(&mut reader, 0).unwrap(), doc([("a", "x")]));
    let text = reader.document(7).unwrap_err().to_string();
    assert_eq!(text, "no document 7, there are 1");
}

/// A directory whose files take so many bytes and no more.
struct Full(usize);

struct FullOutput {
    left: usize,
    at: u64,
}

impl DataOutput for FullOutput {
    fn write_byte(&mut self, byte: u8) -> Result<(), Error> {
        self.write_bytes(&[byte])
    }
    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let full = || Error::Io(ErrorKind::StorageFull.into());
        self.left = self.left.checked_sub(bytes.len()).ok_or_else(full)?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}

impl IndexOutput for FullOutput {
    fn position(&self) -> u64 {
        self.at
    }
    fn checksum(&mut self) -> u32 {
        0
    }
    fn close(self) -> Result<(), Error> {
        Ok(())
    }
}

impl Directory for Full {
    type Input = lucene_io::SliceInput<'static>;
    type Output = FullOutput;

    fn list_all(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
    fn file_length(&self, _: &str) -> Result<u64, Error> {
        Ok(0)
    }
    fn open_input(&self, _: &str) -> Result<Self::Input, Error> {
        Err(Error::Truncated)
    }
    fn create_output(&self, _: &str) -> Result<FullOutput, Error> {
        Ok(FullOutput { left: self.0, at: 0 })
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

/// Once a chunk could not be written, nothing more is, and it never looks well.
#[test]
fn a_disk_that_is_full() {
    let text = "x".repeat(10_000);
    let write = |writer: &mut Writer<FullOutput>| {
        let one = writer.start_document()?;
        one.bytes("a", text.as_bytes()).end()
    };
    let mut writer = Writer::create(&Full(20_000), "_0", Compression::Literals).unwrap();
    write(&mut writer).unwrap();
    assert_eq!(kind(write(&mut writer)), Some(ErrorKind::StorageFull));
    assert!(kind(write(&mut writer)).is_some());
    assert!(kind(writer.finish()).is_some());
    // Where the rest does not fit, and where not even the beginning does.
    for room in (1..10_100).step_by(99) {
        let mut failed = true;
        if let Ok(mut writer) = Writer::create(&Full(room), "_0", Compression::Literals) {
            write(&mut writer).unwrap();
            failed = writer.finish().is_err();
        }
        assert!(failed, "{room}");
    }
}

const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Reader>();
    is_send_and_sync::<Document>();
    is_send_and_sync::<Options>();
    const fn is_send<T: Send>() {}
    is_send::<Writer<Vec<u8>>>();
    is_send::<DocumentWriter<Vec<u8>>>();
};

/// The visitor may borrow nothing beyond its call, and keep what it copies.
#[test]
fn a_visitor_of_a_function() {
    fn visitor(field: FieldRef<'_>) -> Visit {
        assert_eq!(field.value, Value::String("x"));
        Visit::Next
    }
    let dir = super::model::write(&[doc([("a", "x")])], Compression::Fast);
    open(&dir).visit(0, visitor).unwrap();
}
