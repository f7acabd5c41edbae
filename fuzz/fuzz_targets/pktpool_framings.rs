//! See `onecopy_fuzz::packets::framings::framings`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| onecopy_fuzz::packets::framings::framings(data));
