//! What the formats share: which number stands where, and in which words.

use super::format::{self, NONE};
use super::{CaseReport, ClaimReport, Drift, Environment, Ratio, Report, VariantReport, Verdict};
use std::collections::BTreeMap;

/// How many times faster, the way people read a ratio: the inverse, so that low and high change places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Speed {
    pub(super) median: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Speed {
    /// How many times faster the dividend of `ratio` is than its divisor. `None` for what is no ratio of times.
    pub(super) fn of(ratio: &Ratio) -> Option<Speed> {
        Speed { median: 1.0 / ratio.median, low: 1.0 / ratio.high, high: 1.0 / ratio.low }.sane()
    }

    /// Where a peer stands when `before` is 1. The interval stays that of after/peer: how well the
    /// peer's distance from `after` is known.
    fn of_peer(peer: &Ratio, after: f64) -> Option<Speed> {
        Speed { median: after * peer.median, low: after * peer.low, high: after * peer.high }.sane()
    }

    fn sane(self) -> Option<Speed> {
        let sane = |x: f64| x.is_finite() && x > 0.0;
        (sane(self.median) && sane(self.low) && sane(self.high)).then_some(self)
    }

    /// `×13.2 [12.9–13.5]`.
    pub(super) fn text(self) -> String {
        format!("{} {}", format::times(self.median), self.interval())
    }

    /// `[12.9–13.5]`.
    pub(super) fn interval(self) -> String {
        format!("[{}–{}]", format::number(self.low), format::number(self.high))
    }
}

/// What a series of a plot is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Before,
    Fix,
    After,
    Peer,
    Limit,
}

/// A variant or peer on the axis of its case.
#[derive(Debug)]
pub(super) struct Series<'a> {
    pub(super) name: &'a str,
    pub(super) kind: Kind,
    /// Relative to `before`, or to `after` where there is no `before`; `None` when it was not timed.
    pub(super) speed: Option<Speed>,
    pub(super) ns: Option<f64>,
}

/// `before`, `fix`, `after`, then the peers by name, and the limit. A name without any number is left out.
pub(super) fn series(case: &CaseReport) -> Vec<Series<'_>> {
    let reference = Speed { median: 1.0, low: 1.0, high: 1.0 };
    let after = case.ratio.as_ref().and_then(Speed::of);
    let ns = |name: &str| case.variants.get(name).and_then(|v| v.ns);
    let mut all = Vec::new();
    for (name, kind) in [("before", Kind::Before), ("fix", Kind::Fix), ("after", Kind::After)] {
        let speed = match kind {
            Kind::Before => case.ratio.is_some().then_some(reference),
            Kind::Fix => case.fix_ratio.as_ref().and_then(Speed::of),
            _ => after.or((ns(name).is_some() || !case.peers.is_empty()).then_some(reference)),
        };
        if speed.is_some() || case.variants.contains_key(name) {
            all.push(Series { name, kind, speed, ns: ns(name) });
        }
    }
    let scale = after.map_or(1.0, |s| s.median);
    for name in peers(case) {
        let speed = case.peers.get(name).and_then(|ratio| Speed::of_peer(ratio, scale));
        all.push(Series { name, kind: Kind::Peer, speed, ns: ns(name) });
    }
    if let Some(limit) = &case.limit {
        let speed = limit.ratio.as_ref().and_then(|ratio| Speed::of_peer(ratio, scale));
        let name = limit.name.as_str();
        if speed.is_some() || case.variants.contains_key(name) {
            all.push(Series { name, kind: Kind::Limit, speed, ns: ns(name) });
        }
    }
    all
}

