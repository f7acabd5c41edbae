//! The definition of a case, as `benches/cases/<crate>.toml` holds it.
//!
//! ```toml
//! [[case]]
//! name = "utf8-runes/count/ascii-400"          # crate/what/variant-of-input
//! about = "count the scalar values of a string" # one line
//! source = "seeds 0: count only (write path)"   # where the claim comes from
//! input = "400 bytes of ASCII"                  # in words; the registry makes it
//! digest = "9ae16a3b2f90404f"                   # what every variant must produce
//! variants = ["before", "fix", "after"]
//! peers = ["std", "bytecount"]                  # always run
//! heavy = ["simdutf"]                           # run with --peers, by a runner under benches/peers
//! limit = "sqlite3_step"                        # what nobody gets around: a rule in the plots, no peer
//! guards = ["utf8-runes"]                       # benches/undo/<name>.patch must turn this case red
//! bound = "compute"                             # or "memory": 10 % tolerance instead of 5 %
//! slow = ["before"]                             # timed in few rounds and not counted by callgrind
//! uncounted = true                              # callgrind counts nobody: a smaller case tells as much
//! curve = { name = "count a string, by its length", x = 400, along = "bytes", per = 400, unit = "byte" }
//!
//! [[case.claim]]
//! metric = "time"
//! against = "before"                            # `of` is "after" unless said
//! improves = { floor = 10.0, goal = 30.0 }      # before/after, at least; the floor is gated
//!
//! [[case.claim]]
//! metric = "allocs"
//! exact = 0
//! ```
//!
//! Many claims of one shape are easier to read a line each, which is the same to TOML:
//! `claim = [{ metric = "time", against = "std", when = "avx2", improves = { floor = 2.0 } }, …]`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// One file of cases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// The cases in the order of the file.
    #[serde(default)]
    pub case: Vec<Case>,
}

/// One thing that is measured, by several variants doing the same work on the same input.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// `crate/what/variant-of-input`.
    pub name: String,
    /// What is done, in one line.
    pub about: String,
    /// Where the claims come from (a row of the seeds, a goal of the contract).
    pub source: String,
    /// The input in words, with sizes; the code that registers the case makes it.
    pub input: String,
    /// 16 hex digits: the digest of the output that every variant must produce.
    pub digest: String,
    /// Of `before` (the slow shape), `fix` (the published fix), `after` (ours); `after` is required.
    pub variants: Vec<String>,
    /// Peers that are always there, named as their crate.
    #[serde(default)]
    pub peers: Vec<String>,
    /// Peers that run with `--peers` only.
    #[serde(default)]
    pub heavy: Vec<String>,
    /// What is registered under this name does only the part of the work that nobody gets around, and
    /// so bounds every variant. It has no result to hold against the digest, is no peer, and is drawn
    /// as a rule through the plot; a claim may be `against` it.
    pub limit: Option<String>,
    /// The fixes without which this case must turn red.
    #[serde(default)]
    pub guards: Vec<String>,
    /// What limits the time; decides the tolerance.
    #[serde(default)]
    pub bound: Bound,
    /// Variants and peers whose call takes tens of milliseconds: they are timed in the first rounds
    /// of a process only, and callgrind does not count them.
    #[serde(default)]
    pub slow: Vec<String>,
    /// Callgrind counts none of it, for a call of `after` takes milliseconds too, and a smaller case does
    /// the same work.
    #[serde(default)]
    pub uncounted: bool,
    /// Where it stands on a curve over several cases.
    pub curve: Option<Curve>,
    /// What must hold.
    #[serde(default)]
    pub claim: Vec<Claim>,
}

/// A point of a curve: the report draws the cases of one name as one plot, time a unit of work
/// against `x`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// What the curve shows; its cases have the same name, `along` and `unit`.
    pub name: String,
    /// Where on the horizontal axis the case stands.
    pub x: u64,
    /// What the horizontal axis counts, in the plural.
    pub along: String,
    /// How many units of work a call does.
    pub per: u64,
    /// One of them, in the singular.
    pub unit: String,
}

/// What limits a case's time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// Instructions: tolerance 5 %.
    #[default]
    Compute,
    /// The allocator or memory bandwidth: tolerance 10 %.
    Memory,
}

impl Bound {
    /// How much a time may move before it counts, as a fraction.
    #[must_use]
    pub fn tolerance(self) -> f64 {
        match self {
            Bound::Compute => 0.05,
            Bound::Memory => 0.10,
        }
    }
}

/// A number of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Time of one call, compared within one run only.
    Time,
    /// Calls of `alloc` (a `realloc` is not one).
    Allocs,
    /// Bytes asked for by `alloc`, and by `realloc` the growth.
    Bytes,
    /// Calls of `realloc`.
    Reallocs,
    /// The most bytes live at once above those live when the call began.
    Peak,
    /// Bytes still live after the call's result was dropped.
    Leak,
    /// Instructions of one call as callgrind counts them.
    Instructions,
}

