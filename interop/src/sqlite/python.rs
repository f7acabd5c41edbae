//! Python's own module `sqlite3`, and apsw, which brings the newest SQLite.

use super::texts::{Named, Value, hex};
use super::{Told, Tool, lines};
use crate::process::output;
use anyhow::Result;
use serde::Serialize;
use std::path::Path;
use std::process::Command;

const CONNECT: &str = include_str!("scripts/connect.py");
const WRITES: &str = include_str!("scripts/writes.py");
const READS: &str = include_str!("scripts/reads.py");

/// A module in an interpreter that has it.
#[derive(Debug)]
pub(super) struct Module<'a> {
    pub(super) python: &'a Path,
    /// `sqlite3` or `apsw`.
    pub(super) name: &'static str,
}

/// A value on its way to Python.
#[derive(Serialize)]
struct Handed(&'static str, String);

impl Tool for Module<'_> {
    fn version(&self) -> Result<String> {
        let version = match self.name {
            "apsw" => {
                "import apsw; print(apsw.sqlite_lib_version(), 'in apsw', apsw.apsw_version())"
            }
            _ => {
                "import platform, sqlite3; \
                 print(sqlite3.sqlite_version, 'in Python', platform.python_version())"
            }
        };
        let said = output(self.isolated(version), b"")?;
        Ok(String::from_utf8(said)?.trim().to_owned())
    }

    fn write(&self, file: &Path, encoding: &str, values: &[Named]) -> Result<()> {
        let handed = |(_, value): &Named| {
            let kind = if let Value::Invalid(_) = value { "invalid" } else { value.class() };
            // A text goes to Python as UTF-8 whatever the database holds.
            let bytes = match value {
                Value::Text(text) => text.as_bytes(),
                _ => &*value.stored(encoding),
            };
            Handed(kind, hex(bytes))
        };
        let handed: Vec<_> = values.iter().map(handed).collect();
        self.run(WRITES, file, encoding, &serde_json::to_vec(&handed)?).map(drop)
    }

    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>> {
        lines(&self.run(READS, file, encoding, b"")?)
    }
}

impl Module<'_> {
    fn run(&self, script: &str, file: &Path, encoding: &str, input: &[u8]) -> Result<Vec<u8>> {
        let mut command = self.isolated(&format!("{CONNECT}{script}"));
        command.arg(self.name).arg(file).arg(encoding);
        output(command, input)
    }

    /// Without the user's own modules.
    fn isolated(&self, script: &str) -> Command {
        let mut command = Command::new(self.python);
        command.args(["-I", "-c", script]);
        command
    }
}
