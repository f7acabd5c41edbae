//! UTF-8 to UTF-16.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Writes `text` as UTF-16 to the start of `out` and returns how many units that took; `None` when
/// `out` is too small, and then nothing is promised about what it holds.
/// [`utf16_len`](crate::utf16_len) units always suffice.
///
/// ```
/// let mut out = [0; 4];
/// assert_eq!(utf8_runes::utf16::encode_utf16_into("日😊", &mut out), Some(3));
/// assert_eq!(out[..3], [0x65E5, 0xD83D, 0xDE0A]);
/// assert_eq!(utf8_runes::utf16::encode_utf16_into("日😊", &mut out[..2]), None);
/// ```
pub fn encode_utf16_into(text: &str, out: &mut [u16]) -> Option<usize> {
    const BLOCK: usize = 16;
    let mut rest = text;
    let mut at = 0;
    loop {
        while let Some(block) = rest.as_bytes().first_chunk::<BLOCK>()
            && block.is_ascii()
        {
            *out.get_mut(at..)?.first_chunk_mut()? = block.map(u16::from);
            at += BLOCK;
            rest = rest.get(BLOCK..).unwrap_or_default();
        }
        let mut chars = rest.chars();
        for c in chars.by_ref().take(BLOCK) {
            let mut pair = [0; 2];
            let units = c.encode_utf16(&mut pair);
            out.get_mut(at..at + units.len())?.copy_from_slice(units);
            at += units.len();
        }
        rest = chars.as_str();
        if rest.is_empty() {
            return Some(at);
        }
    }
}

/// Appends `text` as UTF-16.
///
/// ```
/// let mut out = vec![0x3E];
/// utf8_runes::utf16::append_utf16("日😊", &mut out);
/// assert_eq!(out, [0x3E, 0x65E5, 0xD83D, 0xDE0A]);
/// ```
#[cfg(feature = "alloc")]
pub fn append_utf16(text: &str, out: &mut Vec<u16>) {
    let start = out.len();
    out.resize(start + crate::utf16_len(text), 0);
    // The room is what it takes.
    let _ = encode_utf16_into(text, out.get_mut(start..).unwrap_or_default());
}
