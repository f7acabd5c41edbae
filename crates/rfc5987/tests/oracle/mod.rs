//! What percent-encoding must be told to escape as RFC 8187, section 3.2.1, has it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};

/// All but the attr-chars.
pub(crate) const ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');
