//! `cargo xtask test`: every test that needs nothing but Rust and a C compiler.
//!
//! The workspace with all features, the published crates with their default ones, and the fuzz
//! regressions. What ran is counted from what the harnesses print, never from what was planned.

use crate::shell::{self, Workspace};
use anyhow::Result;
use std::fmt;
use std::process::{Command, ExitCode};

/// Arguments of `test`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Also run every check against real counterpart software, installing what is missing.
    #[arg(long)]
    pub(crate) all: bool,
    /// Only the tests of this package (may be repeated).
    #[arg(short, long, value_name = "CRATE")]
    pub(crate) package: Vec<String>,
}

/// How many tests ran and how they ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Count {
    /// From the line that ends a test harness: `test result: ok. 5 passed; 0 failed; 1 ignored; …`.
    pub(crate) fn of_harness(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("test result: ")?;
        let rest = rest.strip_prefix("ok. ").or_else(|| rest.strip_prefix("FAILED. "))?;
        let mut parts = rest.split("; ");
        let mut next = |word: &str| parts.next()?.strip_suffix(word)?.trim_end().parse().ok();
        Some(Self { passed: next("passed")?, failed: next("failed")?, skipped: next("ignored")? })
    }

    /// From a closing line in the form that [`Count`] itself is shown in.
    pub(crate) fn of_closing(line: &str) -> Option<Self> {
        let mut parts = line.split(", ");
        let mut next =
            |word: &str| parts.next()?.strip_suffix(word)?.strip_suffix(' ')?.parse().ok();
        let count =
            Self { passed: next("passed")?, failed: next("failed")?, skipped: next("skipped")? };
        parts.next().is_none().then_some(count)
    }
}

/// Runs the tests; the last line on stdout is the [`Count`].
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let workspace = Workspace::load()?;
    let mut total = Count::default();
    for command in plan(&workspace, args)? {
        println!("$ {}", shell::show(&command));
        total += counted(command, Count::of_harness)?;
    }
    // Git ignores them, so its own list would not show them.
    for file in workspace.all_files()?.iter().filter(|name| pending_snapshot(name)) {
        println!("pending snapshot: {file}");
        total.failed += 1;
    }
    if total.passed + total.failed == 0 {
        println!("no test ran, which is a failure");
        total.failed += 1;
    }
    if args.all {
        let command = crate::interop::command(&workspace, &["--all", "--install"])?;
        println!("$ {}", shell::show(&command));
        total += counted(command, Count::of_closing)?;
    }
    println!("{total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The commands whose harnesses make up a run.
fn plan(workspace: &Workspace, args: &Args) -> Result<Vec<Command>> {
    let mut commands = Vec::new();
    let base = ["test", "--no-fail-fast"];
    if args.package.is_empty() {
        // The runners ask for features of the crates, which cargo gives to all that it builds at once:
        // the default ones are tested without the runners, and these with what they are built with.
        let all = ["--workspace", "--all-features"];
        commands.push(workspace.cargo(base.into_iter().chain(all))?);
        let published = workspace.published().flat_map(|package| ["-p", package.name.as_str()]);
        commands.push(workspace.cargo(base.into_iter().chain(published))?);
        commands.push(crate::fuzz::regressions(workspace)?);
        return Ok(commands);
    }
    for name in &args.package {
        let package = workspace.package(name)?;
        let one = ["-p", package.name.as_str()];
        commands.push(workspace.cargo(base.into_iter().chain(one))?);
        if !package.features.is_empty() {
            commands.push(workspace.cargo(base.into_iter().chain(one).chain(["--all-features"]))?);
        }
    }
    Ok(commands)
}

/// Runs `command`, showing its output, and adds up the lines that `parse` knows. A command that
/// fails without naming a failed test (it did not compile, a harness was killed) counts as one.
fn counted(command: Command, parse: fn(&str) -> Option<Count>) -> Result<Count> {
    let mut count = Count::default();
    let outcome = shell::run_lines(command, None, |line| {
        println!("{line}");
        count += parse(line).unwrap_or_default();
    })?;
    if !outcome.success() && count.failed == 0 {
        count.failed = 1;
    }
    Ok(count)
}

/// Whether the file is a snapshot that nobody has reviewed.
pub(crate) fn pending_snapshot(name: &str) -> bool {
    name.ends_with(".snap.new") || name.ends_with(".pending-snap")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harness_line_is_counted() {
        let line = "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s";
        assert_eq!(Count::of_harness(line), Some(Count { passed: 5, failed: 0, skipped: 1 }));
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.10s";
        assert_eq!(Count::of_harness(line), Some(Count { passed: 12, failed: 3, skipped: 0 }));
    }

    #[test]
    fn other_lines_are_not() {
        for line in [
            "",
            "test result",
            "test result: ok.",
            "test result: ok. x passed; 0 failed; 0 ignored",
            " test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured",
            "test a::test_result ... ok",
        ] {
            assert_eq!(Count::of_harness(line), None, "{line}");
        }
    }

    #[test]
    fn a_closing_line_reads_back_and_stands_alone() {
        let count = Count { passed: 7, failed: 0, skipped: 2 };
        assert_eq!(count.to_string(), "7 passed, 0 failed, 2 skipped");
        assert_eq!(Count::of_closing(&count.to_string()), Some(count));
        for line in [
            "7 passed, 0 failed",
            "sqlite: 7 passed, 0 failed, 2 skipped",
            "7 passed, 0 failed, 2 skipped.",
        ] {
            assert_eq!(Count::of_closing(line), None, "{line}");
        }
    }

    #[test]
    fn a_command_that_dies_without_a_count_is_a_failure() {
        let mut command = Command::new("sh");
        command.args(["-c", "exit 101"]);
        assert_eq!(counted(command, Count::of_harness).unwrap().failed, 1);
    }

    #[test]
    fn pending_snapshots_are_known_by_name() {
        assert!(pending_snapshot("crates/x/tests/snapshots/a.snap.new"));
        assert!(pending_snapshot("crates/x/tests/.a.rs.pending-snap"));
        assert!(!pending_snapshot("crates/x/tests/snapshots/a.snap"));
    }
}
