//! The steps of `cargo xtask ci`, in order: what each runs, how long it may take, what is counted.

use super::{compiled_for, features, no_std, rules, smoke};
use crate::shell::{self, Workspace};
use anyhow::Result;
use std::process::Command;
use std::time::Duration;

/// One step.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    /// What it takes on two cores from an empty target folder; passing it is said, not a failure.
    pub(super) budget: Duration,
    /// Where it is killed, which is a failure.
    pub(super) limit: Duration,
    pub(super) action: Action,
    pub(super) show: Show,
}

/// What a step does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Action {
    /// Commands, run one after the other, all of them even when one fails.
    Commands(fn(&Workspace) -> Result<Vec<Command>>),
    /// A look at the files; what it returns is wrong, and empty is well.
    Look(fn(&Workspace) -> Result<Vec<String>>),
}

/// What of a step's output is shown as it comes; a failed step's is shown whole at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    Nothing,
    /// The harness lines, which are also counted.
    Harness,
    /// Harness lines and the closing count, and only the latter is counted.
    Closing,
    /// Everything.
    All,
}

const fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(60 * minutes)
}

const fn step(
    name: &'static str,
    budget: u64,
    limit: u64,
    show: Show,
    run: fn(&Workspace) -> Result<Vec<Command>>,
) -> Step {
    let (budget, limit) = (Duration::from_secs(budget), minutes(limit));
    Step { name, budget, limit, action: Action::Commands(run), show }
}

/// What all steps together may take.
pub(super) const WHOLE: Duration = minutes(60);

/// The table: name, budget in seconds, limit in minutes. A limit is a multiple of its budget, for a
/// machine that has other work; that the whole stays within the hour is seen to apart from them.
pub(super) const STEPS: [Step; 18] = [
    step("fmt", 15, 1, Show::Nothing, |w| {
        workspaces(w, &["fmt", "--all", "--check", "--", "--color", "never"])
    }),
    Step {
        name: "rules",
        budget: Duration::from_secs(20),
        limit: minutes(1),
        action: Action::Look(rules::check),
        show: Show::All,
    },
    step("docs-check", 15, 2, Show::All, |w| one(w.cargo(["xtask", "docs", "--check"])?)),
    step("clippy", 120, 8, Show::Nothing, |w| {
        let args = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        let mut fuzz = w.cargo(["clippy", "--all-targets", "--", "-D", "warnings"])?;
        fuzz.current_dir(w.root.join("fuzz")).env("CARGO_TARGET_DIR", &w.target);
        Ok(vec![w.cargo(args)?, fuzz])
    }),
    step("no-std", 20, 2, Show::Nothing, no_std::commands),
    step("docs", 30, 4, Show::Nothing, docs),
    step("test", 240, 18, Show::Closing, |w| one(w.cargo(["xtask", "test"])?)),
    step("features", 180, 15, Show::Harness, features::commands),
    step("compiled-for", 80, 6, Show::Harness, compiled_for::commands),
    step("low-end", 30, 5, Show::Harness, low_end),
    step("package", 60, 5, Show::Nothing, package),
    step("interop", 270, 14, Show::Closing, |w| {
        // What `bench` counts instructions with comes the same way as the counterparts.
        let tools = crate::interop::command(w, &["--tool", "valgrind"])?;
        Ok(vec![tools, w.cargo(["xtask", "interop", "--all", "--install"])?])
    }),
    step("bench", 355, 15, Show::All, |w| {
        // Quick, and with the instructions that quick leaves out: CI gates them.
        one(w.cargo(["xtask", "bench", "--quick", "--metric", "time,allocs,instructions"])?)
    }),
    step("self-test", 120, 8, Show::All, |w| one(w.cargo(["xtask", "bench", "self-test"])?)),
    step("fuzz", 140, 12, Show::All, smoke::commands),
    step("asan", 90, 18, Show::Harness, |w| one(w.cargo(["xtask", "asan"])?)),
    step("deny", 10, 1, Show::All, deny),
    step("lock", 5, 1, Show::Nothing, |w| {
        // The lock files are what was tested: a manifest that moved away from them is found here.
        workspaces(w, &["metadata", "--locked", "--format-version", "1", "--quiet"])
    }),
];

/// A user of sqlite-text with the oldest libsqlite3-sys that it takes, in a lock file of its own; all
/// the other steps have the newest.
const LOW_END: &str = "benches/peers/sqlite-low-end";

fn low_end(workspace: &Workspace) -> Result<Vec<Command>> {
    let mut commands = vec![
        workspace.cargo(["clippy", "--all-targets", "--", "-D", "warnings"])?,
        workspace.cargo(["test", "--no-fail-fast"])?,
    ];
    for command in &mut commands {
        let folder = workspace.root.join(LOW_END);
        command.current_dir(folder).env("CARGO_TARGET_DIR", &workspace.target);
    }
    Ok(commands)
}

fn one(command: Command) -> Result<Vec<Command>> {
    Ok(vec![command])
}

/// The same in the workspaces that the root leaves out.
fn workspaces(workspace: &Workspace, args: &[&str]) -> Result<Vec<Command>> {
    let mut commands = vec![workspace.cargo(args)?];
    for folder in ["fuzz", "benches/peers", "benches/peers/sqlite-sqll", LOW_END] {
        let mut command = workspace.cargo(args)?;
        command.current_dir(workspace.root.join(folder));
        commands.push(command);
    }
    Ok(commands)
}

/// `-p utf8-runes -p …` for the published crates.
fn published(workspace: &Workspace) -> impl Iterator<Item = &str> {
    workspace.published().flat_map(|package| ["-p", package.name.as_str()])
}

fn docs(workspace: &Workspace) -> Result<Vec<Command>> {
    let base = ["doc", "--no-deps", "--all-features"];
    let mut command = workspace.cargo(base.into_iter().chain(published(workspace)))?;
    command.env("RUSTDOCFLAGS", "-D warnings");
    one(command)
}

/// One call for all six, so that each is verified against the others as they would be published.
fn package(workspace: &Workspace) -> Result<Vec<Command>> {
    // A checkout of CI is clean; on a developer's machine the change at hand is what is checked.
    let dirty = (!shell::in_ci()).then_some("--allow-dirty");
    one(workspace.cargo(["package"].into_iter().chain(dirty).chain(published(workspace)))?)
}

/// cargo-deny takes a quarter of an hour to install, so it runs where it is and says where it isn't.
fn deny(workspace: &Workspace) -> Result<Vec<Command>> {
    let there = Command::new("cargo-deny").arg("--version").output().is_ok();
    if there {
        return one(workspace.cargo(["deny", "check", "bans", "licenses", "sources"])?);
    }
    let mut echo = Command::new("echo");
    echo.arg("skipped: cargo-deny is not installed");
    one(echo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budgets_leave_half_of_the_hour() {
        let budgets: Duration = STEPS.iter().map(|step| step.budget).sum();
        assert!(budgets <= WHOLE / 2, "{budgets:?}");
        for step in &STEPS {
            assert!(step.budget < step.limit, "{}", step.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }

    #[test]
    fn every_step_can_be_planned() {
        let workspace = Workspace::load().unwrap();
        for step in &STEPS {
            if let Action::Commands(plan) = step.action {
                assert!(!plan(&workspace).unwrap().is_empty(), "{}", step.name);
            }
        }
    }
}
