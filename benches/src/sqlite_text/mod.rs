//! Cases of `sqlite-text`.

use crate::registry::Registry;

/// Adds the cases.
pub fn register(_registry: &mut Registry) {}
