//! Chunks made by hand, with checksums that are right.

use super::files::{CHUNKS, INDEX, chunk_of_one, data, footed, get, put, put_chunk};
use super::kit::{Fs, Kind};
use super::model::{Doc, Owned, doc, open, read_all, visit, write};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::stored::{Compression, Reader, Value, Verify, Visit};
use lucene_io::{DataOutput, Error, codec};

/// A segment of so many documents with a field `f`, number 0, for its files to be replaced.
fn segment(docs: usize) -> RamDirectory {
    write(&vec![doc([("f", "x")]); docs], Compression::LuceneExact)
}

/// What reading all documents gives: the same from `document` and `documents`, and of files that do
/// not lie in memory.
fn read(dir: &RamDirectory) -> Result<Vec<Doc>, Error> {
    let files: Vec<_> =
        dir.list_all().unwrap().into_iter().map(|name| (get(dir, &name), name)).collect();
    let files: Vec<_> = files.iter().map(|(bytes, name)| (name.as_str(), &bytes[..])).collect();
    for verify in [Verify::OnOpen, Verify::Lazy] {
        Fs::with(&files, |folder| {
            let in_memory = read_from(dir, verify).map_err(|error| error.to_string());
            assert_eq!(in_memory, read_from(folder, verify).map_err(|error| error.to_string()));
        });
    }
    read_from(dir, Verify::OnOpen)
}

fn read_from<D: Directory>(dir: &D, verify: Verify) -> Result<Vec<Doc>, Error> {
    let mut reader = Reader::open(dir, "_0", verify)?;
    let read = read_all(&mut reader);
    let ids: Vec<u32> = (0..reader.doc_count()).rev().collect();
    assert_eq!(reader.documents(&ids).is_ok(), read.is_ok());
    read
}

fn read_chunk(docs: usize, chunk: &[u8]) -> Result<Vec<Doc>, Error> {
    let dir = segment(docs);
    put_chunk(&dir, chunk);
    read(&dir)
}

#[track_caller]
fn corrupt<T>(read: Result<T, Error>, part: &str) {
    match read {
        Err(Error::Corrupt { what, .. }) if what.contains(part) => {}
        Err(other) => panic!("{other}, not {part}"),
        Ok(_) => panic!("no error, not {part}"),
    }
}

#[test]
fn by_hand_is_what_the_writer_writes() {
    let dir = segment(1);
    let files = [get(&dir, "_0.fdt"), get(&dir, "_0.fdx")];
    put_chunk(&dir, &chunk_of_one(1, b"\x00\x01x"));
    assert_eq!([get(&dir, "_0.fdt"), get(&dir, "_0.fdx")], files);
}

/// LucenePlusPlus#215 and more: what a document can have wrong.
#[test]
fn documents() {
    let cases: [(i32, &[u8], &str); 12] = [
        (1, b"\x06\x01x", "unknown type"),
        (1, b"\x07\x01x", "unknown type"),
        (1, b"\x08\x01x", "field number"),
        (1, b"\xF8\xFF\xFF\xFF\x7F\x01x", "field number"),
        (1, b"\x80\x80\x80\x80\x80\x80\x80\x80\x7F\x01x", "field number"),
        (1, b"\x00\x01xy", "more bytes"),
        (1, b"\x00\x01x\x00\x01y", "more bytes"),
        (3, b"\x00\x01x\x00\x01y", "fewer bytes"),
        (1, b"\x00\x03xy", "fewer bytes"),
        (1, b"\x04\x00\x00\x00\x00\x00\x00\x00", "fewer bytes"),
        (0, b"\x00\x01x", "or the reverse"),
        (1, b"", "or the reverse"),
    ];
    for (fields, document, part) in cases {
        corrupt(read_chunk(1, &chunk_of_one(fields, document)), part);
    }
    let read = |document| read_chunk(1, &chunk_of_one(1, document)).unwrap_err();
    assert!(matches!(read(b"\x00\xFF\xFF\xFF\xFF\x0F"), Error::NegativeLength));
    assert!(matches!(read(b"\x00\xFF\xFF\xFF\xFF\x17"), Error::InvalidVInt { at: 1 }));
    let tag = b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01";
    assert!(matches!(read(tag), Error::InvalidVLong { at: 0 }));
}

