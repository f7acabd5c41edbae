//! Our side: every getter over a database of the counterpart's, and a database by `TextBuf`.

use super::Told;
use super::texts::Value;
use crate::counterpart::Tally;
use anyhow::{Context as _, Result};
use rusqlite::{Connection, Error, Row};
use sqlite_text::{LossyText, RowTextExt, TextBuf};
use std::path::Path;

/// What a getter gave: the text, or why there is none.
#[derive(Debug, PartialEq, Eq)]
enum Got {
    Text(String),
    None,
    NotText,
    NotUtf8,
    Other(String),
}

impl<T: Into<String>> From<rusqlite::Result<T>> for Got {
    fn from(result: rusqlite::Result<T>) -> Self {
        match result {
            Ok(text) => Self::Text(text.into()),
            Err(Error::InvalidColumnType(..)) => Self::NotText,
            Err(Error::Utf8Error(..)) => Self::NotUtf8,
            // A value that reads itself reports its bytes this way.
            Err(Error::FromSqlConversionFailure(_, _, error))
                if error.is::<std::str::Utf8Error>() =>
            {
                Self::NotUtf8
            }
            Err(error) => Self::Other(error.to_string()),
        }
    }
}

/// All getters on column 0, by name.
fn getters(row: &Row<'_>) -> Vec<(&'static str, Got)> {
    let mut reused = String::from("what stood here before");
    let opt = match row.text_opt(0) {
        Ok(None) => Got::None,
        Ok(Some(text)) => Got::Text(text.to_owned()),
        Err(error) => Got::from(Err::<String, _>(error)),
    };
    vec![
        ("text", row.text(0).into()),
        ("text_opt", opt),
        ("text_lossy", row.text_lossy(0).into()),
        ("read_text_into", row.read_text_into(0, &mut reused).map(|()| reused).into()),
        ("text_buf", row.text_buf(0).map(|buf| buf.to_string()).into()),
        ("get::<TextBuf>", row.get::<_, TextBuf>(0).map(|buf| buf.to_string()).into()),
        ("get::<LossyText>", row.get::<_, LossyText>(0).map(|text| text.0).into()),
    ]
}

/// What the getter should give for what the counterpart tells.
fn expected(getter: &str, (class, bytes): &Told) -> Got {
    let lossy = getter.ends_with("lossy") || getter.contains("Lossy");
    match class.as_str() {
        "null" if getter == "text_opt" => Got::None,
        "text" if lossy => Got::Text(String::from_utf8_lossy(bytes).into_owned()),
        "text" => {
            std::str::from_utf8(bytes).map_or(Got::NotUtf8, |text| Got::Text(text.to_owned()))
        }
        _ => Got::NotText,
    }
}

/// Reads the table and compares it with what the counterpart says is in it, and that in turn with
/// what it was given.
pub(super) fn read(
    file: &Path,
    encoding: &str,
    values: &[(&str, Value)],
    told: &[Told],
    tally: &mut Tally,
) -> Result<()> {
    let db = Connection::open(file)?;
    let mut statement = db.prepare("SELECT s FROM t ORDER BY id")?;
    let mut rows = statement.query([])?;
    for ((name, value), told) in values.iter().zip(told) {
        let what = format!("{encoding}, {name}");
        tally.compare(&what, &(value.class().to_owned(), value.bytes().to_vec()), told);
        let row = rows.next()?.with_context(|| format!("{what}: no row"))?;
        for (getter, got) in getters(row) {
            tally.compare(&format!("{what}, {getter}"), &got, &expected(getter, told));
        }
    }
    tally.compare(&format!("{encoding}, the end"), &rows.next()?.is_none(), &true);
    Ok(())
}

/// Makes a database of the valid texts, written by [`TextBuf`]; gives them back.
pub(super) fn write<'a>(
    file: &Path,
    encoding: &str,
    values: &'a [(&str, Value)],
) -> Result<Vec<(&'a str, &'a str)>> {
    let db = Connection::open(file)?;
    db.execute_batch(&format!(
        "PRAGMA encoding = '{encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, s)"
    ))?;
    let texts: Vec<_> = values
        .iter()
        .filter_map(|(name, value)| match value {
            Value::Text(text) => Some((*name, text.as_str())),
            _ => None,
        })
        .collect();
    let mut insert = db.prepare("INSERT INTO t VALUES (?1, ?2)")?;
    for (id, (_, text)) in texts.iter().enumerate() {
        insert.execute((i64::try_from(id)?, TextBuf::from(*text)))?;
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn getters_agree_with_what_is_expected_of_the_bundled_sqlite() {
        let db = Connection::open_in_memory().unwrap();
        for (name, value) in super::super::texts::values("UTF-8") {
            let told = (value.class().to_owned(), value.bytes().to_vec());
            db.query_row(&format!("SELECT {}", value.sql()), [], |row| {
                for (getter, got) in getters(row) {
                    assert_eq!(got, expected(getter, &told), "{name}, {getter}");
                }
                Ok(())
            })
            .unwrap();
        }
    }
}
