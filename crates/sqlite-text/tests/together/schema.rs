//! What changes under a prepared statement: columns, tables, the encoding of the database. SQLite
//! prepares such a statement anew when it runs next, and nothing of what was known may be kept.
#![cfg(feature = "rusqlite")]

use crate::common::cells::{At, Cell, ENCODINGS, Text};
use crate::common::{database, serialised};
use rusqlite::{Connection, ToSql, ffi};
use sqlite_text::{Error, TextBatch, TextRows, TextStatement, TypePolicy};
use std::borrow::Cow;

/// Older versions of SQLite run a statement without a table in the encoding that was thought to be
/// the database's when they prepared it.
fn knows_its_encoding() -> bool {
    rusqlite::version_number() >= 3_047_001
}

/// The first row, up to the column that is not there.
fn first(rows: &mut TextRows<'_>) -> Result<Vec<Option<String>>, Error> {
    let row = rows.next()?.expect("a row");
    let mut texts = Vec::new();
    loop {
        match row.text_opt(texts.len()) {
            Ok(text) => texts.push(text.map(str::to_owned)),
            Err(Error::ColumnOutOfRange { .. }) => return Ok(texts),
            Err(other) => return Err(other),
        }
    }
}

fn some(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some((*text).to_owned())).collect()
}

/// diesel 2663 and sqlx 296: the columns were those of the first preparation.
#[test]
fn diesel_2663_a_star_follows_the_table() {
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            db.execute_batch("CREATE TABLE t (a, é); INSERT INTO t VALUES ('1', 'ü')").unwrap();
            let mut statement = TextStatement::prepare(&db, "SELECT * FROM t").unwrap();
            let steps: [(&str, &[&str], &[&str]); 9] = [
                ("", &["a", "é"], &["1", "ü"]),
                (
                    "ALTER TABLE t ADD COLUMN b DEFAULT '世界'",
                    &["a", "é", "b"],
                    &["1", "ü", "世界"],
                ),
                ("ALTER TABLE t RENAME COLUMN a TO é2", &["é2", "é", "b"], &["1", "ü", "世界"]),
                (
                    // Names that swap their columns.
                    "ALTER TABLE t RENAME COLUMN é2 TO x; ALTER TABLE t RENAME COLUMN b TO é2;
                     ALTER TABLE t RENAME COLUMN x TO b",
                    &["b", "é", "é2"],
                    &["1", "ü", "世界"],
                ),
                ("ALTER TABLE t DROP COLUMN é", &["b", "é2"], &["1", "世界"]),
                (
                    "DROP TABLE t; CREATE TABLE t (z, y, x, w, v);
                     INSERT INTO t VALUES ('5', '4', '3', '2', '1')",
                    &["z", "y", "x", "w", "v"],
                    &["5", "4", "3", "2", "1"],
                ),
                ("DROP TABLE t; CREATE VIEW t AS SELECT 'einer' AS b", &["b"], &["einer"]),
                (
                    "DROP VIEW t; CREATE TEMP TABLE t (b, c); INSERT INTO t VALUES ('o', 'p')",
                    &["b", "c"],
                    &["o", "p"],
                ),
                (
                    "DROP TABLE t; BEGIN; CREATE TABLE t (c, b); INSERT INTO t VALUES ('q', 'r')",
                    &["c", "b"],
                    &["q", "r"],
                ),
            ];
            for (change, names, texts) in steps {
                db.execute_batch(change).unwrap();
                let mut rows = statement.query(&[]).unwrap();
                // Right after the first step, before any row was asked for.
                for (i, name) in names.iter().enumerate() {
                    assert_eq!(rows.column_index(name), Some(i), "{encoding}: {change}");
                }
                assert_eq!(first(&mut rows), Ok(some(texts)), "{encoding}: {change}");
                drop(rows);
                assert_eq!(statement.column_index(names[0]), Some(0), "{encoding}: {change}");
            }
            db.execute_batch("ROLLBACK").unwrap();
            let mut rows = statement.query(&[]).unwrap();
            assert!(matches!(rows.next(), Err(Error::Sqlite { code: 1, .. })), "no table left");
            assert!(rows.next().unwrap().is_none());
        }
    }
}

