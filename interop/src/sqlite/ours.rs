//! Our side: every getter over a database of the counterpart's, and a database by `TextBuf`.

use super::Told;
use super::texts::{Named as NamedValue, Value, decode};
use crate::counterpart::Tally;
use anyhow::{Context as _, Result, ensure};
use rusqlite::{Connection, Row};
use sqlite_text::{Error, LossyText, RowTextExt, TextBatch, TextBuf, TextRow, TextStatement};
use std::path::Path;

/// What a getter gave: the text, or why there is none.
#[derive(Debug, PartialEq, Eq)]
enum Got {
    Text(String),
    None,
    NotText,
    Invalid,
    Other(String),
}

impl<T: Into<String>> From<rusqlite::Result<T>> for Got {
    fn from(result: rusqlite::Result<T>) -> Self {
        use rusqlite::Error;
        match result {
            Ok(text) => Self::Text(text.into()),
            Err(Error::InvalidColumnType(..)) => Self::NotText,
            Err(Error::Utf8Error(..)) => Self::Invalid,
            // A value that reads itself reports its bytes this way.
            Err(Error::FromSqlConversionFailure(_, _, error))
                if error.is::<std::str::Utf8Error>() =>
            {
                Self::Invalid
            }
            Err(error) => Self::Other(error.to_string()),
        }
    }
}

impl<T: Into<String>> From<Result<T, Error>> for Got {
    fn from(result: Result<T, Error>) -> Self {
        match result {
            Ok(text) => Self::Text(text.into()),
            Err(Error::InvalidType { .. }) => Self::NotText,
            Err(Error::InvalidUtf8 { .. } | Error::InvalidUtf16 { .. }) => Self::Invalid,
            Err(error) => Self::Other(error.to_string()),
        }
    }
}

