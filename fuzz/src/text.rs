//! `utf8-runes` against the standard library.

use utf8_runes::column::{DecodeError, FixedText, Overflow, Pad};
use utf8_runes::{bytes, tier, utf16 as runes16};

/// Calls `check` on every tier of this machine.
fn on_every_tier(check: impl Fn()) {
    for &tier in tier::available() {
        assert!(tier::force(Some(tier)), "{tier:?}");
        check();
    }
    tier::force(None);
}

/// Bytes: a length in runes, then the input.
pub fn decode(data: &[u8]) {
    let (runes, input) = crate::number(data);
    on_every_tier(|| {
        let whole = std::str::from_utf8(input);
        assert_eq!(bytes::validate(input), whole);
        assert_eq!(bytes::validate_count(input), whole.map(|text| text.chars().count()));
        let expected = prefix(input, runes);
        assert_eq!(bytes::prefix(input, runes), expected);
        let lossy: String = String::from_utf8_lossy(input).chars().take(runes).collect();
        assert_eq!(bytes::prefix_lossy(input, runes), lossy);
        column(input, runes, expected);
        if let Ok(text) = whole {
            valid(text, runes);
        }
    });
}

/// The rule in words: up to the first byte past the runes that continues none, and exactly that
/// much is checked; the error is that of the whole input.
fn prefix(input: &[u8], runes: usize) -> Result<&str, std::str::Utf8Error> {
    if runes == 0 {
        return Ok("");
    }
    let starts = input.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80);
    let end = starts.map(|(at, _)| at).nth(runes).unwrap_or(input.len());
    std::str::from_utf8(&input[..end]).or_else(|_| std::str::from_utf8(input))
}

fn column(input: &[u8], runes: usize, expected: Result<&str, std::str::Utf8Error>) {
    let column = FixedText::new(runes);
    let malformed = |e: std::str::Utf8Error| DecodeError::Malformed { offset: e.valid_up_to() };
    assert_eq!(column.decode(input), expected.map_err(malformed));
    let trimmed = expected.map(|text| text.trim_end_matches(' ')).map_err(malformed);
    assert_eq!(column.pad(Pad::Trim).decode(input), trimmed);
}

fn valid(text: &str, runes: usize) {
    let count = text.chars().count();
    assert_eq!(utf8_runes::count(text), count);
    assert_eq!(utf8_runes::count_upto(text, runes), count.min(runes));
    assert_eq!(utf8_runes::exceeds(text, runes), count > runes);
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let offset = ends.clone().nth(runes);
    assert_eq!(utf8_runes::offset(text, runes), offset);
    assert_eq!(utf8_runes::prefix(text, runes), &text[..offset.unwrap_or(text.len())]);
    let cut = ends.filter(|&at| at <= runes).max().unwrap_or(0);
    assert_eq!(utf8_runes::prefix_bytes(text, runes), &text[..cut]);
    assert_eq!(utf8_runes::trim_blanks(text), text.trim_end_matches(' '));
    let mut owned = text.to_owned();
    utf8_runes::truncate(&mut owned, runes);
    assert_eq!(owned, utf8_runes::prefix(text, runes));
    stored(text, runes);
}

/// What is encoded comes back, and as `fit` says.
fn stored(text: &str, runes: usize) {
    let column = FixedText::new(runes).overflow(Overflow::SqlStore);
    let mut field = vec![b'#'; column.byte_width()];
    match (column.encode(text, &mut field), column.fit(text)) {
        (Ok(()), Ok(fitted)) => assert_eq!(column.decode(&field), Ok(&*fitted)),
        (Err(_), Err(e)) => {
            assert!(field.iter().all(|&byte| byte == b'#'));
            assert_eq!((e.expected, e.actual), (runes, text.chars().count()));
        }
        (encoded, fitted) => panic!("{encoded:?}, but {fitted:?}"),
    }
}

/// UTF-16: a length in runes, then the units.
pub fn utf16(data: &[u8]) {
    let (runes, input) = crate::number(data);
    let units: Vec<u16> =
        input.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let decoded: Vec<_> = char::decode_utf16(units.iter().copied()).collect();
    let lone = decoded.iter().filter(|rune| rune.is_err()).count();
    let text = String::from_utf16_lossy(&units);
    let lengths = decoded.iter().map(|rune| rune.as_ref().map_or(1, |c| c.len_utf16()));
    let ends: Vec<usize> = [0]
        .into_iter()
        .chain(lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        }))
        .collect();
    on_every_tier(|| {
        assert_eq!(runes16::count(&units), decoded.len());
        let offset = ends.get(runes).copied();
        assert_eq!(runes16::offset(&units, runes), offset);
        assert_eq!(runes16::prefix(&units, runes), &units[..offset.unwrap_or(units.len())]);
        assert_eq!(runes16::utf8_len(&units), text.len());
        let mut out = b"x".to_vec();
        assert_eq!(runes16::append_utf8_lossy(&units, &mut out), lone);
        assert_eq!((out[0], &out[1..]), (b'x', text.as_bytes()));
        let mut out = String::from("x");
        let first = decoded.iter().position(Result::is_err);
        match runes16::append(&units, &mut out) {
            Ok(()) => assert_eq!((first, &out[1..]), (None, &*text)),
            Err(e) => assert_eq!((first.map(|at| ends[at]), &*out), (Some(e.index), "x")),
        }
        let mut out = vec![0; text.len() + 1];
        assert_eq!(runes16::encode_lossy_into(&units, &mut out), Some(text.len()));
        assert_eq!(&out[..text.len()], text.as_bytes());
        if !text.is_empty() {
            assert_eq!(runes16::encode_lossy_into(&units, &mut out[..text.len() - 1]), None);
        }
    });
}
