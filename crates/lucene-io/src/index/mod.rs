//! Commits and the segments they name: `segments_N`, `.si` and `.fnm`; after
//! `org.apache.lucene.index.SegmentInfos` and the codecs of Lucene 4.0 to 4.10.

pub(crate) mod field_infos;
pub(crate) mod segment_info;

use field_infos::FieldNames;
use std::string::String;

/// A part of an index: documents that were written together.
///
/// It comes from [`read_commit`](crate::index), or from a writer of stored fields.
#[derive(Clone, Debug)]
pub struct Segment {
    name: String,
    codec: String,
    doc_count: u32,
    deleted_count: u32,
    compound: bool,
    fields: FieldNames,
}

impl Segment {
    /// What a writer of stored fields has made: its files are there, its `.fnm` and `.si` are not.
    #[allow(dead_code, reason = "the writer of stored fields is to come")]
    pub(crate) fn written(name: &str, doc_count: u32, fields: FieldNames) -> Self {
        Self {
            name: name.into(),
            codec: String::new(),
            doc_count,
            deleted_count: 0,
            compound: false,
            fields,
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
        self.deleted_count
    }

    /// Whether its files lie in one, `.cfs`.
    #[must_use]
    pub fn is_compound(&self) -> bool {
        self.compound
    }

    /// The codec it was written with, as in `Lucene410`; empty until a commit has been written
    /// with it.
    #[must_use]
    pub fn codec(&self) -> &str {
        &self.codec
    }

    /// The numbers and names of its fields, by number.
    pub fn fields(&self) -> impl Iterator<Item = (u32, &str)> {
        self.fields.iter()
    }
}
