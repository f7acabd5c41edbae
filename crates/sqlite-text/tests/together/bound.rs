//! `BoundStatement`: what is bound, what is bound no more, and what SQLite does with the memory.
//! What must not compile is in `src/bound/rules.rs`.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use rusqlite::types::{Null, ToSqlOutput};
use rusqlite::{Connection, ToSql, ffi};
use sqlite_text::{BoundStatement, Error, TextStatement, TypePolicy};

fn databases() -> impl Iterator<Item = (Connection, &'static str)> {
    ["UTF-8", "UTF-16le", "UTF-16be"]
        .into_iter()
        .flat_map(|e| [(database(e), e), (serialised(e), e)])
}

/// All rows of the next run, their columns joined by blanks, NULL as a dash.
fn read(bound: &mut BoundStatement<'_, '_>) -> Result<Vec<String>, Error> {
    let mut rows = bound.query()?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let mut columns = Vec::new();
        while let Ok(text) = row.text_opt(columns.len()) {
            columns.push(text.unwrap_or("-"));
        }
        all.push(columns.join(" "));
    }
    Ok(all)
}

fn code<T>(result: Result<T, Error>) -> i32 {
    match result {
        Err(Error::Sqlite { code, .. }) => code,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

/// A value that cannot be made one.
struct Never;

impl ToSql for Never {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Err(rusqlite::Error::ToSqlConversionFailure("never".into()))
    }
}

#[test]
fn texts_of_every_kind_arrive() {
    let long = "a page and more, ✓ ".repeat(3450);
    assert!(long.len() > 65_536);
    let texts = ["", "a", "\0", "nul\0nul\0", "grün", "京都", "\u{FEFF}bom", "😀\u{10FFFF}", &long];
    for (db, encoding) in databases() {
        let sql = "SELECT ?1, typeof(?1), CAST(length(CAST(?1 AS BLOB)) AS TEXT), ?1 || 'x'";
        for text in texts {
            let statement = TextStatement::prepare(&db, sql).unwrap();
            let mut bound = statement.bind_static(1, text).unwrap();
            for _ in 0..2 {
                let mut rows = bound.query().unwrap();
                let row = rows.next().unwrap().unwrap();
                let stored =
                    if encoding == "UTF-8" { text.len() } else { 2 * text.encode_utf16().count() };
                assert_eq!(row.text(1), Ok("text"), "{encoding}: {text:.20?}");
                assert_eq!(row.text(2), Ok(&*stored.to_string()), "{encoding}: {text:.20?}");
                assert!(row.text(0) == Ok(text), "{encoding}: {text:.20?}");
                assert!(row.text(3).unwrap().strip_suffix('x') == Some(text), "{encoding}");
                assert!(rows.next().unwrap().is_none());
            }
        }
    }
}

/// d2sqlite3 issue 77, SQLitePCL.raw issue 557, diesel issue 3435: it became NULL there.
#[test]
fn the_empty_text_is_a_text_and_not_null() {
    let sql = "SELECT typeof(?1), hex(?1), (?1 IS NULL) || ''";
    let owned = String::new();
    for (db, encoding) in databases() {
        for empty in ["", &owned, &"abc"[3..], core::str::from_utf8(&[]).unwrap()] {
            let statement = TextStatement::prepare(&db, sql).unwrap();
            let mut bound = statement.bind_static(1, empty).unwrap();
            assert_eq!(read(&mut bound).unwrap(), ["text  0"], "{encoding}");
            bound.bind(1, &empty).unwrap();
            assert_eq!(read(&mut bound).unwrap(), ["text  0"], "{encoding}");
        }
    }
}

/// Behind a part of a text there is no NUL but the rest of it, which SQLite must not look at.
#[test]
fn a_part_of_a_text_ends_where_it_ends() {
    let whole = String::from("1234567890 and so on, grün");
    let sql = "SELECT ?1, length(?1) || '', ?1 + 0 || '', ?1 LIKE '123' || '', upper(?1),
               printf('%s', ?1), ?1 || '', replace(?1, '3', ''), CAST(?1 AS INTEGER) || '',
               instr(?1, '4') || '', quote(?1), ?1 = '123' || ''";
    for (db, encoding) in databases() {
        let statement = TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
        let mut bound = statement.bind_static(1, &whole[..3]).unwrap();
        let row = read(&mut bound).unwrap();
        let expected = "123 3 123 1 123 123 123 12 123 0 '123' 1";
        assert_eq!(row, [expected], "{encoding}");
    }
}

#[test]
fn a_parameter_that_is_not_there() {
    let db = Connection::open_in_memory().unwrap();
    let sql = "SELECT ?1, ?3";
    // Some of these are 1 or 3 when cut to 32 bits.
    for i in [0, 4, 5, 32_766, 1 << 31, (1 << 31) + 1, (1 << 32) + 1, (1 << 32) + 3, usize::MAX] {
        let statement = TextStatement::prepare(&db, sql).unwrap();
        assert_eq!(code(statement.bind_static(i, "x")), 25, "{i}");
        let statement = TextStatement::prepare(&db, sql).unwrap();
        let mut bound = statement.bind_static(1, "a").unwrap().bind_static(3, "b").unwrap();
        assert_eq!(code(bound.bind(i, &"x")), 25, "{i}");
        assert_eq!(code(bound.bind(i, &Null)), 25, "{i}");
        assert_eq!(read(&mut bound).unwrap(), ["a b"], "{i}");
        assert_eq!(code(bound.bind_static(i, "x")), 25, "{i}");
    }
    // A number that the SQL leaves out is one, too.
    let statement = TextStatement::prepare(&db, sql).unwrap();
    statement.bind_static(2, "x").unwrap();
    let none = TextStatement::prepare(&db, "SELECT 1").unwrap();
    assert_eq!(code(none.bind_static(1, "x")), 25);
    // All those statements are finalised: otherwise closing is refused.
    db.close().unwrap();
}

#[test]
fn a_statement_that_is_none() {
    let db = Connection::open_in_memory().unwrap();
    // SAFETY: the connection outlives the statement.
    let handle = unsafe { db.handle() };
    // SAFETY: NULL is no statement.
    let nothing = unsafe { TextStatement::from_raw(handle, std::ptr::null_mut()) };
    assert_eq!(code(nothing.bind_static(1, "x")), 21);
}

#[test]
fn old_bindings_do_not_survive() {
    let db = Connection::open_in_memory().unwrap();
    let mut statement = TextStatement::prepare(&db, "SELECT ?1, ?2, ?3").unwrap();
    statement.query(&[&"a", &"b", &"c"]).unwrap().next().unwrap();
    let mut bound = statement.bind_static(2, "B").unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["- B -"]);
    bound.bind(3, &"C").unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["- B C"]);
    // One over the other, with a copy and without.
    let mut bound = bound.bind_static(3, "CC").unwrap();
    bound.bind(2, &"BB").unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["- BB CC"]);
    bound.bind(3, &Null).unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["- BB -"]);
    // One that cannot be bound leaves nothing in its place.
    assert_eq!(code(bound.bind(2, &Never)), 20);
    assert_eq!(read(&mut bound).unwrap(), ["- - -"]);
    let bound = bound.bind_static(1, "A").unwrap();
    let statement = bound.unbind();
    let mut bound = statement.bind_static(3, "c").unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["- - c"]);
    let mut statement = bound.unbind();
    let mut rows = statement.query_bound().unwrap();
    let row = rows.next().unwrap().unwrap();
    assert_eq!([0, 1, 2].map(|i| row.text_opt(i).unwrap()), [None; 3]);
}

