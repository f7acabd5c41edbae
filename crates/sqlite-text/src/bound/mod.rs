//! Statements with parameters that SQLite reads where they lie.
