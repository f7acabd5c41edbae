//! Commits: what is written, read, checked and distrusted.

#![cfg(feature = "std")]

mod check;
mod commits;
#[path = "../common/mod.rs"]
mod common;
mod crash;
mod damaged;
mod distrust;
#[path = "../index_common/mod.rs"]
mod index_common;
mod java;
mod properties;
mod versions;
