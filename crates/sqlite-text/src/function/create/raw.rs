//! Functions that SQLite calls: what it is given, and its calls.

use super::super::raw::{Values, result_error, result_message, result_text, result_text16};
use super::super::{Args, FunctionResult};
use crate::decode::Wide;
use crate::error::Result;
use crate::ffi;
use crate::raw::Statement;
use crate::statement::misuse;
use core::cell::{Cell, RefCell};
use core::ffi::{CStr, c_int, c_void};
use core::ptr;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Registers a function of SQL that takes text and gives text.
///
/// `arguments` is how many it takes, -1 for any number; `flags` is 0 or some of
/// `ffi::SQLITE_DETERMINISTIC`, `SQLITE_INNOCUOUS` and `SQLITE_DIRECTONLY`, which
/// ["Function Flags"](https://sqlite.org/c3ref/c_deterministic.html) explains. A function of that
/// name and number of arguments is replaced; [`remove_text_function`] removes it.
///
/// The closure gets its arguments without a copy (from a UTF-16 database transcoded, once) and
/// gives its text back as [`ResultText`](crate::function::ResultText) says. Its error becomes that
/// of the statement, with the result code where it is an [`Error`](crate::Error) or a
/// `rusqlite::Error`; a panic becomes an error too.
///
/// ```
/// use sqlite_text::{ffi, function};
///
/// let db = rusqlite::Connection::open_in_memory()?;
/// let flags = ffi::SQLITE_DETERMINISTIC | ffi::SQLITE_INNOCUOUS;
/// function::create_text_function(&db, "host", 1, flags, |args| {
///     let address = args.text(0)?;
///     let (_, host) = address.split_once('@').ok_or("no address")?;
///     Ok(host.into())
/// })?;
/// let host: String = db.query_row("SELECT host('me@example.org')", [], |row| row.get(0))?;
/// assert_eq!(host, "example.org");
/// let error = db.query_row("SELECT host('me')", [], |row| row.get::<_, String>(0)).unwrap_err();
/// assert_eq!(error.to_string(), "no address");
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// It is registered for both encodings, as SQLite advises, while rusqlite's own functions are
/// registered for UTF-8 alone: those do not replace or remove it wholly.
///
/// # Errors
/// [`Error::Sqlite`](crate::Error::Sqlite) with code 21 for a name that is too long or holds a NUL,
/// a number of arguments that SQLite does not allow, or other flags; with code 5 while statements
/// run and there was such a function before. [`Error::NoMem`](crate::Error::NoMem).
#[cfg(feature = "rusqlite")]
pub fn create_text_function<F>(
    connection: &rusqlite::Connection,
    name: &str,
    arguments: c_int,
    flags: c_int,
    function: F,
) -> Result<()>
where
    F: for<'a> Fn(Args<'a>) -> FunctionResult<'a> + Send + 'static,
{
    // SAFETY: the handle is used to register a function, which changes nothing that rusqlite keeps
    // of the connection, and it is not closed.
    let db = unsafe { connection.handle() };
    // SAFETY: a `Connection` is open until it is dropped, and is not `Sync`: one thread has it.
    unsafe { create_text_function_raw(db, name, arguments, flags, function) }
}

/// Removes what [`create_text_function`] has registered; when there is no such function it does
/// nothing.
///
/// # Errors
/// [`Error::Sqlite`](crate::Error::Sqlite) with code 21 for a name that holds a NUL, with code 5
/// while statements run.
#[cfg(feature = "rusqlite")]
pub fn remove_text_function(
    connection: &rusqlite::Connection,
    name: &str,
    arguments: c_int,
) -> Result<()> {
    // SAFETY: the handle is used to remove a function, which changes nothing that rusqlite keeps of
    // the connection, and it is not closed.
    let db = unsafe { connection.handle() };
    // SAFETY: a `Connection` is open until it is dropped, and is not `Sync`: one thread has it.
    unsafe { remove_named(db, &name_of(name)?, arguments) }
}

