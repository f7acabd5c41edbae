//! `bench run`: the whole of it.

use super::baseline::{Baseline, Key};
use super::callgrind;
use super::judge::{self, Rules};
use super::measure::{self, Measured};
use super::progress::Progress;
use super::report::{CaseReport, Environment, Report, SCHEMA, Verdict};
use super::runner::{self, Runner};
use super::{FaultKind, Options, Pass, Place, environment, exit, peers, plan};
use anyhow::Result;
use onecopy_bench_model::case::Case;
use onecopy_bench_model::wire::Hello;
use std::path::Path;

/// Measures the chosen cases, judges them, and writes the report.
pub(crate) fn run(place: &Place, options: &Options) -> Result<u8> {
    let chosen = plan::select(&place.cases, options)?;
    anyhow::ensure!(
        options.metric != [Pass::Instructions] || callgrind::version().is_some(),
        "only instructions were asked for, and there is no valgrind on this machine to count them"
    );
    let mut runners = vec![light(place, options)?];
    let mut notes = Vec::new();
    if options.peers {
        let (heavy, said) = peers::build(place, &chosen)?;
        runners.extend(heavy);
        notes.extend(said);
    }
    // A baseline that cannot be used is told before anything is measured.
    let key = key(&runners[0].run(&[], &["list".into()], &[])?.hello);
    let folder = place.workspace.root.join("benches/baseline");
    let baseline = Baseline::load(&folder, &key)?;

    let progress = Progress::new();
    let mut measured = measure(&runners, &chosen, options, &place.out, &progress)?;
    if let Some(code) = definition_faults(&measured) {
        return Ok(code);
    }
    measured.notes.splice(0..0, notes);
    if !options.save_baseline {
        measured.notes.extend(uncovered(baseline.as_ref(), &key, &chosen));
    }
    let rules = Rules {
        heavy: options.peers,
        baseline: baseline.as_ref().filter(|_| !options.save_baseline),
    };
    let again = judge::failed_in_time(&chosen, &measured, rules);
    if !again.is_empty() {
        let mut faults = Vec::new();
        measured.again =
            measure::times(&runners, &again, options.effort().twice(), &progress, &mut faults)?;
        measured.faults.extend(faults);
    }
    let cases = judge::judge(&chosen, &measured, rules);

    if options.save_baseline {
        save(&folder, &key, baseline.as_ref(), place, &chosen, &measured)?;
    }
    let code = verdict(&cases, &measured, options.strict);
    let report = Report {
        schema: SCHEMA,
        environment: environment(place, options, &measured, baseline_name(rules.baseline)),
        cases,
        notes: measured.notes,
    };
    super::show(&report, place, options)?;
    Ok(code)
}

/// Builds the runner of the light cases.
pub(crate) fn light(place: &Place, options: &Options) -> Result<Runner> {
    light_at(&place.workspace.root, &place.workspace.target, options)
}

/// The same of another tree (a worktree), built into `target`.
pub(crate) fn light_at(root: &Path, target: &Path, options: &Options) -> Result<Runner> {
    let manifest = root.join("benches/Cargo.toml");
    let program = runner::build(root, &manifest, "onecopy-benches", target)?;
    Ok(Runner {
        program,
        cases: root.join("benches/cases"),
        heavy: false,
        extra: options.tier.iter().map(|tier| tier.word().to_owned()).collect(),
        folder: None,
        environment: None,
    })
}

/// All passes that the options ask for.
pub(crate) fn measure(
    runners: &[Runner],
    chosen: &[&Case],
    options: &Options,
    scratch: &Path,
    progress: &Progress,
) -> Result<Measured> {
    let mut measured = Measured::default();
    measure::digests(runners, chosen, &mut measured)?;
    if measured.faults.iter().any(|f| f.kind == FaultKind::Definition) {
        return Ok(measured);
    }
    // What gives a wrong result is reported, not measured.
    let sound: Vec<&Case> = chosen
        .iter()
        .copied()
        .filter(|c| !measured.faults.iter().any(|f| f.case == c.name))
        .collect();
    if sound.is_empty() {
        return Ok(measured);
    }
    if options.wants(Pass::Allocs) {
        measure::heap(runners, &sound, &mut measured)?;
    }
    if let Some(which) = options.counted().filter(|w| sound.iter().any(|case| w.takes_any(case))) {
        if callgrind::version().is_some() {
            let scratch = scratch.join("callgrind");
            measure::instructions(&runners[0], &sound, which, &scratch, progress, &mut measured)?;
        } else {
            measured
                .notes
                .push("no valgrind on this machine: instructions were not counted".into());
        }
    }
    if options.wants(Pass::Time) {
        let names: Vec<&str> = sound.iter().map(|c| c.name.as_str()).collect();
        let mut faults = Vec::new();
        measured.times = measure::times(runners, &names, options.effort(), progress, &mut faults)?;
        measured.faults.extend(faults);
    }
    Ok(measured)
}