/// Every peer that has any number, by name.
pub(super) fn peers(case: &CaseReport) -> Vec<&str> {
    let counted = case.variants.keys().filter(|name| !is_variant(name) && !is_limit(case, name));
    let mut names: Vec<&str> = case.peers.keys().chain(counted).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What was measured of each variant and peer, in the order of [`series`].
pub(super) fn variants(case: &CaseReport) -> Vec<(&str, &VariantReport)> {
    let limit = case.limit.iter().map(|limit| limit.name.as_str());
    let names = ["before", "fix", "after"].into_iter().chain(peers(case)).chain(limit);
    names.filter_map(|n| case.variants.get_key_value(n).map(|(n, v)| (n.as_str(), v))).collect()
}

fn is_variant(name: &str) -> bool {
    matches!(name, "before" | "fix" | "after")
}

fn is_limit(case: &CaseReport, name: &str) -> bool {
    case.limit.as_ref().is_some_and(|limit| limit.name == name)
}

/// Its name, its title in a table, and how many times faster than it `after` is: below 1.
pub(super) fn limit(case: &CaseReport) -> Option<(&str, String, Option<Speed>)> {
    let limit = case.limit.as_ref()?;
    let title = format!("{} (the limit)", limit.name);
    Some((&limit.name, title, limit.ratio.as_ref().and_then(Speed::of)))
}

/// The peer that is hardest to beat, and how many times faster than it `after` is.
pub(super) fn best_peer(case: &CaseReport) -> Option<(&str, Speed)> {
    case.peers
        .iter()
        .filter_map(|(name, ratio)| Some((name.as_str(), Speed::of(ratio)?)))
        .min_by(|a, b| a.1.median.total_cmp(&b.1.median))
}

/// The cells of a case in every table, without escapes.
pub(super) struct Row {
    pub(super) time: String,
    pub(super) faster: String,
    pub(super) allocs: String,
    pub(super) bytes: String,
    pub(super) instructions: String,
    pub(super) peer: String,
}

/// The titles of the columns: the case, those of [`Row`], the verdict.
pub(super) const COLUMNS: [&str; 8] = [
    "case",
    "time",
    "× faster [low–high]",
    "allocs",
    "bytes",
    "instructions",
    "vs best peer",
    "verdict",
];

impl Row {
    pub(super) fn of(case: &CaseReport) -> Row {
        let (before, after) = (case.variants.get("before"), case.variants.get("after"));
        let pair =
            |get: fn(&VariantReport) -> Option<u64>| (before.and_then(get), after.and_then(get));
        let exact = |(before, after)| format::arrow(before, after, format::count);
        let (instructions_before, instructions_after) = pair(|v| v.instructions);
        Row {
            time: format::arrow(before.and_then(|v| v.ns), after.and_then(|v| v.ns), format::ns),
            faster: format::or_none(case.ratio.as_ref().and_then(Speed::of), Speed::text),
            allocs: exact(pair(|v| v.allocs)),
            bytes: exact(pair(|v| v.bytes)),
            instructions: format::arrow(instructions_before, instructions_after, format::short),
            peer: best_peer(case).map_or_else(
                || NONE.to_owned(),
                |(name, speed)| format!("{} {name}", format::times(speed.median)),
            ),
        }
    }
}

/// The sign of a verdict: colour is never the only one.
pub(super) fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::Noisy => "~",
    }
}

/// The verdict in full.
pub(super) fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Noisy => "~ noisy, no time judged".to_owned(),
        other => format!("{} {}", sign(other), other.name()),
    }
}

/// The name without its crate, for places that have named the crate.
pub(super) fn short_name(case: &CaseReport) -> &str {
    case.name
        .strip_prefix(case.crate_name.as_str())
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or(&case.name)
}

/// Cases by crate, both in the order of the report.
pub(super) fn by_crate(report: &Report) -> Vec<(&str, Vec<&CaseReport>)> {
    let mut groups: Vec<(&str, Vec<&CaseReport>)> = Vec::new();
    for case in &report.cases {
        match groups.iter_mut().find(|(name, _)| *name == case.crate_name) {
            Some((_, cases)) => cases.push(case),
            None => groups.push((&case.crate_name, vec![case])),
        }
    }
    groups
}

/// A claim with its case.
pub(super) type Claimed<'a> = (&'a CaseReport, &'a ClaimReport);

/// What a report says besides its tables.
pub(super) struct Summary<'a> {
    pub(super) missed: Vec<Claimed<'a>>,
    pub(super) unjudged: Vec<Claimed<'a>>,
    pub(super) failed: Vec<&'a CaseReport>,
    pub(super) noisy: Vec<&'a CaseReport>,
    pub(super) drift: Vec<(&'a CaseReport, &'a Drift)>,
    /// Such as `61 cases: 60 pass, 0 fail, 1 noisy; 88 of 97 goals reached; 3 claims not judged`.
    pub(super) line: String,
}

