//! SSSE3 with SSE4.1 and POPCNT: the kernels of [`sixteen`] as they are.

use super::sixteen;
use crate::arch::cell::Cell;
use crate::arch::scan::Scan;

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(in crate::arch) fn count_escapes(value: &[u8]) -> usize {
    sixteen::count_escapes(value)
}

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(in crate::arch) fn encode(value: &[u8], out: &mut [Cell]) {
    sixteen::encode_end(value, value, out, &mut 0);
}

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(in crate::arch) fn scan(value: &[u8]) -> Option<usize> {
    sixteen::scan(value, value.last_chunk()?, Scan::default())
}

#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(in crate::arch) fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize> {
    sixteen::decode(value, out)
}
