//! Inputs, outputs and codecs.

mod bytes;
mod codec;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod damaged;
mod errors;
mod properties;
mod refusals;
mod streams;
mod suites;
