//! See `onecopy_fuzz::text::decode`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::text::decode(data));
