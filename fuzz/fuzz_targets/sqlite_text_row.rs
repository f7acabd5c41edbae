//! See `onecopy_fuzz::sqlite::row::row`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::sqlite::row::row(data));