#[test]
fn the_policy_stays() {
    let db = Connection::open_in_memory().unwrap();
    let statement = TextStatement::prepare(&db, "SELECT length(?1)").unwrap();
    let mut bound = statement.policy(TypePolicy::Coerce).bind_static(1, "abc").unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["3"]);
    let mut bound = bound.unbind().bind_static(1, "ab").unwrap();
    assert_eq!(read(&mut bound).unwrap(), ["2"]);
}

/// go-sqlite3 issue 1403, `SQLiteCpp` issue 544: a length that is too large was cut or taken for -1.
#[test]
fn a_text_above_the_limit() {
    let (long, too_long) = ("x".repeat(40), "x".repeat(41));
    for (db, encoding) in databases() {
        // SAFETY: the handle is used for this one call.
        let handle = unsafe { db.handle() };
        let statement = TextStatement::prepare(&db, "SELECT ?1").unwrap();
        let mut bound = statement.bind_static(1, &too_long).unwrap();
        // SAFETY: the connection is open. Newer versions of SQLite allow no limit below 30.
        unsafe { ffi::sqlite3_limit(handle, ffi::SQLITE_LIMIT_LENGTH, 40) };
        // Bound before the limit: the run fails.
        assert_eq!(read(&mut bound), Err(Error::TooBig), "{encoding}");
        let statement = bound.unbind();
        // In a UTF-16 database it is the stored bytes that count when it runs.
        let fits = if encoding == "UTF-8" { &*long } else { &long[..20] };
        let mut bound = statement.bind_static(1, fits).unwrap();
        assert_eq!(read(&mut bound).unwrap(), [fits], "{encoding}");
        assert_eq!(bound.bind(1, &too_long), Err(Error::TooBig), "{encoding}");
        assert_eq!(read(&mut bound).unwrap(), ["-"], "{encoding}");
        bound.bind(1, &fits).unwrap();
        assert_eq!(read(&mut bound).unwrap(), [fits], "{encoding}");
        assert!(matches!(bound.bind_static(1, &too_long), Err(Error::TooBig)), "{encoding}");
        db.close().unwrap();
    }
}

