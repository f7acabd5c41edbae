//! Arrow: batches of ours, written as Arrow's files, are read by pyarrow, and are what ADBC's driver
//! reads from the same database; and what both spend.

mod cpu;
mod file;
mod tables;

use super::texts::{ENCODINGS, hex};
use crate::counterpart::{Counterpart, Tally};
use crate::install::Installer;
use crate::process::output;
use anyhow::{Context as _, Result};
use file::Shape;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Whose versions are ours to choose.
const PACKAGES: [&str; 3] =
    ["adbc-driver-manager==1.13.0", "adbc-driver-sqlite==1.13.0", "pyarrow==26.0.1"];

/// pyarrow, and ADBC's driver for SQLite, in one interpreter.
#[derive(Debug)]
pub(crate) struct Arrow {
    python: OnceLock<PathBuf>,
}

pub(crate) static ARROW: Arrow = Arrow { python: OnceLock::new() };

impl Counterpart for Arrow {
    fn name(&self) -> &'static str {
        "sqlite-arrow"
    }

    fn about(&self) -> &'static str {
        "pyarrow and ADBC: batches as Arrow, and what they cost"
    }

    fn prepare(&self, installer: &Installer) -> Result<()> {
        let _ = self.python.set(installer.python(&PACKAGES)?);
        Ok(())
    }

    fn check(&self, tally: &mut Tally) -> Result<String> {
        let python = self.python.get().context("not prepared")?;
        compare(python, tally)?;
        let times = cpu::check(python, tally)?;
        let pinned = |at: usize| PACKAGES[at].split("==").last().unwrap_or_default();
        Ok(format!("pyarrow {}, ADBC {}; {times}", pinned(2), pinned(1)))
    }
}

/// What pyarrow found in a file.
#[derive(Deserialize)]
struct Answer {
    types: Vec<String>,
    batches: usize,
    /// Why it is no Arrow, or nothing.
    problem: String,
    /// Hexadecimal digits.
    columns: Vec<Vec<Option<String>>>,
    /// Whether it is what ADBC reads, if that was asked.
    adbc: Option<bool>,
}

fn compare(python: &Path, tally: &mut Tally) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut asks, mut expected) = (Vec::new(), Vec::new());
    for encoding in ENCODINGS {
        let database = folder.path().join(format!("{encoding}.db"));
        let tables = tables::all(encoding);
        let db = tables::fill(&database, encoding, &tables)?;
        for (at, table) in tables.into_iter().enumerate() {
            for shape in Shape::ALL {
                let file = folder.path().join(format!("{encoding}-{at}-{shape:?}.arrow"));
                let batches = file::write(&db, &table, shape, &file)?;
                asks.push((database.clone(), table.query(), file, table.is_sound()));
                let what = format!("{encoding}, {}, {shape:?}", table.name);
                expected.push((what, table.clone(), shape, batches));
            }
        }
    }
    let mut command = Command::new(python);
    command.args(["-I", "-c", include_str!("../scripts/arrow.py")]);
    let said = output(command, &serde_json::to_vec(&asks)?)?;
    let answers: Vec<Answer> = serde_json::from_slice(&said)?;
    tally.compare("files read", &expected.len(), &answers.len());
    for ((what, table, shape, batches), answer) in expected.iter().zip(&answers) {
        tally.compare(format!("{what}: Arrow's complaint"), "", answer.problem.as_str());
        let types = vec![shape.type_name().to_owned(); table.columns.len()];
        tally.compare(format!("{what}: types"), &types, &answer.types);
        tally.compare(format!("{what}: batches"), batches, &answer.batches);
        for (at, column) in table.columns.iter().enumerate() {
            let digits = |cell: &Option<String>| cell.as_ref().map(|text| hex(text.as_bytes()));
            let upper = |cell: &Option<String>| cell.as_ref().map(|text| text.to_uppercase());
            let ours: Vec<_> = column.texts().iter().map(digits).collect();
            let theirs: Vec<_> = answer.columns[at].iter().map(upper).collect();
            tally.compare(format!("{what}: rows of column {at}"), &ours.len(), &theirs.len());
            for (row, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
                tally.compare(format_args!("{what}: column {at}, row {row}"), ours, theirs);
            }
        }
        if let Some(equal) = answer.adbc {
            tally.compare(format!("{what}: equal to ADBC's"), &true, &equal);
        }
    }
    Ok(())
}
