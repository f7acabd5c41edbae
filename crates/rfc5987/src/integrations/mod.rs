//! What connects this crate with the types of others, each behind a feature of that crate's name.

#[cfg(feature = "axum")]
mod axum;
#[cfg(feature = "encoding_rs")]
pub(crate) mod encoding_rs;
#[cfg(feature = "headers")]
pub(crate) mod headers;
#[cfg(feature = "http")]
mod http;
