//! Functions of SQL that take and give text.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, ffi};
use sqlite_text::function::{ResultText, create_text_function, remove_text_function};
use sqlite_text::{Error, TextStatement};
use std::borrow::Cow;
use std::cell::RefCell;
use std::panic::panic_any;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];

fn databases() -> impl Iterator<Item = (Connection, &'static str)> {
    ENCODINGS.into_iter().flat_map(|e| [(database(e), e), (serialised(e), e)])
}

/// The one value, by a statement of this crate.
fn text(db: &Connection, sql: &str) -> Result<Option<String>, Error> {
    let mut statement = TextStatement::prepare(db, sql)?;
    let mut rows = statement.query(&[])?;
    let row = rows.next()?.expect("a row");
    Ok(row.text_opt(0)?.map(str::to_owned))
}

fn some(text: &str) -> Result<Option<String>, Error> {
    Ok(Some(text.to_owned()))
}

fn message(error: Result<Option<String>, Error>) -> (i32, String) {
    match error.unwrap_err() {
        Error::Sqlite { extended, message, .. } => (extended, message),
        other => panic!("{other:?}"),
    }
}

/// Texts about every length at which another way is taken, with a NUL inside or not.
#[test]
fn texts_go_in_and_out_in_every_way() {
    let mut texts: Vec<String> = ["", "a", "é", "京都", "😀", "nul\0inside", "\0", "\u{FEFF}bom"]
        .map(str::to_owned)
        .to_vec();
    for length in [100, 16_383, 16_384, 16_385, 70_000] {
        texts.push("x".repeat(length));
        texts.push("é😀\0".repeat(length / 7));
        let exact = "y".repeat(length).into_boxed_str();
        texts.push(exact.into_string());
    }
    for (db, encoding) in databases() {
        let flags = ffi::SQLITE_DETERMINISTIC;
        create_text_function(&db, "borrowed", 1, flags, |args| Ok(args.text(0)?.into())).unwrap();
        create_text_function(&db, "string", 1, 0, |args| {
            let mut copy = String::with_capacity(args.text(0)?.len() + 1);
            copy.push_str(args.text(0)?);
            Ok(copy.into())
        })
        .unwrap();
        create_text_function(&db, "exact", 1, 0, |args| Ok(Box::<str>::from(args.text(0)?).into()))
            .unwrap();
        create_text_function(&db, "opt", 1, 0, |args| Ok(args.text_opt(0)?.into())).unwrap();
        create_text_function(&db, "lossy", 1, 0, |args| Ok(args.text_lossy(0)?.into())).unwrap();
        create_text_function(&db, "cow", 1, 0, |args| {
            Ok(Cow::<str>::Owned(args.text(0)?.to_owned()).into())
        })
        .unwrap();
        for name in ["borrowed", "string", "exact", "opt", "lossy", "cow"] {
            // As a column, as an argument, as what is stored, and of a copy of the value.
            let sql = format!("SELECT {name}(?1), length({name}(?1)), {name}({name}(?1)) = ?1");
            let mut statement = TextStatement::prepare(&db, &sql).unwrap();
            statement = statement.policy(sqlite_text::TypePolicy::Coerce);
            for text in &texts {
                let mut rows = statement.query(&[text]).unwrap();
                let row = rows.next().unwrap().unwrap();
                assert!(row.text(0).unwrap() == text, "{encoding} {name} {}", text.len());
                let length = text.split('\0').next().unwrap().chars().count();
                assert_eq!(row.text(1).unwrap(), length.to_string(), "{encoding} {name}");
                assert_eq!(row.text(2), Ok("1"), "{encoding} {name} {}", text.len());
            }
            db.execute_batch("CREATE TEMP TABLE kept (s)").unwrap();
            for text in &texts {
                db.execute(&format!("INSERT INTO kept VALUES ({name}(?1))"), [text]).unwrap();
            }
            let mut stored = TextStatement::prepare(&db, "SELECT s FROM kept").unwrap();
            let mut rows = stored.query(&[]).unwrap();
            for text in &texts {
                assert!(rows.next().unwrap().unwrap().text(0).unwrap() == text, "{name}");
            }
            drop(rows);
            drop(stored);
            db.execute_batch("DROP TABLE kept").unwrap();
        }
    }
}

