//! `.fnm`: the fields of a segment.

use crate::Error;
use crate::store::Directory;
use std::string::String;
use std::vec::Vec;

/// The names of fields by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldNames(Vec<(u32, String)>);

#[allow(dead_code, reason = "used by stored fields, which are to come")]
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
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
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
#[allow(dead_code, reason = "used by stored fields, which are to come")]
pub(crate) fn read<D: Directory>(dir: &D, segment: &str) -> Result<FieldNames, Error> {
    let _ = (dir, segment);
    Err(Error::Corrupt { file: "field infos", what: "not read yet" })
}
