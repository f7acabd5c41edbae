//! Public reports that concern stored fields, each under its name. Others of them are in
//! `damage`, `hostile` and `versions`.

use super::files::{copy, get, put, put_chunk};
use super::model::{Doc, Owned, Rng, doc, open, read_all, visit, write};
use lucene_io::Error;
use lucene_io::index::{self, Target};
use lucene_io::store::RamDirectory;
use lucene_io::stored::{Compression, Reader, Verify, Writer};

fn sample() -> RamDirectory {
    write(&Rng(20).docs(300, 6, 50), Compression::LuceneExact)
}

/// lucenenet#1276: a match of offset 0 is an error, and not what the buffer held before.
#[test]
fn lucenenet_1276_match_of_offset_0() {
    let dir = write(&[doc([("f", "x")])], Compression::LuceneExact);
    let mut chunk = vec![0, 1, 1, 18];
    chunk.extend_from_slice(&[0x0E, 0, 0, 0x70, 0, 0, 0, 0, 0, 0, 0]);
    put_chunk(&dir, &chunk);
    let mut reader = Reader::open(&dir, "_0", Verify::OnOpen).unwrap();
    assert!(matches!(visit(&mut reader, 0), Err(Error::Corrupt { file: "LZ4 block", .. })));
}

/// lucene#16479 and #16480: the other side of it, a file that is whole stays readable after one that is not.
#[test]
fn lucene_16479_an_error_does_not_stay() {
    let docs = Rng(21).docs(500, 6, 50);
    let dir = write(&docs, Compression::LuceneExact);
    let mut damaged = get(&dir, "_0.fdt");
    // In the second chunk.
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let other = copy(&dir);
    put(&other, "_0.fdt", &damaged);
    let mut reader = Reader::open(&other, "_0", Verify::Lazy).unwrap();
    let read: Vec<_> = (0..500).map(|id| visit(&mut reader, id).ok()).collect();
    let wrong = read.iter().zip(&docs).filter(|(read, doc)| read.as_ref() != Some(doc)).count();
    assert!(wrong <= 128, "no more than a chunk is lost: {wrong}");
    assert_eq!(read[0].as_ref(), Some(&docs[0]));
    assert_eq!(read[499].as_ref(), Some(&docs[499]));
}

/// tantivy#758: a file of a few bytes, whose end would be a footer.
#[test]
fn tantivy_758_short_files() {
    let dir = sample();
    for name in ["_0.fdt", "_0.fdx"] {
        for bytes in [&b""[..], b"\xFF", &[0xFF; 15], &[0xFF; 16], &[0xFF; 100]] {
            let other = copy(&dir);
            put(&other, name, bytes);
            let opened = Reader::open(&other, "_0", Verify::OnOpen);
            assert!(matches!(
                opened,
                Err(Error::Truncated | Error::FooterMismatch | Error::HeaderMismatch)
            ));
        }
    }
}

/// LUCENE-7822: what a parser stumbles over is told as a wrong checksum.
#[test]
fn lucene_7822_the_checksum_is_the_cause() {
    let dir = sample();
    for name in ["_0.fdt", "_0.fdx"] {
        // The magic, the name and the version of the header, and the first bytes behind it.
        for at in 0..45 {
            let mut damaged = get(&dir, name);
            damaged[at] ^= 0xFF;
            let other = copy(&dir);
            put(&other, name, &damaged);
            let opened = Reader::open(&other, "_0", Verify::OnOpen);
            assert!(matches!(opened, Err(Error::ChecksumMismatch { .. })), "{name} {at}");
        }
    }
}

/// LUCENE-9396: a byte more or less is told as such.
#[test]
fn lucene_9396_a_byte_more_or_less() {
    let dir = sample();
    let whole = get(&dir, "_0.fdt");
    for verify in [Verify::OnOpen, Verify::Lazy] {
        let other = copy(&dir);
        put(&other, "_0.fdt", &whole[..whole.len() - 1]);
        assert!(matches!(Reader::open(&other, "_0", verify), Err(Error::Truncated)));
        put(&other, "_0.fdt", &[&whole[..], &[0]].concat());
        let longer = Reader::open(&other, "_0", verify);
        assert!(matches!(longer, Err(Error::Corrupt { file: "stored fields", .. })));
    }
}

/// elasticsearch#13923: the checksum in the footer has 8 bytes, of which the first four are 0.
#[test]
fn elasticsearch_13923_a_checksum_above_32_bits() {
    let dir = sample();
    for name in ["_0.fdt", "_0.fdx"] {
        let mut damaged = get(&dir, name);
        let at = damaged.len() - 8;
        assert_eq!(damaged[at..at + 4], [0; 4]);
        damaged[at] = 1;
        let other = copy(&dir);
        put(&other, name, &damaged);
        let opened = Reader::open(&other, "_0", Verify::OnOpen);
        assert!(matches!(opened, Err(Error::Corrupt { file: "codec footer", .. })), "{name}");
    }
}

/// lucene#16553: documents that were begun and never ended are not counted in silence.
#[test]
fn lucene_16553_a_document_without_an_end() {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::LuceneExact).unwrap();
    writer.start_document().unwrap().end().unwrap();
    writer.start_document().unwrap().string("f", "x");
    assert!(matches!(writer.finish(), Err(Error::OpenDocument)));
}

/// tantivy#1552 and #1569: documents without fields still make chunks, of 128.
#[test]
fn tantivy_1552_documents_without_fields() {
    let dir = write(&vec![Doc::new(); 1000], Compression::LuceneExact);
    let chunks = &get(&dir, "_0.fdt")[super::files::CHUNKS..];
    // Base 0, 128 documents, all of 0 fields and 0 bytes, and a block of nothing.
    assert_eq!(chunks[..8], [0, 0x80, 1, 0, 0, 0, 0, 0]);
    // The next begins with base 128; the last of 8 has 104.
    assert_eq!(chunks[8..12], [0x80, 1, 0x80, 1]);
    assert_eq!(chunks.len() - 16, 8 + 6 * 9 + 8);
    assert_eq!(read_all(&mut open(&dir)).unwrap(), vec![Doc::new(); 1000]);
}

/// mosuka/laurus#548: fields behind one of bytes.
#[test]
fn laurus_548_fields_behind_bytes() {
    let mut fields = Doc::new();
    for i in 0..10 {
        fields.push(("bytes".into(), Owned::Bytes(vec![i; usize::from(i) * 30])));
        fields.push(("text".into(), Owned::from("behind")));
    }
    let dir = write(&[fields.clone(), fields.clone()], Compression::LuceneExact);
    assert_eq!(read_all(&mut open(&dir)).unwrap(), [fields.clone(), fields]);
}

/// lucenenet#1207, the seed: lone surrogates are replaced, on the way in from UTF-16.
#[test]
fn lucenenet_1207_lone_surrogates() {
    let dir = RamDirectory::new();
    let mut writer = Writer::create(&dir, "_0", Compression::LuceneExact).unwrap();
    let one = writer.start_document().unwrap();
    one.utf16("f", &[0xDE00, 0xD83D]).utf16("f", &[0xD83D, 0xD83D, 0xDE42]);
    one.utf16("f", &[]).utf16("f", &[0xFFFF, 0, 0xE9]).end().unwrap();
    index::write_commit(&dir, &[writer.finish().unwrap()], Target::Lucene410).unwrap();
    let fields = ["\u{FFFD}\u{FFFD}", "\u{FFFD}🙂", "", "\u{FFFF}\0é"].map(|text| ("f", text));
    assert_eq!(read_all(&mut open(&dir)).unwrap(), [doc(fields)]);
}
