//! VARCHAR(n).

use super::{DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad, RightTruncation};
use super::{Unit, fixed};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

/// A column of varying length: its fields begin with the length of the text in bytes.
///
/// ```
/// use utf8_runes::column::{DecodeError, VarText};
///
/// const NAME: VarText = VarText::new(10); // VARCHAR(10), as in an SQLDA
/// assert_eq!(NAME.byte_width(), 2 + 40);
/// let mut field = [0; 42];
/// assert_eq!(NAME.encode("日本", &mut field), Ok(8));
/// assert_eq!(field[..8], *b"\x06\0\xE6\x97\xA5\xE6\x9C\xAC");
/// assert_eq!(NAME.decode(&field), Ok("日本"));
/// assert_eq!(NAME.decode(&field[..7]), Err(DecodeError::Length { needed: 8 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VarText {
    text: FixedText,
    prefix: LengthPrefix,
}

impl VarText {
    /// VARCHAR(`length`): counted in scalar values, four bytes each at most, blanks kept, a text
    /// that is too long refused, the byte length before it as [`LengthPrefix::U16Le`].
    #[must_use]
    pub const fn new(length: usize) -> Self {
        Self::of(FixedText::new(length))
    }

    /// The same text behind its length.
    pub(crate) const fn of(text: FixedText) -> Self {
        Self { text, prefix: LengthPrefix::U16Le }
    }

    /// How the length is written.
    ///
    /// ```
    /// use utf8_runes::column::{LengthPrefix, VarText};
    ///
    /// let column = VarText::new(9).prefix(LengthPrefix::U32Be);
    /// assert_eq!(column.decode(b"\0\0\0\x02hi"), Ok("hi"));
    /// ```
    #[must_use]
    pub const fn prefix(self, prefix: LengthPrefix) -> Self {
        Self { prefix, ..self }
    }

    /// What the column's length counts.
    #[must_use]
    pub const fn unit(self, unit: Unit) -> Self {
        Self { text: self.text.unit(unit), ..self }
    }

    /// The most bytes that a character takes, as for
    /// [`FixedText`](FixedText::bytes_per_char).
    #[must_use]
    pub const fn bytes_per_char(self, n: usize) -> Self {
        Self { text: self.text.bytes_per_char(n), ..self }
    }

    /// Whether [`decode`](Self::decode) keeps blanks at the end of a value. What is written keeps
    /// them.
    #[must_use]
    pub const fn pad(self, pad: Pad) -> Self {
        Self { text: self.text.pad(pad), ..self }
    }

    /// What happens to a text that is too long, when it is written.
    #[must_use]
    pub const fn overflow(self, o: Overflow) -> Self {
        Self { text: self.text.overflow(o), ..self }
    }

