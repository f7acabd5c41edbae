//! LZ4 blocks: against what Java wrote, against a slow decoder, against another library, damaged.

mod blocks;
mod damaged;
mod inputs;
mod java;
mod oracle;

use lucene_io::lz4::{Compression, Compressor};

const ALL: [Compression; 3] = [Compression::LuceneExact, Compression::Fast, Compression::Literals];

fn compress(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    let mut block = b"before".to_vec();
    Compressor::new(compression).compress(bytes, &mut block).unwrap();
    assert_eq!(&block[..6], b"before");
    block.split_off(6)
}
