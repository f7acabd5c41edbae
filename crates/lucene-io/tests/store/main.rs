//! Directories and their files.

#![cfg(feature = "std")]

mod compound;
mod compound_random;
mod fs;
#[path = "../common/store.rs"]
mod kit;
mod model;
mod reads;
mod writes;
