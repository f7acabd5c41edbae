//! The C interface of SQL functions.
//!
//! What the proofs rest on, from "Obtaining SQL Values" and "Setting The Result Of An SQL Function"
//! of SQLite's documentation: the arguments of a function are protected values, good until it
//! returns; the pointer of a text is good until the value is asked for another form of itself; a
//! destructor is called once, also where the result is refused.

use super::kept;
use super::{Kind, ResultText};
use crate::decode;
use crate::error::{Error, Result, StorageClass, wrong};
use crate::ffi;
use crate::raw::{as_units, sqlite3_value_bytes16, sqlite3_value_text16};
use core::ffi::{c_char, c_int, c_void};
use core::marker::PhantomData;
use core::slice;

/// The text of a value, without a copy; for functions that are registered as `SQLITE_UTF8`.
///
/// In a UTF-16 database SQLite converts the value first, and its conversion makes of a lone
/// surrogate bytes that are no UTF-8 (an error here), or swallows the character behind it (which
/// nobody can see any more). To be right there, register the function a second time, as
/// `SQLITE_UTF16`, with [`value_text16`]: SQLite calls the one that fits the database.
///
/// ```no_run
/// use sqlite_text::{ffi, function};
///
/// unsafe extern "C" fn trim(
///     context: *mut ffi::sqlite3_context,
///     _: std::ffi::c_int,
///     values: *mut *mut ffi::sqlite3_value,
/// ) {
///     // SAFETY: SQLite passes the one argument that the function was registered with.
///     let value = unsafe { *values };
///     // SAFETY: an argument, which stays as it is until this function returns.
///     match unsafe { function::value_text(value) } {
///         // SAFETY: the context of this call.
///         Ok(text) => unsafe { function::result_text(context, text.trim()) },
///         // SAFETY: the context of this call.
///         Err(error) => unsafe { function::result_error(context, &error) },
///     }
/// }
/// ```
///
/// # Safety
/// * `value` is a [protected value](https://sqlite.org/c3ref/value.html), as the arguments of a
///   function are.
/// * During `'v` it stays alive and is not asked for another form: no `sqlite3_value_text16`,
///   `value_bytes16` or `value_numeric_type`, and not [`value_text16`].
///
/// # Errors
/// [`Error::InvalidType`] when it is no TEXT, [`Error::InvalidUtf8`] (both column 0, row 0), and
/// [`Error::NoMem`].
pub unsafe fn value_text<'v>(value: *mut ffi::sqlite3_value) -> Result<&'v str> {
    // SAFETY: the caller promises the same.
    unsafe { value_text_opt(value) }?.ok_or_else(|| wrong(0, 0, StorageClass::Null))
}

/// As [`value_text`], and `None` for NULL.
///
/// # Safety
/// As [`value_text`].
///
/// # Errors
/// As [`value_text`].
pub unsafe fn value_text_opt<'v>(value: *mut ffi::sqlite3_value) -> Result<Option<&'v str>> {
    // SAFETY: the caller promises a protected value that stays as it is during `'v`.
    unsafe { Value::new(value) }.text_opt(0)
}

/// The text of a value, transcoded from UTF-16; for functions that are registered as
/// `SQLITE_UTF16`.
///
/// # Safety
/// `value` is a [protected value](https://sqlite.org/c3ref/value.html), and no text borrowed from
/// it is in use: this may move it.
///
/// # Errors
/// [`Error::InvalidType`] when it is no TEXT, [`Error::InvalidUtf16`] (both column 0, row 0), and
/// [`Error::NoMem`].
pub unsafe fn value_text16(value: *mut ffi::sqlite3_value) -> Result<String> {
    // SAFETY: the caller promises the same.
    unsafe { value_text16_opt(value) }?.ok_or_else(|| wrong(0, 0, StorageClass::Null))
}

