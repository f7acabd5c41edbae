//! Chunks of documents as they are written.

use super::format::{
    CHUNK_DOCS, CHUNK_SIZE, DATA_CODEC, KEEP, PACKED_VERSION, VERSION, write_ints,
};
use super::offsets::OffsetsWriter;
use crate::index::FileEnd;
use crate::lz4::{Compression, Compressor};
use crate::{Error, IndexOutput, codec};
use std::io;
use std::vec::Vec;

/// Writes both files; holds one chunk.
pub(super) struct ChunkWriter<O> {
    data: O,
    offsets: OffsetsWriter<O>,
    compressor: Compressor,
    /// The documents of the chunk, as they will be compressed; the last may not be ended.
    pub(super) bytes: Vec<u8>,
    compressed: Vec<u8>,
    /// Of each document of the chunk.
    fields: Vec<u32>,
    lengths: Vec<u32>,
    /// Documents that were ended, those of earlier chunks included.
    doc_count: u32,
    /// The files are not what they should be.
    failed: bool,
}

impl<O: IndexOutput> ChunkWriter<O> {
    /// Writes the headers.
    pub(super) fn new(mut data: O, index: O, compression: Compression) -> Result<Self, Error> {
        let offsets = OffsetsWriter::new(index)?;
        codec::write_header(&mut data, DATA_CODEC, VERSION)?;
        data.write_vint(CHUNK_SIZE as i32)?;
        data.write_vint(PACKED_VERSION)?;
        Ok(Self {
            data,
            offsets,
            compressor: Compressor::new(compression),
            bytes: Vec::with_capacity(2 * CHUNK_SIZE),
            compressed: Vec::new(),
            fields: Vec::with_capacity(CHUNK_DOCS),
            lengths: Vec::with_capacity(CHUNK_DOCS),
            doc_count: 0,
            failed: false,
        })
    }

    /// What lies in `bytes` from `start` on is a document of so many fields.
    pub(super) fn end_document(&mut self, start: usize, fields: u32) -> Result<(), Error> {
        self.fields.push(fields);
        self.lengths.push((self.bytes.len() - start) as u32);
        self.doc_count += 1;
        if self.bytes.len() >= CHUNK_SIZE || self.lengths.len() >= CHUNK_DOCS {
            self.flush()?;
        }
        Ok(())
    }

    /// Refuses to go on after a write that failed.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.failed {
            return Err(Error::Io(io::Error::other("an earlier write of the segment failed")));
        }
        Ok(())
    }

    /// Ends both files, and gives how many documents there are.
    pub(super) fn finish(mut self) -> Result<(u32, [FileEnd; 2]), Error> {
        self.flush()?;
        let end = self.data.position();
        let data = FileEnd::write(&mut self.data)?;
        self.data.close()?;
        let index = self.offsets.finish(end)?;
        Ok((self.doc_count, [data, index]))
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.lengths.is_empty() {
            return Ok(());
        }
        // Also when an output panics.
        self.failed = true;
        let written = self.write();
        self.failed = written.is_err();
        let used = self.bytes.len();
        self.bytes.clear();
        if self.bytes.capacity() > KEEP && used < self.bytes.capacity() / 4 {
            self.bytes.shrink_to(2 * CHUNK_SIZE);
        }
        self.fields.clear();
        self.lengths.clear();
        written
    }

    fn write(&mut self) -> Result<(), Error> {
        let docs = self.lengths.len() as u32;
        self.offsets.add(docs, self.data.position())?;
        self.data.write_vint((self.doc_count - docs) as i32)?;
        self.data.write_vint(docs as i32)?;
        write_ints(&mut self.data, &self.fields)?;
        write_ints(&mut self.data, &self.lengths)?;
        // A chunk of twice the size is cut, so that it can be read without all of it in memory.
        let most = if self.bytes.len() >= 2 * CHUNK_SIZE { CHUNK_SIZE } else { 2 * CHUNK_SIZE };
        let mut rest = self.bytes.as_slice();
        loop {
            // Also a chunk of empty documents has a block.
            let (piece, next) = rest.split_at(rest.len().min(most));
            self.compressed.clear();
            self.compressor.compress(piece, &mut self.compressed)?;
            self.data.write_bytes(&self.compressed)?;
            rest = next;
            if rest.is_empty() {
                return Ok(());
            }
        }
    }
}

impl<O> ChunkWriter<O> {
    /// Documents that were ended.
    pub(super) fn doc_count(&self) -> u32 {
        self.doc_count
    }
}
