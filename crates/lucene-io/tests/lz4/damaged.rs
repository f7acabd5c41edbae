//! Blocks that are none, and blocks of hostile make.

use crate::inputs::{KINDS, Random, input};
use crate::{ALL, compress, oracle};
use lucene_io::{Error, lz4};
use proptest::prelude::*;

/// Decodes as every entry does, and holds it against the slow decoder.
fn check(block: &[u8], len: usize, want: usize) {
    let expected = oracle::decode(block, len, len);
    let mut back = b"before".to_vec();
    match (lz4::decompress(block, len, &mut back), &expected) {
        (Ok(used), Some((bytes, all))) => {
            assert_eq!((&back[6..], used), (&bytes[..], *all));
        }
        (Err(Error::Corrupt { file: "LZ4 block", .. }), None) => assert_eq!(back, b"before"),
        (result, _) => panic!("{result:?}, not {expected:?}: {block:02x?}, {len} bytes"),
    }
    let mut memory = vec![0xAA; len];
    let used = lz4::decompress_into(block, &mut memory).ok();
    assert_eq!(used.map(|used| (memory, used)), expected);

    let expected = oracle::decode(block, len, want).filter(|_| want <= len);
    let mut back = b"before".to_vec();
    match (lz4::decompress_prefix(block, len, want, &mut back), &expected) {
        (Ok(()), Some((bytes, _))) => assert_eq!(back[6..], bytes[..]),
        (Err(Error::Corrupt { file: "LZ4 block", .. }), None) => assert_eq!(back, b"before"),
        (result, _) => panic!("{result:?}, not {expected:?}: {block:02x?}, {want} of {len} bytes"),
    }
}

fn refused(block: &[u8], len: usize) {
    check(block, len, len);
    lz4::decompress(block, len, &mut Vec::new()).unwrap_err();
}

fn is(block: &[u8], bytes: &[u8]) {
    check(block, bytes.len(), bytes.len());
    let mut back = Vec::new();
    assert_eq!(lz4::decompress(block, bytes.len(), &mut back).unwrap(), block.len());
    assert_eq!(back, bytes);
}

/// lucenenet#1276 and #1310, lucene#15570 and CVE-2025-66566's kin: an offset of 0 must never show what the
/// memory held before.
#[test]
fn test_decompress_offset_0() {
    refused(b"\x0e\x00\x00\x70\x00\x00\x00\x00\x00\x00\x00", 18);
    refused(b"\x0e\x00\x00\x70\x00\x00\x00\x00\x00\x00\x00", 25);
    // And in the middle, near and far from the ends.
    refused(b"\x10a\x00\x00\x50bcdef", 10);
    refused(&[&b"\x40abcd\x00\x00\xf0\x64"[..], &[b'x'; 200]].concat(), 123);
}

/// lz4#1495, lz4#183 and hyparquet-compressors#1.
#[test]
fn a_match_near_the_end_is_read() {
    is(b"\x1f\x00\x01\x00\x07\x50\x00\x00\x00\x00\x00", &[0; 32]);
    // As Lucene does: the end is where the length is reached, without literals too.
    is(b"\x10a\x01\x00", b"aaaaa");
    assert_eq!(lz4::decompress(b"\x10a\x01\x00\x00", 5, &mut Vec::new()).unwrap(), 4);
    is(b"\x00", b"");
    is(b"\x20ab\x02\x00\x10c", b"abababc");
}

#[test]
fn before_the_beginning() {
    refused(b"\x00\x01\x00", 4);
    refused(b"\x10a\x02\x00\x50bcdef", 10);
    refused(b"\x10a\xff\xff\x50bcdef", 10);
    refused(&[&b"\x40abcd\x05\x00\xf0\x64"[..], &[b'x'; 200]].concat(), 123);
    is(
        &[&b"\x40abcd\x04\x00\xf0\x64"[..], &[b'x'; 115]].concat(),
        &[&b"abcdabcd"[..], &[b'x'; 115]].concat(),
    );
}

#[test]
fn another_length() {
    let bytes = input("words", 3, 500);
    for compression in ALL {
        let block = compress(compression, &bytes);
        for len in (0..700).filter(|&len| len != 500) {
            check(&block, len, len / 2);
        }
        refused(&block, 499);
        refused(&block, 501);
        refused(&block, 0);
    }
}

#[test]
fn cut_short() {
    for (seed, kind) in KINDS.into_iter().enumerate() {
        let bytes = input(kind, seed as u64, 400);
        for compression in ALL {
            let block = compress(compression, &bytes);
            for end in 0..block.len() {
                check(&block[..end], 400, end);
                lz4::decompress(&block[..end], 400, &mut Vec::new()).unwrap_err();
            }
        }
    }
}

