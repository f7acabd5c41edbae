//! Instructions by plain `valgrind --tool=callgrind`, where valgrind is there.
//!
//! The runner calls each variant inside one function; callgrind collects inside it only and dumps
//! a file after each of its calls. valgrind shows programs a processor with AVX2 and without
//! AVX-512, so the counts are those of the AVX2 path whatever this machine has.

use super::runner::Runner;
use super::{Fault, Tier};
use anyhow::Context;
use onecopy_bench_model::case::{Case, Metric};
use onecopy_bench_model::wire::{Line, REGION, REGION_CALLS};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Of the cases with a claim on instructions, what is gated.
    Claimed,
    /// `after`, which the baseline gates, and what a claim on instructions names.
    Gated,
    /// Every variant.
    Variants,
}

impl Which {
    /// Whether `variant` of `case` is counted.
    fn takes(self, case: &Case, variant: &str) -> bool {
        let asked = match self {
            Which::Claimed => claims(case) && Which::Gated.takes(case, variant),
            Which::Gated => {
                variant == "after" || case.claim.iter().any(|c| c.counts_instructions_of(variant))
            }
            Which::Variants => true,
        };
        asked && case.can_be_counted(variant)
    }

    /// Whether anything of `case` is counted.
    pub(crate) fn takes_any(self, case: &Case) -> bool {
        case.variants.iter().any(|variant| self.takes(case, variant))
    }
}

/// Whether a claim of `case` is on instructions.
fn claims(case: &Case) -> bool {
    case.claim.iter().any(|claim| claim.metric == Metric::Instructions)
}

/// Instructions of one call, counted by processes whose heap and stack lie differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) least: u64,
    pub(crate) most: u64,
}

impl Count {
    /// Whether the counts agree to a quarter of what the gate tolerates. A copy of some thousand
    /// bytes takes another number of instructions when its ends are aligned otherwise; a count that
    /// depends on that would fail by itself in another folder, so it is shown and not gated.
    pub(crate) fn is_steady(self) -> bool {
        (self.most - self.least) * 400 <= self.least
    }
}

/// What is laid before everything else on the heap, in bytes, and into the environment, process by
/// process: three alignments within 64 bytes and within a page.
const PADS: [usize; 3] = [0, 1_072, 2_336];

/// "3.19.0", or nothing when there is no valgrind.
pub(crate) fn version() -> Option<String> {
    let output = Command::new("valgrind").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().strip_prefix("valgrind-")?.to_owned())
}

type Counts = BTreeMap<(String, String), Count>;

/// Counts of the variants of `case` (no peers) those that are asked for, once a layout.
pub(crate) fn count(
    runner: &Runner,
    case: &Case,
    which: Which,
    scratch: &Path,
) -> anyhow::Result<(Counts, Vec<Fault>)> {
    // `after` has processes of its own: what ran before it in one would leave another heap behind,
    // and a copy of other alignment takes another number of instructions.
    let counted = case.variants.iter().map(String::as_str).filter(|v| which.takes(case, v));
    let (after, others): (Vec<&str>, Vec<&str>) = counted.partition(|v| *v == "after");
    let mut counts = Counts::new();
    for group in [after, others] {
        if group.is_empty() {
            continue;
        }
        for (at, &pad) in layouts(case, &group).iter().enumerate() {
            // A third layout tells something only where two do not agree.
            if at == 2 && group.iter().all(|variant| agree(&counts, case, variant)) {
                break;
            }
            let (once, faults) = once(runner, case, &group, pad, scratch)?;
            if !faults.is_empty() {
                return Ok((Counts::new(), faults));
            }
            for (key, n) in once {
                let count = counts.entry(key).or_insert(Count { least: n, most: n });
                *count = Count { least: count.least.min(n), most: count.most.max(n) };
            }
        }
    }
    Ok((counts, Vec::new()))
}

fn agree(counts: &Counts, case: &Case, variant: &str) -> bool {
    counts.get(&(case.name.clone(), variant.to_owned())).is_some_and(|c| c.least == c.most)
}

/// Under how many layouts a group is counted. What is only shown, as `before` is unless a claim is on
/// its instructions, needs one; callgrind's time is most of a whole bench.
fn layouts(case: &Case, group: &[&str]) -> &'static [usize] {
    if claims(case) || group == ["after"] { &PADS } else { &PADS[..1] }
}

/// What a runner is told under valgrind, which has no AVX-512 to force: there, the AVX2 path is the
/// best there is, and is counted as ever.
fn seen(extra: &[String]) -> Vec<String> {
    extra.iter().filter(|word| **word != Tier::Avx512.word()).cloned().collect()
}

type Once = (BTreeMap<(String, String), u64>, Vec<Fault>);