/// A visitor that has enough does not see what is wrong behind.
#[test]
fn enough_is_enough() {
    let dir = segment(1);
    put_chunk(&dir, &chunk_of_one(2, b"\x00\x01x\x07"));
    let mut seen = 0;
    let stop = |_: lucene_io::stored::FieldRef<'_>| {
        seen += 1;
        Visit::Stop
    };
    open(&dir).visit(0, stop).unwrap();
    assert_eq!(seen, 1);
    corrupt(visit(&mut open(&dir), 0), "unknown type");
}

/// Java replaces what is not UTF-8; here it is an error unless asked for.
#[test]
fn text_that_is_not_utf8() {
    let dir = segment(1);
    put_chunk(&dir, &chunk_of_one(2, b"\x00\x03ok\xFF\x00\x02ok"));
    let mut reader = open(&dir);
    // The first bad byte, counted in the document.
    assert!(matches!(visit(&mut reader, 0), Err(Error::InvalidUtf8 { at: 4 })));
    assert!(matches!(reader.document(0), Err(Error::InvalidUtf8 { at: 4 })));
    reader.set_lossy(true);
    let fields = doc([("f", "ok\u{FFFD}"), ("f", "ok")]);
    assert_eq!(visit(&mut reader, 0).unwrap(), fields);
    assert_eq!(reader.document(0).unwrap().get("f"), Some(Value::String("ok\u{FFFD}")));
    // More text than bytes.
    put_chunk(&dir, &chunk_of_one(1, &[&b"\x00\x40"[..], &[0xFF; 64]].concat()));
    let mut reader = open(&dir);
    reader.set_lossy(true);
    let text = "\u{FFFD}".repeat(64);
    assert_eq!(reader.clone().document(0).unwrap().get("f"), Some(Value::String(&text)));
}

fn vints(values: &[i32]) -> Vec<u8> {
    let mut out = Vec::new();
    values.iter().for_each(|&value| out.write_vint(value).unwrap());
    out
}

#[test]
fn headers_of_chunks() {
    let two = |tail: &[i32]| vints(&[&[0, 2], tail].concat());
    // Base, count, fields (one for all), lengths (one for all), and a block of "\0\x01x" twice.
    let good = [two(&[0, 1, 0, 3]), b"\x60\x00\x01x\x00\x01x".to_vec()].concat();
    assert_eq!(read_chunk(2, &good).unwrap(), vec![doc([("f", "x")]); 2]);
    let other = "other documents";
    corrupt(read_chunk(2, &vints(&[1, 2, 0, 1, 0, 3])), other);
    corrupt(read_chunk(2, &vints(&[0, 3, 0, 1, 0, 3])), other);
    corrupt(read_chunk(3, &good), other);
    corrupt(read_chunk(1, &good), other);
    corrupt(read_chunk(2, &vints(&[-1, 2])), "negative");
    corrupt(read_chunk(2, &vints(&[0, -2])), "negative");
    corrupt(read_chunk(2, &two(&[0, -1, 0, 3])), "negative");
    corrupt(read_chunk(2, &two(&[0, 1, 0, -3])), "negative");
    // `bitsPerStoredFields` and `bitsPerLength`; Java 4.10 never looks at the latter.
    for bits in [32, 33, 64, 255, i32::MAX, -1] {
        corrupt(read_chunk(2, &two(&[bits, 1, 1, 1, 1])), "width");
        corrupt(read_chunk(2, &two(&[0, 1, bits, 1, 1, 1])), "width");
    }
    corrupt(read_chunk(2, &two(&[0, 1, 0, 1 << 30])), "more than i32::MAX");
    corrupt(read_chunk(2, &two(&[0, 1, 0, 1 << 29])), "cannot hold");
    let long = [good.clone(), vec![0]].concat();
    corrupt(read_chunk(2, &long), "between two chunks");
    for len in 0..good.len() {
        assert!(read_chunk(2, &good[..len]).is_err(), "{len}");
    }
}

