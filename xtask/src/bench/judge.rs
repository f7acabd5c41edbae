//! From measurements to verdicts. Pure: nothing is run and nothing is printed here.

use super::baseline::Baseline;
use super::claims::{self, Numbers, Under};
use super::measure::Measured;
use super::report::{CaseReport, Drift, LimitReport, VariantReport, Verdict};
use super::{Fault, stats};
use onecopy_bench_model::case::{Case, Metric};
use onecopy_bench_model::wire::{NULL, Time};
use std::collections::BTreeMap;

/// How much an instruction count may rise above the baseline.
pub(crate) const INSTRUCTIONS_TOLERANCE: f64 = 0.01;

/// What is held against what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) heavy: bool,
    pub(crate) baseline: Option<&'a Baseline>,
}

/// Judges every case.
pub(crate) fn judge(cases: &[&Case], measured: &Measured, rules: Rules<'_>) -> Vec<CaseReport> {
    cases.iter().map(|case| judge_case(case, measured, rules)).collect()
}

/// The cases whose time failed, to be run again.
pub(crate) fn failed_in_time<'c>(
    cases: &[&'c Case],
    measured: &Measured,
    rules: Rules<'_>,
) -> Vec<&'c str> {
    cases
        .iter()
        .filter(|case| {
            judge_case(case, measured, rules)
                .claims
                .iter()
                .any(|c| c.metric == Metric::Time && c.holds == Some(false))
        })
        .map(|case| case.name.as_str())
        .collect()
}

fn judge_case(case: &Case, measured: &Measured, rules: Rules<'_>) -> CaseReport {
    let numbers = numbers(case, measured, &measured.times);
    let biased = numbers.is_biased(case.bound.tolerance());
    let under = |biased| Under { tier: &measured.hello.tier, heavy: rules.heavy, biased };
    let mut claims: Vec<_> =
        case.claim.iter().map(|c| claims::judge(case, c, &numbers, under(biased))).collect();

    // A failure of time stands only when it repeats in the longer run.
    let repeated = self::numbers(case, measured, &measured.again);
    if !repeated.times.is_empty() {
        let biased = repeated.is_biased(case.bound.tolerance());
        for (claim, definition) in claims.iter_mut().zip(&case.claim) {
            if claim.metric == Metric::Time && claim.holds == Some(false) {
                *claim = claims::judge(case, definition, &repeated, under(biased));
            }
        }
    }

    let mut reasons = Vec::new();
    for Fault { case: at, what, .. } in &measured.faults {
        if *at == case.name {
            reasons.push(what.clone());
        }
    }
    for claim in claims.iter().filter(|c| c.holds == Some(false)) {
        let got = claim.measured.map_or_else(|| "nothing".to_owned(), |m| format!("{m:.3}"));
        reasons.push(format!("{}; measured {got}", claim.text));
    }
    let drift = drift(case, &numbers, rules.baseline);
    for d in drift.iter().filter(|d| d.fails) {
        reasons.push(format!(
            "{} of {} rose from the baseline's {} to {}",
            d.metric, d.variant, d.baseline, d.now
        ));
    }
    let failed = !reasons.is_empty();
    let unjudged =
        claims.iter().any(|c| c.skipped.as_deref() == Some("the null control was biased"));
    if unjudged || (biased && !numbers.times.is_empty()) {
        reasons.push("the null control was biased: no time was judged".to_owned());
    }
    let verdict = match (failed, unjudged || biased) {
        (true, _) => Verdict::Fail,
        (false, true) => Verdict::Noisy,
        (false, false) => Verdict::Pass,
    };

    CaseReport {
        name: case.name.clone(),
        crate_name: case.crate_name().to_owned(),
        about: case.about.clone(),
        source: case.source.clone(),
        input: case.input.clone(),
        bound: case.bound,
        curve: case.curve.clone(),
        verdict,
        reasons,
        variants: case
            .everyone()
            .filter_map(|name| Some((name.to_owned(), variant(name, case, measured, &numbers)?)))
            .collect(),
        ratio: numbers.ratio("after", "before"),
        fix_ratio: numbers.ratio("fix", "before"),
        peers: case
            .peers
            .iter()
            .chain(&case.heavy)
            .filter_map(|peer| Some((peer.clone(), numbers.ratio("after", peer)?)))
            .collect(),
        limit: case
            .limit
            .as_ref()
            .map(|limit| LimitReport { name: limit.clone(), ratio: numbers.ratio("after", limit) }),
        null: numbers.ratio(NULL, "after"),
        claims,
        drift,
    }
}

