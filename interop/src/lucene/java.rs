//! Lucene's jar, and programs of ours that run on it.

use crate::install::Installer;
use crate::process::output;
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs' sources.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/lucene");
const JDK: &str = "openjdk-17-jdk-headless";

/// A version of Lucene: where it comes from and what is compiled against it.
#[derive(Debug)]
pub(super) struct Release {
    /// Debian's package, which is only unpacked: the packages of two versions exclude each other.
    pub(super) package: &'static str,
    pub(super) jar: &'static str,
    /// The sources, from their folder.
    pub(super) sources: &'static [&'static str],
}

/// What `prepare` has found.
#[derive(Debug)]
pub(super) struct Found {
    java: PathBuf,
    javac: PathBuf,
    jar: PathBuf,
    classes: PathBuf,
}

/// The programs, compiled.
#[derive(Debug)]
pub(super) struct Programs<'a>(&'a Found);

impl Release {
    pub(super) fn find(&self, installer: &Installer) -> Result<Found> {
        let java = installer.program("java", JDK)?;
        let javac = installer.program("javac", JDK)?;
        let jar = installer.unpacked(self.package, &format!("usr/share/java/{}", self.jar))?;
        let classes = installer.folder(&format!("classes-{}", self.package))?;
        Ok(Found { java, javac, jar, classes })
    }

    pub(super) fn compile<'a>(&self, found: &'a Found) -> Result<Programs<'a>> {
        // Classes of an earlier source would be found before they are missed.
        fs::remove_dir_all(&found.classes)?;
        fs::create_dir_all(&found.classes)?;
        let mut command = Command::new(&found.javac);
        command.args(["-nowarn", "-encoding", "UTF-8", "-implicit:none", "-proc:none", "-cp"]);
        command.arg(&found.jar).arg("-d").arg(&found.classes);
        command.args(self.sources.iter().map(|source| Path::new(SOURCES).join(source)));
        output(command, b"").context("compiling")?;
        Ok(Programs(found))
    }
}

impl Programs<'_> {
    /// A command that runs `program` with assertions on, Lucene's and our own.
    pub(super) fn command(&self, program: &str, arguments: &[&Path]) -> Result<Command> {
        self.with(&["-ea", "-Xmx768m"], program, arguments)
    }

    /// The same without assertions, as it runs where it is used.
    pub(super) fn unchecked(&self, program: &str, arguments: &[&Path]) -> Result<Command> {
        self.with(&["-Xmx2g"], program, arguments)
    }

    fn with(&self, flags: &[&str], program: &str, arguments: &[&Path]) -> Result<Command> {
        let Found { java, jar, classes, .. } = self.0;
        let path = std::env::join_paths([classes, jar])?;
        let mut command = Command::new(java);
        // Nothing of the user's.
        command.env_remove("JAVA_TOOL_OPTIONS").env_remove("CLASSPATH").args(flags);
        command.arg("-cp").arg(path).arg(program).args(arguments);
        Ok(command)
    }

    /// What `program` answers, with assertions on.
    pub(super) fn ask(&self, program: &str, input: &[u8]) -> Result<Vec<u8>> {
        output(self.command(program, &[])?, input)
    }
}