/// Widths of 31 bits whose sum passes 2^32 do not come round to something small.
#[test]
fn lengths_whose_sum_overflows() {
    let count = 64;
    let mut chunk = vints(&[0, count, 0, 1, 31]);
    chunk.extend_from_slice(&[0xFF; 31 * 64 / 8]);
    chunk.extend_from_slice(b"\x10x");
    corrupt(read_chunk(count as usize, &chunk), "more than i32::MAX");
}

/// Documents of a chunk without bytes, one of which claims fields.
#[test]
fn fields_without_bytes() {
    let chunk = [vints(&[0, 2, 0, 1, 0, 0]), vec![0]].concat();
    corrupt(read_chunk(2, &chunk), "or the reverse");
    let empty = [vints(&[0, 2, 0, 0, 0, 0]), vec![0]].concat();
    assert_eq!(read_chunk(2, &empty).unwrap(), vec![Doc::new(); 2]);
}

fn index(tail: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    codec::write_header(&mut out, INDEX, 2).unwrap();
    out.extend_from_slice(tail);
    footed(out)
}

#[test]
fn places_of_chunks() {
    let start = CHUNKS as i32;
    // Two chunks of a document each; a second block would be the same again.
    let chunk = |base| [vints(&[base, 1, 1, 3]), b"\x30\x00\x01x".to_vec()].concat();
    let file = data(&[chunk(0), chunk(1)].concat());
    let end = file.len() as i32 - 16;
    let len = chunk(0).len() as i32;
    let try_index = |tail: &[i32]| {
        let dir = segment(2);
        put(&dir, "_0.fdt", &file);
        put(&dir, "_0.fdx", &index(&vints(tail)));
        read(&dir)
    };
    let ok = vec![doc([("f", "x")]); 2];
    assert_eq!(try_index(&[2, 2, 0, 1, 1, 0, start, len, 1, 0, 0, end]).unwrap(), ok);
    // A block for each, as a writer could cut them; 1 bit of 0 in a byte.
    let blocks = [2, 1, 0, 0, 1, 0, start, 0, 1, 0, 1, 1, 0, 1, 0, start + len, 0, 1, 0, 0, end];
    assert_eq!(try_index(&blocks).unwrap(), ok);

    let width = "width";
    corrupt(try_index(&[2, 2, 0, 1, 0, 0, start, len, 1, 0, 0, end]), width);
    corrupt(try_index(&[2, 2, 0, 1, 33, 0, start, len, 1, 0, 0, end]), width);
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, len, 65, 0, 0, end]), width);
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, len, -1, 0, 0, end]), width);
    corrupt(try_index(&[2, -2, 0, 1, 1, 0, start, len, 1, 0, 0, end]), "negative");
    let documents = "documents of a chunk";
    corrupt(try_index(&[2, 2, 1, 1, 1, 0, start, len, 1, 0, 0, end]), documents);
    corrupt(try_index(&[2, 2, -1, 1, 1, 0, start, len, 1, 0, 0, end]), documents);
    corrupt(try_index(&[2, 2, 0, 0, 1, 0, start, len, 1, 0, 0, end]), documents);
    corrupt(try_index(&[2, 2, 0, 2, 1, 0, start, len, 1, 0, 0, end]), documents);
    corrupt(try_index(&[2, 2, 0, i32::MAX, 1, 0, start, len, 1, 0, 0, end]), documents);
    let place = "place of a chunk";
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, 0, 1, 0, 0, end]), place);
    let outside = "not where its index says";
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, 0, start, 1, 0, 0, end]), outside);
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, end - start, 1, 0, 0, end]), outside);
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, i32::MAX, 1, 0, 0, end]), outside);
    corrupt(try_index(&[2, 0, end]), "not the documents");
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, len, 1, 0, 0, end, 0]), "bytes follow");
    corrupt(try_index(&[2, 2, 0, 1, 1, 0, start, len, 1, 0, 0, end - 1]), "longer");
    let short = try_index(&[2, 2, 0, 1, 1, 0, start, len, 1, 0, 0, end + 1]);
    assert!(matches!(short, Err(Error::Truncated)));
    let new = try_index(&[3, 2, 0, 1, 1, 0, start, len, 1, 0, 0, end]);
    assert!(matches!(new, Err(Error::VersionTooNew { actual: 3, min: 0, max: 2 })));
    // A second chunk that begins elsewhere has another base, or none.
    assert!(try_index(&[2, 2, 0, 1, 1, 0, start, len - 1, 1, 0, 0, end]).is_err());
    assert!(try_index(&[2, 2, 0, 1, 1, 0, start, len + 1, 1, 0, 0, end]).is_err());

    // The largest of all: places do not come round.
    let mut tail = vints(&[2, 2, 0, 1, 1, 0]);
    tail.write_vlong(i64::MAX).unwrap();
    tail.write_vlong(i64::MAX).unwrap();
    tail.extend(vints(&[64]));
    tail.extend_from_slice(&[0xFF; 16]);
    tail.extend(vints(&[0, end]));
    let dir = segment(2);
    put(&dir, "_0.fdt", &file);
    put(&dir, "_0.fdx", &index(&tail));
    corrupt(read(&dir), place);
}

