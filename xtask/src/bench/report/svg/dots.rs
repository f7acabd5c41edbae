//! Dot and whisker of a case: who is how many times faster than `before`.

use super::super::format::{self, xml};
use super::super::view::{self, Kind};
use super::super::{CaseReport, Verdict};
use super::axis::Axis;
use super::{Range, TOP, class, fit, line, mark, ring, text, whisker};
use onecopy_bench_model::case::Metric;
use std::fmt::Write;

const WIDTH: f64 = 600.0;
/// Of the names on the left.
const NAMES: f64 = 132.0;
/// Of the times on the right.
const TIMES: f64 = 72.0;
/// Between the end of the axis and the times: a label of the rightmost dot fits.
const LABEL: f64 = 66.0;
const ROW: f64 = 22.0;

/// A row each for before (the reference line at ×1), fix, after and the peers, faster to the right.
/// The label is the median; the whisker is the interval over processes. The limit has a row too, and
/// its mark is a rule through all rows: nobody gets to the right of it.
pub(crate) fn dots(case: &CaseReport, range: Range) -> String {
    let series = view::series(case);
    let bottom = TOP + ROW * series.len() as f64;
    let height = bottom + 20.0;
    let reference = if case.ratio.is_some() { "before" } else { "after" };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>{}: times faster than {}</title>",
        xml(&case.name),
        reference
    );
    let axis = Axis { range, left: NAMES, width: WIDTH - NAMES - LABEL - TIMES };
    axis.draw(&mut out, TOP, bottom);
    let caption = format!("times faster than {reference} →");
    text(&mut out, NAMES, 12.0, "start", "tick", &caption);
    text(&mut out, WIDTH - 2.0, 12.0, "end", "tick", "a call");
    if let Some(limit) = series.iter().find(|s| s.kind == Kind::Limit).and_then(|s| s.speed) {
        let x = axis.x(limit.median);
        line(&mut out, "limit rule", (x, TOP), (x, bottom));
    }
    let failed = time_failed(case);
    for (row, series) in series.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let _ = writeln!(out, "<g class=\"series {}\">", class(series.kind));
        if series.name.chars().count() > 18 {
            let _ = writeln!(out, "<title>{}</title>", xml(series.name));
        }
        text(&mut out, NAMES - 14.0, y + 4.0, "end", "name", &fit(series.name, 18));
        if let Some(speed) = series.speed {
            let x = axis.x(speed.median);
            let exact = speed.low == 1.0 && speed.high == 1.0 && speed.median == 1.0;
            if !exact {
                whisker(&mut out, axis.x(speed.low), axis.x(speed.high), y);
            }
            mark(&mut out, series.kind, x, y);
            let mut end = x.max(axis.x(speed.high)) + 8.0;
            let mut label = format::times(speed.median);
            if failed && series.kind == Kind::After {
                ring(&mut out, x, y);
                label.insert_str(0, "✗ ");
                end = end.max(x + 12.0);
            } else if case.verdict == Verdict::Noisy && !exact {
                label.insert_str(0, "~ ");
            }
            text(&mut out, end, y + 4.0, "start", "label", &label);
        } else {
            text(&mut out, axis.x(1.0) + 8.0, y + 4.0, "start", "muted", "not timed");
        }
        text(
            &mut out,
            WIDTH - 2.0,
            y + 4.0,
            "end",
            "value",
            &format::or_none(series.ns, format::ns),
        );
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Whether it is the time that made the case fail. A failure that no exact claim and no drift
/// explains can only be one of time.
fn time_failed(case: &CaseReport) -> bool {
    if case.verdict != Verdict::Fail {
        return false;
    }
    let broken = |metric: Metric| metric == Metric::Time;
    let mut failed = case.claims.iter().filter(|c| c.holds == Some(false)).peekable();
    let explained = failed.peek().is_some() || case.drift.iter().any(|d| d.fails);
    failed.any(|c| broken(c.metric)) || !explained
}

#[cfg(test)]
mod tests {
    use super::super::super::{fixture, well_formed};
    use super::*;

    #[test]
    fn a_case_with_everything() {
        let report = fixture();
        let case = report.cases.iter().find(|c| c.verdict == Verdict::Fail).unwrap();
        let plot = dots(case, Range::of([case]));
        insta::assert_snapshot!(plot);
        well_formed::check(&plot).unwrap();
    }

    #[test]
    fn the_limit_is_a_rule_where_its_mark_stands() {
        let mut report = fixture();
        let case = report.cases.iter_mut().find(|c| c.limit.is_some()).unwrap();
        let plot = dots(case, Range::of([&*case]));
        let rule = plot.lines().find(|l| l.contains("class=\"limit rule\"")).unwrap();
        let x = rule.split('"').nth(3).unwrap();
        assert!(plot.contains(&format!("<path class=\"mark\" d=\"M{x} ")), "{plot}");
        // Not timed, it still has a row, but no place.
        case.limit.as_mut().unwrap().ratio = None;
        let plot = dots(case, Range::of([&*case]));
        assert!(plot.contains("sqlite3_step") && !plot.contains("rule"), "{plot}");
        well_formed::check(&plot).unwrap();
    }

    #[test]
    fn without_before_the_reference_is_after() {
        let report = fixture();
        let case = report.cases.iter().find(|c| c.ratio.is_none()).unwrap();
        let plot = dots(case, Range::of([case]));
        assert!(plot.contains("times faster than after"), "{plot}");
        well_formed::check(&plot).unwrap();
    }
}
