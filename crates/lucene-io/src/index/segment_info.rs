//! `.si`: what a segment is.

use crate::Error;
use crate::store::Directory;
use std::collections::BTreeSet;
use std::string::String;

/// What a `.si` says.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "used by stored fields, which are to come")]
pub(crate) struct SegmentInfo {
    /// Of the Lucene that wrote it, as in `4.10.4`.
    pub(crate) version: String,
    pub(crate) doc_count: u32,
    pub(crate) is_compound: bool,
    /// The names of all its files, but those of later generations.
    pub(crate) files: BTreeSet<String>,
}

/// The `.si` of a segment.
#[allow(dead_code, reason = "used by stored fields, which are to come")]
pub(crate) fn read<D: Directory>(dir: &D, segment: &str) -> Result<SegmentInfo, Error> {
    let _ = (dir, segment);
    Err(Error::Corrupt { file: "segment info", what: "not read yet" })
}
