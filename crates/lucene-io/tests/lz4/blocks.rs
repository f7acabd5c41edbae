//! Whole blocks: all three encoders, read back here, by the slow decoder and by another library.

use crate::inputs::{KINDS, Random, input};
use crate::oracle::{self, Sequence};
use crate::{ALL, compress};
use lucene_io::lz4::{self, Compression, Compressor};
use proptest::prelude::*;

/// Everything that must hold of what an encoder makes of `bytes`.
fn check(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    let label = format!("{compression:?} of {} bytes", bytes.len());
    let block = compress(compression, bytes);
    assert_eq!(
        oracle::decode(&block, bytes.len(), bytes.len()).as_ref(),
        Some(&(bytes.to_vec(), block.len())),
        "{label}"
    );
    // What follows a block is another's.
    for behind in [&b""[..], b"\xFF\xFF\xFF\xFF", &[0x1F; 100]] {
        let longer = [&block, behind].concat();
        let mut back = b"before".to_vec();
        assert_eq!(lz4::decompress(&longer, bytes.len(), &mut back).unwrap(), block.len());
        assert_eq!((&back[..6], &back[6..]), (&b"before"[..], bytes), "{label}");
        let mut memory = vec![0xAA; bytes.len()];
        assert_eq!(lz4::decompress_into(&longer, &mut memory).unwrap(), block.len(), "{label}");
        assert_eq!(memory, bytes, "{label}");
    }
    rules(compression, bytes, &block);
    block
}

/// After `AbstractTestLZ4CompressionMode`, and the rules of the LZ4 library for the end of a block.
fn rules(compression: Compression, bytes: &[u8], block: &[u8]) {
    let sequences = oracle::sequences(block);
    let (last, others) = sequences.split_last().expect("a last one");
    assert!(last.of_match.is_none(), "it ends with literals");
    assert!(others.is_empty() || last.literals >= 5, "at least 5 of them");
    let nearest = if compression == Compression::Fast { 12 } else { 10 };
    let mut at = 0;
    for (i, Sequence { literals, of_match }) in sequences.iter().enumerate() {
        at += literals;
        let Some((offset, len)) = *of_match else { continue };
        assert!((1..=at).contains(&offset));
        assert!(bytes.len() - at >= nearest, "a match {} bytes before the end", bytes.len() - at);
        at += len;
        // A match that could go on must not be followed by literals.
        if at < bytes.len() - 5 && bytes[at] == bytes[at - offset] {
            assert_eq!(sequences[i + 1].literals, 0);
        }
    }
    assert_eq!(at, bytes.len());
}

fn other_library(block: &[u8], bytes: &[u8]) {
    let mut back = vec![0; bytes.len()];
    let n = lz4_flex::block::decompress_into(block, &mut back).unwrap();
    assert_eq!((n, back.as_slice()), (bytes.len(), bytes));
}

#[test]
fn every_kind_and_short_length() {
    for (seed, kind) in KINDS.into_iter().enumerate() {
        for len in (0..200).chain([255, 256, 269, 270, 271, 524, 525, 526, 1000, 4096, 16_384]) {
            let bytes = input(kind, (seed * 1000 + len) as u64, len);
            for compression in ALL {
                let block = check(compression, &bytes);
                other_library(&block, &bytes);
            }
        }
    }
}

#[test]
fn around_64_kib_and_above() {
    for (seed, kind) in KINDS.into_iter().enumerate() {
        for len in [65_530, 65_535, 65_536, 65_537, 65_540, 65_541, 65_545, 65_550, 200_000] {
            let bytes = input(kind, (seed * 1000 + len) as u64, len);
            for compression in ALL {
                let block = check(compression, &bytes);
                other_library(&block, &bytes);
                assert!(
                    kind != "zeros" || compression == Compression::Literals || block.len() < 900
                );
            }
        }
    }
}

