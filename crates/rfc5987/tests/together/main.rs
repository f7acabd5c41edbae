//! The tests that may share a process; those beside this folder change what is the whole process's.

mod hostile;
mod integrations;
#[path = "../oracle/mod.rs"]
mod oracle;
mod parse;
mod properties;
mod reading;
mod rendered;
mod sanitizing;
mod types;
