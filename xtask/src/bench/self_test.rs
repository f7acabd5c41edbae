//! `bench self-test`: is a green run to be believed?
//!
//! Faults of known size are planted and exactly their gates must fire: +10 % time, +1 allocation,
//! +2 % instructions, each into one case. Nothing planted must leave everything green (A/A).
//! With `--undo` each fix is taken out by its patch instead: see [`super::undo`].

use super::baseline::Baseline;
use super::callgrind::{self, Which};
use super::judge::{self, Rules};
use super::measure::{self, Measured};
use super::progress::Progress;
use super::report::{Ratio, Verdict};
use super::runner::Runner;
use super::{Options, Pass, Place, compare, exit, plan, run, undo};
use anyhow::{Context, Result};
use onecopy_bench_model::case::{Bound, Case, Metric};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Take each fix out in a worktree and require exactly its cases to turn red.
    #[arg(long)]
    undo: bool,
}

/// Cases whose time does not change from process to process, the steadiest first: all they do is to
/// read some kilobytes from the first-level cache and return a number in a register. With no store
/// in the loop, nothing depends on where heap and stack lie; the time of a case that writes is often
/// one of two, and which of them is settled as its process starts.
const STEADY: [&str; 6] = [
    "utf8-runes/count/cjk-4096",
    "utf8-runes/count/ascii-4096",
    "utf8-runes/count/mixed-4096",
    "utf8-runes/count/emoji-4096",
    "utf8-runes/offset/cjk-400",
    "utf8-runes/offset/ascii-400",
];

/// Runs the command.
pub(crate) fn command(place: &Place, options: &Options, args: &Args) -> Result<u8> {
    if args.undo {
        return undo::command(place, options);
    }
    let chosen = plan::select(&place.cases, options)?;
    let runner = run::light(place, options)?;
    let progress = Progress::new();
    // The untouched counts: what the planted ones are held against.
    let mut clean = Measured::default();
    measure::digests(std::slice::from_ref(&runner), &chosen, &mut clean)?;
    if let Some(code) = run::definition_faults(&clean) {
        return Ok(code);
    }
    anyhow::ensure!(
        clean.faults.is_empty(),
        "a case fails unplanted: run `cargo xtask bench` first"
    );
    measure::heap(std::slice::from_ref(&runner), &chosen, &mut clean)?;
    let sample = sample(&chosen, &clean);
    let scratch = place.out.join("callgrind");
    if callgrind::version().is_some() {
        measure::instructions(&runner, &sample, Which::Gated, &scratch, &progress, &mut clean)?;
    }
    let unplanted = judged(&sample, &clean, &clean);
    anyhow::ensure!(
        unplanted.is_empty(),
        "a gate fails with nothing planted ({}): run `cargo xtask bench` first",
        unplanted.join(", ")
    );
    let (untouched, pairs) = nothing(&runner, &sample, &clean, options, place)?;
    let victim = victim(&sample, &clean, &pairs)?;
    println!("planting into {}, beside {} other cases", victim.name, sample.len() - 1);

    let mut tests = vec![untouched];
    let planted_time = time(&runner, &sample, victim, options, place)?;
    let skipped = usize::from(planted_time.is_none());
    tests.extend(planted_time);
    tests.push(counted(&runner, &sample, victim, &clean, Metric::Allocs, place, &progress)?);
    if callgrind::version().is_some() {
        tests.push(counted(
            &runner,
            &sample,
            victim,
            &clean,
            Metric::Instructions,
            place,
            &progress,
        )?);
    } else {
        println!("skipped: +2 % instructions (no valgrind on this machine)");
    }
    let failed = tests.iter().filter(|t| !t.holds()).count();
    for test in &tests {
        test.print();
    }
    if skipped > 0 {
        println!("skipped: +10 % time, the machine was unfit {TRIES} times");
    }
    println!("{} passed, {failed} failed, {skipped} skipped", tests.len() - failed);
    Ok(match (failed, skipped) {
        (0, 1..) if options.strict => exit::UNFIT,
        (0, _) => exit::HOLDS,
        _ => exit::GATE,
    })
}

/// A planted fault, which gates should fire on it, and which did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) what: String,
    pub(crate) expected: Vec<String>,
    pub(crate) fired: Vec<String>,
}

impl Outcome {
    pub(crate) fn new(
        what: impl Into<String>,
        mut expected: Vec<String>,
        mut fired: Vec<String>,
    ) -> Self {
        expected.sort();
        fired.sort();
        Self { what: what.into(), expected, fired }
    }

