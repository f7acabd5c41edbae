//! The committed numbers that may not rise: allocations and instructions of `after`.
//!
//! One file a key, `benches/baseline/<key>.json`. Times are never stored.

use super::measure::Measured;
use anyhow::Context;
use onecopy_bench_model::case::{Case, Metric};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What decides these numbers besides the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) target: String,
    /// Major and minor: a patch release changes no code generation to speak of.
    pub(crate) rustc: String,
    pub(crate) libc: String,
    pub(crate) valgrind: Option<String>,
    pub(crate) tier: String,
}

impl Key {
    /// The name of the file, without folder and ending.
    pub(crate) fn name(&self) -> String {
        let minor: Vec<&str> = self.rustc.split('.').take(2).collect();
        let valgrind = self.valgrind.as_deref().unwrap_or("none");
        format!(
            "{}+rustc{}+{}+valgrind{valgrind}+{}",
            self.target,
            minor.join("."),
            self.libc,
            self.tier
        )
    }
}

/// The numbers of one key, by case and metric.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    pub(crate) key: String,
    pub(crate) cases: BTreeMap<String, BTreeMap<Metric, u64>>,
}

const GATED: [Metric; 4] = [Metric::Allocs, Metric::Bytes, Metric::Peak, Metric::Instructions];

impl Baseline {
    /// Reads the file of `key`; `Ok(None)` when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be used.
    pub(crate) fn load(folder: &Path, key: &Key) -> anyhow::Result<Option<Self>> {
        let path = folder.join(format!("{}.json", key.name()));
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e).with_context(|| format!("the baseline {}", path.display())),
        };
        let baseline: Self = serde_json::from_str(&text)
            .with_context(|| format!("the baseline {} is broken", path.display()))?;
        anyhow::ensure!(
            baseline.key == key.name(),
            "the baseline {} says it is for {}",
            path.display(),
            baseline.key
        );
        Ok(Some(baseline))
    }

    /// Takes over what was measured, and keeps what was not.
    pub(crate) fn updated(&self, key: &Key, cases: &[&Case], measured: &Measured) -> Self {
        let mut new = Self { key: key.name(), cases: self.cases.clone() };
        for case in cases {
            let at = (case.name.clone(), "after".to_owned());
            let numbers = new.cases.entry(case.name.clone()).or_default();
            if let Some(alloc) = measured.heap.get(&at).filter(|a| a.is_steady()) {
                numbers.insert(Metric::Allocs, alloc.one.allocs);
                numbers.insert(Metric::Bytes, alloc.one.bytes);
                numbers.insert(Metric::Peak, alloc.one.peak);
            }
            if let Some(count) = measured.instructions.get(&at).filter(|c| c.is_steady()) {
                numbers.insert(Metric::Instructions, count.most);
            } else if measured.instructions.contains_key(&at) {
                // What depends on the layout is not gated, so it is not kept either.
                numbers.remove(&Metric::Instructions);
            }
            numbers.retain(|metric, _| GATED.contains(metric));
        }
        new
    }

    /// Drops cases that are defined no more.
    pub(crate) fn prune(&mut self, defined: &[Case]) {
        self.cases.retain(|name, _| defined.iter().any(|c| c.name == *name));
    }

    /// Every value that `new` changes, old → new, one line each.
    pub(crate) fn changes(&self, new: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        for (case, numbers) in &new.cases {
            for (metric, now) in numbers {
                match self.cases.get(case).and_then(|n| n.get(metric)) {
                    Some(old) if old == now => {}
                    Some(old) => lines.push(format!("{case}: {metric} {old} → {now}")),
                    None => lines.push(format!("{case}: {metric} – → {now}")),
                }
            }
        }
        for case in self.cases.keys().filter(|c| !new.cases.contains_key(*c)) {
            lines.push(format!("{case}: gone"));
        }
        lines
    }

    /// Writes the file of its key.
    ///
    /// # Errors
    /// When the folder or file cannot be written.
    pub(crate) fn save(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}.json", self.key));
        std::fs::write(&path, serde_json::to_string_pretty(self)? + "\n")
            .with_context(|| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key {
            target: "x86_64-unknown-linux-gnu".into(),
            rustc: "1.95.0".into(),
            libc: "glibc2.36".into(),
            valgrind: Some("3.19.0".into()),
            tier: "avx2".into(),
        }
    }

    #[test]
    fn missing_is_none_and_broken_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Baseline::load(folder.path(), &key()).unwrap(), None);
        let path = folder.path().join(format!("{}.json", key().name()));
        std::fs::write(&path, "{ not json").unwrap();
        let error = Baseline::load(folder.path(), &key()).unwrap_err();
        assert!(format!("{error:#}").contains("is broken"), "{error:#}");
        std::fs::write(&path, r#"{"key":"another","cases":{}}"#).unwrap();
        assert!(Baseline::load(folder.path(), &key()).unwrap_err().to_string().contains("another"));
    }

    #[test]
    fn a_round_trip_and_the_changes_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut old = Baseline { key: key().name(), ..Baseline::default() };
        old.cases.entry("a/b/c".into()).or_default().insert(Metric::Allocs, 1);
        old.save(folder.path()).unwrap();
        assert_eq!(Baseline::load(folder.path(), &key()).unwrap().as_ref(), Some(&old));
        let mut new = old.clone();
        new.cases.get_mut("a/b/c").unwrap().insert(Metric::Allocs, 2);
        new.cases.get_mut("a/b/c").unwrap().insert(Metric::Instructions, 70);
        assert_eq!(old.changes(&new), ["a/b/c: allocs 1 → 2", "a/b/c: instructions – → 70"]);
        assert!(old.changes(&old).is_empty());
    }
}
