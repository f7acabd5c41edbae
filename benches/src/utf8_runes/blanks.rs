//! The trim that the peers get, written for them: none of their crates has one, and
//! `trim_end_matches`, a character at a time, would be no match for anything.
//!
//! Depends on nothing, so that the runners of the heavy peers can include this file.

/// How many bytes stay when the blanks at the end go, eight at a time.
pub(crate) fn trimmed_len(text: &[u8]) -> usize {
    let mut bytes = text;
    while let Some((head, tail)) = bytes.split_last_chunk::<8>() {
        let differs = u64::from_le_bytes(*tail) ^ 0x2020_2020_2020_2020;
        if differs != 0 {
            return bytes.len() - (differs.leading_zeros() / 8) as usize;
        }
        bytes = head;
    }
    bytes.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1)
}