    pub(crate) fn holds(&self) -> bool {
        self.expected == self.fired
    }

    pub(crate) fn print(&self) {
        println!("{} {}", if self.holds() { "ok  " } else { "FAIL" }, self.what);
        for missing in self.expected.iter().filter(|e| !self.fired.contains(e)) {
            println!("       did not fire: {missing}");
        }
        for extra in self.fired.iter().filter(|f| !self.expected.contains(f)) {
            println!("       fired wrongly: {extra}");
        }
    }
}

/// Whether a planted allocation would be seen, and be the only one: compute-bound, none now, claimed.
fn is_quiet(case: &Case, clean: &Measured) -> bool {
    let key = (case.name.clone(), "after".to_owned());
    case.bound == Bound::Compute
        && clean.heap.get(&key).is_some_and(|a| a.one.allocs == 0 && a.is_steady())
        && case.claim.iter().any(|c| c.metric == Metric::Allocs && c.of == "after")
}

/// Eight cases that could be the victim, of [`STEADY`] and others, and up to eight that could not,
/// spread over what was chosen.
fn sample<'c>(chosen: &[&'c Case], clean: &Measured) -> Vec<&'c Case> {
    // Cases of megabytes empty the caches for those beside them, and take most of the time.
    let small = chosen.iter().copied().filter(|c| c.bound == Bound::Compute && c.slow.is_empty());
    let (quiet, others): (Vec<&Case>, Vec<&Case>) = small.partition(|c| is_quiet(c, clean));
    let steady: Vec<&Case> = named(&quiet, &STEADY).take(2).collect();
    let quiet = quiet.into_iter().filter(|c| !steady.iter().any(|s| s.name == c.name)).collect();
    let spread = |cases: Vec<&'c Case>, n: usize| {
        let step = cases.len().div_ceil(n).max(1);
        cases.into_iter().step_by(step)
    };
    let free = 8 - steady.len();
    steady.into_iter().chain(spread(quiet, free)).chain(spread(others, 8)).collect()
}

/// Those of `cases` that have one of the `names`, in the order of these.
fn named<'a, 'c>(cases: &'a [&'c Case], names: &'a [&str]) -> impl Iterator<Item = &'c Case> + 'a {
    names.iter().filter_map(|name| cases.iter().copied().find(|c| c.name == *name))
}

/// One of them that is long enough for 2 % to be a count: the first of [`STEADY`]. If the options
/// leave none of these, the one whose time moved least between the processes of A/A, which may be
/// luck: what 10 % is planted into must not move by more than that on its own.
fn victim<'c>(
    sample: &[&'c Case],
    clean: &Measured,
    untouched: &[compare::Pair],
) -> Result<&'c Case> {
    let moved = |case: &Case| {
        let ratio = untouched.iter().find(|p| p.case == case.name).and_then(|p| p.time.as_ref());
        ratio.map_or(f64::INFINITY, |r| r.high / r.low)
    };
    let fit: Vec<&Case> = sample
        .iter()
        .copied()
        .filter(|c| is_quiet(c, clean))
        .filter(|c| {
            let count = clean.instructions.get(&(c.name.clone(), "after".to_owned()));
            count.is_none_or(|n| n.least >= 200 && n.least == n.most)
        })
        .collect();
    named(&fit, &STEADY)
        .next()
        .or_else(|| fit.iter().copied().min_by(|a, b| moved(a).total_cmp(&moved(b))))
        .context("no compute-bound case without allocations to plant into")
}

/// The runner with a fault planted into `victim`. What nothing is planted into but is compared with
/// one of these is planted `none`: its words must be of the same length, as they lie on the stack and
/// the heap and move what comes after them.
fn planted(runner: &Runner, kind: &str, victim: &Case) -> Runner {
    let mut runner = runner.clone();
    runner.extra.extend([format!("--plant={kind}"), format!("--plant-case={}", victim.name)]);
    runner
}

/// The same runner against itself, and its counts against themselves.
fn nothing(
    runner: &Runner,
    sample: &[&Case],
    clean: &Measured,
    options: &Options,
    place: &Place,
) -> Result<(Outcome, Vec<compare::Pair>)> {
    let (mut fired, pairs) = compared(runner, runner, sample, options, place)?;
    fired.extend(judged(sample, clean, clean));
    Ok((Outcome::new("A/A: nothing planted", Vec::new(), fired), pairs))
}

/// Tries on a machine that turns out unfit, each with processes of its own.
const TRIES: u32 = 3;

