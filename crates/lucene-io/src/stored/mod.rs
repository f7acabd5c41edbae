//! Stored fields: the documents of a segment, as Lucene 4.1 to 4.10 and Lucene.NET 4.8 write them.

mod chunk;
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

/// When the bytes of a file are compared with its checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    /// When it is opened: each file is read once from end to end. What comes after is what was
    /// written.
    #[default]
    OnOpen,
    /// Never. Damage may then go unseen, or be found only where it makes no sense.
    Lazy,
}

/// How a segment's documents are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// How chunks are compressed.
    pub compression: Compression,
}

impl From<Compression> for Options {
    fn from(compression: Compression) -> Self {
        Self { compression }
    }
}
