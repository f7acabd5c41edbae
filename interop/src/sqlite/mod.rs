//! SQLite: databases of other programs, each with the SQLite that it was built with, against
//! `sqlite-text` on the bundled one; `sqlite-text` on the system's SQLite; and Arrow.
//!
//! In every encoding a database can have, the counterpart writes the table of [`texts`] and every
//! getter reads it; then `sqlite-text` writes it, in each of its ways, and the counterpart reads.

mod arrow;
mod cli;
mod ours;
mod python;
mod system;
mod texts;

use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use anyhow::{Context as _, Result, bail};
pub(crate) use arrow::ARROW;
use cli::Shell;
use python::Module;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
pub(crate) use system::System;
use texts::{ENCODINGS, Named, unhex, values};

/// Its version is ours to choose.
const APSW: &str = "apsw==3.54.1.0";

/// A program or a module that writes and reads databases.
#[derive(Debug)]
pub(crate) struct Client {
    name: &'static str,
    about: &'static str,
    who: Who,
    /// What `prepare` has found: the shell, or the interpreter.
    found: OnceLock<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Shell,
    Python,
    Apsw,
}

impl Client {
    const fn new(name: &'static str, about: &'static str, who: Who) -> Self {
        Self { name, about, who, found: OnceLock::new() }
    }
}

pub(crate) static CLI: Client = Client::new(
    "sqlite-cli",
    "the sqlite3 command line: TEXT in three encodings, both ways",
    Who::Shell,
);
pub(crate) static PYTHON: Client = Client::new(
    "sqlite-python",
    "Python's sqlite3 module: TEXT in three encodings, both ways",
    Who::Python,
);
pub(crate) static APSW_MODULE: Client = Client::new(
    "sqlite-apsw",
    "apsw, with the newest SQLite: TEXT in three encodings, both ways",
    Who::Apsw,
);

/// A value as a counterpart tells it: `typeof()` and the bytes as stored, which `hex()` shows.
type Told = (String, Vec<u8>);

/// What differs between them.
trait Tool {
    fn version(&self) -> Result<String>;
    /// Makes the database `file` with a table `t (id, s)` that holds the values, from id 0.
    fn write(&self, file: &Path, encoding: &str, values: &[Named]) -> Result<()>;
    /// Reads that table, by id.
    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>>;
}

impl Counterpart for Client {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let found = match self.who {
            Who::Shell => installer.program("sqlite3", "sqlite3")?,
            Who::Python => {
                let python = installer.python(&[])?;
                // Some builds of Python come without it.
                Module { python: &python, name: "sqlite3" }.version()?;
                python
            }
            Who::Apsw => installer.python(&[APSW])?,
        };
        let _ = self.found.set(found);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let python = self.found.get().context("not prepared")?;
        match self.who {
            Who::Shell => compare(&Shell, tally),
            Who::Python => compare(&Module { python, name: "sqlite3" }, tally),
            Who::Apsw => compare(&Module { python, name: "apsw" }, tally),
        }
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
        let written = ours::write(&ours, encoding, &values)?;
        let told = tool.read(&ours, encoding).with_context(|| format!("reading our {encoding}"))?;
        tally.compare("rows of ours", &written.len(), &told.len());
        for ((writer, (name, value)), told) in written.iter().zip(&told) {
            let what = format!("{encoding}, written by {writer}: {name}");
            tally.compare(&what, &(value.class().to_owned(), value.stored(encoding)), told);
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