#[test]
fn batches_have_the_columns_of_their_run() {
    for encoding in ENCODINGS {
        for db in [database(encoding), serialised(encoding)] {
            db.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES ('ä'), ('ö')").unwrap();
            let mut statement = TextStatement::prepare(&db, "SELECT * FROM t").unwrap();
            let mut columns = [TextBatch::new(), TextBatch::new()];
            let mut reader = statement.read_batch(&[]).unwrap();
            let error = Error::ColumnOutOfRange { column: 1 };
            assert_eq!(reader.next_batch(&mut columns), Err(error.clone()));
            assert_eq!(reader.next_batch(&mut columns[..1]), Ok(0));
            drop(reader);
            db.execute_batch("ALTER TABLE t ADD COLUMN b DEFAULT 'ü'").unwrap();
            let mut reader = statement.read_batch(&[]).unwrap().max_rows(1);
            for a in ["ä", "ö"] {
                assert_eq!(reader.next_batch(&mut columns), Ok(1));
                assert_eq!(columns.each_ref().map(|c| c.get(0)), [Some(a), Some("ü")]);
            }
            assert_eq!(reader.next_batch(&mut columns), Ok(0));
            drop(reader);
            db.execute_batch("ALTER TABLE t DROP COLUMN a").unwrap();
            let mut reader = statement.read_batch(&[]).unwrap();
            assert_eq!(reader.next_batch(&mut columns), Err(error));
            drop(reader);
            let mut reader = statement.read_batch(&[]).unwrap();
            assert_eq!(reader.next_batch(&mut columns[1..]), Ok(2));
            assert!(columns[1].iter().eq([Some("ü"); 2]));
        }
    }
}

/// A run that has begun keeps its columns, whatever is added meanwhile.
#[test]
fn a_column_added_during_a_run() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES ('1'), ('2')").unwrap();
        let mut statement = TextStatement::prepare(&db, "SELECT * FROM t").unwrap();
        let mut rows = statement.query(&[]).unwrap();
        assert_eq!(first(&mut rows), Ok(some(&["1"])));
        db.execute_batch("ALTER TABLE t ADD COLUMN b DEFAULT 'new'").unwrap();
        assert_eq!(first(&mut rows), Ok(some(&["2"])));
        assert_eq!(rows.column_index("b"), None);
        assert!(rows.next().unwrap().is_none());
        drop(rows);
        assert_eq!(first(&mut statement.query(&[]).unwrap()), Ok(some(&["1", "new"])));
    }
}

/// Another connection changes the schema of the same file.
#[test]
fn another_connection_alters_the_table() {
    for encoding in ENCODINGS {
        let file = File::new(encoding, "alters");
        let (db, other) = (file.open(), file.open());
        other.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES ('ä')").unwrap();
        let mut statement = TextStatement::prepare(&db, "SELECT * FROM t").unwrap();
        assert_eq!(first(&mut statement.query(&[]).unwrap()), Ok(some(&["ä"])));
        other.execute_batch("ALTER TABLE t ADD COLUMN b DEFAULT 'ß'").unwrap();
        let mut rows = statement.query(&[]).unwrap();
        assert_eq!(rows.column_index("B"), Some(1));
        assert_eq!(first(&mut rows), Ok(some(&["ä", "ß"])));
    }
}

/// A parameter that lost its column is still there, and one that is bound stays bound.
#[test]
fn bindings_survive_what_sqlite_prepares_anew() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        db.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES ('1')").unwrap();
        let mut statement =
            TextStatement::prepare(&db, "SELECT ?1 || ?2, * FROM t WHERE a < ?2").unwrap();
        let params: [&dyn ToSql; 2] = [&"é", &"zz"];
        assert_eq!(first(&mut statement.query(&params).unwrap()), Ok(some(&["ézz", "1"])));
        db.execute_batch("ALTER TABLE t ADD COLUMN b DEFAULT '2'").unwrap();
        let again = first(&mut statement.query_bound().unwrap());
        assert_eq!(again, Ok(some(&["ézz", "1", "2"])));
    }
}

/// In a file that is just opened SQLite does not know the encoding before it has read the schema,
/// which a query without a table does not need.
#[test]
fn the_first_query_on_a_file_needs_no_table() {
    for encoding in ENCODINGS {
        let file = File::new(encoding, "first");
        let cell = Cell::Text(Text::stored(encoding, &[0xFF, 0xD8]));
        let at = At { row: 0, column: 0 };
        for again in 0..2 {
            let db = file.open();
            let sql = "SELECT cast(x'FFD8' AS TEXT), 'é' || char(0) || ?1";
            let mut statement = TextStatement::prepare(&db, sql).unwrap();
            for run in 0..3 {
                let mut rows = statement.query(&[&"ü"]).unwrap();
                let row = rows.next().unwrap().unwrap();
                if knows_its_encoding() {
                    let case = format!("{encoding} {again} {run}");
                    cell.check(&row, TypePolicy::TextOnly, at, &case);
                    assert_eq!(row.text(1), Ok("é\0ü"), "{case}");
                } else {
                    // Text of some kind, or an error.
                    let _ = (row.text(0), row.text(1), row.text_lossy(0), row.text_bytes(1));
                }
            }
        }
    }
}

