//! Text into and out of SQL functions written in Rust.
//!
//! With rusqlite: [`create_text_function`] registers a closure. With `libsqlite3-sys` alone:
//! [`create_text_function_raw`] does, or a function of the C interface reads its arguments with
//! [`value_text`] and gives its result with [`result_text`].
#![cfg_attr(feature = "rusqlite", doc = "```")]
#![cfg_attr(not(feature = "rusqlite"), doc = "```ignore")]
//! use sqlite_text::function::{ResultText, create_text_function};
//!
//! let db = rusqlite::Connection::open_in_memory()?;
//! create_text_function(&db, "shorten", 2, sqlite_text::ffi::SQLITE_DETERMINISTIC, |args| {
//!     let Some(text) = args.text_opt(0)? else { return Ok(ResultText::NULL) };
//!     let length = args.integer(1).ok_or("the length is no integer")?;
//!     let end = text.char_indices().nth(usize::try_from(length)?).map_or(text.len(), |(i, _)| i);
//!     Ok(text[..end].into())
//! })?;
//! let short: String = db.query_row("SELECT shorten('Grüezi', 3)", [], |row| row.get(0))?;
//! assert_eq!(short, "Grü");
//! # Ok::<(), rusqlite::Error>(())
//! ```

mod create;
mod kept;
#[allow(unsafe_code, reason = "SQLite's values")]
mod raw;

pub use create::create_text_function_raw;
#[cfg(feature = "rusqlite")]
pub use create::{create_text_function, remove_text_function};
pub use raw::{
    result_error, result_text, value_text, value_text_opt, value_text16, value_text16_opt,
};

use crate::decode::{Read, Wide};
use crate::error::{Error, Result, StorageClass, wrong};
use crate::ffi;
use core::ffi::c_int;
use core::fmt;
use raw::Values;
use std::borrow::Cow;

/// What the closure of a text function returns: `?` takes any error.
pub type FunctionResult<'a> =
    core::result::Result<ResultText<'a>, Box<dyn core::error::Error + Send + Sync>>;

/// The arguments of a call, counted from 0, as the closure of a text function gets them. A text is
/// borrowed until the call ends.
///
/// # Errors
/// Every getter of text fails with [`Error::ColumnOutOfRange`] for an argument that is not there,
/// with [`Error::InvalidType`] for one that is no TEXT, and with [`Error::NoMem`]. Errors name the
/// argument as `column`; `row` is 0.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    values: Values<'a>,
    /// Where texts are transcoded into, in a UTF-16 database.
    wide: Option<&'a Wide>,
}

impl<'a> Args<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of an argument.
    ///
    /// # Errors
    /// See [the type](Args#errors); NULL is an [`Error::InvalidType`]. [`Error::InvalidUtf8`], or
    /// [`Error::InvalidUtf16`] in a UTF-16 database.
    pub fn text(&self, i: usize) -> Result<&'a str> {
        self.text_opt(i)?.ok_or_else(|| wrong(i, 0, StorageClass::Null))
    }

    /// As [`text`](Self::text), and `None` for NULL.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn text_opt(&self, i: usize) -> Result<Option<&'a str>> {
        self.read(i)?.text_opt(i, 0)
    }

    /// The text with U+FFFD for what is none: as [`String::from_utf8_lossy`] puts it, and in a
    /// UTF-16 database one for each lone surrogate.
    ///
    /// # Errors
    /// See [the type](Args#errors); NULL is an [`Error::InvalidType`].
    pub fn text_lossy(&self, i: usize) -> Result<Cow<'a, str>> {
        self.read(i)?.lossy().ok_or_else(|| wrong(i, 0, StorageClass::Null))
    }

    /// An argument that is an INTEGER, as the length to cut a text to; `None` for anything else.
    #[must_use]
    pub fn integer(&self, i: usize) -> Option<i64> {
        self.values.integer(i)
    }

    fn read(&self, i: usize) -> Result<Read<'a>> {
        let Some(wide) = self.wide else {
            return Ok(self.values.utf8(i)?.map_or(Read::Null, Read::Utf8));
        };
        if let Some(text) = wide.get(i) {
            return Ok(Read::Utf16(text));
        }
        let text = self.values.units(i, |units| wide.decode(i, units))?;
        Ok(text.flatten().map_or(Read::Null, Read::Utf16))
    }
}

