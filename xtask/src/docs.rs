//! `cargo xtask docs`: renews the generated parts of the documents.
//!
//! * `docs/SAFETY.md`: the index of unsafe code, from the sources;
//! * `docs/COMPARE.md`: what clients make of file names, from the data of `interop`;
//! * `docs/BENCHMARKS.md`, `docs/img/overview.svg` and, where it has the markers, the README: the
//!   tables and the plot, from the last run of `bench` (`target/xtask-bench/report.json`);
//! * some lines that `bench` prints, in the README: those of the cases that are shown there already.
//!
//! `--check` compares the first two and looks for the markers of the rest: what was measured on another
//! machine cannot be made again on this one.

mod names;
pub(crate) mod unsafety;

use crate::bench::report::{human, json, markdown, svg};
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
const COMPARE: &str = "docs/COMPARE.md";
const BENCHMARKS: &str = "docs/BENCHMARKS.md";
const README: &str = "README.md";
const PLOT: &str = "docs/img/overview.svg";

/// `<!-- unsafe -->` … `<!-- /unsafe -->` in [`SAFETY`].
const UNSAFE_MARKER: &str = "unsafe";
/// `<!-- names -->` … `<!-- /names -->` in [`COMPARE`].
const NAMES_MARKER: &str = "names";
/// `<!-- tables -->` … `<!-- /tables -->` in [`BENCHMARKS`] and, if it likes, in [`README`].
const TABLES_MARKER: &str = "tables";
/// `<!-- printed -->` … `<!-- /printed -->` in [`README`].
const PRINTED_MARKER: &str = "printed";

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
    let compare = with_names(&workspace, &read(&workspace, COMPARE)?)?;
    write(&workspace, COMPARE, &compare)?;
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
    let readme = read(&workspace, README)?;
    match human::excerpt(&report, &shown(&readme)) {
        Some(lines) => {
            let block = format!("```text\n{lines}target/xtask-bench/report.html\n```");
            write(&workspace, README, &splice(README, &readme, PRINTED_MARKER, &block)?)?;
        }
        None => println!("{README}: the last run was not of all the cases shown: its lines stay"),
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
    let compare = read(workspace, COMPARE)?;
    if with_names(workspace, &compare)? != compare {
        wrong.push(format!(
            "{COMPARE}: the table of names is not that of {}; `cargo xtask docs` renews it",
            names::DATA
        ));
    }
    let benchmarks = read(workspace, BENCHMARKS)?;
    if let Err(error) = splice(BENCHMARKS, &benchmarks, TABLES_MARKER, "") {
        wrong.push(format!("{error:#}"));
    }
    let readme = read(workspace, README)?;
    if let Err(error) = splice(README, &readme, PRINTED_MARKER, "") {
        wrong.push(format!("{error:#}"));
    }
    if shown(&readme).is_empty() {
        wrong.push(format!("{README} shows no case between its markers `{PRINTED_MARKER}`"));
    }
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

/// The cases whose lines stand between the markers: who wants another one there writes its name
/// below its crate's.
fn shown(readme: &str) -> Vec<String> {
    let inside = readme
        .split_once(&open(PRINTED_MARKER))
        .and_then(|(_, rest)| rest.split_once(&format!("<!-- /{PRINTED_MARKER} -->")))
        .map_or("", |(inside, _)| inside);
    let mut of = "";
    let mut names = Vec::new();
    for line in inside.lines() {
        let first = line.split_whitespace().next().unwrap_or_default();
        if line.starts_with("  ") && first.contains('/') {
            names.push(format!("{of}/{first}"));
        } else {
            of = line.trim();
        }
    }
    names
}

fn with_index(workspace: &Workspace, document: &str) -> Result<String> {
    splice(SAFETY, document, UNSAFE_MARKER, &unsafety::index(workspace)?)
}

fn with_names(workspace: &Workspace, document: &str) -> Result<String> {
    splice(COMPARE, document, NAMES_MARKER, &names::table(workspace)?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_shown_are_those_between_the_markers() {
        let readme = "  x/y 1\n<!-- printed -->\n\n```text\ncase   time\n──\nlucene-io\n  \
                      write/a   1 ns\n  read/b\npktpool\n  one/c 2\n…\n137 cases: 135 pass\n```\n\n\
                      <!-- /printed -->\n  z/z 3\n";
        assert_eq!(shown(readme), ["lucene-io/write/a", "lucene-io/read/b", "pktpool/one/c"]);
        assert!(shown("no markers").is_empty());
    }
}
