//! What the server makes of a text that is to be stored, and what it should.
//!
//! Firebird stores as [`Overflow::SqlStore`] says, as long as a text has no more bytes than the field
//! of its column, four a character. A driver that encodes sends nothing else. Of a longer text 3.0
//! looks at that many bytes first, see [`longer`].

use super::raw::Error;
use utf8_runes::column::{FixedText, Overflow, RightTruncation, VarText};
use utf8_runes::{bytes, exceeds, prefix};

/// What became of a text that was to be stored in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Stored(String),
    /// 22001, with the lengths that the message tells.
    TooLong(usize, usize),
    /// 22000, "Malformed string".
    Malformed,
    Other(String),
}

impl From<RightTruncation> for Verdict {
    fn from(error: RightTruncation) -> Self {
        Self::TooLong(error.expected, error.actual)
    }
}

impl From<Error> for Verdict {
    fn from(error: Error) -> Self {
        if error.sqlstate == "22000" && error.message.contains("Malformed string") {
            return Self::Malformed;
        }
        lengths(&error).map_or_else(|| Self::Other(error.to_string()), |(n, m)| Self::TooLong(n, m))
    }
}

/// The lengths in "string right truncation, expected length 2, actual 3".
fn lengths(error: &Error) -> Option<(usize, usize)> {
    let (_, rest) = error.message.split_once("expected length ")?;
    let (expected, rest) = rest.split_once(", actual ")?;
    // Where it happened may follow.
    let actual = rest.split(',').next()?;
    let lengths = (expected.parse().ok()?, actual.parse().ok()?);
    (error.sqlstate == "22001").then_some(lengths)
}

/// CHAR(n) as the server stores it.
pub(super) fn fixed(n: usize) -> FixedText {
    FixedText::new(n).overflow(Overflow::SqlStore)
}

/// VARCHAR(n) likewise.
pub(super) fn varying(n: usize) -> VarText {
    VarText::new(n).overflow(Overflow::SqlStore)
}

/// What Firebird 3.0 does with a text of more than 4n bytes for a column of n characters: it looks
/// at the first 4n bytes alone, and forgets the rest once these are longer than n characters by
/// blanks. The part of the text that it keeps, unpadded.
fn longer(text: &str, n: usize) -> Result<&str, Verdict> {
    let (head, rest) = text.as_bytes().split_at(4 * n);
    let head = bytes::validate(head).map_err(|_| Verdict::Malformed)?;
    let blank = |rest: &[u8]| rest.iter().all(|byte| *byte == b' ');
    if exceeds(head, n) {
        fixed(n).fit(head)?;
    } else if !blank(rest) {
        return Err(Verdict::TooLong(4 * n, text.len()));
    }
    Ok(prefix(head, n))
}

/// What the server should make of it for CHAR(n) and for VARCHAR(n).
pub(super) fn verdicts(text: &str, n: usize) -> [Verdict; 2] {
    let kept = if text.len() > 4 * n {
        longer(text, n)
    } else {
        fixed(n).fit(text).map(|_| prefix(text, n)).map_err(Verdict::from)
    };
    match kept {
        Err(verdict) => [verdict.clone(), verdict],
        Ok(kept) => {
            let padded = fixed(n).fit(kept).unwrap_or_default();
            [Verdict::Stored(padded.into_owned()), Verdict::Stored(kept.to_owned())]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_server_is_read() {
        let error = |sqlstate: &str, message: &str| {
            Verdict::from(Error { sqlstate: sqlstate.into(), message: message.into() })
        };
        let long = "arithmetic exception, numeric overflow, or string truncation, string right \
                    truncation, expected length 2, actual 3";
        assert_eq!(error("22001", long), Verdict::TooLong(2, 3));
        let there = format!("{long}, At block line: 1, col: 59");
        assert_eq!(error("22001", &there), Verdict::TooLong(2, 3));
        assert_eq!(error("22000", "Malformed string"), Verdict::Malformed);
        assert!(matches!(error("42000", long), Verdict::Other(_)));
    }

    #[test]
    fn what_is_longer_than_the_field_is_judged_by_its_first_bytes() {
        assert_eq!(longer("日本語", 2), Err(Verdict::Malformed));
        assert_eq!(longer("😊😊😊", 2), Err(Verdict::TooLong(8, 12)));
        assert_eq!(longer("abcdefghi", 2), Err(Verdict::TooLong(2, 8)));
        assert_eq!(longer("😊😊    ", 2), Ok("😊😊"));
        assert_eq!(longer("a   lost", 1), Ok("a"));
    }
}
