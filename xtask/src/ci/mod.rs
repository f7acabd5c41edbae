//! `cargo xtask ci`: the whole gate, from a bare checkout, within its limits.
//!
//! Every step runs even when one before it failed, so that one run tells everything. What a step
//! prints is kept in `target/xtask-ci/<step>.log`, and shown whole when it fails.

mod compiled_for;
mod features;
mod no_std;
mod rules;
mod smoke;
mod steps;

use crate::shell::{self, Outcome, Workspace};
use crate::test::Count;
use anyhow::{Result, bail};
use comfy_table::Table;
use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use steps::{Action, STEPS, Show, Step, WHOLE};

/// Arguments of `ci`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Only these steps.
    #[arg(long, value_name = "STEP", num_args = 1..)]
    only: Vec<String>,
    /// Say which steps there are.
    #[arg(long)]
    list: bool,
}

/// How a step ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Passed,
    Skipped(String),
    Failed,
    TimedOut,
}

/// What is told of a step at the end.
struct Told {
    name: &'static str,
    end: End,
    took: Duration,
    budget: Duration,
    count: Count,
}

/// Runs the steps; exits 1 when one failed.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let workspace = Workspace::load()?;
    let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    if let Some(unknown) = args.only.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no step `{unknown}`; there are {}", known.join(", "));
    }
    let chosen = || {
        STEPS.iter().filter(|s| args.only.is_empty() || args.only.iter().any(|name| name == s.name))
    };
    if args.list {
        let mut table = table(&["step", "budget (min:s)", "limit (min:s)"]);
        for step in chosen() {
            table.add_row([step.name.to_owned(), clock(step.budget), clock(step.limit)]);
        }
        println!("{table}");
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let end = start + WHOLE;
    let told: Vec<_> = chosen().map(|step| go(&workspace, step, end)).collect::<Result<_>>()?;
    Ok(close(&told, start.elapsed()))
}

/// Runs one step, until its limit or `latest`.
fn go(workspace: &Workspace, step: &Step, latest: Instant) -> Result<Told> {
    println!("\n== {} (budget {}, limit {})", step.name, clock(step.budget), clock(step.limit));
    let start = Instant::now();
    let mut log = Log::default();
    let end = match step.action {
        Action::Look(look) => look(workspace).map(|wrong| {
            wrong.iter().for_each(|line| log.line(step.show, line));
            if wrong.is_empty() { End::Passed } else { End::Failed }
        }),
        Action::Commands(plan) => {
            let deadline = latest.min(start + step.limit);
            commands(workspace, step, plan, deadline, &mut log)
        }
    };
    // A step that could not even be begun is a failed step: the others still run.
    let end = end.unwrap_or_else(|error| {
        log.line(step.show, &format!("error: {error:#}"));
        End::Failed
    });
    let took = start.elapsed();
    let folder = workspace.target.join("xtask-ci");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("{}.log", step.name)), log.text.as_bytes())?;
    if matches!(end, End::Failed | End::TimedOut) && step.show != Show::All {
        println!("-- the whole output of {}:\n{}", step.name, log.text);
    }
    println!("== {}: {} in {}", step.name, word(&end), clock(took));
    Ok(Told { name: step.name, end, took, budget: step.budget, count: log.count })
}

fn commands(
    workspace: &Workspace,
    step: &Step,
    plan: fn(&Workspace) -> Result<Vec<std::process::Command>>,
    deadline: Instant,
    log: &mut Log,
) -> Result<End> {
    let mut end = End::Passed;
    for mut command in plan(workspace)? {
        for (name, value) in [
            ("CARGO_TERM_COLOR", "never"),
            ("NO_COLOR", "1"),
            ("CARGO_TERM_PROGRESS_WHEN", "never"),
            // Nothing is built a second time after a change, so what would be kept for that is in vain.
            ("CARGO_INCREMENTAL", "0"),
        ] {
            command.env(name, value);
        }
        let folder = command.get_current_dir().map(|folder| workspace.relative(folder));
        let place = folder.filter(|folder| !folder.is_empty());
        let place = place.map(|folder| format!("  # in {folder}")).unwrap_or_default();
        log.line(Show::All, &format!("$ {}{place}", shell::show(&command)));
        match shell::run_lines(command, Some(deadline), |line| log.line(step.show, line))? {
            Outcome::TimedOut => {
                log.line(Show::All, "killed at the limit");
                return Ok(End::TimedOut);
            }
            outcome if !outcome.success() => end = End::Failed,
            _ => {}
        }
    }
    Ok(match (end, log.skipped.take()) {
        (End::Passed, Some(reason)) => End::Skipped(reason),
        (end, _) => end,
    })
}

/// What a step printed, and what was read from it.
#[derive(Default)]
struct Log {
    text: String,
    count: Count,
    skipped: Option<String>,
}

