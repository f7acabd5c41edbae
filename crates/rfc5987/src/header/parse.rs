//! Content-Disposition, read.

use super::source::{Param, Source, token};
use super::{form_data, grammar, mail};
use crate::error::{ExtValueError, ParseError};
use crate::ext_value::{self, ExtValue};
use crate::file_name::{Policy, UntrustedFileName};
use crate::{arch, decode};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use smallvec::SmallVec;

/// The value of a Content-Disposition header (RFC 6266), read: a type and parameters.
///
/// What a client wants is [`safe_file_name`](Self::safe_file_name):
///
/// ```
/// use rfc5987::ContentDisposition;
///
/// let header = b"attachment; filename=\"_.pdf\"; filename*=UTF-8''..%2F%E5%9B%9B%E5%8D%8A%E6%9C%9F.pdf";
/// let local = ContentDisposition::parse(header)?.safe_file_name();
/// assert_eq!(local.as_deref(), Some("四半期.pdf"));
/// # Ok::<(), rfc5987::ParseError>(())
/// ```
///
/// Parsing borrows from the header and goes through it once; it allocates nothing for up to six
/// parameters. A name is decoded when it is asked for, and borrowed when there was nothing to
/// decode.
///
/// Only a header without a type is an error. A parameter that is not valid (no `=`, no value, an
/// unquoted value that is no token, a quoted string that is not closed or that something follows)
/// is left out up to the next `;`. Names compare without regard to letter case, and of parameters
/// of one name the first counts.
#[derive(Clone)]
pub struct ContentDisposition<'a> {
    profile: Profile,
    kind: &'a [u8],
    params: SmallVec<[Param<'a>; INLINE]>,
}

/// As many parameters as real headers have: RFC 2183 knows six.
const INLINE: usize = 6;

/// Where a header comes from, which decides how its parameters are read.
///
/// ```
/// use rfc5987::{ContentDisposition, Profile};
///
/// let read = |header, profile| Some(ContentDisposition::parse_as(header, profile).ok()?.filename()?.into_owned());
/// let part = br#"form-data; name="f"; filename="C:\a%22b.txt""#;
/// assert_eq!(read(part, Profile::FormData).as_deref(), Some(r#"C:\a"b.txt"#));
/// assert_eq!(read(part, Profile::Http).as_deref(), Some("C:a%22b.txt"));
///
/// let mail = b"attachment;\r\n filename*0*=UTF-8''%E5%9B%9B%E5%8D;\r\n filename*1*=%8A.pdf";
/// assert_eq!(read(mail, Profile::Mail).as_deref(), Some("四半.pdf"));
/// assert_eq!(read(mail, Profile::Http), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// A header of an HTTP message: RFC 6266. In a quoted string, a backslash stands before a
    /// character that means itself. What is not UTF-8 is read as ISO-8859-1 (U+FFFD for the octets
    /// 80 to 9F).
    #[default]
    Http,
    /// A header of a part of a `multipart/form-data` body: RFC 7578, as browsers write it. `%22`,
    /// `%0D` and `%0A` are undone and nothing else is an escape, but for `\"`, which other clients
    /// write: it is a quote, unless blanks and `;` or the end follow, for then the `\` ends the
    /// name, as in `filename="C:\"`. What is not UTF-8 becomes U+FFFD.
    FormData,
    /// A header of a mail message, folded lines included: RFC 2183. Names in several sections and
    /// in a charset are read as in RFC 2231, and encoded words (RFC 2047) of the encoding B are
    /// read in a plain name, as many programs write them. The charsets are UTF-8, US-ASCII and
    /// ISO-8859-1.
    Mail,
}

impl<'a> ContentDisposition<'a> {
    /// Reads a header of an HTTP message, which is [`Profile::Http`].
    ///
    /// # Errors
    /// When there is no valid type.
    ///
    /// ```
    /// use rfc5987::{ContentDisposition, ParseErrorKind};
    ///
    /// let read = ContentDisposition::parse(b"attachment; foo bar; filename=a.txt")?;
    /// assert_eq!(read.filename().as_deref(), Some("a.txt"));
    ///
    /// let error = ContentDisposition::parse(b"filename=a.txt").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ParseErrorKind::InvalidType, 8));
    /// # Ok::<(), rfc5987::ParseError>(())
    /// ```
    #[inline]
    pub fn parse(header: &'a [u8]) -> Result<Self, ParseError> {
        Self::parse_as(header, Profile::Http)
    }