/// As `create_text_function`, for users of `libsqlite3-sys` alone.
///
/// # Safety
/// * `db` is an open connection.
/// * As long as the function is registered no other thread uses `db` at the same time, unless it is
///   a serialised connection (one with a mutex).
///
/// # Errors
/// [`Error::Sqlite`](crate::Error::Sqlite) with code 21 for a name that is too long or holds a NUL,
/// a number of arguments that SQLite does not allow, or other flags; with code 5 while statements
/// run and there was such a function before. [`Error::NoMem`](crate::Error::NoMem).
pub unsafe fn create_text_function_raw<F>(
    db: *mut ffi::sqlite3,
    name: &str,
    arguments: c_int,
    flags: c_int,
    function: F,
) -> Result<()>
where
    F: for<'a> Fn(Args<'a>) -> FunctionResult<'a> + Send + 'static,
{
    let allowed = ffi::SQLITE_DETERMINISTIC | ffi::SQLITE_DIRECTONLY | ffi::SQLITE_INNOCUOUS;
    if flags & !allowed != 0 {
        return Err(misuse("a flag that no text function has"));
    }
    let name = name_of(name)?;
    // SAFETY: the caller vouches for `db`; the statement is dropped before this returns.
    let beside = unsafe { Statement::new(db, ptr::null_mut()) };
    let function = RefCell::new(Some(function));
    let function = Rc::new(Registered { function, wide: Cell::default(), units: Cell::default() });
    // No count is kept here: from its registration on another thread may count.
    let [first, second] = [Rc::clone(&function), function].map(|f| Rc::into_raw(f).cast_mut());
    // SAFETY: the caller vouches for `db`; `first` is a count of `Rc::into_raw`.
    let code = unsafe { register(db, &name, arguments, flags, first, false) };
    if code != ffi::SQLITE_OK {
        // SAFETY: a count of `Rc::into_raw`, which nobody else has seen.
        drop(unsafe { Rc::from_raw(second) });
        return Err(beside.error(code));
    }
    // SAFETY: the caller vouches for `db`; `second` is a count of `Rc::into_raw`.
    let code = unsafe { register(db, &name, arguments, flags, second, true) };
    if code != ffi::SQLITE_OK {
        let error = beside.error(code);
        // SAFETY: the caller vouches for `db`.
        let _ = unsafe { remove_named(db, &name, arguments) };
        return Err(error);
    }
    Ok(())
}

/// Registers the function for one encoding; the result code.
///
/// # Safety
/// As for [`create_text_function_raw`]; `data` is a count of [`Rc::into_raw`], which goes to
/// SQLite, also when it refuses.
unsafe fn register<F>(
    db: *mut ffi::sqlite3,
    name: &CStr,
    arguments: c_int,
    flags: c_int,
    data: *mut Registered<F>,
    utf16: bool,
) -> c_int
where
    F: for<'a> Fn(Args<'a>) -> FunctionResult<'a> + Send + 'static,
{
    let (flags, call): (_, Call) = if utf16 {
        (flags | ffi::SQLITE_UTF16, call::<F, true>)
    } else {
        (flags | ffi::SQLITE_UTF8, call::<F, false>)
    };
    let (name, data, forget) = (name.as_ptr(), data.cast(), Some(forget::<F> as Destructor));
    // SAFETY: the caller vouches for `db` and `data`; the name ends with a NUL and SQLite copies
    // it. `data` is what `call` and `forget` take it for, and stays until SQLite calls `forget`,
    // which it does once, also when it refuses the function.
    unsafe {
        ffi::sqlite3_create_function_v2(
            db,
            name,
            arguments,
            flags,
            data,
            Some(call),
            None,
            None,
            forget,
        )
    }
}

/// A function, and memory that its calls in a UTF-16 database use one after the other.
struct Registered<F> {
    /// None when `forget` drops it.
    function: RefCell<Option<F>>,
    wide: Cell<Wide>,
    units: Cell<Vec<u16>>,
}

/// How much memory is kept from one call to the next, in bytes of an argument and in units: more
/// than that costs less to allocate than to fill.
const KEPT: usize = 1024 * 1024;

/// # Safety
/// As for [`create_text_function_raw`].
unsafe fn remove_named(db: *mut ffi::sqlite3, name: &CStr, arguments: c_int) -> Result<()> {
    // SAFETY: the caller vouches for `db`; the statement is dropped before this returns.
    let beside = unsafe { Statement::new(db, ptr::null_mut()) };
    for encoding in [ffi::SQLITE_UTF8, ffi::SQLITE_UTF16] {
        let (name, none) = (name.as_ptr(), ptr::null_mut());
        // SAFETY: the caller vouches for `db`; the name ends with a NUL. Without callbacks it is a
        // removal.
        let code = unsafe {
            ffi::sqlite3_create_function_v2(
                db, name, arguments, encoding, none, None, None, None, None,
            )
        };
        if code != ffi::SQLITE_OK {
            return Err(beside.error(code));
        }
    }
    Ok(())
}

