//! The tables that are read as Arrow.

use crate::sqlite::texts::{Value, decode, values};
use anyhow::Result;
use rusqlite::Connection;
use std::path::Path;

/// A table of columns `c0`, `c1`…
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: Vec<Column>,
}

/// A column of texts, some of them NULL.
#[derive(Debug, Clone)]
pub(super) struct Column {
    values: Vec<Value>,
    encoding: &'static str,
}

impl Table {
    fn new(name: &'static str, encoding: &'static str, columns: Vec<Vec<Value>>) -> Self {
        let columns = columns.into_iter().map(|values| Column { values, encoding });
        Self { name, columns: columns.collect() }
    }

    pub(super) fn query(&self) -> String {
        format!("SELECT {} FROM {} ORDER BY id", self.names().join(", "), self.name)
    }

    pub(super) fn names(&self) -> Vec<String> {
        (0..self.columns.len()).map(|at| format!("c{at}")).collect()
    }

    /// Whether every text is one. ADBC copies what is none into its arrays unchecked.
    pub(super) fn is_sound(&self) -> bool {
        let mut values = self.columns.iter().flat_map(|column| &column.values);
        values.all(|value| matches!(value, Value::Null | Value::Text(_)))
    }
}

impl Column {
    /// What is to be read, with U+FFFD for what is no text.
    pub(super) fn texts(&self) -> Vec<Option<String>> {
        let text = |value: &Value| match value {
            Value::Null | Value::Blob(_) => None,
            Value::Text(text) => Some(text.clone()),
            Value::Invalid(bytes) => {
                Some(decode(bytes, self.encoding).unwrap_or_else(|lossy| lossy))
            }
        };
        self.values.iter().map(text).collect()
    }
}

/// All tables for a database of that encoding.
pub(super) fn all(encoding: &'static str) -> Vec<Table> {
    let text = |text: &str| Value::Text(text.to_owned());
    let every = |keep: fn(&Value) -> bool| -> Vec<Value> {
        values(encoding).into_iter().map(|(_, value)| value).filter(keep).collect()
    };
    let texts = every(|value| matches!(value, Value::Text(_) | Value::Null));
    // A NULL at each place of a byte of the validity in turn.
    let spread = |(at, value): (usize, &Value)| {
        if at % 9 == 5 { vec![Value::Null, value.clone()] } else { vec![value.clone()] }
    };
    let with_nulls: Vec<_> = texts.iter().enumerate().flat_map(spread).collect();
    let numbered = |rows: i32, name: fn(i32) -> Value| (0..rows).map(name).collect::<Vec<_>>();
    vec![
        Table::new("texts", encoding, vec![texts]),
        Table::new("texts_and_nulls", encoding, vec![with_nulls]),
        Table::new("empties", encoding, vec![vec![vec![text(""), Value::Null]; 20].concat()]),
        Table::new("only_empties", encoding, vec![vec![text(""); 17]]),
        Table::new("only_nulls", encoding, vec![vec![Value::Null; 9]]),
        Table::new("no_rows", encoding, vec![Vec::new()]),
        Table::new("many_rows", encoding, vec![numbered(5000, |n| Value::Text(n.to_string()))]),
        Table::new(
            "two_columns",
            encoding,
            vec![
                numbered(2500, |n| Value::Text(format!("Zürich {n}"))),
                numbered(2500, |n| match n % 3 {
                    1 => Value::Null,
                    _ => Value::Text("京都".repeat(n as usize % 40)),
                }),
            ],
        ),
        Table::new("lossy", encoding, vec![every(|value| !matches!(value, Value::Blob(_)))]),
    ]
}

/// Makes the database.
pub(super) fn fill(file: &Path, encoding: &str, tables: &[Table]) -> Result<Connection> {
    let mut db = Connection::open(file)?;
    db.execute_batch(&format!("PRAGMA encoding = '{encoding}'"))?;
    let writes = db.transaction()?;
    for Table { name, columns } in tables {
        let (names, places): (Vec<_>, Vec<_>) =
            (0..columns.len()).map(|at| (format!("c{at}"), format!("?{}", at + 1))).unzip();
        let (names, places) = (names.join(", "), places.join(", "));
        writes.execute_batch(&format!("CREATE TABLE {name} (id INTEGER PRIMARY KEY, {names})"))?;
        let mut insert =
            writes.prepare(&format!("INSERT INTO {name} ({names}) VALUES ({places})"))?;
        for row in 0..columns[0].values.len() {
            let values = columns.iter().map(|column| &column.values[row]);
            let bound = values.clone().map(|value| match value {
                Value::Text(text) => Some(text),
                _ => None,
            });
            insert.execute(rusqlite::params_from_iter(bound))?;
            let id = writes.last_insert_rowid();
            // An expression makes it: it cannot be bound.
            for (at, value) in values.enumerate() {
                if let Value::Invalid(_) = value {
                    let value = value.sql(encoding);
                    let sql = format!("UPDATE {name} SET c{at} = {value} WHERE id = {id}");
                    writes.execute(&sql, [])?;
                }
            }
        }
    }
    writes.commit()?;
    Ok(db)
}
