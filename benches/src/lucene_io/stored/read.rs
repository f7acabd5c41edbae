//! Documents out of an index.

use super::{SOUND, index_units, lucene_net, text};
use crate::lucene_io::documents::documents;
use crate::registry::Registry;
use crate::subject::Sink;
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Verify, Visit};

pub(super) fn register(registry: &mut Registry) {
    use Compression::{Fast, Literals, LuceneExact};
    for (name, count, compression) in [
        ("lucene-io/read-stored-fields/guid-200x100", 200, LuceneExact),
        ("lucene-io/read-stored-fields/guid-2000x100", 2000, LuceneExact),
        ("lucene-io/read-stored-fields/guid-200x100-fast", 200, Fast),
        ("lucene-io/read-stored-fields/guid-200x100-literals", 200, Literals),
    ] {
        registry
            .case(name, move || index(count, compression))
            .stateful("before", net, net_documents)
            .stateful("fix", net, net_documents)
            .stateful("after", opened, visits);
    }
    for (name, count) in [
        ("lucene-io/read-documents/guid-200x100", 200),
        ("lucene-io/read-documents/guid-2000x100", 2000),
        // As many here and there, of 2000.
        ("lucene-io/fetch/one-by-one-100", 100),
    ] {
        registry
            .case(name, move || if count == 100 { scattered() } else { index(count, LuceneExact) })
            .stateful("before", net, net_documents)
            .stateful("after", opened, owned);
    }
    registry
        .case("lucene-io/fetch/visited-100", scattered)
        .stateful("before", net, net_documents)
        .stateful("after", opened, visits);
    registry
        .case("lucene-io/fetch/batch-100", scattered)
        .stateful("before", net, net_documents)
        .stateful("after", opened, batch);
    registry
        .case("lucene-io/open/verified", || index(2000, LuceneExact))
        .variant("after", |index| {
            Reader::open(&index.dir, "_0", Verify::OnOpen).expect(SOUND).doc_count()
        })
        .variant("crc32fast", |index| {
            // The limit: the bytes that there are, hashed.
            let hash = index.files.iter().fold(0, |all, file| all ^ crc32fast::hash(file));
            std::hint::black_box(hash);
            index.docs.len() as u32
        });
    registry.case("lucene-io/open/lazy", || index(2000, LuceneExact)).variant("after", |index| {
        Reader::open(&index.dir, "_0", Verify::Lazy).expect(SOUND).doc_count()
    });
}

/// An index, and the documents to read.
struct Index {
    dir: RamDirectory,
    files: Vec<Vec<u8>>,
    docs: Vec<u32>,
}

fn index(count: usize, compression: Compression) -> Index {
    let dir = index_units(&documents(count), compression).expect(SOUND);
    let names = dir.list_all().expect(SOUND);
    let files = names
        .iter()
        .filter(|name| name.starts_with("_0."))
        .map(|name| {
            let file = dir.open_file(name).expect(SOUND);
            file.as_slice().expect("it is in memory").to_vec()
        })
        .collect();
    Index { dir, files, docs: (0..count as u32).collect() }
}

/// 100 documents of 2000, in no order.
fn scattered() -> Index {
    let mut index = index(2000, Compression::LuceneExact);
    fastrand::Rng::with_seed(100).shuffle(&mut index.docs);
    index.docs.truncate(100);
    index
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