impl<'a> Summary<'a> {
    pub(super) fn of(report: &'a Report) -> Summary<'a> {
        let cases = &report.cases;
        let claims: Vec<Claimed<'a>> =
            cases.iter().flat_map(|case| case.claims.iter().map(move |c| (case, c))).collect();
        let with = |verdict| cases.iter().filter(|c| c.verdict == verdict).collect::<Vec<_>>();
        let of_claims = |keep: fn(&ClaimReport) -> bool| {
            claims.iter().copied().filter(|(_, claim)| keep(claim)).collect::<Vec<_>>()
        };
        let missed = of_claims(|c| goal(c) == Some(false));
        let reached = of_claims(|c| goal(c) == Some(true)).len();
        let unjudged = of_claims(|c| c.holds.is_none());
        let (failed, noisy) = (with(Verdict::Fail), with(Verdict::Noisy));
        let line = format!(
            "{}: {} pass, {} fail, {} noisy; {reached} of {} reached; {} not judged",
            plural(cases.len(), "case"),
            cases.len() - failed.len() - noisy.len(),
            failed.len(),
            noisy.len(),
            plural(reached + missed.len(), "goal"),
            plural(unjudged.len(), "claim"),
        );
        let drift = cases.iter().flat_map(|case| case.drift.iter().map(move |d| (case, d)));
        Summary { missed, unjudged, failed, noisy, drift: drift.collect(), line }
    }
}

pub(super) fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Whether the goal of a claim was reached; nothing is said of a claim that was not judged.
pub(super) fn goal(claim: &ClaimReport) -> Option<bool> {
    claim.holds.and(claim.goal_reached)
}

/// How near a missed goal is: `71 %`.
pub(super) fn share_of_goal(claim: &ClaimReport) -> String {
    match (claim.measured, claim.goal) {
        (Some(measured), Some(goal)) => format::percent(measured / goal),
        _ => NONE.to_owned(),
    }
}

/// Why a claim was not judged.
pub(super) fn why_unjudged(case: &CaseReport, claim: &ClaimReport) -> String {
    match &claim.skipped {
        Some(reason) => reason.clone(),
        None if case.verdict == Verdict::Noisy => "the case is noisy".to_owned(),
        None => "no reason was recorded".to_owned(),
    }
}

/// The cases with claims that were not judged, by reason: without the heavy peers there are many of one.
pub(super) fn unjudged_by_reason<'a>(
    summary: &Summary<'a>,
) -> BTreeMap<String, Vec<&'a CaseReport>> {
    let mut reasons: BTreeMap<String, Vec<&CaseReport>> = BTreeMap::new();
    for &(case, claim) in &summary.unjudged {
        let cases = reasons.entry(why_unjudged(case, claim)).or_default();
        if !cases.iter().any(|c| std::ptr::eq(*c, case)) {
            cases.push(case);
        }
    }
    reasons
}

/// Why a case is not a pass; a verdict without a reason says that.
pub(super) fn reasons(case: &CaseReport) -> Vec<String> {
    let mut reasons = case.reasons.clone();
    if case.verdict == Verdict::Noisy && !reasons.iter().any(|r| r.contains("no time was judged")) {
        reasons.insert(0, "no time was judged".to_owned());
    }
    if reasons.is_empty() && case.verdict != Verdict::Pass {
        reasons.push("no reason was recorded".to_owned());
    }
    reasons
}

/// `after allocs 3 → 4 (fails)`.
pub(super) fn drift(drift: &Drift) -> String {
    format!(
        "{} {} {} → {} ({})",
        drift.variant,
        drift.metric,
        format::count(drift.baseline),
        format::count(drift.now),
        if drift.fails { "fails" } else { "within tolerance" }
    )
}

/// The claim's outcome: its sign and what is to say beside its text.
pub(super) fn outcome(case: &CaseReport, claim: &ClaimReport) -> (&'static str, String) {
    let sign = match claim.holds {
        Some(true) => "✓",
        Some(false) => "✗",
        None => "–",
    };
    let mut said = match claim.holds {
        Some(true) => "holds".to_owned(),
        Some(false) => "does not hold".to_owned(),
        None => format!("not judged: {}", why_unjudged(case, claim)),
    };
    if let Some(measured) = claim.measured {
        said.push_str(&format!(", measured {}", format::plain(measured)));
    }
    match goal(claim) {
        Some(true) => said.push_str(", goal reached"),
        Some(false) => {
            said.push_str(&format!(", goal missed ({} of it)", share_of_goal(claim)));
        }
        None => {}
    }
    (sign, said)
}

/// The duplicate of `after` against `after`, where there is nothing that could be faster:
/// `1.00 [0.99–1.01]`.
pub(super) fn null(ratio: &Ratio) -> String {
    let [median, low, high] = [ratio.median, ratio.low, ratio.high].map(format::number);
    format!("{median} [{low}–{high}]")
}

/// What was measured where, without what changes from run to run on one machine.
pub(super) fn machine(environment: &Environment) -> String {
    let revision = environment.revision.as_deref();
    format!(
        "{} with {}, rustc {}, revision {}",
        environment.cpu,
        environment.tier,
        environment.rustc.trim_start_matches("rustc "),
        revision.unwrap_or("unknown (no git)")
    )
}

/// The rest of the environment.
pub(super) fn method(environment: &Environment) -> String {
    let e = environment;
    format!(
        "{}, {}, {}; {} × {}{}; valgrind {}; baseline {}; `cargo xtask {}`",
        e.target,
        e.libc,
        plural(e.cores, "core"),
        if e.processes == 1 {
            "1 process".to_owned()
        } else {
            format!("{} processes", e.processes)
        },
        plural(e.rounds, "round"),
        if e.quick { " (quick)" } else { "" },
        e.valgrind.as_deref().unwrap_or("absent"),
        e.baseline.as_deref().unwrap_or("none"),
        e.command
    )
}

#[cfg(test)]
mod tests;
