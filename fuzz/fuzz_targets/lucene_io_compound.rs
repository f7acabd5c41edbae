//! See `onecopy_fuzz::lucene::compound::compound`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::lucene::compound::compound(data));