impl Metric {
    /// Its name in definitions and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Metric::Time => "time",
            Metric::Allocs => "allocs",
            Metric::Bytes => "bytes",
            Metric::Reallocs => "reallocs",
            Metric::Peak => "peak",
            Metric::Leak => "leak",
            Metric::Instructions => "instructions",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A statement about one metric of one variant; exactly one of `improves`, `unchanged`, `saves`,
/// `exact` and `at_most` is given.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The metric.
    pub metric: Metric,
    /// The variant or peer it is about.
    #[serde(default = "after")]
    pub of: String,
    /// What it is compared with; required by `improves`, `unchanged` and `saves`.
    pub against: Option<String>,
    /// `against / of` is at least this.
    pub improves: Option<Threshold>,
    /// `of / against` is within this fraction of 1, both ways.
    pub unchanged: Option<f64>,
    /// `against - of` is exactly this number.
    pub saves: Option<i64>,
    /// `of` is exactly this number.
    pub exact: Option<u64>,
    /// `of` is at most this number.
    pub at_most: Option<u64>,
    /// On which instruction sets it holds.
    #[serde(default)]
    pub when: When,
    /// The claim in words; made from the fields when absent.
    pub text: Option<String>,
}

fn after() -> String {
    "after".to_owned()
}

/// How much better.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// Gated. At most 0.75 of what was shown on every tier the claim names.
    pub floor: f64,
    /// The contract's figure: reported as reached or missed, never gated.
    pub goal: Option<f64>,
}

/// The instruction sets a claim is made for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// Everywhere.
    #[default]
    Any,
    /// On processors with AVX2 (and AVX-512).
    Avx2,
    /// On processors with AVX-512 F, BW, VL and BMI2.
    Avx512,
}

/// What a claim demands, after validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expect {
    /// See [`Claim::improves`].
    Improves(Threshold),
    /// See [`Claim::unchanged`].
    Unchanged(f64),
    /// See [`Claim::saves`].
    Saves(i64),
    /// See [`Claim::exact`].
    Exact(u64),
    /// See [`Claim::at_most`].
    AtMost(u64),
}

impl Claim {
    /// What it demands; `None` when not exactly one demand is given.
    #[must_use]
    pub fn expect(&self) -> Option<Expect> {
        let mut all = [
            self.improves.map(Expect::Improves),
            self.unchanged.map(Expect::Unchanged),
            self.saves.map(Expect::Saves),
            self.exact.map(Expect::Exact),
            self.at_most.map(Expect::AtMost),
        ]
        .into_iter()
        .flatten();
        let first = all.next();
        if all.next().is_some() { None } else { first }
    }

    /// Whether it cannot be judged unless the instructions of `name` are counted.
    #[must_use]
    pub fn counts_instructions_of(&self, name: &str) -> bool {
        self.metric == Metric::Instructions
            && (self.of == name || self.against.as_deref() == Some(name))
    }

    /// The claim in words, without the numbers that were measured.
    #[must_use]
    pub fn describe(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let against = self.against.as_deref().unwrap_or("?");
        match self.expect() {
            Some(Expect::Improves(t)) => match t.goal {
                Some(goal) => format!(
                    "{} of {}: {against} / {} ≥ {} (goal {goal})",
                    self.metric, self.of, self.of, t.floor
                ),
                None => {
                    format!("{} of {}: {against} / {} ≥ {}", self.metric, self.of, self.of, t.floor)
                }
            },
            Some(Expect::Unchanged(x)) => {
                format!("{} of {}: as {against} within {} %", self.metric, self.of, x * 100.0)
            }
            Some(Expect::Saves(n)) => {
                format!("{} of {}: exactly {n} less than {against}", self.metric, self.of)
            }
            Some(Expect::Exact(n)) => format!("{} of {}: exactly {n}", self.metric, self.of),
            Some(Expect::AtMost(n)) => format!("{} of {}: at most {n}", self.metric, self.of),
            None => format!("{} of {}: ?", self.metric, self.of),
        }
    }
}

impl Case {
    /// The crate: what stands before the first slash.
    #[must_use]
    pub fn crate_name(&self) -> &str {
        self.name.split('/').next().unwrap_or(&self.name)
    }

    /// Variants, light peers and the limit, in the order of the definition.
    pub fn light(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().chain(&self.peers).chain(&self.limit).map(String::as_str)
    }

    /// Whether what is registered under `name` must give the digest.
    #[must_use]
    pub fn has_result(&self, name: &str) -> bool {
        self.limit.as_deref() != Some(name)
    }