/// The same, where a length does not fit into 31 or 32 bits. SQLite must not look at the bytes, so
/// they stay pages that the system has promised but not made.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_text_of_many_gib() {
    use std::alloc::{Layout, alloc_zeroed, dealloc};

    let layout = Layout::array::<u8>((1 << 32) + 5).unwrap();
    // SAFETY: the size is not 0.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        println!("skipped: the system does not promise so much");
        return;
    }
    // SAFETY: so many zeros have been allocated.
    let zeros = unsafe { std::slice::from_raw_parts(start, layout.size()) };
    // SAFETY: zeros are UTF-8.
    let huge = unsafe { core::str::from_utf8_unchecked(zeros) };
    let db = Connection::open_in_memory().unwrap();
    for length in [(1 << 31) - 1, 1 << 31, (1 << 31) + 1, 1 << 32, (1 << 32) + 5] {
        let text = &huge[..length];
        let statement = TextStatement::prepare(&db, "SELECT ?1").unwrap();
        let mut bound = statement.bind_static(1, "a").unwrap();
        assert_eq!(bound.bind(1, &text), Err(Error::TooBig), "{length}");
        assert_eq!(read(&mut bound).unwrap(), ["-"], "{length}");
        assert!(matches!(bound.bind_static(1, text), Err(Error::TooBig)), "{length}");
    }
    // SAFETY: allocated above with this layout, and no longer borrowed.
    unsafe { dealloc(start, layout) };
}

fn rows_of_the_loop() -> Vec<(i64, String, String)> {
    let size = |i: i64| usize::try_from(i * i % 613).unwrap();
    (0..1000).map(|i| (i, format!("key {i}"), "grün\0✓".repeat(size(i)))).collect()
}

#[test]
fn a_loop_of_inserts_is_read_back() {
    for (db, encoding) in databases() {
        db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, k, v); BEGIN").unwrap();
        let rows = rows_of_the_loop();
        // Half of them with all texts borrowed for the whole loop, the other half one by one.
        let (first, second) = rows.split_at(500);
        let sql = "INSERT INTO t VALUES (?1, ?2, ?3)";
        let mut insert = TextStatement::prepare(&db, sql).unwrap().bind_static(2, "").unwrap();
        for (id, key, value) in first {
            insert = insert.bind_static(2, key).unwrap().bind_static(3, value).unwrap();
            insert.bind(1, id).unwrap();
            assert_eq!(insert.execute(), Ok(1));
        }
        let mut statement = insert.unbind();
        for (id, key, value) in second {
            let (key, value) = (key.clone(), value.clone());
            let mut insert = statement.bind_static(3, &value).unwrap();
            insert.bind(1, id).unwrap();
            insert.bind(2, &key).unwrap();
            assert_eq!(insert.execute(), Ok(1));
            statement = insert.unbind();
        }
        db.execute_batch("COMMIT").unwrap();
        let mut select = db.prepare("SELECT * FROM t ORDER BY id").unwrap();
        let back: Vec<(i64, String, String)> = select
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert!(back == rows, "{encoding}");
    }
}

