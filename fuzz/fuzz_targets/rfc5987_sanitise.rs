//! See `onecopy_fuzz::disposition::sanitise`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::disposition::sanitise(data));
