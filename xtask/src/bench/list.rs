//! `bench list`: what is defined.

use super::{Format, Options, Place, exit, plan};
use anyhow::Result;

/// Prints the chosen cases with their claims.
pub(crate) fn list(place: &Place, options: &Options) -> Result<u8> {
    let chosen = plan::select(&place.cases, options)?;
    if options.format == Format::Json {
        let rows: Vec<serde_json::Value> = chosen
            .iter()
            .map(|c| {
                serde_json::json!({
                    "name": c.name, "about": c.about, "source": c.source, "input": c.input,
                    "variants": c.variants, "peers": c.peers, "heavy": c.heavy, "limit": c.limit,
                    "guards": c.guards,
                    "claims": c.claim.iter().map(onecopy_bench_model::case::Claim::describe).collect::<Vec<_>>(),
                })
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(exit::HOLDS);
    }
    for case in &chosen {
        println!("{}\n    {} ({})", case.name, case.about, case.source);
        println!("    {}", case.everyone().collect::<Vec<_>>().join(", "));
        for claim in &case.claim {
            println!("    - {}", claim.describe());
        }
    }
    println!(
        "{} of {} cases; docs/BENCHMARKS.md says what a source, as `seeds 4`, is",
        chosen.len(),
        place.cases.len()
    );
    Ok(exit::HOLDS)
}