/// A getter's name and what it gave.
type Named = (&'static str, Got);

fn option<T: Into<String>, E>(result: Result<Option<T>, E>) -> Got
where
    Got: From<Result<T, E>>,
{
    match result {
        Ok(None) => Got::None,
        Ok(Some(text)) => Got::Text(text.into()),
        Err(error) => Got::from(Err::<T, E>(error)),
    }
}

/// The getters on column 0 of a row of rusqlite's.
fn through_rusqlite(row: &Row<'_>) -> Vec<Named> {
    let mut reused = String::from("what stood here before");
    vec![
        ("text", row.text(0).into()),
        ("text_opt", option(row.text_opt(0))),
        ("text_lossy", row.text_lossy(0).into()),
        ("read_text_into", row.read_text_into(0, &mut reused).map(|()| reused).into()),
        ("text_buf", row.text_buf(0).map(|buf| buf.to_string()).into()),
        ("get::<TextBuf>", row.get::<_, TextBuf>(0).map(|buf| buf.to_string()).into()),
        ("get::<LossyText> (lossy)", row.get::<_, LossyText>(0).map(|text| text.0).into()),
    ]
}

/// The getters on column 0 of a row of our own statement's.
fn by_statement(row: &TextRow<'_>) -> Vec<Named> {
    let mut reused = String::from("what stood here before");
    vec![
        ("TextRow::text", row.text(0).into()),
        ("TextRow::text_opt", option(row.text_opt(0))),
        ("TextRow::text_lossy", row.text_lossy(0).into()),
        ("TextRow::read_text_into", row.read_text_into(0, &mut reused).map(|()| reused).into()),
        ("TextRow::text_buf", row.text_buf(0).map(|buf| buf.to_string()).into()),
    ]
}

/// What the getter should give for what the counterpart tells.
fn expected(getter: &str, encoding: &str, (class, bytes): &Told) -> Got {
    match class.as_str() {
        // Under the default policy, NULL is no text, but lossy reads make no exception for it.
        "null" if getter.ends_with("text_opt") => Got::None,
        "text" => match decode(bytes, encoding) {
            Ok(text) => Got::Text(text),
            Err(lossy) if getter.contains("lossy") => Got::Text(lossy),
            Err(_) => Got::Invalid,
        },
        _ => Got::NotText,
    }
}

/// Reads the table and compares it with what the counterpart says is in it, and that in turn with
/// what it was given.
pub(super) fn read(
    file: &Path,
    encoding: &str,
    values: &[NamedValue],
    told: &[Told],
    tally: &mut Tally,
) -> Result<()> {
    const SQL: &str = "SELECT s FROM t ORDER BY id";
    let db = Connection::open(file)?;
    let mut statement = db.prepare(SQL)?;
    let mut rows = statement.query([])?;
    let mut our_statement = TextStatement::prepare(&db, SQL)?;
    let mut our_rows = our_statement.query(&[])?;
    for ((name, value), told) in values.iter().zip(told) {
        let what = format!("{encoding}, {name}");
        tally.compare(&what, &(value.class().to_owned(), value.stored(encoding)), told);
        let row = rows.next()?.with_context(|| format!("{what}: no row"))?;
        let our_row = our_rows.next()?.with_context(|| format!("{what}: no row"))?;
        let mut got = by_statement(&our_row);
        // What SQLite converts a lone surrogate to is its own affair, and has changed.
        if encoding == "UTF-8" || !matches!(value, Value::Invalid(_)) {
            got.extend(through_rusqlite(row));
        }
        for (getter, got) in got {
            let expected = expected(getter, encoding, told);
            tally.compare(format!("{what}, {getter}"), &got, &expected);
        }
    }
    let ends = (rows.next()?.is_none(), our_rows.next()?.is_none());
    tally.compare(format!("{encoding}, the end"), &ends, &(true, true));
    batches(&db, encoding, values, told, tally)
}

/// The same in batches, in which there is no place for a BLOB.
fn batches(
    db: &Connection,
    encoding: &str,
    values: &[NamedValue],
    told: &[Told],
    tally: &mut Tally,
) -> Result<()> {
    let sql = "SELECT s FROM t WHERE typeof(s) <> 'blob' ORDER BY id";
    let mut statement = TextStatement::prepare(db, sql)?;
    let mut reader = statement.read_batch(&[])?.max_rows(50).lossy(true);
    let mut got = Vec::new();
    let mut column = [TextBatch::new()];
    while reader.next_batch(&mut column)? != 0 {
        got.extend(column[0].iter().map(|text| text.map(str::to_owned)));
    }
    let told = values.iter().zip(told).filter(|(_, (class, _))| class != "blob");
    let expected: Vec<_> = told
        .map(|((name, _), (class, bytes))| {
            let text = decode(bytes, encoding).unwrap_or_else(|lossy| lossy);
            (name, (class != "null").then_some(text))
        })
        .collect();
    tally.compare(format!("{encoding}, rows in batches"), &got.len(), &expected.len());
    for (got, (name, expected)) in got.iter().zip(&expected) {
        tally.compare(format!("{encoding}, {name}, in a batch"), got, expected);
    }
    Ok(())
}

/// The ways to write a text.
const WRITERS: [&str; 3] = ["TextBuf", "TextStatement::query", "bind_static"];

/// Makes a database of the valid texts, each written in every way; gives back who wrote what.
pub(super) fn write<'a>(
    file: &Path,
    encoding: &str,
    values: &'a [NamedValue],
) -> Result<Vec<(&'static str, &'a NamedValue)>> {
    const SQL: &str = "INSERT INTO t VALUES (?1, ?2)";
    let mut db = made(file, encoding)?;
    let db = db.transaction()?;
    let mut with_rusqlite = db.prepare(SQL)?;
    let mut statement = TextStatement::prepare(&db, SQL)?;
    let mut lent = TextStatement::prepare(&db, SQL)?.bind_static(2, "")?;
    let mut written = Vec::new();
    for entry in values {
        let (_, Value::Text(text)) = entry else { continue };
        for writer in WRITERS {
            let id = i64::try_from(written.len())?;
            match writer {
                "TextBuf" => {
                    with_rusqlite.execute((id, TextBuf::from(text.as_str())))?;
                }
                "TextStatement::query" => {
                    let end = statement.query(&[&id, text])?.next()?.is_none();
                    ensure!(end, "an INSERT gave a row");
                }
                _ => {
                    lent = lent.bind_static(2, text)?;
                    lent.bind(1, &id)?;
                    ensure!(lent.execute()? == 1, "an INSERT that inserted nothing");
                }
            }
            written.push((writer, entry));
        }
    }
    drop((with_rusqlite, statement, lent));
    db.commit()?;
    Ok(written)
}

/// A new database with an empty table `t (id, s)`.
fn made(file: &Path, encoding: &str) -> Result<Connection> {
    let db = Connection::open(file)?;
    db.execute_batch(&format!(
        "PRAGMA encoding = '{encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, s)"
    ))?;
    Ok(db)
}

/// Makes a database of all values, by their expressions.
pub(super) fn fill(file: &Path, encoding: &str, values: &[NamedValue]) -> Result<()> {
    let mut db = made(file, encoding)?;
    let db = db.transaction()?;
    for (id, (_, value)) in values.iter().enumerate() {
        db.execute(&format!("INSERT INTO t VALUES ({id}, {})", value.sql(encoding)), [])?;
    }
    Ok(db.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn getters_agree_with_what_is_expected_of_the_bundled_sqlite() {
        let db = Connection::open_in_memory().unwrap();
        for (name, value) in super::super::texts::values("UTF-8") {
            let told = (value.class().to_owned(), value.stored("UTF-8"));
            let sql = format!("SELECT {}", value.sql("UTF-8"));
            db.query_row(&sql, [], |row| {
                for (getter, got) in through_rusqlite(row) {
                    assert_eq!(got, expected(getter, "UTF-8", &told), "{name}, {getter}");
                }
                Ok(())
            })
            .unwrap();
            let mut statement = TextStatement::prepare(&db, &sql).unwrap();
            let mut rows = statement.query(&[]).unwrap();
            let row = rows.next().unwrap().unwrap();
            for (getter, got) in by_statement(&row) {
                assert_eq!(got, expected(getter, "UTF-8", &told), "{name}, {getter}");
            }
        }
    }
}
