//! Cases of `rfc5987`.

use crate::registry::Registry;

/// Adds the cases.
pub fn register(_registry: &mut Registry) {}
