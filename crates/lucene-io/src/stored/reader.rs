//! Reads `.fdt` and `.fdx`.

use super::chunk::{self, Chunk, Data, Found};
use super::format::{
    BYTES, DATA_CODEC, F32, F64, I32, I64, STRING, TYPE_BITS, VERSION, VERSION_BIG_CHUNKS,
    corrupt_data, corrupt_index, file_names, make_room,
};
use super::offsets::{self, Offsets, check_packed_version};
use super::{Document, FieldRef, Value, Verify, Visit};
use crate::index::field_infos::{self, FieldNames};
use crate::index::segment_info;
use crate::store::{CompoundDirectory, Directory, FileSlice, check_name};
use crate::{DataInput, Error, SliceInput, codec};
use core::fmt;
use std::io::{self, ErrorKind};
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

/// Reads the documents of a segment.
///
/// It keeps the places of the chunks (12 bytes each) and the chunk that was read last, so that the
/// next document of the same chunk costs no decompression. Documents that are read one after the
/// other, from the first, cost least; for some of them use [`documents`](Self::documents). A clone
/// shares the file and what was read at open, has a chunk of its own, and can go to another thread.
///
/// ```
/// use lucene_io::index::{self, Target};
/// use lucene_io::store::RamDirectory;
/// use lucene_io::stored::{Options, Reader, Value, Verify, Visit, Writer};
///
/// let dir = RamDirectory::new();
/// let mut writer = Writer::create(&dir, "_0", Options::default())?;
/// writer.start_document()?.string("title", "Faust").i32("year", 1808).end()?;
/// index::write_commit(&dir, &[writer.finish()?], Target::Lucene410)?;
///
/// let mut reader = Reader::open(&dir, "_0", Verify::OnOpen)?;
/// for doc in 0..reader.doc_count() {
///     reader.visit(doc, |field| {
///         if let Value::String(text) = field.value {
///             println!("{}: {text}", field.name); // borrowed, nothing is allocated
///         }
///         Visit::Next
///     })?;
/// }
/// # Ok::<(), lucene_io::Error>(())
/// ```
pub struct Reader {
    shared: Arc<Shared>,
    chunk: Chunk,
    /// The document behind the last one that was read.
    next: u32,
    lossy: bool,
}

struct Shared {
    data: Data,
    offsets: Offsets,
    names: Arc<FieldNames>,
    doc_count: u32,
}

impl Clone for Reader {
    fn clone(&self) -> Self {
        let shared = Arc::clone(&self.shared);
        Self { shared, chunk: Chunk::default(), next: 0, lossy: self.lossy }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("doc_count", &self.doc_count()).finish_non_exhaustive()
    }
}

impl Reader {
    /// Opens a segment by its name, as in `_0`; follows its `.si`, and into its compound file.
    ///
    /// # Errors
    /// [`Error::InvalidName`] for the segment. In this order, as far as it gets: those of `.si`, `.cfs` and `.fnm`; of `.fdx`, which is
    /// always verified; [`Error::Truncated`] or [`Error::Corrupt`] when `.fdt` is shorter or longer
    /// than `.fdx` says; [`Error::ChecksumMismatch`] and [`Error::FooterMismatch`] of `.fdt`, when
    /// it is verified; the errors of its header; and [`Error::Corrupt`] when the two files or the
    /// segment contradict each other.
    pub fn open<D: Directory>(dir: &D, segment: &str, verify: Verify) -> Result<Self, Error> {
        check_name(segment)?;
        let info = segment_info::read(dir, segment)?;
        if info.is_compound {
            let dir = CompoundDirectory::open(dir, segment, verify)?;
            Self::open_files(&dir, segment, info.doc_count, verify)
        } else {
            Self::open_files(dir, segment, info.doc_count, verify)
        }
    }

    fn open_files<D: Directory>(
        dir: &D,
        segment: &str,
        doc_count: u32,
        verify: Verify,
    ) -> Result<Self, Error> {
        let names = Arc::new(field_infos::read(dir, segment)?);
        let (data_name, index_name) = file_names(segment);
        let offsets = read_offsets(&dir.open_file(&index_name)?, doc_count)?;
        let data = open_data(dir.open_file(&data_name)?, &offsets, verify)?;
        let shared = Arc::new(Shared { data, offsets, names, doc_count });
        if let Some(last) = doc_count.checked_sub(1).and_then(|last| shared.offsets.find(last)) {
            // Only there is seen whether the segment has as many documents as it should.
            chunk::check(&shared.data, last)?;
        }
        Ok(Self { shared, chunk: Chunk::default(), next: 0, lossy: false })
    }

