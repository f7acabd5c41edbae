//! The tests that may share a process; those beside this folder change what is the whole process's.

mod batch;
mod batch_arrow;
mod bound;
mod bound_memory;
#[cfg(feature = "rusqlite")]
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod errors;
mod facts;
mod function;
mod live_row;
mod properties;
mod reads;
mod reports;
mod rows;
mod schema;
mod statement;
mod stream_raw;
mod text_buf;
mod text_reader;
mod text_scan;
mod threads;
mod without_rusqlite;