    /// Whether callgrind counts the instructions of `name`: it counts no peers, and nothing slow.
    #[must_use]
    pub fn can_be_counted(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|n| n == name);
        !self.uncounted && is_in(&self.variants) && !is_in(&self.slow)
    }

    /// Everything with a name: variants, light and heavy peers, the limit.
    pub fn everyone(&self) -> impl Iterator<Item = &str> {
        self.light().chain(self.heavy.iter().map(String::as_str))
    }

    /// Checks what serde cannot.
    ///
    /// # Errors
    /// A sentence that names the case and the fault.
    pub fn check(&self) -> Result<(), String> {
        let fault = |what: String| Err(format!("case `{}`: {what}", self.name));
        if self.name.split('/').count() != 3 || self.name.split('/').any(str::is_empty) {
            return fault("the name must be crate/what/variant-of-input".into());
        }
        if self.digest.len() != 16
            || !self.digest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        {
            return fault(format!("digest `{}` is not 16 lower-case hex digits", self.digest));
        }
        if !self.variants.iter().any(|v| v == "after") {
            return fault("there is no variant `after`".into());
        }
        if let Some(v) =
            self.variants.iter().find(|v| !["before", "fix", "after"].contains(&v.as_str()))
        {
            return fault(format!(
                "`{v}` is no variant (before, fix, after); a peer goes to `peers`"
            ));
        }
        let mut seen: Vec<&str> = Vec::new();
        for name in self.everyone() {
            if seen.contains(&name) {
                return fault(format!("`{name}` is named twice"));
            }
            seen.push(name);
        }
        if let Some(name) = self.slow.iter().find(|s| *s == "after" || !seen.contains(&s.as_str()))
        {
            return fault(format!("`{name}` cannot be slow: it is `after`, or nobody"));
        }
        if self.curve.as_ref().is_some_and(|curve| curve.x == 0 || curve.per == 0) {
            return fault("a point of a curve needs x and per of 1 or more".into());
        }
        for claim in &self.claim {
            let Some(expect) = claim.expect() else {
                return fault(format!(
                    "a claim on {} needs exactly one of improves, unchanged, saves, exact, at_most",
                    claim.metric
                ));
            };
            if !self.has_result(&claim.of) {
                return fault(format!("a claim is of `{}`, which is the limit", claim.of));
            }
            for name in std::iter::once(&claim.of).chain(&claim.against) {
                if !seen.contains(&name.as_str()) {
                    return fault(format!(
                        "a claim names `{name}`, which is no variant or peer of it"
                    ));
                }
            }
            let compares =
                matches!(expect, Expect::Improves(_) | Expect::Unchanged(_) | Expect::Saves(_));
            if compares != claim.against.is_some() {
                return fault(format!(
                    "a claim on {} {} `against`",
                    claim.metric,
                    if compares { "needs" } else { "cannot have" }
                ));
            }
            let claimed = |name: &&&str| claim.counts_instructions_of(name);
            if let Some(name) = seen.iter().filter(claimed).find(|n| !self.can_be_counted(n)) {
                return fault(format!(
                    "a claim on instructions of `{name}`, which are not counted"
                ));
            }
            if claim.metric == Metric::Time
                && !matches!(expect, Expect::Improves(_) | Expect::Unchanged(_))
            {
                return fault("a claim on time is a ratio: improves or unchanged".into());
            }
            match expect {
                Expect::Improves(t) => {
                    let sane = |x: f64| x.is_finite() && x > 0.0;
                    if !sane(t.floor) || t.goal.is_some_and(|g| !sane(g) || g < t.floor) {
                        return fault("improves needs 0 < floor <= goal".into());
                    }
                }
                Expect::Unchanged(x) if !(x.is_finite() && (0.0..1.0).contains(&x)) => {
                    return fault("unchanged needs a fraction from 0 to below 1".into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Why the definitions cannot be used.
#[derive(Debug)]
pub struct DefinitionError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for DefinitionError {}

/// Reads and checks every `*.toml` of a folder, files in the order of their names.
///
/// # Errors
/// When a file cannot be read, is no TOML of this shape, or holds a faulty or repeated case.
pub fn load(folder: &Path) -> Result<Vec<Case>, DefinitionError> {
    let at = |path: &Path, what: String| DefinitionError { path: path.to_owned(), what };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|e| at(folder, e.to_string()))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    let mut cases: Vec<Case> = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|e| at(&path, e.to_string()))?;
        let file: CaseFile = toml::from_str(&text).map_err(|e| at(&path, e.to_string()))?;
        for case in file.case {
            case.check().map_err(|what| at(&path, what))?;
            if cases.iter().any(|c| c.name == case.name) {
                return Err(at(&path, format!("case `{}` is defined twice", case.name)));
            }
            cases.push(case);
        }
    }
    if cases.is_empty() {
        return Err(at(folder, "no case is defined here".into()));
    }
    Ok(cases)
}
