//! `TextReader`: the same text as a statement gives, whatever happens to the connection meanwhile.
#![cfg(feature = "rusqlite")]

use crate::common::{database, serialised};
use rusqlite::{Connection, ffi};
use sqlite_text::{Error, StorageClass, TextReader, TextStatement};
use std::error::Error as _;
use std::io::{self, BufRead, Read};

const ENCODINGS: [&str; 3] = ["UTF-8", "UTF-16le", "UTF-16be"];
/// What the reader reads at a time.
const BUFFER: usize = 64 * 1024;

fn all(reader: &mut TextReader<'_>) -> Result<String, Error> {
    let mut text = String::new();
    while let Some(piece) = reader.next_chunk()? {
        assert!(!piece.is_empty());
        text.push_str(piece);
    }
    assert_eq!(reader.next_chunk(), Ok(None));
    Ok(text)
}

fn open<'c>(db: &'c Connection, column: &str, rowid: i64) -> Result<TextReader<'c>, Error> {
    TextReader::open(db, "main", "t", column, rowid)
}

fn code(error: &Error) -> (i32, &str) {
    match error {
        Error::Sqlite { code, message, .. } => (*code, message),
        other => panic!("{other:?}"),
    }
}

/// Texts of any script, so long that their last bytes lie about the edges of the buffer.
#[test]
fn the_same_text_as_a_statement_gives() {
    let scripts = ["a", "é", "жx", "京都", "😀", "a😀é京\0"];
    let mut lengths = vec![0, 1, 2, 3, 4, 1000];
    for edges in [1, 2, 5] {
        lengths.extend((edges * BUFFER - 3)..=(edges * BUFFER + 3));
    }
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (s); BEGIN").unwrap();
        let per_unit = if encoding == "UTF-8" { 1 } else { 2 };
        for script in scripts {
            for &length in &lengths {
                // Of that length as it is stored, where the script allows it.
                let stored =
                    if per_unit == 1 { script.len() } else { 2 * script.encode_utf16().count() };
                let text = script.repeat(length / stored) + &"x".repeat(length % stored / per_unit);
                db.execute("INSERT INTO t VALUES (?1)", [&text]).unwrap();
                let mut reader = open(&db, "s", db.last_insert_rowid()).unwrap();
                assert_eq!(reader.len_bytes(), length / per_unit * per_unit, "{encoding} {script}");
                assert!(all(&mut reader).unwrap() == text, "{encoding} {script} {length}");
                let reader = open(&db, "s", db.last_insert_rowid()).unwrap();
                assert!(all(&mut reader.lossy(true)).unwrap() == text, "{encoding} {script}");
            }
        }
        let mut statement = TextStatement::prepare(&db, "SELECT rowid, s FROM t").unwrap();
        statement = statement.policy(sqlite_text::TypePolicy::Coerce);
        let mut rows = statement.query(&[]).unwrap();
        let mut reader = open(&db, "s", 1).unwrap();
        let mut read = String::new();
        while let Some(row) = rows.next().unwrap() {
            reader.reopen(row.text(0).unwrap().parse().unwrap()).unwrap();
            read.clear();
            reader.read_to_string(&mut read).unwrap();
            assert!(row.text(1).unwrap() == read, "{encoding}");
        }
    }
}

#[test]
fn eight_megabytes_by_pieces_lines_and_bytes() {
    let line = "Zürich, 京都, Ελλάδα 😀\n";
    let text = line.repeat(8 * 1024 * 1024 / line.len());
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            db.execute_batch("CREATE TABLE t (s)").unwrap();
            db.execute("INSERT INTO t VALUES (?1)", [&text]).unwrap();
            let mut reader = open(&db, "s", 1).unwrap();
            assert!(all(&mut reader).unwrap() == text, "{encoding}");
            reader.reopen(1).unwrap();
            let mut copy = Vec::new();
            assert_eq!(io::copy(&mut reader, &mut copy).unwrap(), text.len() as u64);
            assert!(copy == text.as_bytes(), "{encoding}");
            reader.reopen(1).unwrap();
            let mut lines = 0;
            for read in reader.lines() {
                assert_eq!(read.unwrap(), line.trim_end());
                lines += 1;
            }
            assert_eq!(lines, text.len() / line.len());
        }
    }
}

