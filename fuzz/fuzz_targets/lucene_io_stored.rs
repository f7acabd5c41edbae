//! See `onecopy_fuzz::lucene::stored::stored`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::stored::stored(data));
