//! See `onecopy_fuzz::lucene::index::index`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::index::index(data));
