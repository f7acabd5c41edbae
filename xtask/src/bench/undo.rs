//! `bench self-test --undo`: each fix taken out must turn exactly the cases that name it red.
//!
//! `benches/undo/<name>.patch` takes the fix of a crate out; the cases with that name among their
//! `guards` must then fail a gate, and no other case may.

use super::compare::Worktree;
use super::judge::{self, Rules};
use super::measure;
use super::progress::Progress;
use super::report::{CaseReport, Verdict};
use super::self_test::Outcome;
use super::{Options, Place, environment, exit, plan, run};
use anyhow::{Context, Result};
use onecopy_bench_model::case::Case;
use std::path::Path;

/// Runs the command.
pub(crate) fn command(place: &Place, options: &Options) -> Result<u8> {
    let root = &place.workspace.root;
    let chosen = plan::select(&place.cases, options)?;
    let patches = patches(root)?;
    for case in &place.cases {
        for guard in &case.guards {
            anyhow::ensure!(
                patches.contains(guard),
                "case `{}` guards `{guard}`, but there is no benches/undo/{guard}.patch",
                case.name
            );
        }
    }
    let stale = stale(root)?;
    anyhow::ensure!(stale.is_empty(), "{}", stale.join("; "));
    if environment::is_dirty(root) {
        println!("note: uncommitted changes are not part of this test; it runs on the last commit");
    }
    let options = Options { quick: true, metric: Vec::new(), ..options.clone() };
    let mut outcomes = Vec::new();
    let whole = chosen.len() == place.cases.len();
    for name in &patches {
        if !whole && !chosen.iter().any(|c| c.guards.contains(name)) {
            println!("skipped: no chosen case guards {name}");
            continue;
        }
        let expected: Vec<String> =
            chosen.iter().filter(|c| c.guards.contains(name)).map(|c| c.name.clone()).collect();
        let red = without(name, place, &chosen, &options)?;
        let fired = red.iter().map(|case| case.name.clone()).collect();
        let outcome =
            Outcome::new(format!("without {name}: {} red", expected.len()), expected, fired);
        outcome.print();
        for case in red.iter().filter(|case| !outcome.expected.contains(&case.name)) {
            println!("       {}: {}", case.name, case.reasons.join("; "));
        }
        outcomes.push(outcome);
    }
    let failed = outcomes.iter().filter(|o| !o.holds() || o.expected.is_empty()).count();
    println!("{} passed, {failed} failed", outcomes.len() - failed);
    Ok(if failed == 0 { exit::HOLDS } else { exit::GATE })
}

/// The patches that the tree has moved away from, with what git says of each.
pub(crate) fn stale(root: &Path) -> Result<Vec<String>> {
    let mut stale = Vec::new();
    for name in patches(root)? {
        let patch = format!("benches/undo/{name}.patch");
        let applied = environment::git(root).args(["apply", "--check", &patch]).output()?;
        if !applied.status.success() {
            let why = String::from_utf8_lossy(&applied.stderr);
            let why = why.lines().next().unwrap_or_default();
            stale.push(format!("{patch} does not apply: {why}"));
        }
    }
    Ok(stale)
}

/// The names of the patches.
fn patches(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("benches/undo");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter_map(|n| n.strip_suffix(".patch").map(str::to_owned))
        .collect();
    names.sort();
    anyhow::ensure!(!names.is_empty(), "benches/undo has no patch");
    Ok(names)
}

/// The cases that turn red without the fix `name`.
fn without(
    name: &str,
    place: &Place,
    chosen: &[&Case],
    options: &Options,
) -> Result<Vec<CaseReport>> {
    let root = &place.workspace.root;
    let worktree = Worktree::add(root, "HEAD", &place.out.join("undo"))?;
    let patch = root.join(format!("benches/undo/{name}.patch"));
    let applied = environment::git(worktree.path()).arg("apply").arg(&patch).output()?;
    anyhow::ensure!(
        applied.status.success(),
        "benches/undo/{name}.patch does not apply: {}",
        String::from_utf8_lossy(&applied.stderr).trim()
    );
    let runner = run::light_at(worktree.path(), &place.out.join("undo-target"), options)
        .with_context(|| format!("without {name}"))?;
    let progress = Progress::new();
    let runners = [runner];
    let mut measured = run::measure(&runners, chosen, options, &place.out, &progress)?;
    anyhow::ensure!(
        measured.faults.is_empty(),
        "without {name}: {}: {} (a fix taken out must change the cost, not the result)",
        measured.faults[0].case,
        measured.faults[0].what
    );
    let rules = Rules { heavy: false, baseline: None };
    let again = judge::failed_in_time(chosen, &measured, rules);
    if !again.is_empty() {
        let mut faults = Vec::new();
        measured.again =
            measure::times(&runners, &again, options.effort().twice(), &progress, &mut faults)?;
    }
    Ok(judge::judge(chosen, &measured, rules)
        .into_iter()
        .filter(|r| r.verdict == Verdict::Fail)
        .collect())
}