/// crawshaw's sqlite, issue 45: a value of more than 256 MiB must not meet a fixed limit.
#[test]
fn more_than_256_mib() {
    const LENGTH: usize = 257 << 20;
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch("CREATE TABLE t (s)").unwrap();
    db.execute("INSERT INTO t VALUES (cast(zeroblob(?1) AS TEXT))", [LENGTH as i64]).unwrap();
    let mut reader = open(&db, "s", 1).unwrap();
    assert_eq!(reader.len_bytes(), LENGTH);
    let (mut length, mut pieces) = (0, 0);
    while let Some(piece) = reader.next_chunk().unwrap() {
        assert!(piece.starts_with('\0') && piece.ends_with('\0'));
        length += piece.len();
        pieces += 1;
    }
    assert_eq!((length, pieces), (LENGTH, LENGTH / BUFFER));
}

/// With the buffer as it is; the module's own tests have every place with small ones.
#[test]
fn bad_bytes_about_the_edge_of_the_buffer() {
    let db = database("UTF-8");
    db.execute_batch("CREATE TABLE t (s)").unwrap();
    let bad: [&[u8]; 6] = [b"\xFF", b"\xF0\x9F\x98", b"\xC3", b"\x80\x80", b"\xED\xA0\x80", b"\0"];
    for bad in bad {
        for at in BUFFER - 4..BUFFER + 2 {
            for rest in ["", "x", "é and more"] {
                let bytes = [&*b"a".repeat(at), bad, rest.as_bytes()].concat();
                db.execute("INSERT INTO t VALUES (cast(?1 AS TEXT))", [&bytes]).unwrap();
                let rowid = db.last_insert_rowid();
                let mut reader = open(&db, "s", rowid).unwrap();
                let error = match std::str::from_utf8(&bytes) {
                    Ok(text) => {
                        assert!(all(&mut reader).unwrap() == text);
                        continue;
                    }
                    Err(error) => error,
                };
                let valid_up_to = error.valid_up_to();
                let expected = Error::InvalidUtf8 { column: 0, row: 0, valid_up_to };
                let mut read = Vec::new();
                let error = reader.read_to_end(&mut read).unwrap_err();
                assert_eq!(read, bytes[..valid_up_to]);
                assert_eq!(error.kind(), io::ErrorKind::InvalidData);
                let inner = error.get_ref().unwrap().downcast_ref::<Error>();
                assert_eq!((inner, error.source().is_some()), (Some(&expected), false));
                assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
                assert_eq!(reader.next_chunk(), Ok(None));
                let lossy = all(&mut open(&db, "s", rowid).unwrap().lossy(true)).unwrap();
                assert!(lossy == String::from_utf8_lossy(&bytes), "{at} {bad:X?} {rest}");
            }
        }
    }
}