/// What looks like a mark of the byte order, in that order or the other, is text. The function makes
/// it, for SQLite before 3.54 takes U+FFFE and U+FFFF for U+FFFD when they are bound.
#[test]
fn a_result_that_starts_with_a_byte_order_mark() {
    for (db, encoding) in databases() {
        for mark in ["\u{FEFF}", "\u{FFFE}", "\u{FFFF}"] {
            for rest in ["", "a", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}"] {
                let made = format!("{mark}{rest}");
                let copy = made.clone();
                create_text_function(&db, "made", 0, 0, move |_| Ok(copy.clone().into())).unwrap();
                assert_eq!(text(&db, "SELECT made()"), some(&made), "{encoding} {made:?}");
            }
        }
    }
}

#[test]
fn null_and_static_and_other_classes() {
    for (db, encoding) in databases() {
        create_text_function(&db, "opt", -1, 0, |args| {
            Ok(if args.is_empty() { ResultText::NULL } else { args.text_opt(0)?.into() })
        })
        .unwrap();
        create_text_function(&db, "fixed", 0, ffi::SQLITE_DETERMINISTIC, |_| {
            Ok(ResultText::from_static("für immer"))
        })
        .unwrap();
        create_text_function(&db, "empty", 0, 0, |_| Ok(ResultText::from_static(""))).unwrap();
        create_text_function(&db, "must", 2, 0, |args| Ok(args.text(1)?.into())).unwrap();
        create_text_function(&db, "beyond", 1, 0, |args| Ok(args.text(1)?.into())).unwrap();
        create_text_function(&db, "cut", 2, 0, |args| {
            let length = args.integer(1).ok_or("the length is no integer")?;
            Ok(args.text(0)?.get(..usize::try_from(length)?).into())
        })
        .unwrap();
        assert_eq!(text(&db, "SELECT opt()"), Ok(None));
        assert_eq!(text(&db, "SELECT opt(NULL, 1, 2)"), Ok(None));
        assert_eq!(text(&db, "SELECT opt('')"), some(""));
        assert_eq!(text(&db, "SELECT empty()"), some(""));
        assert_eq!(
            text(&db, "SELECT empty() || typeof(empty()) || fixed()"),
            some("textfür immer")
        );
        assert_eq!(text(&db, "SELECT fixed()"), some("für immer"), "{encoding}");
        assert_eq!(text(&db, "SELECT cut('abc', 2)"), some("ab"));
        assert_eq!(text(&db, "SELECT cut('abc', 4)"), Ok(None));
        let said = "the length is no integer".to_owned();
        assert_eq!(message(text(&db, "SELECT cut('abc', '2')")), (1, said));
        for (value, class) in [("NULL", "NULL"), ("1", "INTEGER"), ("0.5", "REAL"), ("x''", "BLOB")]
        {
            let said = format!("row 0, column 1: {class} where TEXT was expected");
            assert_eq!(message(text(&db, &format!("SELECT must('', {value})"))), (1, said));
        }
        let said = "the result has no column 1".to_owned();
        assert_eq!(message(text(&db, "SELECT beyond('')")), (1, said));
        assert_eq!(message(text(&db, "SELECT must('')")).0, 1);
    }
}

