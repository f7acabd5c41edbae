//! `.fdx`: in which chunk a document lies, and where the chunk begins.

use super::format::{
    INDEX_CODEC, PACKED_VERSION, VERSION, VERSION_CHECKSUM, corrupt_index, read_packed, zag, zig,
};
use crate::index::FileEnd;
use crate::{DataInput, DataOutput, Error, IndexOutput, SliceInput, codec, packed};
use std::io;
use std::vec::Vec;

/// Chunks of a block, which is written when the next chunk comes.
const BLOCK: usize = 1024;

/// Writes `.fdx`; holds one block.
#[derive(Debug)]
pub(super) struct OffsetsWriter<O> {
    out: O,
    /// Documents before the block.
    base: u32,
    /// Documents before each chunk of the block, counted from it.
    bases: Vec<u32>,
    starts: Vec<u64>,
    /// Documents of the block.
    docs: u32,
    /// Where the last chunk begins.
    last: u64,
}

impl<O: IndexOutput> OffsetsWriter<O> {
    pub(super) fn new(mut out: O) -> Result<Self, Error> {
        codec::write_header(&mut out, INDEX_CODEC, VERSION)?;
        out.write_vint(PACKED_VERSION)?;
        let (bases, starts) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
        Ok(Self { out, base: 0, bases, starts, docs: 0, last: 0 })
    }

    /// A chunk of so many documents begins there.
    pub(super) fn add(&mut self, docs: u32, start: u64) -> Result<(), Error> {
        let forward = self.last < start && i64::try_from(start).is_ok();
        if !forward {
            return Err(Error::Io(io::Error::other("the position of an output makes no sense")));
        }
        self.last = start;
        if self.starts.len() == BLOCK {
            self.write_block()?;
        }
        self.bases.push(self.docs);
        self.starts.push(start);
        self.docs += docs;
        Ok(())
    }

    fn write_block(&mut self) -> Result<(), Error> {
        let [first, .., last] = self.starts[..] else {
            // One chunk: it is where the block is.
            let &[first] = &self.starts[..] else { return Ok(()) };
            return self.write_values(0, first, 0);
        };
        let gaps = self.starts.len() - 1;
        let last_base = self.bases.last().copied().unwrap_or(0);
        // Java: Math.round of a float, which is the floor of the value and a half.
        let average = f64::from(last_base as f32 / gaps as f32);
        let average = (average + 0.5).floor() as i64;
        self.write_values(average, first, (last - first) / gaps as u64)
    }

    /// With this many documents and bytes a chunk, on average.
    fn write_values(&mut self, docs: i64, first: u64, size: u64) -> Result<(), Error> {
        let Self { out, bases, starts, .. } = self;
        out.write_vint(starts.len() as i32)?;
        out.write_vint(self.base as i32)?;
        out.write_vint(docs as i32)?;
        write_deltas(out, bases.iter().map(|&base| i64::from(base)), docs)?;
        out.write_vlong(first as i64)?;
        out.write_vlong(size as i64)?;
        write_deltas(out, starts.iter().map(|&start| (start - first) as i64), size as i64)?;
        self.base += self.docs;
        self.docs = 0;
        bases.clear();
        starts.clear();
        Ok(())
    }

    /// Ends the file; the chunks end at `end`.
    pub(super) fn finish(mut self, end: u64) -> Result<FileEnd, Error> {
        self.write_block()?;
        self.out.write_vint(0)?;
        self.out.write_vlong(end as i64)?;
        let written = FileEnd::write(&mut self.out)?;
        self.out.close()?;
        Ok(written)
    }
}

/// The differences of values from a straight line, packed behind their width.
fn write_deltas<O, I>(out: &mut O, values: I, slope: i64) -> Result<(), Error>
where
    O: DataOutput,
    I: Iterator<Item = i64> + Clone,
{
    let deltas = (0..).zip(values).map(|(i, value)| zig(value - slope * i));
    let bits = packed::bits_required(deltas.clone().fold(0, |all, delta| all | delta));
    out.write_vint(bits as i32)?;
    packed::write(out, deltas, bits)
}

/// What `.fdx` says, in memory: 12 bytes a chunk.
#[derive(Debug)]
pub(super) struct Offsets {
    pub(super) version: i32,
    /// Where the chunks end, if the version says so.
    pub(super) end: Option<u64>,
    doc_count: u32,
    bases: Vec<u32>,
    starts: Vec<u64>,
}

/// A chunk as `.fdx` knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its first document.
    pub(super) base: u32,
    /// How many it has.
    pub(super) docs: u32,
    /// Its first byte.
    pub(super) start: u64,
    /// The first byte of the next, where there is one.
    pub(super) end: Option<u64>,
}

impl Offsets {
    /// Verifies and reads the whole file.
    pub(super) fn read(file: &[u8], doc_count: u32) -> Result<Self, Error> {
        Self::parse(file, doc_count).map_err(Error::of_file)
    }

