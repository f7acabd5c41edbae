//! Allocations of a call as bars.

use super::super::format::{self, NONE, xml};
use super::super::{CaseReport, Verdict};
use super::{TOP, at, fit, text};
use onecopy_bench_model::case::Metric;
use std::fmt::Write;

const WIDTH: f64 = 300.0;
const NAMES: f64 = 58.0;
/// The longest bar; the rest is for its label.
const BAR: f64 = 92.0;
/// Characters beside the longest bar: `5,009 · 8,228,510 B`, the greatest of the seeds.
const ROOM: usize = 19;
const ROW: f64 = 22.0;

/// A bar each for before, fix and after, as long as its allocations; their number and bytes beside
/// it. None at all is a ring on the base line, so that it is not taken for a missing bar.
pub(crate) fn bars(case: &CaseReport) -> String {
    let variants: Vec<_> = ["before", "fix", "after"]
        .into_iter()
        .filter_map(|name| case.variants.get(name).map(|variant| (name, variant)))
        .collect();
    let most = variants.iter().filter_map(|(_, v)| v.allocs).max().unwrap_or(0);
    let height = TOP + 4.0 + ROW * variants.len() as f64;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>{}: allocations of a call</title>\n\
         <line class=\"base\" x1=\"{NAMES}\" y1=\"{TOP}\" x2=\"{NAMES}\" y2=\"{}\"/>",
        xml(&case.name),
        at(height - 4.0),
    );
    text(&mut out, NAMES, 12.0, "start", "tick", "allocations · bytes, a call");
    for (row, (name, variant)) in variants.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let failed = heap_failed(case, name);
        let _ = writeln!(out, "<g class=\"series {name}\">");
        text(&mut out, NAMES - 10.0, middle + 4.0, "end", "name", &fit(name, 8));
        let bytes = |allocs: &str| match variant.bytes {
            Some(bytes) => format!("{allocs} · {} B", format::count(bytes)),
            None => allocs.to_owned(),
        };
        let (end, label) = match variant.allocs {
            None => (NAMES, bytes(NONE)),
            Some(0) => {
                let _ = writeln!(
                    out,
                    "<circle class=\"mark open\" cx=\"{NAMES}\" cy=\"{}\" r=\"4.5\"/>",
                    at(middle)
                );
                (NAMES + 5.0, bytes("0"))
            }
            Some(allocs) => {
                // A pixel and a half is still seen beside a bar of thousands.
                let width = (BAR * allocs as f64 / most as f64).max(1.5);
                let _ = writeln!(
                    out,
                    "<rect class=\"bar\" x=\"{NAMES}\" y=\"{}\" width=\"{}\" height=\"12\"/>",
                    at(middle - 6.0),
                    at(width)
                );
                (NAMES + width, bytes(&format::count(allocs)))
            }
        };
        if failed {
            let _ = writeln!(
                out,
                "<rect class=\"failed\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\"/>",
                at(NAMES - 6.0),
                at(middle - 9.0),
                at(end - NAMES + 10.0)
            );
        }
        let label = match (variant.allocs, variant.bytes) {
            (Some(allocs), Some(bytes)) if label.chars().count() > ROOM => {
                format!("{} · {}B", format::short(allocs), format::short(bytes))
            }
            _ => label,
        };
        let label = if failed { format!("✗ {label}") } else { label };
        text(&mut out, end + 8.0, middle + 4.0, "start", "label", &label);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Whether the heap use of this variant failed: a claim (they speak of `after`), or drift.
fn heap_failed(case: &CaseReport, variant: &str) -> bool {
    let heap = |metric: Metric| !matches!(metric, Metric::Time | Metric::Instructions);
    case.verdict == Verdict::Fail
        && (case.drift.iter().any(|d| d.fails && d.variant == variant && heap(d.metric))
            || variant == "after"
                && case.claims.iter().any(|c| c.holds == Some(false) && heap(c.metric)))
}

#[cfg(test)]
mod tests {
    use super::super::super::{fixture, well_formed};
    use super::*;

    #[test]
    fn zero_is_a_mark_and_missing_is_a_dash() {
        let mut report = fixture();
        let case = &mut report.cases[0];
        let shown = bars(case);
        assert!(shown.contains("<circle class=\"mark open\""), "{shown}");
        assert!(shown.contains(">0 · 0 B<"), "{shown}");
        for variant in case.variants.values_mut() {
            (variant.allocs, variant.bytes) = (None, None);
        }
        let shown = bars(case);
        assert!(!shown.contains("<circle"), "{shown}");
        assert!(shown.contains(">–<"), "{shown}");
    }

    #[test]
    fn all_cases() {
        let report = fixture();
        let all: String = report.cases.iter().map(bars).collect();
        insta::assert_snapshot!(all);
        for case in &report.cases {
            well_formed::check(&bars(case)).unwrap();
        }
    }
}
