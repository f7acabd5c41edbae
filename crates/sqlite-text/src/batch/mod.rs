//! Columns of text in Arrow's layout, many rows at a time.
