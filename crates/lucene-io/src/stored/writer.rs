//! Writes `.fdt` and `.fdx`.

use super::Options;
use super::format::{
    BYTES, CHUNK_DOCS, CHUNK_SIZE, DATA_CODEC, F32, F64, I32, I64, MAX, PACKED_VERSION, STRING,
    TYPE_BITS, VERSION, file_names, write_ints,
};
use super::names::Names;
use super::offsets::OffsetsWriter;
use crate::index::Segment;
use crate::lz4::Compressor;
use crate::store::{Directory, check_name};
use crate::{DataOutput, Error, IndexOutput, codec};
use core::fmt;
use std::io;
use std::string::String;
use std::vec::Vec;

/// Memory that a large document needed is given back when chunks are small again.
const KEEP: usize = 1 << 20;

/// Writes the documents of a new segment, one after the other.
///
/// It holds one chunk: 16 KiB, or one document when that is larger. Nothing is allocated a document
/// once a few of the kind were written. The files are of version 2 (Lucene 4.8 to 4.10,
/// Lucene.NET 4.8), and with [`Compression::LuceneExact`](super::Compression::LuceneExact) the very
/// bytes that Java writes.
///
/// ```
/// use lucene_io::store::{Directory, RamDirectory};
/// use lucene_io::stored::{Options, Writer};
///
/// let dir = RamDirectory::new();
/// let mut writer = Writer::create(&dir, "_0", Options::default())?;
/// writer.start_document()?.string("title", "Faust").i32("year", 1808).end()?;
/// let segment = writer.finish()?;
/// assert_eq!(segment.doc_count(), 1);
/// assert_eq!(dir.list_all()?, ["_0.fdt", "_0.fdx"]);
/// # Ok::<(), lucene_io::Error>(())
/// ```
///
/// The segment is then part of an index when [`index::write_commit`](crate::index) names it.
/// A writer that is dropped, and not finished, leaves files that are not whole.
pub struct Writer<O> {
    document: DocumentWriter<O>,
}

impl<O> fmt::Debug for Writer<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.describe("Writer", f)
    }
}

impl<O: IndexOutput> Writer<O> {
    /// Makes `<segment>.fdt` and `<segment>.fdx`.
    ///
    /// # Errors
    /// [`Error::Io`] of kind `AlreadyExists` when one of them is there, [`Error::InvalidName`], and
    /// what the directory gives.
    pub fn create<D>(dir: &D, segment: &str, options: impl Into<Options>) -> Result<Self, Error>
    where
        D: Directory<Output = O>,
    {
        check_name(segment)?;
        let options = options.into();
        let (data_name, index_name) = file_names(segment);
        let mut data = dir.create_output(&data_name)?;
        let offsets = match dir.create_output(&index_name) {
            Ok(index) => OffsetsWriter::new(index)?,
            Err(error) => {
                // This one is new, and of no use alone. The first error counts.
                drop(data);
                let _ = dir.delete_file(&data_name);
                return Err(error);
            }
        };
        codec::write_header(&mut data, DATA_CODEC, VERSION)?;
        data.write_vint(CHUNK_SIZE as i32)?;
        data.write_vint(PACKED_VERSION)?;
        let document = DocumentWriter {
            segment: segment.into(),
            data,
            offsets,
            compressor: Compressor::new(options.compression),
            names: Names::new(),
            chunk: Vec::with_capacity(2 * CHUNK_SIZE),
            compressed: Vec::new(),
            fields: Vec::with_capacity(CHUNK_DOCS),
            lengths: Vec::with_capacity(CHUNK_DOCS),
            doc_count: 0,
            accepting: false,
            open: None,
            error: None,
            failed: false,
        };
        Ok(Self { document })
    }

    /// Begins a document, to which fields are then added; it counts once its
    /// [`end`](DocumentWriter::end) was Ok.
    ///
    /// # Errors
    /// [`Error::OpenDocument`] when the last one was not ended (it is then left out, and the writer
    /// can go on), or was given a field after its end; [`Error::TooLong`] when there are `i32::MAX`
    /// documents; and [`Error::Io`] when an earlier write failed.
    pub fn start_document(&mut self) -> Result<&mut DocumentWriter<O>, Error> {
        self.document.start()?;
        Ok(&mut self.document)
    }

