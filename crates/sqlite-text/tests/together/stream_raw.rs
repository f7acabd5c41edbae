//! For users of libsqlite3-sys alone: functions of the C interface, and a reader of a large text.

use sqlite_text::function::{
    ResultText, create_text_function_raw, result_error, result_text, value_text, value_text_opt,
    value_text16, value_text16_opt,
};
use sqlite_text::{Error, StorageClass, TextReader, TextStatement, ffi};
use std::ffi::{CStr, c_int};
use std::ptr;

/// A connection in memory.
struct Db(*mut ffi::sqlite3);

impl Db {
    fn open(encoding: &CStr) -> Self {
        let mut db = ptr::null_mut();
        // SAFETY: the name ends with a NUL and `db` takes the handle.
        let code = unsafe { ffi::sqlite3_open(c":memory:".as_ptr(), &raw mut db) };
        assert_eq!(code, ffi::SQLITE_OK);
        let db = Self(db);
        db.run(encoding);
        db
    }

    fn run(&self, sql: &CStr) {
        let (none, nothing) = (None, ptr::null_mut());
        // SAFETY: the connection is open; no callback, no message wanted.
        let code =
            unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), none, nothing, ptr::null_mut()) };
        assert_eq!(code, ffi::SQLITE_OK);
    }

    fn text(&self, sql: &CStr) -> Result<Option<String>, Error> {
        let mut statement = ptr::null_mut();
        // SAFETY: the connection is open and `statement` takes the handle.
        let code = unsafe {
            ffi::sqlite3_prepare_v2(self.0, sql.as_ptr(), -1, &raw mut statement, ptr::null_mut())
        };
        assert_eq!(code, ffi::SQLITE_OK);
        // SAFETY: a new statement of this connection, which stays open while it is borrowed, and
        // which this thread alone uses.
        let mut statement = unsafe { TextStatement::from_raw(self.0, statement) };
        let mut rows = statement.query_bound()?;
        Ok(rows.next()?.expect("a row").text_opt(0)?.map(str::to_owned))
    }

    fn register(&self, name: &CStr, encoding: c_int, call: Call) {
        let (db, name, none, call) = (self.0, name.as_ptr(), ptr::null_mut(), Some(call));
        // SAFETY: the connection is open and the name ends with a NUL.
        let code = unsafe {
            ffi::sqlite3_create_function_v2(db, name, 1, encoding, none, call, None, None, None)
        };
        assert_eq!(code, ffi::SQLITE_OK);
    }

    fn reader(&self, rowid: i64) -> Result<TextReader<'_>, Error> {
        // SAFETY: the connection stays open while it is borrowed, and this thread alone uses it.
        unsafe { TextReader::open_raw(self.0, "main", "t", "s", rowid) }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        // SAFETY: open, and not used any more. It refuses while a statement is not finalised.
        assert_eq!(unsafe { ffi::sqlite3_close(self.0) }, ffi::SQLITE_OK);
    }
}

type Call = unsafe extern "C" fn(*mut ffi::sqlite3_context, c_int, *mut *mut ffi::sqlite3_value);

const ENCODINGS: [&CStr; 3] =
    [c"PRAGMA encoding='UTF-8'", c"PRAGMA encoding='UTF-16le'", c"PRAGMA encoding='UTF-16be'"];

fn finish<'a>(context: *mut ffi::sqlite3_context, text: Result<ResultText<'a>, Error>) {
    match text {
        // SAFETY: the callers pass the context of their call.
        Ok(text) => unsafe { result_text(context, text) },
        // SAFETY: the callers pass the context of their call.
        Err(error) => unsafe { result_error(context, &error) },
    }
}

unsafe extern "C" fn trim8(
    context: *mut ffi::sqlite3_context,
    _: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: registered with one argument.
    let value = unsafe { *values };
    // SAFETY: an argument, of which nothing else is asked.
    finish(context, unsafe { value_text(value) }.map(|text| text.trim().into()));
}

unsafe extern "C" fn trim16(
    context: *mut ffi::sqlite3_context,
    _: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: registered with one argument.
    let value = unsafe { *values };
    // SAFETY: an argument, of which nothing else is asked.
    let text = unsafe { value_text16(value) };
    finish(context, text.map(|text| text.trim().to_owned().into()));
}

