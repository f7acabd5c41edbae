//! File names in HTTP headers, so that every real client saves the right one and none can be attacked
//! through it: ext-values of RFC 8187 (which replaced RFC 5987), encoded and decoded, and
//! Content-Disposition, written and read: of HTTP (RFC 6266), of forms (RFC 7578 and the HTML
//! standard) and of mail (RFC 2183, read only).
//!
//! For authors of HTTP servers, clients and frameworks. `#![no_std]` with `alloc`.
//!
//! # Send a file under any name
//!
//! A server's download header is one call:
//!
//! ```
//! use rfc5987::Builder;
//!
//! let header = Builder::attachment().filename("四半期 \"Q3\".pdf").build()?;
//! assert_eq!(
//!     header,
//!     "attachment; filename=\"___ _Q3_.pdf\"; \
//!      filename*=UTF-8''%E5%9B%9B%E5%8D%8A%E6%9C%9F%20%22Q3%22.pdf",
//! );
//! # Ok::<(), rfc5987::BuildError>(())
//! ```
//!
//! A name that every client reads right in the plain parameter is sent there alone; any other goes
//! into `filename*`, with a fallback beside it for clients that read only the plain one. The rules
//! are what Chromium, Firefox, curl, wget and others were seen to do.
//!
//! With the feature `http`, [`to_header_value`](Builder#method.to_header_value) gives an
//! `http::HeaderValue`, and with `axum` a handler returns the header with the content. A builder
//! borrows the name, so a handler that has it from the request makes the response before it returns:
//!
//! ```
//! # #[cfg(feature = "axum")] {
//! # use axum_core::response::{IntoResponse, Response};
//! # struct Path<T>(T);
//! use rfc5987::Builder;
//! // use axum::{extract::Path, response::{IntoResponse, Response}};
//!
//! async fn download(Path(name): Path<String>) -> Response {
//!     (Builder::attachment().filename(&name), "content").into_response()
//! }
//! # fn of<F: Future<Output = Response>>(_: impl Fn(Path<String>) -> F) {}
//! # of(download);
//! # }
//! ```
//!
//! # Save a file that a server sends
//!
//! A safe local name is one call of what was read, too:
//!
//! ```
//! use rfc5987::ContentDisposition;
//!
//! let header = b"attachment; filename=\"x.pdf\"; filename*=UTF-8''..%2F%E5%9B%9B%3F.pdf";
//! let local = ContentDisposition::parse(header)?.safe_file_name();
//! assert_eq!(local.as_deref(), Some("四_.pdf"));
//! # Ok::<(), rfc5987::ParseError>(())
//! ```
//!
//! Give it the bytes of the header (`HeaderValue::as_bytes`): servers send more than ASCII. With the
//! feature `http`, [`ContentDisposition`] is `TryFrom<&HeaderValue>`. Of a name that is not there, or
//! of which nothing is left (`..`), there is no local name: make one up.
//!
//! # Name the part of a form
//!
//! ```
//! let part = rfc5987::Builder::form_data("upload").filename("a \"b\".txt").build()?;
//! assert_eq!(part, r#"form-data; name="upload"; filename="a %22b%22.txt""#);
//! # Ok::<(), rfc5987::BuildError>(())
//! ```
//!
//! # Write another parameter
//!
//! ```
//! use rfc5987::ExtValue;
//!
//! // The title of a link, RFC 8288, section 3.5.
//! let title = ExtValue::new("nächstes Kapitel").with_language("de")?;
//! assert_eq!(format!("title*={title}"), "title*=UTF-8'de'n%C3%A4chstes%20Kapitel");
//!
//! // The user of Digest authentication, RFC 7616, section 3.9.2.
//! let user = ExtValue::new("Jäsøn Doe");
//! assert_eq!(format!("username*={user}"), "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe");
//! # Ok::<(), rfc5987::ExtValueError>(())
//! ```
//!
//! # Read another parameter
//!
//! ```
//! use rfc5987::ExtValue;
//!
//! assert_eq!(ExtValue::parse("UTF-8''%e2%82%ac%20rates")?.value(), "€ rates");
//! assert!(ExtValue::parse("UTF-8''100%").is_err());
//! assert_eq!(ExtValue::parse_lenient("UTF-8''100%")?.value(), "100%");
//! # Ok::<(), rfc5987::ExtValueError>(())
//! ```
//!
//! # Read the part of a form, or a header of a mail
//!
//! ```
//! use rfc5987::{ContentDisposition, Profile};
//!
//! let part = br#"form-data; name="upload"; filename="say %22hi%22\.txt""#;
//! let part = ContentDisposition::parse_as(part, Profile::FormData)?;
//! assert_eq!(part.name().as_deref(), Some("upload"));
//! assert_eq!(part.filename().as_deref(), Some(r#"say "hi"\.txt"#));
//!
//! let mail = b"attachment;\r\n filename*0*=UTF-8''%E2%82;\r\n filename*1*=%AC.txt";
//! let mail = ContentDisposition::parse_as(mail, Profile::Mail)?;
//! assert_eq!(mail.filename().as_deref(), Some("€.txt"));
//! # Ok::<(), rfc5987::ParseError>(())
//! ```
//!
//! # Check a name that a peer chose
//!
//! ```
//! use rfc5987::{Policy, UntrustedFileName};
//!
//! let name = UntrustedFileName::new(r"..\..\a?.txt");
//! assert!(!name.is_safe());
//! assert_eq!(name.sanitized(&Policy::default()).as_deref(), Some("a_.txt"));
//! ```
//!
//! # Into a buffer, without the heap
//!
//! ```
//! let mut buffer = [0; 64];
//! assert_eq!(rfc5987::encode_into("é.txt".as_bytes(), &mut buffer)?, "%C3%A9.txt");
//! # Ok::<(), rfc5987::BufferTooSmall>(())
//! ```
//!
//! # When not to use it
//!
//! For the path or query of a URL: their alphabets are other ones, take `percent-encoding`. To write
//! mail, which folds and continues parameters (RFC 2231): take a mail library. For a header that
//! names no file: a Content-Disposition without parameters is the word itself.
//!
//! # Performance
//!
//! What is encoded, decoded or built is one allocation of exactly its length, so that turning it into
//! `Bytes` or a header value allocates nothing more; what needs no escape is borrowed, and a buffer
//! of the caller's or a `String` with room is filled without the heap. (Only what needs more than one
//! step takes more: in mail, sections, encoded words and ISO-8859-1; escaped quotes in a text that is not
//! UTF-8; the charsets of `encoding_rs`; broken UTF-8 that is decoded all the same.) On x86-64 bytes are
//! classified, escaped and unescaped 16, 32 or 64 at a time (SSSE3, AVX2, AVX-512 with VBMI2, chosen
//! when the program runs); elsewhere with one store a byte, without branches. So the time hardly
//! depends on how many escapes there are. A header is read in one pass, without the heap up to six parameters,
//! and what needs no decoding is a piece of it. All of it is linear in the input (n extra parameters,
//! or n sections of a name in mail: n log n comparisons).
//!
//! # Untrusted input
//!
//! No input panics. Nothing that is passed can end a parameter, add one or break the line: what could
//! is an error of [`Builder::build`], and of a file name nothing is. Decoding
//! is strict unless one asks for more, so that a bad value is an error and not a wrong name; and its
//! result is never longer than the value, but for octets that are not UTF-8: of those it is at most
//! three times as long. What is decoded came from a peer and can be `../x`, hold a NUL or be empty: do
//! not use it as a path, but what [`safe_file_name`](ContentDisposition::safe_file_name) or
//! [`UntrustedFileName`] leaves of it.
//!
//! # Features
//!
//! | feature | default | what it does |
//! | --- | --- | --- |
//! | `std` | yes | the detection of the processor, here and in `utf8-runes`, which checks UTF-8 here |
//! | `http` | no | [`Builder`] to `http::HeaderValue` without a copy, and [`ContentDisposition`] from one; implies `std` |
//! | `headers` | no | `ContentDispositionBuf`, a typed header of `headers`; implies `http` |
//! | `axum` | no | [`Builder`] as a part of a response of axum (`IntoResponseParts`); implies `http` |
//! | `encoding_rs` | no | ext-values and mail are read also in the charsets of the Encoding Standard, such as `windows-1252` and `gbk` |
//! | `tiers` | no | `tier`, for tests and benchmarks, and that of `utf8-runes` |

#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod alphabet;
mod arch;
pub mod compat;
mod decode;
mod encode;
mod error;
mod ext_value;
mod file_name;
mod header;
#[cfg(any(feature = "http", feature = "encoding_rs"))]
mod integrations;
#[cfg(feature = "tiers")]
pub mod tier;

pub use alphabet::is_attr_char;
pub use decode::{decode, decode_lossy};
pub use encode::{encode, encode_append, encode_into, encoded_len};
pub use error::{
    BufferTooSmall, BuildError, DecodeError, DecodeErrorKind, ExtValueError, ParseError,
    ParseErrorKind,
};
pub use ext_value::ExtValue;
pub use file_name::{Policy, UntrustedFileName};
pub use header::build::{Builder, Fallback};
pub use header::form_data;
pub use header::parse::{ContentDisposition, Profile};
#[cfg(feature = "headers")]
pub use integrations::headers::ContentDispositionBuf;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
