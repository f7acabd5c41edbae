//! How a file ends that a writer made, so that another one in its place is not taken for it.

use crate::store::Directory;
use crate::{DataInput, Error, IndexOutput, codec};

/// How long a file is, and the checksum in its footer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileEnd {
    length: u64,
    checksum: u32,
}

impl FileEnd {
    /// Writes the footer.
    pub(crate) fn write<O: IndexOutput>(out: &mut O) -> Result<Self, Error> {
        let checksum = codec::end(out)?;
        Ok(Self { length: out.position(), checksum })
    }

    /// Whether a file ends like this. What comes before is not read.
    pub(super) fn check<D: Directory>(self, dir: &D, name: &str) -> Result<(), Error> {
        let length = dir.file_length(name)?;
        let mut footer = [0; codec::FOOTER_LENGTH];
        let before = length.checked_sub(footer.len() as u64);
        if let Some(before) = before.filter(|_| length == self.length) {
            // Not by `open_file`, which may read all of it.
            let mut input = dir.open_input(name)?;
            input.skip_bytes(before)?;
            input.read_bytes(&mut footer)?;
            if codec::retrieve_checksum(&footer).is_ok_and(|found| found == self.checksum) {
                return Ok(());
            }
        }
        Err(Error::Corrupt { file: "stored fields", what: "not the file that was written" })
    }
}
