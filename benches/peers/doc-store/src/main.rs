//! Cases of `lucene-io` with tantivy's store of documents.
//!
//! It is used by itself, as its index uses it: blocks of 16 KiB, LZ4, on the thread that calls (an index
//! gives compression a thread of its own, which these cases would not see the cost of). The documents to
//! write are made beforehand, which is not counted; the store has no way to read a value where it lies.

use onecopy_benches::digest::{Digest, Digester};
use onecopy_benches::registry::Registry;
use onecopy_benches::runner;
use onecopy_benches::subject::Sink;
use std::path::Path;
use std::process::ExitCode;
use tantivy::TantivyDocument;
use tantivy::directory::{Directory, RamDirectory};
use tantivy::schema::{Field, STORED, Schema, Value};
use tantivy::store::{Compressor, StoreReader, StoreWriter};

#[allow(dead_code, unreachable_pub, reason = "shared with the runner of the light cases")]
#[path = "../../../src/lucene_io/documents.rs"]
mod documents;

const SOUND: &str = "the store is sound";
const FILE: &str = "store";
const BLOCK: usize = 16_384;
/// What its searcher keeps by default.
const CACHED_BLOCKS: usize = 100;

fn main() -> ExitCode {
    let mut registry = Registry::default();
    registry
        .case("lucene-io/doc-store/write-2000x100", || Input::new(2000))
        .showing("tantivy", |input, sink| sink.see(&Stored(store(input), input.documents.len())));
    registry.case("lucene-io/read-documents/guid-2000x100", || Input::new(2000)).stateful(
        "tantivy",
        |input| open(&store(input)),
        |reader, input, sink| {
            for doc in 0..input.documents.len() {
                let document: TantivyDocument = reader.get(doc as u32).expect(SOUND);
                for (_, value) in document.field_values() {
                    see(value, sink);
                }
            }
        },
    );
    runner::main(&registry)
}

fn see<'a>(value: impl Value<'a>, sink: &mut Sink) {
    sink.see(value.as_str().expect("all fields are strings"));
}

struct Input {
    schema: Schema,
    documents: Vec<TantivyDocument>,
}

impl Input {
    fn new(count: usize) -> Self {
        let documents = documents::documents(count);
        let mut schema = Schema::builder();
        let fields: Vec<Field> =
            documents.names.iter().map(|name| schema.add_text_field(name, STORED)).collect();
        let made = documents.texts().map(|values| {
            let mut document = TantivyDocument::new();
            for (field, (_, text)) in fields.iter().zip(values) {
                document.add_text(*field, text);
            }
            document
        });
        Self { documents: made.collect(), schema: schema.build() }
    }
}

fn store(input: &Input) -> RamDirectory {
    let directory = RamDirectory::create();
    let file = directory.open_write(Path::new(FILE)).expect(SOUND);
    let mut writer = StoreWriter::new(file, Compressor::Lz4, BLOCK, false).expect(SOUND);
    for document in &input.documents {
        writer.store(document, &input.schema).expect(SOUND);
    }
    writer.close().expect(SOUND);
    directory
}

fn open(directory: &RamDirectory) -> StoreReader {
    let file = directory.open_read(Path::new(FILE)).expect(SOUND);
    StoreReader::open(file, CACHED_BLOCKS).expect(SOUND)
}

/// A store, digested as the values that are read back.
struct Stored(RamDirectory, usize);

impl Digest for Stored {
    fn digest(&self, into: &mut Digester) {
        let reader = open(&self.0);
        for doc in 0..self.1 {
            let document: TantivyDocument = reader.get(doc as u32).expect(SOUND);
            for (_, value) in document.field_values() {
                value.as_str().expect("all fields are strings").digest(into);
            }
        }
    }
}
