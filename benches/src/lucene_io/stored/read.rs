//! Documents out of an index.

use super::{SOUND, index_units, lucene_net, text};
use crate::lucene_io::documents::{documents, documents_of};
use crate::registry::Registry;
use crate::subject::Sink;
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Verify, Visit};
use std::hint::black_box;
use std::sync::OnceLock;

pub(super) fn register(registry: &mut Registry) {
    use Compression::{Fast, Literals, LuceneExact};
    for (name, count, compression) in [
        ("lucene-io/read-stored-fields/guid-200x100", 200, LuceneExact),
        ("lucene-io/read-stored-fields/guid-2000x100", 2000, LuceneExact),
        ("lucene-io/read-stored-fields/guid-200x100-fast", 200, Fast),
        ("lucene-io/read-stored-fields/guid-200x100-literals", 200, Literals),
    ] {
        registry
            .case(name, move || if count == 2000 { all() } else { index(count, compression) })
            .stateful("before", net, net_documents)
            .stateful("fix", net, net_documents)
            .stateful("after", opened, visits);
    }
    for (name, make) in [
        ("lucene-io/read-documents/guid-200x100", (|| index(200, LuceneExact)) as fn() -> Index),
        ("lucene-io/read-documents/guid-2000x100", all),
        ("lucene-io/fetch/one-by-one-100x100", || scattered(large())),
        ("lucene-io/fetch/one-by-one-100x5", || scattered(small())),
    ] {
        registry
            .case(name, make)
            .stateful("before", net, net_documents)
            .stateful("after", opened, owned);
    }
    registry
        .case("lucene-io/fetch/visited-100x100", || scattered(large()))
        .stateful("before", net, net_documents)
        .stateful("after", opened, visits);
    registry
        .case("lucene-io/fetch/batch-100x5", || scattered(small()))
        .stateful("before", net, net_documents)
        .stateful("after", opened, batch);
    registry
        .case("lucene-io/open/verified", large)
        .variant("after", |dir| Reader::open(dir, "_0", Verify::OnOpen).expect(SOUND).doc_count())
        .variant("crc32fast", |dir| {
            // The limit: the bytes that there are, hashed.
            for name in ["_0.fdt", "_0.fdx", "_0.fnm", "_0.si"] {
                let file = dir.open_file(name).expect(SOUND);
                black_box(crc32fast::hash(file.as_slice().expect("it is in memory")));
            }
            2000_u32
        });
    registry
        .case("lucene-io/open/lazy", large)
        .variant("after", |dir| Reader::open(dir, "_0", Verify::Lazy).expect(SOUND).doc_count());
}

/// An index, and the documents to read.
struct Index {
    dir: RamDirectory,
    docs: Vec<u32>,
}

fn index(count: usize, compression: Compression) -> Index {
    Index { dir: index_units(&documents(count), compression), docs: (0..count as u32).collect() }
}

/// What most cases read, made once.
fn large() -> RamDirectory {
    static LARGE: OnceLock<RamDirectory> = OnceLock::new();
    LARGE.get_or_init(|| index(2000, Compression::LuceneExact).dir).clone()
}

/// All 2000 documents.
fn all() -> Index {
    Index { dir: large(), docs: (0..2000).collect() }
}

/// 2000 documents of 5 GUIDs: some 80 a chunk, and not 4.
fn small() -> RamDirectory {
    index_units(&documents_of(2000, 5), Compression::LuceneExact)
}

/// 100 documents of 2000, in no order.
fn scattered(dir: RamDirectory) -> Index {
    let mut docs: Vec<u32> = (0..2000).collect();
    fastrand::Rng::with_seed(100).shuffle(&mut docs);
    docs.truncate(100);
    Index { dir, docs }
}

fn net(index: &'static Index) -> lucene_net::Reader {
    lucene_net::Reader::open(&index.dir)
}

fn opened(index: &'static Index) -> Reader {
    Reader::open(&index.dir, "_0", Verify::OnOpen).expect(SOUND)
}

fn net_documents(reader: &mut lucene_net::Reader, index: &'static Index, sink: &mut Sink) {
    for &doc in &index.docs {
        for (_, text) in &reader.document(doc) {
            sink.see(text);
        }
    }
}

fn visits(reader: &mut Reader, index: &'static Index, sink: &mut Sink) {
    for &doc in &index.docs {
        reader
            .visit(doc, |field| {
                sink.see(text(&field));
                Visit::Next
            })
            .expect(SOUND);
    }
}

fn owned(reader: &mut Reader, index: &'static Index, sink: &mut Sink) {
    for &doc in &index.docs {
        for field in reader.document(doc).expect(SOUND).fields() {
            sink.see(text(&field));
        }
    }
}

fn batch(reader: &mut Reader, index: &'static Index, sink: &mut Sink) {
    for document in reader.documents(&index.docs).expect(SOUND) {
        for field in document.fields() {
            sink.see(text(&field));
        }
    }
}