/// As `std::io::Read` promises.
#[test]
fn what_is_no_text_leaves_the_string_as_it_was() {
    let db = database("UTF-8");
    db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES (CAST(x'6162FF63' AS TEXT))")
        .unwrap();
    let mut reader = open(&db, "s", 1).unwrap();
    let mut text = String::from("before");
    assert_eq!(reader.read_to_string(&mut text).unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert_eq!(text, "before");
    assert_eq!(reader.read_to_string(&mut text).unwrap(), 0);
}

#[test]
fn nothing_but_bad_bytes() {
    let db = database("UTF-8");
    db.execute_batch("CREATE TABLE t (s)").unwrap();
    let bytes = vec![0xFF; 5 * BUFFER + 1];
    db.execute("INSERT INTO t VALUES (cast(?1 AS TEXT))", [&bytes]).unwrap();
    let mut reader = open(&db, "s", 1).unwrap();
    let error = Error::InvalidUtf8 { column: 0, row: 0, valid_up_to: 0 };
    assert_eq!(reader.next_chunk(), Err(error));
    assert_eq!(reader.next_chunk(), Ok(None));
    let lossy = all(&mut open(&db, "s", 1).unwrap().lossy(true)).unwrap();
    assert!(lossy == String::from_utf8_lossy(&bytes));
}

/// SQLite cuts half a unit off whatever it casts, so the type in the record is changed in the file.
#[test]
fn half_a_unit_at_the_end() {
    for (encoding, unit) in [("UTF-16le", [0x41, 0]), ("UTF-16be", [0, 0x41])] {
        let name =
            format!("{}/odd-{encoding}-{}.db", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        let mut blob = unit.repeat(8);
        blob.push(0x42);
        {
            let db = Connection::open(&name).unwrap();
            db.execute_batch(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE t (s)"))
                .unwrap();
            db.execute("INSERT INTO t VALUES (?1)", [&blob]).unwrap();
        }
        let mut file = std::fs::read(&name).unwrap();
        // The head of the record: two bytes long, a BLOB of 17 bytes; 13 + 2n is a TEXT of n.
        let record = [&[2, 12 + 2 * 17], &*blob].concat();
        let at = file.windows(record.len()).position(|bytes| bytes == record).unwrap();
        file[at + 1] += 1;
        std::fs::write(&name, file).unwrap();
        let db = Connection::open(&name).unwrap();
        let mut reader = open(&db, "s", 1).unwrap();
        assert_eq!(reader.len_bytes(), 17);
        assert_eq!(reader.next_chunk(), Ok(Some("AAAAAAAA")), "{encoding}");
        let error = Error::InvalidUtf16 { column: 0, row: 0, index: 8 };
        assert_eq!(reader.next_chunk(), Err(error));
        assert_eq!(reader.next_chunk(), Ok(None));
        let lossy = all(&mut open(&db, "s", 1).unwrap().lossy(true));
        assert_eq!(lossy.as_deref(), Ok("AAAAAAAA\u{FFFD}"));
        drop(reader);
        drop(db);
        std::fs::remove_file(&name).unwrap();
    }
}

#[test]
fn a_lone_surrogate_is_told_by_its_unit() {
    for (encoding, high) in [("UTF-16le", "00D8"), ("UTF-16be", "D800")] {
        let db = database(encoding);
        db.execute_batch(&format!(
            "CREATE TABLE t (s);
             INSERT INTO t VALUES (printf('%.40000c', 'é') || cast(x'{high}' AS TEXT) || 'b')"
        ))
        .unwrap();
        let mut reader = open(&db, "s", 1).unwrap();
        let mut length = 0;
        let error = loop {
            match reader.next_chunk() {
                Ok(piece) => length += piece.unwrap().len(),
                Err(error) => break error,
            }
        };
        assert_eq!(length, 80_000);
        assert_eq!(error, Error::InvalidUtf16 { column: 0, row: 0, index: 40_000 });
        let lossy = all(&mut open(&db, "s", 1).unwrap().lossy(true)).unwrap();
        assert!(lossy.ends_with("é\u{FFFD}b"));
    }
}

#[test]
fn only_text_is_opened() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, s, r REAL);
             INSERT INTO t (s, r) VALUES (NULL, 1), (-7, 1), (0.5, 1), (x'61', 1), (x'', 1), ('', 1),
                 ('text', 1)",
        )
        .unwrap();
        let wrong = |column, rowid| match open(&db, column, rowid) {
            Err(Error::InvalidType { column: 0, row: 0, actual }) => actual,
            other => panic!("{other:?}"),
        };
        let classes: Vec<_> = (1..=5).map(|rowid| wrong("s", rowid)).collect();
        use StorageClass::{Blob, Integer, Null, Real};
        assert_eq!(classes, [Null, Integer, Real, Blob, Blob], "{encoding}");
        // The rowid itself is stored as NULL, a whole REAL as an integer.
        assert_eq!((wrong("id", 7), wrong("r", 7)), (Integer, Real));
        let mut empty = open(&db, "s", 6).unwrap();
        assert_eq!((empty.len_bytes(), all(&mut empty)), (0, Ok(String::new())));
        assert!(empty.fill_buf().unwrap().is_empty());

        // Another row with the same reader; those that are no text leave it usable.
        let mut reader = open(&db, "s", 7).unwrap();
        assert_eq!(reader.next_chunk(), Ok(Some("text")));
        for rowid in 1..=5 {
            let error = reader.reopen(rowid).unwrap_err();
            assert!(matches!(error, Error::InvalidType { .. }), "{error:?}");
            assert_eq!((reader.len_bytes(), reader.next_chunk()), (0, Ok(None)));
            if rowid % 2 == 0 {
                reader.reopen(7).unwrap();
                assert!(reader.len_bytes() >= 4);
                assert_eq!(reader.next_chunk(), Ok(Some("text")));
            }
        }
        assert_eq!(code(&reader.reopen(99).unwrap_err()), (1, "no such rowid: 99"));
        reader.reopen(6).unwrap();
        assert_eq!(reader.next_chunk(), Ok(None));
    }
}

