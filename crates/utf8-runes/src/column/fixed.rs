//! CHAR(n).

use super::{DecodeError, EncodeError, Overflow, Pad, RightTruncation, Tail, Unit};
use crate::{arch, bytes};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

/// A column of fixed length: how its fields are read and written.
///
/// ```
/// use utf8_runes::column::{FixedText, Pad, Unit};
///
/// // CHAR(10) CHARACTER SET UTF8 of Firebird, read as people expect it
/// const NAME: FixedText = FixedText::new(10).pad(Pad::Trim);
/// assert_eq!(NAME.byte_width(), 40);
/// assert_eq!(NAME.decode(b"Ada                                     "), Ok("Ada"));
/// // char(10) of SQL Server under a UTF-8 collation
/// const CODE: FixedText = FixedText::new(10).unit(Unit::Bytes);
/// assert_eq!(CODE.byte_width(), 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedText {
    length: usize,
    bytes_per_char: usize,
    unit: Unit,
    pad: Pad,
    pub(super) overflow: Overflow,
    tail: Tail,
}

impl FixedText {
    /// CHAR(`length`): counted in scalar values, four bytes each in the field, blanks kept, a text
    /// that is too long refused, what follows in the field ignored.
    #[must_use]
    pub const fn new(length: usize) -> Self {
        Self {
            length,
            bytes_per_char: 4,
            unit: Unit::Scalars,
            pad: Pad::Keep,
            overflow: Overflow::Error,
            tail: Tail::Ignore,
        }
    }

    /// What the length counts.
    #[must_use]
    pub const fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    /// The bytes of a field for each character, the most that one takes in the column's character
    /// set: 4 for UTF8, 3 for `UNICODE_FSS` of Firebird or utf8mb3 of MySQL. Decides
    /// [`byte_width`](Self::byte_width) and nothing else.
    ///
    /// ```
    /// use utf8_runes::column::FixedText;
    ///
    /// assert_eq!(FixedText::new(10).bytes_per_char(3).byte_width(), 30);
    /// ```
    #[must_use]
    pub const fn bytes_per_char(self, n: usize) -> Self {
        Self { bytes_per_char: n, ..self }
    }

    /// Whether blanks at the end of a value are kept.
    #[must_use]
    pub const fn pad(self, pad: Pad) -> Self {
        Self { pad, ..self }
    }

    /// What happens to a text that is too long, when it is written.
    #[must_use]
    pub const fn overflow(self, o: Overflow) -> Self {
        Self { overflow: o, ..self }
    }

    /// What is asked of the bytes behind the column's last character, when a field is read.
    ///
    /// ```
    /// use utf8_runes::column::{DecodeError, FixedText, Tail};
    ///
    /// let column = FixedText::new(2);
    /// assert_eq!(column.decode(b"ab    x "), Ok("ab"));
    /// let strict = column.tail(Tail::RequireBlank);
    /// assert_eq!(strict.decode(b"ab    x "), Err(DecodeError::Tail { offset: 6 }));
    /// ```
    #[must_use]
    pub const fn tail(self, t: Tail) -> Self {
        Self { tail: t, ..self }
    }

    /// The n of CHAR(n), in the column's unit.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// The bytes of a field: length × bytes a character, at most `usize::MAX`; the length itself
    /// when that counts bytes.
    #[must_use]
    pub const fn byte_width(&self) -> usize {
        match self.unit {
            Unit::Bytes => self.length,
            Unit::Scalars | Unit::Utf16 => self.length.saturating_mul(self.bytes_per_char),
        }
    }

