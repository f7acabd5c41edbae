//! `cargo xtask interop`: the checks against real counterpart software.
//!
//! A runner of its own (`interop/`), because it depends on the crates and xtask does not.

use crate::shell::{self, Workspace};
use anyhow::Result;
use std::process::{Command, ExitCode};

/// Arguments of `interop`, handed on to its runner.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// The counterparts to check against.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// All of them.
    #[arg(long)]
    all: bool,
    /// Install what is missing (three tries; what cannot be had is skipped).
    #[arg(long)]
    install: bool,
    /// Say which counterparts there are.
    #[arg(long)]
    list: bool,
}

/// Runs the runner on this process's own streams.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut list: Vec<&str> = args.names.iter().map(String::as_str).collect();
    for (flag, given) in [("--all", args.all), ("--install", args.install), ("--list", args.list)] {
        if given {
            list.push(flag);
        }
    }
    let status = shell::run_shown(command(&Workspace::load()?, &list)?)?;
    Ok(status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The runner with these arguments.
pub(crate) fn command(workspace: &Workspace, args: &[&str]) -> Result<Command> {
    // A profile of its own, because some of what it shows is a measurement.
    let base = ["run", "--quiet", "--profile", "interop", "--package", "onecopy-interop", "--"];
    workspace.cargo(base.iter().chain(args))
}
