//! The columns of `utf8-runes`, under every setting, against models that go character by character.

use crate::tiers::on_every_tier;
use utf8_runes::column::{DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad};
use utf8_runes::column::{RightTruncation, Tail, Unit, VarText};
use utf8_runes::firebird::{Layout, TextColumn};

/// Columns: their length, their settings and a size, then a field or a text.
pub fn column(data: &[u8]) {
    let (length, data) = crate::number(data);
    let (settings, data) = crate::number(data);
    let (size, input) = crate::number(data);
    let settings = Settings::new(length, settings);
    let text = String::from_utf8_lossy(input);
    let decoded = settings.decode(input);
    let lossy = settings.decode_lossy(input);
    let rows: Vec<_> =
        if size == 0 { Vec::new() } else { input.chunks(size).map(|r| settings.row(r)).collect() };
    let stored = settings.stored(&text);
    on_every_tier(|| {
        let column = settings.fixed();
        assert_eq!(column.decode(input), decoded);
        assert_eq!(column.decode_lossy(input), lossy);
        let mut out = String::from("before");
        assert_eq!(column.decode_into(input, &mut out), decoded.map(|_| ()));
        assert_eq!(out, decoded.unwrap_or("before"));
        assert_eq!(column.decode_rows(input, size).collect::<Vec<_>>(), rows);
        settings.check_encode(&text, &stored, size);
        settings.check_var(&text, size);
        settings.check_var_field(input);
        settings.check_append(&text);
        described(length, size, input, &text);
    });
}

#[derive(Debug, Clone, Copy)]
struct Settings {
    length: usize,
    unit: Unit,
    pad: Pad,
    overflow: Overflow,
    tail: Tail,
    prefix: LengthPrefix,
    bytes_per_char: usize,
}

/// Takes one of `all` and leaves `number` for the next.
fn one_of<T: Copy, const N: usize>(number: &mut usize, all: [T; N]) -> T {
    let chosen = all[*number % N];
    *number /= N;
    chosen
}

impl Settings {
    fn new(length: usize, mut number: usize) -> Self {
        let number = &mut number;
        Self {
            length,
            unit: one_of(number, [Unit::Scalars, Unit::Bytes, Unit::Utf16]),
            pad: one_of(number, [Pad::Keep, Pad::Trim]),
            overflow: one_of(number, [Overflow::Error, Overflow::SqlStore, Overflow::Truncate]),
            tail: one_of(number, [Tail::Ignore, Tail::RequireBlank]),
            prefix: one_of(number, [LengthPrefix::U16Le, LengthPrefix::U32Be]),
            bytes_per_char: one_of(number, [4, 3, 1]),
        }
    }

    fn fixed(&self) -> FixedText {
        FixedText::new(self.length)
            .unit(self.unit)
            .pad(self.pad)
            .overflow(self.overflow)
            .tail(self.tail)
            .bytes_per_char(self.bytes_per_char)
    }

    fn var(&self) -> VarText {
        VarText::new(self.length)
            .unit(self.unit)
            .pad(self.pad)
            .overflow(self.overflow)
            .prefix(self.prefix)
            .bytes_per_char(self.bytes_per_char)
    }

    /// Where the column's last character ends in bytes that may be malformed.
    fn cut(&self, field: &[u8]) -> usize {
        let mut left = self.length;
        for (at, &byte) in field.iter().enumerate() {
            let takes = match self.unit {
                Unit::Bytes => 1,
                // A continuation byte belongs to what is before it, if there is anything.
                _ if byte & 0xC0 == 0x80 && self.length > 0 => 0,
                Unit::Utf16 if byte >= 0xF0 => 2,
                _ => 1,
            };
            if takes > left {
                return at;
            }
            left -= takes;
        }
        field.len()
    }

