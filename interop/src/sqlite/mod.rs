//! SQLite: the `sqlite3` command line and Python's module, each with the SQLite that it was built
//! with, against `sqlite-text` on the bundled one.
//!
//! In every encoding a database can have, the counterpart writes the table of [`texts`] and every
//! getter reads it; then [`TextBuf`](sqlite_text::TextBuf) writes it and the counterpart reads.

mod ours;
mod texts;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use crate::process::output;
use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use std::path::Path;
use std::process::Command;
use texts::{ENCODINGS, Value, unhex, values};

/// The `sqlite3` command line.
#[derive(Debug)]
pub(crate) struct Cli;

/// Python's `sqlite3` module.
#[derive(Debug)]
pub(crate) struct Python;

/// A value as a counterpart tells it: `typeof()` and the bytes as stored, which `hex()` shows.
type Told = (String, Vec<u8>);

/// What differs between the two.
trait Tool {
    fn version(&self) -> Result<String>;
    /// Makes the database `file` with a table `t (id, s)` that holds the values, from id 0.
    fn write(&self, file: &Path, encoding: &str, values: &[(&str, Value)]) -> Result<()>;
    /// Reads that table, by id.
    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>>;
}

impl Counterpart for Cli {
    fn name(&self) -> &'static str {
        "sqlite-cli"
    }
    fn about(&self) -> &'static str {
        "the sqlite3 command line: TEXT in three encodings, both ways"
    }
    fn prepare(&self, installer: &Installer) -> Result<()> {
        installer.program("sqlite3", "sqlite3").map(drop)
    }
    fn check(&self, tally: &mut Tally) -> Result<String> {
        compare(self, tally)
    }
}

impl Counterpart for Python {
    fn name(&self) -> &'static str {
        "sqlite-python"
    }
    fn about(&self) -> &'static str {
        "Python's sqlite3 module: TEXT in three encodings, both ways"
    }
    fn prepare(&self, installer: &Installer) -> Result<()> {
        installer.program("python3", "python3")?;
        // Some builds of Python come without it.
        self.version().map(drop)
    }
    fn check(&self, tally: &mut Tally) -> Result<String> {
        compare(self, tally)
    }
}

fn compare(tool: &impl Tool, tally: &mut Tally) -> Result<String> {
    let folder = tempfile::tempdir()?;
    for encoding in ENCODINGS {
        let values = values(encoding);
        let theirs = folder.path().join(format!("theirs-{encoding}.db"));
        tool.write(&theirs, encoding, &values).with_context(|| format!("writing {encoding}"))?;
        let told = tool.read(&theirs, encoding).with_context(|| format!("reading {encoding}"))?;
        if told.len() != values.len() {
            bail!("{encoding}: {} values written, {} read back", values.len(), told.len());
        }
        ours::read(&theirs, encoding, &values, &told, tally)?;

        let ours = folder.path().join(format!("ours-{encoding}.db"));
        let texts = ours::write(&ours, encoding, &values)?;
        let told = tool.read(&ours, encoding).with_context(|| format!("reading our {encoding}"))?;
        tally.compare("rows of ours", &texts.len(), &told.len());
        for ((name, value), told) in texts.iter().zip(&told) {
            let what = format!("{encoding}, written by TextBuf: {name}");
            tally.compare(&what, &("text".to_owned(), value.stored(encoding)), told);
        }
    }
    tool.version()
}

/// A line `id|typeof|hex`.
fn told(line: &str) -> Option<Told> {
    let mut parts = line.split('|').skip(1);
    Some((parts.next()?.to_owned(), unhex(parts.next()?)?))
}

fn lines(output: &[u8]) -> Result<Vec<Told>> {
    let text = std::str::from_utf8(output).context("hexadecimal digits")?;
    text.lines()
        .map(|line| told(line.trim_end()).with_context(|| format!("cannot read `{line:.80}`")))
        .collect()
}

