//! Every origin is told in ORIGINS.md, and nothing is told there that no case has.

use crate::{load, read};
use std::collections::BTreeSet;

const FILES: [&str; 6] =
    ["bytes.toml", "column.toml", "firebird.toml", "text.toml", "utf16.toml", "validate.toml"];

fn collect(value: &toml::Value, origins: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            if let Some(origin) = table.get("origin") {
                origins.insert(origin.as_str().unwrap().to_owned());
            }
            table.values().for_each(|value| collect(value, origins));
        }
        toml::Value::Array(values) => values.iter().for_each(|value| collect(value, origins)),
        _ => {}
    }
}

#[test]
fn origins_are_told() {
    let mut found = BTreeSet::new();
    for file in FILES {
        collect(&load(file), &mut found);
    }
    let told: BTreeSet<String> = read("ORIGINS.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next().map(str::to_owned))
        .collect();
    assert_eq!(found, told);
}

#[test]
fn every_file_is_read() {
    let folder = format!("{}/tests/data", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    files.sort();
    assert_eq!(files, FILES);
}