/// lucene#1847 (LUCENE-772): in bounded time, and without memory for what cannot be there.
#[test]
fn lengths_that_run_away() {
    let mut literals = vec![0xFF; 1 << 20];
    refused(&literals, 100);
    literals[0] = 0xF0;
    refused(&literals, 1 << 20);
    let mut of_match = b"\x1fa\x01\x00".to_vec();
    of_match.resize(1 << 20, 0xFF);
    refused(&of_match, 100);
    // 255 bytes a byte: as much as there can be, and one more.
    of_match.truncate(300);
    of_match.extend_from_slice(b"\x00");
    is(&of_match, &[b'a'; 1 + 19 + 296 * 255]);
    refused(&of_match, 1 + 19 + 296 * 255 + 1);
    for len in [1 << 40, usize::MAX] {
        for block in [&b""[..], b"\x00", b"\x1fa\x01\x00\xff\xff\xff\xff", &literals] {
            let mut into = Vec::new();
            lz4::decompress(block, len, &mut into).unwrap_err();
            lz4::decompress_prefix(block, len, len, &mut into).unwrap_err();
            assert_eq!(into.capacity(), 0, "nothing is reserved for a promise");
        }
    }
    let mut start = Vec::new();
    lz4::decompress_prefix(b"\x20ab\x01\x00", usize::MAX, 2, &mut start).unwrap();
    assert_eq!(start, b"ab");
    assert!(start.capacity() <= 5 * 255);
}

#[test]
fn every_offset_and_length() {
    for offset in 1..40 {
        for len in (4..40).chain([50, 64, 65, 100, 272, 273, 274, 275, 600]) {
            // Enough behind it for the fast way, and not enough.
            for behind in [0, 5, 100] {
                let mut block = vec![0xF0 | (len - 4).min(15) as u8, 40 - 15];
                block.extend(input("random", offset as u64, 40));
                block.extend_from_slice(&(offset as u16).to_le_bytes());
                if len >= 19 {
                    block.extend(std::iter::repeat_n(255, (len - 19) / 255));
                    block.push(((len - 19) % 255) as u8);
                }
                // A sequence of its own in front of the end.
                block.extend_from_slice(&[0x10, 7, 3, 0]);
                block.extend_from_slice(&[0x20, 1, 2, 9, 0]);
                block.push((behind.min(15) << 4) as u8);
                if behind >= 15 {
                    block.push((behind - 15) as u8);
                }
                block.extend(std::iter::repeat_n(b'z', behind));
                let all = 40 + len + 5 + 6 + behind;
                check(&block, all, 41);
                assert!(oracle::decode(&block, all, all).is_some());
            }
        }
    }
}

#[test]
fn a_byte_or_bit_changed() {
    let mut random = Random::new(5);
    for (seed, kind) in KINDS.into_iter().enumerate() {
        let bytes = input(kind, seed as u64, 300);
        for compression in ALL {
            let mut block = compress(compression, &bytes);
            for at in 0..block.len() {
                let was = block[at];
                for change in [1, 0x10, 0x80, 0xFF, random.next() as u8] {
                    block[at] = was ^ change;
                    check(&block, 300, random.below(302));
                }
                block[at] = was;
            }
        }
    }
}

/// Tokens, lengths and offsets of a plausible make, and then any bytes.
fn plausible() -> impl Strategy<Value = Vec<u8>> {
    let sequence = (any::<u8>(), 0_u16..60, proptest::collection::vec(any::<u8>(), 0..40));
    proptest::collection::vec(sequence, 0..20).prop_map(|sequences| {
        let mut block = Vec::new();
        for (token, offset, bytes) in sequences {
            let literals = bytes.len().min(usize::from(token >> 4));
            block.push((literals << 4) as u8 | token & 15);
            if literals == 15 {
                block.push((bytes.len() - 15) as u8);
                block.extend_from_slice(&bytes);
            } else {
                block.extend_from_slice(&bytes[..literals]);
            }
            block.extend_from_slice(&offset.to_le_bytes());
            if token & 15 == 15 {
                block.push(token);
            }
        }
        block
    })
}

proptest! {
    #[test]
    fn any_bytes(block in proptest::collection::vec(any::<u8>(), 0..300), len in 0_usize..2000, want in 0_usize..2000) {
        check(&block, len, want);
    }

    #[test]
    fn any_sequences(block in plausible(), len in 0_usize..2000, want in 0_usize..1000) {
        check(&block, len, want);
        // Ends where one does.
        if let Some((start, _)) = oracle::decode(&block, usize::MAX, want) {
            check(&block, start.len(), want);
        }
    }
}
