//! `bench compare --base REV`: this tree against another revision, in one run.
//!
//! Both runners measure the same cases, a few at a time and taking turns, so that what the machine
//! does between two turns falls on both. Two turns do not find the same clock rate, though: it moves
//! by several percent within milliseconds, as the neighbours' load does. So what is compared is the
//! time in units of a chain of dependent steps that each round measures too. (Code that itself makes
//! the processor clock lower is not charged for that.) The rules are those of a run: a rise of `after`
//! beyond the tolerance in six of seven process pairs, seen twice; any rise of allocations; 1 % of
//! instructions.

use super::callgrind::{self, Which};
use super::claims::Numbers;
use super::measure::{self, Effort, Measured};
use super::progress::Progress;
use super::report::Ratio;
use super::runner::Runner;
use super::{Fault, FaultKind, Options, Pass, Place, environment, exit, judge, plan, run, stats};
use anyhow::{Context, Result};
use onecopy_bench_model::case::{Case, Metric};
use onecopy_bench_model::wire::{CLOCK, Time};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// The revision to compare with.
    #[arg(long, value_name = "REV")]
    base: String,
    /// Measure this tree with its uncommitted changes.
    #[arg(long)]
    dirty: bool,
}

/// How many cases a process measures before the other's turn.
const TURN: usize = 8;

/// A case, measured in both trees.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) case: String,
    /// head/base.
    pub(crate) time: Option<Ratio>,
    /// (base, head) by metric.
    pub(crate) counts: BTreeMap<Metric, (u64, u64)>,
    /// The gates that failed.
    pub(crate) failed: Vec<Metric>,
    /// A null control was biased, so the time was not judged.
    pub(crate) noisy: bool,
}

/// Runs the command.
pub(crate) fn command(place: &Place, options: &Options, args: &Args) -> Result<u8> {
    let root = &place.workspace.root;
    let chosen = plan::select(&place.cases, options)?;
    if environment::is_dirty(root) && !args.dirty {
        anyhow::bail!(
            "the working tree has uncommitted changes, so it is not the revision it would be called: commit them, or say --dirty"
        );
    }
    let worktree = Worktree::add(root, &args.base, &place.out.join("base"))?;
    let base = run::light_at(worktree.path(), &place.out.join("base-target"), options)
        .with_context(|| format!("at {}", args.base))?;
    let head = run::light(place, options)?;
    let (common, left_out) = in_both(&base, &head, &chosen)?;
    for name in &left_out {
        println!("not in both revisions: {name}");
    }
    anyhow::ensure!(!common.is_empty(), "no chosen case is in both revisions");
    if options.wants(Pass::Instructions) && callgrind::version().is_none() {
        println!("skipped: instructions (no valgrind on this machine)");
    }

    let mut faults = wrong_results(&head, &base, &common, &args.base)?;
    let pairs = pairs(&head, &base, &common, options, &place.out, &mut faults)?;
    for fault in &faults {
        eprintln!("{}: {}", fault.case, fault.what);
    }
    print(&pairs, &args.base);
    Ok(if !faults.is_empty() {
        exit::WRONG
    } else if pairs.iter().any(|p| !p.failed.is_empty()) {
        exit::GATE
    } else {
        exit::HOLDS
    })
}

/// The chosen cases that both runners have, and the names of the others.
fn in_both<'c>(
    base: &Runner,
    head: &Runner,
    chosen: &[&'c Case],
) -> Result<(Vec<&'c Case>, Vec<String>)> {
    let of = |runner: &Runner| -> Result<_> {
        Ok(runner.run(&[], &["list".into()], &[])?.hello.registered)
    };
    let (base, head) = (of(base)?, of(head)?);
    let (common, others): (Vec<&Case>, Vec<&Case>) =
        chosen.iter().partition(|c| base.contains_key(&c.name) && head.contains_key(&c.name));
    Ok((common, others.into_iter().map(|c| c.name.clone()).collect()))
}

/// What gives a wrong result in this tree, or another one than in the base, is no faster for it.
fn wrong_results(head: &Runner, base: &Runner, cases: &[&Case], rev: &str) -> Result<Vec<Fault>> {
    let mut measured = Measured::default();
    measure::digests(std::slice::from_ref(head), cases, &mut measured)?;
    let mut faults = std::mem::take(&mut measured.faults);
    measure::digests(std::slice::from_ref(base), cases, &mut measured)?;
    for fault in &measured.faults {
        println!("{} at {rev}: {} (by this tree's definition)", fault.case, fault.what);
    }
    faults.retain(|fault| fault.kind == FaultKind::Wrong);
    Ok(faults)
}

