//! `cargo xtask asan`: the tests of the crates that hold unsafe code, under ASan.
//!
//! Library and integration tests; doctests are left out, rustdoc links them without the runtime.
//! Needs a nightly; without one it says so and exits 0.

use crate::shell::{self, LINUX, Package, Workspace};
use anyhow::Result;
use std::fs;
use std::process::{Command, ExitCode};

/// Arguments of `asan`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Only this package (may be repeated).
    #[arg(short, long, value_name = "CRATE")]
    package: Vec<String>,
}

/// Runs the tests on this process's own streams.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let workspace = Workspace::load()?;
    let mut packages = Vec::new();
    for name in &args.package {
        packages.push(workspace.package(name)?);
    }
    if packages.is_empty() {
        packages = workspace.published().filter(|package| may_hold_unsafe(package)).collect();
    }
    let names: Vec<_> = packages.iter().map(|package| package.name.as_str()).collect();
    let Some(command) = command(&workspace, &names)? else {
        println!("skipped: no nightly toolchain, which -Zsanitizer=address needs");
        return Ok(ExitCode::SUCCESS);
    };
    println!("$ {}", shell::show(&command));
    let status = shell::run_shown(command)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A crate that forbids unsafe code has nothing of its own for the sanitizer to find.
pub(crate) fn may_hold_unsafe(package: &Package) -> bool {
    let lib = fs::read_to_string(package.folder.join("src/lib.rs")).unwrap_or_default();
    !lib.lines().any(|line| line.trim() == "#![forbid(unsafe_code)]")
}

fn command(workspace: &Workspace, packages: &[&str]) -> Result<Option<Command>> {
    let base = ["test", "--target", LINUX, "--all-features", "--no-fail-fast", "--lib", "--tests"];
    let packages = packages.iter().flat_map(|name| ["-p", name]);
    let Some(mut command) = workspace.nightly("asan", base.into_iter().chain(packages))? else {
        return Ok(None);
    };
    command
        .env("RUSTFLAGS", "-Zsanitizer=address")
        // A refused allocation is a case that the crates handle and the tests provoke.
        .env("ASAN_OPTIONS", "allocator_may_return_null=1")
        // Instrumented code is several times slower; the plain run does the full number.
        .env("PROPTEST_CASES", "64")
        .env("UTF8_RUNES_LENGTH_STEP", "11");
    Ok(Some(command))
}
