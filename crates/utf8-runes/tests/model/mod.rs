//! The slow, obvious oracle: everything through `chars()`, `from_utf8` and `decode_utf16`.
#![allow(dead_code, reason = "each test program uses its part")]

use std::str::Utf8Error;

pub(crate) fn offset(text: &str, runes: usize) -> Option<usize> {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    std::iter::once(0).chain(ends).nth(runes)
}

pub(crate) fn prefix(text: &str, runes: usize) -> String {
    text.chars().take(runes).collect()
}

pub(crate) fn prefix_bytes(text: &str, max: usize) -> &str {
    let at = (0..=max.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
    &text[..at]
}

/// Ends before the (runes + 1)-th byte that is no continuation byte; nothing of no runes.
pub(crate) fn cut(bytes: &[u8], runes: usize) -> &[u8] {
    if runes == 0 {
        return &[];
    }
    let leads = bytes.iter().enumerate().filter(|(_, b)| **b & 0xC0 != 0x80);
    let end = leads.map(|(at, _)| at).nth(runes).unwrap_or(bytes.len());
    &bytes[..end]
}

/// The prefix, or the error of the whole.
pub(crate) fn bytes_prefix(bytes: &[u8], runes: usize) -> Result<&str, Utf8Error> {
    std::str::from_utf8(cut(bytes, runes)).map_err(|_| std::str::from_utf8(bytes).unwrap_err())
}

pub(crate) fn prefix_lossy(bytes: &[u8], runes: usize) -> String {
    prefix(&String::from_utf8_lossy(bytes), runes)
}

/// Each rune as its units.
pub(crate) fn runes(units: &[u16]) -> Vec<Vec<u16>> {
    let decoded = char::decode_utf16(units.iter().copied());
    decoded
        .map(|rune| match rune {
            Ok(c) => c.encode_utf16(&mut [0; 2]).to_vec(),
            Err(lone) => vec![lone.unpaired_surrogate()],
        })
        .collect()
}

pub(crate) fn utf16_offset(units: &[u16], count: usize) -> Option<usize> {
    let runes = runes(units);
    (count <= runes.len()).then(|| runes[..count].iter().map(Vec::len).sum())
}

pub(crate) fn first_lone(units: &[u16]) -> Option<usize> {
    let mut at = 0;
    for item in char::decode_utf16(units.iter().copied()) {
        match item {
            Ok(c) => at += c.len_utf16(),
            Err(_) => return Some(at),
        }
    }
    None
}

/// The longest prefix of at most that many UTF-16 units, no half pair.
pub(crate) fn prefix_utf16(text: &str, units: usize) -> String {
    let mut left = units;
    text.chars()
        .take_while(|c| {
            let fits = c.len_utf16() <= left;
            left = left.saturating_sub(c.len_utf16());
            fits
        })
        .collect()
}

pub(crate) fn lone_count(units: &[u16]) -> usize {
    char::decode_utf16(units.iter().copied()).filter(Result::is_err).count()
}

/// Text of each kind, `len` bytes or up to three fewer, the shapes that the kernels tell apart.
pub(crate) fn texts(len: usize) -> Vec<String> {
    let kinds: [&[char]; 6] = [
        &['a', 'b', ' ', '\u{7F}', '~'],
        &['é', 'ß', 'ж', '\u{80}', '\u{7FF}'],
        &['日', '本', '語', '\u{800}', '\u{FFFF}'],
        &['😊', '🚀', '\u{10000}', '\u{10FFFF}'],
        &['a', 'é', 'b', '日', 'c', ' ', '😊', 'd', 'e', 'ü'],
        &['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'é'],
    ];
    kinds
        .iter()
        .map(|kind| {
            let mut text = String::new();
            for c in kind.iter().cycle() {
                if text.len() + c.len_utf8() > len {
                    break;
                }
                text.push(*c);
            }
            text
        })
        .collect()
}

/// Units of every kind and mix, surrogates right and wrong.
pub(crate) const UNIT_KINDS: [&[u16]; 8] = [
    &[0x41, 0x7F, 0],
    &[0x80, 0x7FF, 0xE9, 0x41],
    &[0x800, 0xFFFF, 0x65E5, 0xD7FF, 0xE000],
    &[0xD83D, 0xDE0A],
    &[0xD800, 0xD801, 0xDC00, 0xDC01],
    &[0xDFFF, 0x41, 0xDBFF, 0x42, 0x43, 0x44, 0x45, 0xD800],
    &[0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0xD83D, 0xDE0A],
    &[0xD83D],
];

/// `items` at an offset of `align` from a multiple of 64, in a buffer that ends with them.
pub(crate) fn aligned<'b, T: Copy + Default>(
    buffer: &'b mut Vec<T>,
    items: &[T],
    align: usize,
) -> &'b [T] {
    buffer.clear();
    buffer.reserve(items.len() + 128);
    let to_edge = buffer.as_ptr().align_offset(64).min(64);
    buffer.resize(to_edge + align, T::default());
    let start = buffer.len();
    buffer.extend_from_slice(items);
    &buffer[start..]
}
