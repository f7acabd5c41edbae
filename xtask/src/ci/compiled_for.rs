//! The kernels in a program that is compiled for newer processors, which leaves the detection out:
//! with `std` and without, built everywhere and run where this processor is such a one.

use crate::shell::Workspace;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate that has kernels, and what of it is built for a set.
struct Kernels {
    name: &'static str,
    /// The tests that need hardly anything else, in a package of their own: what the crate's others
    /// use would be built once more for each set.
    tests: &'static [&'static str],
    /// What these tests use, as the package's manifest names it.
    uses: &'static [&'static str],
    /// The package's features that are the crate's own, as the tests ask for them.
    features: &'static [&'static str],
    /// The slowest first.
    sets: &'static [Set],
}

/// A set of features as the compiler names them, and whether this processor has them.
struct Set {
    flags: &'static str,
    here: fn() -> bool,
}

/// One set a tier, of which each row says what it has more than the one before.
#[cfg(target_arch = "x86_64")]
macro_rules! sets {
    ($([$($more:tt)*])*) => { sets!(@ [] [] $([$($more)*])*) };
    (@ [$($sets:expr,)*] [$($known:tt)*]) => { &[$($sets),*] };
    (@ [$($sets:expr,)*] [$($known:tt)*] [$($more:tt)*] $($rest:tt)*) => {
        sets!(@ [$($sets,)* set!($($known)* $($more)*),] [$($known)* $($more)*] $($rest)*)
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! set {
    ($($feature:tt)*) => {
        Set {
            // SSE2 is there in any case.
            flags: concat!("-Ctarget-feature=+sse2" $(, ",+", $feature)*),
            here: || true $(&& std::is_x86_feature_detected!($feature))*,
        }
    };
}

/// No other processor has kernels of its own.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! sets {
    ($($set:tt)*) => {
        &[]
    };
}

const KERNELS: [Kernels; 2] = [
    Kernels {
        name: "utf8-runes",
        tests: &["columns", "oracle", "sequences"],
        uses: &[],
        features: &["std = [\"alloc\", \"utf8-runes/std\"]", "alloc = [\"utf8-runes/alloc\"]"],
        sets: sets![
            ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"]
            ["avx512f" "avx512bw" "avx512vl"]
            ["avx512vbmi" "avx512vbmi2"]
        ],
    },
    Kernels {
        name: "rfc5987",
        tests: &["tiers"],
        uses: &["percent-encoding = \"2\""],
        features: &["std = [\"rfc5987/std\"]"],
        sets: sets![
            ["ssse3" "sse4.1" "popcnt"]
            ["avx2" "bmi1" "bmi2" "lzcnt"]
            ["avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2"]
        ],
    },
];

/// Optimised, as the compiler then moves what the features allow to where nobody asked for it.
pub(super) fn commands(workspace: &Workspace) -> Result<Vec<Command>> {
    let mut commands = Vec::new();
    for kernels in &KERNELS {
        let folder = kernels.write(workspace)?;
        for set in kernels.sets {
            for features in ["std", ""] {
                let only_built = (!(set.here)()).then_some("--no-run");
                let args = ["test", "--release", "--tests", "--features", features];
                let mut command = workspace.cargo(args.into_iter().chain(only_built))?;
                command.current_dir(&folder).env("CARGO_TARGET_DIR", &workspace.target);
                command.env("RUSTFLAGS", set.flags);
                commands.push(command);
            }
        }
    }
    Ok(commands)
}

impl Kernels {
    /// The package, in the target folder.
    fn write(&self, workspace: &Workspace) -> Result<PathBuf> {
        let folder = workspace.target.join("xtask-ci/compiled-for").join(self.name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("Cargo.toml"), self.manifest(workspace))?;
        fs::write(folder.join("lib.rs"), "")?;
        // What is used is of the versions that the others are tested with.
        fs::copy(workspace.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(folder)
    }

    fn manifest(&self, workspace: &Workspace) -> String {
        let Self { name, uses, features, .. } = self;
        let krate = workspace.root.join("crates").join(name);
        let quoted = |path: &Path| serde_json::to_string(path).unwrap_or_default();
        let mut text = format!(
            "[package]\nname = \"compiled-for-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [workspace]\n\n[lib]\npath = \"lib.rs\"\n\n[features]\n{}\n\
             # Off: it takes the shortcuts out.\ntiers = []\n\n\
             [dependencies]\n{name} = {{ path = {}, default-features = false }}\n{}\n",
            features.join("\n"),
            quoted(&krate),
            uses.join("\n"),
        );
        for test in self.tests {
            let path = krate.join("tests").join(test).with_extension("rs");
            text += &format!("\n[[test]]\nname = \"{test}\"\npath = {}\n", quoted(&path));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each set is the one before and more: where a set is missing, so are those behind it.
    #[test]
    fn sets_grow() {
        for pair in KERNELS.iter().flat_map(|kernels| kernels.sets.windows(2)) {
            assert!(pair[1].flags.starts_with(pair[0].flags), "{}", pair[1].flags);
            assert!((pair[0].here)() || !(pair[1].here)(), "{}", pair[0].flags);
        }
    }

    #[test]
    fn every_test_is_there() {
        let workspace = Workspace::load().unwrap();
        for kernels in &KERNELS {
            assert!(!kernels.tests.is_empty());
            for test in kernels.tests {
                let file = format!("crates/{}/tests/{test}.rs", kernels.name);
                assert!(workspace.root.join(&file).is_file(), "{file}");
            }
        }
    }
}
