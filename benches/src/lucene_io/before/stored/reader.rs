//! `CompressingStoredFieldsReader`: a document at a time, its chunk decompressed anew up to where the
//! document ends, and each string copied into a fresh array first. It never calls `ReadString`, so
//! the published fix leaves it as it was.

use super::super::{decode, read_bytes, read_vint};
use super::{CHUNK_SIZE, DATA, INDEX, TYPE_BITS, VERSION, WRITTEN, packed};
use lucene_io::store::{Directory, FileSlice};
use lucene_io::{DataInput, SliceInput, codec, lz4};

pub(crate) struct Reader {
    data: FileSlice,
    /// The first document of each chunk, and where the chunk begins.
    chunks: Vec<(u32, u64)>,
    /// Used again.
    bytes: Vec<u8>,
}

impl Reader {
    pub(crate) fn open(dir: &impl Directory) -> Self {
        let index = dir.open_file("_0.fdx").expect(WRITTEN);
        let mut input = SliceInput::new(index.as_slice().expect("it is in memory"));
        codec::check_header(&mut input, INDEX, VERSION..=VERSION).expect(WRITTEN);
        input.read_vint().expect(WRITTEN);
        let mut chunks = Vec::new();
        loop {
            let count = input.read_vint().expect(WRITTEN) as usize;
            if count == 0 {
                break;
            }
            let base = input.read_vint().expect(WRITTEN);
            let docs = input.read_vint().expect(WRITTEN);
            let bases = read_deltas(&mut input, count, docs.into());
            let first = input.read_vlong().expect(WRITTEN);
            let size = input.read_vlong().expect(WRITTEN);
            let starts = read_deltas(&mut input, count, size);
            let places = bases.into_iter().zip(starts);
            chunks.extend(places.map(|(b, s)| (base as u32 + b as u32, (first + s) as u64)));
        }
        let data = dir.open_file("_0.fdt").expect(WRITTEN);
        codec::check_header(&mut data.input(), DATA, VERSION..=VERSION).expect(WRITTEN);
        Self { data, chunks, bytes: Vec::new() }
    }

    /// `Document(doc)`: number and value of every field.
    pub(crate) fn document(&mut self, doc: u32) -> Vec<(usize, String)> {
        let chunk = self.chunks.partition_point(|(base, _)| *base <= doc) - 1;
        let file = self.data.as_slice().expect("it is in memory");
        let mut input = &file[self.chunks[chunk].1 as usize..];

        let base = read_vint(&mut input);
        let docs = read_vint(&mut input);
        let at = doc as usize - base;
        let fields = Ints::read(&mut input, docs).get(at);
        let lengths = Ints::read(&mut input, docs);
        let offset: usize = (0..at).map(|i| lengths.get(i)).sum();
        let length = lengths.get(at);
        let total: usize = offset + (at..docs).map(|i| lengths.get(i)).sum::<usize>();
        assert!(total < 2 * CHUNK_SIZE, "these documents make no chunk of several slices");

        self.bytes.clear();
        lz4::decompress_prefix(input, total, offset + length, &mut self.bytes).expect(WRITTEN);
        let mut document = &self.bytes[offset..offset + length];
        let mut read = Vec::new();
        for _ in 0..fields {
            let field = read_vint(&mut document) >> TYPE_BITS;
            let mut bytes = vec![0; read_vint(&mut document)];
            read_bytes(&mut document, &mut bytes);
            read.push((field, decode(&bytes)));
        }
        read
    }
}

/// Integers as `saveInts` wrote them.
enum Ints<'a> {
    Equal(usize),
    Packed { bytes: &'a [u8], bits: u32 },
}

impl<'a> Ints<'a> {
    fn read(input: &mut &'a [u8], count: usize) -> Self {
        let bits = if count == 1 { 0 } else { read_vint(input) as u32 };
        if bits == 0 {
            return Self::Equal(read_vint(input));
        }
        let (bytes, rest) = input.split_at(packed::byte_len(count, bits));
        *input = rest;
        Self::Packed { bytes, bits }
    }

    fn get(&self, i: usize) -> usize {
        match *self {
            Self::Equal(value) => value,
            Self::Packed { bytes, bits } => packed::get(bytes, i, bits) as usize,
        }
    }
}

fn read_deltas(input: &mut SliceInput<'_>, count: usize, slope: i64) -> Vec<i64> {
    let bits = input.read_vint().expect(WRITTEN) as u32;
    let mut bytes = vec![0; packed::byte_len(count, bits)];
    input.read_bytes(&mut bytes).expect(WRITTEN);
    (0..count).map(|i| packed::zag(packed::get(&bytes, i, bits)) + slope * i as i64).collect()
}
