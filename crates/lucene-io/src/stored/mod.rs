//! Stored fields: the documents of a segment, as Lucene 4.1 to 4.10 and Lucene.NET 4.8 write them.

mod value;

pub use value::{FieldRef, Value, Visit};

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

/// How chunks of documents are compressed. (Until `lz4` brings it.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Compression {
    /// The bytes that Java Lucene writes.
    #[default]
    LuceneExact,
    /// In less time.
    Fast,
    /// Not at all, in LZ4's form.
    Literals,
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