/// Measures `cases` with both runners and applies the rules.
pub(crate) fn pairs(
    head: &Runner,
    base: &Runner,
    cases: &[&Case],
    options: &Options,
    scratch: &Path,
    faults: &mut Vec<Fault>,
) -> Result<Vec<Pair>> {
    let progress = Progress::new();
    let only_after = |runner: &Runner| {
        let mut runner = runner.clone();
        runner.extra.extend(["--variant=after".into(), format!("--variant={CLOCK}")]);
        runner
    };
    let (head, base) = (only_after(head), only_after(base));
    let counted = |runner: &Runner, faults: &mut Vec<Fault>| -> Result<Measured> {
        let mut measured = Measured::default();
        if options.wants(Pass::Allocs) {
            measure::heap(std::slice::from_ref(runner), cases, &mut measured)?;
        }
        if options.wants(Pass::Instructions) && callgrind::version().is_some() {
            measure::instructions(
                runner,
                cases,
                Which::Gated,
                &scratch.join("callgrind"),
                &progress,
                &mut measured,
            )?;
        }
        faults.append(&mut measured.faults);
        Ok(measured)
    };
    let counts = (counted(&head, faults)?, counted(&base, faults)?);

    let mut result: Vec<Pair> = cases
        .iter()
        .map(|case| {
            let counts = both(&case.name, &counts.0, &counts.1);
            let failed =
                counts.iter().filter(|(m, (b, h))| rises(**m, *b, *h)).map(|(m, _)| *m).collect();
            Pair { case: case.name.clone(), time: None, counts, failed, noisy: false }
        })
        .collect();
    if options.wants(Pass::Time) {
        let first = take_turns(&head, &base, cases, options.effort(), &progress, faults)?;
        let risen: Vec<&Case> = cases
            .iter()
            .copied()
            .filter(|c| first.get(&c.name).is_some_and(|t| t.rose(c.bound.tolerance())))
            .collect();
        let second = if risen.is_empty() {
            BTreeMap::new()
        } else {
            take_turns(&head, &base, &risen, options.effort().twice(), &progress, faults)?
        };
        for (pair, case) in result.iter_mut().zip(cases) {
            let tolerance = case.bound.tolerance();
            let Some(turns) = second.get(&case.name).or_else(|| first.get(&case.name)) else {
                continue;
            };
            pair.time = turns.ratio();
            pair.noisy = turns.is_biased(tolerance);
            if second.contains_key(&case.name) && turns.rose(tolerance) && !pair.noisy {
                pair.failed.push(Metric::Time);
            }
        }
    }
    Ok(result)
}

/// The slices of one case, process pair by process pair.
#[derive(Debug, Default)]
struct Turns {
    head: Vec<Time>,
    base: Vec<Time>,
}

impl Turns {
    /// Process pair by process pair: in units of the clock, or of a nanosecond if the base is of a
    /// revision that has no clock.
    fn ratios(&self) -> Vec<f64> {
        let clocked = self.head.iter().chain(&self.base).all(|t| t.rounds.contains_key(CLOCK));
        let figure = |t: &Time| {
            let after = t.rounds.get("after")?;
            if clocked {
                stats::paired_ratio(after, t.rounds.get(CLOCK)?)
            } else {
                stats::median(after)
            }
        };
        self.head
            .iter()
            .zip(&self.base)
            .filter_map(|(h, b)| Some(figure(h)? / figure(b)?))
            .collect()
    }

    fn ratio(&self) -> Option<Ratio> {
        let processes = self.ratios();
        let (low, high) = stats::interval(&processes)?;
        Some(Ratio { median: stats::median(&processes)?, low, high, processes })
    }

    fn rose(&self, tolerance: f64) -> bool {
        stats::rose(&self.ratios(), tolerance)
    }

    fn is_biased(&self, tolerance: f64) -> bool {
        [&self.head, &self.base].into_iter().any(|side| {
            Numbers { times: side.iter().collect(), ..Numbers::default() }.is_biased(tolerance)
        })
    }
}

