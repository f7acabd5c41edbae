//! Every feature of every published crate alone, and none: linted as a user's build would see it
//! (clippy on the library, where no dev-dependency adds a feature) and tested. Where a feature alone
//! is the default, the step `test` has tested it; it tests all features together, too.

use crate::shell::Workspace;
use anyhow::Result;
use std::process::Command;

/// Two commands for each set of features, one for the default.
pub(super) fn commands(workspace: &Workspace) -> Result<Vec<Command>> {
    let mut commands = Vec::new();
    for package in workspace.published() {
        let sets = std::iter::once("").chain(package.features.iter().map(String::as_str));
        for set in sets {
            let choice = ["-p", &package.name, "--no-default-features", "--features", set];
            commands.push(workspace.cargo(
                ["clippy"].into_iter().chain(choice).chain(["--lib", "--", "-D", "warnings"]),
            )?);
            if package.default != [set] {
                commands.push(workspace.cargo(["test"].into_iter().chain(choice))?);
            }
        }
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{Package, show};

    #[test]
    fn each_feature_stands_alone_once() {
        let workspace = Workspace::load().unwrap();
        let shown: Vec<_> = commands(&workspace).unwrap().iter().map(show).collect();
        let sets = |p: &Package| p.features.len() + 1;
        let tested = |p: &Package| sets(p) - usize::from(p.default.len() == 1);
        let expected: usize = workspace.published().map(|p| sets(p) + tested(p)).sum();
        assert_eq!(shown.len(), expected);
        assert!(shown.iter().all(|line| !line.contains("--features default")));
        let text = "cargo test -p utf8-runes --no-default-features --features alloc";
        assert!(shown.iter().any(|line| line.starts_with(text)), "{shown:#?}");
        let text = "cargo test -p utf8-runes --no-default-features --features std";
        assert!(!shown.iter().any(|line| line.starts_with(text)), "{shown:#?}");
    }
}
