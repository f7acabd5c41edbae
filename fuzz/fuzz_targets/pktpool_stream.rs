//! See `onecopy_fuzz::packets::stream`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::packets::stream(data));
