//! The passes of a run: digests, heap, instructions, and time by interleaved processes.

use super::callgrind::{self, Count, Which};
use super::runner::{Runner, Said};
use super::{Fault, progress::Progress};
use onecopy_bench_model::case::Case;
use onecopy_bench_model::wire::{Alloc, Hello, Line, Time};
use std::collections::BTreeMap;

/// Everything that was measured of the selected cases.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    pub(crate) hello: Hello,
    /// Slices by process, then by case.
    pub(crate) times: Vec<BTreeMap<String, Time>>,
    /// The same of the second, longer run that a failure of time leads to.
    pub(crate) again: Vec<BTreeMap<String, Time>>,
    /// By case and variant.
    pub(crate) heap: BTreeMap<(String, String), Alloc>,
    /// By case and variant.
    pub(crate) instructions: BTreeMap<(String, String), Count>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) notes: Vec<String>,
}

/// How long and how often the time is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) processes: usize,
    pub(crate) rounds: usize,
    /// Most milliseconds of one case in one process.
    pub(crate) budget_ms: u64,
}

impl Effort {
    /// What a failure must repeat at.
    pub(crate) fn twice(self) -> Self {
        Self { processes: 2 * self.processes, ..self }
    }

    pub(crate) fn mode(self, seed: usize) -> Vec<String> {
        vec![
            "time".into(),
            format!("--rounds={}", self.rounds),
            format!("--seed={seed}"),
            format!("--budget-ms={}", self.budget_ms),
        ]
    }
}

/// Runs every variant once and holds its digest against the definition's.
pub(crate) fn digests(
    runners: &[Runner],
    cases: &[&Case],
    into: &mut Measured,
) -> anyhow::Result<()> {
    let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    for runner in runners {
        let said = runner.run(&[], &["check".into()], &names)?;
        if !runner.heavy {
            into.hello = said.hello.clone();
        }
        for line in &said.lines {
            let Line::Digest { case, variant, digest } = line else { continue };
            let Some(definition) = cases.iter().find(|c| c.name == *case) else { continue };
            if definition.has_result(variant) && *digest != definition.digest {
                into.faults.push(Fault::wrong(
                    case,
                    format!("`{variant}` gave {digest}, not {}", definition.digest),
                ));
            }
        }
        into.faults.extend(said.faults);
    }
    Ok(())
}

/// Counts the heap use.
pub(crate) fn heap(runners: &[Runner], cases: &[&Case], into: &mut Measured) -> anyhow::Result<()> {
    let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    for runner in runners {
        let said = runner.run(&[], &["alloc".into()], &names)?;
        for line in said.lines {
            if let Line::Alloc(alloc) = line {
                into.heap.insert((alloc.case.clone(), alloc.variant.clone()), alloc);
            }
        }
        into.faults.extend(said.faults);
    }
    Ok(())
}

/// Counts instructions of the light runner, two processes a case.
pub(crate) fn instructions(
    runner: &Runner,
    cases: &[&Case],
    which: Which,
    scratch: &std::path::Path,
    progress: &Progress,
    into: &mut Measured,
) -> anyhow::Result<()> {
    let cases: Vec<&Case> = cases.iter().copied().filter(|case| which.takes_any(case)).collect();
    if cases.is_empty() {
        return Ok(());
    }
    progress.begin("instructions", cases.len());
    // Counting is blind to load, so both cores may work.
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(case) = cases.get(at) else { break };
                    let counted = callgrind::count(runner, case, which, scratch);
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(counted);
                    progress.step();
                }
            });
        }
    });
    for result in results.into_inner().unwrap_or_default() {
        let (counts, faults) = result?;
        into.faults.extend(faults);
        into.instructions.extend(counts);
    }
    progress.end();
    // Only what is gated is worth a sentence.
    let loose: Vec<String> = into
        .instructions
        .iter()
        .filter(|((_, variant), count)| variant == "after" && !count.is_steady())
        .map(|((case, _), count)| format!("{case} ({}–{})", count.least, count.most))
        .collect();
    if !loose.is_empty() {
        into.notes.push(format!(
            "instructions that depend on where the heap and stack lie, and so are not gated: {}",
            loose.join(", ")
        ));
    }
    Ok(())
}

/// Times `cases` by `effort.processes` processes of each runner in turn.
pub(crate) fn times(
    runners: &[Runner],
    cases: &[&str],
    effort: Effort,
    progress: &Progress,
    faults: &mut Vec<Fault>,
) -> anyhow::Result<Vec<BTreeMap<String, Time>>> {
    progress.begin("time", effort.processes * runners.len());
    let mut all = Vec::new();
    for process in 0..effort.processes {
        let mut by_case: BTreeMap<String, Time> = BTreeMap::new();
        for runner in runners {
            let said: Said = runner.run(&[], &effort.mode(process), cases)?;
            for line in said.lines {
                let Line::Time(time) = line else { continue };
                // A heavy runner's slices join those of the light one of the same turn.
                by_case
                    .entry(time.case.clone())
                    .and_modify(|known| known.rounds.extend(time.rounds.clone()))
                    .or_insert(time);
            }
            for fault in said.faults {
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
            progress.step();
        }
        all.push(by_case);
    }
    progress.end();
    Ok(all)
}