/// SQLite's enc-12.3: all databases of a connection have one encoding.
#[test]
fn enc_12_3_an_attached_database_of_another_encoding_is_refused() {
    for encoding in ENCODINGS {
        for other in ENCODINGS {
            let file = File::new(other, &format!("attached-to-{encoding}"));
            file.open().execute_batch("CREATE TABLE u (s); INSERT INTO u VALUES ('ö')").unwrap();
            let db = database(encoding);
            let attach = format!("ATTACH '{}' AS other", file.0.display());
            let attached = db.execute_batch(&attach);
            let read = TextStatement::prepare(&db, "SELECT s FROM u");
            if encoding == other {
                attached.unwrap();
                assert_eq!(first(&mut read.unwrap().query(&[]).unwrap()), Ok(some(&["ö"])));
            } else {
                assert!(attached.is_err());
                assert!(matches!(read, Err(Error::Sqlite { code: 1, .. })), "{encoding} {other}");
            }
        }
    }
}

/// SQLite's enc-12.4: a database that has a table keeps its encoding.
#[test]
fn enc_12_4_the_encoding_is_decided_once() {
    for encoding in ENCODINGS {
        let db = database(encoding);
        let sql = "SELECT cast(x'D8FFD8' AS TEXT)";
        let cell = Cell::Text(Text::stored(encoding, &[0xD8, 0xFF, 0xD8]));
        let mut statement = TextStatement::prepare(&db, sql).unwrap();
        for other in ENCODINGS {
            let mut rows = statement.query(&[]).unwrap();
            let at = At { row: 0, column: 0 };
            cell.check(&rows.next().unwrap().unwrap(), TypePolicy::Coerce, at, encoding);
            db.execute_batch(&format!("PRAGMA encoding = '{other}'")).unwrap();
        }
    }
}

/// SQLite's enc-12.1 to 12.3: a backup brings a database of another encoding under a statement. To
/// the connection that is an error until it is opened anew; it must not be read as what it was.
#[test]
fn enc_12_3_a_backup_changes_the_encoding() {
    for from in ENCODINGS {
        for to in ENCODINGS {
            let db = database(from);
            db.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('vor')").unwrap();
            let source = database(to);
            source.execute_batch("CREATE TABLE t (s); INSERT INTO t VALUES ('ñach')").unwrap();
            let sql = "SELECT s, cast(x'D8FF' AS TEXT), ?1 FROM t";
            let mut statement = TextStatement::prepare(&db, sql).unwrap();
            let mut rows = statement.query(&[&"ü"]).unwrap();
            assert_eq!(rows.next().unwrap().unwrap().text(0), Ok("vor"));
            drop(rows);
            backup(&source, &db);
            for _ in 0..2 {
                let mut rows = statement.query(&[&"ü"]).unwrap();
                if from != to {
                    assert!(matches!(rows.next(), Err(Error::Sqlite { code: 1, .. })));
                    continue;
                }
                let row = rows.next().unwrap().unwrap();
                assert_eq!(row.text(0), Ok("ñach"), "{from} to {to}");
                let at = At { row: 0, column: 1 };
                let stored = Cell::Text(Text::stored(to, &[0xD8, 0xFF]));
                stored.check(&row, TypePolicy::TextOnly, at, &format!("{from} to {to}"));
                assert_eq!(row.text(2), Ok("ü"), "{from} to {to}");
            }
        }
    }
}

/// The whole of one database over another.
fn backup(from: &Connection, to: &Connection) {
    let main = c"main".as_ptr();
    // SAFETY: used only here.
    let from = unsafe { from.handle() };
    // SAFETY: used only here.
    let to = unsafe { to.handle() };
    // SAFETY: two open connections; the names end with a NUL.
    let backup = unsafe { ffi::sqlite3_backup_init(to, main, from, main) };
    assert!(!backup.is_null());
    // SAFETY: a backup that has begun; all pages.
    assert_eq!(unsafe { ffi::sqlite3_backup_step(backup, -1) }, ffi::SQLITE_DONE);
    // SAFETY: not used any more.
    assert_eq!(unsafe { ffi::sqlite3_backup_finish(backup) }, ffi::SQLITE_OK);
}

