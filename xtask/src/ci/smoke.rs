//! The fuzz targets in CI: from one seed, so many inputs each.

use crate::shell::Workspace;
use anyhow::Result;
use std::process::Command;

/// Where every walk begins. Another one would be as good; that it stays is what counts.
const SEED: &str = "1";

/// When the clock ends a target all the same, which is said and no failure: on a machine with other
/// work less is tried.
const SECONDS: &str = "45";

/// How many inputs, for targets of about one speed: ten seconds of a core or a little less.
const RUNS: [(&str, &[&str]); 5] = [
    ("1500", &["sqlite_text_batch"]),
    (
        "6000",
        &["lucene_io_index", "lucene_io_stored", "sqlite_text_pieces", "utf8_runes_utf16_bytes"],
    ),
    (
        "15000",
        &[
            "lucene_io_compound",
            "lucene_io_lz4",
            "pktpool_resume",
            "rfc5987_encode_decode",
            "sqlite_text_row",
            "utf8_runes_column",
            "utf8_runes_decode",
            "utf8_runes_utf16",
        ],
    ),
    ("40000", &["pktpool_stream", "rfc5987_parse", "rfc5987_round_trip"]),
    ("120000", &["lucene_io_codec", "lucene_io_input", "pktpool_framings", "rfc5987_sanitise"]),
];

pub(super) fn commands(workspace: &Workspace) -> Result<Vec<Command>> {
    let command = |&(runs, targets): &(&str, &[&str])| {
        let args = ["xtask", "fuzz", "--seed", SEED, "--runs", runs, "--seconds", SECONDS];
        workspace.cargo(args.iter().chain(targets))
    };
    RUNS.iter().map(command).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_number_of_runs() {
        let all = crate::fuzz::targets(&Workspace::load().unwrap()).unwrap();
        let mut named: Vec<&str> = RUNS.iter().flat_map(|(_, targets)| *targets).copied().collect();
        named.sort_unstable();
        assert_eq!(named, all);
    }

    #[test]
    fn the_arguments_are_those_of_fuzz() {
        let commands = commands(&Workspace::load().unwrap()).unwrap();
        let first: Vec<_> = commands[0].get_args().map(|arg| arg.to_string_lossy()).collect();
        let shown = "xtask fuzz --seed 1 --runs 1500 --seconds 45 sqlite_text_batch";
        assert!(first.join(" ").starts_with(shown), "{first:?}");
        assert_eq!(commands.len(), RUNS.len());
    }
}
