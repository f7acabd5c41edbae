//! See `onecopy_fuzz::text::utf16`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::text::utf16(data));
