//! `cargo xtask docs`: renews the generated parts of the documents.
//!
//! * `docs/SAFETY.md`: the index of unsafe code, from the sources;
//! * `docs/BENCHMARKS.md`, `docs/img/overview.svg` and, where it has the markers, the README: the
//!   tables and the plot, from the last run of `bench` (`target/xtask-bench/report.json`).
//!
//! `--check` compares the first and looks for the markers of the rest: what was measured on another
//! machine cannot be made again on this one.

pub(crate) mod unsafety;

use crate::bench::report::{json, markdown, svg};
use crate::shell::Workspace;
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::process::ExitCode;

/// Arguments of `docs`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Change nothing; exit 1 when a document is not what it should be.
    #[arg(long)]
    check: bool,
}

const SAFETY: &str = "docs/SAFETY.md";
const BENCHMARKS: &str = "docs/BENCHMARKS.md";
const README: &str = "README.md";
const PLOT: &str = "docs/img/overview.svg";

/// `<!-- unsafe -->` … `<!-- /unsafe -->` in [`SAFETY`].
const UNSAFE_MARKER: &str = "unsafe";
/// `<!-- tables -->` … `<!-- /tables -->` in [`BENCHMARKS`] and, if it likes, in [`README`].
const TABLES_MARKER: &str = "tables";

/// Renews or checks.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let workspace = Workspace::load()?;
    if args.check {
        let wrong = check(&workspace)?;
        wrong.iter().for_each(|line| println!("{line}"));
        println!("the measured numbers are not compared: they are another machine's");
        return Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let safety = with_index(&workspace, &read(&workspace, SAFETY)?)?;
    write(&workspace, SAFETY, &safety)?;
    let source = workspace.target.join("xtask-bench/report.json");
    let Ok(text) = fs::read_to_string(&source) else {
        println!("no report of a run yet (`cargo xtask bench` makes one): the tables stay");
        return Ok(ExitCode::SUCCESS);
    };
    let report = json::read(&text).map_err(anyhow::Error::msg)?;
    let tables = markdown::tables(&report);
    for name in [BENCHMARKS, README] {
        let document = read(&workspace, name)?;
        if name == README && !document.contains(&open(TABLES_MARKER)) {
            continue;
        }
        write(&workspace, name, &splice(name, &document, TABLES_MARKER, &tables)?)?;
    }
    write(&workspace, PLOT, &svg::overview(&report, "onecopy: how many times faster than before"))?;
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with the committed documents.
fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let safety = read(workspace, SAFETY)?;
    if with_index(workspace, &safety)? != safety {
        wrong.push(format!("{SAFETY}: the index of unsafe code is not that of the sources; `cargo xtask docs` renews it"));
    }
    if safety.contains(unsafety::NO_PROOF) {
        wrong.push(format!("{SAFETY}: an unsafe use has no proof"));
    }
    let benchmarks = read(workspace, BENCHMARKS)?;
    if let Err(error) = splice(BENCHMARKS, &benchmarks, TABLES_MARKER, "") {
        wrong.push(format!("{error:#}"));
    }
    let readme = read(workspace, README)?;
    if !readme.contains(PLOT) {
        wrong.push(format!("{README} does not show {PLOT}"));
    }
    if !workspace.root.join(PLOT).is_file() {
        wrong.push(format!(
            "{PLOT} is not there; `cargo xtask docs` after a run of `bench` makes it"
        ));
    }
    Ok(wrong)
}

fn with_index(workspace: &Workspace, document: &str) -> Result<String> {
    splice(SAFETY, document, UNSAFE_MARKER, &unsafety::index(workspace)?)
}

fn splice(name: &str, document: &str, marker: &str, content: &str) -> Result<String> {
    match markdown::splice(document, marker, content) {
        Ok(document) => Ok(document),
        Err(error) => bail!("{name}: {error}"),
    }
}

fn open(marker: &str) -> String {
    format!("<!-- {marker} -->")
}

fn read(workspace: &Workspace, name: &str) -> Result<String> {
    fs::read_to_string(workspace.root.join(name)).with_context(|| name.to_owned())
}

/// Writes and says so, unless it is the same already.
fn write(workspace: &Workspace, name: &str, text: &str) -> Result<()> {
    let path = workspace.root.join(name);
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(&path, text).with_context(|| name.to_owned())?;
    println!("renewed {name}");
    Ok(())
}
