//! rfc5987
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod alphabet;
mod arch;
pub mod compat;
mod decode;
mod encode;
mod error;
mod ext_value;
mod header;

pub use alphabet::is_attr_char;
pub use decode::{decode, decode_lossy};
pub use encode::{encode, encode_append, encode_into, encoded_len};
pub use error::{BufferTooSmall, BuildError, DecodeError, DecodeErrorKind, ExtValueError};
pub use ext_value::ExtValue;
pub use header::build::{Builder, Fallback};
pub use header::form_data;
