//! LZ4 blocks: the decoder against the slow one of the crate's tests, and round trips.

use super::files::Source;
use lucene_io::Error;
use lucene_io::lz4::{self, Compression, Compressor};

#[path = "../../../crates/lucene-io/tests/lz4/oracle.rs"]
mod oracle;

/// The first byte says which.
pub fn lz4(data: &[u8]) {
    let mut source = Source(data);
    match source.byte() % 3 {
        0 => {
            let (len, want) = (source.two() % 5000, source.two() % 5000);
            decode(source.0, len, want);
            // And where a sequence ends.
            if let Some((start, _)) = oracle::decode(source.0, 20_000, want) {
                decode(source.0, start.len(), want);
            }
        }
        1 => round_trip(source.0),
        _ => {
            // Long repetitions, from few bytes.
            let mut bytes = Vec::new();
            while !source.is_empty() && bytes.len() < 20_000 {
                let how = source.byte();
                let n = usize::from(how >> 2) * if how & 2 == 0 { 1 } else { 64 };
                if how & 1 == 0 || bytes.is_empty() {
                    bytes.extend_from_slice(source.take(n % 100));
                } else {
                    let from = bytes.len() - 1 - source.two() % bytes.len();
                    (from..from + n).for_each(|i| bytes.push(bytes[i]));
                }
            }
            round_trip(&bytes);
        }
    }
}

fn decode(block: &[u8], len: usize, want: usize) {
    let expected = oracle::decode(block, len, len);
    let mut memory = vec![0xAA; len];
    let used = lz4::decompress_into(block, &mut memory).ok();
    assert_eq!(used.map(|used| (memory, used)), expected);
    let mut back = b"before".to_vec();
    match lz4::decompress(block, len, &mut back) {
        Ok(used) => assert_eq!((back.split_off(6), used), expected.expect("an error")),
        Err(Error::Corrupt { .. }) => assert!(expected.is_none()),
        Err(other) => panic!("{other}"),
    }
    assert_eq!(back, b"before");

    let expected = oracle::decode(block, len, want).filter(|_| want <= len);
    match lz4::decompress_prefix(block, len, want, &mut back) {
        Ok(()) => assert_eq!(back.split_off(6), expected.expect("an error").0),
        Err(Error::Corrupt { .. }) => assert!(expected.is_none()),
        Err(other) => panic!("{other}"),
    }
    assert_eq!(back, b"before");
}

fn round_trip(bytes: &[u8]) {
    for compression in [Compression::LuceneExact, Compression::Fast, Compression::Literals] {
        let mut block = Vec::new();
        let mut compressor = Compressor::new(compression);
        compressor.compress(bytes, &mut block).expect("short");
        assert_eq!(
            oracle::decode(&block, bytes.len(), bytes.len()),
            Some((bytes.to_vec(), block.len()))
        );
        decode(&block, bytes.len(), bytes.len() / 2);
        let sequences = oracle::sequences(&block);
        let (last, others) = sequences.split_last().expect("one at least");
        assert!(last.of_match.is_none());
        assert!(others.is_empty() || last.literals >= 5);
        assert!(others.iter().all(|sequence| sequence.of_match.is_some()));
        // What it has seen leaves no trace.
        let half = &bytes[bytes.len() / 2..];
        let (mut again, mut new) = (Vec::new(), Vec::new());
        compressor.compress(half, &mut again).expect("short");
        Compressor::new(compression).compress(half, &mut new).expect("short");
        assert_eq!(again, new);
    }
}
