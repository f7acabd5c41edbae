//! Bytes in, bytes out: slices, vectors and streams below the two traits.

mod checksum;
mod input;
mod output;
mod slice;
#[cfg(feature = "std")]
mod stream;
mod utf16;
mod varint;
mod vec;

pub use checksum::ChecksumInput;
pub use input::DataInput;
pub use output::{DataOutput, IndexOutput};
pub use slice::{SliceInput, SliceOutput};
#[cfg(feature = "std")]
pub use stream::{ReadInput, WriteOutput};
