//! The C interface of Firebird's client library: all of it that is unsafe.
//!
//! The library checks every handle that it is given, so a wrong one is an error of its own and no
//! concern here. What has to be right is what it reads and writes: the layouts, and the buffers that
//! a [`Row`] points to.

use super::row::{Area, Row};
use std::ffi::{c_char, c_int, c_uint, c_ushort, c_void};
use std::fmt;

/// A database, a transaction or a statement; 0 is none.
pub(super) type Handle = c_uint;

/// What a call reports: `ISC_STATUS_ARRAY`.
type Status = [isize; 20];

/// `DSQL_close` of `isc_dsql_free_statement`: the cursor alone.
pub(super) const CLOSE: u16 = 1;
/// `DSQL_drop`: the statement.
pub(super) const DROP: u16 = 2;

const VERSION: c_ushort = 1;
const DIALECT: c_ushort = 3;

/// `ISC_TEB`: one database of a transaction.
#[repr(C)]
struct Teb {
    database: *mut Handle,
    length: c_int,
    parameters: *const u8,
}

type Code = isize;

macro_rules! library {
    ($($field:ident = $name:literal ($($arg:ty),*) -> $gives:ty;)*) => {
        /// The library's functions.
        #[derive(Debug)]
        pub(super) struct Library {
            $(
                // SAFETY: a type alone; what a call needs is proved at the call.
                $field: unsafe extern "C" fn($($arg),*) -> $gives,
            )*
            // Last, so that the functions go first.
            _loaded: libloading::Library,
        }

        impl Library {
            /// Loads the library from where the system's loader finds it.
            pub(super) fn load() -> Result<Self, libloading::Error> {
                // SAFETY: what runs on loading is Firebird's own, which any program that links it
                // runs too; it asks nothing of the program.
                let loaded = unsafe { libloading::Library::new("libfbclient.so.2") }?;
                $(
                    // SAFETY: the type is the one that ibase.h declares for this name, and the
                    // function is kept with the library, never longer.
                    let $field = *unsafe {
                        loaded.get::<unsafe extern "C" fn($($arg),*) -> $gives>($name)
                    }?;
                )*
                Ok(Self { $($field,)* _loaded: loaded })
            }
        }
    };
}

library! {
    attach = c"isc_attach_database"
        (*mut Status, i16, *const u8, *mut Handle, i16, *const u8) -> Code;
    detach = c"isc_detach_database" (*mut Status, *mut Handle) -> Code;
    start = c"isc_start_multiple" (*mut Status, *mut Handle, i16, *mut c_void) -> Code;
    commit = c"isc_commit_transaction" (*mut Status, *mut Handle) -> Code;
    immediate = c"isc_dsql_execute_immediate"
        (*mut Status, *mut Handle, *mut Handle, c_ushort, *const u8, c_ushort, *const Area) -> Code;
    allocate = c"isc_dsql_allocate_statement" (*mut Status, *mut Handle, *mut Handle) -> Code;
    prepare = c"isc_dsql_prepare"
        (*mut Status, *mut Handle, *mut Handle, c_ushort, *const u8, c_ushort, *mut Area) -> Code;
    describe_bind = c"isc_dsql_describe_bind"
        (*mut Status, *mut Handle, c_ushort, *mut Area) -> Code;
    execute = c"isc_dsql_execute"
        (*mut Status, *mut Handle, *mut Handle, c_ushort, *const Area) -> Code;
    execute2 = c"isc_dsql_execute2"
        (*mut Status, *mut Handle, *mut Handle, c_ushort, *const Area, *const Area) -> Code;
    fetch = c"isc_dsql_fetch" (*mut Status, *mut Handle, c_ushort, *const Area) -> Code;
    free = c"isc_dsql_free_statement" (*mut Status, *mut Handle, c_ushort) -> Code;
    interpret = c"fb_interpret" (*mut c_char, c_uint, *mut *const isize) -> c_int;
    sqlstate = c"fb_sqlstate" (*mut c_char, *const Status) -> ();
}