    /// Reads a header that comes from somewhere else.
    ///
    /// # Errors
    /// When there is no valid type.
    pub fn parse_as(header: &'a [u8], profile: Profile) -> Result<Self, ParseError> {
        let source = Source { text: header, profile };
        match source.kind() {
            Ok((kind, at)) => Self::read(source, kind, at),
            Err(error) => Err(error),
        }
    }

    /// Reads the parameters behind the type. What is returned is filled in its place: moved, it costs
    /// as much as reading a short header.
    #[allow(clippy::unnecessary_wraps, reason = "the place is that of the caller's result")]
    fn read(source: Source<'a>, kind: &'a [u8], mut at: usize) -> Result<Self, ParseError> {
        let mut result = Ok(Self { profile: source.profile, kind, params: SmallVec::new() });
        if let Ok(read) = &mut result {
            while at < source.text.len() {
                // There is a `;`.
                let (param, next) = source.param(at + 1);
                if let Some(param) = param {
                    read.params.push(param);
                }
                at = next;
            }
        }
        result
    }

    /// The disposition type as it was written.
    #[must_use]
    #[inline]
    pub fn disposition(&self) -> &'a str {
        token(self.kind)
    }

    /// Whether the content is to be saved rather than shown. All types but `inline` say so, as
    /// RFC 6266, section 4.2, asks for unknown ones.
    ///
    /// ```
    /// use rfc5987::ContentDisposition;
    ///
    /// assert!(ContentDisposition::parse(b"x-other")?.is_attachment());
    /// assert!(!ContentDisposition::parse(b"Inline")?.is_attachment());
    /// # Ok::<(), rfc5987::ParseError>(())
    /// ```
    #[must_use]
    pub fn is_attachment(&self) -> bool {
        !self.kind.eq_ignore_ascii_case(b"inline")
    }

    /// The name of the field, in a part of a form.
    ///
    /// ```
    /// use rfc5987::{ContentDisposition, Profile};
    ///
    /// let part = ContentDisposition::parse_as(b"form-data; name=\"a%22b\"", Profile::FormData)?;
    /// assert_eq!(part.name().as_deref(), Some("a\"b"));
    /// # Ok::<(), rfc5987::ParseError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<Cow<'a, str>> {
        self.value("name")
    }

    /// The name of the file as the sender has it: `filename*` if there is a valid one (in mail,
    /// also one in sections), else `filename`. It can be `../x`, empty, or hold a NUL: to save
    /// something, take [`safe_file_name`](Self::safe_file_name).
    ///
    /// ```
    /// use rfc5987::ContentDisposition;
    ///
    /// let read = ContentDisposition::parse(b"attachment; filename=a.txt; filename*=UTF-8''100%")?;
    /// assert_eq!(read.filename().as_deref(), Some("a.txt"));
    /// assert!(read.filename_ext().is_some_and(|ext| ext.is_err()));
    /// # Ok::<(), rfc5987::ParseError>(())
    /// ```
    #[must_use]
    pub fn filename(&self) -> Option<Cow<'a, str>> {
        self.value("filename")
    }

    /// `filename*`, if there is one: what it says, or why it is not valid. In mail, also a name in
    /// sections; offsets of an error then count in the sections put together.
    #[must_use]
    pub fn filename_ext(&self) -> Option<Result<ExtValue<'a>, ExtValueError>> {
        self.ext_value("filename")
    }

    /// The name of the file, as something that no file is opened with before it is
    /// [`sanitized`](UntrustedFileName::sanitized).
    #[must_use]
    pub fn untrusted_file_name(&self) -> Option<UntrustedFileName<'a>> {
        self.filename().map(UntrustedFileName::new)
    }

    /// A name to save the file under, in a folder of the caller's choice: what the default
    /// [`Policy`] leaves of [`filename`](Self::filename). `None` when there is no
    /// name or nothing is left of it; a client then makes one up, most from the URL. For another
    /// policy take [`untrusted_file_name`](Self::untrusted_file_name).
    ///
    /// ```
    /// use rfc5987::ContentDisposition;
    ///
    /// let local = |header| Some(ContentDisposition::parse(header).ok()?.safe_file_name()?.into_owned());
    /// assert_eq!(local(b"attachment; filename=\"../../.ssh/id?.txt\"").as_deref(), Some("id_.txt"));
    /// assert_eq!(local(b"attachment; filename=..").as_deref(), None);
    /// assert_eq!(local(b"attachment").as_deref(), None);
    /// ```
    #[must_use]
    pub fn safe_file_name(&self) -> Option<Cow<'a, str>> {
        self.untrusted_file_name()?.into_sanitized(&Policy::default())
    }

    /// Another parameter, such as `size`, read as the file name is: the value of a valid `name*`, else
    /// what `name` says, without its quotes and escapes. It came from a peer like the rest.
    ///
    /// ```
    /// use rfc5987::ContentDisposition;
    ///
    /// let header = br#"attachment; size=4096; note="a \"b\"; c"; title*=UTF-8''%E2%82%AC"#;
    /// let read = ContentDisposition::parse(header)?;
    /// assert_eq!(read.param("Size").as_deref(), Some("4096"));
    /// assert_eq!(read.param("note").as_deref(), Some("a \"b\"; c"));
    /// assert_eq!(read.param("title").as_deref(), Some("€"));
    /// assert_eq!(read.param("creation-date"), None);
    /// # Ok::<(), rfc5987::ParseError>(())
    /// ```
    #[must_use]
    pub fn param(&self, name: &str) -> Option<Cow<'a, str>> {
        self.value(name)
    }

    /// All valid parameters in their order, repeated ones too: the name as it was written, and the
    /// bytes behind the `=`, quotes included. A name that ends with `*` is here also if its value
    /// is not valid.
    ///
    /// ```
    /// use rfc5987::ContentDisposition;
    ///
    /// let read = ContentDisposition::parse(b"attachment; Size=1 ; note=\"a;b\"; size=2")?;
    /// let params: Vec<_> = read.params().collect();
    /// assert_eq!(params, [("Size", &b"1"[..]), ("note", b"\"a;b\""), ("size", b"2")]);
    /// # Ok::<(), rfc5987::ParseError>(())
    /// ```
    #[inline]
    pub fn params(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> {
        self.params.iter().map(|param| (token(param.name), param.value))
    }

    fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        if let Some(Ok(ext)) = self.ext_value(name) {
            return Some(ext.into_value());
        }
        let named = |param: &&Param<'a>| param.name.eq_ignore_ascii_case(name.as_bytes());
        self.params.iter().find(named).map(|param| plain(param.value, self.profile))
    }

    fn ext_value(&self, name: &str) -> Option<Result<ExtValue<'a>, ExtValueError>> {
        if self.profile == Profile::Mail {
            return mail::rfc2231::ext_value(&self.params, name);
        }
        let mut exts = self.params.iter().filter_map(|param| {
            let own = param.name.strip_suffix(b"*")?;
            own.eq_ignore_ascii_case(name.as_bytes()).then_some(param.value)
        });
        exts.next().map(ExtValue::parse_bytes)
    }
}

