//! Writes `.fdt` and `.fdx`.

use super::Options;
use super::chunk_writer::ChunkWriter;
use super::format::{BYTES, F32, F64, I32, I64, MAX, STRING, TYPE_BITS, file_names};
use super::names::Names;
use crate::index::Segment;
use crate::store::{Directory, check_name};
use crate::{DataOutput, Error, IndexOutput};
use core::fmt;
use std::string::String;

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
    /// Makes `<segment>.fdt` and `<segment>.fdx`. A commit takes segments that are named as Lucene
    /// does it, `_0`, `_1` … `_a`.
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
        let data = dir.create_output(&data_name)?;
        let index = match dir.create_output(&index_name) {
            Ok(index) => index,
            Err(error) => {
                // This one is new, and of no use alone. The first error counts.
                drop(data);
                let _ = dir.delete_file(&data_name);
                return Err(error);
            }
        };
        let document = DocumentWriter {
            segment: segment.into(),
            chunk: ChunkWriter::new(data, index, options.compression)?,
            names: Names::new(),
            accepting: false,
            open: None,
            error: None,
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
        let (doc_count, ends) = this.chunk.finish()?;
        Ok(Segment::written(&this.segment, doc_count, this.names.into_fields(), ends))
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
    chunk: ChunkWriter<O>,
    names: Names,
    /// A document is open and nothing was wrong with it so far.
    accepting: bool,
    open: Option<Open>,
    error: Option<Error>,
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
            .field("doc_count", &self.chunk.doc_count())
            .field("open", &self.open.is_some())
            .finish_non_exhaustive()
    }
}

impl<O: IndexOutput> DocumentWriter<O> {
    /// Text, as UTF-8.
    #[inline]
    pub fn string(&mut self, field: &str, text: &str) -> &mut Self {
        if self.begin(field, STRING) {
            let written = self.chunk.bytes.write_string(text);
            self.check(written);
        }
        self
    }

    /// Text from UTF-16, with no copy between; a lone surrogate becomes U+FFFD, as in Java and .NET.
    #[inline]
    pub fn utf16(&mut self, field: &str, units: &[u16]) -> &mut Self {
        if self.begin(field, STRING) {
            let written = self.chunk.bytes.write_utf16(units);
            self.check(written);
        }
        self
    }

    /// Bytes.
    #[inline]
    pub fn bytes(&mut self, field: &str, bytes: &[u8]) -> &mut Self {
        if self.begin(field, BYTES) {
            let written = crate::data::length(bytes.len())
                .and_then(|length| self.chunk.bytes.write_vint(length))
                .and_then(|()| self.chunk.bytes.write_bytes(bytes));
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

    /// A floating-point number of 32 bits; every bit pattern stays as it is (Java makes all NaN
    /// the same one).
    #[inline]
    pub fn f32(&mut self, field: &str, value: f32) -> &mut Self {
        self.fixed(field, F32, value.to_bits().to_be_bytes())
    }

    /// A floating-point number of 64 bits; as [`f32`](Self::f32).
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
        if self.chunk.bytes.len() > MAX {
            let length = (self.chunk.bytes.len() - open.start) as u64;
            self.roll_back();
            return Err(Error::TooLong { length });
        }
        self.open = None;
        self.accepting = false;
        self.chunk.end_document(open.start, open.fields)
    }

    fn start(&mut self) -> Result<(), Error> {
        self.check_closed()?;
        if self.chunk.doc_count() as usize == MAX {
            return Err(Error::TooLong { length: MAX as u64 + 1 });
        }
        self.names.begin();
        let (start, names) = (self.chunk.bytes.len(), self.names.len());
        self.open = Some(Open { start, names, fields: 0 });
        self.accepting = true;
        Ok(())
    }

    fn check_closed(&mut self) -> Result<(), Error> {
        self.chunk.check()?;
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
            self.chunk.bytes.truncate(open.start);
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
            self.chunk.bytes.push((number << TYPE_BITS) as u8 | kind);
        } else {
            let tag = u64::from(number) << TYPE_BITS | u64::from(kind);
            if tag < 0x4000 {
                self.chunk.bytes.extend_from_slice(&[tag as u8 | 0x80, (tag >> 7) as u8]);
            } else {
                let written = self.chunk.bytes.write_vlong(tag as i64);
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
            self.chunk.bytes.extend_from_slice(&bytes);
            self.check(Ok(()));
        }
        self
    }

    /// Keeps an error, and refuses to grow without end.
    #[inline]
    fn check(&mut self, written: Result<(), Error>) {
        match written {
            Ok(()) if self.chunk.bytes.len() <= MAX => {}
            Ok(()) => self.keep(Error::TooLong { length: self.chunk.bytes.len() as u64 }),
            Err(error) => self.keep(error),
        }
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, error: Error) {
        self.accepting = false;
        self.error = Some(error);
    }
}
