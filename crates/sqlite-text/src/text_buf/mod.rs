//! An owned text that needs no allocation when it is short.

#[allow(unsafe_code, reason = "the room of its own")]
mod raw;

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use raw::Utf8Bytes;

/// An owned `str`; up to 24 bytes of UTF-8 lie in the value itself, longer ones in one allocation,
/// which is of exactly their length when they are copied.
///
/// It is 32 bytes large (a `String` is 24, and what it points to). It orders, hashes and
/// compares as `str`, so a map with `TextBuf` keys is asked with a `&str`. A text does not change
/// in place: to build one use a `String` and convert.
///
/// ```
/// use std::collections::HashMap;
/// use sqlite_text::TextBuf;
///
/// let mut stock: HashMap<TextBuf, u32> = HashMap::new();
/// stock.insert(TextBuf::from("apple"), 3);
/// assert_eq!(stock.get("apple"), Some(&3));
/// ```
///
/// With the feature `rusqlite` it reads and binds wherever a `String` does:
///
#[cfg_attr(feature = "rusqlite", doc = "```")]
#[cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
/// use sqlite_text::TextBuf;
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let word: TextBuf = db.query_row("SELECT 'no allocation'", [], |row| row.get(0))?;
/// assert_eq!(word, "no allocation");
/// # Ok::<(), rusqlite::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct TextBuf(Utf8Bytes);

impl TextBuf {
    /// The text.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Deref for TextBuf {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for TextBuf {
    #[inline]
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for TextBuf {
    #[inline]
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

/// Copies; allocates above 24 bytes.
impl From<&str> for TextBuf {
    #[inline(always)]
    fn from(text: &str) -> Self {
        Self(Utf8Bytes::copy_of(text))
    }
}

/// Above 24 bytes the allocation of the `String` is taken over, below it is freed.
impl From<String> for TextBuf {
    fn from(text: String) -> Self {
        Self(Utf8Bytes::from_string(text))
    }
}

/// Above 24 bytes the allocation is handed over, below one is made.
impl From<TextBuf> for String {
    fn from(text: TextBuf) -> Self {
        text.0.into_string()
    }
}

impl fmt::Debug for TextBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for TextBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl Hash for TextBuf {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialEq for TextBuf {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for TextBuf {}

impl PartialOrd for TextBuf {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TextBuf {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

macro_rules! equals {
    ($($other:ty),*) => { $(
        impl PartialEq<$other> for TextBuf {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                self.as_str() == &other[..]
            }
        }

        impl PartialEq<TextBuf> for $other {
            #[inline]
            fn eq(&self, other: &TextBuf) -> bool {
                &self[..] == other.as_str()
            }
        }
    )* };
}
equals!(str, &str, String);