#[test]
fn bytes_that_are_no_text() {
    let db = database("UTF-8");
    create_text_function(&db, "same", 1, 0, |args| Ok(args.text(0)?.into())).unwrap();
    create_text_function(&db, "lossy", 1, 0, |args| Ok(args.text_lossy(0)?.into())).unwrap();
    let said = "row 0, column 0: invalid UTF-8 at byte 1".to_owned();
    assert_eq!(message(text(&db, "SELECT same(cast(x'61FF62' AS TEXT))")), (1, said));
    assert_eq!(text(&db, "SELECT lossy(cast(x'61FF62' AS TEXT))"), some("a\u{FFFD}b"));

    // SQLite's own conversion would swallow the b.
    for (encoding, units) in [("UTF-16le", "610000DC6200"), ("UTF-16be", "0061DC000062")] {
        let db = database(encoding);
        create_text_function(&db, "same", 1, 0, |args| Ok(args.text(0)?.into())).unwrap();
        create_text_function(&db, "lossy", 2, 0, |args| {
            // Asked again, it is the same.
            assert_eq!(args.text_lossy(0)?.as_ptr(), args.text_lossy(0)?.as_ptr());
            Ok(format!("{} {}", args.text_lossy(0)?, args.text(1)?).into())
        })
        .unwrap();
        let said = "row 0, column 0: lone surrogate at code unit 1".to_owned();
        let sql = format!("SELECT same(cast(x'{units}' AS TEXT))");
        assert_eq!(message(text(&db, &sql)), (1, said));
        let sql = format!("SELECT lossy(cast(x'{units}' AS TEXT), 'ü')");
        assert_eq!(text(&db, &sql), some("a\u{FFFD}b ü"));
    }
}

#[test]
fn errors_keep_their_code() {
    for (db, _) in databases() {
        create_text_function(&db, "fail", 1, 0, |args| {
            Err(match args.text(0)? {
                "constraint" => {
                    let message = "it does not fit".to_owned();
                    Error::Sqlite { code: 19, extended: 275, message }.into()
                }
                "rusqlite" => rusqlite::Error::SqliteFailure(
                    ffi::Error::new(ffi::SQLITE_INTERRUPT),
                    Some("stopped".to_owned()),
                )
                .into(),
                "no memory" => Error::NoMem.into(),
                "too big" => Error::TooBig.into(),
                "empty" => "".into(),
                "panic" => panic!("on purpose"),
                "io" => std::io::Error::other("the disk\u{2026}").into(),
                other => format!("{other} with a \0 inside").into(),
            })
        })
        .unwrap();
        let fail = |what: &str| text(&db, &format!("SELECT fail('{what}')"));
        assert_eq!(message(fail("constraint")), (275, "it does not fit".into()));
        assert_eq!(message(fail("rusqlite")), (9, "stopped".into()));
        assert_eq!(fail("no memory"), Err(Error::NoMem));
        assert_eq!(fail("too big"), Err(Error::TooBig));
        assert_eq!(message(fail("empty")), (1, String::new()));
        assert_eq!(message(fail("io")), (1, "the disk\u{2026}".into()));
        assert_eq!(message(fail("text")), (1, "text with a ".into()));
        assert_eq!(message(fail("panic")), (1, "the function panicked".into()));
        // And again.
        assert_eq!(message(fail("panic")), (1, "the function panicked".into()));
    }
}

/// SQLite takes these as the result codes of a call that did not fail, or of a step.
#[test]
fn an_error_with_a_code_that_is_none_is_an_error() {
    for (db, _) in databases() {
        for extended in [0, -1, 100, 101, 256, i32::MIN, 100 | 256] {
            create_text_function(&db, "fail", 1, 0, move |args| {
                let message = "in words".to_owned();
                Err(match args.text(0)? {
                    "rusqlite" => {
                        let code = ffi::Error::new(extended);
                        rusqlite::Error::SqliteFailure(code, Some(message)).into()
                    }
                    _ => Error::Sqlite { code: extended & 0xFF, extended, message }.into(),
                })
            })
            .unwrap();
            for what in ["rusqlite", "ours"] {
                let failed = text(&db, &format!("SELECT fail('{what}')"));
                assert_eq!(message(failed), (1, "in words".into()), "{what} {extended}");
            }
        }
    }
}