    fn decode<'a>(&self, field: &'a [u8]) -> Result<&'a str, DecodeError> {
        let (head, tail) = field.split_at(self.cut(field));
        let text = std::str::from_utf8(head)
            .map_err(|error| DecodeError::Malformed { offset: error.valid_up_to() })?;
        match tail.iter().position(|&byte| byte != b' ') {
            Some(at) if self.tail == Tail::RequireBlank => {
                Err(DecodeError::Tail { offset: head.len() + at })
            }
            _ => Ok(self.trimmed(text)),
        }
    }

    fn decode_lossy(&self, field: &[u8]) -> String {
        let text = match self.unit {
            Unit::Bytes => String::from_utf8_lossy(&field[..self.length.min(field.len())]),
            _ => String::from_utf8_lossy(field),
        };
        self.trimmed(if self.unit == Unit::Bytes { &text } else { self.fitting(&text) }).to_owned()
    }

    fn row<'a>(&self, row: &'a [u8]) -> Result<&'a str, DecodeError> {
        let per_char = if self.unit == Unit::Bytes { 1 } else { self.bytes_per_char };
        self.decode(&row[..row.len().min(self.length * per_char)])
    }

    fn trimmed<'a>(&self, text: &'a str) -> &'a str {
        if self.pad == Pad::Trim { text.trim_end_matches(' ') } else { text }
    }

    fn weight(&self, c: char) -> usize {
        match self.unit {
            Unit::Scalars => 1,
            Unit::Bytes => c.len_utf8(),
            Unit::Utf16 => c.len_utf16(),
        }
    }

    fn weigh(&self, text: &str) -> usize {
        text.chars().map(|c| self.weight(c)).sum()
    }

    /// The characters that fit the length.
    fn fitting<'a>(&self, text: &'a str) -> &'a str {
        let mut weight = 0;
        let over = text.char_indices().find(|&(_, c)| {
            weight += self.weight(c);
            weight > self.length
        });
        &text[..over.map_or(text.len(), |(at, _)| at)]
    }

    /// What the column keeps of `text`, without the blanks that it adds.
    fn stored<'a>(&self, text: &'a str) -> Result<&'a str, RightTruncation> {
        let kept = self.fitting(text);
        let excess = &text[kept.len()..];
        let allowed = match self.overflow {
            Overflow::Error => excess.is_empty(),
            Overflow::SqlStore => excess.bytes().all(|byte| byte == b' '),
            _ => true,
        };
        let refused = RightTruncation { expected: self.length, actual: self.weigh(text) };
        if allowed { Ok(kept) } else { Err(refused) }
    }

    /// Into fields that end where an allocation does, around the size that it takes.
    fn check_encode(&self, text: &str, stored: &Result<&str, RightTruncation>, size: usize) {
        let column = self.fixed();
        let whole = stored.map(|kept| {
            let blanks = self.length - self.weigh(kept);
            format!("{kept}{}", " ".repeat(blanks))
        });
        let value = whole.as_ref().map(|whole| self.trimmed(whole));
        let fit = column.fit(text);
        assert_eq!(fit.as_deref(), value);
        let need = whole.as_ref().map_or(0, String::len);
        for size in [size, need.saturating_sub(1), need, need + 9] {
            let mut field = vec![b'#'; size].into_boxed_slice();
            let expected = match &whole {
                Err(refused) => Err(EncodeError::RightTruncation(*refused)),
                Ok(_) if size < need => Err(EncodeError::FieldTooShort { needed: need }),
                Ok(_) => Ok(()),
            };
            assert_eq!(column.encode(text, &mut field), expected);
            match &whole {
                Ok(whole) if expected.is_ok() => {
                    assert!(field.starts_with(whole.as_bytes()));
                    assert!(field[need..].iter().all(|&byte| byte == b' '));
                    assert_eq!(column.decode(&field), Ok(self.trimmed(whole)));
                }
                _ => assert!(field.iter().all(|&byte| byte == b'#')),
            }
        }
    }

    fn head(&self, len: usize) -> Vec<u8> {
        match self.prefix {
            LengthPrefix::U16Le => (len as u16).to_le_bytes().to_vec(),
            _ => (len as u32).to_be_bytes().to_vec(),
        }
    }

    fn check_var(&self, text: &str, size: usize) {
        let column = self.var();
        let stored = self.stored(text);
        let whole = stored.map(|kept| [&self.head(kept.len()), kept.as_bytes()].concat());
        let need = whole.as_ref().map_or(0, Vec::len);
        for size in [size, need.saturating_sub(1), need, need + 9] {
            let mut field = vec![b'#'; size].into_boxed_slice();
            let expected = match &whole {
                Err(refused) => Err(EncodeError::RightTruncation(*refused)),
                Ok(_) if size < need => Err(EncodeError::FieldTooShort { needed: need }),
                Ok(_) => Ok(need),
            };
            assert_eq!(column.encode(text, &mut field), expected);
            if let (Ok(whole), Ok(_), Ok(kept)) = (&whole, expected, stored) {
                assert!(field.starts_with(whole));
                assert_eq!(column.decode(&field), Ok(self.trimmed(kept)));
                field[..need].fill(b'#');
            }
            assert!(field.iter().all(|&byte| byte == b'#'));
        }
    }

    /// Any bytes as a field that begins with its length.
    fn check_var_field(&self, field: &[u8]) {
        let width = self.head(0).len();
        let expected = match field.split_at_checked(width) {
            None => Err(DecodeError::Length { needed: width }),
            Some((head, rest)) => {
                let len = match self.prefix {
                    LengthPrefix::U16Le => usize::from(head[0]) | usize::from(head[1]) << 8,
                    _ => head.iter().fold(0, |len, &byte| len << 8 | usize::from(byte)),
                };
                match rest.get(..len) {
                    None => Err(DecodeError::Length { needed: width.saturating_add(len) }),
                    Some(text) => {
                        Self { tail: Tail::Ignore, ..*self }.decode(text).map_err(|error| {
                            match error {
                                DecodeError::Malformed { offset } => {
                                    DecodeError::Malformed { offset: offset + width }
                                }
                                other => other,
                            }
                        })
                    }
                }
            }
        };
        let column = self.var();
        assert_eq!(column.decode(field), expected);
        let mut out = String::from("before");
        assert_eq!(column.decode_into(field, &mut out), expected.map(|_| ()));
        assert_eq!(out, expected.unwrap_or("before"));
        match column.decode_lossy(field) {
            Err(error) => assert_eq!(Err(error), expected),
            Ok(lossy) => {
                let len = match self.prefix {
                    LengthPrefix::U16Le => usize::from(field[0]) | usize::from(field[1]) << 8,
                    _ => field[..width].iter().fold(0, |len, &byte| len << 8 | usize::from(byte)),
                };
                assert_eq!(lossy, self.decode_lossy(&field[width..width + len]));
            }
        }
    }

    /// Whole fields behind something.
    fn check_append(&self, text: &str) {
        let stored = self.stored(text);
        let column = self.fixed();
        let mut out = b"x".to_vec();
        let done = column.encode_append(text, &mut out);
        match stored {
            Err(refused) => assert_eq!(done, Err(EncodeError::RightTruncation(refused))),
            Ok(kept) => {
                let need = kept.len() + self.length - self.weigh(kept);
                let width = column.byte_width();
                if need > width {
                    assert_eq!(done, Err(EncodeError::FieldTooShort { needed: need }));
                } else {
                    assert_eq!(done, Ok(()));
                    assert_eq!(
                        out[1..],
                        *format!("{kept}{}", " ".repeat(width - kept.len())).as_bytes()
                    );
                    out.truncate(1);
                }
            }
        }
        assert_eq!(out, b"x");
        let done = self.var().encode_append(text, &mut out);
        let whole = stored.map(|kept| [b"x", &*self.head(kept.len()), kept.as_bytes()].concat());
        match whole {
            Err(refused) => assert_eq!(done, Err(EncodeError::RightTruncation(refused))),
            Ok(whole) if whole.len() - 1 > self.var().byte_width() => {
                let needed = whole.len() - 1;
                assert_eq!(done, Err(EncodeError::FieldTooShort { needed }));
                assert_eq!(out, b"x");
            }
            Ok(whole) => {
                assert_eq!(done, Ok(whole.len() - 1));
                assert_eq!(out, whole);
            }
        }
    }
}

