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

/// A value as a counterpart tells it: `typeof()` and its bytes, text as UTF-8.
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
        for ((name, text), (class, bytes)) in texts.iter().zip(&told) {
            let what = format!("{encoding}, written by TextBuf: {name}");
            tally.compare(&what, &("text", text.as_bytes()), &(class.as_str(), bytes.as_slice()));
        }
    }
    tool.version()
}

/// A line `id|typeof|hex`; UTF-16 as stored becomes UTF-8 when `units` reads its code units.
fn told(line: &str, units: Option<fn([u8; 2]) -> u16>) -> Option<Told> {
    let mut parts = line.split('|').skip(1);
    let class = parts.next()?.to_owned();
    let bytes = unhex(parts.next()?)?;
    match units {
        Some(from) if class == "text" => {
            let units: Vec<u16> =
                bytes.chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
            Some((class, String::from_utf16(&units).ok()?.into_bytes()))
        }
        _ => Some((class, bytes)),
    }
}

fn lines(output: &[u8], units: Option<fn([u8; 2]) -> u16>) -> Result<Vec<Told>> {
    let text = std::str::from_utf8(output).context("hexadecimal digits")?;
    text.lines()
        .map(|line| {
            told(line.trim_end(), units).with_context(|| format!("cannot read `{line:.80}`"))
        })
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
        // hex() shows the bytes as stored.
        let sql = "SELECT id, typeof(s), hex(s) FROM t ORDER BY id;";
        let units: Option<fn([u8; 2]) -> u16> = match encoding {
            "UTF-16le" => Some(u16::from_le_bytes),
            "UTF-16be" => Some(u16::from_be_bytes),
            _ => None,
        };
        lines(&self.run(file, sql)?, units)
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
        db.execute('INSERT INTO t VALUES (?, CAST(? AS TEXT))', (id, value))
    else:
        value = {'null': None, 'blob': value, 'text': value.decode() if kind == 'text' else None}[kind]
        db.execute('INSERT INTO t VALUES (?, ?)', (id, value))
db.commit()
";

const PYTHON_READS: &str = "\
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
assert db.execute('PRAGMA encoding').fetchone()[0] == sys.argv[2]
db.text_factory = bytes
for id, kind, value in db.execute('SELECT id, typeof(s), s FROM t ORDER BY id'):
    print(id, kind.decode(), (value or b'').hex(), sep='|')
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
                Handed(kind, texts::hex(value.bytes()))
            })
            .collect();
        let mut command = Command::new("python3");
        command.args(["-I", "-c", PYTHON_WRITES]).arg(file).arg(encoding);
        output(command, &serde_json::to_vec(&handed)?).map(drop)
    }

    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>> {
        let mut command = Command::new("python3");
        command.args(["-I", "-c", PYTHON_READS]).arg(file).arg(encoding);
        lines(&output(command, b"")?, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_told_line_is_read() {
        assert_eq!(told("0|null|", None), Some(("null".into(), vec![])));
        assert_eq!(told("3|text|C3BC", None), Some(("text".into(), vec![0xC3, 0xBC])));
        let le: Option<fn([u8; 2]) -> u16> = Some(u16::from_le_bytes);
        assert_eq!(told("3|text|FC00", le), Some(("text".into(), "ü".into())));
        assert_eq!(told("3|blob|FC00", le), Some(("blob".into(), vec![0xFC, 0])));
        assert_eq!(told("3|text|zz", None), None);
        assert_eq!(told("3", None), None);
    }
}
