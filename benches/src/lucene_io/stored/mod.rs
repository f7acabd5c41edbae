//! Cases of stored fields: `IndexFiles` and `ReadStoredFields` of the seed, documents here and there,
//! and the opening of a segment.

mod index;
pub(crate) mod nowhere;
mod read;

use super::before::stored as lucene_net;
use super::documents::Documents;
use crate::registry::Registry;
use lucene_io::Error;
use lucene_io::index::{Segment, Target, write_commit};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, FieldRef, Reader, Value, Verify, Visit, Writer};

const SOUND: &str = "the index is sound";

pub(super) fn register(registry: &mut Registry) {
    index::register(registry);
    read::register(registry);
}

/// The documents, given as UTF-16.
fn write_units<D: Directory>(
    dir: &D,
    documents: &Documents,
    compression: Compression,
) -> Result<Segment, Error> {
    let mut writer = Writer::create(dir, "_0", compression)?;
    for fields in documents.units() {
        let mut document = writer.start_document()?;
        for (name, units) in fields {
            document = document.utf16(name, units);
        }
        document.end()?;
    }
    writer.finish()
}

/// An index of them.
fn index_units(documents: &Documents, compression: Compression) -> RamDirectory {
    let dir = RamDirectory::new();
    let segment = write_units(&dir, documents, compression).expect(SOUND);
    write_commit(&dir, &[segment], Target::Lucene46).expect(SOUND);
    dir
}

/// One of the same documents, given as text.
fn index_texts(documents: &Documents, compression: Compression) -> RamDirectory {
    let dir = RamDirectory::new();
    let segment = write_texts(&dir, documents, compression).expect(SOUND);
    write_commit(&dir, &[segment], Target::Lucene46).expect(SOUND);
    dir
}

fn write_texts<D: Directory>(
    dir: &D,
    documents: &Documents,
    compression: Compression,
) -> Result<Segment, Error> {
    let mut writer = Writer::create(dir, "_0", compression)?;
    for fields in documents.texts() {
        let mut document = writer.start_document()?;
        for (name, text) in fields {
            document = document.string(name, text);
        }
        document.end()?;
    }
    writer.finish()
}

/// Every field of every document.
fn see_all(dir: &RamDirectory, mut see: impl FnMut(&str)) -> Result<(), Error> {
    let mut reader = Reader::open(dir, "_0", Verify::OnOpen)?;
    for doc in 0..reader.doc_count() {
        reader.visit(doc, |field| {
            see(text(&field));
            Visit::Next
        })?;
    }
    Ok(())
}

fn text<'a>(field: &FieldRef<'a>) -> &'a str {
    match field.value {
        Value::String(text) => text,
        _ => unreachable!("all fields are strings"),
    }
}
