//! A chunk of documents as it is read: its header, and what of it is decompressed.

use super::format::{Ints, KEEP, MAX, corrupt_data, make_room, read_length};
use super::offsets::Place;
use crate::store::FileSlice;
use crate::{DataInput, Error, SliceInput, lz4};
use core::ops::Range;
use std::vec::Vec;

/// The `.fdt` of a segment, and what its header says.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) file: FileSlice,
    pub(super) packed_version: i32,
    /// A chunk of twice this size is cut into pieces of it; none is in the first version.
    pub(super) chunk_size: Option<usize>,
    /// Where the last chunk ends.
    pub(super) end: u64,
}

/// The chunk that was read last. All memory is used again.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    place: Option<Place>,
    /// How many fields each document has, and the sums of their lengths.
    fields: Ints,
    ends: Ints,
    /// How many bytes all documents have, and a block of them.
    total: usize,
    step: usize,
    /// The first `have` bytes are those of the documents; the rest is of no meaning.
    bytes: Vec<u8>,
    have: usize,
    /// They are the beginning of a block, and where it ends is not known.
    partial: bool,
    /// The bytes of the chunk in the file, if the file is not in memory, and how many of them were
    /// used for `bytes`.
    raw: Vec<u8>,
    used: usize,
}

/// A document in its chunk: how many fields, and which of the bytes.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) fields: usize,
    pub(super) bytes: Range<usize>,
}

impl Chunk {
    pub(super) fn holds(&self, doc: u32) -> bool {
        self.place.is_some_and(|place| doc >= place.base && doc - place.base < place.docs)
    }

    /// The document behind it, if all of its documents are known to have neither fields nor bytes.
    pub(super) fn end_of_empty(&self) -> Option<u32> {
        let place = self.place?;
        (self.total == 0 && self.fields.are_all_zero()).then(|| place.base + place.docs)
    }

    pub(super) fn bytes(&self, found: &Found) -> &[u8] {
        self.bytes.get(found.bytes.clone()).unwrap_or_default()
    }

    /// Reads the header of a chunk.
    pub(super) fn open(&mut self, data: &Data, place: Place) -> Result<(), Error> {
        self.place = None;
        let mut raw = core::mem::take(&mut self.raw);
        let opened = match data.file.as_slice() {
            Some(file) => self.read_header(chunk_of(file, data, place)?, data, place),
            None => {
                let len = usize::try_from(place.end.unwrap_or(data.end) - place.start)
                    .map_err(|_| corrupt_data("a chunk larger than memory"))?;
                give_back(&mut raw, len);
                make_room(&mut raw, len)
                    .and_then(|()| data.file.read_at(place.start, &mut raw))
                    .and_then(|()| self.read_header(&raw, data, place))
            }
        };
        self.raw = raw;
        opened?;
        self.place = Some(place);
        Ok(())
    }

    fn read_header(&mut self, raw: &[u8], data: &Data, place: Place) -> Result<(), Error> {
        let mut input = SliceInput::new(raw);
        self.parse_header(raw, &mut input, data, place).map_err(cut_short)
    }

