//! LZ4 blocks, alone: what a chunk costs beside its strings.

use super::documents::documents;
use crate::digest::{Digest, Digester};
use crate::registry::Registry;
use lucene_io::DataOutput;
use lucene_io::lz4::{self, Compressor};
use lucene_io::stored::Compression;
use lz4_flex::block::{
    CompressTable, compress_into_with_table, decompress_into, get_maximum_output_size,
};

const ROOM: &str = "there is room";
const CHUNK: usize = 16 << 10;

pub(super) fn register(registry: &mut Registry) {
    use Compression::{Fast, LuceneExact};
    type Make = fn() -> Vec<u8>;
    for (name, make, compression) in [
        ("lucene-io/lz4-compress/guid-16-kib-exact", guids as Make, LuceneExact),
        ("lucene-io/lz4-compress/guid-16-kib-fast", guids, Fast),
        ("lucene-io/lz4-compress/text-16-kib-exact", prose, LuceneExact),
        ("lucene-io/lz4-compress/text-16-kib-fast", prose, Fast),
    ] {
        registry
            .case(name, make)
            .stateful(
                "after",
                move |_| (Compressor::new(compression), Vec::new()),
                |(compressor, out): &mut (Compressor, Vec<u8>), chunk, sink| {
                    out.clear();
                    compressor.compress(chunk, out).expect(ROOM);
                    sink.see(&Block(out));
                },
            )
            .stateful(
                "lz4_flex",
                |chunk| (CompressTable::small(), vec![0; get_maximum_output_size(chunk.len())]),
                |(table, out), chunk, sink| {
                    let len = compress_into_with_table(chunk, out, table).expect(ROOM);
                    sink.see(&Block(&out[..len]));
                },
            );
    }
    for (name, make) in [
        ("lucene-io/lz4-decompress/guid-16-kib", guids as Make),
        ("lucene-io/lz4-decompress/text-16-kib", prose),
    ] {
        registry
            .case(name, move || {
                let mut block = Vec::new();
                Compressor::new(LuceneExact).compress(&make(), &mut block).expect(ROOM);
                block
            })
            .stateful(
                "after",
                |_| Vec::new(),
                |out: &mut Vec<u8>, block, sink| {
                    out.clear();
                    lz4::decompress(block, CHUNK, out).expect("it is whole");
                    sink.see(out);
                },
            )
            .stateful(
                "lz4_flex",
                |_| vec![0; CHUNK],
                |out, block, sink| {
                    let len = decompress_into(block, out).expect("it is whole");
                    sink.see(&out[..len]);
                },
            );
    }
}

/// A block is digested as what it holds: compressors differ in their bytes.
struct Block<'a>(&'a [u8]);

impl Digest for Block<'_> {
    fn digest(&self, into: &mut Digester) {
        let mut out = Vec::new();
        lz4::decompress(self.0, CHUNK, &mut out).expect("it is whole");
        into.value(&out);
    }
}

/// Documents of GUIDs as they lie in a chunk.
fn guids() -> Vec<u8> {
    let documents = documents(5);
    let mut chunk = Vec::new();
    for fields in documents.texts() {
        for (number, (_, text)) in (0..).zip(fields) {
            chunk.write_vlong(number << 3).expect(ROOM);
            chunk.write_string(text).expect(ROOM);
        }
    }
    chunk.truncate(CHUNK);
    chunk
}

/// Words of a small vocabulary, the common ones often: LZ4 leaves seven tenths of it.
fn prose() -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(41);
    let words: Vec<String> =
        (0..2000).map(|_| (0..random.usize(2..10)).map(|_| random.lowercase()).collect()).collect();
    let mut text = Vec::new();
    while text.len() < CHUNK {
        // The square of an even distribution has its weight at the front.
        let at = random.f64().powi(3) * words.len() as f64;
        text.extend_from_slice(words[at as usize].as_bytes());
        text.push(if random.u8(..12) == 0 { b'.' } else { b' ' });
    }
    text.truncate(CHUNK);
    text
}