/// What the library or the server complained of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Error {
    pub(super) sqlstate: String,
    pub(super) message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sqlstate, self.message)
    }
}

impl std::error::Error for Error {}

// In the proofs below, "lent": a pointer to a local value or to what a reference leads to, of the
// type that ibase.h declares, valid until the call is over; the library keeps none of them.
impl Library {
    /// Opens a database; `parameters` as in a `DPB`.
    pub(super) fn attach(&self, name: &str, parameters: &[u8]) -> Result<Handle, Error> {
        let (mut status, mut database) = ([0; 20], 0);
        let lengths = (short(name.len()), short(parameters.len()));
        let (name, parameters) = (name.as_ptr(), parameters.as_ptr());
        // SAFETY: all are lent, and of the lengths given (less, where an i16 cannot say it).
        let code = unsafe {
            (self.attach)(&mut status, lengths.0, name, &mut database, lengths.1, parameters)
        };
        self.outcome(code, &status).map(|()| database)
    }

    /// Closes a database.
    pub(super) fn detach(&self, mut database: Handle) -> Result<(), Error> {
        let mut status = [0; 20];
        // SAFETY: both are lent.
        let code = unsafe { (self.detach)(&mut status, &mut database) };
        self.outcome(code, &status)
    }

    /// Starts a transaction with these settings, a `TPB`.
    pub(super) fn start(&self, mut database: Handle, settings: &[u8]) -> Result<Handle, Error> {
        let (mut status, mut transaction) = ([0; 20], 0);
        let length = c_int::from(short(settings.len()));
        let mut teb = Teb { database: &raw mut database, length, parameters: settings.as_ptr() };
        // SAFETY: all are lent; there is one Teb, as said, and its settings have that length.
        let code = unsafe {
            (self.start)(&mut status, &mut transaction, 1, (&raw mut teb).cast::<c_void>())
        };
        self.outcome(code, &status).map(|()| transaction)
    }

    /// Ends a transaction.
    pub(super) fn commit(&self, mut transaction: Handle) -> Result<(), Error> {
        let mut status = [0; 20];
        // SAFETY: both are lent.
        let code = unsafe { (self.commit)(&mut status, &mut transaction) };
        self.outcome(code, &status)
    }

    /// Runs a statement without parameters and results. Gives the database, which is a new one
    /// when the statement creates it.
    pub(super) fn immediate(
        &self,
        mut database: Handle,
        mut transaction: Handle,
        sql: &str,
    ) -> Result<Handle, Error> {
        let mut status = [0; 20];
        let (length, sql) = (length(sql), sql.as_ptr());
        let none = std::ptr::null();
        let (to_database, to_transaction) = (&mut database, &mut transaction);
        // SAFETY: all are lent; `sql` has at least `length` bytes, which is not 0; a null area
        // stands for no parameters.
        let code = unsafe {
            (self.immediate)(&mut status, to_database, to_transaction, length, sql, DIALECT, none)
        };
        self.outcome(code, &status).map(|()| database)
    }

    /// A statement, and what it gives and takes.
    pub(super) fn prepare(
        &self,
        mut database: Handle,
        mut transaction: Handle,
        sql: &str,
    ) -> Result<(Handle, Row, Row), Error> {
        let (mut status, mut statement) = ([0; 20], 0);
        // SAFETY: all are lent.
        let code = unsafe { (self.allocate)(&mut status, &mut database, &mut statement) };
        self.outcome(code, &status)?;
        let (mut output, mut input) = (Row::new(), Row::new());
        let (length, sql, area) = (length(sql), sql.as_ptr(), output.area());
        let (to_transaction, to_statement) = (&mut transaction, &mut statement);
        // SAFETY: all are lent; `sql` has at least `length` bytes; of the area, as many columns are
        // described as it says to have room for, and their pointers are left alone.
        let code = unsafe {
            (self.prepare)(&mut status, to_transaction, to_statement, length, sql, DIALECT, area)
        };
        self.outcome(code, &status)?;
        let area = input.area();
        // SAFETY: all are lent; of this area too, no more is described than it has room for.
        let code = unsafe { (self.describe_bind)(&mut status, &mut statement, VERSION, area) };
        self.outcome(code, &status)?;
        // Later on the library goes by the columns that are described, room or not.
        if ![&output, &input].iter().all(|row| row.has_room()) {
            let message = "more columns or parameters than there is room for".to_owned();
            return Err(Error { sqlstate: "07002".to_owned(), message });
        }
        Ok((statement, output, input))
    }

