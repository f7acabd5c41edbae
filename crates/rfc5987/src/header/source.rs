//! The type and the parameters of a header, as they stand there.

use super::parse::Profile;
use super::{grammar, mail};
use crate::error::{ParseError, ParseErrorKind};
use core::fmt;

/// A valid parameter: its name, a token, and the bytes of its value.
#[derive(Clone, Copy)]
pub(super) struct Param<'a> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
}

impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", token(self.name), self.value.escape_ascii())
    }
}

/// What is known to be a token, as text. Those that most headers have need no look at their bytes.
#[inline]
pub(super) fn token(bytes: &[u8]) -> &str {
    match bytes {
        b"attachment" => "attachment",
        b"form-data" => "form-data",
        b"filename" => "filename",
        b"filename*" => "filename*",
        b"name" => "name",
        _ => core::str::from_utf8(bytes).unwrap_or_default(),
    }
}

/// A header and how it is to be read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a [u8],
    pub(super) profile: Profile,
}

impl<'a> Source<'a> {
    /// The type, and where the next `;` or the end is.
    #[inline]
    pub(super) fn kind(self) -> Result<(&'a [u8], usize), ParseError> {
        let start = self.skip_blanks(0);
        let text = &self.text[start..];
        let end = start + grammar::token_len(text, grammar::usual_type(text));
        let behind = self.skip_blanks(end);
        let junk = !self.ends(behind);
        if end == start {
            let kind = if junk { ParseErrorKind::InvalidType } else { ParseErrorKind::MissingType };
            return Err(ParseError::new(kind, start));
        }
        if junk && behind == end {
            return Err(ParseError::new(ParseErrorKind::InvalidType, end));
        }
        let next = if junk { grammar::semicolon(self.text, behind) } else { behind };
        Ok((&self.text[start..end], next))
    }

    /// Behind the optional blanks at `at`, in mail also folds.
    #[inline]
    fn skip_blanks(self, from: usize) -> usize {
        from + grammar::looked_at(self.blank_end(from) - from)
    }

    #[inline(always)]
    fn blank_end(self, mut at: usize) -> usize {
        loop {
            at += match self.text.get(at) {
                Some(b' ' | b'\t') => 1,
                Some(b'\r' | b'\n') if self.profile == Profile::Mail => {
                    match mail::fold_len(&self.text[at..]) {
                        0 => return at,
                        len => len,
                    }
                }
                _ => return at,
            }
        }
    }

    /// Whether a parameter can end here.
    fn ends(self, at: usize) -> bool {
        matches!(self.text.get(at), None | Some(b';'))
    }

    /// The parameter behind a `;`, if it is valid, and where the next `;` or the end is.
    #[inline(always)]
    pub(super) fn param(self, at: usize) -> (Option<Param<'a>>, usize) {
        let start = self.skip_blanks(at);
        let text = &self.text[start..];
        let end = start + grammar::token_len(text, grammar::usual_name(text));
        let name = &self.text[start..end];
        let at = self.skip_blanks(end);
        if name.is_empty() || self.text.get(at) != Some(&b'=') {
            return (None, grammar::semicolon(self.text, at));
        }
        let start = self.skip_blanks(at + 1);
        let (end, valid) = match self.text.get(start) {
            // Without its other quote it is skipped like everything else: to the next `;`.
            Some(b'"') => self.quoted_end(start).unwrap_or((start, false)),
            _ => {
                let end = start + self.unquoted_len(start);
                (end, end > start)
            }
        };
        let behind = self.skip_blanks(end);
        if valid && self.ends(behind) {
            return (Some(Param { name, value: &self.text[start..end] }), behind);
        }
        let next = grammar::semicolon(self.text, behind.max(end));
        // The error of an extended parameter is for its reader to see.
        let value = || self.trim_end(&self.text[start..next]);
        (name.ends_with(b"*").then(|| Param { name, value: value() }), next)
    }

    fn unquoted_len(self, start: usize) -> usize {
        let text = &self.text[start..];
        match self.profile {
            Profile::Mail => mail::unquoted_len(text),
            Profile::Http | Profile::FormData => grammar::unquoted_len(text),
        }
    }

    /// Where the quoted string at `start` ends, and whether all that is in it may be; `None` when
    /// it does not end.
    fn quoted_end(self, start: usize) -> Option<(usize, bool)> {
        let (mut at, mut valid) = (start + 1, true);
        loop {
            at = grammar::special(self.text, at);
            at += match (*self.text.get(at)?, self.text.get(at + 1)) {
                (b'"', _) => return Some((at + 1, valid)),
                (b'\\', Some(b'"')) if self.profile == Profile::FormData => {
                    if self.ends(self.skip_blanks(at + 2)) {
                        return Some((at + 2, valid));
                    }
                    2
                }
                (b'\\', None | Some(b'\r' | b'\n' | b'\0')) => 1,
                (b'\\', _) => {
                    if self.profile == Profile::FormData {
                        1
                    } else {
                        2
                    }
                }
                (control, _) => {
                    let text = &self.text[at..];
                    valid &= match self.profile {
                        Profile::Http => false,
                        // Browsers send every control but these.
                        Profile::FormData => control == b'\0',
                        Profile::Mail => mail::fold_len(text) > 0,
                    };
                    if self.profile == Profile::Mail { mail::fold_len(text).max(1) } else { 1 }
                }
            }
        }
    }

    /// Without the optional blanks at the end, in mail also line breaks.
    fn trim_end(self, value: &[u8]) -> &[u8] {
        let mail = self.profile == Profile::Mail;
        let blank = |byte: &u8| match byte {
            b' ' | b'\t' => true,
            b'\r' | b'\n' => mail,
            _ => false,
        };
        let len = value.iter().rposition(|byte| !blank(byte)).map_or(0, |last| last + 1);
        &value[..len]
    }
}
