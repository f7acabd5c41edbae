//! See `onecopy_fuzz::ext_value::encode_decode`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::ext_value::encode_decode(data));
