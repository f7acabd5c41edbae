//! Counting and cutting.

use crate::{hex, load, tiers};
use serde::Deserialize;
use utf8_runes::bytes;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    count: Vec<Count>,
    prefix: Vec<Prefix>,
    prefix_bytes: Vec<PrefixBytes>,
    substr: Vec<Substr>,
    offset: Vec<Offset>,
    index: Vec<Index>,
    leads: Vec<Leads>,
    repeated: Vec<Repeated>,
    trim: Vec<Trim>,
    trim_bytes: Vec<TrimBytes>,
}

#[derive(Deserialize)]
struct Count {
    name: String,
    text: String,
    runes: usize,
}

#[derive(Deserialize)]
struct Prefix {
    name: String,
    text: String,
    times: Option<usize>,
    runes: usize,
    prefix: String,
}

#[derive(Deserialize)]
struct PrefixBytes {
    name: String,
    text: String,
    max: usize,
    prefix: String,
}

#[derive(Deserialize)]
struct Substr {
    name: String,
    text: String,
    start: usize,
    runes: usize,
    substr: String,
}

#[derive(Deserialize)]
struct Offset {
    name: String,
    text: String,
    offsets: Vec<[usize; 2]>,
}

#[derive(Deserialize)]
struct Index {
    name: String,
    text: String,
    indices: Vec<usize>,
}

#[derive(Deserialize)]
struct Leads {
    name: String,
    hex: String,
    leads: usize,
}

#[derive(Deserialize)]
struct Repeated {
    name: String,
    hex: String,
    upto: usize,
    leads: usize,
}

#[derive(Deserialize)]
struct Trim {
    name: String,
    text: String,
    trimmed: String,
}

#[derive(Deserialize)]
struct TrimBytes {
    name: String,
    hex: String,
    trimmed: String,
}

#[test]
fn counts() {
    tiers(|| {
        let texts: Texts = load("text.toml");
        for Count { name, text, runes } in &texts.count {
            assert_eq!(utf8_runes::count(text), *runes, "{name}");
            assert_eq!(bytes::validate_count(text.as_bytes()), Ok(*runes), "{name}");
        }
        for Leads { name, hex: input, leads } in &texts.leads {
            assert_eq!(bytes::count_leads(&hex(input)), *leads, "{name}");
        }
        for Repeated { name, hex: input, upto, leads } in &texts.repeated {
            let input = hex(input).repeat(*upto);
            for len in 0..=input.len() {
                assert_eq!(bytes::count_leads(&input[..len]), len * leads, "{name}: {len}");
            }
        }
    });
}

#[test]
fn cuts() {
    tiers(|| {
        let texts: Texts = load("text.toml");
        for Prefix { name, text, times, runes, prefix } in &texts.prefix {
            let text = text.repeat(times.unwrap_or(1));
            assert_eq!(utf8_runes::prefix(&text, *runes), prefix, "{name}");
            assert_eq!(bytes::prefix(text.as_bytes(), *runes), Ok(prefix.as_str()), "{name}");
            assert_eq!(utf8_runes::exceeds(&text, *runes), prefix.len() < text.len(), "{name}");
            #[cfg(feature = "alloc")]
            {
                let mut cut = text.clone();
                utf8_runes::truncate(&mut cut, *runes);
                assert_eq!(cut, *prefix, "{name}");
            }
        }
        for PrefixBytes { name, text, max, prefix } in &texts.prefix_bytes {
            assert_eq!(utf8_runes::prefix_bytes(text, *max), prefix, "{name}");
        }
        for Substr { name, text, start, runes, substr } in &texts.substr {
            assert_eq!(utf8_runes::substr(text, *start, *runes), substr, "{name}");
        }
        for Offset { name, text, offsets } in &texts.offset {
            for [runes, offset] in offsets {
                assert_eq!(utf8_runes::offset(text, *runes), Some(*offset), "{name}: {runes}");
            }
        }
        for Index { name, text, indices } in &texts.index {
            for (at, index) in indices.iter().enumerate() {
                assert_eq!(utf8_runes::rune_index(text, at), *index, "{name}: {at}");
            }
        }
    });
}

#[test]
fn trims() {
    tiers(|| {
        let texts: Texts = load("text.toml");
        for Trim { name, text, trimmed } in &texts.trim {
            assert_eq!(utf8_runes::trim_blanks(text), trimmed, "{name}");
            assert_eq!(bytes::trim_blanks(text.as_bytes()), trimmed.as_bytes(), "{name}");
        }
        for TrimBytes { name, hex: input, trimmed } in &texts.trim_bytes {
            assert_eq!(bytes::trim_blanks(&hex(input)), hex(trimmed), "{name}");
        }
    });
}

/// airlift/slice counts and cuts a text of all scalar values.
#[test]
fn all_scalar_values() {
    tiers(|| {
        let all: String = ('\0'..=char::MAX).collect();
        assert_eq!(utf8_runes::count(&all), 0x11_0000 - 0x800);
        assert_eq!(bytes::validate_count(all.as_bytes()), Ok(0x11_0000 - 0x800));
        let ends = all.char_indices().map(|(at, _)| at);
        for (runes, offset) in ends.enumerate().take(10_000) {
            assert_eq!(utf8_runes::offset(&all, runes), Some(offset));
        }
        assert_eq!(utf8_runes::suffix(&all, 0x10_0000).chars().next(), Some('\u{10000}'));
    });
}