thread_local! {
    static CONNECTION: RefCell<Option<Rc<Connection>>> = const { RefCell::new(None) };
}

/// Calls the function that it belongs to when it is dropped.
struct Calls {
    text: String,
    dropped: Arc<AtomicUsize>,
}

impl Drop for Calls {
    fn drop(&mut self) {
        let db = CONNECTION.with_borrow(Option::clone).unwrap();
        // Either the one that is there now or none.
        if let Ok(called) = text(&db, "SELECT again()") {
            assert_eq!(called, Some("new".to_owned()));
        }
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// SQLite has the old function until its destructor has returned.
#[test]
fn a_closure_that_calls_itself_when_it_is_dropped() {
    for (db, encoding) in databases() {
        let db = Rc::new(db);
        CONNECTION.set(Some(Rc::clone(&db)));
        let dropped = Arc::new(AtomicUsize::new(0));
        for name in ["old", "new"] {
            let calls = Calls { text: name.to_owned(), dropped: Arc::clone(&dropped) };
            create_text_function(&db, "again", 0, 0, move |_| Ok(calls.text.clone().into()))
                .unwrap();
            assert_eq!(text(&db, "SELECT again()"), some(name), "{encoding}");
        }
        assert_eq!(dropped.load(Ordering::Relaxed), 1, "{encoding}");
        remove_text_function(&db, "again", 0).unwrap();
        assert_eq!(dropped.load(Ordering::Relaxed), 2, "{encoding}");
        CONNECTION.set(None);
    }
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("on purpose, in a drop");
    }
}

#[test]
fn a_panic_that_panics_when_it_is_dropped() {
    for (db, _) in databases() {
        create_text_function(&db, "panic", 0, 0, |_| panic_any(Bomb)).unwrap();
        let failed = text(&db, "SELECT panic()");
        assert_eq!(message(failed), (1, "the function panicked".into()));
    }
}

/// Sets the greatest length of a value, and gives what it was.
fn limit(db: &Connection, length: i32) -> i32 {
    // SAFETY: the handle is used for this one call.
    let handle = unsafe { db.handle() };
    // SAFETY: the connection is open.
    unsafe { ffi::sqlite3_limit(handle, ffi::SQLITE_LIMIT_LENGTH, length) }
}

/// SQLite calls the destructor of what it refuses at once.
#[test]
fn a_text_that_is_too_long() {
    for (db, _) in databases() {
        create_text_function(&db, "owned", 0, 0, |_| Ok("x".repeat(20_000).into())).unwrap();
        create_text_function(&db, "exact", 0, 0, |_| {
            Ok("x".repeat(20_000).into_boxed_str().into())
        })
        .unwrap();
        create_text_function(&db, "nul", 0, 0, |_| Ok("\0".repeat(20_000).into())).unwrap();
        const FIXED: &str = include_str!("../data/values.toml");
        create_text_function(&db, "fixed", 0, 0, |_| Ok(ResultText::from_static(FIXED))).unwrap();
        create_text_function(&db, "short", 0, 0, |_| Ok("x".repeat(1500).into())).unwrap();
        for name in ["owned", "exact", "nul", "fixed", "short"] {
            let sql = format!("SELECT {name}()");
            assert!(text(&db, &sql).unwrap().unwrap().len() >= 1500);
            let before = limit(&db, 1000);
            assert_eq!(text(&db, &sql), Err(Error::TooBig), "{name}");
            limit(&db, before);
        }
    }
}

#[test]
fn what_cannot_be_registered() {
    let db = database("UTF-8");
    let create = |name: &str, arguments, flags| {
        create_text_function(&db, name, arguments, flags, |_| Ok(ResultText::NULL))
    };
    let misuse = |result: Result<(), Error>| {
        assert!(matches!(result, Err(Error::Sqlite { code: 21, .. })), "{result:?}");
    };
    misuse(create("a\0b", 0, 0));
    misuse(create(&"n".repeat(256), 0, 0));
    misuse(create("f", 30_000, 0));
    misuse(create("f", -2, 0));
    misuse(create("f", 0, ffi::SQLITE_UTF16));
    misuse(remove_text_function(&db, "a\0b", 0));
    create("f", 0, ffi::SQLITE_DETERMINISTIC | ffi::SQLITE_INNOCUOUS | ffi::SQLITE_DIRECTONLY)
        .unwrap();
    // The flags arrive.
    db.execute_batch("CREATE VIEW v AS SELECT f()").unwrap();
    assert_eq!(message(text(&db, "SELECT * FROM v")).1, "unsafe use of f()");
    create("g", 0, 0).unwrap();
    let indexed = db.execute_batch("CREATE TABLE t (s); CREATE INDEX i ON t (g())").unwrap_err();
    assert!(indexed.to_string().starts_with("non-deterministic functions prohibited"));
}

/// Counts the closures that are alive.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn a_closure_is_dropped_once() {
    for (db, encoding) in databases() {
        let count = Arc::new(AtomicUsize::new(0));
        let alive = || count.load(Ordering::Relaxed);
        let create = |db: &Connection, name: &str, arguments| {
            let held = Alive::new(&count);
            create_text_function(db, name, arguments, 0, move |args| {
                Ok(format!("{} {}", held.0.load(Ordering::Relaxed), args.len()).into())
            })
        };
        create(&db, "f", 0).unwrap();
        create(&db, "f", 1).unwrap();
        assert_eq!(alive(), 2);
        assert_eq!(text(&db, "SELECT f()"), some("2 0"), "{encoding}");
        assert_eq!(text(&db, "SELECT f(7)"), some("2 1"));
        // Replaced, refused, removed.
        create(&db, "F", 0).unwrap();
        assert_eq!(alive(), 2);
        assert!(create(&db, "f", 5000).is_err());
        assert_eq!(alive(), 2);
        {
            let mut statement = TextStatement::prepare(&db, "VALUES (f()), (f(1))").unwrap();
            let mut rows = statement.query(&[]).unwrap();
            rows.next().unwrap();
            let busy = create(&db, "f", 0);
            assert!(matches!(busy, Err(Error::Sqlite { code: 5, .. })), "{busy:?}");
            let busy = remove_text_function(&db, "f", 0);
            assert!(matches!(busy, Err(Error::Sqlite { code: 5, .. })), "{busy:?}");
            assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("2 1"));
        }
        remove_text_function(&db, "f", 0).unwrap();
        remove_text_function(&db, "f", 0).unwrap();
        assert_eq!(alive(), 1);
        assert!(text(&db, "SELECT f()").is_err());
        assert_eq!(text(&db, "SELECT f(7)"), some("1 1"));
        // Closed in another thread.
        std::thread::spawn(move || {
            assert_eq!(text(&db, "SELECT f(7)"), some("1 1"));
        })
        .join()
        .unwrap();
        assert_eq!(alive(), 0);
    }
}

