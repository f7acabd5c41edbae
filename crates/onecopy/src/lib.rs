//! onecopy
