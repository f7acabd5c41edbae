//! Stored fields: what is written is read, of every version; what is damaged is never read as
//! something else.

#![cfg(feature = "std")]

mod compound;
mod damage;
mod errors;
mod files;
mod hostile;
mod java;
#[path = "../common/store.rs"]
mod kit;
mod model;
mod properties;
mod reports;
mod scenarios;
mod versions;
