//! Cases that run several crates in one pipeline.

use crate::registry::Registry;

/// Adds the cases.
pub fn register(_registry: &mut Registry) {}
