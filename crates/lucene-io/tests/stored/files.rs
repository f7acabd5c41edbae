//! The two files as bytes: replaced, taken apart, and made by hand.

use lucene_io::lz4::{Compression, Compressor};
use lucene_io::store::{Directory, RamDirectory};
use lucene_io::{DataInput, DataOutput, IndexOutput, SliceInput, codec};

pub(crate) const DATA: &str = "Lucene41StoredFieldsData";
pub(crate) const INDEX: &str = "Lucene41StoredFieldsIndex";
/// Where the chunks of a `.fdt` of version 2 begin: header, size of a chunk, packed version.
pub(crate) const CHUNKS: usize = 9 + DATA.len() + 3 + 1;

pub(crate) fn get(dir: &RamDirectory, name: &str) -> Vec<u8> {
    let file = dir.open_file(name).unwrap();
    file.as_slice().unwrap().to_vec()
}

pub(crate) fn put(dir: &RamDirectory, name: &str, bytes: &[u8]) {
    match dir.delete_file(name) {
        Ok(()) | Err(lucene_io::Error::Io(_)) => {}
        Err(other) => panic!("{other}"),
    }
    let mut out = dir.create_output(name).unwrap();
    out.write_bytes(bytes).unwrap();
    out.close().unwrap();
}

/// A directory of its own with the same files.
pub(crate) fn copy(dir: &RamDirectory) -> RamDirectory {
    let copy = RamDirectory::new();
    for name in dir.list_all().unwrap() {
        put(&copy, &name, &get(dir, &name));
    }
    copy
}

/// Ends a file with a footer that is right.
pub(crate) fn footed(mut bytes: Vec<u8>) -> Vec<u8> {
    codec::write_footer(&mut bytes).unwrap();
    bytes
}

/// A `.fdt` of version 2 with these bytes as chunks.
pub(crate) fn data(chunks: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    codec::write_header(&mut out, DATA, 2).unwrap();
    out.write_vint(16384).unwrap();
    out.write_vint(2).unwrap();
    assert_eq!(out.len(), CHUNKS);
    out.extend_from_slice(chunks);
    footed(out)
}

/// A `.fdx` of version 2 for one chunk, and a `.fdt` of that length.
pub(crate) fn index_of_one(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    codec::write_header(&mut out, INDEX, 2).unwrap();
    for vint in [2, 1, 0, 0, 1] {
        out.write_vint(vint).unwrap();
    }
    out.write_byte(0).unwrap();
    out.write_vlong(CHUNKS as i64).unwrap();
    out.write_bytes(&[0, 1, 0]).unwrap();
    out.write_vint(0).unwrap();
    out.write_vlong(data.len() as i64 - 16).unwrap();
    footed(out)
}

/// Puts a segment's one chunk in the place of what was there, with checksums that are right.
pub(crate) fn put_chunk(dir: &RamDirectory, chunk: &[u8]) {
    let data = data(chunk);
    put(dir, "_0.fdx", &index_of_one(&data));
    put(dir, "_0.fdt", &data);
}

/// A chunk of one document.
pub(crate) fn chunk_of_one(fields: i32, document: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for vint in [0, 1, fields, document.len() as i32] {
        out.write_vint(vint).unwrap();
    }
    Compressor::new(Compression::LuceneExact).compress(document, &mut out).unwrap();
    out
}

/// The two files as an older version has them, made of ours of version 2.
pub(crate) fn older(dir: &RamDirectory, version: i32) -> RamDirectory {
    let (mut data, index) = (get(dir, "_0.fdt"), get(dir, "_0.fdx"));
    data.truncate(data.len() - codec::FOOTER_LENGTH);
    let version_at = 4 + 1 + DATA.len();
    data[version_at..version_at + 4].copy_from_slice(&version.to_be_bytes());
    let mut shift = 0;
    if version == 0 {
        data.drain(version_at + 4..version_at + 7);
        shift = 3;
    }
    let made = copy(dir);
    put(&made, "_0.fdt", &data);
    put(&made, "_0.fdx", &older_index(&index, version, shift));
    made
}

/// With the places of all blocks so much earlier.
fn older_index(index: &[u8], version: i32, shift: i64) -> Vec<u8> {
    let mut input = SliceInput::new(index);
    let mut out = Vec::new();
    codec::check_header(&mut input, INDEX, 2..=2).unwrap();
    codec::write_header(&mut out, INDEX, version).unwrap();
    out.write_vint(input.read_vint().unwrap()).unwrap();
    loop {
        let count = input.read_vint().unwrap();
        out.write_vint(count).unwrap();
        if count == 0 {
            return out;
        }
        for _ in 0..2 {
            out.write_vint(input.read_vint().unwrap()).unwrap();
        }
        copy_packed(&mut input, &mut out, count);
        out.write_vlong(input.read_vlong().unwrap() - shift).unwrap();
        out.write_vlong(input.read_vlong().unwrap()).unwrap();
        copy_packed(&mut input, &mut out, count);
    }
}

fn copy_packed(input: &mut SliceInput<'_>, out: &mut Vec<u8>, count: i32) {
    let bits = input.read_vint().unwrap();
    out.write_vint(bits).unwrap();
    out.copy_bytes(input, (count as u64 * bits as u64).div_ceil(8)).unwrap();
}