    /// Writes what is left and ends both files.
    ///
    /// # Errors
    /// [`Error::OpenDocument`] as [`start_document`](Self::start_document), and [`Error::Io`]. The
    /// files are then not whole.
    pub fn finish(self) -> Result<Segment, Error> {
        let mut this = self.document;
        this.check_closed()?;
        this.flush()?;
        let end = this.data.position();
        codec::write_footer(&mut this.data)?;
        this.data.close()?;
        this.offsets.finish(end)?;
        Ok(Segment::written(&this.segment, this.doc_count, this.names.into_fields()))
    }
}

/// Adds fields to the document that was begun; from [`Writer::start_document`].
///
/// Calls can be chained or not. The first error is kept and comes out at [`end`](Self::end).
///
/// ```
/// # use lucene_io::{store::RamDirectory, stored::{Options, Writer}};
/// # let mut writer = Writer::create(&RamDirectory::new(), "_0", Options::default())?;
/// let mut doc = writer.start_document()?;
/// for author in ["Gamma", "Helm", "Johnson", "Vlissides"] {
///     doc = doc.string("author", author);
/// }
/// doc.end()?;
/// # Ok::<(), lucene_io::Error>(())
/// ```
pub struct DocumentWriter<O> {
    segment: String,
    data: O,
    offsets: OffsetsWriter<O>,
    compressor: Compressor,
    names: Names,
    /// The documents of the chunk, as they will be compressed.
    chunk: Vec<u8>,
    compressed: Vec<u8>,
    /// Of each document of the chunk.
    fields: Vec<u32>,
    lengths: Vec<u32>,
    /// Documents that were ended.
    doc_count: u32,
    /// A document is open and nothing was wrong with it so far.
    accepting: bool,
    open: Option<Open>,
    error: Option<Error>,
    /// The files are not what they should be.
    failed: bool,
}

/// The document that is open: what was there before it, and how many fields it has.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    names: usize,
    fields: u32,
}

impl<O> fmt::Debug for DocumentWriter<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe("DocumentWriter", f)
    }
}

impl<O> DocumentWriter<O> {
    fn describe(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("segment", &self.segment)
            .field("doc_count", &self.doc_count)
            .field("open", &self.open.is_some())
            .finish_non_exhaustive()
    }
}

impl<O: IndexOutput> DocumentWriter<O> {
    /// Text, as UTF-8.
    #[inline]
    pub fn string(&mut self, field: &str, text: &str) -> &mut Self {
        if self.begin(field, STRING) {
            let written = self.chunk.write_string(text);
            self.check(written);
        }
        self
    }

    /// Text from UTF-16, with no copy between; a lone surrogate becomes U+FFFD, as in Java and .NET.
    #[inline]
    pub fn utf16(&mut self, field: &str, units: &[u16]) -> &mut Self {
        if self.begin(field, STRING) {
            let written = self.chunk.write_utf16(units);
            self.check(written);
        }
        self
    }

    /// Bytes.
    #[inline]
    pub fn bytes(&mut self, field: &str, bytes: &[u8]) -> &mut Self {
        if self.begin(field, BYTES) {
            let written = crate::data::length(bytes.len())
                .and_then(|length| self.chunk.write_vint(length))
                .and_then(|()| self.chunk.write_bytes(bytes));
            self.check(written);
        }
        self
    }

    /// A number of 32 bits.
    #[inline]
    pub fn i32(&mut self, field: &str, value: i32) -> &mut Self {
        self.fixed(field, I32, value.to_be_bytes())
    }

    /// A number of 64 bits.
    #[inline]
    pub fn i64(&mut self, field: &str, value: i64) -> &mut Self {
        self.fixed(field, I64, value.to_be_bytes())
    }

    /// A floating-point number of 32 bits; every bit pattern stays as it is.
    #[inline]
    pub fn f32(&mut self, field: &str, value: f32) -> &mut Self {
        self.fixed(field, F32, value.to_bits().to_be_bytes())
    }

    /// A floating-point number of 64 bits; every bit pattern stays as it is.
    #[inline]
    pub fn f64(&mut self, field: &str, value: f64) -> &mut Self {
        self.fixed(field, F64, value.to_bits().to_be_bytes())
    }

