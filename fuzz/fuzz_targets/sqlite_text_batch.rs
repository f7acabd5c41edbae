//! See `onecopy_fuzz::sqlite::batch::batch`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::sqlite::batch::batch(data));
