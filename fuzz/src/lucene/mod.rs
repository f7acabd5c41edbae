//! `lucene-io`: primitives, blocks and files. Files are made by the crate itself or by hand, damaged,
//! and given checksums that are right, so that what lies behind them is reached.

pub mod codec;
pub mod compound;
mod files;
pub mod index;
pub mod input;
pub mod lz4;
pub mod stored;
