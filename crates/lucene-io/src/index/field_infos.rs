//! `.fnm`: the fields of a segment; after `Lucene46FieldInfosFormat` and the two before it.

use super::Target;
use super::names::file_name;
use super::part::{Ending, Format, Part};
use crate::data::length;
use crate::store::{Directory, FileSlice};
use crate::{DataInput, DataOutput, Error, codec};
use std::string::String;
use std::vec::Vec;

const CODEC_46: &str = "Lucene46FieldInfos";
const CODEC_42: &str = "Lucene42FieldInfos";
const CODEC_40: &str = "Lucene40FieldInfos";

/// Since Lucene 4.8 there is a footer, and since 4.9 the doc-values type 5.
static FORMATS: [Format; 3] = [
    Format {
        codec: CODEC_46,
        versions: 0..=2,
        ending: |version| if version >= 1 { Ending::Footer } else { Ending::Nothing },
    },
    Format { codec: CODEC_42, versions: 0..=0, ending: |_| Ending::Nothing },
    Format { codec: CODEC_40, versions: 0..=0, ending: |_| Ending::Nothing },
];

/// The names of fields by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FieldNames(Vec<(u32, String)>);

impl FieldNames {
    /// The name of the field with this number.
    pub(crate) fn name(&self, number: u32) -> Option<&str> {
        // Almost always the numbers are 0, 1, 2 …
        let at = match self.0.get(number as usize) {
            Some(&(found, _)) if found == number => number as usize,
            _ => self.0.binary_search_by_key(&number, |&(number, _)| number).ok()?,
        };
        self.0.get(at).map(|(_, name)| name.as_str())
    }

    /// All of them, by number.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &str)> {
        self.0.iter().map(|(number, name)| (*number, name.as_str()))
    }

    /// A new field, with the next number.
    pub(crate) fn push(&mut self, name: &str) -> u32 {
        let number = self.0.last().map_or(0, |&(last, _)| last.saturating_add(1));
        self.0.push((number, name.into()));
        number
    }
}

/// The fields of a segment that is not compound, or whose compound file `dir` is.
pub(crate) fn read<D: Directory>(dir: &D, segment: &str) -> Result<FieldNames, Error> {
    parse(&dir.open_file(&file_name(segment, "fnm"))?)
}

/// The fields that a `.fnm` names.
pub(super) fn parse(file: &FileSlice) -> Result<FieldNames, Error> {
    Part::read(file, "field infos", &FORMATS, fields)
}

fn fields(part: &mut Part) -> Result<FieldNames, Error> {
    let types = match (part.codec, part.version) {
        (CODEC_40, _) => 13,
        (CODEC_46, 2) => 5,
        _ => 4,
    };
    let count = part.input.read_vint()?;
    if count < 0 {
        return Err(part.corrupt("negative count of fields"));
    }
    // Nothing is reserved for the count: the entries that are there decide.
    let mut fields = Vec::new();
    for _ in 0..count {
        fields.push(field(part, types)?);
    }
    fields.sort_unstable();
    if fields.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(part.corrupt("two fields of one number"));
    }
    let mut names: Vec<&str> = fields.iter().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(part.corrupt("two fields of one name"));
    }
    Ok(FieldNames(fields))
}

/// One entry: name, number, how it is indexed, the types of its doc values and norms, since 4.6 the
/// generation of its doc values, attributes.
fn field(part: &mut Part, types: u8) -> Result<(u32, String), Error> {
    let name = part.input.read_string()?;
    let number = u32::try_from(part.input.read_vint()?)
        .map_err(|_| part.corrupt("negative number of a field"))?;
    let _indexed = part.input.read_byte()?;
    let pair = part.input.read_byte()?;
    if pair & 0xF > types || pair >> 4 > types {
        return Err(part.corrupt("unknown type of doc values"));
    }
    if part.codec == CODEC_46 && part.input.read_i64()? < -1 {
        return Err(part.corrupt("negative generation"));
    }
    part.input.read_string_string_map()?;
    Ok((number, name))
}

/// A `.fnm` of fields that are stored and nothing else.
///
/// Lucene.NET 4.8 knows no version after 1; the two differ in nothing that is written here.
pub(super) fn write(fields: &FieldNames, target: Target) -> Result<Vec<u8>, Error> {
    let version = match target {
        Target::Lucene410 => 2,
        Target::Lucene46 => 1,
    };
    let mut out = Vec::new();
    codec::write_header(&mut out, CODEC_46, version)?;
    out.write_vint(length(fields.iter().len())?)?;
    for (number, name) in fields.iter() {
        out.write_string(name)?;
        out.write_vint(number as i32)?;
        out.write_bytes(&[0, 0])?;
        out.write_i64(-1)?;
        out.write_string_string_map([])?;
    }
    codec::write_footer(&mut out)?;
    Ok(out)
}
