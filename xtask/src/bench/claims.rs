//! What becomes of one claim. Pure: numbers in, a verdict out.

use super::report::{ClaimReport, Ratio};
use super::stats;
use onecopy_bench_model::case::{Case, Claim, Expect, Metric, When};
use onecopy_bench_model::wire::{NULL, Time};
use std::collections::BTreeMap;

/// The numbers of one case.
#[derive(Debug, Default, Clone)]
pub(crate) struct Numbers<'m> {
    /// One a process.
    pub(crate) times: Vec<&'m Time>,
    /// By variant; a number that is not there was not measured.
    pub(crate) counts: BTreeMap<&'m str, BTreeMap<Metric, u64>>,
    /// The peers that ran in processes of their own.
    pub(crate) heavy: Vec<&'m str>,
    /// Variants whose number of that metric is not steady, and so is judged by no claim.
    pub(crate) unsteady: Vec<(&'m str, Metric)>,
}

impl Numbers<'_> {
    /// `a / b` of each process that timed both: paired within rounds when one process ran both,
    /// of medians when a heavy peer's process and ours took turns.
    pub(crate) fn ratios(&self, a: &str, b: &str) -> Vec<f64> {
        self.times
            .iter()
            .filter_map(|time| {
                let (of_a, of_b) = (time.rounds.get(a)?, time.rounds.get(b)?);
                if self.heavy.contains(&a) == self.heavy.contains(&b) {
                    stats::paired_ratio(of_a, of_b)
                } else {
                    Some(stats::median(of_a)? / stats::median(of_b)?)
                }
            })
            .collect()
    }

    /// `a / b` for the report.
    pub(crate) fn ratio(&self, a: &str, b: &str) -> Option<Ratio> {
        let processes = self.ratios(a, b);
        let (low, high) = stats::interval(&processes)?;
        Some(Ratio { median: stats::median(&processes)?, low, high, processes })
    }

    /// The duplicate of `after` against `after` is off by more than `tolerance`.
    pub(crate) fn is_biased(&self, tolerance: f64) -> bool {
        let null = stats::median(&self.ratios(NULL, "after")).unwrap_or(1.0);
        null > 1.0 + tolerance || null < 1.0 / (1.0 + tolerance)
    }
}

/// What the claims are judged under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Under<'a> {
    pub(crate) tier: &'a str,
    /// Heavy peers were run.
    pub(crate) heavy: bool,
    /// The null control was biased.
    pub(crate) biased: bool,
}

/// Whether `tier` has what the claim needs.
fn applies(when: When, tier: &str) -> bool {
    match when {
        When::Any => true,
        When::Avx2 => matches!(tier, "avx2" | "avx512"),
        When::Avx512 => tier == "avx512",
    }
}

/// Judges one claim.
pub(crate) fn judge(
    case: &Case,
    claim: &Claim,
    numbers: &Numbers<'_>,
    under: Under<'_>,
) -> ClaimReport {
    let mut report = ClaimReport {
        metric: claim.metric,
        text: claim.describe(),
        holds: None,
        goal_reached: None,
        measured: None,
        goal: claim.improves.and_then(|t| t.goal),
        skipped: None,
    };
    let parties = || std::iter::once(claim.of.as_str()).chain(claim.against.as_deref());
    let skip =
        |report: ClaimReport, why: &str| ClaimReport { skipped: Some(why.to_owned()), ..report };
    if !applies(claim.when, under.tier) {
        return skip(report, "not for this instruction set");
    }
    if !under.heavy && parties().any(|p| case.heavy.iter().any(|h| h == p)) {
        return skip(report, "a heavy peer: run with --peers");
    }
    let Some(expect) = claim.expect() else { return skip(report, "no demand") };

    if claim.metric == Metric::Time {
        let Some(against) = claim.against.as_deref() else { return skip(report, "no `against`") };
        let gains = numbers.ratios(against, &claim.of);
        let Some(gain) = stats::median(&gains) else {
            return skip(report, "time was not measured");
        };
        report.measured = Some(gain);
        if under.biased {
            return skip(report, "the null control was biased");
        }
        report.goal_reached = report.goal.map(|goal| gain >= goal);
        report.holds = Some(match expect {
            Expect::Improves(t) => !stats::fell_below(&gains, t.floor),
            Expect::Unchanged(x) => {
                let inverse: Vec<f64> = gains.iter().map(|g| 1.0 / g).collect();
                !stats::rose(&gains, x) && !stats::rose(&inverse, x)
            }
            _ => return skip(report, "a claim on time is a ratio"),
        });
        return report;
    }

    if let Some(who) = parties().find(|p| numbers.unsteady.contains(&(*p, claim.metric))) {
        // An instruction count that wobbles says nothing; a heap use that wobbles is a fault.
        if claim.metric == Metric::Instructions {
            return skip(report, "it depends on where the heap lies");
        }
        report.holds = Some(false);
        report.text = format!("{} (`{who}` is not steady over ten calls)", report.text);
        return report;
    }
    let number = |who: &str| numbers.counts.get(who).and_then(|c| c.get(&claim.metric)).copied();
    let Some(of) = number(&claim.of) else {
        return skip(report, &format!("{} were not counted", claim.metric));
    };
    let against = match claim.against.as_deref().map(number) {
        Some(None) => return skip(report, &format!("{} were not counted", claim.metric)),
        Some(Some(n)) => n,
        None => 0,
    };
    report.measured = Some(of as f64);
    report.holds = Some(match expect {
        Expect::Exact(n) => of == n,
        Expect::AtMost(n) => of <= n,
        Expect::Saves(n) => {
            let saved = i128::from(against) - i128::from(of);
            report.measured = Some(saved as f64);
            saved == i128::from(n)
        }
        Expect::Improves(t) => {
            // Nothing against something is an improvement without bound; nothing against nothing is none.
            let gain =
                if of == 0 && against > 0 { f64::INFINITY } else { against as f64 / of as f64 };
            report.measured = gain.is_finite().then_some(gain);
            report.goal_reached = t.goal.map(|goal| gain >= goal);
            gain >= t.floor
        }
        Expect::Unchanged(x) => {
            let ratio = |a, b| if a == b { 1.0 } else { a as f64 / b as f64 };
            let gain = ratio(against, of);
            report.measured = gain.is_finite().then_some(gain);
            (ratio(of, against) - 1.0).abs() <= x
        }
    });
    report
}
