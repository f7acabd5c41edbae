//! Which cases a run takes.

use super::Options;
use anyhow::{Result, bail};
use onecopy_bench_model::case::Case;
use regex_lite::Regex;

/// The cases that the options name, in the order of the definitions.
///
/// # Errors
/// When an expression is none, a crate has no case, or nothing is left.
pub(crate) fn select<'c>(cases: &'c [Case], options: &Options) -> Result<Vec<&'c Case>> {
    let filters = options
        .filter
        .iter()
        .map(|f| {
            Regex::new(f)
                .map_err(|e| anyhow::anyhow!("the filter `{f}` is no regular expression: {e}"))
        })
        .collect::<Result<Vec<_>>>()?;
    if let Some(name) = &options.only_crate
        && !cases.iter().any(|c| c.crate_name() == name)
    {
        let mut known: Vec<&str> = cases.iter().map(Case::crate_name).collect();
        known.dedup();
        bail!("no case of a crate `{name}`; there are cases of {}", known.join(", "));
    }
    let chosen: Vec<&Case> = cases
        .iter()
        .filter(|c| options.only_crate.as_deref().is_none_or(|name| c.crate_name() == name))
        .filter(|c| filters.is_empty() || filters.iter().any(|f| f.is_match(&c.name)))
        .collect();
    if chosen.is_empty() {
        bail!("no case matches; `cargo xtask bench list` names all {}", cases.len());
    }
    Ok(chosen)
}