/// As [`value_text16`], and `None` for NULL.
///
/// # Safety
/// As [`value_text16`].
///
/// # Errors
/// As [`value_text16`].
pub unsafe fn value_text16_opt(value: *mut ffi::sqlite3_value) -> Result<Option<String>> {
    // SAFETY: the caller promises a protected value, and it is used in this function only.
    let value = unsafe { Value::new(value) };
    if value.text_or_null(0)? == StorageClass::Null {
        return Ok(None);
    }
    value.units(|units| {
        let mut text = String::new();
        match utf8_runes::utf16::append(units, &mut text) {
            Ok(()) => Ok(Some(text)),
            Err(lone) => Err(Error::InvalidUtf16 { column: 0, row: 0, index: lone.index }),
        }
    })?
}

/// Makes `text` the result of a function.
///
/// What it costs is said at [`ResultText`]. A text that is longer than SQLite allows makes the
/// function fail with SQLite's own error, "string or blob too big".
///
/// # Safety
/// `context` is that of a call of a function, which has not returned.
pub unsafe fn result_text<'t>(context: *mut ffi::sqlite3_context, text: impl Into<ResultText<'t>>) {
    let copied = ffi::SQLITE_TRANSIENT();
    let (text, destructor) = match text.into().0 {
        Kind::Null => {
            // SAFETY: the caller vouches for the context.
            unsafe { ffi::sqlite3_result_null(context) };
            return;
        }
        Kind::Static(text) => (text, ffi::SQLITE_STATIC()),
        Kind::Borrowed(text) => (text, copied),
        Kind::Owned(text) if text.len() < kept::WORTH => {
            // SAFETY: the caller vouches for the context; SQLite copies the text before it returns.
            unsafe { result_bytes(context, text.as_ptr().cast(), text.len(), copied, UTF8) };
            return;
        }
        Kind::Owned(text) => {
            // SAFETY: the caller vouches for the context.
            unsafe { result_kept(context, text) };
            return;
        }
    };
    // SAFETY: the caller vouches for the context; the text is `'static`, or SQLite copies it before
    // it returns.
    unsafe { result_bytes(context, text.as_ptr().cast(), text.len(), destructor, UTF8) };
}

/// As [`result_text`] in a UTF-16 database: transcodes the text by way of `units`, which SQLite
/// would do much slower.
///
/// # Safety
/// As [`result_text`].
pub(super) unsafe fn result_text16(
    context: *mut ffi::sqlite3_context,
    text: ResultText<'_>,
    units: &mut Vec<u16>,
) {
    let text = match &text.0 {
        // SAFETY: the caller vouches for the context.
        Kind::Null => return unsafe { result_text(context, text) },
        Kind::Static(text) | Kind::Borrowed(text) => text,
        Kind::Owned(text) => text.as_str(),
    };
    units.clear();
    // Of UTF-16 SQLite takes the first unit for a mark of the byte order when it looks like one, and
    // drops it: then there must be one.
    if text.starts_with(['\u{FEFF}', '\u{FFFE}']) {
        units.push(0xFEFF);
    }
    utf8_runes::utf16::append_utf16(text, units);
    let (start, length) = (units.as_ptr().cast(), units.len().saturating_mul(2));
    // SAFETY: the caller vouches for the context; the units are so many bytes, and SQLite copies
    // them before it returns.
    unsafe { result_bytes(context, start, length, ffi::SQLITE_TRANSIENT(), UTF16) };
}

/// # Safety
/// `context` is that of a call; `start` has `length` bytes, which stay until SQLite has copied them
/// or called the destructor; when `encoding` is `UTF8_ZT` a NUL comes behind them.
unsafe fn result_bytes(
    context: *mut ffi::sqlite3_context,
    start: *const c_char,
    length: usize,
    destructor: ffi::sqlite3_destructor_type,
    encoding: u8,
) {
    // SAFETY: the caller vouches for the context and the bytes; SQLite refuses what is too long.
    unsafe { ffi::sqlite3_result_text64(context, start, length as u64, destructor, encoding) };
}

