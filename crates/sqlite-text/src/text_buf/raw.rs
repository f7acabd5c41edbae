//! Bytes that are known to be UTF-8.

use crate::raw::str_of;
use smallvec::SmallVec;

/// Bytes that are UTF-8: only a `str` or a `String` goes in, and nothing changes them.
#[derive(Clone, Default)]
pub(crate) struct Utf8Bytes(SmallVec<[u8; 24]>);

impl Utf8Bytes {
    #[inline]
    pub(crate) fn copy_of(text: &str) -> Self {
        Self(SmallVec::from_slice(text.as_bytes()))
    }

    pub(crate) fn from_string(text: String) -> Self {
        // `SmallVec::from_vec` goes by the capacity and would keep a short text on the heap.
        if text.len() <= 24 {
            Self::copy_of(&text)
        } else {
            Self(SmallVec::from_vec(text.into_bytes()))
        }
    }

    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        // SAFETY: the bytes come whole from a `str` or a `String` (the two constructors above; the
        // default is empty, a clone is a copy) and no method gives them out to be written.
        unsafe { str_of(&self.0) }
    }

    pub(crate) fn into_string(self) -> String {
        // SAFETY: as in `as_str`; `into_vec` gives the same bytes.
        unsafe { String::from_utf8_unchecked(self.0.into_vec()) }
    }
}
