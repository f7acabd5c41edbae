//! The functions on `&str` as methods.

/// The functions of this crate on `&str` as methods of `str`, under names that those of the
/// standard library leave free.
///
/// ```
/// use utf8_runes::RuneStr;
///
/// let title = "日本語の本   ";
/// assert_eq!(title.trim_blanks().rune_count(), 5);
/// assert_eq!(title.rune_prefix(3), "日本語");
/// assert_eq!(title.rune_substr(3, 2), "の本");
/// assert!(title.exceeds_runes(7));
/// ```
///
/// Only `str` has it; more methods may come.
pub trait RuneStr: sealed::Sealed {
    /// [`count`](crate::count): the number of scalar values.
    #[must_use]
    fn rune_count(&self) -> usize;
    /// [`count_upto`](crate::count_upto): the same, no more than `max`, early.
    #[must_use]
    fn rune_count_upto(&self, max: usize) -> usize;
    /// [`exceeds`](crate::exceeds): whether there are more than `max`.
    #[must_use]
    fn exceeds_runes(&self, max: usize) -> bool;
    /// [`offset`](crate::offset): the byte offset behind the first `runes`.
    #[must_use]
    fn rune_offset(&self, runes: usize) -> Option<usize>;
    /// [`offset_from_end`](crate::offset_from_end): the byte offset where the last `runes` begin.
    #[must_use]
    fn rune_offset_from_end(&self, runes: usize) -> Option<usize>;
    /// [`rune_index`](crate::rune_index): the number of the scalar value at a byte offset.
    #[must_use]
    fn rune_index(&self, offset: usize) -> usize;
    /// [`prefix`](crate::prefix): the first `runes`.
    #[must_use]
    fn rune_prefix(&self, runes: usize) -> &str;
    /// [`suffix`](crate::suffix): the last `runes`.
    #[must_use]
    fn rune_suffix(&self, runes: usize) -> &str;
    /// [`substr`](crate::substr): at most `runes` after the first `start`.
    #[must_use]
    fn rune_substr(&self, start: usize, runes: usize) -> &str;
    /// [`split_at`](crate::split_at): the first `runes`, and the rest.
    #[must_use]
    fn rune_split_at(&self, runes: usize) -> (&str, &str);
    /// [`prefix_bytes`](crate::prefix_bytes): the longest prefix within a byte limit.
    #[must_use]
    fn prefix_bytes(&self, max_bytes: usize) -> &str;
    /// [`suffix_bytes`](crate::suffix_bytes): the longest suffix within a byte limit.
    #[must_use]
    fn suffix_bytes(&self, max_bytes: usize) -> &str;
    /// [`utf16_len`](crate::utf16_len): the number of UTF-16 units.
    #[must_use]
    fn utf16_len(&self) -> usize;
    /// [`prefix_utf16`](crate::prefix_utf16): the longest prefix within a limit of UTF-16 units.
    #[must_use]
    fn prefix_utf16(&self, max_units: usize) -> &str;
    /// [`trim_blanks`](crate::trim_blanks): without trailing U+0020.
    #[must_use]
    fn trim_blanks(&self) -> &str;
}

impl RuneStr for str {
    #[inline]
    fn rune_count(&self) -> usize {
        crate::count(self)
    }

    #[inline]
    fn rune_count_upto(&self, max: usize) -> usize {
        crate::count_upto(self, max)
    }

    #[inline]
    fn exceeds_runes(&self, max: usize) -> bool {
        crate::exceeds(self, max)
    }

    #[inline]
    fn rune_offset(&self, runes: usize) -> Option<usize> {
        crate::offset(self, runes)
    }

    #[inline]
    fn rune_offset_from_end(&self, runes: usize) -> Option<usize> {
        crate::offset_from_end(self, runes)
    }

    #[inline]
    fn rune_index(&self, offset: usize) -> usize {
        crate::rune_index(self, offset)
    }

    #[inline]
    fn rune_prefix(&self, runes: usize) -> &str {
        crate::prefix(self, runes)
    }

    #[inline]
    fn rune_suffix(&self, runes: usize) -> &str {
        crate::suffix(self, runes)
    }

    #[inline]
    fn rune_substr(&self, start: usize, runes: usize) -> &str {
        crate::substr(self, start, runes)
    }

    #[inline]
    fn rune_split_at(&self, runes: usize) -> (&str, &str) {
        crate::split_at(self, runes)
    }

    #[inline]
    fn prefix_bytes(&self, max_bytes: usize) -> &str {
        crate::prefix_bytes(self, max_bytes)
    }

    #[inline]
    fn suffix_bytes(&self, max_bytes: usize) -> &str {
        crate::suffix_bytes(self, max_bytes)
    }

    #[inline]
    fn utf16_len(&self) -> usize {
        crate::utf16_len(self)
    }

    #[inline]
    fn prefix_utf16(&self, max_units: usize) -> &str {
        crate::prefix_utf16(self, max_units)
    }

    #[inline]
    fn trim_blanks(&self) -> &str {
        crate::trim_blanks(self)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for str {}
}