    /// How many documents there are, the deleted ones included.
    #[must_use]
    pub fn doc_count(&self) -> u32 {
        self.shared.doc_count
    }

    /// Whether text that is not UTF-8 is read with U+FFFD for whatever is wrong, as
    /// [`String::from_utf8_lossy`] (and .NET) does it, and is no error. Off at first. Lucene writes
    /// nothing but UTF-8.
    pub fn set_lossy(&mut self, lossy: bool) {
        self.lossy = lossy;
    }

    /// Gives the fields of a document to a visitor, in the order in which they were written, until
    /// it has enough. Text and bytes are borrowed from the chunk; nothing is allocated in the
    /// steady state.
    ///
    /// # Errors
    /// [`Error::Io`] of kind `InvalidInput` when there is no such document, and of other kinds when
    /// the file cannot be read. [`Error::Corrupt`], [`Error::InvalidVInt`],
    /// [`Error::InvalidVLong`], [`Error::NegativeLength`] and [`Error::InvalidUtf8`] when it makes
    /// no sense; positions count from the first byte of the document as it is when decompressed.
    /// The visitor has then seen the fields before.
    pub fn visit<F>(&mut self, doc: u32, visitor: F) -> Result<(), Error>
    where
        F: FnMut(FieldRef<'_>) -> Visit,
    {
        let found = self.load(doc, doc == self.next)?;
        self.next = doc.wrapping_add(1);
        self.visit_found(&found, visitor)
    }

    /// A document of its own: three allocations at most.
    ///
    /// # Errors
    /// As [`visit`](Self::visit).
    pub fn document(&mut self, doc: u32) -> Result<Document, Error> {
        let found = self.load(doc, doc == self.next)?;
        self.next = doc.wrapping_add(1);
        self.own(&found)
    }

    /// Several documents, in the order asked for. They are read in the order of the file, each
    /// chunk once, and only up to the last document that is needed of it.
    ///
    /// # Errors
    /// As [`visit`](Self::visit).
    pub fn documents(&mut self, docs: &[u32]) -> Result<Vec<Document>, Error> {
        let mut order: Vec<(u32, usize)> = docs.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let mut read: Vec<Option<Document>> = Vec::new();
        read.resize_with(docs.len(), || None);
        let mut rest = order.as_slice();
        while let [(first, _), ..] = *rest {
            if !self.chunk.holds(first) {
                self.open_chunk(first)?;
            }
            let here = rest.partition_point(|&(doc, _)| self.chunk.holds(doc));
            let (of_chunk, others) = rest.split_at(here.max(1));
            rest = others;
            if let Some(&(last, _)) = of_chunk.last() {
                self.load(last, false)?;
            }
            for &(doc, place) in of_chunk {
                let found = self.load(doc, false)?;
                read[place] = Some(self.own(&found)?);
            }
        }
        // In place: an `Option` of a document is no larger.
        read.into_iter().collect::<Option<_>>().ok_or_else(|| corrupt_data("no such document"))
    }

    /// The document behind a chunk without a byte, if that is what was read last and holds `doc`.
    pub(crate) fn end_of_empty(&self, doc: u32) -> Option<u32> {
        self.chunk.holds(doc).then(|| self.chunk.end_of_empty())?
    }

    fn own(&self, found: &Found) -> Result<Document, Error> {
        let mut document =
            Document::new(Arc::clone(&self.shared.names), found.fields, found.bytes.len());
        let mut fits = true;
        self.visit_found(found, |field| {
            fits = document.push(field);
            if fits { Visit::Next } else { Visit::Stop }
        })?;
        if fits { Ok(document) } else { Err(Error::TooLong { length: u64::from(u32::MAX) }) }
    }

    fn open_chunk(&mut self, doc: u32) -> Result<(), Error> {
        let Some(place) = self.shared.offsets.find(doc) else {
            let text = std::format!("no document {doc}, there are {}", self.doc_count());
            return Err(Error::Io(io::Error::new(ErrorKind::InvalidInput, text)));
        };
        self.chunk.open(&self.shared.data, place)
    }

    #[inline]
    fn load(&mut self, doc: u32, whole: bool) -> Result<Found, Error> {
        if !self.chunk.holds(doc) {
            self.open_chunk(doc)?;
        }
        self.chunk.find(&self.shared.data, doc, whole)
    }

    #[inline]
    fn visit_found<F>(&self, found: &Found, mut visitor: F) -> Result<(), Error>
    where
        F: FnMut(FieldRef<'_>) -> Visit,
    {
        let mut input = SliceInput::new(self.chunk.bytes(found));
        for _ in 0..found.fields {
            let tag = input.read_vlong().map_err(beyond)? as u64;
            let field = u32::try_from(tag >> TYPE_BITS).ok();
            let Some((number, name)) =
                field.and_then(|number| Some((number, self.shared.names.name(number)?)))
            else {
                return Err(corrupt_data("a field number that the segment does not have"));
            };
            let replaced;
            let value = match tag as u8 & ((1 << TYPE_BITS) - 1) {
                STRING if self.lossy => {
                    let bytes = input.read_byte_slice().map_err(beyond)?;
                    replaced = String::from_utf8_lossy(bytes);
                    Value::String(&replaced)
                }
                STRING => Value::String(input.read_str().map_err(beyond)?),
                BYTES => Value::Bytes(input.read_byte_slice().map_err(beyond)?),
                I32 => Value::I32(input.read_i32().map_err(beyond)?),
                F32 => Value::F32(f32::from_bits(input.read_i32().map_err(beyond)? as u32)),
                I64 => Value::I64(input.read_i64().map_err(beyond)?),
                F64 => Value::F64(f64::from_bits(input.read_i64().map_err(beyond)? as u64)),
                _ => return Err(corrupt_data("unknown type of a field")),
            };
            if visitor(FieldRef { number, name, value }) == Visit::Stop {
                return Ok(());
            }
        }
        if input.remaining() > 0 {
            return Err(corrupt_data("a document with more bytes than its fields"));
        }
        Ok(())
    }
}

/// The end that a field of a document passes is that of the document.
#[cold]
fn beyond(error: Error) -> Error {
    match error {
        Error::UnexpectedEof { .. } => corrupt_data("a document with fewer bytes than its fields"),
        other => other,
    }
}

/// The whole of `.fdx`.
fn read_offsets(file: &FileSlice, doc_count: u32) -> Result<Offsets, Error> {
    // First of all, wherever the file lies: what is wrong with it does not depend on that, and memory
    // for it is then bounded by the documents.
    if file.len() > offsets::longest(doc_count) {
        return Err(corrupt_index("longer than the places of its chunks"));
    }
    if let Some(bytes) = file.as_slice() {
        return Offsets::read(bytes, doc_count);
    }
    let mut bytes = Vec::new();
    let len = usize::try_from(file.len()).map_err(|_| corrupt_index("larger than memory"))?;
    make_room(&mut bytes, len)?;
    file.read_at(0, &mut bytes).map_err(Error::of_file)?;
    Offsets::read(&bytes, doc_count)
}

/// Verifies `.fdt` and reads its header.
fn open_data(file: FileSlice, offsets: &Offsets, when: Verify) -> Result<Data, Error> {
    let mut end = file.len();
    if let Some(expected) = offsets.end {
        let expected = expected.saturating_add(codec::FOOTER_LENGTH as u64);
        if file.len() < expected {
            return Err(Error::Truncated);
        }
        if file.len() > expected {
            return Err(corrupt_data("longer than its index says"));
        }
        end -= codec::FOOTER_LENGTH as u64;
        if when == Verify::OnOpen {
            file.checksum_entire_file()?;
        }
    }
    let (header, chunk_size, packed_version) =
        read_header(&file, offsets).map_err(Error::of_file)?;
    if !offsets.lie_in(header, end) {
        return Err(corrupt_data("chunks that are not where its index says"));
    }
    Ok(Data { file, packed_version, chunk_size, end })
}

/// The length of the header of `.fdt`, the size of a chunk and the version of packed integers.
fn read_header(file: &FileSlice, offsets: &Offsets) -> Result<(u64, Option<usize>, i32), Error> {
    let mut input = file.input();
    let version = codec::check_header(&mut input, DATA_CODEC, 0..=VERSION)?;
    if version != offsets.version {
        return Err(corrupt_data("version of another index"));
    }
    let chunk_size = if version >= VERSION_BIG_CHUNKS {
        match usize::try_from(input.read_vint()?) {
            Ok(size @ 1..) => Some(size),
            _ => return Err(corrupt_data("size of a chunk")),
        }
    } else {
        None
    };
    let packed_version = input.read_vint()?;
    check_packed_version(packed_version)?;
    Ok((input.position(), chunk_size, packed_version))
}