    fn parse_header<'a>(
        &mut self,
        raw: &'a [u8],
        input: &mut SliceInput<'a>,
        data: &Data,
        place: Place,
    ) -> Result<(), Error> {
        check_documents(input, place)?;
        let (docs, version) = (place.docs as usize, data.packed_version);
        self.fields.read(raw, input, docs, version)?;
        self.ends.read(raw, input, docs, version)?;
        let total = self.ends.sum_up();
        if total > MAX as u64 {
            return Err(corrupt_data("a chunk of more than i32::MAX bytes"));
        }
        self.total = total as usize;
        self.step = match data.chunk_size {
            Some(size) if self.total / 2 >= size => size,
            _ => self.total,
        };
        give_back(&mut self.bytes, self.total);
        self.have = 0;
        self.partial = false;
        self.used = input.position() as usize;
        if self.total == 0 {
            // Nobody will ask for a byte of it, and its block has to end where it should all the same.
            self.decompress(raw, 0, true)?;
        }
        Ok(())
    }

    /// A document of this chunk, decompressed; of a chunk that is not `whole`, nothing behind it
    /// need be.
    pub(super) fn find(&mut self, data: &Data, doc: u32, whole: bool) -> Result<Found, Error> {
        let not_here = || corrupt_data("a document that is not in its chunk");
        let place = self.place.ok_or_else(not_here)?;
        let i = doc.wrapping_sub(place.base) as usize;
        let fields = self.fields.get(i).ok_or_else(not_here)? as usize;
        let (start, end) = self.ends.range(i).ok_or_else(not_here)?;
        if (fields == 0) != (start == end) {
            return Err(corrupt_data("a document with fields and no bytes, or the reverse"));
        }
        if end > self.have {
            let raw = core::mem::take(&mut self.raw);
            let done = match data.file.as_slice() {
                Some(file) => {
                    chunk_of(file, data, place).and_then(|chunk| self.decompress(chunk, end, whole))
                }
                None => self.decompress(&raw, end, whole),
            };
            self.raw = raw;
            if done.is_err() {
                // What was decompressed is not to be trusted.
                self.place = None;
            }
            done?;
        }
        Ok(Found { fields, bytes: start..end })
    }

    /// Makes `have` at least `want`.
    fn decompress(&mut self, raw: &[u8], want: usize, whole: bool) -> Result<(), Error> {
        if core::mem::take(&mut self.partial) {
            self.have = 0;
        } else if self.step == self.total && !whole && want < self.total {
            let rest = raw.get(self.used..).unwrap_or_default();
            let into = room(&mut self.bytes, 0, self.total, rest)?;
            self.have = lz4::decompress_prefix_into(rest, into, want)?;
            self.partial = true;
            return Ok(());
        }
        loop {
            let rest = raw.get(self.used..).unwrap_or_default();
            let len = self.step.min(self.total - self.have);
            let into = room(&mut self.bytes, self.have, len, rest)?;
            self.used += lz4::decompress_into(rest, into)?;
            self.have += len;
            if self.have >= want {
                break;
            }
        }
        if self.have == self.total && self.used != raw.len() {
            return Err(corrupt_data("bytes between two chunks"));
        }
        Ok(())
    }
}

/// Whether a chunk has the documents that the index says, by its first bytes alone.
pub(super) fn check(data: &Data, place: Place) -> Result<(), Error> {
    let mut first = [0; 10];
    let len = (place.end.unwrap_or(data.end) - place.start).min(first.len() as u64) as usize;
    data.file.read_at(place.start, &mut first[..len])?;
    check_documents(&mut SliceInput::new(&first[..len]), place).map_err(cut_short)
}

fn check_documents(input: &mut SliceInput<'_>, place: Place) -> Result<(), Error> {
    let header = (read_length(input)?, read_length(input)?);
    if header != (place.base, place.docs) {
        return Err(corrupt_data("a chunk has other documents than its index says"));
    }
    Ok(())
}

fn cut_short(error: Error) -> Error {
    match error {
        Error::UnexpectedEof { .. } => corrupt_data("a chunk that ends before its documents"),
        other => other,
    }
}

/// `len` bytes of `memory` for a block, which grows for no more than the block can yield: a byte of
/// LZ4 makes 255 at most.
fn room<'a>(
    memory: &'a mut Vec<u8>,
    start: usize,
    len: usize,
    block: &[u8],
) -> Result<&'a mut [u8], Error> {
    if len / 255 > block.len() {
        return Err(corrupt_data("a block that cannot hold as many bytes as declared"));
    }
    let end = start + len;
    if memory.len() < end {
        memory.resize(end, 0);
    }
    Ok(&mut memory[start..end])
}

fn chunk_of<'a>(file: &'a [u8], data: &Data, place: Place) -> Result<&'a [u8], Error> {
    let end = place.end.unwrap_or(data.end);
    let range = usize::try_from(place.start).ok().zip(usize::try_from(end).ok());
    range.and_then(|(start, end)| file.get(start..end)).ok_or(Error::Truncated)
}

fn give_back(memory: &mut Vec<u8>, need: usize) {
    if memory.capacity() > KEEP && need < memory.capacity() / 4 {
        memory.truncate(need);
        memory.shrink_to(need);
    }
}
