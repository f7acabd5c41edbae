//! See `onecopy_fuzz::column::column`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::column::column(data));
