//! The typed header.

use crate::error::{BuildError, ParseError};
use crate::file_name::UntrustedFileName;
use crate::header::build::Builder;
use crate::header::parse::ContentDisposition;
use alloc::borrow::Cow;
use headers_core::{Error, Header, HeaderName, HeaderValue};
use http::header::CONTENT_DISPOSITION;

/// A Content-Disposition that owns its header, as a typed header of `headers`.
///
/// ```
/// use headers::{HeaderMap, HeaderMapExt};
/// use rfc5987::{Builder, ContentDispositionBuf};
///
/// let mut map = HeaderMap::new();
/// let sent = Builder::attachment().filename("四半期.pdf");
/// map.typed_insert(ContentDispositionBuf::try_from(&sent)?);
///
/// let read: ContentDispositionBuf = map.typed_get().unwrap();
/// assert!(read.is_attachment());
/// assert_eq!(read.safe_file_name().as_deref(), Some("四半期.pdf"));
/// # Ok::<(), rfc5987::BuildError>(())
/// ```
///
/// Its bytes are read, of which UTF-8 need not be ASCII. A message that has the header more than
/// once, and not always the same, is an error, as it is to browsers. To clone one copies nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentDispositionBuf {
    /// It has a valid type.
    value: HeaderValue,
}

impl ContentDispositionBuf {
    /// The disposition type as it was written.
    #[must_use]
    pub fn disposition(&self) -> &str {
        self.read().map(|read| read.disposition()).unwrap_or_default()
    }

    /// Whether the content is to be saved: see [`ContentDisposition::is_attachment`].
    #[must_use]
    pub fn is_attachment(&self) -> bool {
        self.read().is_none_or(|read| read.is_attachment())
    }

    /// The name of the file as the sender has it: see [`ContentDisposition::filename`].
    #[must_use]
    pub fn filename(&self) -> Option<Cow<'_, str>> {
        self.read()?.filename()
    }

    /// The name of the file, not to be used before it is
    /// [`sanitized`](UntrustedFileName::sanitized).
    #[must_use]
    pub fn untrusted_file_name(&self) -> Option<UntrustedFileName<'_>> {
        self.read()?.untrusted_file_name()
    }

    /// A name to save the file under: see [`ContentDisposition::safe_file_name`].
    #[must_use]
    pub fn safe_file_name(&self) -> Option<Cow<'_, str>> {
        self.read()?.safe_file_name()
    }

    /// The header, for [`ContentDisposition::try_from`] and all that is asked of it.
    #[must_use]
    pub const fn as_header_value(&self) -> &HeaderValue {
        &self.value
    }

    /// What is in the header. There is always something: it has been read before.
    fn read(&self) -> Option<ContentDisposition<'_>> {
        ContentDisposition::try_from(&self.value).ok()
    }
}

impl Header for ContentDispositionBuf {
    fn name() -> &'static HeaderName {
        &CONTENT_DISPOSITION
    }

    fn decode<'i, I>(values: &mut I) -> Result<Self, Error>
    where
        I: Iterator<Item = &'i HeaderValue>,
    {
        let first = values.next().ok_or_else(Error::invalid)?;
        if values.any(|other| other != first) {
            return Err(Error::invalid());
        }
        Self::try_from(first.clone()).map_err(|_| Error::invalid())
    }

    fn encode<E: Extend<HeaderValue>>(&self, values: &mut E) {
        values.extend([self.value.clone()]);
    }
}

/// Takes a header in if it has a valid type.
impl TryFrom<HeaderValue> for ContentDispositionBuf {
    type Error = ParseError;

    fn try_from(value: HeaderValue) -> Result<Self, ParseError> {
        ContentDisposition::try_from(&value)?;
        Ok(Self { value })
    }
}

impl TryFrom<&Builder<'_>> for ContentDispositionBuf {
    type Error = BuildError;

    fn try_from(builder: &Builder<'_>) -> Result<Self, BuildError> {
        // What is built begins with a token.
        Ok(Self { value: builder.to_header_value()? })
    }
}

impl From<ContentDispositionBuf> for HeaderValue {
    fn from(typed: ContentDispositionBuf) -> Self {
        typed.value
    }
}
