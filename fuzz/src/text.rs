//! `utf8-runes` on bytes and text against the standard library.

use crate::tiers::on_every_tier;
use std::str::Utf8Error;
use utf8_runes::{bytes, utf16};

/// Bytes: a length in runes, then the input.
pub fn decode(data: &[u8]) {
    let (runes, input) = crate::number(data);
    let whole = std::str::from_utf8(input);
    let lossy = String::from_utf8_lossy(input);
    let count = lossy.chars().count();
    let leads = input.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    let trimmed = &input[..input.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1)];
    // From either end of the input, and all that there is.
    let asked = [runes, count.saturating_sub(runes), count + 1, usize::MAX];
    let prefixes = asked.map(|n| prefix(input, n));
    let lossy_prefixes = asked.map(|n| lossy.chars().take(n).collect::<String>());
    let text = whole.ok().map(Valid::new);
    on_every_tier(|| {
        assert_eq!(bytes::validate(input), whole);
        assert_eq!(bytes::validate_count(input), whole.map(|_| count));
        assert_eq!(bytes::count_leads(input), leads);
        assert_eq!(bytes::trim_blanks(input), trimmed);
        for (at, &n) in asked.iter().enumerate() {
            assert_eq!(bytes::prefix(input, n), prefixes[at], "{n}");
            assert_eq!(bytes::prefix_lossy(input, n), lossy_prefixes[at], "{n}");
        }
        if let Some(text) = &text {
            for n in asked {
                text.check(n);
                text.check_ends(n);
                text.check_units(n);
            }
        }
    });
}

/// The rule in words: up to the first byte past the runes that continues none, and exactly that
/// much is checked; the error is that of the whole input.
pub(crate) fn prefix(input: &[u8], runes: usize) -> Result<&str, Utf8Error> {
    if runes == 0 {
        return Ok("");
    }
    let starts = input.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80);
    let end = starts.map(|(at, _)| at).nth(runes).unwrap_or(input.len());
    std::str::from_utf8(&input[..end]).or_else(|_| std::str::from_utf8(input))
}

/// Text, and every offset at which a rune of it ends.
struct Valid<'a> {
    text: &'a str,
    ends: Vec<usize>,
    trimmed: &'a str,
}

impl<'a> Valid<'a> {
    fn new(text: &'a str) -> Self {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Self { text, ends, trimmed: text.trim_end_matches(' ') }
    }

    fn check(&self, n: usize) {
        let Self { text, ends, trimmed } = self;
        let count = ends.len() - 1;
        assert_eq!(utf8_runes::count(text), count);
        assert_eq!(utf8_runes::count_upto(text, n), count.min(n));
        assert_eq!(utf8_runes::exceeds(text, n), count > n);
        let offset = ends.get(n).copied();
        assert_eq!(utf8_runes::offset(text, n), offset);
        let prefix = &text[..offset.unwrap_or(text.len())];
        assert_eq!(utf8_runes::prefix(text, n), prefix);
        let cut = ends[ends.partition_point(|&end| end <= n) - 1];
        assert_eq!(utf8_runes::prefix_bytes(text, n), &text[..cut]);
        assert_eq!(utf8_runes::trim_blanks(text), *trimmed);
        let mut owned = (*text).to_owned();
        utf8_runes::truncate(&mut owned, n);
        assert_eq!(owned, prefix);
    }

    /// What is counted from the end, or up to an offset.
    fn check_ends(&self, n: usize) {
        let Self { text, ends, .. } = self;
        let count = ends.len() - 1;
        let (head, tail) = text.split_at(ends[n.min(count)]);
        assert_eq!(utf8_runes::split_at(text, n), (head, tail));
        let start = n / 3;
        let from = ends[start.min(count)];
        let to = ends[start.saturating_add(n).min(count)];
        assert_eq!(utf8_runes::substr(text, start, n), &text[from..to]);
        let from_end = count.checked_sub(n).map(|at| ends[at]);
        assert_eq!(utf8_runes::offset_from_end(text, n), from_end);
        assert_eq!(utf8_runes::suffix(text, n), &text[from_end.unwrap_or(0)..]);
        let index = ends.partition_point(|&end| end <= n) - 1;
        assert_eq!(utf8_runes::rune_index(text, n), index);
        assert_eq!(utf8_runes::floor_char_boundary(text, n), ends[index]);
        let above = ends.iter().copied().find(|&end| end >= n).unwrap_or(text.len());
        assert_eq!(utf8_runes::ceil_char_boundary(text, n), above);
        let least = text.len().saturating_sub(n);
        let from = ends.iter().copied().find(|&end| end >= least).unwrap_or(text.len());
        assert_eq!(utf8_runes::suffix_bytes(text, n), &text[from..]);
    }

    /// What is counted in UTF-16, and turned into it.
    fn check_units(&self, n: usize) {
        let text = self.text;
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(utf8_runes::utf16_len(text), units.len());
        for size in [units.len().saturating_sub(1), units.len(), units.len() + n.min(70)] {
            let mut out = vec![0; size].into_boxed_slice();
            let written = utf16::encode_utf16_into(text, &mut out);
            assert_eq!(written, (size >= units.len()).then_some(units.len()), "{size}");
            if written.is_some() {
                assert_eq!(out[..units.len()], units);
            }
        }
        let mut out = Vec::with_capacity(1 + n.min(500));
        out.push(0xD800);
        utf16::append_utf16(text, &mut out);
        assert_eq!((out[0], &out[1..]), (0xD800, &*units));
        let mut left = n;
        let over = text.char_indices().find(|(_, c)| match left.checked_sub(c.len_utf16()) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        let fitting = &text[..over.map_or(text.len(), |(at, _)| at)];
        assert_eq!(utf8_runes::prefix_utf16(text, n), fitting);
    }
}
