//! See `onecopy_fuzz::utf16_bytes::utf16_bytes`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::utf16_bytes::utf16_bytes(data));
