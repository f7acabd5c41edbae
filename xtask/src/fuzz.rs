//! `cargo xtask fuzz`: builds the targets of `fuzz/` for libFuzzer and runs each for a while.
//!
//! What `cargo fuzz` does is a handful of compiler flags; giving them here saves every new machine
//! the installation. Needs a nightly; without one it says so and exits 0. The regressions in
//! `fuzz/regressions/` need neither: `cargo xtask test` replays them on the stable toolchain.
//!
//! For a person each target runs for a while, from a seed of its own, and goes on from the inputs
//! that it found before. With `--seed` it begins with the regressions and nothing else, and with
//! `--runs` it ends after so many inputs: that is what `cargo xtask ci` does, whose answer must be
//! that of the tree. It is the same answer only for the same binary on the same kind of machine:
//! another compiler, other code or another tier of the processor makes another walk from the seed.
//! libFuzzer learns from the operands of comparisons, and addresses are some, so the addresses are
//! fixed too, by `setarch -R`; where that is not allowed it is said, and walks differ a little.

use crate::shell::{self, LINUX, Workspace};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `fuzz`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Only these targets.
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// How long each target runs; with --runs, at most.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// After how many inputs a target ends, those that it begins with among them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i32::MAX.into()))]
    runs: Option<u32>,
    /// Make the same inputs each time: of fuzz/regressions/ alone, and none is kept.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    seed: Option<u32>,
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

