//! Header values of `http`: built without a copy, and read as bytes.

use crate::error::{BuildError, ParseError};
use crate::header::build::Builder;
use crate::header::parse::ContentDisposition;
use ::http::HeaderValue;

impl Builder<'_> {
    /// The value of the header, ready to send: the one allocation of [`build`](Self::build) is the
    /// value's.
    ///
    /// ```
    /// use rfc5987::Builder;
    ///
    /// let mut response = http::Response::new("…");
    /// let value = Builder::attachment().filename("Résumé.pdf").to_header_value()?;
    /// response.headers_mut().insert(http::header::CONTENT_DISPOSITION, value);
    /// # Ok::<(), rfc5987::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`build`](Self::build); and [`BuildError::InvalidHeaderValue`] for a name in a form with a
    /// control character that browsers send as it is, such as a NUL, but `http` does not take.
    pub fn to_header_value(&self) -> Result<HeaderValue, BuildError> {
        HeaderValue::try_from(self.build()?).map_err(|_| BuildError::InvalidHeaderValue)
    }
}

/// The same as [`Builder::to_header_value`], for what takes all that can become a header value.
impl TryFrom<&Builder<'_>> for HeaderValue {
    type Error = BuildError;

    fn try_from(builder: &Builder<'_>) -> Result<Self, BuildError> {
        builder.to_header_value()
    }
}

/// The same as [`Builder::to_header_value`], for what takes all that can become a header value.
///
/// ```
/// use http::{HeaderValue, header};
/// use rfc5987::Builder;
///
/// // An array like this is a response's headers in axum.
/// let headers = [(header::CONTENT_DISPOSITION, Builder::inline().filename("a.txt"))];
/// let [(_, value)] = headers.map(|(name, value)| (name, HeaderValue::try_from(value)));
/// assert_eq!(value?, r#"inline; filename="a.txt""#);
/// # Ok::<(), rfc5987::BuildError>(())
/// ```
impl TryFrom<Builder<'_>> for HeaderValue {
    type Error = BuildError;

    fn try_from(builder: Builder<'_>) -> Result<Self, BuildError> {
        builder.to_header_value()
    }
}

/// Reads a header of an HTTP message as [`ContentDisposition::parse`] does: its bytes, as servers
/// send more than the ASCII that [`HeaderValue::to_str`] gives.
///
/// ```
/// use http::HeaderValue;
/// use rfc5987::ContentDisposition;
///
/// let value = HeaderValue::from_bytes("attachment; filename=\"四半期.pdf\"".as_bytes())?;
/// let read = ContentDisposition::try_from(&value)?;
/// assert_eq!(read.filename().as_deref(), Some("四半期.pdf"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'a> TryFrom<&'a HeaderValue> for ContentDisposition<'a> {
    type Error = ParseError;

    fn try_from(value: &'a HeaderValue) -> Result<Self, ParseError> {
        Self::parse(value.as_bytes())
    }
}