/// Gathers what was measured of `case`.
fn numbers<'m>(
    case: &'m Case,
    measured: &'m Measured,
    times: &'m [BTreeMap<String, Time>],
) -> Numbers<'m> {
    let mut numbers = Numbers {
        times: times.iter().filter_map(|p| p.get(&case.name)).collect(),
        heavy: case.heavy.iter().map(String::as_str).collect(),
        ..Numbers::default()
    };
    for name in case.everyone() {
        let key = (case.name.clone(), name.to_owned());
        let counts = numbers.counts.entry(name).or_default();
        if let Some(alloc) = measured.heap.get(&key) {
            let one = &alloc.one;
            counts.insert(Metric::Allocs, one.allocs);
            counts.insert(Metric::Bytes, one.bytes);
            counts.insert(Metric::Reallocs, one.reallocs);
            counts.insert(Metric::Peak, one.peak);
            // What is freed beyond what was allocated is no leak, but no steady state either.
            counts.insert(Metric::Leak, one.leak.unsigned_abs());
            if !alloc.is_steady() {
                numbers.unsteady.extend(
                    [Metric::Allocs, Metric::Bytes, Metric::Reallocs, Metric::Peak, Metric::Leak]
                        .map(|m| (name, m)),
                );
            }
        }
        if let Some(count) = measured.instructions.get(&key) {
            counts.insert(Metric::Instructions, count.least);
            if !count.is_steady() {
                numbers.unsteady.push((name, Metric::Instructions));
            }
        }
    }
    numbers
}

fn variant(
    name: &str,
    case: &Case,
    measured: &Measured,
    numbers: &Numbers<'_>,
) -> Option<VariantReport> {
    let count = |metric| numbers.counts.get(name).and_then(|c| c.get(&metric)).copied();
    let medians: Vec<f64> = numbers
        .times
        .iter()
        .filter_map(|t| t.rounds.get(name).and_then(|r| stats::median(r)))
        .collect();
    let leak = measured.heap.get(&(case.name.clone(), name.to_owned())).map(|a| a.one.leak);
    let report = VariantReport {
        allocs: count(Metric::Allocs),
        bytes: count(Metric::Bytes),
        reallocs: count(Metric::Reallocs),
        peak: count(Metric::Peak),
        leak,
        ns: stats::median(&medians),
        instructions: count(Metric::Instructions),
    };
    (report != VariantReport::default()).then_some(report)
}

/// What of `after` differs from the baseline; a rise beyond the tolerance fails, a fall is shown
/// so that the baseline can be saved anew.
fn drift(case: &Case, numbers: &Numbers<'_>, baseline: Option<&Baseline>) -> Vec<Drift> {
    let Some(known) = baseline.and_then(|b| b.cases.get(&case.name)) else { return Vec::new() };
    let Some(now) = numbers.counts.get("after") else { return Vec::new() };
    known
        .iter()
        .filter_map(|(metric, baseline)| {
            let now = *now.get(metric)?;
            let unsteady = numbers.unsteady.contains(&("after", *metric));
            let tolerance =
                if *metric == Metric::Instructions { INSTRUCTIONS_TOLERANCE } else { 0.0 };
            let fails = !unsteady && now as f64 > *baseline as f64 * (1.0 + tolerance);
            (now != *baseline).then(|| Drift {
                variant: "after".to_owned(),
                metric: *metric,
                baseline: *baseline,
                now,
                fails,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
