//! What is allocated. The allocator counts by thread: these tests may share a process.

#![cfg(feature = "std")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/counting.rs"]
mod counting;
mod index;
#[path = "../index_common/mod.rs"]
mod index_common;
mod io;
#[path = "../common/store.rs"]
mod kit;
mod store;
mod stored;
