//! See `onecopy_fuzz::lucene::lz4::lz4`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::lz4::lz4(data));
