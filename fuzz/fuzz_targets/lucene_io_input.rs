//! See `onecopy_fuzz::lucene::input`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::input(data));
