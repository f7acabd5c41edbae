//! The system's SQLite: what `sqlite-text` reads when it is linked with that must be what it reads on
//! the bundled one. `onecopy-sqlite-reader` does both: it is called here, and run as a program.

use super::texts::{ENCODINGS, values};
use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use crate::process::output;
use anyhow::{Context as _, Result, bail};
use onecopy_sqlite_reader::{facts, report, version};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Debian's library and headers.
#[derive(Debug)]
pub(crate) struct System;

impl Counterpart for System {
    fn name(&self) -> &'static str {
        "sqlite-system"
    }

    fn about(&self) -> &'static str {
        "the system's SQLite under sqlite-text: the same as on the bundled one"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        installer.program("pkg-config", "pkg-config")?;
        installer.found("SQLite's library", "libsqlite3-dev", library).map(drop)
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let folder = tempfile::tempdir()?;
        let mut files = Vec::new();
        for encoding in ENCODINGS {
            let file = folder.path().join(format!("{encoding}.db"));
            super::ours::fill(&file, encoding, &values(encoding))?;
            files.push(file);
        }
        let mut program = Command::new(build()?);
        program.args(&files);
        let said = String::from_utf8(output(program, b"")?)?;
        let system = said.lines().next().context("it said nothing")?;

        let read: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("read ")).collect();
        let here: Vec<_> = files.iter().flat_map(|file| report(file)).collect();
        tally.compare("values read", &here.len(), &read.len());
        for (at, (here, there)) in here.iter().zip(read).enumerate() {
            tally.compare(format_args!("value {at}: bundled and system's"), here.as_str(), there);
        }

        let told: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("fact ")).collect();
        let facts = facts();
        tally.compare("facts", &facts.len(), &told.len());
        let (mut differ, mut all) = (0, 0);
        for (here, there) in facts.iter().zip(told) {
            for (fact, whose) in [(here.as_str(), version()), (there, system)] {
                let [encoding, expression, ours, own] = *fact.split('|').collect::<Vec<_>>() else {
                    bail!("no fact: {fact}");
                };
                tally.compare(format_args!("{encoding}, {expression} in {whose}"), ours, own);
            }
            differ += u32::from(here != there);
            all += 1;
        }
        Ok(format!("{system} beside {}, which differs in {differ} of {all} facts", version()))
    }
}

/// Where the library is; what `xtask` does to hide it is undone.
fn library() -> Option<PathBuf> {
    let mut ask = visible(Command::new("pkg-config"));
    ask.args(["--variable=libdir", "sqlite3"]);
    let said = String::from_utf8(output(ask, b"").ok()?).ok()?;
    (!said.trim().is_empty()).then(|| PathBuf::from(said.trim()))
}

fn visible(mut command: Command) -> Command {
    command.env_remove("PKG_CONFIG_LIBDIR");
    command
}

/// Builds the program into the folder where this one lies.
fn build() -> Result<PathBuf> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let binary = std::env::current_exe()?;
    let folder = binary.parent().context("the folder of the profile")?;
    let target = folder.parent().context("the target folder")?;
    let profile = folder.file_name().context("the profile")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = visible(Command::new(cargo));
    command.args(["build", "--quiet", "--package", "onecopy-sqlite-reader"]);
    command.args(["--manifest-path", manifest]).arg("--target-dir").arg(target);
    // The profile `dev` has a folder of another name.
    command.arg("--profile").arg(if profile == "debug" {
        Path::new("dev").as_os_str()
    } else {
        profile
    });
    output(command, b"").context("building the reader")?;
    Ok(folder.join("onecopy-sqlite-reader"))
}