/// Prints where definitions and code disagree; such a run has no result.
pub(crate) fn definition_faults(measured: &Measured) -> Option<u8> {
    let faults: Vec<_> =
        measured.faults.iter().filter(|f| f.kind == FaultKind::Definition).collect();
    for fault in &faults {
        eprintln!("error: case `{}`: {}", fault.case, fault.what);
    }
    (!faults.is_empty()).then_some(exit::USAGE)
}

/// The key of what a runner measures.
pub(crate) fn key(hello: &Hello) -> Key {
    Key {
        target: hello.target.clone(),
        rustc: hello.rustc.clone(),
        libc: environment::libc(),
        valgrind: callgrind::version(),
        tier: hello.tier.clone(),
    }
}

/// What no baseline holds, in a sentence.
fn uncovered(baseline: Option<&Baseline>, key: &Key, chosen: &[&Case]) -> Option<String> {
    let Some(baseline) = baseline else {
        return Some(format!(
            "no baseline for {}: allocations and instructions are held by the claims alone (`--save-baseline` writes one)",
            key.name()
        ));
    };
    let new: Vec<&str> = chosen
        .iter()
        .map(|c| c.name.as_str())
        .filter(|name| !baseline.cases.contains_key(*name))
        .collect();
    (!new.is_empty()).then(|| format!("not in the baseline yet: {}", new.join(", ")))
}

fn baseline_name(baseline: Option<&Baseline>) -> Option<String> {
    baseline.map(|b| b.key.clone())
}

fn save(
    folder: &Path,
    key: &Key,
    old: Option<&Baseline>,
    place: &Place,
    chosen: &[&Case],
    measured: &Measured,
) -> Result<()> {
    anyhow::ensure!(
        measured.faults.is_empty(),
        "a case panicked or gave a wrong result: no baseline is saved"
    );
    let old = old.cloned().unwrap_or_default();
    let mut new = old.updated(key, chosen, measured);
    new.prune(&place.cases);
    for line in old.changes(&new) {
        println!("baseline {line}");
    }
    new.save(folder)
}

/// The exit code of a judged run.
fn verdict(cases: &[CaseReport], measured: &Measured, strict: bool) -> u8 {
    let noisy = cases.iter().filter(|c| c.verdict == Verdict::Noisy).count();
    let unfit = noisy * 10 > cases.len();
    if unfit {
        eprintln!("unfit machine: {noisy} of {} cases had a biased null control", cases.len());
    }
    if measured.faults.iter().any(|f| f.kind == FaultKind::Wrong) {
        exit::WRONG
    } else if cases.iter().any(|c| c.verdict == Verdict::Fail) {
        exit::GATE
    } else if strict && unfit {
        exit::UNFIT
    } else {
        exit::HOLDS
    }
}

fn environment(
    place: &Place,
    options: &Options,
    measured: &Measured,
    baseline: Option<String>,
) -> Environment {
    let effort = options.effort();
    Environment {
        cpu: environment::cpu(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        tier: measured.hello.tier.clone(),
        target: measured.hello.target.clone(),
        rustc: measured.hello.rustc.clone(),
        libc: environment::libc(),
        valgrind: callgrind::version(),
        revision: environment::revision(&place.workspace.root),
        command: command_line(),
        processes: effort.processes,
        rounds: effort.rounds,
        quick: options.quick,
        baseline,
    }
}

/// What was typed after `cargo xtask`, without the folder of `--out`, which is nobody's business.
fn command_line() -> String {
    let mut words = Vec::new();
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        if word == "--out" {
            given.next();
        } else if !word.starts_with("--out=") {
            words.push(word);
        }
    }
    words.join(" ")
}
