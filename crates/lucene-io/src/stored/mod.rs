//! Stored fields: the documents of a segment, as Lucene 4.1 to 4.10 and Lucene.NET 4.8 keep them by
//! default (`Lucene41StoredFieldsFormat`).
//!
//! ```
//! use lucene_io::index::{self, Target};
//! use lucene_io::store::RamDirectory;
//! use lucene_io::stored::{Compression, Reader, Value, Verify, Writer};
//!
//! let dir = RamDirectory::new(); // or a folder: store::FsDirectory::open(path)?
//! let mut writer = Writer::create(&dir, "_0", Compression::LuceneExact)?;
//! for (title, year) in [("Faust", 1808), ("Emilia Galotti", 1772)] {
//!     writer.start_document()?.string("title", title).i32("year", year).end()?;
//! }
//! index::write_commit(&dir, &[writer.finish()?], Target::Lucene410)?;
//!
//! let mut reader = Reader::open(&dir, "_0", Verify::OnOpen)?;
//! assert_eq!(reader.document(1)?.get("year"), Some(Value::I32(1772)));
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! # Files
//!
//! `.fdt` holds the documents in chunks of 16 KiB or 128 documents, each compressed alone and, from
//! twice the size on, in pieces; `.fdx` says where each chunk is. A field is its number (the names
//! are in `.fnm`), its type and its value.
//!
//! | version | seen in | differs | |
//! |---|---|---|---|
//! | 0 | Lucene 4.1, 4.2 | large chunks are not cut; no checksum | read |
//! | 1 | Lucene 4.5, 4.6 | no checksum | read |
//! | 2 | Lucene 4.8 to 4.10, Lucene.NET 4.8 | | read and written |
//!
//! Not read: the format of Lucene 4.0 (and of Lucene 3 below it), and those of Lucene 5 and later.
//!
//! # What is verified, and when
//!
//! `.si`, `.fnm` and `.fdx` are read whole when a segment is opened, and always verified. `.fdt` has
//! the length that `.fdx` says, or is refused at open. With [`Verify::OnOpen`] its checksum (and
//! that of the compound file, if it is in one) is compared too, so that any document that is read
//! later is the one that was written. With [`Verify::Lazy`] it is not: damage is then an error where
//! the bytes contradict themselves, and may be a wrong value where they do not. Versions before 2
//! have no checksums, so that [`Verify::OnOpen`] has nothing to compare.
//!
//! # Untrusted input
//!
//! Nothing panics, also when the checksums of what was forged are right. No count or length that a
//! file declares reserves more than its bytes can yield, which with LZ4 is 255 times as many.

mod chunk;
mod chunk_writer;
mod document;
mod format;
mod names;
mod offsets;
mod reader;
mod value;
mod writer;

pub use crate::lz4::Compression;
pub use document::Document;
pub use reader::Reader;
pub use value::{FieldRef, Value, Visit};
pub use writer::{DocumentWriter, Writer};

/// When the bytes of large files are compared with their checksums. Small ones, which are read whole
/// anyway, always are; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Verify {
    /// When they are opened: each is read once from end to end, at the speed of memory (7 MB take
    /// about 0.2 ms) or of the disk.
    #[default]
    OnOpen,
    /// Never. Of the large files opening reads a few bytes; damage may go unseen.
    Lazy,
}

/// How a segment's documents are written.
///
/// ```
/// use lucene_io::stored::{Compression, Options};
///
/// let mut options = Options::default();
/// options.compression = Compression::Fast;
/// assert_eq!(options, Options::from(Compression::Fast));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Options {
    /// How chunks are compressed; as Lucene does it, unless chosen otherwise.
    pub compression: Compression,
}

impl From<Compression> for Options {
    fn from(compression: Compression) -> Self {
        Self { compression }
    }
}
