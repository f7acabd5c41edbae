//! FreeTDS's command lines: tsql (on its own library) and bsqldb (on its DB-Library).

use super::plan::Session;
use super::values::{Column, Row, Value};
use crate::process::output;
use anyhow::{Context as _, Result, bail, ensure};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    Tsql,
    Bsqldb,
}

/// What the client is to find, as the program shows it: to bsqldb's library an empty value of
/// unlimited length is NULL.
pub(super) fn shown(program: Program, mut rows: Vec<Row>, columns: &[Column]) -> Vec<Row> {
    if program == Program::Tsql {
        return rows;
    }
    for row in &mut rows {
        for (value, column) in row.iter_mut().zip(columns) {
            let is_max = matches!(column, Column::NVarCharMax | Column::VarBinaryMax);
            let is_empty = match value {
                Value::Text(text) => text.is_empty(),
                Value::Bytes(bytes) => bytes.is_empty(),
                Value::Null | Value::Int(_) => false,
            };
            if is_max && is_empty {
                *value = Value::Null;
            }
        }
    }
    rows
}

/// A process a session.
pub(super) fn run(
    program: Program,
    path: &Path,
    address: SocketAddr,
    sessions: &[Session],
) -> Result<Vec<Vec<Vec<Row>>>> {
    let folder = tempfile::tempdir()?;
    let settings = folder.path().join("freetds.conf");
    fs::write(
        &settings,
        format!(
            "[server]\nhost = {}\nport = {}\ntds version = 7.4\nencryption = off\n\
             client charset = UTF-8\ntext size = 2147483647\n",
            address.ip(),
            address.port()
        ),
    )?;
    let mut all = Vec::new();
    for session in sessions {
        let mut command = Command::new(path);
        command.env("FREETDSCONF", &settings).env("HOME", folder.path()).env("LC_ALL", "C.UTF-8");
        command.args(["-S", "server", "-U", &session.user, "-P", "secret", "-D", "base"]);
        match program {
            Program::Tsql => command.args(["-o", "fhq", "-t", "|"]),
            Program::Bsqldb => command.args(["-q", "-h", "-t", "|"]),
        };
        let input: String = session.asks.iter().map(|ask| format!("{}\ngo\n", ask.sql)).collect();
        let said = String::from_utf8(output(command, input.as_bytes())?)?;
        all.push(answers(session, &said).with_context(|| format!("as {}", session.user))?);
    }
    Ok(all)
}

/// Cuts the lines, which are rows, into the answers.
fn answers(session: &Session, said: &str) -> Result<Vec<Vec<Row>>> {
    let mut lines = said.lines();
    let mut answers = Vec::new();
    for ask in &session.asks {
        let answer = ask.question.answer();
        let rows = lines.by_ref().take(answer.rows.len());
        answers.push(rows.map(|line| row(line, &answer.columns)).collect::<Result<_>>()?);
    }
    match lines.next() {
        Some(more) => bail!("more rows than were sent, as {more:.200}"),
        None => Ok(answers),
    }
}

fn row(line: &str, columns: &[Column]) -> Result<Row> {
    let fields: Vec<&str> = line.split('|').collect();
    ensure!(fields.len() == columns.len(), "{} fields in {line:.200}", fields.len());
    fields.iter().zip(columns).map(|(field, column)| value(field, *column)).collect()
}

fn value(field: &str, column: Column) -> Result<Value> {
    if field == "NULL" {
        return Ok(Value::Null);
    }
    Ok(match column {
        Column::Int => Value::Int(field.parse().with_context(|| format!("int {field:.200}"))?),
        Column::NVarChar(_) => Value::Text(field.to_owned()),
        // bsqldb shows a text of unlimited length as the bytes that it is at the client.
        Column::NVarCharMax => match field.strip_prefix("0x") {
            Some(digits) => Value::Text(String::from_utf8(hex(digits)?)?),
            None => Value::Text(field.to_owned()),
        },
        Column::VarBinaryMax => Value::Bytes(hex(field.strip_prefix("0x").unwrap_or(field))?),
    })
}

fn hex(digits: &str) -> Result<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { bail!("half a byte") };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    bytes.collect::<Option<_>>().context("no hexadecimal digits")
}

/// `freetds v…` of what tsql says of itself.
pub(super) fn version(program: &Path) -> Result<String> {
    let mut command = Command::new(program.with_file_name("tsql"));
    command.arg("-C").env("LC_ALL", "C.UTF-8");
    let said = String::from_utf8_lossy(&output(command, b"")?).into_owned();
    let version = said.split_once("freetds v").context("no version")?.1;
    Ok(version.split_whitespace().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bsqldb_and_only_values_of_unlimited_length_lose_that_they_are_empty() {
        let columns = [Column::NVarChar(40), Column::NVarCharMax, Column::VarBinaryMax];
        let empty = || Value::Text(String::new());
        let rows = vec![vec![empty(), empty(), Value::Bytes(Vec::new())]];
        assert_eq!(shown(Program::Tsql, rows.clone(), &columns), rows);
        let nulls = vec![vec![empty(), Value::Null, Value::Null]];
        assert_eq!(shown(Program::Bsqldb, rows, &columns), nulls);
    }

    #[test]
    fn lines_of_both_programs_are_read() {
        let columns =
            [Column::Int, Column::NVarChar(40), Column::NVarCharMax, Column::VarBinaryMax];
        let expected = vec![
            Value::Int(-2),
            Value::Text("é".into()),
            Value::Text("漢".into()),
            Value::Bytes(vec![0, 0xAB]),
        ];
        assert_eq!(row("-2|é|漢|00ab", &columns).unwrap(), expected);
        assert_eq!(row("-2|é|0xe6bca2|0x00AB", &columns).unwrap(), expected);
        assert_eq!(row("NULL|NULL|NULL|NULL", &columns).unwrap(), vec![Value::Null; 4]);
        assert!(row("1|a|b", &columns).is_err());
        assert!(row("1|a|b|0", &columns).is_err());
        assert!(row("x|a|b|00", &columns).is_err());
    }
}