    /// Ends the document, which is then the writer's next one.
    ///
    /// # Errors
    /// What was wrong with a field or with all of them: [`Error::TooLong`] above `i32::MAX` bytes.
    /// The document is then not in the file, nor are names that it brought, and the writer can go
    /// on. [`Error::OpenDocument`] when none is open or a field came after its end, and
    /// [`Error::Io`] when a full chunk cannot be written: the writer is then of no more use.
    pub fn end(&mut self) -> Result<(), Error> {
        let open = self.open.ok_or(Error::OpenDocument);
        if let Some(error) = self.error.take() {
            self.roll_back();
            return Err(error);
        }
        let open = open?;
        if self.chunk.len() > MAX {
            let length = (self.chunk.len() - open.start) as u64;
            self.roll_back();
            return Err(Error::TooLong { length });
        }
        self.open = None;
        self.accepting = false;
        self.fields.push(open.fields);
        self.lengths.push((self.chunk.len() - open.start) as u32);
        self.doc_count += 1;
        if self.chunk.len() >= CHUNK_SIZE || self.lengths.len() >= CHUNK_DOCS {
            self.flush()?;
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), Error> {
        self.check_closed()?;
        if self.doc_count == MAX as u32 {
            return Err(Error::TooLong { length: MAX as u64 + 1 });
        }
        self.names.begin();
        let (start, names) = (self.chunk.len(), self.names.len());
        self.open = Some(Open { start, names, fields: 0 });
        self.accepting = true;
        Ok(())
    }

    fn check_closed(&mut self) -> Result<(), Error> {
        if self.failed {
            return Err(Error::Io(io::Error::other("an earlier write of the segment failed")));
        }
        let was_open = self.open.is_some();
        self.roll_back();
        match self.error.take() {
            Some(_) => Err(Error::OpenDocument),
            None if was_open => Err(Error::OpenDocument),
            None => Ok(()),
        }
    }

    fn roll_back(&mut self) {
        self.accepting = false;
        if let Some(open) = self.open.take() {
            self.chunk.truncate(open.start);
            self.names.truncate(open.names);
        }
    }

    /// Number and type of a field; whether its value may follow.
    #[inline]
    fn begin(&mut self, field: &str, kind: u8) -> bool {
        match &mut self.open {
            Some(open) if self.accepting => open.fields += 1,
            _ => return self.refuse(),
        }
        let number = self.names.number(field);
        if number < 0x10 {
            self.chunk.push((number << TYPE_BITS) as u8 | kind);
        } else {
            let tag = u64::from(number) << TYPE_BITS | u64::from(kind);
            if tag < 0x4000 {
                self.chunk.extend_from_slice(&[tag as u8 | 0x80, (tag >> 7) as u8]);
            } else {
                let written = self.chunk.write_vlong(tag as i64);
                self.check(written);
            }
        }
        true
    }

    #[cold]
    #[inline(never)]
    fn refuse(&mut self) -> bool {
        if self.error.is_none() {
            self.error = Some(Error::OpenDocument);
        }
        false
    }

    #[inline]
    fn fixed<const N: usize>(&mut self, field: &str, kind: u8, bytes: [u8; N]) -> &mut Self {
        if self.begin(field, kind) {
            self.chunk.extend_from_slice(&bytes);
            self.check(Ok(()));
        }
        self
    }

    /// Keeps an error, and refuses to grow without end.
    #[inline]
    fn check(&mut self, written: Result<(), Error>) {
        match written {
            Ok(()) if self.chunk.len() <= MAX => {}
            Ok(()) => self.keep(Error::TooLong { length: self.chunk.len() as u64 }),
            Err(error) => self.keep(error),
        }
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, error: Error) {
        self.accepting = false;
        self.error = Some(error);
    }

    /// Writes the chunk.
    fn flush(&mut self) -> Result<(), Error> {
        if self.lengths.is_empty() {
            return Ok(());
        }
        let written = self.write_chunk();
        self.failed = written.is_err();
        let used = self.chunk.len();
        for memory in [&mut self.chunk, &mut self.compressed] {
            memory.clear();
            if memory.capacity() > KEEP && used < memory.capacity() / 4 {
                memory.shrink_to(2 * CHUNK_SIZE);
            }
        }
        self.fields.clear();
        self.lengths.clear();
        written
    }

    fn write_chunk(&mut self) -> Result<(), Error> {
        let docs = self.lengths.len() as u32;
        self.offsets.add(docs, self.data.position())?;
        self.data.write_vint((self.doc_count - docs) as i32)?;
        self.data.write_vint(docs as i32)?;
        write_ints(&mut self.data, &self.fields)?;
        write_ints(&mut self.data, &self.lengths)?;
        // A chunk of twice the size is cut, so that it can be read without all of it in memory.
        let most = if self.chunk.len() >= 2 * CHUNK_SIZE { CHUNK_SIZE } else { 2 * CHUNK_SIZE };
        let mut rest = self.chunk.as_slice();
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
