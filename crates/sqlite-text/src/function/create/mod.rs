//! Registering functions.

#[allow(unsafe_code, reason = "SQLite's calls")]
mod raw;

pub use raw::create_text_function_raw;
#[cfg(feature = "rusqlite")]
pub use raw::{create_text_function, remove_text_function};
