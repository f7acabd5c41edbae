//! The program that measures: `list`, `check`, `time`, `alloc`, `count`.
//!
//! It prints lines of `onecopy_bench_model::wire` and judges nothing. A case that panics is
//! reported and left; the next one runs.

use crate::registry::{Case, Registry};
use crate::{alloc, count, slices, tier};
use clap::{Parser, Subcommand, ValueEnum};
use onecopy_bench_model::case::{self, Case as Definition};
use onecopy_bench_model::wire::{Alloc, CLOCK, Hello, Line, PROTOCOL};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Debug, Parser)]
#[command(about = "Measures the cases of benches/cases and prints one JSON object a line")]
struct Cli {
    #[command(subcommand)]
    mode: Mode,
    /// The folder of the definitions.
    #[arg(long, global = true, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/cases"))]
    cases: PathBuf,
    /// Only these cases.
    #[arg(long = "case", global = true)]
    only: Vec<String>,
    /// Only these variants and peers of each case.
    #[arg(long = "variant", global = true)]
    variants: Vec<String>,
    /// Run the peers that the definitions call heavy, those that are registered here.
    #[arg(long, global = true)]
    heavy: bool,
    /// Run the kernels on this instruction set: portable, sse2, avx2, avx512.
    #[arg(long, global = true)]
    tier: Option<String>,
    /// Bytes laid on the heap before everything else, so that two counts lie differently.
    #[arg(long, global = true, default_value_t = 0, hide = true)]
    pad: usize,
    /// A fault to plant into `after`, for the self-test of the judge.
    #[arg(long, global = true, requires = "plant_case", hide = true)]
    plant: Option<Plant>,
    /// Where to plant it.
    #[arg(long, global = true, hide = true)]
    plant_case: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Plant {
    /// Nothing; for the side that is compared with, which must be started by words of the same
    /// length: they lie on the stack and the heap, and move what comes after them.
    None,
    Time,
    Alloc,
    Instructions,
}

#[derive(Debug, Subcommand)]
enum Mode {
    /// Say what is registered.
    List,
    /// Run every variant once and print its digest.
    Check,
    /// Slices of all variants in random order.
    Time {
        #[arg(long, default_value_t = 80)]
        rounds: usize,
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, default_value_t = 50)]
        slice_us: u64,
        /// The most that the rounds of one case take, in milliseconds.
        #[arg(long, default_value_t = 1500)]
        budget_ms: u64,
    },
    /// Heap use of one call and of ten.
    Alloc,
    /// Run each variant in a region that callgrind counts.
    Count,
}

