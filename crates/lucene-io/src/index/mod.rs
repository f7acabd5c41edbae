//! Commits and the segments they name: `segments_N`, `.si` and `.fnm`; after
//! `org.apache.lucene.index.SegmentInfos`.
//!
//! ```
//! use lucene_io::index::{self, Target};
//! use lucene_io::store::RamDirectory;
//! use lucene_io::stored::{Options, Writer};
//!
//! let dir = RamDirectory::new(); // or a folder: FsDirectory::open(path)?
//! let mut writer = Writer::create(&dir, "_0", Options::default())?;
//! writer.start_document()?.string("title", "Faust").end()?;
//! index::write_commit(&dir, &[writer.finish()?], Target::Lucene410)?;
//!
//! // More documents: what is there is carried over, and a segment is added.
//! let mut segments = index::read_commit(&dir)?.segments().to_vec();
//! let mut writer = Writer::create(&dir, "_1", Options::default())?;
//! writer.start_document()?.string("title", "Egmont").end()?;
//! segments.push(writer.finish()?);
//! index::write_commit(&dir, &segments, Target::Lucene410)?;
//!
//! let commit = index::read_commit(&dir)?;
//! assert_eq!(commit.generation(), 2);
//! assert_eq!(commit.segments().iter().map(|segment| segment.doc_count()).sum::<u32>(), 2);
//! # Ok::<(), lucene_io::Error>(())
//! ```
//!
//! | file | read | written |
//! |---|---|---|
//! | `segments_N` | Lucene 4.0 to 4.10, Lucene.NET 4.8 | as [`Target`] says |
//! | `.si` | `Lucene40SegmentInfo`, `Lucene46SegmentInfo` | the latter |
//! | `.fnm` | `Lucene40FieldInfos`, `Lucene42FieldInfos`, `Lucene46FieldInfos` | the last |
//!
//! Segments of Lucene 3, which a Lucene 4 index may still have, are [`Error::CodecMismatch`].
//!
//! `write.lock` is not looked at: one writer at a time, and no `IndexWriter` of Lucene meanwhile.
//!
//! # Untrusted input
//!
//! Since Lucene 4.8 each file has a checksum, which is verified before anything is parsed. Older
//! `.si` and `.fnm` have none: damage to them may go unseen. Names of files that a file holds are
//! checked as [`check_name`](crate::store::check_name) does.
//!
//! [`Error::CodecMismatch`]: crate::Error::CodecMismatch

mod check;
mod commit;
mod deleted;
pub(crate) mod field_infos;
mod file_end;
pub(crate) mod names;
mod part;
pub(crate) mod segment_info;
mod segments_file;

pub use check::check;
pub use commit::{Commit, read_commit, write_commit};

pub(crate) use file_end::FileEnd;

use field_infos::FieldNames;
use segment_info::SegmentInfo;
use segments_file::Record;
use std::boxed::Box;
use std::string::String;

/// For which Lucene a commit is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// Lucene 4.10: codec `Lucene410`.
    #[default]
    Lucene410,
    /// Lucene.NET 4.8, and Lucene 4.8 to 4.10: codec `Lucene46`.
    Lucene46,
}

/// A part of an index: documents that were written together.
///
/// It comes from [`read_commit`], or from [`Writer::finish`](crate::stored::Writer::finish).
#[derive(Clone, Debug)]
pub struct Segment {
    name: String,
    doc_count: u32,
    fields: FieldNames,
    origin: Origin,
}

/// Where a segment comes from.
#[derive(Clone, Debug)]
enum Origin {
    /// A writer, that made a `.fdt` and a `.fdx`; it is in no commit yet.
    Written([FileEnd; 2]),
    Committed(Box<Committed>),
}

/// What is known of a segment from a commit.
#[derive(Clone, Debug)]
struct Committed {
    record: Record,
    info: SegmentInfo,
}

impl Segment {
    /// What a writer of stored fields has made: `.fdt` and `.fdx` are there, `.fnm` and `.si` are
    /// not.
    pub(crate) fn written(
        name: &str,
        doc_count: u32,
        fields: FieldNames,
        files: [FileEnd; 2],
    ) -> Self {
        Self { name: name.into(), doc_count, fields, origin: Origin::Written(files) }
    }

    fn committed(&self) -> Option<&Committed> {
        match &self.origin {
            Origin::Written(_) => None,
            Origin::Committed(known) => Some(known),
        }
    }

    /// The name that its files begin with, as in `_0`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many documents it has, the deleted ones included.
    #[must_use]
    pub fn doc_count(&self) -> u32 {
        self.doc_count
    }

    /// How many of its documents are deleted.
    #[must_use]
    pub fn deleted_count(&self) -> u32 {
        self.committed().map_or(0, |known| known.record.del_count)
    }

    /// Whether its files lie in one, `.cfs`.
    #[must_use]
    pub fn is_compound(&self) -> bool {
        self.committed().is_some_and(|known| known.info.is_compound)
    }

    /// The codec it was written with, as in `Lucene410`. Empty for a segment that did not come from
    /// a commit: the target of the commit decides.
    #[must_use]
    pub fn codec(&self) -> &str {
        self.committed().map_or("", |known| &known.record.codec)
    }

    /// The numbers and names of its fields, by number.
    pub fn fields(&self) -> impl Iterator<Item = (u32, &str)> {
        self.fields.iter()
    }
}