/// A column of Firebird by its description: it is the layout that it says.
fn described(charset: usize, sqllen: usize, field: &[u8], text: &str) {
    for sqltype in [448, 449, 452, 453] {
        let Ok(column) = TextColumn::new(sqltype, charset as i32, sqllen as i32) else { continue };
        let mut out = vec![0; column.byte_width()];
        match column.layout() {
            Layout::Fixed(fixed) => {
                assert_eq!(column.decode(field), fixed.decode(field));
                assert_eq!(column.byte_width(), sqllen);
                let done = column.encode(text, &mut out);
                let mut same = vec![0; column.byte_width()];
                assert_eq!(done, fixed.encode(text, &mut same).map(|()| same.len()));
                assert_eq!(out, same);
            }
            Layout::Varying(var) => {
                assert_eq!(column.decode(field), var.decode(field));
                assert_eq!(column.byte_width(), sqllen + 2);
                assert_eq!(
                    column.decode_lossy(field).is_err(),
                    column
                        .decode(field)
                        .is_err_and(|error| matches!(error, DecodeError::Length { .. }))
                );
                if let Ok(written) = column.encode(text, &mut out) {
                    assert_eq!(written, out[0] as usize + 2);
                    assert_eq!(column.decode(&out), Ok(text));
                }
            }
        }
    }
}