fn once(
    runner: &Runner,
    case: &Case,
    group: &[&str],
    pad: usize,
    scratch: &Path,
) -> anyhow::Result<Once> {
    let folder = scratch.join(format!("{}-{pad}", case.name.replace('/', "+")));
    // A leftover of an earlier run must not be read as this one's.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let out = folder.join("out");
    // The same short names wherever the tree lies: they are strings on the program's heap, and a
    // heap that is laid out otherwise takes another number of instructions to copy.
    std::os::unix::fs::symlink(&runner.program, folder.join("r"))?;
    std::os::unix::fs::symlink(&runner.cases, folder.join("c"))?;
    let runner = Runner {
        program: "./r".into(),
        cases: "c".into(),
        folder: Some(folder.clone()),
        environment: Some(("ONECOPY_PAD", "x".repeat(pad))),
        extra: seen(&runner.extra),
        ..runner.clone()
    };
    let wrap: Vec<String> = vec![
        "valgrind".into(),
        "--tool=callgrind".into(),
        "--collect-atstart=no".into(),
        format!("--toggle-collect={REGION}"),
        format!("--dump-after={REGION}"),
        format!("--callgrind-out-file={}", out.display()),
        "--quiet".into(),
    ];
    let mut mode = vec!["count".to_owned(), format!("--pad={pad}")];
    mode.extend(group.iter().map(|v| format!("--variant={v}")));
    let said = runner.run(&wrap, &mode, &[&case.name])?;
    let variants = said.lines.iter().filter_map(|line| match line {
        Line::Counted { case, variant } => Some((case.clone(), variant.clone())),
        _ => None,
    });
    let mut counts = BTreeMap::new();
    for (at, key) in variants.enumerate() {
        let part = folder.join(format!("out.{}", at + 1));
        let text = std::fs::read_to_string(&part)
            .with_context(|| format!("{}: callgrind did not count the region", part.display()))?;
        let total = total(&text)
            .ok_or_else(|| anyhow::anyhow!("{}: no `summary` or `totals` line", part.display()))?;
        counts.insert(key, total / REGION_CALLS);
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok((counts, said.faults))
}

/// The instruction total of a callgrind dump.
fn total(text: &str) -> Option<u64> {
    text.lines()
        .find_map(|l| l.strip_prefix("summary: ").or_else(|| l.strip_prefix("totals: ")))
        .and_then(|l| l.split_whitespace().next())
        .and_then(|n| n.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_tiers_only_avx512_is_not_forced_under_valgrind() {
        let told = |tier: Tier| seen(&["--plant=time".into(), tier.word().to_owned()]);
        assert_eq!(told(Tier::Avx512), ["--plant=time"]);
        for tier in [Tier::Portable, Tier::Sse2, Tier::Avx2] {
            assert_eq!(told(tier), ["--plant=time", tier.word()]);
        }
    }

    #[test]
    fn a_claim_on_instructions_has_its_parties_counted_in_every_run_and_no_more() {
        let case = |claim: &str| {
            let text = format!(
                "[[case]]\nname = \"demo/what/input\"\nabout = \"a\"\nsource = \"s\"\ninput = \"i\"\n\
                 digest = \"0123456789abcdef\"\nvariants = [\"before\", \"fix\", \"after\"]\n{claim}"
            );
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("demo.toml"), text).unwrap();
            onecopy_bench_model::case::load(folder.path()).unwrap().remove(0)
        };
        let takes = |case: &Case| {
            [Which::Claimed, Which::Gated, Which::Variants].map(|which| {
                let taken = ["before", "fix", "after"].into_iter().filter(|v| which.takes(case, v));
                taken.collect::<Vec<_>>()
            })
        };
        let (all, none) = (vec!["before", "fix", "after"], Vec::new());
        let on = |metric| {
            format!(
                "claim = [{{ metric = \"{metric}\", of = \"fix\", against = \"before\", unchanged = 0.1 }}]"
            )
        };
        assert_eq!(takes(&case("")), [none.clone(), vec!["after"], all.clone()]);
        assert_eq!(takes(&case(&on("time"))), [none.clone(), vec!["after"], all.clone()]);
        assert_eq!(takes(&case(&on("instructions"))), [all.clone(), all.clone(), all]);
        let of_after = "claim = [{ metric = \"instructions\", at_most = 9 }]";
        assert_eq!(takes(&case(of_after))[0], ["after"]);
        assert_eq!(takes(&case("uncounted = true")), [none.clone(), none.clone(), none]);
    }

    #[test]
    fn totals_are_read_from_a_dump() {
        assert_eq!(total("events: Ir\nsummary: 1234\n\ntotals: 99\n"), Some(1234));
        assert_eq!(total("events: Ir\ntotals: 99\n"), Some(99));
        assert_eq!(total("events: Ir\n"), None);
    }
}
