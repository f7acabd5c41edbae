//! See `onecopy_fuzz::disposition::parse`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::disposition::parse(data));
