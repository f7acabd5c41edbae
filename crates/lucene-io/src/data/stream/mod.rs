//! Input and output on `std::io`, each with a buffer of its own.

mod read;
mod write;

pub use read::ReadInput;
pub use write::WriteOutput;

/// As Lucene's: large enough for the checksum to run at full speed.
const BUFFER: usize = 16 * 1024;
