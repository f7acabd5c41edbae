//! Text into and out of SQL functions written in Rust.
