//! The tests that may share a process; those beside this folder count allocations or measure time.

mod bytes;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod framings;
mod hostile;
mod model;
mod packetisation;
mod recycling;
mod rendered;
mod types;