    /// The n of VARCHAR(n), in the column's unit.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.text.length()
    }

    /// The bytes of the largest field: those of the prefix, and those of
    /// [`FixedText::byte_width`]; at most `usize::MAX`.
    #[must_use]
    pub const fn byte_width(&self) -> usize {
        self.text.byte_width().saturating_add(self.prefix.width())
    }

    /// The value of a field: the bytes that its length names, of these the first `length`
    /// characters, and without their trailing blanks under [`Pad::Trim`]. What follows is ignored.
    ///
    /// # Errors
    /// [`DecodeError::Length`] when the field ends before its prefix or its text does, and
    /// [`DecodeError::Malformed`], as [`FixedText::decode`] gives it. Offsets count in the whole
    /// field, prefix included.
    #[inline]
    pub fn decode<'a>(&self, field: &'a [u8]) -> Result<&'a str, DecodeError> {
        self.text.decode(self.bytes(field)?).map_err(|error| error.behind(self.prefix.width()))
    }

    /// [`decode`](Self::decode) that replaces malformed text, as [`FixedText::decode_lossy`] does.
    ///
    /// ```
    /// use utf8_runes::column::VarText;
    ///
    /// assert_eq!(VarText::new(9).decode_lossy(b"\x03\0a\xFFb").unwrap(), "a\u{FFFD}b");
    /// ```
    ///
    /// # Errors
    /// [`DecodeError::Length`], as for [`decode`](Self::decode).
    #[cfg(feature = "alloc")]
    pub fn decode_lossy<'a>(&self, field: &'a [u8]) -> Result<Cow<'a, str>, DecodeError> {
        Ok(self.text.decode_lossy(self.bytes(field)?))
    }

    /// [`decode`](Self::decode) into a `String` whose content it replaces.
    ///
    /// ```
    /// use utf8_runes::column::VarText;
    ///
    /// let mut value = String::from("the one before");
    /// VarText::new(9).decode_into(b"\x02\0hi", &mut value).unwrap();
    /// assert_eq!(value, "hi");
    /// ```
    ///
    /// # Errors
    /// As [`decode`](Self::decode); `out` is then as it was.
    #[cfg(feature = "alloc")]
    pub fn decode_into(&self, field: &[u8], out: &mut String) -> Result<(), DecodeError> {
        let text = self.decode(field)?;
        out.clear();
        out.push_str(text);
        Ok(())
    }

    /// The bytes of the text.
    #[inline]
    fn bytes<'a>(&self, field: &'a [u8]) -> Result<&'a [u8], DecodeError> {
        let (len, rest) = self.prefix.read(field)?;
        let needed = self.prefix.width().saturating_add(len);
        rest.get(..len).ok_or(DecodeError::Length { needed })
    }

    /// Writes the length of `text` and `text`; how many bytes that took. The rest of `field` is
    /// left as it is.
    ///
    /// # Errors
    /// [`EncodeError::RightTruncation`] when `text` is longer than the column, or than its prefix
    /// can say, and [`Overflow`] does not allow to drop what is too much;
    /// [`EncodeError::FieldTooShort`] when `field` has no room. `field` is then as it was.
    pub fn encode(&self, text: &str, field: &mut [u8]) -> Result<usize, EncodeError> {
        let kept = self.stored(text)?;
        let needed = kept.len().saturating_add(self.prefix.width());
        let Some(out) = field.get_mut(..needed) else {
            return Err(EncodeError::FieldTooShort { needed });
        };
        let (prefix, body) = out.split_at_mut(self.prefix.width());
        self.prefix.write(kept.len(), prefix);
        body.copy_from_slice(kept.as_bytes());
        Ok(needed)
    }

    /// Appends the length of `text` and `text`; how many bytes that took.
    ///
    /// ```
    /// use utf8_runes::column::VarText;
    ///
    /// let mut message = Vec::new();
    /// assert_eq!(VarText::new(9).encode_append("é", &mut message), Ok(4));
    /// assert_eq!(message, b"\x02\0\xC3\xA9");
    /// ```
    ///
    /// # Errors
    /// [`EncodeError::RightTruncation`], as for [`encode`](Self::encode), and
    /// [`EncodeError::FieldTooShort`] when the text takes more than
    /// [`byte_width`](Self::byte_width), as characters of more than
    /// [`bytes_per_char`](Self::bytes_per_char) may, or the memory cannot be had; `out` is then as
    /// it was.
    #[cfg(feature = "alloc")]
    pub fn encode_append(&self, text: &str, out: &mut Vec<u8>) -> Result<usize, EncodeError> {
        let kept = self.stored(text)?;
        let width = self.prefix.width();
        let start = out.len();
        let needed = kept.len().saturating_add(width);
        if needed > self.byte_width() || out.try_reserve(needed).is_err() {
            return Err(EncodeError::FieldTooShort { needed });
        }
        out.resize(start + width, 0);
        if let Some(prefix) = out.get_mut(start..) {
            self.prefix.write(kept.len(), prefix);
        }
        out.extend_from_slice(kept.as_bytes());
        Ok(width + kept.len())
    }

    /// What of `text` the column takes.
    fn stored<'a>(&self, text: &'a str) -> Result<&'a str, RightTruncation> {
        let (fitting, _) = self.text.stored(text)?;
        let kept = crate::prefix_bytes(fitting, self.prefix.most());
        if fixed::may_drop(self.text.overflow, fitting.get(kept.len()..).unwrap_or_default()) {
            return Ok(kept);
        }
        Err(RightTruncation { expected: self.text.measure(kept), actual: self.text.measure(text) })
    }
}