thread_local! {
    static OWN: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// A function that runs statements with itself, deeper and deeper.
#[test]
fn a_function_within_itself() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        create_text_function(&db, "down", 1, 0, |args| {
            let before = args.text(0)?;
            if before.len() == 5 {
                return Ok(before.into());
            }
            let longer = OWN.with_borrow(|db| {
                db.as_ref()
                    .ok_or("no connection")?
                    .query_row("SELECT down(?1 || 'x')", [before], |row| row.get::<_, String>(0))
                    .map_err(Box::<dyn std::error::Error + Send + Sync>::from)
            })?;
            // The argument is what it was.
            assert_eq!(args.text(0)?, before);
            Ok(format!("{before}>{longer}").into())
        })
        .unwrap();
        OWN.set(Some(db));
        let found = OWN.with_borrow(|db| text(db.as_ref().unwrap(), "SELECT down('xx')"));
        assert_eq!(found, some("xx>xxx>xxxx>xxxxx"), "{encoding}");
        OWN.set(None);
    }
}

/// SQLite calls a deterministic function while it prepares, without arguments by a NULL; and then
/// the function may replace itself, since no statement runs.
#[test]
fn a_function_that_replaces_itself_while_it_runs() {
    let db = Connection::open_in_memory().unwrap();
    let (count, replaced) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (held, replaces) = (Alive::new(&count), Arc::clone(&replaced));
    create_text_function(&db, "fixed", 0, ffi::SQLITE_DETERMINISTIC, move |args| {
        assert!(args.is_empty());
        OWN.with_borrow(|db| {
            let (db, flags) = (db.as_ref().unwrap(), ffi::SQLITE_DETERMINISTIC);
            let new =
                create_text_function(db, "fixed", 0, flags, |_| Ok(ResultText::from_static("new")));
            replaces.fetch_add(new.is_ok().into(), Ordering::Relaxed);
        });
        // Still there.
        assert_eq!(held.0.load(Ordering::Relaxed), 1);
        Ok("old".into())
    })
    .unwrap();
    db.execute_batch(
        "CREATE TABLE t (s); INSERT INTO t VALUES ('old'), ('new'), ('old');
         CREATE INDEX i ON t (s); ANALYZE",
    )
    .unwrap();
    OWN.set(Some(db));
    let found =
        OWN.with_borrow(|db| text(db.as_ref().unwrap(), "SELECT s FROM t WHERE s = fixed()"));
    assert_eq!((found, replaced.load(Ordering::Relaxed)), (some("new"), 1));
    OWN.set(None);
    assert_eq!(count.load(Ordering::Relaxed), 0);
}

