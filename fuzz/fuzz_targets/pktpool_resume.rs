//! See `onecopy_fuzz::packets::resume::resume`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::packets::resume::resume(data));