/// An empty database may still change its encoding, also while rows are read. What SQLite then puts
/// into the rows that follow may be anything, but it is text or an error, and what is held stays.
#[test]
fn the_encoding_changes_between_two_rows() {
    let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4)
               SELECT 'é' || i || '😀', ?1, i, char(0x4E16), cast(x'D8FF' AS TEXT) FROM n";
    for (from, to) in ENCODINGS.into_iter().flat_map(|from| ENCODINGS.map(|to| (from, to))) {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(&format!("PRAGMA encoding = '{from}'")).unwrap();
        let mut statement = TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
        let mut rows = statement.query(&[&"böund"]).unwrap();
        let mut run = 0;
        while let Some(row) = rows.next().unwrap() {
            run += 1;
            let held = [row.text_lossy(0), row.text_lossy(1)];
            let copies = held.clone().map(|text| text.unwrap().into_owned());
            if run == 1 {
                assert_eq!(copies, ["é1😀", "böund"], "{from} to {to}");
            }
            db.execute_batch(&format!("PRAGMA encoding = '{to}'")).unwrap();
            for i in (0..5).chain(0..5) {
                let once = row.text_lossy(i).map(Cow::into_owned);
                assert_eq!(row.text_lossy(i).as_deref(), once.as_deref(), "{from} to {to}");
                assert!(matches!(
                    row.text(i),
                    Ok(_) | Err(Error::InvalidUtf8 { .. } | Error::InvalidUtf16 { .. })
                ));
            }
            assert_eq!(held.map(|text| text.unwrap().into_owned()), copies, "{from} to {to}");
        }
        assert_eq!(run, 4);
        drop(rows);
        if !knows_its_encoding() {
            continue;
        }
        // The next run is prepared anew.
        let actual: String = db.query_row("PRAGMA encoding", [], |row| row.get(0)).unwrap();
        assert_eq!(actual, to);
        let mut rows = statement.query(&[&"böund"]).unwrap();
        let row = rows.next().unwrap().unwrap();
        let texts = ["é1😀", "böund", "1", "世"];
        assert_eq!([row.text(0), row.text(1), row.text(2), row.text(3)], texts.map(Ok));
        let at = At { row: 0, column: 4 };
        let stored = Cell::Text(Text::stored(to, &[0xD8, 0xFF]));
        stored.check(&row, TypePolicy::Coerce, at, &format!("{from} to {to}"));
    }
}

/// The same between two batches, a row being left over from the first.
#[test]
fn the_encoding_changes_between_two_batches() {
    let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
               SELECT 'é' || i || '😀', ?1, i, x'C3A9D8FF' FROM n";
    for (from, to) in ENCODINGS.into_iter().flat_map(|from| ENCODINGS.map(|to| (from, to))) {
        for lossy in [false, true] {
            let db = Connection::open_in_memory().unwrap();
            db.execute_batch(&format!("PRAGMA encoding = '{from}'")).unwrap();
            let mut statement =
                TextStatement::prepare(&db, sql).unwrap().policy(TypePolicy::Coerce);
            let reader = statement.read_batch(&[&"böund"]).unwrap();
            let mut reader = reader.max_bytes(40).lossy(lossy);
            let mut columns: [TextBatch; 4] = Default::default();
            let mut count = 0;
            while let Ok(1..) = reader.next_batch(&mut columns) {
                count += columns[0].len();
                for column in &columns {
                    let (bytes, offsets, _) = column.clone().into_parts();
                    let text = String::from_utf8(bytes).unwrap();
                    assert!(offsets.iter().all(|end| text.is_char_boundary(*end as usize)));
                }
                db.execute_batch(&format!("PRAGMA encoding = '{to}'")).unwrap();
            }
            assert!(count == 6 || !lossy, "{from} to {to}: {count}");
            assert_eq!(reader.next_batch(&mut columns), Ok(0));
        }
    }
}

/// A database file of its own, deleted in the end.
struct File(std::path::PathBuf);

impl File {
    fn new(encoding: &str, name: &str) -> Self {
        let name = format!("sqlite-text-{}-{name}-{encoding}.db", std::process::id());
        let file = Self(std::env::temp_dir().join(name));
        file.delete();
        let db = file.open();
        db.execute_batch(&format!("PRAGMA encoding = '{encoding}'; CREATE TABLE made (made)"))
            .unwrap();
        file
    }

    fn open(&self) -> Connection {
        Connection::open(&self.0).unwrap()
    }

    fn delete(&self) {
        // It may not be there.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.delete();
    }
}
