//! `report.json`: what other tools read, and what `bench report` renders again.

use super::{Report, SCHEMA};
use serde::Deserialize;

/// Pretty, in the order of the model's fields, names in maps sorted, a newline at the end.
pub(crate) fn write(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report)
        .expect("a report has string keys only, so that it can always be written");
    text.push('\n');
    text
}

#[derive(Deserialize)]
struct Head {
    schema: Option<serde_json::Value>,
}

/// Reads what [`write`] wrote. The message of an error is a sentence for the terminal.
pub(crate) fn read(text: &str) -> Result<Report, String> {
    // The schema first: of a later schema's report, its version is the fault to name, not the first
    // field that differs.
    let head: Head =
        serde_json::from_str(text).map_err(|e| format!("this is no report of `bench`: {e}"))?;
    match head.schema {
        None => return Err("this is no report of `bench`: it has no `schema`".to_owned()),
        Some(schema) if schema != SCHEMA => {
            return Err(format!(
                "this report has schema {schema}, and this xtask reads {SCHEMA}: run `bench` again"
            ));
        }
        Some(_) => {}
    }
    serde_json::from_str(text).map_err(|e| format!("this report is broken: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXTURE: &str = include_str!("../../../tests/fixtures/report.json");

    #[test]
    fn what_is_written_is_read_back() {
        let report = read(FIXTURE).unwrap();
        assert_eq!(write(&report), FIXTURE);
        assert_eq!(read(&write(&report)).unwrap(), report);
    }

    /// Needs `float_roundtrip` of `serde_json`; without it one number in ten comes back changed.
    #[test]
    fn every_bit_of_a_ratio_is_kept() {
        let mut report = read(FIXTURE).unwrap();
        let ratio = report.cases[0].ratio.as_mut().unwrap();
        // Thirds, sevenths…: measured ratios use all their bits.
        ratio.processes = (1..200).map(|n| f64::from(n) / 997.0).collect();
        assert_eq!(read(&write(&report)).unwrap(), report);
    }

    #[test]
    fn fixed_names() {
        let value: serde_json::Value = serde_json::from_str(FIXTURE).unwrap();
        for name in ["schema", "environment", "cases"] {
            assert!(value.get(name).is_some(), "{name}");
        }
        for case in value["cases"].as_array().unwrap() {
            for name in ["name", "crate", "verdict", "variants", "ratio", "peers", "claims"] {
                assert!(case.get(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let faults = [
            "",
            "[1, 2",
            "{}",
            "{\"schema\": 2}",
            "{\"schema\": \"1\"}",
            "{\"schema\": 1}",
            &FIXTURE.replacen("\"verdict\": \"pass\"", "\"verdict\": \"good\"", 1),
            &FIXTURE[..FIXTURE.len() / 2],
        ];
        let messages: Vec<String> = faults.iter().map(|text| read(text).unwrap_err()).collect();
        insta::assert_snapshot!(messages.join("\n"));
    }
}