#[test]
fn the_farthest_match() {
    for gap in [65_533, 65_534, 65_535, 65_536, 65_537] {
        let mut bytes = b"a far match that is found again".to_vec();
        // Zeros, for other bytes would take the slots of the table.
        bytes.resize(gap, 0);
        bytes.extend_from_slice(b"a far match that is found again, or not");
        for compression in [Compression::LuceneExact, Compression::Fast] {
            let block = check(compression, &bytes);
            let mut far = oracle::sequences(&block).into_iter().filter_map(|s| s.of_match);
            let found = far.any(|(offset, len)| offset == gap && len > 20);
            assert_eq!(found, gap <= 65_535, "{compression:?} {gap}");
        }
    }
}

/// A compressor that has seen other blocks writes what a new one does, whatever their lengths: its
/// table is not cleared between them.
#[test]
fn blocks_leave_no_trace() {
    let mut random = Random::new(11);
    let mut reused = ALL.map(Compressor::new);
    for _ in 0..600 {
        let kind = KINDS[random.below(KINDS.len())];
        let most = [30, 300, 20_000, 70_000][random.below(4)];
        let bytes = input(kind, u64::from(random.next()), random.below(most));
        for (compressor, compression) in reused.iter_mut().zip(ALL) {
            let mut block = Vec::new();
            compressor.compress(&bytes, &mut block).unwrap();
            assert_eq!(block, compress(compression, &bytes), "{compression:?} {kind}");
        }
    }
}

#[test]
fn test_partial_decompress() {
    for (seed, kind) in KINDS.into_iter().enumerate() {
        let bytes = input(kind, seed as u64, 3000);
        for compression in ALL {
            let block = compress(compression, &bytes);
            for want in (0..300).chain((300..=3000).step_by(47)).chain([2995, 3000]) {
                let (expected, _) = oracle::decode(&block, 3000, want).unwrap();
                let mut start = b"before".to_vec();
                lz4::decompress_prefix(&block, 3000, want, &mut start).unwrap();
                assert_eq!(&start[..6], b"before");
                assert_eq!(&start[6..], &expected);
                assert!(expected.len() >= want && bytes.starts_with(&expected));
                let mut memory = vec![0; 3000];
                let n = lz4::decompress_prefix_into(&block, &mut memory, want).unwrap();
                assert_eq!(&memory[..n], &expected);
                // And it needs nothing of the block behind that.
                let (_, used) = oracle::decode(&block, 3000, want).unwrap();
                start.clear();
                lz4::decompress_prefix(&block[..used], 3000, want, &mut start).unwrap();
                assert_eq!(start, expected);
            }
        }
    }
}

#[test]
fn sizes() {
    let size = |compression, kind| compress(compression, &input(kind, 5, 16_384)).len();
    // Incompressible: a token, its length, the bytes.
    for compression in ALL {
        assert_eq!(size(compression, "random"), 16_384 + 1 + 65);
    }
    assert_eq!(size(Compression::Literals, "zeros"), 16_384 + 1 + 65);
    for kind in ["words", "letters", "bits", "mixed"] {
        let (exact, fast) = (size(Compression::LuceneExact, kind), size(Compression::Fast, kind));
        assert!(fast < exact * 11 / 10 && fast < 14_000, "{kind}: {fast} and {exact} bytes");
    }
}

/// Bytes with something to find in them.
fn compressible() -> impl Strategy<Value = Vec<u8>> {
    let piece = (0_u8..4, any::<u64>(), 0_usize..400);
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| {
        let mut bytes = Vec::new();
        for (kind, seed, len) in pieces {
            if kind == 0 && !bytes.is_empty() {
                let from = seed as usize % bytes.len();
                (from..from + len).for_each(|i| bytes.push(bytes[i]));
            } else {
                let kinds = ["random", "letters", "zeros", "words"];
                bytes.extend(input(kinds[usize::from(kind)], seed, len));
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn round_trip(bytes in compressible()) {
        for compression in ALL {
            let block = check(compression, &bytes);
            other_library(&block, &bytes);
        }
    }

    #[test]
    fn the_other_librarys_blocks(bytes in compressible()) {
        let block = lz4_flex::block::compress(&bytes);
        let mut back = Vec::new();
        prop_assert_eq!(lz4::decompress(&block, bytes.len(), &mut back).unwrap(), block.len());
        prop_assert_eq!(back, bytes);
    }
}