/// Runs the command line against `registry`.
#[must_use]
pub fn main(registry: &Registry) -> ExitCode {
    let cli = Cli::parse();
    std::mem::forget(std::hint::black_box(vec![1_u8; cli.pad]));
    let definitions = match case::load(&cli.cases) {
        Ok(all) => all,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    if let Some(Err(refusal)) = cli.tier.as_deref().map(tier::force) {
        eprintln!("{refusal}");
        return ExitCode::from(2);
    }
    match run(&cli, &definitions, registry) {
        Ok(()) => ExitCode::SUCCESS,
        // The judge has gone away; nobody is left to tell.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn say(line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    // One write a line, flushed, so that a line is whole even if the next case kills the process.
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn run(cli: &Cli, definitions: &[Definition], registry: &Registry) -> io::Result<()> {
    say(&Line::Hello(hello(registry, cli.tier.as_deref())))?;
    for wanted in &cli.only {
        if !definitions.iter().any(|d| d.name == *wanted) {
            say(&Line::Definition {
                case: wanted.clone(),
                message: "no such case is defined".into(),
            })?;
        }
    }
    if cli.only.is_empty() && !cli.heavy {
        for case in registry.cases() {
            if !definitions.iter().any(|d| d.name == case.name()) {
                say(&Line::Definition {
                    case: case.name().into(),
                    message: "is registered but not defined".into(),
                })?;
            }
        }
    }
    for definition in definitions {
        if cli.only.is_empty() || cli.only.contains(&definition.name) {
            run_case(cli, definition, registry)?;
        }
    }
    say(&Line::Done)
}

fn run_case(cli: &Cli, definition: &Definition, registry: &Registry) -> io::Result<()> {
    let name = &definition.name;
    let registered = registry.find(name).map(Case::names).unwrap_or_default();
    let names: Vec<&str> = if cli.heavy {
        definition.heavy.iter().map(String::as_str).filter(|n| registered.contains(n)).collect()
    } else {
        definition.light().collect()
    };
    if cli.heavy && names.is_empty() {
        return Ok(());
    }
    let fault = |message: String| say(&Line::Definition { case: name.clone(), message });
    if let Some(missing) = names.iter().find(|n| !registered.contains(n)) {
        return fault(format!("`{missing}` is defined but not registered"));
    }
    let defined: Vec<&str> = definition.everyone().collect();
    if let Some(extra) = registered.iter().find(|n| !defined.contains(n)) {
        return fault(format!("`{extra}` is registered but not defined"));
    }
    let Some(case) = registry.find(name) else { return Ok(()) };
    let names: Vec<&str> = names
        .into_iter()
        .filter(|n| cli.variants.is_empty() || cli.variants.iter().any(|v| v == n))
        .collect();

    say(&Line::Start { case: name.clone() })?;
    // Whoever panics, the variant that was running is to be named.
    let current = Cell::new("");
    let lines =
        catch_unwind(AssertUnwindSafe(|| measure(cli, case, &names, &definition.slow, &current)));
    match lines {
        Ok(lines) => lines.iter().try_for_each(say),
        Err(panic) => {
            let message = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                .unwrap_or_else(|| "a panic without a message".to_owned());
            say(&Line::Panicked { case: name.clone(), variant: current.get().to_owned(), message })
        }
    }
}

fn measure<'n>(
    cli: &Cli,
    case: &Case,
    names: &[&'n str],
    slow: &[String],
    current: &Cell<&'n str>,
) -> Vec<Line> {
    let planted = |kind| cli.plant == Some(kind) && cli.plant_case.as_deref() == Some(case.name());
    let named = |variant: &str| (case.name().to_owned(), variant.to_owned());
    let mut lines = Vec::new();
    match cli.mode {
        Mode::List => {}
        Mode::Check => {
            for name in names {
                current.set(name);
                let Some(mut subject) = case.build(name) else { continue };
                let digest = subject.digest();
                // A second call must do what the first did: state must not carry over.
                let again = subject.digest();
                let (case, variant) = named(name);
                let digest =
                    if again == digest { digest } else { format!("{digest} then {again}") };
                lines.push(Line::Digest { case, variant, digest });
            }
        }
        Mode::Time { rounds, seed, slice_us, budget_ms } => {
            let plan = slices::Plan {
                rounds,
                slice: Duration::from_micros(slice_us.max(1)),
                budget: Duration::from_millis(budget_ms),
            };
            let mut rng = fastrand::Rng::with_seed(seed);
            let clock = cli.variants.iter().any(|v| v == CLOCK).then_some(CLOCK);
            let names: Vec<&str> = names.iter().copied().chain(clock).collect();
            lines.push(Line::Time(slices::measure(
                case,
                &names,
                slow,
                plan,
                &mut rng,
                planted(Plant::Time),
            )));
        }
        Mode::Alloc => {
            for name in names {
                current.set(name);
                let Some(mut subject) = case.build(name) else { continue };
                let extra = planted(Plant::Alloc) && *name == "after";
                subject.once();
                let (one, elsewhere) = alloc::measure(|| call(&mut *subject, extra));
                let (ten, _) = alloc::measure(|| {
                    for _ in 0..10 {
                        call(&mut *subject, extra);
                    }
                });
                let (case, variant) = named(name);
                lines.push(Line::Alloc(Alloc { case, variant, one, ten, elsewhere }));
            }
        }
        Mode::Count => {
            for name in names {
                current.set(name);
                let Some(mut subject) = case.build(name) else { continue };
                let extra = u64::from(planted(Plant::Instructions) && *name == "after");
                count::count(&mut *subject, extra);
                let (case, variant) = named(name);
                lines.push(Line::Counted { case, variant });
            }
        }
    }
    lines
}

fn call(subject: &mut dyn crate::subject::Subject, one_more: bool) {
    subject.once();
    if one_more {
        drop(std::hint::black_box(Box::new(1_u8)));
    }
}

fn hello(registry: &Registry, forced: Option<&str>) -> Hello {
    let registered: BTreeMap<String, Vec<String>> = registry
        .cases()
        .iter()
        .map(|c| (c.name().to_owned(), c.names().into_iter().map(str::to_owned).collect()))
        .collect();
    Hello {
        protocol: PROTOCOL,
        tier: forced.unwrap_or_else(|| tier::detected()).to_owned(),
        rustc: env!("ONECOPY_RUSTC").to_owned(),
        target: env!("ONECOPY_TARGET").to_owned(),
        registered,
    }
}