    /// The value of a field of any length: its first `length` characters, without their trailing
    /// blanks under [`Pad::Trim`] (cut first, then trimmed).
    ///
    /// Validates exactly what it cuts, as [`bytes::prefix`] does: bytes behind that may be
    /// anything, unless [`Tail::RequireBlank`] asks them to be blanks. [`Unit::Bytes`] cuts at a
    /// byte, where half a character is malformed; [`Unit::Utf16`] leaves a scalar value out of
    /// which only the first unit would fit.
    ///
    /// ```
    /// use utf8_runes::column::{DecodeError, FixedText};
    ///
    /// let column = FixedText::new(2);
    /// assert_eq!(column.decode(b"ab\xFF     "), Ok("ab"));
    /// assert_eq!(column.decode(b"a\xFF      "), Err(DecodeError::Malformed { offset: 1 }));
    /// ```
    ///
    /// # Errors
    /// [`DecodeError::Malformed`] and, under [`Tail::RequireBlank`], [`DecodeError::Tail`].
    #[inline]
    pub fn decode<'a>(&self, field: &'a [u8]) -> Result<&'a str, DecodeError> {
        if self.unit == Unit::Scalars
            && self.tail == Tail::Ignore
            && let Some(text) = arch::prefix(field, self.length, self.pad == Pad::Trim)
        {
            return Ok(text);
        }
        self.decode_any(field)
    }

    fn decode_any<'a>(&self, field: &'a [u8]) -> Result<&'a str, DecodeError> {
        let cut = self.cut(field);
        let (head, tail) = field.split_at_checked(cut).unwrap_or((field, &[]));
        let kept = match self.pad {
            Pad::Keep => head,
            // Blanks change no verdict, and a value is mostly blanks more often than not.
            Pad::Trim => head.get(..arch::trimmed_len(head)).unwrap_or(head),
        };
        let text = bytes::validate(kept)
            .map_err(|error| DecodeError::Malformed { offset: error.valid_up_to() })?;
        if self.tail == Tail::RequireBlank
            && let Some(at) = tail.iter().position(|byte| *byte != b' ')
        {
            return Err(DecodeError::Tail { offset: cut + at });
        }
        Ok(text)
    }

    /// [`decode`](Self::decode) that replaces instead of failing: the field as
    /// `String::from_utf8_lossy` reads it, cut to `length` and trimmed as set. Each U+FFFD counts
    /// as one character; [`Unit::Bytes`] cuts the field before, not after. Bytes behind the last
    /// character are ignored whatever [`Tail`] says. Borrowed unless a U+FFFD had to be put in.
    ///
    /// ```
    /// use utf8_runes::column::FixedText;
    ///
    /// assert_eq!(FixedText::new(2).decode_lossy(b"a\xFFb     "), "a\u{FFFD}");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn decode_lossy<'a>(&self, field: &'a [u8]) -> Cow<'a, str> {
        // Not in UTF-16 units: there a malformed lead of four bytes may not fit as what it began and
        // yet fit as U+FFFD.
        if self.unit != Unit::Utf16
            && let Ok(text) = self.tail(Tail::Ignore).decode(field)
        {
            return Cow::Borrowed(text);
        }
        let text = match self.unit {
            Unit::Scalars => bytes::lossy(field, self.length, crate::prefix, crate::count),
            Unit::Bytes => {
                let field = field.get(..self.length).unwrap_or(field);
                bytes::lossy(field, usize::MAX, crate::prefix, crate::count)
            }
            Unit::Utf16 => bytes::lossy(field, self.length, crate::prefix_utf16, crate::utf16_len),
        };
        match (self.pad, text) {
            (Pad::Keep, text) => text,
            (Pad::Trim, Cow::Borrowed(text)) => Cow::Borrowed(crate::trim_blanks(text)),
            (Pad::Trim, Cow::Owned(mut text)) => {
                text.truncate(crate::trim_blanks(&text).len());
                Cow::Owned(text)
            }
        }
    }

    /// [`decode`](Self::decode) into a `String` whose content it replaces; no allocation once that
    /// has grown to the largest value.
    ///
    /// ```
    /// use utf8_runes::column::FixedText;
    ///
    /// let column = FixedText::new(2);
    /// let mut value = String::from("the one before");
    /// column.decode_into("é       ".as_bytes(), &mut value).unwrap();
    /// assert_eq!(value, "é ");
    /// ```
    ///
    /// # Errors
    /// As [`decode`](Self::decode); `out` is then as it was.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_into(&self, field: &[u8], out: &mut String) -> Result<(), DecodeError> {
        let text = self.decode(field)?;
        out.clear();
        out.push_str(text);
        Ok(())
    }

    /// The values of fields that lie `stride` bytes apart, one a row. A row's field is its first
    /// `stride` bytes and at most [`byte_width`](Self::byte_width); a last row that is shorter is
    /// a row. A stride of 0 gives no row.
    ///
    /// ```
    /// use utf8_runes::column::{FixedText, Pad};
    ///
    /// let column = FixedText::new(1).pad(Pad::Trim);
    /// let rows = "A   😊é  ".as_bytes();
    /// let values: Vec<_> = column.decode_rows(rows, 4).map(Result::unwrap).collect();
    /// assert_eq!(values, ["A", "😊", "é"]);
    /// ```
    #[must_use]
    pub fn decode_rows<'a>(
        self,
        rows: &'a [u8],
        stride: usize,
    ) -> impl ExactSizeIterator<Item = Result<&'a str, DecodeError>> + 'a {
        let rows = if stride == 0 { &[] } else { rows };
        let width = self.byte_width();
        rows.chunks(stride.max(1)).map(move |row| self.decode(row.get(..width).unwrap_or(row)))
    }

    /// Writes `text` and fills the rest of `field` with blanks, all of it, however long it is.
    ///
    /// ```
    /// use utf8_runes::column::{EncodeError, FixedText};
    ///
    /// let mut field = [0; 4];
    /// assert_eq!(FixedText::new(1).encode("é", &mut field), Ok(()));
    /// assert_eq!(field, *"é  ".as_bytes());
    /// let done = FixedText::new(9).encode("é", &mut field);
    /// assert_eq!(done, Err(EncodeError::FieldTooShort { needed: 10 }));
    /// ```
    ///
    /// # Errors
    /// [`EncodeError::RightTruncation`] when `text` is longer than the column and [`Overflow`] does
    /// not allow to drop what is too much; [`EncodeError::FieldTooShort`] when `field` has no room
    /// for the text and its blanks up to the column's length. `field` is then as it was.
    pub fn encode(&self, text: &str, field: &mut [u8]) -> Result<(), EncodeError> {
        let (kept, blanks) = self.stored(text)?;
        let needed = kept.len().saturating_add(blanks);
        match field.split_at_mut_checked(kept.len()) {
            Some((head, rest)) if rest.len() >= blanks => {
                head.copy_from_slice(kept.as_bytes());
                rest.fill(b' ');
                Ok(())
            }
            _ => Err(EncodeError::FieldTooShort { needed }),
        }
    }

    /// Appends a whole field of [`byte_width`](Self::byte_width) bytes: `text` and blanks.
    ///
    /// ```
    /// use utf8_runes::column::FixedText;
    ///
    /// let mut row = b"1".to_vec();
    /// FixedText::new(2).encode_append("é", &mut row).unwrap();
    /// assert_eq!(row, "1é      ".as_bytes());
    /// ```
    ///
    /// # Errors
    /// As [`encode`](Self::encode), and [`EncodeError::FieldTooShort`] too when the memory for a
    /// field cannot be had; `out` is then as it was.
    #[cfg(feature = "alloc")]
    pub fn encode_append(&self, text: &str, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let (kept, blanks) = self.stored(text)?;
        let width = self.byte_width();
        let needed = kept.len().saturating_add(blanks);
        if needed > width || out.try_reserve(width).is_err() {
            return Err(EncodeError::FieldTooShort { needed: needed.max(width) });
        }
        out.extend_from_slice(kept.as_bytes());
        out.extend(core::iter::repeat_n(b' ', width - kept.len()));
        Ok(())
    }

    /// The value that the column would hold for `text`: what [`decode`](Self::decode) gives after
    /// [`encode`](Self::encode). Borrowed when no blank has to be added, else one allocation; when
    /// the memory for the blanks cannot be had they are left out.
    ///
    /// ```
    /// use utf8_runes::column::{FixedText, Overflow};
    ///
    /// let column = FixedText::new(3).overflow(Overflow::Truncate);
    /// assert_eq!(column.fit("😊").unwrap(), "😊  ");
    /// assert_eq!(column.fit("abcdef").unwrap(), "abc");
    /// ```
    ///
    /// # Errors
    /// When `text` is longer than the column and [`Overflow`] does not allow to drop what is too
    /// much.
    #[cfg(feature = "alloc")]
    pub fn fit<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, RightTruncation> {
        let (kept, blanks) = self.stored(text)?;
        if self.pad == Pad::Trim {
            return Ok(Cow::Borrowed(crate::trim_blanks(kept)));
        }
        let padded = if blanks == 0 { None } else { arch::padded(kept, blanks) };
        Ok(padded.map_or(Cow::Borrowed(kept), Cow::Owned))
    }

    /// Where the value ends in `field`.
    #[inline]
    fn cut(&self, field: &[u8]) -> usize {
        match self.unit {
            Unit::Scalars => bytes::cut(field, self.length),
            Unit::Bytes => self.length.min(field.len()),
            Unit::Utf16 => cut_utf16(field, self.length),
        }
    }

    /// What of `text` the column takes, and how many blanks follow up to its length.
    pub(super) fn stored<'a>(&self, text: &'a str) -> Result<(&'a str, usize), RightTruncation> {
        let kept = match self.unit {
            Unit::Scalars => crate::prefix(text, self.length),
            Unit::Bytes => crate::prefix_bytes(text, self.length),
            Unit::Utf16 => crate::prefix_utf16(text, self.length),
        };
        let excess = text.get(kept.len()..).unwrap_or_default();
        if may_drop(self.overflow, excess) {
            Ok((kept, self.length.saturating_sub(self.measure(kept))))
        } else {
            Err(RightTruncation { expected: self.length, actual: self.measure(text) })
        }
    }

    /// The length of `text` in the column's unit.
    pub(super) fn measure(&self, text: &str) -> usize {
        match self.unit {
            Unit::Scalars => crate::count(text),
            Unit::Bytes => text.len(),
            Unit::Utf16 => crate::utf16_len(text),
        }
    }
}

/// Whether a text may lose its end.
pub(super) fn may_drop(overflow: Overflow, excess: &str) -> bool {
    match overflow {
        Overflow::Error => excess.is_empty(),
        Overflow::SqlStore => crate::trim_blanks(excess).is_empty(),
        Overflow::Truncate => true,
    }
}

fn cut_utf16(field: &[u8], units: usize) -> usize {
    match units {
        0 => 0,
        _ => arch::nth_lead_utf16(field, units).unwrap_or(field.len()),
    }
}