    fn parse(file: &[u8], doc_count: u32) -> Result<Self, Error> {
        let checked = codec::checksum_entire_file(file);
        if let Err(failed @ Error::ChecksumMismatch { .. }) = checked {
            // Whatever the damage makes of the rest.
            return Err(failed);
        }
        let mut input = SliceInput::new(file);
        let version = codec::check_header(&mut input, INDEX_CODEC, 0..=VERSION)?;
        if version >= VERSION_CHECKSUM {
            checked?;
        }
        let packed_version = input.read_vint()?;
        check_packed_version(packed_version)?;
        let mut offsets =
            Self { version, end: None, doc_count, bases: Vec::new(), starts: Vec::new() };
        loop {
            let count = input.read_vint()?;
            match usize::try_from(count) {
                Ok(0) => break,
                Ok(count) => offsets.read_block(file, &mut input, count, packed_version)?,
                Err(_) => return Err(corrupt_index("negative count of chunks")),
            }
        }
        if offsets.bases.is_empty() != (doc_count == 0) {
            return Err(corrupt_index("not the documents of the segment"));
        }
        let mut footer = 0;
        if version >= VERSION_CHECKSUM {
            offsets.end = Some(input.read_vlong()? as u64);
            footer = codec::FOOTER_LENGTH;
        }
        match input.remaining() {
            left if left == footer => Ok(offsets),
            left if left < footer => Err(Error::Truncated),
            _ => Err(corrupt_index("bytes follow its end")),
        }
    }

    fn read_block<'a>(
        &mut self,
        file: &'a [u8],
        input: &mut SliceInput<'a>,
        count: usize,
        packed_version: i32,
    ) -> Result<(), Error> {
        let base = i128::from(input.read_vint()?);
        let docs = i128::from(input.read_vint()?);
        let deltas = match input.read_vint()? {
            bits @ 1..=32 => read_packed(file, input, count, bits as u32, packed_version)?,
            _ => return Err(corrupt_index("width of packed integers")),
        };
        for (i, delta) in (0..).zip(deltas.iter()) {
            self.add_base(base + docs * i + i128::from(zag(delta)))?;
        }
        let first = i128::from(input.read_vlong()?);
        let size = i128::from(input.read_vlong()?);
        let deltas = match input.read_vint()? {
            bits @ 1..=64 => read_packed(file, input, count, bits as u32, packed_version)?,
            _ => return Err(corrupt_index("width of packed integers")),
        };
        for (i, delta) in (0..).zip(deltas.iter()) {
            self.add_start(first + size * i + i128::from(zag(delta)))?;
        }
        Ok(())
    }

    /// A chunk has a document at least, and the first begins with the first.
    fn add_base(&mut self, base: i128) -> Result<(), Error> {
        let fits = match self.bases.last() {
            Some(&last) => base > i128::from(last),
            None => base == 0,
        };
        match u32::try_from(base) {
            Ok(base) if fits && base < self.doc_count => self.bases.push(base),
            _ => return Err(corrupt_index("documents of a chunk")),
        }
        Ok(())
    }

    fn add_start(&mut self, start: i128) -> Result<(), Error> {
        match u64::try_from(start) {
            Ok(start) if self.starts.last().is_none_or(|&last| last < start) => {
                self.starts.push(start);
                Ok(())
            }
            _ => Err(corrupt_index("place of a chunk")),
        }
    }

    /// Whether the chunks lie between these places, and the first begins there.
    pub(super) fn lie_in(&self, from: u64, to: u64) -> bool {
        match (self.starts.first(), self.starts.last()) {
            (Some(&first), Some(&last)) => first == from && last < to,
            _ => from == to,
        }
    }

    /// The chunk in which a document lies.
    pub(super) fn find(&self, doc: u32) -> Option<Place> {
        if doc >= self.doc_count {
            return None;
        }
        let chunk = self.bases.partition_point(|&base| base <= doc).checked_sub(1)?;
        let (&base, &start) = (self.bases.get(chunk)?, self.starts.get(chunk)?);
        let next = self.bases.get(chunk + 1).copied().unwrap_or(self.doc_count);
        Some(Place { base, docs: next - base, start, end: self.starts.get(chunk + 1).copied() })
    }
}

/// The most bytes that the places of the chunks of so many documents can take: two packed values of
/// 32 and 64 bits a document, each filled up to 8 bytes, and seven integers, in a block of its own;
/// then what is there once.
pub(super) fn longest(doc_count: u32) -> u64 {
    128 + u64::from(doc_count) * (2 * 8 + 5 * 5 + 2 * 9)
}

/// Refuses a version of packed integers that is not known.
pub(super) fn check_packed_version(actual: i32) -> Result<(), Error> {
    let (min, max) = (0, PACKED_VERSION);
    match actual {
        ..0 => Err(Error::VersionTooOld { actual, min, max }),
        _ if actual > max => Err(Error::VersionTooNew { actual, min, max }),
        _ => Ok(()),
    }
}
