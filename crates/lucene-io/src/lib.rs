//! lucene-io
