//! What else does the same work, used as its documentation advises.

use super::blanks;

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

/// Without the blanks at the end.
pub(super) fn trim_blanks(text: &str) -> &str {
    &text[..blanks::trimmed_len(text.as_bytes())]
}

/// The text of a VARCHAR field: what its two bytes of length name.
pub(super) fn var_text(field: &[u8]) -> &[u8] {
    let (len, text) = field.split_first_chunk().unwrap_or((&[0; 2], &[]));
    text.get(..usize::from(u16::from_le_bytes(*len))).unwrap_or_default()
}

/// A CHAR(n) field from a text that fits: counted, copied, and filled with blanks.
pub(super) fn std_encode(text: &str, n: usize, field: &mut [u8]) -> bool {
    let fits = text.chars().count() <= n && text.len() <= field.len();
    if fits {
        let (head, rest) = field.split_at_mut(text.len());
        head.copy_from_slice(text.as_bytes());
        rest.fill(b' ');
    }
    fits
}

/// The value of a CHAR(n) as a `String`, padded to `n` characters; blanks by the piece, for one at a
/// time takes several times as long.
pub(super) fn std_fit(text: &str, n: usize) -> Option<String> {
    const PIECE: &str = "                                                                ";
    let mut blanks = n.checked_sub(text.chars().count())?;
    let mut value = String::with_capacity(text.len() + blanks);
    value.push_str(text);
    while blanks > 0 {
        let some = blanks.min(PIECE.len());
        value.push_str(&PIECE[..some]);
        blanks -= some;
    }
    Some(value)
}

/// UTF-16 through `char::decode_utf16`, into a `String` that is used again.
pub(super) fn std_transcode(units: &[u16], out: &mut String) {
    out.clear();
    out.extend(
        char::decode_utf16(units.iter().copied())
            .map(|rune| rune.unwrap_or(char::REPLACEMENT_CHARACTER)),
    );
}
