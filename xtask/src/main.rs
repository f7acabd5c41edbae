//! The tasks of this workspace, one file each: `cargo xtask --help`.

#![forbid(unsafe_code)]

mod asan;
mod bench;
mod ci;
mod docs;
mod fuzz;
mod interop;
mod shell;
mod test;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "The tasks of this workspace")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Measure before, fix, after and peers of every case, judge, and report.
    Bench(bench::Args),
    /// Run every test that needs nothing installed.
    Test(test::Args),
    /// Compare with real counterpart software.
    Interop(interop::Args),
    /// Everything that must hold before a change lands.
    Ci(ci::Args),
    /// Renew the generated parts of the documents.
    Docs(docs::Args),
    /// Fuzz for a while.
    Fuzz(fuzz::Args),
    /// Run the tests under AddressSanitizer.
    Asan(asan::Args),
}

fn main() -> ExitCode {
    shell::end_quietly_when_nobody_reads();
    let outcome = match Cli::parse().task {
        Task::Bench(args) => bench::run(&args),
        Task::Test(args) => test::run(&args),
        Task::Interop(args) => interop::run(&args),
        Task::Ci(args) => ci::run(&args),
        Task::Docs(args) => docs::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Asan(args) => asan::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
