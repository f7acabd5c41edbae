//! See `onecopy_fuzz::disposition::round_trip`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::disposition::round_trip(data));
