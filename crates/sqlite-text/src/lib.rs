//! sqlite-text