fn take_turns(
    head: &Runner,
    base: &Runner,
    cases: &[&Case],
    effort: Effort,
    progress: &Progress,
    faults: &mut Vec<Fault>,
) -> Result<BTreeMap<String, Turns>> {
    let mut all: BTreeMap<String, Turns> = BTreeMap::new();
    progress.begin("compare", effort.processes * cases.len().div_ceil(TURN));
    for few in cases.chunks(TURN) {
        let names: Vec<&str> = few.iter().map(|c| c.name.as_str()).collect();
        for process in 0..effort.processes {
            // Who goes first alternates: the second finds a warmer or a more tired machine.
            let order = if process % 2 == 0 { [true, false] } else { [false, true] };
            for is_head in order {
                let runner = if is_head { head } else { base };
                let said = runner.run(&[], &effort.mode(process), &names)?;
                for time in said.lines {
                    let onecopy_bench_model::wire::Line::Time(time) = time else { continue };
                    let turns = all.entry(time.case.clone()).or_default();
                    if is_head { turns.head.push(time) } else { turns.base.push(time) }
                }
                faults.extend(said.faults);
            }
            progress.step();
        }
    }
    progress.end();
    Ok(all)
}

/// (base, head) of every metric that both counted steadily.
fn both(case: &str, head: &Measured, base: &Measured) -> BTreeMap<Metric, (u64, u64)> {
    let key = (case.to_owned(), "after".to_owned());
    let mut counts = BTreeMap::new();
    if let (Some(h), Some(b)) = (head.heap.get(&key), base.heap.get(&key))
        && h.is_steady()
        && b.is_steady()
    {
        counts.insert(Metric::Allocs, (b.one.allocs, h.one.allocs));
        counts.insert(Metric::Bytes, (b.one.bytes, h.one.bytes));
        counts.insert(Metric::Peak, (b.one.peak, h.one.peak));
    }
    if let (Some(h), Some(b)) = (head.instructions.get(&key), base.instructions.get(&key))
        && h.is_steady()
        && b.is_steady()
    {
        counts.insert(Metric::Instructions, (b.most, h.least));
    }
    counts
}

fn rises(metric: Metric, base: u64, head: u64) -> bool {
    let tolerance =
        if metric == Metric::Instructions { judge::INSTRUCTIONS_TOLERANCE } else { 0.0 };
    head as f64 > base as f64 * (1.0 + tolerance)
}

fn print(pairs: &[Pair], base: &str) {
    println!("this tree against {base} (time: this/base, below 1 is faster)");
    for pair in pairs {
        let time = pair.time.as_ref().map_or_else(
            || "–".to_owned(),
            |r| format!("{:.3} [{:.3}–{:.3}]", r.median, r.low, r.high),
        );
        let counts: Vec<String> = pair
            .counts
            .iter()
            .filter(|(_, (b, h))| b != h)
            .map(|(m, (b, h))| format!("{m} {b}→{h}"))
            .collect();
        let verdict = match (pair.failed.is_empty(), pair.noisy) {
            (false, _) => {
                let names: Vec<&str> = pair.failed.iter().map(|m| m.name()).collect();
                format!("FAIL ({})", names.join(", "))
            }
            (true, true) => "noisy: the time was not judged".to_owned(),
            (true, false) => "pass".to_owned(),
        };
        println!("{:<52} {time:<24} {:<30} {verdict}", pair.case, counts.join(" "));
    }
    let failed = pairs.iter().filter(|p| !p.failed.is_empty()).count();
    let plural = if pairs.len() == 1 { "case" } else { "cases" };
    println!("{} {plural}: {failed} failed", pairs.len());
}

/// A worktree that goes away with its value.
#[derive(Debug)]
pub(crate) struct Worktree {
    root: PathBuf,
    path: PathBuf,
}

impl Worktree {
    /// Checks `revision` out at `path`; what an interrupted run left there is removed first.
    pub(crate) fn add(root: &Path, revision: &str, path: &Path) -> Result<Self> {
        let known = environment::first_line(environment::git(root).args([
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{revision}^{{commit}}"),
        ]));
        let Some(commit) = known else {
            anyhow::bail!("`{revision}` is no revision of this repository")
        };
        let this = Self { root: root.to_owned(), path: path.to_owned() };
        this.remove();
        let output = environment::git(root)
            .args(["worktree", "add", "--detach", "--force"])
            .arg(path)
            .arg(commit)
            .output()?;
        anyhow::ensure!(
            output.status.success(),
            "git worktree add: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(this)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn remove(&self) {
        let _ = environment::git(&self.root)
            .args(["worktree", "remove", "--force"])
            .arg(&self.path)
            .output();
        let _ = std::fs::remove_dir_all(&self.path);
        let _ = environment::git(&self.root).args(["worktree", "prune"]).output();
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests;
