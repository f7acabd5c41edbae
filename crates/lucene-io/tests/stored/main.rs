//! Stored fields: what is written is read, of every version; what is damaged is never read as
//! something else.

#![cfg(feature = "std")]

mod damage;
mod errors;
mod files;
mod hostile;
mod model;
mod properties;
mod reports;
mod scenarios;
mod versions;
