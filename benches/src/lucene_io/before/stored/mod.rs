//! Lucene.NET's stored fields around `WriteString`, and instead of `ReadString`: the writer and the
//! reader of its 4.8, in Rust. Headers, checksums and LZ4 are those of the crate, so that only the
//! story differs.

mod packed;
mod reader;
mod writer;

pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

const CHUNK_SIZE: usize = 1 << 14;
const DATA: &str = "Lucene41StoredFieldsData";
const INDEX: &str = "Lucene41StoredFieldsIndex";
const VERSION: i32 = 2;
const PACKED_VERSION: i32 = 2;
/// Beside the field's number, for a string.
const TYPE_BITS: u32 = 3;
const WRITTEN: &str = "what was written";
