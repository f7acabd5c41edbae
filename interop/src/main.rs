//! Checks of the crates against real counterpart software: `cargo xtask interop`.
//!
//! A counterpart that cannot be had is a printed skip; a comparison that differs is exit code 1.

// Allowed in the file named raw, and nowhere else.
#![deny(unsafe_code)]

mod account;
mod counterpart;
mod firebird;
mod install;
mod lucene;
mod names;
mod ports;
mod postgres;
mod process;
mod sqlite;
mod strings;
mod table;
mod tds;

use anyhow::{Result, bail};
use clap::Parser;
use counterpart::{Counterpart, Tally};
use install::Installer;
use std::process::ExitCode;
use table::Row;

/// All counterparts, in the order of the report.
static ALL: [&dyn Counterpart; 26] = [
    &sqlite::CLI,
    &sqlite::PYTHON,
    &sqlite::APSW_MODULE,
    &sqlite::System,
    &sqlite::ARROW,
    &firebird::Firebird,
    &postgres::Postgres,
    &names::CHROMIUM,
    &names::FIREFOX,
    &names::CURL,
    &names::WGET,
    &names::NODE_JS,
    &names::WERKZEUG,
    &names::AIOHTTP,
    &names::REQUESTS,
    &names::GO,
    &tds::TSQL,
    &tds::BSQLDB,
    &tds::PYTDS,
    &tds::PYMSSQL,
    &tds::TEDIOUS,
    &tds::TIBERIUS_CRATE,
    &tds::TSHARK,
    &lucene::LUCENE_4,
    &lucene::LUCENE_8,
    &lucene::LUCENE_PLUS_PLUS,
];

#[derive(Debug, Parser)]
#[command(name = "cargo xtask interop", about = "Compare with real counterpart software")]
struct Args {
    /// The counterparts to check against, or the first word of their names.
    names: Vec<String>,
    /// All of them.
    #[arg(long)]
    all: bool,
    /// Install what is missing (three tries).
    #[arg(long)]
    install: bool,
    /// Say which counterparts there are.
    #[arg(long)]
    list: bool,
    /// Only see to it that this program of Debian's is there, for the other tasks.
    #[arg(long, value_name = "PACKAGE")]
    tool: Option<String>,
}

fn main() -> ExitCode {
    let outcome = run(&Args::parse());
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run(args: &Args) -> Result<ExitCode> {
    if let Some(tool) = &args.tool {
        if let Err(reason) = Installer::new(true)?.program(tool, tool) {
            println!("{tool}: cannot be had: {reason:#}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.list {
        ALL.iter().for_each(|one| println!("{:16} {}", one.name(), one.about()));
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = choose(args)?;
    let installer = Installer::new(args.install)?;
    let mut total = Tally::default();
    let mut rows = Vec::new();
    for one in chosen {
        println!("== {}: {}", one.name(), one.about());
        let (tally, note) = check(one, &installer);
        rows.push(Row { name: one.name(), tally, note });
        total += tally;
    }
    println!("\n{}", table::render(&rows));
    println!("{total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn choose(args: &Args) -> Result<Vec<&'static dyn Counterpart>> {
    if args.all {
        return Ok(ALL.to_vec());
    }
    if args.names.is_empty() {
        bail!("name a counterpart, or give --all; --list says which there are");
    }
    let mut chosen = Vec::new();
    for name in &args.names {
        let before = chosen.len();
        let fits = |one: &&&dyn Counterpart| {
            one.name() == name || one.name().split('-').next() == Some(name)
        };
        chosen.extend(ALL.iter().filter(fits).copied());
        if chosen.len() == before {
            bail!("no counterpart `{name}`; --list says which there are");
        }
    }
    Ok(chosen)
}

/// Runs one counterpart: what it came to, and a note on what is not a comparison.
fn check(one: &dyn Counterpart, installer: &Installer) -> (Tally, String) {
    if let Err(reason) = one.prepare(installer) {
        let note = format!("skipped: {reason:#}");
        println!("{}: {note}", one.name());
        return (Tally { skipped: 1, ..Tally::default() }, note);
    }
    let mut tally = Tally::default();
    match one.check(&mut tally) {
        Ok(version) => (tally, version),
        // Neither a difference nor a skip: it was there and could not be brought to work.
        Err(error) => {
            println!("FAILED {}: {error:#}", one.name());
            tally.failed += 1;
            // What a program complained may be long; it was printed whole.
            let error = format!("{error:#}");
            let line = error.lines().next().unwrap_or_default();
            (tally, format!("broke off: {line:.200}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &[&str]) -> Args {
        Args::parse_from(["interop"].iter().chain(line))
    }

    #[test]
    fn counterparts_are_chosen_by_name_or_first_word() {
        assert_eq!(choose(&args(&["--all"])).unwrap().len(), ALL.len());
        assert_eq!(choose(&args(&["sqlite"])).unwrap().len(), 5);
        assert_eq!(choose(&args(&["sqlite-python"])).unwrap().len(), 1);
        assert!(choose(&args(&["nonesuch"])).is_err());
        assert!(choose(&args(&[])).is_err());
    }

    struct Broken;

    impl Counterpart for Broken {
        fn name(&self) -> &'static str {
            "broken"
        }
        fn about(&self) -> &'static str {
            "for this test"
        }
        fn prepare(&self, _: &Installer) -> Result<()> {
            Ok(())
        }
        fn check(&self, tally: &mut Tally) -> Result<String> {
            tally.compare("one", &1, &1);
            bail!("fell over")
        }
    }

    struct Absent;

    impl Counterpart for Absent {
        fn name(&self) -> &'static str {
            "absent"
        }
        fn about(&self) -> &'static str {
            "for this test"
        }
        fn prepare(&self, installer: &Installer) -> Result<()> {
            installer.program("a-program-that-is-nowhere", "a-package-that-is-nowhere").map(drop)
        }
        fn check(&self, _: &mut Tally) -> Result<String> {
            unreachable!("it cannot be had")
        }
    }

    #[test]
    fn a_counterpart_that_breaks_off_is_a_failure_and_an_absent_one_a_skip() {
        let installer = Installer::new(false).unwrap();
        let (tally, note) = check(&Broken, &installer);
        assert_eq!((tally.passed, tally.failed, tally.skipped), (1, 1, 0));
        assert!(note.contains("fell over"), "{note}");
        let (tally, note) = check(&Absent, &installer);
        assert_eq!((tally.passed, tally.failed, tally.skipped), (0, 0, 1));
        assert!(note.starts_with("skipped: "), "{note}");
    }
}
