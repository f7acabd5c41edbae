//! `cargo xtask bench`: measures, judges, reports.
//!
//! A case (TOML) → [`plan`] → [`measure`] (by [`runner`] processes, and [`callgrind`]) → [`judge`]
//! (with [`claims`], [`stats`], [`baseline`]) → [`report`]. Nothing flows back.

mod baseline;
mod callgrind;
mod claims;
mod compare;
mod environment;
mod judge;
mod list;
mod measure;
mod peers;
mod plan;
mod progress;
pub(crate) mod report;
mod run;
mod runner;
mod self_test;
mod stats;
mod undo;

use crate::shell::Workspace;
use anyhow::{Context, Result};
use callgrind::Which;
use clap::{Subcommand, ValueEnum};
use onecopy_bench_model::case::Case;
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;
pub(crate) use undo::stale as stale_patches;

/// Exit codes, as the help says them.
pub(crate) mod exit {
    pub(crate) const HOLDS: u8 = 0;
    pub(crate) const GATE: u8 = 1;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const WRONG: u8 = 3;
    pub(crate) const UNFIT: u8 = 4;
}

const EXIT_CODES: &str = "Exit codes:
  0  all gates hold
  1  a gate failed
  2  a usage or definition error
  3  a case panicked or gave a wrong result
  4  the machine is unfit (biased null controls); only with --strict";

/// The arguments of `cargo xtask bench`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXIT_CODES, args_conflicts_with_subcommands = false)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Clone, Subcommand)]
enum Action {
    /// Measure and judge (the default).
    Run,
    /// List the cases and their claims.
    List,
    /// Compare this tree with another revision, process by process.
    Compare(compare::Args),
    /// Render the last run again.
    Report,
    /// Plant faults and require exactly their gates to fire.
    SelfTest(self_test::Args),
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Options {
    /// Fewer processes and rounds, no instructions but those that a claim is on: floors and
    /// allocations, mostly.
    #[arg(long, global = true)]
    quick: bool,
    /// Only cases whose name matches this regular expression; may be repeated.
    #[arg(short, long = "filter", value_name = "REGEX", global = true)]
    filter: Vec<String>,
    /// Only the cases of this crate.
    #[arg(long = "crate", value_name = "CRATE", global = true)]
    only_crate: Option<String>,
    /// What to measure.
    #[arg(long, value_delimiter = ',', global = true)]
    metric: Vec<Pass>,
    /// Write the measured allocations and instructions as the new baseline, telling each change.
    #[arg(long, global = true)]
    save_baseline: bool,
    /// Processes a run (7; 5 with --quick).
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(3..=101))]
    processes: Option<u16>,
    /// Rounds a process (80; 30 with --quick).
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(12..=10_000))]
    rounds: Option<u16>,
    /// Run the kernels on this instruction set instead of the best there is; peers choose for
    /// themselves, and only claims made for it are judged.
    #[arg(long, global = true)]
    tier: Option<Tier>,
    /// Build and run the heavy peers too.
    #[arg(long, global = true, overrides_with = "no_peers")]
    peers: bool,
    /// Leave the heavy peers out (the default).
    #[arg(long, global = true, overrides_with = "peers")]
    no_peers: bool,
    /// How to print the report.
    #[arg(long, global = true, default_value = "human")]
    format: Format,
    /// Where report.json, report.md and report.html go [default: target/xtask-bench].
    #[arg(long, value_name = "DIR", global = true)]
    out: Option<PathBuf>,
    /// Exit with 4 when over a tenth of the cases are noisy.
    #[arg(long, global = true)]
    strict: bool,
}

/// A pass of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pass {
    Time,
    Allocs,
    Instructions,
}

/// An instruction set that kernels are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tier {
    Portable,
    Sse2,
    Avx2,
    Avx512,
}

impl Tier {
    /// What tells a runner of it, and what it calls itself in its first line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Tier::Portable => "--tier=portable",
            Tier::Sse2 => "--tier=sse2",
            Tier::Avx2 => "--tier=avx2",
            Tier::Avx512 => "--tier=avx512",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Md,
    Json,
}

impl Options {
    /// Whether `pass` is asked for; without `--metric` all are, and with `--quick` all but instructions.
    fn wants(&self, pass: Pass) -> bool {
        if self.metric.is_empty() {
            !(self.quick && pass == Pass::Instructions)
        } else {
            self.metric.contains(&pass)
        }
    }

    /// What a run counts by callgrind, which takes its time: with `--quick` what a claim is on, and
    /// if asked for what the baseline gates.
    fn counted(&self) -> Option<Which> {
        match (self.quick, self.wants(Pass::Instructions)) {
            (false, true) => Some(Which::Variants),
            (true, true) => Some(Which::Gated),
            (true, false) if self.metric.is_empty() => Some(Which::Claimed),
            (_, false) => None,
        }
    }

    fn effort(&self) -> measure::Effort {
        let (processes, rounds, budget_ms) = if self.quick { (5, 30, 400) } else { (7, 80, 1500) };
        measure::Effort {
            processes: self.processes.map_or(processes, usize::from),
            rounds: self.rounds.map_or(rounds, usize::from),
            budget_ms,
        }
    }
}

/// Something that makes a case's numbers worthless, or the definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) case: String,
    pub(crate) what: String,
    pub(crate) kind: FaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// A panic, a wrong digest, a dead process: exit 3.
    Wrong,
    /// Definition and code disagree: exit 2.
    Definition,
}

