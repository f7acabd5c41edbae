//! `cargo xtask fuzz`: builds the targets of `fuzz/` for libFuzzer and runs each for a while.
//!
//! What `cargo fuzz` does is a handful of compiler flags; giving them here saves every new machine
//! the installation. Needs a nightly; without one it says so and exits 0. The regressions in
//! `fuzz/regressions/` need neither: `cargo xtask test` replays them on the stable toolchain.

use crate::shell::{self, LINUX, Workspace};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `fuzz`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Only these targets.
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Say which targets there are.
    #[arg(long)]
    list: bool,
}

/// Coverage for libFuzzer (counters and the table of their addresses), and the address sanitizer.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Ccodegen-units=1 \
    -Cdebug-assertions";

/// What one target came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Run {
    executed: u64,
    /// Edges reached after the seeds, and at the end.
    first: u64,
    last: u64,
}

/// Builds and runs; a crash leaves its input in `fuzz/artifacts/<target>/` and exits 1.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let workspace = Workspace::load()?;
    let all = targets(&workspace)?;
    if args.list {
        all.iter().for_each(|name| println!("{name}"));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(unknown) = args.targets.iter().find(|name| !all.contains(name)) {
        bail!("no fuzz target `{unknown}`; there are {}", all.join(", "));
    }
    let chosen = if args.targets.is_empty() { &all } else { &args.targets };
    let bins = chosen.iter().flat_map(|name| ["--bin", name]);
    let base = ["build", "--release", "--features", "libfuzzer", "--target", LINUX];
    let Some(mut build) = workspace.nightly("fuzz", base.into_iter().chain(bins))? else {
        println!("skipped: no nightly toolchain, which libFuzzer's instrumentation needs");
        return Ok(ExitCode::SUCCESS);
    };
    build.current_dir(workspace.root.join("fuzz")).env("RUSTFLAGS", FLAGS);
    println!("$ {}", shell::show(&build));
    if !shell::run_shown(build)?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let failed = AtomicBool::new(false);
    // A target works on one core, and how long it runs is told by the clock: one a core.
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            while let Some(name) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                match smoke(&workspace, name, args.seconds)? {
                    Some(run) => println!(
                        "{name}: {} runs in {} s, {} edges (the seeds reached {})",
                        run.executed, args.seconds, run.last, run.first
                    ),
                    None => failed.store(true, Ordering::Relaxed),
                }
            }
            Ok(())
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    Ok(if failed.into_inner() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The targets: one file each in `fuzz/fuzz_targets/`.
fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = workspace.root.join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).context("fuzz/fuzz_targets")? {
        if let Some(name) = entry?.file_name().to_string_lossy().strip_suffix(".rs") {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Runs one built target; `None` when it crashed, with its output shown.
fn smoke(workspace: &Workspace, name: &str, seconds: u64) -> Result<Option<Run>> {
    let fuzz = workspace.root.join("fuzz");
    let folder = |kind: &str| -> Result<_> {
        let folder = fuzz.join(kind).join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let binary = workspace.target.join("fuzz").join(LINUX).join("release").join(name);
    let mut command = Command::new(binary);
    command
        .arg(format!("-max_total_time={seconds}"))
        .args(["-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1", "-max_len=4096"])
        // Lengths from the start that kernels which go by 256 or 512 bytes have something to do.
        .arg("-len_control=0")
        .arg(format!("-artifact_prefix={}/", folder("artifacts")?.display()))
        // New inputs go to the first folder; the kept crashes are read only.
        .arg(folder("corpus")?);
    let regressions = fuzz.join("regressions").join(name);
    if regressions.is_dir() {
        command.arg(regressions);
    }
    command.current_dir(&fuzz);
    let mut output = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(seconds + 60);
    let outcome = shell::run_lines(command, Some(deadline), |line| {
        output.push(line.to_owned());
    })?;
    let run = read(&output);
    // libFuzzer exits 0 on a binary without instrumentation and merely warns.
    if outcome.success() && run.last > 0 && run.executed > 0 {
        return Ok(Some(run));
    }
    // In one piece: another target may say something meanwhile.
    println!(
        "{}\n{name}: FAILED ({outcome:?}); a crashing input is kept in fuzz/artifacts/{name}/\n\
         move it to fuzz/regressions/{name}/ together with its fix",
        output.join("\n")
    );
    Ok(None)
}

/// Reads libFuzzer's own account: `#123 NEW cov: 45 ft: …` and `stat::number_of_executed_units: 9`.
fn read(output: &[String]) -> Run {
    let mut run = Run::default();
    for line in output {
        if let Some((_, rest)) = line.split_once(" cov: ") {
            let edges = rest.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or_default();
            if run.first == 0 {
                run.first = edges;
            }
            run.last = run.last.max(edges);
        }
        if let Some(rest) = line.strip_prefix("stat::number_of_executed_units:") {
            run.executed = rest.trim().parse().unwrap_or_default();
        }
    }
    run
}

/// The command that replays every kept input through the same checks, without libFuzzer.
pub(crate) fn regressions(workspace: &Workspace) -> Result<Command> {
    let mut command = workspace.cargo(["test", "--no-fail-fast"])?;
    command.current_dir(workspace.root.join("fuzz")).env("CARGO_TARGET_DIR", &workspace.target);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libfuzzers_account_is_read() {
        let output = [
            "INFO: Loaded 1 modules   (1504 inline 8-bit counters)",
            "#2\tINITED cov: 45 ft: 46 corp: 1/1b exec/s: 0 rss: 43Mb",
            "#8192\tNEW    cov: 61 ft: 80 corp: 4/9b lim: 80 exec/s: 0 rss: 44Mb L: 2/5 MS: 1 ShuffleBytes-",
            "stat::number_of_executed_units: 1830000",
        ]
        .map(String::from);
        assert_eq!(read(&output), Run { executed: 1_830_000, first: 45, last: 61 });
    }

    #[test]
    fn a_binary_without_instrumentation_has_no_edges() {
        let output =
            ["WARNING: no interesting inputs were found", "stat::number_of_executed_units: 2"]
                .map(String::from);
        assert_eq!(read(&output).last, 0);
    }
}
