//! `.si`: what a segment is; after `Lucene46SegmentInfoFormat` and `Lucene40SegmentInfoFormat`.

use super::names::{FOREIGN, file_name, is_of};
use super::part::{Ending, Format, Part};
use super::segments_file::Record;
use crate::data::length;
use crate::store::{Directory, check_name};
use crate::{DataInput, DataOutput, Error, codec};
use std::collections::{BTreeMap, BTreeSet};
use std::string::String;
use std::vec::Vec;

const CODEC_46: &str = "Lucene46SegmentInfo";
const CODEC_40: &str = "Lucene40SegmentInfo";

/// Since Lucene 4.8 there is a footer.
static FORMATS: [Format; 2] = [
    Format {
        codec: CODEC_46,
        versions: 0..=1,
        ending: |version| if version >= 1 { Ending::Footer } else { Ending::Nothing },
    },
    Format { codec: CODEC_40, versions: 0..=0, ending: |_| Ending::Nothing },
];

/// In Java a byte that is compared with 1.
const COMPOUND: u8 = 1;
const NOT_COMPOUND: u8 = 0xFF;

/// What a `.si` says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SegmentInfo {
    /// Of the Lucene that wrote it, as in `4.10.4`.
    pub(crate) version: String,
    pub(crate) doc_count: u32,
    pub(crate) is_compound: bool,
    /// What made it, on which machine.
    pub(crate) diagnostics: BTreeMap<String, String>,
    /// The names of all its files, but those of later generations.
    pub(crate) files: BTreeSet<String>,
}

impl SegmentInfo {
    /// Whether the commit deletes no more documents than there are.
    pub(super) fn deletes(&self, record: &Record) -> Result<(), Error> {
        if record.del_count > self.doc_count {
            return Err(Error::Corrupt { file: "segments", what: "more deleted than there are" });
        }
        Ok(())
    }
}

/// The `.si` of a segment.
pub(crate) fn read<D: Directory>(dir: &D, segment: &str) -> Result<SegmentInfo, Error> {
    let file = dir.open_file(&file_name(segment, "si"))?;
    Part::read(&file, "segment info", &FORMATS, |part| info(part, segment))
}

fn info(part: &mut Part, segment: &str) -> Result<SegmentInfo, Error> {
    let version = part.input.read_string()?;
    let doc_count = u32::try_from(part.input.read_i32()?)
        .map_err(|_| part.corrupt("negative count of documents"))?;
    let is_compound = match part.input.read_byte()? {
        COMPOUND => true,
        NOT_COMPOUND => false,
        _ => return Err(part.corrupt("neither compound nor not")),
    };
    let diagnostics = part.input.read_string_string_map()?;
    if part.codec == CODEC_40 {
        // Attributes, which nothing reads.
        part.input.read_string_string_map()?;
    }
    let files = part.input.read_string_set()?;
    files.iter().try_for_each(|name| check_name(name))?;
    if !files.iter().all(|name| is_of(segment, name)) {
        return Err(part.corrupt(FOREIGN));
    }
    Ok(SegmentInfo { version, doc_count, is_compound, diagnostics, files })
}

pub(super) fn write(info: &SegmentInfo) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    codec::write_header(&mut out, CODEC_46, 1)?;
    out.write_string(&info.version)?;
    out.write_i32(length(info.doc_count as usize)?)?;
    out.write_byte(if info.is_compound { COMPOUND } else { NOT_COMPOUND })?;
    out.write_string_string_map(info.diagnostics.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    out.write_string_set(info.files.iter().map(String::as_str))?;
    codec::write_footer(&mut out)?;
    Ok(out)
}