/// A `.fdx` that is longer than the chunks of its documents can make it is that first of all, by
/// every way to read it, whatever else is wrong with it: a width here, and the checksum.
#[test]
fn an_index_longer_than_its_documents_need() {
    let dir = segment(2);
    let block = vints(&[2, 126, 0, 1, 63]);
    // What there is once, and two documents of 59 bytes: see `offsets::longest`.
    let most = 128 + 2 * 59 - index(&block).len();
    put(&dir, "_0.fdx", &index(&[block.clone(), vec![0; most]].concat()));
    corrupt(read(&dir), "width");
    let longer = index(&[block, vec![0; most + 1]].concat());
    put(&dir, "_0.fdx", &longer);
    corrupt(read(&dir), "longer than the places");
    let mut damaged = longer;
    *damaged.last_mut().unwrap() ^= 1;
    put(&dir, "_0.fdx", &damaged);
    corrupt(read(&dir), "longer than the places");
    damaged.remove(100);
    put(&dir, "_0.fdx", &damaged);
    assert!(matches!(read(&dir), Err(Error::ChecksumMismatch { .. })));
}

/// The header of `.fdt` itself.
#[test]
fn sizes_of_chunks() {
    for (size, packed) in [(0, 2), (-1, 2), (i32::MIN, 2), (16384, 3), (16384, -1)] {
        let dir = segment(1);
        let mut file = Vec::new();
        codec::write_header(&mut file, super::files::DATA, 2).unwrap();
        file.write_vint(size).unwrap();
        file.write_vint(packed).unwrap();
        let header = file.len();
        file.extend(chunk_of_one(1, b"\x00\x01x"));
        let file = footed(file);
        put(&dir, "_0.fdt", &file);
        let end = file.len() as i32 - 16;
        let tail = vints(&[2, 1, 0, 0, 1, 0, header as i32, 0, 1, 0, 0, end]);
        put(&dir, "_0.fdx", &index(&tail));
        assert!(read(&dir).is_err(), "{size} {packed}");
    }
    // Other sizes than Lucene's own are read, also of one byte a piece.
    let dir = segment(1);
    let mut file = Vec::new();
    codec::write_header(&mut file, super::files::DATA, 2).unwrap();
    file.extend(vints(&[1, 2]));
    let header = file.len();
    file.extend(vints(&[0, 1, 1, 3]));
    file.extend_from_slice(b"\x10\x00\x10\x01\x10x");
    let file = footed(file);
    put(&dir, "_0.fdt", &file);
    let end = file.len() as i32 - 16;
    put(&dir, "_0.fdx", &index(&vints(&[2, 1, 0, 0, 1, 0, header as i32, 0, 1, 0, 0, end])));
    assert_eq!(read(&dir).unwrap(), [vec![("f".into(), Owned::from("x"))]]);
}
