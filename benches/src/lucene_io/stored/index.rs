//! Documents into an index.

use super::nowhere::Nowhere;
use super::{SOUND, index_texts, index_units, lucene_net, see_all, write_units};
use crate::digest::{Digest, Digester};
use crate::lucene_io::before::{write_utf16, write_utf16_fixed};
use crate::lucene_io::documents::{Documents, documents};
use crate::registry::Registry;
use crate::subject::Sink;
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::Compression;
use lucene_io::{DataOutput, IndexOutput};

pub(super) fn register(registry: &mut Registry) {
    use Compression::{Fast, Literals, LuceneExact};
    for (name, count) in
        [("lucene-io/index-files/guid-200x100", 200), ("lucene-io/index-files/guid-2000x100", 2000)]
    {
        registry
            .case(name, move || corpus(count, LuceneExact))
            .variant("before", |corpus| Files(index_net(corpus, LuceneExact, write_utf16)))
            .variant("fix", |corpus| Files(index_net(corpus, LuceneExact, write_utf16_fixed)))
            .variant("after", |corpus| Files(index_units(&corpus.documents, LuceneExact)));
    }
    // Compressors may change their bytes, but for the one that has Lucene's.
    for (name, compression) in [
        ("lucene-io/index-files/guid-200x100-fast", Fast),
        ("lucene-io/index-files/guid-200x100-literals", Literals),
    ] {
        registry
            .case(name, move || corpus(200, compression))
            .variant("before", move |corpus| Recovered(index_net(corpus, compression, write_utf16)))
            .variant("fix", move |corpus| {
                Recovered(index_net(corpus, compression, write_utf16_fixed))
            })
            .variant("after", move |corpus| Recovered(index_units(&corpus.documents, compression)));
    }
    for (name, count) in [
        ("lucene-io/stored-writer/guid-200x100", 200),
        ("lucene-io/stored-writer/guid-2000x100", 2000),
    ] {
        registry
            .case(name, move || documents(count))
            .stateful(
                "before",
                |_| Nowhere::default(),
                |dir, documents, sink| {
                    write_net(dir, documents, LuceneExact, write_utf16);
                    sink.see(&dir.seen());
                },
            )
            .stateful(
                "fix",
                |_| Nowhere::default(),
                |dir, documents, sink| {
                    write_net(dir, documents, LuceneExact, write_utf16_fixed);
                    sink.see(&dir.seen());
                },
            )
            .stateful("after", |_| Nowhere::default(), write_nowhere);
    }
    registry.case("lucene-io/doc-store/write-2000x100", || documents(2000)).showing(
        "after",
        |documents, sink| {
            sink.see(&Recovered(index_texts(documents, Fast)));
        },
    );
}

/// The documents, and the files of their commit.
struct Corpus {
    documents: Documents,
    commit: Vec<(String, Vec<u8>)>,
}

fn corpus(count: usize, compression: Compression) -> Corpus {
    let documents = documents(count);
    let dir = index_units(&documents, compression);
    let names = dir.list_all().expect(SOUND).into_iter();
    let commit = names
        .filter(|name| !name.starts_with("_0.fd"))
        .map(|name| (name.clone(), dir.open_file(&name).expect(SOUND).as_slice().unwrap().to_vec()))
        .collect();
    Corpus { documents, commit }
}

/// All files of an index.
struct Files(RamDirectory);

impl Digest for Files {
    fn digest(&self, into: &mut Digester) {
        for name in self.0.list_all().expect(SOUND) {
            into.value(name.as_bytes());
            into.value(self.0.open_file(&name).expect(SOUND).as_slice().expect("it is in memory"));
        }
    }
}

/// The values of an index: what stores of other bytes can be compared by.
struct Recovered(RamDirectory);

impl Digest for Recovered {
    fn digest(&self, into: &mut Digester) {
        see_all(&self.0, |text| text.digest(into)).expect(SOUND);
    }
}

/// As Lucene.NET; the commit, which is not the story, is copied.
fn index_net(
    corpus: &Corpus,
    compression: Compression,
    write_string: impl Fn(&mut Vec<u8>, &[u16]),
) -> RamDirectory {
    let dir = RamDirectory::new();
    write_net(&dir, &corpus.documents, compression, write_string);
    for (name, bytes) in &corpus.commit {
        let mut out = dir.create_output(name).expect(SOUND);
        out.write_bytes(bytes).expect(SOUND);
        out.close().expect(SOUND);
    }
    dir
}

fn write_net<D: Directory>(
    dir: &D,
    documents: &Documents,
    compression: Compression,
    write_string: impl Fn(&mut Vec<u8>, &[u16]),
) {
    let mut writer = lucene_net::Writer::new(dir, compression, write_string);
    for fields in documents.units() {
        writer.document(fields.map(|(_, units)| units));
    }
    writer.finish();
}

fn write_nowhere(dir: &mut Nowhere, documents: &'static Documents, sink: &mut Sink) {
    write_units(dir, documents, Compression::LuceneExact).expect(SOUND);
    sink.see(&dir.seen());
}