#[test]
fn what_sqlite_does_not_open_is_said_in_its_words() {
    let db = database("UTF-8");
    db.execute_batch(
        "CREATE TABLE t (s); INSERT INTO t VALUES ('text'); ALTER TABLE t ADD COLUMN d DEFAULT 'new';
         CREATE VIEW v AS SELECT 1 AS rowid, s FROM t;
         CREATE TABLE w (k PRIMARY KEY, s) WITHOUT ROWID; INSERT INTO w VALUES (1, 'text');
         CREATE TABLE g (s, u AS (upper(s))); INSERT INTO g VALUES ('text');
         CREATE VIRTUAL TABLE r USING rtree(id, a, b);
         CREATE TABLE n (rowid, _ROWID_, oid, s); INSERT INTO n VALUES (5, 6, 7, 'text')",
    )
    .unwrap();
    let message = |database, table, column, rowid| {
        let error = TextReader::open(&db, database, table, column, rowid).unwrap_err();
        assert_eq!(code(&error).0, ffi::SQLITE_ERROR, "{error}");
        code(&error).1.to_owned()
    };
    assert_eq!(message("main", "v", "s", 1), "cannot open view: v");
    assert_eq!(message("main", "w", "s", 1), "cannot open table without rowid: w");
    assert_eq!(message("main", "g", "s", 1), "cannot open table with generated columns: g");
    assert_eq!(message("main", "r", "a", 1), "cannot open virtual table: r");
    assert_eq!(message("main", "t", "s", 2), "no such rowid: 2");
    assert_eq!(message("main", "t", "x", 1), "no such column: \"x\"");
    assert_eq!(message("main", "x", "s", 1), "no such table: main.x");
    assert_eq!(message("y", "t", "s", 1), "no such table: y.t");
    // The row does not hold the value: the statement takes it from the schema.
    assert_eq!(message("main", "t", "d", 1), "cannot open value of type null");
    assert_eq!(message("main", "n", "s", 1), "columns have all names of the rowid");
    for names in [["ma\0in", "t", "s"], ["main", "t\0", "s"], ["main", "t", "\0"]] {
        let error = TextReader::open(&db, names[0], names[1], names[2], 1).unwrap_err();
        assert_eq!(code(&error), (ffi::SQLITE_MISUSE, "a name holds a NUL"));
    }
    db.execute_batch("UPDATE t SET s = s").unwrap();
    assert_eq!(all(&mut open(&db, "d", 1).unwrap()).as_deref(), Ok("new"));
}

#[test]
fn names_of_any_kind() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch(
            r#"CREATE TABLE "we""ird '[] tä" ("co ""l", rowid TEXT, "京");
               INSERT INTO "we""ird '[] tä" VALUES ('a', '7', 'b'), (x'00', '1', 'c');
               CREATE TEMP TABLE t (s); INSERT INTO t VALUES ('temporary');
               ATTACH ':memory:' AS "o.th""er"; CREATE TABLE "o.th""er".t (oid, s);
               INSERT INTO "o.th""er".t (rowid, oid, s) VALUES (-9223372036854775808, 1, 'far')"#,
        )
        .unwrap();
        let weird = |column, rowid| TextReader::open(&db, "main", "we\"ird '[] tä", column, rowid);
        assert_eq!(all(&mut weird("co \"l", 1).unwrap()).as_deref(), Ok("a"));
        assert_eq!(all(&mut weird("CO \"L", 1).unwrap()).as_deref(), Ok("a"));
        assert_eq!(all(&mut weird("京", 2).unwrap()).as_deref(), Ok("c"));
        assert_eq!(all(&mut weird("rowid", 1).unwrap()).as_deref(), Ok("7"));
        let actual = StorageClass::Blob;
        let error = weird("co \"l", 2).unwrap_err();
        assert_eq!(error, Error::InvalidType { column: 0, row: 0, actual });
        let mut reader = TextReader::open(&db, "temp", "t", "s", 1).unwrap();
        assert_eq!(all(&mut reader).as_deref(), Ok("temporary"));
        let mut reader = TextReader::open(&db, "o.th\"er", "t", "s", i64::MIN).unwrap();
        assert_eq!(all(&mut reader).as_deref(), Ok("far"), "{encoding}");
    }
}

/// Each of these is done in the middle of a text. It may be refused: that is SQLite's business.
const MEANWHILE: [(&str, bool); 16] = [
    // Whether the text stays readable.
    ("INSERT INTO t (s) VALUES ('more')", true),
    ("UPDATE t SET s = 'other' WHERE id = 2", true),
    ("DELETE FROM t WHERE id = 2", true),
    ("PRAGMA shrink_memory; PRAGMA cache_size = 1", true),
    ("VACUUM", true),
    ("DROP TABLE t", true),
    ("ALTER TABLE t ADD COLUMN more DEFAULT 'new'", true),
    ("ALTER TABLE t RENAME COLUMN s TO renamed", true),
    ("CREATE INDEX i ON t (s)", true),
    ("BEGIN; UPDATE t SET s = 'gone' WHERE id = 2; ROLLBACK", true),
    ("UPDATE t SET s = 'other' WHERE id = 1", false),
    ("UPDATE t SET other = 'other' WHERE id = 1", false),
    ("DELETE FROM t WHERE id = 1", false),
    ("DELETE FROM t", false),
    ("REPLACE INTO t (id, s) VALUES (1, 'replaced')", false),
    ("BEGIN; UPDATE t SET other = 'gone' WHERE id = 1; ROLLBACK", false),
];

