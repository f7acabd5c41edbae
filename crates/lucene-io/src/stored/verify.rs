//! The checksum of a file that need not fit in memory.

use crate::data::ChecksumInput;
use crate::store::FileSlice;
use crate::{DataInput, Error, codec};

/// Compares a whole file with its footer: where it lies in memory, or by pieces of 16 KiB.
pub(super) fn file(file: &FileSlice) -> Result<u32, Error> {
    if let Some(bytes) = file.as_slice() {
        return codec::checksum_entire_file(bytes);
    }
    let hashed = file.len().checked_sub(codec::FOOTER_LENGTH as u64).ok_or(Error::Truncated)?;
    let mut input = ChecksumInput::new(file.input());
    input.skip_bytes(hashed)?;
    codec::check_footer(&mut input)
}