impl Fault {
    pub(crate) fn wrong(case: &str, what: String) -> Self {
        Self { case: case.to_owned(), what, kind: FaultKind::Wrong }
    }

    pub(crate) fn definition(case: &str, what: String) -> Self {
        Self { case: case.to_owned(), what, kind: FaultKind::Definition }
    }
}

/// The workspace and where things of the bench lie in it.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) workspace: Workspace,
    /// The folder of reports and scratch files.
    pub(crate) out: PathBuf,
    /// All defined cases.
    pub(crate) cases: Vec<Case>,
}

impl Place {
    fn find(options: &Options) -> Result<Self> {
        let workspace = Workspace::load()?;
        let out = options.out.clone().unwrap_or_else(|| workspace.target.join("xtask-bench"));
        std::fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
        let cases = onecopy_bench_model::case::load(&workspace.root.join("benches/cases"))?;
        Ok(Self { workspace, out, cases })
    }
}

/// Runs the command line.
///
/// # Errors
/// On wrong usage or a broken definition (exit 2).
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let place = Place::find(&args.options)?;
    let code = match &args.action {
        None | Some(Action::Run) => run::run(&place, &args.options)?,
        Some(Action::List) => list::list(&place, &args.options)?,
        Some(Action::Compare(compare)) => compare::command(&place, &args.options, compare)?,
        Some(Action::Report) => {
            let path = place.out.join("report.json");
            let text = std::fs::read_to_string(&path).with_context(|| {
                format!("no report at {}: run `cargo xtask bench` first", path.display())
            })?;
            let report = report::json::read(&text)
                .map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))?;
            show(&report, &place, &args.options)?;
            exit::HOLDS
        }
        Some(Action::SelfTest(test)) => self_test::command(&place, &args.options, test)?,
    };
    Ok(ExitCode::from(code))
}

/// The columns of the terminal, as the shell or `stty` says.
fn terminal_width() -> Option<u16> {
    let said = std::env::var("COLUMNS").ok().or_else(|| {
        let mut stty = std::process::Command::new("stty");
        stty.arg("size").stdin(std::process::Stdio::inherit());
        environment::first_line(&mut stty)?.split_whitespace().nth(1).map(str::to_owned)
    })?;
    said.parse().ok()
}

/// Writes the files and prints the report in the format asked for.
fn show(report: &Report, place: &Place, options: &Options) -> Result<()> {
    use std::io::IsTerminal;
    let write = |name: &str, text: &str| {
        let path = place.out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let (json, md) = (report::json::write(report), report::markdown::render(report));
    write("report.json", &json)?;
    write("report.md", &md)?;
    write("report.html", &report::html::render(report))?;
    write(
        "overview.svg",
        &report::svg::overview(report, "onecopy: how many times faster than before"),
    )?;
    match options.format {
        Format::Json => print!("{json}"),
        Format::Md => print!("{md}"),
        Format::Human => {
            let terminal = std::io::stdout().is_terminal();
            let colour = terminal && std::env::var_os("NO_COLOR").is_none();
            let width = terminal.then(terminal_width).flatten();
            print!("{}", report::human::render(report, width, colour));
            let page = place.out.join("report.html");
            let here = std::env::current_dir().unwrap_or_default();
            println!("{}", page.strip_prefix(&here).unwrap_or(&page).display());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn options(words: &[&str]) -> Options {
        Cli::try_parse_from(std::iter::once(&"bench").chain(words)).unwrap().args.options
    }

    /// A quick run leaves instructions out, and yet judges what is claimed of them.
    #[test]
    fn what_is_claimed_of_instructions_is_counted_unless_other_metrics_are_asked_for() {
        for (words, counted) in [
            (&[][..], Some(Which::Variants)),
            (&["--quick"], Some(Which::Claimed)),
            (&["--quick", "--metric", "time,allocs,instructions"], Some(Which::Gated)),
            (&["--quick", "--metric", "time,allocs"], None),
            (&["--metric", "instructions"], Some(Which::Variants)),
            (&["--metric", "time"], None),
        ] {
            assert_eq!(options(words).counted(), counted, "{words:?}");
        }
    }

    fn tier(words: &[&str]) -> Result<Option<Tier>, clap::Error> {
        let words = std::iter::once(&"bench").chain(words);
        Cli::try_parse_from(words).map(|cli| cli.args.options.tier)
    }

    #[test]
    fn a_tier_is_named_before_or_behind_the_action() {
        assert_eq!(tier(&[]).unwrap(), None);
        assert_eq!(tier(&["--tier", "avx2"]).unwrap().map(Tier::word), Some("--tier=avx2"));
        assert_eq!(tier(&["run", "--tier=portable"]).unwrap(), Some(Tier::Portable));
        assert_eq!(tier(&["compare", "--base", "x", "--tier=sse2"]).unwrap(), Some(Tier::Sse2));
        let said = tier(&["--tier", "mmx"]).unwrap_err();
        assert_eq!(said.exit_code(), i32::from(exit::USAGE));
        assert!(said.to_string().contains("portable, sse2, avx2, avx512"), "{said}");
    }

    /// The option's word for a tier is that of the runner's first line, which claims are held against.
    #[test]
    fn a_tier_is_told_by_its_name() {
        for tier in Tier::value_variants() {
            let name = tier.to_possible_value().unwrap().get_name().to_owned();
            assert_eq!(tier.word(), format!("--tier={name}"));
        }
    }
}