fn name_of(name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| misuse("a name holds a NUL"))
}

type Call = unsafe extern "C" fn(*mut ffi::sqlite3_context, c_int, *mut *mut ffi::sqlite3_value);
type Destructor = unsafe extern "C" fn(*mut c_void);

/// SQLite's call of the function.
///
/// # Safety
/// The context and the arguments of a call of what `register` has registered for these parameters.
unsafe extern "C" fn call<F, const UTF16: bool>(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) where
    F: for<'a> Fn(Args<'a>) -> FunctionResult<'a> + Send + 'static,
{
    // What the closure's own state is after a panic is the closure's business: it is `Fn`, and
    // may be called again as any shared function may.
    let ended = without_panic(|| {
        // SAFETY: SQLite passes what `create` registered.
        let data: *const Registered<F> = unsafe { ffi::sqlite3_user_data(context) }.cast();
        // Keeps the function while it runs: it could be replaced by what it does.
        // SAFETY: `data` is of `Rc::into_raw`, and its own count is given back by `forget` only.
        unsafe { Rc::increment_strong_count(data) };
        // The count is not atomic. SQLite calls and forgets functions under the connection's
        // mutex, or, where there is none, in the one thread that has the connection.
        // SAFETY: the count that this takes over is the one of the line before.
        let registered = unsafe { Rc::from_raw(data) };
        let function = registered.function.try_borrow();
        let Ok(Some(function)) = function.as_deref() else {
            // SAFETY: the context of this call.
            return unsafe { result_message(context, "the function is being removed") };
        };
        // SAFETY: the arguments of this call.
        let values = unsafe { Values::new(count, values) };
        if UTF16 {
            // Within itself the function finds empty ones in their place.
            let (mut wide, mut units) = (registered.wide.take(), registered.units.take());
            wide.next_row(values.len());
            match function(Args { values, wide: Some(&wide) }) {
                // SAFETY: the context of this call.
                Ok(text) => unsafe { result_text16(context, text, &mut units) },
                // SAFETY: the context of this call.
                Err(error) => unsafe { result_error(context, &*error) },
            }
            let is_large = |i| wide.get(i).is_some_and(|text| text.text.capacity() > KEPT);
            if !(0..values.len()).any(is_large) {
                registered.wide.set(wide);
            }
            if units.capacity() <= KEPT {
                registered.units.set(units);
            }
        } else {
            match function(Args { values, wide: None }) {
                // SAFETY: the context of this call.
                Ok(text) => unsafe { result_text(context, text) },
                // SAFETY: the context of this call.
                Err(error) => unsafe { result_error(context, &*error) },
            }
        }
    });
    if !ended {
        // SAFETY: the context of this call.
        unsafe { result_message(context, "the function panicked") };
    }
}

/// SQLite's destructor of a registered function.
///
/// # Safety
/// `data` is what `register` was given; it is forgotten once.
unsafe extern "C" fn forget<F>(data: *mut c_void) {
    let data: *const Registered<F> = data.cast();
    // SAFETY: `data` is of `Rc::into_raw`, and SQLite forgets it once.
    let registered = unsafe { Rc::from_raw(data) };
    // A panic of what the closure holds must not reach SQLite.
    without_panic(|| {
        // SQLite has the function until this returns, and what the closure holds may call it when it
        // is dropped. The memory outlives that, and there is no closure to call.
        if Rc::strong_count(&registered) == 1 {
            drop(registered.function.try_borrow_mut().map(|mut function| function.take()));
        }
    });
}

/// Whether it ended without a panic.
fn without_panic(run: impl FnOnce()) -> bool {
    let Err(mut panic) = catch_unwind(AssertUnwindSafe(run)) else { return true };
    // What it was raised with may panic in its turn when it is dropped, and so on.
    for _ in 0..4 {
        match catch_unwind(AssertUnwindSafe(|| drop(panic))) {
            Ok(()) => return false,
            Err(another) => panic = another,
        }
    }
    // Enough of it.
    core::mem::forget(panic);
    false
}
