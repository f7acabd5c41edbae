//! Encoded words: RFC 2047, of the encoding B.
//!
//! In a parameter they are against its section 5, but what many programs write.

use super::Charset;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// An encoded word, decoded as far as its octets.
struct Word<'t> {
    charset: Charset,
    octets: Vec<u8>,
    behind: &'t str,
}

/// Words that follow each other with nothing but blanks between them. They are decoded together if
/// they are in one charset, as some programs cut between the octets of a character.
#[derive(Default)]
struct Group {
    charset: Option<Charset>,
    octets: Vec<u8>,
    start: usize,
    end: usize,
}

impl Group {
    /// Appends what the words say, or the words if they say nothing in their charset.
    fn finish(&mut self, text: &str, out: &mut String) {
        let Some(charset) = self.charset.take() else { return };
        match charset.decode(core::mem::take(&mut self.octets)) {
            Ok(said) => out.push_str(&said),
            Err(_) => out.push_str(&text[self.start..self.end]),
        }
    }
}

/// `text` with its encoded words decoded, without the blanks between two of them. A word in
/// another encoding or charset stays as it is.
pub(in crate::header) fn words(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("=?") {
        return text;
    }
    let (mut out, mut group) = (String::new(), Group::default());
    // What is before `plain` is in `out` or in the group.
    let (mut plain, mut from) = (0, 0);
    while let Some(found) = text[from..].find("=?") {
        let start = from + found;
        let Some(word) = word(&text[start..]) else {
            from = start + "=?".len();
            continue;
        };
        let end = text.len() - word.behind.len();
        let between = &text[plain..start];
        let adjacent =
            group.charset.is_some() && between.bytes().all(|b| matches!(b, b' ' | b'\t'));
        if !adjacent || group.charset != Some(word.charset) {
            group.finish(&text, &mut out);
            if !adjacent {
                out.push_str(between);
            }
            (group.charset, group.start) = (Some(word.charset), start);
        }
        group.octets.extend(word.octets);
        (group.end, plain, from) = (end, end, end);
    }
    if plain == 0 {
        return text; // There was no word.
    }
    group.finish(&text, &mut out);
    out.push_str(&text[plain..]);
    Cow::Owned(out)
}

/// The encoded word at the front of `text`: `=?charset?B?digits?=`. The charset may have a language
/// behind a `*` (RFC 2231, section 5).
fn word(text: &str) -> Option<Word<'_>> {
    let rest = text.strip_prefix("=?")?;
    let end =
        rest.find(|char: char| !char.is_ascii_graphic() || matches!(char, '?' | '=' | '"'))?;
    let (charset, rest) = rest.split_at(end);
    let name = charset.split('*').next().filter(|name| !name.is_empty())?;
    let rest = rest.strip_prefix("?B?").or_else(|| rest.strip_prefix("?b?"))?;
    let end = rest.bytes().position(|byte| digit(byte).is_none() && byte != b'=')?;
    let (digits, rest) = rest.split_at(end);
    let behind = rest.strip_prefix("?=")?;
    Some(Word { charset: Charset::named(name.as_bytes())?, octets: base64(digits)?, behind })
}

/// The value of a digit of RFC 4648, section 4.
fn digit(char: u8) -> Option<u8> {
    match char {
        b'A'..=b'Z' => Some(char - b'A'),
        b'a'..=b'z' => Some(char - b'a' + 26),
        b'0'..=b'9' => Some(char - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// The octets of these digits; padding may be left out.
fn base64(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.trim_end_matches('=');
    let mut octets = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0;
        for char in group {
            bits = bits << 6 | u32::from(digit(*char)?);
        }
        let [_, all @ ..] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        // n digits hold n - 1 octets; one alone holds none.
        octets.extend_from_slice(all.get(..group.len() - 1).filter(|octets| !octets.is_empty())?);
    }
    Some(octets)
}
