//! The heavy peers: packages of the workspace `benches/peers`, each a runner of its own.
//!
//! A package says in `[package.metadata.onecopy]` whose cases it has (`crates = ["utf8-runes"]`) and
//! what it needs to build (`needs = ["c++"]`). What cannot be built is told and left out.

use super::runner::{self, Runner};
use super::{Place, environment};
use anyhow::{Context, Result};
use onecopy_bench_model::case::Case;
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    metadata: Option<Sections>,
}

#[derive(Deserialize)]
struct Sections {
    onecopy: Option<Section>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Section {
    crates: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
}

/// Below `benches/peers`. A lock file can hold only one package that links `sqlite3`, so sqll's and
/// sqlx's are workspaces of their own.
const WORKSPACES: [&str; 3] = ["", "sqlite-sqll", "sqlite-sqlx"];

/// Builds the runners that have peers of `chosen`; with each skip goes a sentence.
pub(crate) fn build(place: &Place, chosen: &[&Case]) -> Result<(Vec<Runner>, Vec<String>)> {
    let root = place.workspace.root.join("benches/peers");
    let mut packages = Vec::new();
    for workspace in WORKSPACES {
        packages.extend(packages_of(&root.join(workspace).join("Cargo.toml"))?);
    }

    let (mut runners, mut notes) = (Vec::new(), Vec::new());
    let mut present: Vec<String> = Vec::new();
    for package in packages {
        let section = package.metadata.and_then(|m| m.onecopy).unwrap_or_default();
        let wanted = chosen.iter().any(|c| {
            !c.heavy.is_empty() && section.crates.iter().any(|name| name == c.crate_name())
        });
        if !wanted {
            continue;
        }
        if let Some(lacking) = section.needs.iter().find(|need| !is_there(need)) {
            notes.push(format!(
                "skipped: the peers of `{}` need {lacking}, and `{}` does not run",
                package.name,
                program(lacking)
            ));
            continue;
        }
        let manifest = root.join(&package.name).join("Cargo.toml");
        let target = place.workspace.target.join("peers");
        match runner::build(&root, &manifest, &package.name, &target) {
            Ok(program) => {
                let cases = place.workspace.root.join("benches/cases");
                let runner = Runner {
                    program,
                    cases,
                    heavy: true,
                    extra: Vec::new(),
                    folder: None,
                    environment: None,
                };
                let said = runner.run(&[], &["list".into()], &[])?;
                present.extend(said.hello.registered.into_values().flatten());
                runners.push(runner);
            }
            Err(error) => notes.push(format!("skipped: the peers of `{}`: {error}", package.name)),
        }
    }
    let mut absent: Vec<&str> = chosen
        .iter()
        .flat_map(|c| c.heavy.iter().map(String::as_str))
        .filter(|h| !present.iter().any(|p| p == h))
        .collect();
    absent.sort_unstable();
    absent.dedup();
    if !absent.is_empty() {
        notes.push(format!("not measured: {}", absent.join(", ")));
    }
    Ok((runners, notes))
}

fn packages_of(manifest: &Path) -> Result<Vec<Package>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()?;
    anyhow::ensure!(
        output.status.success(),
        "{}: {}",
        manifest.display(),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("benches/peers")?;
    Ok(metadata.packages)
}

/// The program that stands for a need.
fn program(need: &str) -> String {
    match need {
        "c++" => std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned()),
        other => other.to_owned(),
    }
}

fn is_there(need: &str) -> bool {
    environment::first_line(Command::new(program(need)).arg("--version")).is_some()
}