#[test]
fn a_text_is_looked_up_in_every_way() {
    for (db, encoding) in databases() {
        let long = "grün".repeat(500);
        db.execute_batch("CREATE TABLE t (s, n); CREATE INDEX i ON t (s)").unwrap();
        for n in 0..20 {
            db.execute("INSERT INTO t VALUES (?1, ?2)", (format!("{long}{n}"), n)).unwrap();
        }
        let wanted = format!("{long}7");
        let other = format!("{long}x");
        for sql in [
            "SELECT 'found' FROM t WHERE s = ?1",
            "SELECT 'found' FROM t NOT INDEXED WHERE s = ?1",
            "SELECT 'found' FROM t WHERE n < 8 AND s > 'a' AND s >= ?1",
            "SELECT 'found' WHERE ?1 IN (SELECT s FROM t)",
            "SELECT 'found' FROM t WHERE s LIKE ?1",
            "SELECT 'found' FROM t WHERE s GLOB ?1 AND instr(?1, '7')",
            "SELECT 'found' FROM t WHERE upper(s) = upper(?1)",
            "SELECT 'found' FROM (SELECT max(?1, s) AS m, s FROM t WHERE n = 7) WHERE m = s",
            "SELECT 'found' FROM (SELECT min(v) AS m FROM (SELECT ?1 AS v UNION ALL SELECT '~'))
             JOIN t ON s = m",
            "WITH RECURSIVE r (v, k) AS (SELECT ?1, 0 UNION ALL SELECT v, k + 1 FROM r LIMIT 9)
             SELECT DISTINCT 'found' FROM r JOIN t ON s = v ORDER BY k",
            "SELECT 'found' FROM (SELECT first_value(?1) OVER (ORDER BY n DESC) AS f, s FROM t)
             WHERE f = s",
            "SELECT 'found' FROM json_each(json_array(?1)) JOIN t ON s = value",
        ] {
            let statement = TextStatement::prepare(&db, sql).unwrap();
            let mut bound = statement.bind_static(1, &wanted).unwrap();
            for _ in 0..3 {
                assert_eq!(read(&mut bound).unwrap(), ["found"], "{encoding}: {sql}");
            }
            let mut bound = bound.unbind().bind_static(1, &other).unwrap();
            assert_eq!(read(&mut bound).unwrap(), [""; 0], "{encoding}: {sql}");
        }
    }
}

/// The same statements, with the same outcome, in two databases.
#[test]
fn execute_is_as_that_of_rusqlite() {
    let (ours, theirs) = (database("UTF-8"), database("UTF-8"));
    for db in [&ours, &theirs] {
        db.execute_batch(
            "CREATE TABLE t (s UNIQUE, n DEFAULT 0);
             CREATE TABLE log (s);
             CREATE TRIGGER r AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (old.s); END",
        )
        .unwrap();
    }
    for (sql, text) in [
        ("INSERT INTO t (s) VALUES (?1)", "one"),
        ("INSERT INTO t (s) VALUES (?1)", "two"),
        ("INSERT INTO t (s) VALUES (?1)", "two"),
        ("INSERT OR IGNORE INTO t (s) VALUES (?1)", "two"),
        ("UPDATE t SET s = s || ?1", "x"),
        ("CREATE TABLE IF NOT EXISTS u AS SELECT ?1", ""),
        ("SELECT ?1 WHERE 0", "x"),
        ("SELECT ?1", "x"),
        ("INSERT INTO t (s) VALUES (?1), ('four') RETURNING s", "three"),
        ("INSERT INTO t (s) SELECT s || ?1 FROM t", "y"),
        ("SELECT abs(-9223372036854775808) WHERE ?1", "1"),
        ("DELETE FROM t WHERE s > ?1", "three"),
    ] {
        let bound =
            TextStatement::prepare(&ours, sql).and_then(|s| s.bind_static(1, text)?.execute());
        let expected = theirs.prepare(sql).and_then(|mut s| s.execute([text]));
        match (bound, expected) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{sql}"),
            (Err(ours), Err(rusqlite::Error::ExecuteReturnedResults)) => {
                assert_eq!(code::<()>(Err(ours)), 21, "{sql}");
            }
            (Err(ours), Err(theirs)) => {
                assert_eq!(rusqlite::Error::from(ours), theirs, "{sql}");
            }
            (ours, theirs) => panic!("{sql}: {ours:?} {theirs:?}"),
        }
        let rows = |db: &Connection| -> String {
            let all = "SELECT group_concat(s) FROM (SELECT s FROM t UNION ALL SELECT s FROM log)";
            db.query_row(all, [], |row| row.get::<_, Option<String>>(0))
                .unwrap()
                .unwrap_or_default()
        };
        assert_eq!(rows(&ours), rows(&theirs), "{sql}");
    }
}
