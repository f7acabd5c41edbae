//! The kernels in a program that is compiled for newer processors, which leaves the detection out:
//! with `std` and without, built everywhere and run where this processor is such a one.

use crate::shell::Workspace;
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A set of features as the compiler names them, and whether this processor has them.
struct Set {
    flags: &'static str,
    here: fn() -> bool,
}

#[cfg(target_arch = "x86_64")]
macro_rules! set {
    ($first:tt $(, $feature:tt)*) => {
        Set {
            flags: concat!("-Ctarget-feature=+", $first $(, ",+", $feature)*),
            here: || std::is_x86_feature_detected!($first)
                $(&& std::is_x86_feature_detected!($feature))*,
        }
    };
}

#[cfg(target_arch = "x86_64")]
const SETS: [Set; 3] = [
    set!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt"),
    set!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "avx512f", "avx512bw", "avx512vl"),
    set!(
        "avx2",
        "bmi1",
        "bmi2",
        "lzcnt",
        "popcnt",
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vbmi",
        "avx512vbmi2"
    ),
];

/// No other processor has kernels of its own.
#[cfg(not(target_arch = "x86_64"))]
const SETS: [Set; 0] = [];

/// The tests that need nothing else, in a package of their own: what the crate's others use would
/// be built once more for each set.
const TESTS: [&str; 3] = ["columns", "oracle", "sequences"];

/// Optimised, as the compiler then moves what the features allow to where nobody asked for it.
pub(super) fn commands(workspace: &Workspace) -> Result<Vec<Command>> {
    let folder = workspace.target.join("xtask-ci/compiled-for");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Cargo.toml"), manifest(workspace))?;
    fs::write(folder.join("lib.rs"), "")?;
    let mut commands = Vec::new();
    for set in SETS {
        for features in ["std", ""] {
            let only_built = (!(set.here)()).then_some("--no-run");
            let args = ["test", "--release", "--tests", "--features", features];
            let mut command = workspace.cargo(args.into_iter().chain(only_built))?;
            command.current_dir(&folder).env("CARGO_TARGET_DIR", &workspace.target);
            command.env("RUSTFLAGS", set.flags);
            commands.push(command);
        }
    }
    Ok(commands)
}

fn manifest(workspace: &Workspace) -> String {
    let krate = workspace.root.join("crates/utf8-runes");
    let quoted = |path: &Path| serde_json::to_string(path).unwrap_or_default();
    let mut text = format!(
        "[package]\nname = \"compiled-for\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n[lib]\npath = \"lib.rs\"\n\n[features]\nstd = [\"alloc\", \"utf8-runes/std\"]\n\
         alloc = [\"utf8-runes/alloc\"]\n# Off: it takes the shortcuts out.\ntiers = []\n\n\
         [dependencies]\nutf8-runes = {{ path = {}, default-features = false }}\n",
        quoted(&krate),
    );
    for name in TESTS {
        let path = krate.join("tests").join(name).with_extension("rs");
        text += &format!("\n[[test]]\nname = \"{name}\"\npath = {}\n", quoted(&path));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each set is the one before and more: where a set is missing, so are those behind it.
    #[test]
    fn sets_grow() {
        for pair in SETS.windows(2) {
            assert!(pair[1].flags.starts_with(pair[0].flags), "{}", pair[1].flags);
            assert!((pair[0].here)() || !(pair[1].here)(), "{}", pair[0].flags);
        }
    }
}