/// Beside rusqlite's functions, which are of one encoding.
#[test]
fn beside_functions_of_rusqlite() {
    for (db, encoding) in databases() {
        let flags = FunctionFlags::SQLITE_UTF8;
        db.create_scalar_function("f", 0, flags, |_| Ok("theirs")).unwrap();
        assert_eq!(text(&db, "SELECT f()"), some("theirs"));
        create_text_function(&db, "f", 0, 0, |_| Ok("ours".into())).unwrap();
        assert_eq!(text(&db, "SELECT f()"), some("ours"), "{encoding}");
        create_text_function(&db, "upper", 1, 0, |args| Ok(args.text(0)?.to_uppercase().into()))
            .unwrap();
        assert_eq!(text(&db, "SELECT upper('straße')"), some("STRASSE"));
        remove_text_function(&db, "f", 0).unwrap();
        assert!(text(&db, "SELECT f()").is_err());
    }
}

/// From the closure's memory to the reader of the column without a copy.
#[test]
fn a_large_string_is_read_where_it_lies() {
    let db = serialised("UTF-8");
    let address = Arc::new(AtomicUsize::new(0));
    let made = Arc::clone(&address);
    create_text_function(&db, "large", 1, 0, move |args| {
        let mut text = String::with_capacity(100_001);
        while text.len() < 100_000 {
            text.push_str(args.text(0)?);
        }
        made.store(text.as_ptr().addr(), Ordering::Relaxed);
        Ok(text.into())
    })
    .unwrap();
    let mut statement = TextStatement::prepare(&db, "SELECT large('a' || char(0))").unwrap();
    let mut rows = statement.query(&[]).unwrap();
    let row = rows.next().unwrap().unwrap();
    let text = row.text(0).unwrap();
    assert!(text == "a\0".repeat(50_000));
    // Older ones copy it, to put a NUL behind it.
    if rusqlite::version_number() >= 3_053_000 {
        assert_eq!(text.as_ptr().addr(), address.load(Ordering::Relaxed));
    }
}
