//! Time: short slices of all variants of a case, in random order, round after round.
//!
//! Within a round all variants see the same machine, so the ratio of two figures of one round
//! holds when the machine's speed drifts. The duplicate of `after` is the null control: it does
//! the same work with the same code, so what it differs by is the noise of the measurement.

use crate::registry::Case;
use crate::subject::{Returning, Subject};
use onecopy_bench_model::wire::{CLOCK, NULL, Time};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Rounds wanted.
    pub rounds: usize,
    /// Length of a slice; a call that is longer makes a slice of its own.
    pub slice: Duration,
    /// All rounds of a case together take no longer than this; at least 12 are made.
    pub budget: Duration,
}

/// Rounds of a process that a slow variant takes part in. A claim is judged by what several
/// processes say, and one call of such a variant is a long slice.
const SLOW_ROUNDS: usize = 3;

struct Runner<'c> {
    name: &'c str,
    subject: Box<dyn Subject>,
    calls: u64,
    rounds: Vec<f64>,
    is_slow: bool,
}

/// Measures `names` of `case` (those that are registered, and [`CLOCK`]) side by side, `after` twice,
/// those of `slow` in the first rounds only.
/// `plant` makes `after` and its duplicate do their work eleven times for every ten: the planted
/// fault of the self-test.
pub fn measure(
    case: &Case,
    names: &[&str],
    slow: &[String],
    plan: Plan,
    rng: &mut fastrand::Rng,
    plant: bool,
) -> Time {
    let doubled = names.iter().find(|n| **n == "after").map(|_| (NULL, "after"));
    let mut runners: Vec<Runner<'_>> = names
        .iter()
        .map(|n| (*n, *n))
        .chain(doubled)
        .filter_map(|(name, variant)| {
            let subject = if name == CLOCK { clock() } else { case.build(variant)? };
            let is_slow = slow.iter().any(|s| s == name);
            Some(Runner { name, subject, calls: 1, rounds: Vec::new(), is_slow })
        })
        .collect();
    // A bias that depends on who was made first would not average out within a process.
    rng.shuffle(&mut runners);

    let mut one_round = Duration::ZERO;
    for runner in &mut runners {
        let slice = calibrate(runner, plan.slice);
        if !runner.is_slow {
            one_round += slice;
        }
        if plant && [NULL, "after"].contains(&runner.name) {
            // So that a tenth more is a whole number of calls.
            runner.calls = runner.calls.next_multiple_of(10);
        }
    }
    let affordable = plan.budget.as_nanos() / one_round.as_nanos().max(1);
    let rounds = plan.rounds.min(usize::try_from(affordable).unwrap_or(usize::MAX)).max(12);

    let mut order: Vec<usize> = (0..runners.len()).collect();
    for round in 0..rounds {
        rng.shuffle(&mut order);
        for &at in &order {
            let runner = &mut runners[at];
            if runner.is_slow && round >= SLOW_ROUNDS {
                continue;
            }
            let extra =
                if plant && [NULL, "after"].contains(&runner.name) { runner.calls / 10 } else { 0 };
            let ns = runner.subject.slice(runner.calls + extra);
            runner.rounds.push(rounded(ns as f64 / runner.calls as f64));
        }
    }
    let rounds: BTreeMap<String, Vec<f64>> =
        runners.into_iter().map(|r| (r.name.to_owned(), r.rounds)).collect();
    Time { case: case.name().to_owned(), rounds }
}

/// A chain of steps that each wait for the one before, in registers: nothing but the processor's
/// speed, which moves by several percent between two processes, decides how long it takes.
fn clock() -> Box<dyn Subject> {
    static SEED: u64 = 0x9e37_79b9_7f4a_7c15;
    Box::new(Returning {
        input: &SEED,
        call: |seed: &'static u64| {
            let mut x = *seed;
            for _ in 0..256 {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
            }
            x
        },
    })
}

/// Finds how many calls fill a slice; warms caches, branch predictors and lazy set-up on the way.
fn calibrate(runner: &mut Runner<'_>, slice: Duration) -> Duration {
    let want = u64::try_from(slice.as_nanos()).unwrap_or(u64::MAX).max(1);
    let mut calls = 1;
    loop {
        // The faster of two: the first may have been interrupted.
        let ns = runner.subject.slice(calls).min(runner.subject.slice(calls)).max(1);
        if ns >= want / 2 || calls >= 1 << 40 {
            runner.calls = (calls * want / ns).max(1);
            return Duration::from_nanos(ns / calls.max(1) * runner.calls);
        }
        calls *= (want / ns).clamp(2, 16);
    }
}

/// A thousandth of a nanosecond is far below what is known.
fn rounded(ns: f64) -> f64 {
    (ns * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    #[test]
    fn the_clock_is_measured_in_the_same_rounds_when_asked_for() {
        let mut registry = Registry::default();
        registry.case("a/b/c", || 1_u64).variant("after", |x: &'static u64| *x + 1);
        let case = registry.find("a/b/c").unwrap();
        let plan =
            Plan { rounds: 14, slice: Duration::from_micros(1), budget: Duration::from_secs(10) };
        let mut rng = fastrand::Rng::with_seed(1);
        let mut counts = |names: &[&str]| -> Vec<(String, usize)> {
            let time = measure(case, names, &[], plan, &mut rng, false);
            time.rounds.into_iter().map(|(name, rounds)| (name, rounds.len())).collect()
        };
        let own = |names: &[&str]| names.iter().map(|n| ((*n).to_owned(), 14)).collect::<Vec<_>>();
        assert_eq!(counts(&["after", CLOCK]), own(&[CLOCK, NULL, "after"]));
        assert_eq!(counts(&["after"]), own(&[NULL, "after"]));
    }

    #[test]
    fn a_slow_variant_is_in_the_first_rounds_only() {
        let mut registry = Registry::default();
        registry
            .case("a/b/c", || 1_u64)
            .variant("before", |x: &'static u64| *x + 2)
            .variant("after", |x: &'static u64| *x + 1);
        let plan =
            Plan { rounds: 14, slice: Duration::from_micros(1), budget: Duration::from_secs(10) };
        let mut rng = fastrand::Rng::with_seed(1);
        let case = registry.find("a/b/c").unwrap();
        let slow = ["before".to_owned()];
        let time = measure(case, &["before", "after"], &slow, plan, &mut rng, false);
        assert_eq!(time.rounds["before"].len(), SLOW_ROUNDS);
        assert_eq!(time.rounds["after"].len(), 14);
    }

    #[test]
    fn the_clock_takes_longer_for_longer_chains() {
        // A chain that the compiler computed beforehand would be as fast for a thousand calls.
        let mut clock = clock();
        let least =
            |calls, clock: &mut dyn Subject| (0..20).map(|_| clock.slice(calls)).min().unwrap();
        let (few, many) = (least(10, &mut *clock), least(1000, &mut *clock));
        assert!(many > 30 * few, "{few} ns for 10, {many} ns for 1000");
    }
}
