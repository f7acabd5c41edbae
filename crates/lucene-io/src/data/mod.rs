//! Bytes in, bytes out: slices, vectors and streams below the two traits.

mod bytewise;
mod checksum;
mod input;
mod output;
mod slice;
mod slice_output;
#[cfg(feature = "std")]
mod stream;
mod utf16;
mod varint;
mod vec;

pub use checksum::ChecksumInput;
pub use input::DataInput;
pub use output::{DataOutput, IndexOutput};
pub use slice::SliceInput;
pub use slice_output::SliceOutput;
#[cfg(feature = "std")]
pub use stream::{ReadInput, WriteOutput};