#[test]
fn the_row_changes_or_not_while_it_is_read() {
    let text = "grün, ✓ ".repeat(30_000);
    for encoding in ENCODINGS {
        for (sql, stays) in MEANWHILE {
            for db in [database(encoding), serialised(encoding)] {
                db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, s, other)").unwrap();
                db.execute("INSERT INTO t (s) VALUES (?1), ('second')", [&text]).unwrap();
                let mut reader = open(&db, "s", 1).unwrap();
                let mut read = reader.next_chunk().unwrap().unwrap().to_owned();
                let _ = db.execute_batch(sql);
                match all(&mut reader) {
                    Ok(rest) => {
                        assert!(stays, "{encoding} {sql}");
                        read += &rest;
                        assert!(read == text, "{encoding} {sql}");
                    }
                    Err(error) => {
                        assert!(!stays, "{encoding} {sql}: {error}");
                        let message = "the row has changed since its text was opened";
                        assert_eq!(code(&error), (ffi::SQLITE_ABORT, message), "{sql}");
                        assert_eq!(reader.next_chunk(), Ok(None));
                        assert!(text.starts_with(&read));
                    }
                }
                // What is there now can be opened anew, or there is an error.
                let again = reader.reopen(1).and_then(|()| all(&mut reader));
                let fresh = open(&db, "s", 1).and_then(|mut reader| all(&mut reader));
                if sql.contains("RENAME COLUMN") {
                    assert!(again.is_err() && fresh.is_err());
                } else {
                    assert_eq!(again.is_ok(), fresh.is_ok(), "{sql}: {again:?}");
                    assert!(again.ok() == fresh.ok(), "{sql}");
                }
            }
        }
    }
}

/// A column that has become a BLOB, or has another name, is not taken for text.
#[test]
fn the_class_is_that_of_the_row_now() {
    let db = database("UTF-8");
    db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('text'), (x'00')").unwrap();
    let mut reader = open(&db, "s", 1).unwrap();
    db.execute_batch("UPDATE t SET s = cast(s AS BLOB)").unwrap();
    let actual = StorageClass::Blob;
    let error = Error::InvalidType { column: 0, row: 0, actual };
    assert_eq!(reader.reopen(1), Err(error));
    db.execute_batch("ALTER TABLE t RENAME COLUMN s TO u").unwrap();
    assert_eq!(code(&reader.reopen(1).unwrap_err()).0, ffi::SQLITE_ERROR);
}

/// Pieces and bytes share one place.
#[test]
fn a_piece_does_not_start_within_a_scalar_value() {
    let db = database("UTF-8");
    db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('aé😀b')").unwrap();
    let mut reader = open(&db, "s", 1).unwrap();
    let mut byte = [0; 2];
    reader.read_exact(&mut byte).unwrap();
    for _ in 0..2 {
        let error = reader.next_chunk().unwrap_err();
        assert_eq!(code(&error), (ffi::SQLITE_MISUSE, "a scalar value has been read in part"));
    }
    assert_eq!(reader.fill_buf().unwrap(), &"aé😀b".as_bytes()[2..]);
    reader.consume(1);
    assert_eq!(reader.next_chunk(), Ok(Some("😀b")));
    assert_eq!(reader.next_chunk(), Ok(None));
    reader.consume(usize::MAX);
    assert_eq!(reader.read(&mut byte).unwrap(), 0);
}

/// A reader holds a transaction: another connection cannot change what it reads.
#[test]
fn a_reader_keeps_its_snapshot() {
    let name = format!("{}/snapshot-{}.db", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    let text = "as it was ".repeat(20_000);
    {
        let (reading, writing) =
            (Connection::open(&name).unwrap(), Connection::open(&name).unwrap());
        reading.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (s)").unwrap();
        reading.execute("INSERT INTO t VALUES (?1)", [&text]).unwrap();
        let mut reader = open(&reading, "s", 1).unwrap();
        let mut read = reader.next_chunk().unwrap().unwrap().to_owned();
        writing.execute_batch("UPDATE t SET s = 'as it is'").unwrap();
        read += &all(&mut reader).unwrap();
        assert!(read == text);
        drop(reader);
        assert_eq!(all(&mut open(&reading, "s", 1).unwrap()).as_deref(), Ok("as it is"));
    }
    std::fs::remove_file(&name).unwrap();
}
