//! Bytes in, bytes out: slices, vectors and streams below the two traits.

#[cfg(feature = "bytes")]
mod bytes;
mod bytewise;
mod checksum;
mod input;
mod output;
mod slice;
mod slice_output;
#[cfg(feature = "std")]
mod stream;
#[cfg(any(feature = "std", feature = "bytes"))]
pub(crate) mod through;
mod utf16;
pub(crate) mod varint;
mod vec;

#[cfg(feature = "bytes")]
pub use bytes::BytesInput;
#[cfg(feature = "std")]
pub(crate) use bytewise::{string_body, string_length};
pub use checksum::ChecksumInput;
pub use input::DataInput;
#[cfg(feature = "std")]
pub(crate) use output::length;
pub use output::{DataOutput, IndexOutput};
pub use slice::SliceInput;
pub use slice_output::SliceOutput;
#[cfg(feature = "std")]
pub use stream::{ReadInput, WriteOutput};