impl fmt::Debug for ContentDisposition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContentDisposition")
            .field("profile", &self.profile)
            .field("disposition", &self.disposition())
            .field("params", &self.params)
            .finish()
    }
}

/// The text of a plain parameter.
fn plain(value: &[u8], profile: Profile) -> Cow<'_, str> {
    let said = match grammar::inside_quotes(value) {
        None => Cow::Borrowed(value),
        Some(inside) => match profile {
            Profile::Http if inside.contains(&b'\\') => joined(grammar::unescaped(inside)),
            Profile::FormData if form_data::has_escapes(inside) => {
                joined(form_data::unescaped(inside))
            }
            Profile::Mail => mail::unescaped(inside),
            Profile::Http | Profile::FormData => Cow::Borrowed(inside),
        },
    };
    let text = text(said, profile);
    if profile == Profile::Mail { mail::rfc2047::words(text) } else { text }
}

/// The pieces together, in one allocation of exactly the length.
pub(super) fn joined<'a>(pieces: impl Iterator<Item = &'a [u8]> + Clone) -> Cow<'a, [u8]> {
    let mut octets = Vec::with_capacity(pieces.clone().map(<[u8]>::len).sum());
    pieces.for_each(|piece| octets.extend_from_slice(piece));
    Cow::Owned(octets)
}

/// Octets that no charset is named for.
pub(super) fn text(octets: Cow<'_, [u8]>, profile: Profile) -> Cow<'_, str> {
    let octets = match octets {
        Cow::Borrowed(octets) => match utf8_runes::bytes::validate(octets) {
            Ok(text) => return Cow::Borrowed(text),
            Err(_) => Cow::Borrowed(octets),
        },
        Cow::Owned(octets) => match arch::into_string(octets) {
            Ok(text) => return Cow::Owned(text),
            Err((_, octets)) => Cow::Owned(octets),
        },
    };
    Cow::Owned(if profile == Profile::FormData {
        decode::replaced(&octets)
    } else {
        latin1(&octets)
    })
}

#[cold]
fn latin1(octets: &[u8]) -> String {
    ext_value::collect(octets.iter().map(|octet| match octet {
        0x80..0xA0 => char::REPLACEMENT_CHARACTER,
        octet => char::from(*octet),
    }))
}
