//! `LuceneExact` against the blocks that Java Lucene 4.10 wrote.

use crate::{compress, inputs};
use lucene_io::lz4::{self, Compression, Compressor};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
    made: Made,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    bytes: String,
    block: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    blocks: Vec<(String, u64, usize, usize, String)>,
}

fn file() -> File {
    toml::from_str(include_str!("../data/lz4_java.toml")).expect("the vectors")
}

fn unhex(text: &str) -> Vec<u8> {
    text.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

#[test]
fn the_same_bytes() {
    let cases = file().case;
    assert_eq!(cases.len(), 26, "cases were lost");
    for Case { name, bytes, block } in cases {
        let (bytes, block) = (unhex(&bytes), unhex(&block));
        assert_eq!(compress(Compression::LuceneExact, &bytes), block, "{name}");
        let mut back = Vec::new();
        assert_eq!(lz4::decompress(&block, bytes.len(), &mut back).unwrap(), block.len(), "{name}");
        assert_eq!(back, bytes, "{name}");
    }
}

#[test]
fn the_same_checksums() {
    let blocks = file().made.blocks;
    assert_eq!(blocks.len(), 16 * inputs::KINDS.len(), "blocks were lost");
    // One for all: what it saw before must not show.
    let mut compressor = Compressor::new(Compression::LuceneExact);
    let mut again = Vec::new();
    for (kind, seed, len, compressed, crc) in blocks {
        let bytes = inputs::input(&kind, seed, len);
        again.clear();
        compressor.compress(&bytes, &mut again).unwrap();
        assert_eq!(again.len(), compressed, "{kind} {len}");
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&again);
        assert_eq!(format!("{:08x}", hasher.finalize()), crc, "{kind} {len}");
    }
}
