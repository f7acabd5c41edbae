//! The `sqlite3` command line.

use super::texts::Named;
use super::{Told, Tool, lines};
use crate::process::output;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// The program on the search path.
#[derive(Debug)]
pub(super) struct Shell;

impl Tool for Shell {
    fn version(&self) -> Result<String> {
        let mut command = Command::new("sqlite3");
        command.arg("--version");
        let said = String::from_utf8(output(command, b"")?)?;
        Ok(said.split(' ').next().unwrap_or_default().trim().to_owned())
    }

    fn write(&self, file: &Path, encoding: &str, values: &[Named]) -> Result<()> {
        let mut sql = format!(
            "PRAGMA encoding = '{encoding}';\nCREATE TABLE t (id INTEGER PRIMARY KEY, s);\nBEGIN;\n"
        );
        for (id, (_, value)) in values.iter().enumerate() {
            sql += &format!("INSERT INTO t VALUES ({id}, {});\n", value.sql(encoding));
        }
        self.run(file, &(sql + "COMMIT;\n")).map(drop)
    }

    fn read(&self, file: &Path, encoding: &str) -> Result<Vec<Told>> {
        let stored = self.run(file, "PRAGMA encoding;")?;
        if stored.trim_ascii() != encoding.as_bytes() {
            bail!("the database is {}, not {encoding}", String::from_utf8_lossy(&stored));
        }
        lines(&self.run(file, "SELECT id, typeof(s), hex(s) FROM t ORDER BY id;")?)
    }
}

impl Shell {
    fn run(&self, file: &Path, sql: &str) -> Result<Vec<u8>> {
        let mut command = Command::new("sqlite3");
        // No start-up file of the user's.
        command
            .args(["-init", "/dev/null", "-batch", "-bail", "-list", "-separator", "|"])
            .arg(file);
        output(command, sql.as_bytes())
    }
}
