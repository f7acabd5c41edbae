//! What else does the same work, used as its documentation advises.

/// `chars().nth` and `as_str`, quicker than `char_indices().nth`.
pub(super) fn std_offset(text: &str, n: usize) -> usize {
    let mut chars = text.chars();
    if let Some(last) = n.checked_sub(1) {
        chars.nth(last);
    }
    text.len() - chars.as_str().len()
}

/// The standard library on a CHAR(n) field.
pub(super) fn std_decode(field: &[u8], n: usize) -> &str {
    let text = std::str::from_utf8(field).unwrap_or_default();
    &text[..std_offset(text, n)]
}

/// What is there for each step: `simdutf8` validates the field, `str_indices` finds the cut.
pub(super) fn simd_decode(field: &[u8], n: usize) -> &str {
    let text = simdutf8::basic::from_utf8(field).unwrap_or_default();
    &text[..str_indices::chars::to_byte_idx(text, n)]
}

/// Trailing blanks eight at a time: `trim_end_matches` would be no match for anything.
pub(super) fn trim_blanks(text: &str) -> &str {
    let mut bytes = text.as_bytes();
    while let Some((head, tail)) = bytes.split_last_chunk::<8>() {
        let differs = u64::from_le_bytes(*tail) ^ 0x2020_2020_2020_2020;
        if differs != 0 {
            return &text[..bytes.len() - (differs.leading_zeros() / 8) as usize];
        }
        bytes = head;
    }
    let kept = bytes.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
    &text[..kept]
}

/// UTF-16 through `char::decode_utf16`, into a `String` that is used again.
pub(super) fn std_transcode(units: &[u16], out: &mut String) {
    out.clear();
    out.extend(
        char::decode_utf16(units.iter().copied())
            .map(|rune| rune.unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
}
