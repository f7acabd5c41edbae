//! One very large text, read piece by piece.