const UTF8: u8 = ffi::SQLITE_UTF8 as u8;
const UTF16: u8 = ffi::SQLITE_UTF16 as u8;
/// SQLite's name for UTF-8 that a NUL ends, which older versions of `libsqlite3-sys` do not have.
const UTF8_ZT: u8 = 16;
/// The first version that is known to have it: 3.53.
const HAS_UTF8_ZT: c_int = 3_053_000;

/// Hands the text over.
///
/// # Safety
/// `context` is that of a call.
unsafe fn result_kept(context: *mut ffi::sqlite3_context, mut text: String) {
    let length = text.len();
    // Who reads the result as a column wants it to end with a NUL: SQLite copies one that does not,
    // or of which it does not know.
    // SAFETY: always allowed.
    let version = unsafe { ffi::sqlite3_libversion_number() };
    let terminated = text.capacity() > length && version >= HAS_UTF8_ZT;
    if terminated {
        text.push('\0');
    }
    let (start, encoding) = (kept::keep(text), if terminated { UTF8_ZT } else { UTF8 });
    // SAFETY: the caller vouches for the context; `start` has `length` bytes, and the NUL where
    // that is said. They are kept as they are until SQLite calls `release`, which it does once.
    unsafe { result_bytes(context, start, length, Some(release), encoding) };
}

/// SQLite's destructor of a text that was handed over.
///
/// # Safety
/// `start` is of [`kept::keep`]; nobody reads it any more.
unsafe extern "C" fn release(start: *mut c_void) {
    kept::release(start.addr());
}

/// Makes a function fail with this error: an [`Error`] keeps its result code if that is one of an
/// error, any other is `SQLITE_ERROR` (1) with its words.
///
/// # Safety
/// `context` is that of a call of a function, which has not returned.
pub unsafe fn result_error(
    context: *mut ffi::sqlite3_context,
    error: &(dyn core::error::Error + 'static),
) {
    let known = error.downcast_ref::<Error>();
    match known {
        // SAFETY: the caller vouches for the context.
        Some(Error::NoMem) => unsafe { ffi::sqlite3_result_error_nomem(context) },
        // SAFETY: the caller vouches for the context.
        Some(Error::TooBig) => unsafe { ffi::sqlite3_result_error_toobig(context) },
        // SAFETY: the caller vouches for the context.
        Some(Error::Sqlite { message, .. }) => unsafe { result_message(context, message) },
        // SAFETY: the caller vouches for the context.
        _ => unsafe { result_message(context, &error.to_string()) },
    }
    if let Some(code) = super::code_of(error) {
        // Keeps the message.
        // SAFETY: the caller vouches for the context.
        unsafe { ffi::sqlite3_result_error_code(context, code) };
    }
}

/// # Safety
/// `context` is that of a call.
pub(super) unsafe fn result_message(context: *mut ffi::sqlite3_context, message: &str) {
    let length = c_int::try_from(message.len()).unwrap_or(c_int::MAX);
    // SAFETY: the caller vouches for the context; the message has `length` bytes, which SQLite
    // copies.
    unsafe { ffi::sqlite3_result_error(context, message.as_ptr().cast(), length) };
}

/// A protected value that stays alive and its form during `'a`.
#[derive(Clone, Copy)]
struct Value<'a> {
    raw: *mut ffi::sqlite3_value,
    lent: PhantomData<&'a ()>,
}

impl<'a> Value<'a> {
    /// # Safety
    /// A protected value that stays alive during `'a`. Either `text_opt` is used or `units`, or
    /// nothing that `text_opt` gave is in use when `units` is called; and nobody else asks the
    /// value for another form during `'a`.
    unsafe fn new(raw: *mut ffi::sqlite3_value) -> Self {
        Self { raw, lent: PhantomData }
    }

    fn class(self) -> StorageClass {
        // SAFETY: whoever made this vouched for the value.
        StorageClass::of(unsafe { ffi::sqlite3_value_type(self.raw) })
    }

