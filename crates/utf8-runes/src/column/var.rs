//! VARCHAR(n).

use super::{DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad, RightTruncation};
use super::{Unit, fixed};

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
        Self { text: FixedText::new(length), prefix: LengthPrefix::U16Le }
    }

    /// How the length is written.
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
        let (len, rest) = self.prefix.read(field)?;
        let width = self.prefix.width();
        let Some(text) = rest.get(..len) else {
            return Err(DecodeError::Length { needed: width.saturating_add(len) });
        };
        self.text.decode(text).map_err(|error| error.behind(width))
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
