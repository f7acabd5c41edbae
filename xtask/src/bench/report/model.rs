//! What a run of `bench` came to: the one value that every format is rendered from.
//!
//! The JSON names `schema`, `environment`, `cases`, and of a case `name`, `crate`, `verdict`,
//! `variants`, `ratio`, `peers` and `claims` are fixed: other tools read them.

use onecopy_bench_model::case::{Bound, Curve, Metric};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Raised when a fixed name changes its meaning.
pub(crate) const SCHEMA: u32 = 1;

/// A whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// [`SCHEMA`].
    pub(crate) schema: u32,
    pub(crate) environment: Environment,
    pub(crate) cases: Vec<CaseReport>,
    /// What was not done and why, in one sentence each (no valgrind, a peer that did not build…).
    pub(crate) notes: Vec<String>,
}

/// Where and how it was measured. No host name, no path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Environment {
    /// The processor as it names itself.
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    /// "portable", "sse2", "avx2" or "avx512".
    pub(crate) tier: String,
    pub(crate) target: String,
    pub(crate) rustc: String,
    pub(crate) libc: String,
    pub(crate) valgrind: Option<String>,
    /// The revision measured, with "+" when the working tree had changes; absent outside git.
    pub(crate) revision: Option<String>,
    /// The command, as typed after `cargo xtask`.
    pub(crate) command: String,
    pub(crate) processes: usize,
    pub(crate) rounds: usize,
    pub(crate) quick: bool,
    /// Which baseline the allocations and instructions were held against.
    pub(crate) baseline: Option<String>,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CaseReport {
    pub(crate) name: String,
    #[serde(rename = "crate")]
    pub(crate) crate_name: String,
    pub(crate) about: String,
    pub(crate) source: String,
    pub(crate) input: String,
    pub(crate) bound: Bound,
    /// Where it stands on a curve over several cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) curve: Option<Curve>,
    pub(crate) verdict: Verdict,
    /// Why the verdict is not "pass", one sentence each.
    pub(crate) reasons: Vec<String>,
    /// Variants and peers: heap use and instructions of a call, and the median time.
    pub(crate) variants: BTreeMap<String, VariantReport>,
    /// after/before; below 1 is faster. Absent without a `before`.
    pub(crate) ratio: Option<Ratio>,
    /// fix/before, likewise.
    pub(crate) fix_ratio: Option<Ratio>,
    /// after/peer, by peer.
    pub(crate) peers: BTreeMap<String, Ratio>,
    /// What bounds every variant, if the case has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<LimitReport>,
    /// The duplicate of `after` against `after`: 1 on a machine that is fit to measure.
    pub(crate) null: Option<Ratio>,
    pub(crate) claims: Vec<ClaimReport>,
    /// Allocations and instructions that differ from the committed baseline.
    pub(crate) drift: Vec<Drift>,
}

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// Every gate holds.
    Pass,
    /// A gate failed, twice where it is about time.
    Fail,
    /// The null control was biased, so no time was judged; the exact gates hold.
    Noisy,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Noisy => "noisy",
        }
    }
}

/// A call of one variant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct VariantReport {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) allocs: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reallocs: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) peak: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) leak: Option<i64>,
    /// Median nanoseconds of a call on this machine in this run: to look at, never compared with another run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ns: Option<f64>,
    /// As callgrind counts them, which sees the AVX2 path at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<u64>,
}

/// A ratio of times: the median over processes, and the order-statistic interval over processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ratio {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Each process's own median, in the order they ran.
    pub(crate) processes: Vec<f64>,
}

/// The part of the work that nobody gets around, measured alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LimitReport {
    pub(crate) name: String,
    /// after/limit: how many times as long `after` takes. Absent when it was not timed.
    pub(crate) ratio: Option<Ratio>,
}

/// A claim and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClaimReport {
    pub(crate) metric: Metric,
    pub(crate) text: String,
    /// Of `floor`, `exact`, `saves`, `at_most` or `unchanged`; absent when it was not judged.
    pub(crate) holds: Option<bool>,
    /// Absent without a goal, or when not judged.
    pub(crate) goal_reached: Option<bool>,
    /// What was measured, in the claim's own terms (times better, a count, a fraction).
    pub(crate) measured: Option<f64>,
    pub(crate) goal: Option<f64>,
    /// Why it was not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<String>,
}

/// A number that differs from the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Drift {
    pub(crate) variant: String,
    pub(crate) metric: Metric,
    pub(crate) baseline: u64,
    pub(crate) now: u64,
    /// Beyond the tolerance, and so gated.
    pub(crate) fails: bool,
}