impl Log {
    /// Keeps the line, counts it, and shows it when the step shows its kind.
    fn line(&mut self, show: Show, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        let harness = Count::of_harness(line);
        let closing = Count::of_closing(line);
        match show {
            Show::Harness => self.count += harness.unwrap_or_default(),
            Show::Closing => self.count += closing.unwrap_or_default(),
            Show::Nothing | Show::All => {}
        }
        let skipped = line.strip_prefix("skipped: ");
        if let Some(reason) = skipped {
            self.skipped = Some(reason.to_owned());
        }
        let of_tests = harness.is_some()
            || line.starts_with("     Running ")
            || line.starts_with("   Doc-tests ")
            || line.starts_with("test ") && line.ends_with(" ... FAILED")
            || line.starts_with("$ ")
            || skipped.is_some();
        let shown = match show {
            Show::Nothing => skipped.is_some(),
            Show::Harness => of_tests,
            Show::Closing => of_tests || closing.is_some(),
            Show::All => true,
        };
        if shown {
            println!("{line}");
        }
    }
}

/// The table of the steps and the closing count.
fn close(told: &[Told], took: Duration) -> ExitCode {
    let mut table = table(&["step", "result", "time", "budget", "tests"]);
    let mut total = Count::default();
    for step in told {
        let over = if step.took > step.budget { " (over)" } else { "" };
        let tests =
            if step.count == Count::default() { String::new() } else { step.count.to_string() };
        table.add_row([
            step.name.to_owned(),
            word(&step.end),
            clock(step.took),
            format!("{}{over}", clock(step.budget)),
            tests,
        ]);
        total += counted(step);
    }
    println!("\n{table}\nall steps: {}", clock(took));
    let failed: Vec<_> = told
        .iter()
        .filter(|step| matches!(step.end, End::Failed | End::TimedOut))
        .map(|step| step.name)
        .collect();
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{total}");
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A step's share of the closing count: its tests, and one more for a step that failed without a
/// failed test or was skipped whole, so that neither can hide behind the tests of the others.
fn counted(step: &Told) -> Count {
    let mut count = step.count;
    match step.end {
        End::Failed | End::TimedOut if count.failed == 0 => count.failed = 1,
        End::Skipped(_) => count.skipped += 1,
        _ => {}
    }
    count
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    *table.style_mut() = comfy_table::presets::NOTHING;
    table.set_header(header);
    table
}

fn word(end: &End) -> String {
    match end {
        End::Passed => "passed".into(),
        End::Skipped(reason) => format!("skipped: {reason}"),
        End::Failed => "FAILED".into(),
        End::TimedOut => "FAILED (killed at its limit)".into(),
    }
}

/// `m:ss`.
fn clock(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }

    fn step(show: Show, limit: u64, plan: fn(&Workspace) -> Result<Vec<Command>>) -> Step {
        let limit = Duration::from_secs(limit);
        Step { name: "test-of-ci", budget: limit, limit, action: Action::Commands(plan), show }
    }

    fn told(step: &Step) -> Told {
        let workspace = Workspace::load().unwrap();
        go(&workspace, step, Instant::now() + WHOLE).unwrap()
    }

    #[test]
    fn a_failure_in_the_middle_is_a_failure_and_the_rest_still_runs() {
        let told = told(&step(Show::Harness, 60, |_| {
            let harness = |ok: u64| {
                let line = format!("test result: ok. {ok} passed; 0 failed; 0 ignored; 0 measured");
                sh(&format!("echo '{line}'; exit {}", u8::from(ok == 2)))
            };
            Ok(vec![harness(1), harness(2), harness(4)])
        }));
        assert_eq!(told.end, End::Failed);
        assert_eq!(told.count.passed, 7);
        assert_eq!(counted(&told).failed, 1);
    }

    #[test]
    fn a_step_that_cannot_begin_is_a_failure() {
        let absent =
            step(Show::Nothing, 60, |_| Ok(vec![Command::new("a-program-that-is-nowhere")]));
        assert_eq!(told(&absent).end, End::Failed);
    }

    #[test]
    fn a_step_that_hangs_is_killed() {
        let told = told(&step(Show::Nothing, 1, |_| Ok(vec![sh("sleep 30")])));
        assert_eq!(told.end, End::TimedOut);
        assert!(told.took < Duration::from_secs(20));
    }

    #[test]
    fn the_limit_of_the_whole_ends_a_step_too() {
        let workspace = Workspace::load().unwrap();
        let slow = step(Show::Nothing, 60, |_| Ok(vec![sh("sleep 30")]));
        let told = go(&workspace, &slow, Instant::now() + Duration::from_secs(1)).unwrap();
        assert_eq!(told.end, End::TimedOut);
        assert!(told.took < Duration::from_secs(20));
    }

    #[test]
    fn a_skip_is_told_and_counted() {
        let told = told(&step(Show::Nothing, 60, |_| Ok(vec![sh("echo skipped: no tool")])));
        assert_eq!(told.end, End::Skipped("no tool".into()));
        assert_eq!(counted(&told).skipped, 1);
    }

    #[test]
    fn only_the_closing_line_of_a_closing_step_counts() {
        let told = told(&step(Show::Closing, 60, |_| {
            let harness = "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured";
            Ok(vec![sh(&format!("echo '{harness}'; echo 5 passed, 0 failed, 1 skipped"))])
        }));
        assert_eq!((told.count.passed, told.count.skipped), (5, 1));
    }
}