impl fmt::Debug for Args<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Args").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// The text, or the NULL, that a function returns.
///
/// | made from | cost |
/// |---|---|
/// | [`from_static`](Self::from_static) | no copy |
/// | `String`, `Box<str>` of at least 16 KiB | no copy: SQLite reads it where it lies |
/// | a shorter one, `&str`, `Cow<str>` that borrows | one copy into SQLite's memory |
/// | `Option` | as what is in it; `None` is NULL |
///
/// These are the costs in a UTF-8 database; in a UTF-16 one every text is transcoded and copied. A
/// text that was not copied SQLite copies later when a reader wants it to end with a NUL, as the
/// columns of a statement do; but not a large `String` with room for one more byte, from SQLite
/// 3.53 on.
///
/// ```
/// use sqlite_text::function::ResultText;
///
/// let fixed = ResultText::from_static("yes");
/// let made = ResultText::from("no".repeat(10_000));
/// let maybe = ResultText::from(None::<&str>);
/// # drop((fixed, made, maybe));
/// ```
#[derive(Debug, Clone)]
pub struct ResultText<'a>(Kind<'a>);

#[derive(Debug, Clone)]
enum Kind<'a> {
    Null,
    Static(&'static str),
    Borrowed(&'a str),
    Owned(String),
}

impl ResultText<'static> {
    /// NULL.
    pub const NULL: Self = Self(Kind::Null);

    /// A text that is there for ever, so that SQLite needs no copy.
    #[must_use]
    pub const fn from_static(text: &'static str) -> Self {
        Self(Kind::Static(text))
    }
}

impl<'a> From<&'a str> for ResultText<'a> {
    fn from(text: &'a str) -> Self {
        Self(Kind::Borrowed(text))
    }
}

impl<'a> From<&'a String> for ResultText<'a> {
    fn from(text: &'a String) -> Self {
        Self(Kind::Borrowed(text))
    }
}

impl From<String> for ResultText<'_> {
    fn from(text: String) -> Self {
        Self(Kind::Owned(text))
    }
}

impl From<Box<str>> for ResultText<'_> {
    fn from(text: Box<str>) -> Self {
        Self(Kind::Owned(text.into_string()))
    }
}

impl<'a> From<Cow<'a, str>> for ResultText<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self(Kind::Borrowed(text)),
            Cow::Owned(text) => Self(Kind::Owned(text)),
        }
    }
}

impl<'a, T: Into<ResultText<'a>>> From<Option<T>> for ResultText<'a> {
    fn from(text: Option<T>) -> Self {
        text.map_or(Self(Kind::Null), Into::into)
    }
}

/// The result code of an error that has one, if it is one of an error: of "no error" SQLite would
/// make the message the result of the function, of a row or the end those of the statement.
fn code_of(error: &(dyn core::error::Error + 'static)) -> Option<c_int> {
    let mut code = None;
    if let Some(Error::Sqlite { extended, .. }) = error.downcast_ref::<Error>() {
        code = Some(*extended);
    }
    #[cfg(feature = "rusqlite")]
    if let Some(rusqlite::Error::SqliteFailure(failure, _)) = error.downcast_ref() {
        code = Some(failure.extended_code);
    }
    let none = [ffi::SQLITE_OK, ffi::SQLITE_ROW, ffi::SQLITE_DONE];
    code.filter(|code| *code > 0 && !none.contains(&(code & 0xFF)))
}
