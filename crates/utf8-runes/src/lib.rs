//! utf8-runes
#![no_std]
#[cfg(feature = "alloc")]
extern crate alloc;
/// Unvalidated input.
pub mod bytes {
    /// Validates.
    /// # Errors
    /// As std.
    pub fn validate(bytes: &[u8]) -> Result<&str, core::str::Utf8Error> {
        core::str::from_utf8(bytes)
    }
}
/// UTF-16.
pub mod utf16 {
    /// Appends `units` as UTF-8, one U+FFFD a lone surrogate; returns how many there were.
    #[cfg(feature = "alloc")]
    pub fn append_utf8_lossy(units: &[u16], out: &mut alloc::vec::Vec<u8>) -> usize {
        let mut lone = 0;
        for c in char::decode_utf16(units.iter().copied()) {
            let c = c.unwrap_or_else(|_| {
                lone += 1;
                '\u{FFFD}'
            });
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        lone
    }
}
