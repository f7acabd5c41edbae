//! A value that was read whole.

use alloc::{sync::Arc, vec::Vec};
use core::{fmt, ops::Deref};

/// Bytes that are shown for debugging.
const SHOWN: usize = 32;

/// The bytes of one value, which a [`Reader`](crate::Reader) put together out of any number of reads.
///
/// Until its step is done the stream keeps a handle on it, so that a step that runs again gets the
/// same value without reading it again. From then on it is the caller's alone.
///
/// ```
/// use pktpool::{Limits, PacketStream, Progress, tds::Tds};
///
/// let mut stream = PacketStream::new(Tds::default(), Limits::default());
/// stream.feed(&[4, 1, 0, 13, 0, 0, 1, 0, b'h', b'e', b'l'])?;
/// assert_eq!(stream.read(|r| r.read_vec(5).map(drop))?, Progress::NeedMore);
/// stream.feed(b"lo")?;
/// let value = stream.read(|r| r.read_vec(5))?.done().unwrap();
/// assert_eq!(value.into_vec(), b"hello");
/// # Ok::<(), pktpool::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Value(Option<Arc<Vec<u8>>>);

impl Value {
    #[inline]
    pub(crate) fn shared(bytes: &Arc<Vec<u8>>) -> Self {
        Self(Some(Arc::clone(bytes)))
    }

    /// The bytes, if nobody else has a handle on them.
    #[cfg(feature = "bytes")]
    pub(crate) fn try_into_vec(self) -> Result<Vec<u8>, Self> {
        match self.0.map(Arc::try_unwrap) {
            None => Ok(Vec::new()),
            Some(Ok(bytes)) => Ok(bytes),
            Some(Err(shared)) => Err(Self(Some(shared))),
        }
    }

    /// The bytes: moved out when the step that read them is done, and copied before.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        match self.0.map(Arc::try_unwrap) {
            None => Vec::new(),
            Some(Ok(bytes)) => bytes,
            Some(Err(shared)) => Vec::clone(&shared),
        }
    }
}

impl Deref for Value {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], |bytes| bytes)
    }
}

impl AsRef<[u8]> for Value {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Value> for Vec<u8> {
    #[inline]
    fn from(value: Value) -> Self {
        value.into_vec()
    }
}

impl PartialEq<[u8]> for Value {
    #[inline]
    fn eq(&self, other: &[u8]) -> bool {
        **self == *other
    }
}

impl PartialEq<&[u8]> for Value {
    #[inline]
    fn eq(&self, other: &&[u8]) -> bool {
        **self == **other
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for Value {
    #[inline]
    fn eq(&self, other: &&[u8; N]) -> bool {
        **self == **other
    }
}

impl PartialEq<Vec<u8>> for Value {
    #[inline]
    fn eq(&self, other: &Vec<u8>) -> bool {
        **self == **other
    }
}

/// Its length and its first bytes.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Value").field(&Preview(self)).finish()
    }
}

/// Bytes for debugging: how many there are, and the first of them, as there may be megabytes.
pub(crate) struct Preview<'a>(pub(crate) &'a [u8]);

impl fmt::Debug for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, first) = (self.0.len(), &self.0[..self.0.len().min(SHOWN)]);
        let more = if first.len() < n { "…" } else { "" };
        write!(f, "{n} bytes b\"{}\"{more}", first.escape_ascii())
    }
}
