//! The one function of simdutf that its Rust crate offers on pointers only.

/// Writes `units` as UTF-8 to the start of `out`, and returns how many bytes that takes; 0 when there
/// is a lone surrogate.
///
/// # Panics
/// When `out` is shorter than three bytes a unit.
pub(crate) fn utf16_to_utf8(units: &[u16], out: &mut [u8]) -> usize {
    assert!(out.len() / 3 >= units.len());
    // SAFETY: both pointers are of live slices, one shared and one exclusive, so they are aligned and
    // do not overlap. `units` is readable for its length. A unit becomes at most three bytes (a pair
    // becomes four), so no more than `3 * units.len()` are written, which `out` has: asserted above.
    unsafe { simdutf::convert_utf16_to_utf8(units.as_ptr(), units.len(), out.as_mut_ptr()) }
}
