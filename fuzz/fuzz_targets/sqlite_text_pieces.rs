//! See `onecopy_fuzz::sqlite::pieces::pieces`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::sqlite::pieces::pieces(data));
