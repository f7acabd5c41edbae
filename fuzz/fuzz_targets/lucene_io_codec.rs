//! See `onecopy_fuzz::lucene::codec::codec`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::codec::codec(data));
