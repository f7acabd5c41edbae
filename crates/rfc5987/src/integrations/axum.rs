//! A response's header in axum, from what is to be built.

use crate::error::BuildError;
use crate::header::build::Builder;
use alloc::string::ToString;
use axum_core::response::{IntoResponse, IntoResponseParts, Response, ResponseParts};
use http::StatusCode;
use http::header::CONTENT_DISPOSITION;

/// Sets the Content-Disposition of a response, so that a handler sends a file in one line.
///
/// ```
/// use axum_core::response::{IntoResponse, Response};
/// use rfc5987::Builder;
///
/// fn download(name: &str, content: Vec<u8>) -> Response {
///     (Builder::attachment().filename(name), content).into_response()
/// }
///
/// let response = download("Résumé.pdf", b"%PDF".to_vec());
/// assert_eq!(
///     response.headers()["content-disposition"],
///     "attachment; filename=\"R_sum_.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9.pdf",
/// );
/// ```
///
/// No name is an error and none can panic. What is wrong in what the program passes becomes the
/// response of [`BuildError`].
impl IntoResponseParts for Builder<'_> {
    type Error = BuildError;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, BuildError> {
        parts.headers_mut().insert(CONTENT_DISPOSITION, self.to_header_value()?);
        Ok(parts)
    }
}

/// A response with this header and no content, as to a HEAD request.
impl IntoResponse for Builder<'_> {
    fn into_response(self) -> Response {
        (self, ()).into_response()
    }
}

/// 500 (Internal Server Error), with the text of the error, which has nothing of the name in it.
///
/// ```
/// use axum_core::response::IntoResponse;
/// use rfc5987::Builder;
///
/// let wrong = Builder::attachment().filename("a.txt").param("file name", "x");
/// assert_eq!((wrong, "content").into_response().status(), 500);
/// ```
impl IntoResponse for BuildError {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, self.to_string()).into_response()
    }
}
