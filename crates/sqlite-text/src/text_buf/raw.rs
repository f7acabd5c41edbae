//! Bytes that are known to be UTF-8.

use crate::raw::str_of;
use smallvec::SmallVec;

/// How many bytes lie in the value itself.
const SHORT: usize = 24;

/// Bytes that are UTF-8: only a `str` or a `String` goes in, and nothing changes them.
#[derive(Clone, Default)]
pub(crate) struct Utf8Bytes(SmallVec<[u8; SHORT]>);

impl Utf8Bytes {
    #[inline(always)]
    pub(crate) fn copy_of(text: &str) -> Self {
        let bytes = text.as_bytes();
        match short(bytes) {
            Some(short) => Self(SmallVec::from_buf_and_len(short, bytes.len())),
            None => Self::long_copy_of(text),
        }
    }

    #[inline(never)]
    fn long_copy_of(text: &str) -> Self {
        Self(SmallVec::from_slice(text.as_bytes()))
    }

    pub(crate) fn from_string(text: String) -> Self {
        // `SmallVec::from_vec` goes by the capacity and would keep a short text on the heap.
        if text.len() <= SHORT {
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

/// At most [`SHORT`] bytes, and zeros behind them. Made in registers and by few branches: nobody
/// can guess how long the next text is, and a call that copies costs more than the copy.
#[inline(always)]
fn short(bytes: &[u8]) -> Option<[u8; SHORT]> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= SHORT as u32)?;
    let words = match bytes.len().checked_sub(8) {
        Some(last) => {
            let word = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
            // What is in the word before as well is shifted out.
            [
                word(0)?,
                word(last.min(8))?.unbounded_shr(8 * 16u32.saturating_sub(length)),
                word(last)?.unbounded_shr(8 * (24 - length)),
            ]
        }
        None => [tiny(bytes), 0, 0],
    };
    let mut out = [0; SHORT];
    for (place, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    Some(out)
}

/// Up to 7 bytes, and zeros behind them.
#[inline]
fn tiny(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
        u64::from(u32::from_le_bytes(*first)) | last
    } else {
        bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    }
}
