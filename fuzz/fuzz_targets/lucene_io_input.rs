//! See `onecopy_fuzz::lucene::input::input`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::input::input(data));
