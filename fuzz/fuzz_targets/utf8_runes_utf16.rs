//! See `onecopy_fuzz::utf16::utf16`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::utf16::utf16(data));