    fn text_or_null(self, column: usize) -> Result<StorageClass> {
        match self.class() {
            class @ (StorageClass::Text | StorageClass::Null) => Ok(class),
            actual => Err(wrong(column, 0, actual)),
        }
    }

    /// The bytes of a TEXT as UTF-8, unchecked; `None` for NULL.
    fn utf8(self, column: usize) -> Result<Option<&'a [u8]>> {
        if self.text_or_null(column)? == StorageClass::Null {
            return Ok(None);
        }
        // SAFETY: whoever made this vouched for the value.
        let start = unsafe { ffi::sqlite3_value_text(self.raw) };
        if start.is_null() {
            return Err(Error::NoMem);
        }
        // SAFETY: as for its text; asked after it, this is the length of that.
        let length = unsafe { ffi::sqlite3_value_bytes(self.raw) };
        // SAFETY: SQLite's text of that length. It stays during `'a`: the value does, and once it
        // is UTF-8 another call of this changes nothing.
        Ok(Some(unsafe { slice::from_raw_parts(start, usize::try_from(length).unwrap_or(0)) }))
    }

    fn text_opt(self, column: usize) -> Result<Option<&'a str>> {
        self.utf8(column)?.map(|bytes| decode::text(bytes, column, 0)).transpose()
    }

    /// Hands `read` the UTF-16 of a TEXT.
    fn units<T>(self, read: impl FnOnce(&[u16]) -> T) -> Result<T> {
        // SAFETY: whoever made this vouched for the value, and that no text of it is in use.
        let start = unsafe { sqlite3_value_text16(self.raw) };
        if start.is_null() {
            return Err(Error::NoMem);
        }
        // SAFETY: as for its text; asked after it, this is the length of that.
        let length = unsafe { sqlite3_value_bytes16(self.raw) };
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: SQLite's text of that length, used before anything else is asked of the value.
        let bytes: &[u8] = unsafe { slice::from_raw_parts(start.cast(), length) };
        Ok(as_units(bytes, read))
    }
}

/// The arguments of a call during `'a`.
///
/// Each of them is asked for its UTF-8 only, or for its UTF-16 only: the callers know from the
/// encoding that the function was registered for.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a>(&'a [*mut ffi::sqlite3_value]);

impl<'a> Values<'a> {
    /// # Safety
    /// Those of a call, which does not return during `'a`; nobody else asks them for another form.
    pub(super) unsafe fn new(count: c_int, start: *mut *mut ffi::sqlite3_value) -> Self {
        let count = usize::try_from(count).unwrap_or(0);
        // SQLite gives NULL where there are none when it calls while it prepares.
        if start.is_null() || count == 0 {
            return Self(&[]);
        }
        // SAFETY: SQLite's array of that length, which is good until the call returns.
        Self(unsafe { slice::from_raw_parts(start, count) })
    }

    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    fn get(self, i: usize) -> Result<Value<'a>> {
        let value = *self.0.get(i).ok_or(Error::ColumnOutOfRange { column: i })?;
        // SAFETY: an argument is a protected value and good until the call returns; it is asked
        // for one form only, as the type says.
        Ok(unsafe { Value::new(value) })
    }

    pub(crate) fn utf8(self, i: usize) -> Result<Option<&'a [u8]>> {
        self.get(i)?.utf8(i)
    }

    /// `None` for NULL.
    pub(crate) fn units<T>(self, i: usize, read: impl FnOnce(&[u16]) -> T) -> Result<Option<T>> {
        let value = self.get(i)?;
        if value.text_or_null(i)? == StorageClass::Null {
            return Ok(None);
        }
        value.units(read).map(Some)
    }

    pub(crate) fn integer(self, i: usize) -> Option<i64> {
        let value = self.get(i).ok()?;
        // SAFETY: the value is good, as `get` says; of an INTEGER this converts nothing.
        (value.class() == StorageClass::Integer)
            .then(|| unsafe { ffi::sqlite3_value_int64(value.raw) })
    }
}