impl Run {
    /// One line.
    fn told(&self, name: &str, took: Duration, runs: Option<u32>) -> String {
        let Self { executed, first, last } = self;
        let seconds = took.as_secs();
        let early = match runs {
            Some(runs) if *executed < u64::from(runs) => format!(" of {runs}, ended by the clock"),
            _ => String::new(),
        };
        format!(
            "{name}: {executed} runs{early} in {seconds} s, {last} edges (the seeds reached {first})"
        )
    }
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
    let still = args.seed.is_some().then(no_randomization).flatten();
    if args.seed.is_some() && still.is_none() {
        println!("`setarch -R` does not work here: the same seed gives about the same inputs");
    }
    let failed = AtomicBool::new(false);
    // A target works on one core, and how long it runs is told by the clock: one a core.
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            while let Some(name) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                let start = Instant::now();
                match smoke(&workspace, name, args, still.as_deref())? {
                    Some(run) => println!("{}", run.told(name, start.elapsed(), args.runs)),
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
pub(crate) fn targets(workspace: &Workspace) -> Result<Vec<String>> {
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

/// Runs one built target; `None` when it crashed, with its output shown. `still` is the program
/// that runs it where nothing is random.
fn smoke(
    workspace: &Workspace,
    name: &str,
    args: &Args,
    still: Option<&[String]>,
) -> Result<Option<Run>> {
    let fuzz = workspace.root.join("fuzz");
    for kind in ["corpus", "artifacts"] {
        fs::create_dir_all(fuzz.join(kind).join(name))?;
    }
    let binary = workspace.target.join("fuzz").join(LINUX).join("release").join(name);
    let mut command = match still {
        Some([program, rest @ ..]) => {
            let mut command = Command::new(program);
            command.args(rest).arg(binary);
            command
        }
        _ => Command::new(binary),
    };
    command.args(arguments(name, args, &kept(&fuzz, name)?));
    command.current_dir(&fuzz);
    let mut output = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(args.seconds + 60);
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

/// What libFuzzer is told; paths are from `fuzz/`.
fn arguments(name: &str, args: &Args, kept: &[String]) -> Vec<String> {
    let mut told = vec![
        format!("-max_total_time={}", args.seconds),
        "-timeout=10".into(),
        "-rss_limit_mb=4096".into(),
        "-print_final_stats=1".into(),
        "-max_len=4096".into(),
        // Lengths from the start that kernels which go by 256 or 512 bytes have something to do.
        "-len_control=0".into(),
        format!("-artifact_prefix=artifacts/{name}/"),
    ];
    told.extend(args.runs.map(|runs| format!("-runs={runs}")));
    match args.seed {
        Some(seed) => {
            told.push(format!("-seed={seed}"));
            // A folder would be read in the order of the file system.
            if !kept.is_empty() {
                told.push(format!("-seed_inputs={}", kept.join(",")));
            }
        }
        None => {
            // New inputs go to the first folder; the kept crashes are read only.
            told.push(format!("corpus/{name}"));
            if !kept.is_empty() {
                told.push(format!("regressions/{name}"));
            }
        }
    }
    told
}

/// The regressions of a target, sorted.
fn kept(fuzz: &Path, name: &str) -> Result<Vec<String>> {
    let folder = format!("regressions/{name}");
    if !fuzz.join(&folder).is_dir() {
        return Ok(Vec::new());
    }
    let mut kept = Vec::new();
    for entry in fs::read_dir(fuzz.join(&folder))? {
        kept.push(format!("{folder}/{}", entry?.file_name().to_string_lossy()));
    }
    kept.sort();
    Ok(kept)
}

/// The command before another one that makes all its addresses the same each time, if it works.
fn no_randomization() -> Option<Vec<String>> {
    let command = ["setarch", std::env::consts::ARCH, "-R"].map(String::from);
    let tried = Command::new(&command[0]).args(&command[1..]).arg("true").output();
    tried.is_ok_and(|output| output.status.success()).then(|| command.into())
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
    use clap::Parser as _;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    fn parsed(line: &str) -> Option<Args> {
        Cli::try_parse_from(["fuzz"].into_iter().chain(line.split_whitespace()))
            .ok()
            .map(|cli| cli.args)
    }

    #[test]
    fn a_person_gets_the_clock_a_random_seed_and_the_corpus() {
        let args = parsed("one").unwrap();
        assert_eq!((args.seconds, args.runs, args.seed), (60, None, None));
        let told = arguments("one", &args, &["regressions/one/a".into()]);
        assert!(told.contains(&"-max_total_time=60".into()));
        assert!(!told.iter().any(|arg| arg.starts_with("-seed") || arg.starts_with("-runs")));
        assert_eq!(told[told.len() - 2..], ["corpus/one", "regressions/one"]);
        let told = arguments("one", &args, &[]);
        assert_eq!(told.last().unwrap(), "corpus/one");
    }

    #[test]
    fn a_seed_leaves_out_what_earlier_runs_found() {
        let args = parsed("--runs 5000 --seed 7 --seconds 45").unwrap();
        let kept = ["regressions/one/a", "regressions/one/b"].map(String::from);
        let told = arguments("one", &args, &kept);
        let last = ["-runs=5000", "-seed=7", "-seed_inputs=regressions/one/a,regressions/one/b"];
        assert_eq!(told[told.len() - 3..], last);
        assert!(told.contains(&"-max_total_time=45".into()));
        assert!(!arguments("one", &args, &[]).iter().any(|arg| arg.starts_with("-seed_inputs")));
        assert!(told.iter().all(|arg| !arg.contains("corpus")));
        // A number of runs alone changes nothing else.
        let told = arguments("one", &parsed("--runs 2147483647").unwrap(), &[]);
        assert_eq!(told[told.len() - 2..], ["-runs=2147483647", "corpus/one"]);
    }

    /// libFuzzer takes 0 for a seed of its own choice, and a negative number of runs for no end.
    #[test]
    fn numbers_that_libfuzzer_takes_for_something_else_are_refused() {
        for line in ["--seed 0", "--seed -1", "--seed 4294967296", "--runs 0", "--runs 2147483648"]
        {
            assert!(parsed(line).is_none(), "{line}");
        }
        assert!(parsed("--seed 4294967295").is_some());
    }

    #[test]
    fn the_regressions_are_in_order() {
        let workspace = Workspace::load().unwrap();
        let kept = kept(&workspace.root.join("fuzz"), "lucene_io_stored").unwrap();
        assert!(kept.is_sorted() && kept.len() > 5);
        assert!(kept.iter().all(|path| workspace.root.join("fuzz").join(path).is_file()));
        // They are listed with commas between.
        assert!(kept.iter().all(|path| !path.contains(',')));
        assert!(super::kept(&workspace.root, "nonesuch").unwrap().is_empty());
    }

    #[test]
    fn who_ran_out_of_time_says_so() {
        let run = Run { executed: 900, first: 40, last: 50 };
        let took = Duration::from_millis(45_900);
        let short =
            "one: 900 runs of 1000, ended by the clock in 45 s, 50 edges (the seeds reached 40)";
        assert_eq!(run.told("one", took, Some(1000)), short);
        let whole = "one: 900 runs in 45 s, 50 edges (the seeds reached 40)";
        assert_eq!(run.told("one", took, None), whole);
        assert_eq!(run.told("one", took, Some(900)), whole);
    }

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
