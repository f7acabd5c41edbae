//! `CompressingStoredFieldsWriter`, with its `WriteString` to choose.

use super::{CHUNK_SIZE, DATA, INDEX, PACKED_VERSION, TYPE_BITS, VERSION, WRITTEN, packed};
use lucene_io::lz4::Compressor;
use lucene_io::store::Directory;
use lucene_io::stored::Compression;
use lucene_io::{DataOutput, IndexOutput, codec};

const MAX_DOCUMENTS: usize = 128;
const BLOCK: usize = 1024;

pub(crate) struct Writer<O, W> {
    data: O,
    index: O,
    write_string: W,
    compressor: Compressor,
    /// `bufferedDocs`, and where its documents end.
    buffered: Vec<u8>,
    ends: Vec<u32>,
    stored_fields: Vec<u32>,
    compressed: Vec<u8>,
    doc_base: usize,
    /// Chunks of the block of the index: documents of each, and where it begins.
    chunk_docs: Vec<u32>,
    starts: Vec<u64>,
}

impl<O: IndexOutput, W: Fn(&mut Vec<u8>, &[u16])> Writer<O, W> {
    pub(crate) fn new(
        dir: &impl Directory<Output = O>,
        compression: Compression,
        write_string: W,
    ) -> Self {
        let mut data = dir.create_output("_0.fdt").expect(WRITTEN);
        let mut index = dir.create_output("_0.fdx").expect(WRITTEN);
        codec::write_header(&mut index, INDEX, VERSION).expect(WRITTEN);
        codec::write_header(&mut data, DATA, VERSION).expect(WRITTEN);
        index.write_vint(PACKED_VERSION).expect(WRITTEN);
        data.write_vint(CHUNK_SIZE as i32).expect(WRITTEN);
        data.write_vint(PACKED_VERSION).expect(WRITTEN);
        Self {
            data,
            index,
            write_string,
            compressor: Compressor::new(compression),
            buffered: Vec::with_capacity(CHUNK_SIZE),
            ends: Vec::with_capacity(16),
            stored_fields: Vec::with_capacity(16),
            compressed: Vec::new(),
            doc_base: 0,
            chunk_docs: Vec::with_capacity(BLOCK),
            starts: Vec::with_capacity(BLOCK),
        }
    }

    /// The fields are numbered in their order: what Lucene keeps in a `FieldInfo`.
    pub(crate) fn document<T: AsRef<[u16]>>(&mut self, values: impl Iterator<Item = T>) {
        let mut fields = 0;
        for value in values {
            super::super::write_vint(&mut self.buffered, fields << TYPE_BITS);
            (self.write_string)(&mut self.buffered, value.as_ref());
            fields += 1;
        }
        self.stored_fields.push(fields as u32);
        self.ends.push(self.buffered.len() as u32);
        if self.buffered.len() >= CHUNK_SIZE || self.ends.len() >= MAX_DOCUMENTS {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let docs = self.ends.len();
        if self.starts.len() == BLOCK {
            self.write_block();
        }
        self.chunk_docs.push(docs as u32);
        self.starts.push(self.data.position());

        // Ends become lengths.
        for i in (1..docs).rev() {
            self.ends[i] -= self.ends[i - 1];
        }
        self.compressed.clear();
        let head = &mut self.compressed;
        super::super::write_vint(head, self.doc_base);
        super::super::write_vint(head, docs);
        save_ints(&self.stored_fields, head);
        save_ints(&self.ends, head);
        let slice = if self.buffered.len() >= 2 * CHUNK_SIZE { CHUNK_SIZE } else { usize::MAX };
        for slice in self.buffered.chunks(slice) {
            self.compressor.compress(slice, &mut self.compressed).expect(WRITTEN);
        }
        self.data.write_bytes(&self.compressed).expect(WRITTEN);

        self.doc_base += docs;
        self.buffered.clear();
        self.ends.clear();
        self.stored_fields.clear();
    }

    /// `CompressingStoredFieldsIndexWriter`.
    fn write_block(&mut self) {
        let (count, first) = (self.starts.len(), self.starts[0]);
        let gaps = (count - 1).max(1);
        let docs: u32 = self.chunk_docs.iter().sum();
        let before_last = docs - self.chunk_docs[count - 1];
        let average_docs = (before_last as f32 / gaps as f32 + 0.5).floor() as i64;
        let average_size = ((self.starts[count - 1] - first) / gaps as u64) as i64;
        let mut bytes = Vec::new();
        super::super::write_vint(&mut bytes, count);
        super::super::write_vint(&mut bytes, self.doc_base - docs as usize);
        super::super::write_vint(&mut bytes, average_docs as usize);
        let bases = self.chunk_docs.iter().scan(0, |base, &docs| {
            *base += i64::from(docs);
            Some(*base - i64::from(docs))
        });
        save_deltas(bases, average_docs, &mut bytes);
        bytes.write_vlong(first as i64).expect(WRITTEN);
        bytes.write_vlong(average_size).expect(WRITTEN);
        let starts = self.starts.iter().map(|&start| (start - first) as i64);
        save_deltas(starts, average_size, &mut bytes);
        self.index.write_bytes(&bytes).expect(WRITTEN);
        self.chunk_docs.clear();
        self.starts.clear();
    }

    pub(crate) fn finish(mut self) {
        if !self.ends.is_empty() {
            self.flush();
        }
        if !self.starts.is_empty() {
            self.write_block();
        }
        self.index.write_vint(0).expect(WRITTEN);
        self.index.write_vlong(self.data.position() as i64).expect(WRITTEN);
        codec::write_footer(&mut self.index).expect(WRITTEN);
        codec::write_footer(&mut self.data).expect(WRITTEN);
        self.data.close().expect(WRITTEN);
        self.index.close().expect(WRITTEN);
    }
}

/// `saveInts`: one alone, one for all behind a 0, or packed behind their width.
fn save_ints(values: &[u32], out: &mut Vec<u8>) {
    if values.len() == 1 {
        super::super::write_vint(out, values[0] as usize);
    } else if values.iter().all(|value| *value == values[0]) {
        super::super::write_vint(out, 0);
        super::super::write_vint(out, values[0] as usize);
    } else {
        let bits = packed::bits(u64::from(values.iter().fold(0, |all, value| all | value)));
        super::super::write_vint(out, bits as usize);
        packed::write(values.iter().map(|&value| u64::from(value)), bits, out);
    }
}

fn save_deltas(values: impl Iterator<Item = i64> + Clone, slope: i64, out: &mut Vec<u8>) {
    let deltas = (0..).zip(values).map(|(i, value)| packed::zig(value - slope * i));
    let bits = packed::bits(deltas.clone().fold(0, |all, delta| all | delta));
    super::super::write_vint(out, bits as usize);
    packed::write(deltas, bits, out);
}