impl Tool for Cli {
    fn version(&self) -> Result<String> {
        let mut command = Command::new("sqlite3");
        command.arg("--version");
        let said = String::from_utf8(output(command, b"")?)?;
        Ok(said.split(' ').next().unwrap_or_default().trim().to_owned())
    }

    fn write(&self, file: &Path, encoding: &str, values: &[(&str, Value)]) -> Result<()> {
        let mut sql = format!(
            "PRAGMA encoding = '{encoding}';\nCREATE TABLE t (id INTEGER PRIMARY KEY, s);\n"
        );
        for (id, (_, value)) in values.iter().enumerate() {
            sql += &format!("INSERT INTO t VALUES ({id}, {});\n", value.sql());
        }
        self.run(file, &sql).map(drop)
    }

    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>> {
        let stored = self.run(file, "PRAGMA encoding;")?;
        if stored.trim_ascii() != encoding.as_bytes() {
            bail!("the database is {}, not {encoding}", String::from_utf8_lossy(&stored));
        }
        lines(&self.run(file, "SELECT id, typeof(s), hex(s) FROM t ORDER BY id;")?)
    }
}

impl Cli {
    fn run(&self, file: &Path, sql: &str) -> Result<Vec<u8>> {
        let mut command = Command::new("sqlite3");
        // No start-up file of the user's.
        command
            .args(["-init", "/dev/null", "-batch", "-bail", "-list", "-separator", "|"])
            .arg(file);
        output(command, sql.as_bytes())
    }
}

const PYTHON_WRITES: &str = "\
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute(f\"PRAGMA encoding = '{sys.argv[2]}'\")
db.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, s)')
for id, (kind, digits) in enumerate(json.load(sys.stdin)):
    value = bytes.fromhex(digits)
    if kind == 'invalid':
        # A literal has the encoding of the database, a bound blob none.
        db.execute(f\"INSERT INTO t VALUES (?, CAST(x'{digits}' AS TEXT))\", (id,))
    else:
        value = {'null': None, 'blob': value, 'text': value.decode() if kind == 'text' else None}[kind]
        db.execute('INSERT INTO t VALUES (?, ?)', (id, value))
db.commit()
";

const PYTHON_READS: &str = "\
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute('PRAGMA encoding').fetchone()[0] == sys.argv[2]
for row in db.execute('SELECT id, typeof(s), hex(s) FROM t ORDER BY id'):
    print(*row, sep='|')
";

/// A value on its way to Python.
#[derive(Serialize)]
struct Handed(&'static str, String);

impl Tool for Python {
    fn version(&self) -> Result<String> {
        let script = "import platform, sqlite3; print(f'{sqlite3.sqlite_version} in Python {platform.python_version()}')";
        let mut command = Command::new("python3");
        command.args(["-I", "-c", script]);
        Ok(String::from_utf8(output(command, b"")?)?.trim().to_owned())
    }

    fn write(&self, file: &Path, encoding: &str, values: &[(&str, Value)]) -> Result<()> {
        let handed: Vec<_> = values
            .iter()
            .map(|(_, value)| {
                let kind = if let Value::Invalid(_) = value { "invalid" } else { value.class() };
                // A text goes to Python as UTF-8 whatever the database holds.
                let bytes = match value {
                    Value::Text(text) => text.as_bytes(),
                    _ => &*value.stored(encoding),
                };
                Handed(kind, texts::hex(bytes))
            })
            .collect();
        let mut command = Command::new("python3");
        command.args(["-I", "-c", PYTHON_WRITES]).arg(file).arg(encoding);
        output(command, &serde_json::to_vec(&handed)?).map(drop)
    }

    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>> {
        let mut command = Command::new("python3");
        command.args(["-I", "-c", PYTHON_READS]).arg(file).arg(encoding);
        lines(&output(command, b"")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_told_line_is_read() {
        assert_eq!(told("0|null|"), Some(("null".into(), vec![])));
        assert_eq!(told("3|text|C3BC"), Some(("text".into(), vec![0xC3, 0xBC])));
        assert_eq!(told("3|text|zz"), None);
        assert_eq!(told("3"), None);
    }
}