    /// Runs a statement; a query's rows are then fetched.
    pub(super) fn execute(
        &self,
        mut transaction: Handle,
        mut statement: Handle,
        input: &mut Row,
    ) -> Result<(), Error> {
        let mut status = [0; 20];
        let (area, to_transaction) = (input.area(), &mut transaction);
        // SAFETY: all are lent; what the area points to is as long as it says, see `Row::area`.
        let code =
            unsafe { (self.execute)(&mut status, to_transaction, &mut statement, VERSION, area) };
        self.outcome(code, &status)
    }

    /// Runs a query that gives one row.
    pub(super) fn execute_for_one(
        &self,
        mut transaction: Handle,
        mut statement: Handle,
        input: &mut Row,
        output: &mut Row,
    ) -> Result<(), Error> {
        let mut status = [0; 20];
        let (from, to) = (input.area(), output.area());
        let (tr, st) = (&mut transaction, &mut statement);
        // SAFETY: all are lent; what the areas point to is as long as they say, see `Row::area`,
        // and no more than that is read or written.
        let code = unsafe { (self.execute2)(&mut status, tr, st, VERSION, from, to) };
        self.outcome(code, &status)
    }

    /// The next row; false when there is none.
    pub(super) fn fetch(&self, mut statement: Handle, output: &mut Row) -> Result<bool, Error> {
        let mut status = [0; 20];
        let area = output.area();
        // SAFETY: all are lent; no more is written than the area says, and its buffers have that,
        // see `Row::area`.
        let code = unsafe { (self.fetch)(&mut status, &mut statement, VERSION, area) };
        if code == 100 {
            return Ok(false);
        }
        self.outcome(code, &status).map(|()| true)
    }

    /// Ends a statement's cursor or the statement.
    pub(super) fn free(&self, mut statement: Handle, what: u16) -> Result<(), Error> {
        let mut status = [0; 20];
        // SAFETY: both are lent.
        let code = unsafe { (self.free)(&mut status, &mut statement, what) };
        self.outcome(code, &status)
    }

    fn outcome(&self, code: Code, status: &Status) -> Result<(), Error> {
        if code == 0 {
            return Ok(());
        }
        let mut state = [0; 6];
        // SAFETY: `state` has the six bytes that are written, `status` is the call's.
        unsafe { (self.sqlstate)(state.as_mut_ptr(), status) };
        let mut lines = Vec::new();
        let mut at = status.as_ptr();
        loop {
            let mut line: [c_char; 512] = [0; 512];
            // SAFETY: `at` is in the call's status, first at its start and then where the library
            // left it, which stops at the vector's end mark; of `line` no more than 512 bytes are
            // written.
            let len = unsafe { (self.interpret)(line.as_mut_ptr(), 512, &mut at) };
            if len == 0 {
                break;
            }
            lines.push(text(&line));
        }
        Err(Error { sqlstate: text(&state), message: lines.join(", ") })
    }
}

/// Up to the NUL.
fn text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|c| *c as u8).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn short(len: usize) -> i16 {
    i16::try_from(len).unwrap_or(i16::MAX)
}

/// The length of a statement; 0 would have the library look for a NUL.
fn length(sql: &str) -> c_ushort {
    assert!(!sql.is_empty());
    c_ushort::try_from(sql.len()).unwrap_or(c_ushort::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    // As a C compiler lays ibase.h out on a 64-bit target.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn the_layout_is_that_of_the_c_header() {
        assert_eq!((size_of::<Teb>(), offset_of!(Teb, parameters)), (24, 16));
    }
}
