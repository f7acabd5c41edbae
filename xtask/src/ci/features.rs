//! Every feature of every published crate alone, and none: linted as a user's build would see it
//! (clippy on the library, where no dev-dependency adds a feature) and tested.

use crate::shell::Workspace;
use anyhow::Result;
use std::process::Command;

/// The crates that the root manifest optimises in debug builds, their tests included, because those
/// try every length at every place.
const OPTIMISED: [&str; 3] = ["lucene-io", "rfc5987", "utf8-runes"];

/// Two commands for each set of features.
pub(super) fn commands(workspace: &Workspace) -> Result<Vec<Command>> {
    let quickly = quickly_built(workspace);
    let mut commands = Vec::new();
    for package in workspace.published() {
        let sets = std::iter::once("").chain(package.features.iter().map(String::as_str));
        for set in sets {
            let choice = ["-p", &package.name, "--no-default-features", "--features", set];
            commands.push(workspace.cargo(
                ["clippy"].into_iter().chain(choice).chain(["--lib", "--", "-D", "warnings"]),
            )?);
            let quickly = quickly.iter().flat_map(|setting| ["--config", setting]);
            commands.push(workspace.cargo(["test"].into_iter().chain(choice).chain(quickly))?);
        }
    }
    Ok(commands)
}

/// Settings of the profile for the crates themselves, so that what they depend on is what the step
/// `test` has built. Each set builds all tests of its crate and runs them once: nearly all of the
/// time is the compiler's. Half of that are what debuggers read and the last degree of optimisation;
/// without any, the tests would take what the compiler saves.
fn quickly_built(workspace: &Workspace) -> Vec<String> {
    let debug = workspace.published().map(|package| (&*package.name, "debug=false"));
    debug
        .chain(OPTIMISED.map(|name| (name, "opt-level=1")))
        .map(|(name, setting)| format!("profile.dev.package.{name}.{setting}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::show;

    #[test]
    fn each_feature_stands_alone_once() {
        let workspace = Workspace::load().unwrap();
        let shown: Vec<_> = commands(&workspace).unwrap().iter().map(show).collect();
        let expected: usize = workspace.published().map(|p| 2 * (p.features.len() + 1)).sum();
        assert_eq!(shown.len(), expected);
        assert!(shown.iter().all(|line| !line.contains("--features default")));
        let text = "cargo test -p utf8-runes --no-default-features --features alloc";
        assert!(shown.iter().any(|line| line.starts_with(text)), "{shown:#?}");
    }

    #[test]
    fn what_is_optimised_is_what_the_manifest_says() {
        let workspace = Workspace::load().unwrap();
        let manifest = std::fs::read_to_string(workspace.root.join("Cargo.toml")).unwrap();
        let table = manifest.split("\n[profile.dev.package]\n").nth(1).unwrap();
        let lines = table.lines().take_while(|line| !line.is_empty());
        let published = |name: &&str| workspace.published().any(|package| package.name == *name);
        let names = lines.map(|line| line.split(" = ").next().unwrap()).filter(published);
        let names: Vec<_> = names.collect();
        assert_eq!(names, OPTIMISED);
    }
}