unsafe extern "C" fn opt8(
    context: *mut ffi::sqlite3_context,
    _: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: registered with one argument.
    let value = unsafe { *values };
    // SAFETY: an argument, of which nothing else is asked.
    finish(context, unsafe { value_text_opt(value) }.map(Into::into));
}

unsafe extern "C" fn opt16(
    context: *mut ffi::sqlite3_context,
    _: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: registered with one argument.
    let value = unsafe { *values };
    // SAFETY: an argument, of which nothing else is asked.
    finish(context, unsafe { value_text16_opt(value) }.map(Into::into));
}

fn message(error: Result<Option<String>, Error>) -> String {
    match error {
        Err(Error::Sqlite { code: 1, message, .. }) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn functions_of_the_c_interface() {
    for encoding in ENCODINGS {
        let db = Db::open(encoding);
        db.register(c"trim", ffi::SQLITE_UTF8, trim8);
        db.register(c"trim", ffi::SQLITE_UTF16, trim16);
        db.register(c"opt", ffi::SQLITE_UTF8, opt8);
        db.register(c"opt", ffi::SQLITE_UTF16, opt16);
        assert_eq!(
            db.text(c"SELECT trim('  Zürich, 京都 😀 ')"),
            Ok(Some("Zürich, 京都 😀".into()))
        );
        assert_eq!(db.text(c"SELECT trim('')"), Ok(Some(String::new())));
        assert_eq!(db.text(c"SELECT opt('é')"), Ok(Some("é".into())));
        assert_eq!(db.text(c"SELECT opt(NULL)"), Ok(None));
        let said = |class: &str| format!("row 0, column 0: {class} where TEXT was expected");
        assert_eq!(message(db.text(c"SELECT trim(NULL)")), said("NULL"));
        assert_eq!(message(db.text(c"SELECT trim(x'61')")), said("BLOB"));
        assert_eq!(message(db.text(c"SELECT opt(7)")), said("INTEGER"));
        assert_eq!(message(db.text(c"SELECT opt(0.5)")), said("REAL"));
        let large = db.text(c"SELECT trim(' ' || printf('%.100000c', 'é') || ' ')");
        assert!(large.unwrap().unwrap() == "é".repeat(100_000));
    }
    let db = Db::open(ENCODINGS[0]);
    db.register(c"trim", ffi::SQLITE_UTF8, trim8);
    let said = "row 0, column 0: invalid UTF-8 at byte 2";
    assert_eq!(message(db.text(c"SELECT trim(cast(x'6161FF' AS TEXT))")), said);
    let db = Db::open(ENCODINGS[1]);
    db.register(c"trim", ffi::SQLITE_UTF16, trim16);
    let said = "row 0, column 0: lone surrogate at code unit 1";
    assert_eq!(message(db.text(c"SELECT trim(cast(x'610000DC6200' AS TEXT))")), said);
}

#[test]
fn a_closure() {
    for encoding in ENCODINGS {
        let db = Db::open(encoding);
        let word = String::from("höher");
        // SAFETY: the connection is open, and this thread alone uses it.
        let created = unsafe {
            create_text_function_raw(db.0, "higher", -1, 0, move |args| {
                Ok(format!("{word} {} {}", args.text(0)?, args.len()).into())
            })
        };
        created.unwrap();
        assert_eq!(db.text(c"SELECT higher('als', 1)"), Ok(Some("höher als 2".into())));
        assert!(db.text(c"SELECT higher()").is_err());
    }
}

#[test]
fn a_reader() {
    for encoding in ENCODINGS {
        let db = Db::open(encoding);
        db.run(c"CREATE TABLE t (s); INSERT INTO t VALUES (printf('%.100000c', 'é')), (7), ('')");
        let mut reader = db.reader(1).unwrap();
        let mut text = String::new();
        while let Some(piece) = reader.next_chunk().unwrap() {
            text.push_str(piece);
        }
        assert!(text == "é".repeat(100_000));
        let actual = StorageClass::Integer;
        let error = Error::InvalidType { column: 0, row: 0, actual };
        assert_eq!(reader.reopen(2), Err(error.clone()));
        assert_eq!(reader.reopen(3), Ok(()));
        assert_eq!(reader.next_chunk(), Ok(None));
        assert_eq!(db.reader(2).err(), Some(error));
    }
}