/// `None`, and said, where the machine was unfit at every try.
fn time(
    runner: &Runner,
    sample: &[&Case],
    victim: &Case,
    options: &Options,
    place: &Place,
) -> Result<Option<Outcome>> {
    let (head, base) = (planted(runner, "time", victim), planted(runner, "none", victim));
    for _ in 0..TRIES {
        let (fired, pairs) = compared(&head, &base, sample, options, place)?;
        let seen = pairs.iter().find(|p| p.case == victim.name).and_then(|p| p.time.as_ref());
        let what = match seen {
            Some(r) => format!("+10 % time (seen: {:.3} [{:.3}–{:.3}])", r.median, r.low, r.high),
            None => "+10 % time".to_owned(),
        };
        if seen.is_some_and(|r| fired.is_empty() && is_unfit(r)) {
            println!("{what}: unfit, the processes lie further apart than what is planted");
            continue;
        }
        return Ok(Some(Outcome::new(what, vec![format!("{}: time", victim.name)], fired)));
    }
    Ok(None)
}

/// Whether the processes differ by half more than what is planted, which then cannot show: that is
/// the machine's fault and not the gate's, as it is where a run of `bench` is noisy.
fn is_unfit(seen: &Ratio) -> bool {
    seen.high / seen.low > 1.15
}

/// +1 allocation or +2 % instructions: the claims and the baseline must see it.
fn counted(
    runner: &Runner,
    sample: &[&Case],
    victim: &Case,
    clean: &Measured,
    metric: Metric,
    place: &Place,
    progress: &Progress,
) -> Result<Outcome> {
    let mut measured = Measured { hello: clean.hello.clone(), ..Measured::default() };
    let (what, kind) = match metric {
        Metric::Instructions => ("+2 % instructions", "instructions"),
        _ => ("+1 allocation", "alloc"),
    };
    let runner = planted(runner, kind, victim);
    // Both passes run: the gate of the other metric must stay quiet.
    measure::heap(std::slice::from_ref(&runner), sample, &mut measured)?;
    if callgrind::version().is_some() {
        measure::instructions(
            &runner,
            sample,
            Which::Gated,
            &place.out.join("callgrind"),
            progress,
            &mut measured,
        )?;
    }
    let expected = match metric {
        Metric::Instructions => vec![format!("{}: instructions", victim.name)],
        // One allocation of one byte: its count, its byte and the peak it makes.
        _ => vec![format!("{}: allocs", victim.name)],
    };
    Ok(Outcome::new(what, expected, judged(sample, &measured, clean)))
}

/// The gates that fire between two runners. An allocation has a count, bytes and a peak: one gate.
fn compared(
    head: &Runner,
    base: &Runner,
    sample: &[&Case],
    options: &Options,
    place: &Place,
) -> Result<(Vec<String>, Vec<compare::Pair>)> {
    let options =
        Options { quick: false, metric: vec![Pass::Time, Pass::Allocs], ..options.clone() };
    let mut faults = Vec::new();
    let pairs = compare::pairs(head, base, sample, &options, &place.out, &mut faults)?;
    anyhow::ensure!(faults.is_empty(), "{}: {}", faults[0].case, faults[0].what);
    let mut fired: Vec<String> = pairs
        .iter()
        .flat_map(|p| p.failed.iter().map(|m| format!("{}: {}", p.case, gate(*m))))
        .collect();
    fired.dedup();
    Ok((fired, pairs))
}

/// The gates of claims and baseline that fire on `measured`, the baseline being `clean`.
fn judged(sample: &[&Case], measured: &Measured, clean: &Measured) -> Vec<String> {
    let baseline = Baseline::default().updated(&run::key(&clean.hello), sample, clean);
    let rules = Rules { heavy: false, baseline: Some(&baseline) };
    let mut fired = Vec::new();
    for report in judge::judge(sample, measured, rules) {
        if report.verdict != Verdict::Fail {
            continue;
        }
        let claims = report.claims.iter().filter(|c| c.holds == Some(false)).map(|c| c.metric);
        let drift = report.drift.iter().filter(|d| d.fails).map(|d| d.metric);
        for metric in claims.chain(drift) {
            let line = format!("{}: {}", report.name, gate(metric));
            if !fired.contains(&line) {
                fired.push(line);
            }
        }
    }
    fired
}

fn gate(metric: Metric) -> &'static str {
    match metric {
        Metric::Time => "time",
        Metric::Instructions => "instructions",
        _ => "allocs",
    }
}

#[cfg(test)]
mod tests;
