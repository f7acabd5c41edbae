//! Cases of `lucene-io`.

use crate::registry::Registry;

/// Adds the cases.
pub fn register(_registry: &mut Registry) {}
