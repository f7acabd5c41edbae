//! The picture of the README: what became of each story.

use super::super::format::{self, xml};
use super::super::palette::{DARK, LIGHT, Theme};
use super::super::view::{self, Kind, Speed};
use super::super::{CaseReport, Report, Verdict};
use super::axis::Axis;
use super::{CHARACTER, Range, at, fit, line, mark, ring, text, whisker};
use std::fmt::Write;

const WIDTH: f64 = 880.0;
const MARGIN: f64 = 24.0;
const NAMES: f64 = 276.0;
/// Of the allocations on the right.
const ALLOCS: f64 = 128.0;
/// Behind the axis, for the label of the rightmost dot.
const LABEL: f64 = 76.0;
const ROW: f64 = 22.0;
const GROUP: f64 = 26.0;

/// A stand-alone SVG with a row for each case that comes from the seed stories (its `source` begins
/// with "seed") and has a `before`; where there is none of them, for each case with a `before`.
pub(crate) fn overview(report: &Report, title: &str) -> String {
    let seeds = |case: &CaseReport| case.source.starts_with("seed") && case.ratio.is_some();
    let any = report.cases.iter().any(seeds);
    let shown = |case: &CaseReport| if any { seeds(case) } else { case.ratio.is_some() };
    let groups: Vec<(&str, Vec<(&CaseReport, Speed)>)> = view::by_crate(report)
        .into_iter()
        .map(|(name, cases)| {
            let rows = cases.into_iter().filter(|case| shown(case));
            let rows = rows.filter_map(|c| Some((c, c.ratio.as_ref().and_then(Speed::of)?)));
            (name, rows.collect::<Vec<_>>())
        })
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    let top = 74.0;
    let rows: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let bottom = top + GROUP * groups.len() as f64 + ROW * rows as f64 + 4.0;
    let height = bottom + 62.0;
    let speeds = groups.iter().flat_map(|(_, rows)| rows.iter().map(|(_, speed)| *speed));
    let axis = Axis {
        range: Range::around(speeds),
        left: MARGIN + NAMES,
        width: WIDTH - 2.0 * MARGIN - NAMES - LABEL - ALLOCS,
    };

    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title\">\n\
         <title id=\"title\">{}</title>\n<style>\n{}@media (prefers-color-scheme: dark) {{\n{}}}\n</style>\n\
         <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
        xml(title),
        style(&LIGHT),
        style(&DARK),
        at(WIDTH - 1.0),
        at(height - 1.0),
    );
    text(&mut out, MARGIN, 33.0, "start", "title", title);
    legend(&mut out, MARGIN, 55.0);
    text(&mut out, WIDTH - MARGIN, 55.0, "end", "muted", "allocations a call");
    axis.draw(&mut out, top, bottom);
    let mut y = top;
    for (name, rows) in &groups {
        text(&mut out, MARGIN, y + 18.0, "start", "group", name);
        y += GROUP;
        for (case, speed) in rows {
            row(&mut out, axis, case, *speed, y + ROW / 2.0);
            y += ROW;
        }
    }
    if groups.is_empty() {
        text(&mut out, MARGIN, bottom, "start", "muted", "No case with a before was measured.");
    }
    let machine = fit(&view::machine(&report.environment), 130);
    text(&mut out, MARGIN, height - 17.0, "start", "muted small", &machine);
    out.push_str("</svg>\n");
    out
}

fn row(out: &mut String, axis: Axis, case: &CaseReport, speed: Speed, y: f64) {
    let (one, x) = (axis.x(1.0), axis.x(speed.median));
    out.push_str("<g class=\"series\">\n");
    let _ = writeln!(out, "<title>{}: {}</title>", xml(&case.name), xml(&speed.text()));
    text(out, MARGIN + 12.0, y + 4.0, "start", "name", &fit(view::short_name(case), 38));
    line(out, "way", (one, y), (x, y));
    out.push_str("<g class=\"before\">\n");
    mark(out, Kind::Before, one, y);
    out.push_str("</g>\n<g class=\"after\">\n");
    whisker(out, axis.x(speed.low), axis.x(speed.high), y);
    mark(out, Kind::After, x, y);
    out.push_str("</g>\n");
    let mut label = format::times(speed.median);
    let mut end = x.max(axis.x(speed.high)).max(one) + 9.0;
    match case.verdict {
        Verdict::Pass => {}
        Verdict::Fail => {
            ring(out, x, y);
            label.push_str(" ✗");
            end += 3.0;
        }
        Verdict::Noisy => label.push_str(" ~"),
    }
    text(out, end, y + 4.0, "start", "label", &label);
    let allocs = |name: &str| case.variants.get(name).and_then(|v| v.allocs);
    let allocs = format::arrow(allocs("before"), allocs("after"), format::count);
    text(out, WIDTH - MARGIN, y + 4.0, "end", "value", &allocs);
    out.push_str("</g>\n");
}

/// What the marks mean, in one line.
fn legend(out: &mut String, x: f64, y: f64) {
    out.push_str("<g class=\"before\">\n");
    mark(out, Kind::Before, x + 5.0, y - 4.0);
    out.push_str("</g>\n");
    let before = "before = ×1";
    text(out, x + 15.0, y, "start", "muted", before);
    let next = x + 15.0 + before.chars().count() as f64 * CHARACTER + 14.0;
    out.push_str("<g class=\"after\">\n");
    mark(out, Kind::After, next, y - 4.0);
    out.push_str("</g>\n");
    let after =
        "after: times faster, log scale; whisker: interval over processes; ✗ failed, ~ noisy";
    text(out, next + 10.0, y, "start", "muted", after);
}

/// The style sheet in plain colours: not every viewer of an SVG knows variables.
fn style(theme: &Theme) -> String {
    format!(
        "text {{ font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; font-variant-numeric: tabular-nums; fill: {text} }}\n\
         .card {{ fill: {bg}; stroke: {line} }}\n\
         .title {{ font-size: 16px; font-weight: 600 }}\n.group, .label {{ font-weight: 600 }}\n\
         .muted, .tick {{ fill: {muted} }}\n.tick, .small {{ font-size: 11px }}\n\
         .grid {{ stroke: {line} }}\n.reference {{ stroke: {muted} }}\n\
         .way {{ stroke: {after}; stroke-width: 2; stroke-opacity: 0.35 }}\n\
         .whisker {{ fill: none; stroke: {after}; stroke-width: 1.5 }}\n\
         .before .mark {{ fill: {bg}; stroke: {before}; stroke-width: 1.5 }}\n\
         .after .mark {{ fill: {after} }}\n\
         .failed {{ fill: none; stroke: {fail}; stroke-width: 2 }}\n",
        text = theme.text,
        bg = theme.background,
        line = theme.line,
        muted = theme.muted,
        after = theme.after,
        before = theme.before,
        fail = theme.fail,
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::{fixture, well_formed};
    use super::*;

    #[test]
    fn the_picture() {
        let picture = overview(&fixture(), "before & after");
        insta::assert_snapshot!(picture);
        well_formed::check(&picture).unwrap();
    }

    #[test]
    fn nothing_to_show() {
        let mut report = fixture();
        report.cases.clear();
        let picture = overview(&report, "");
        assert!(picture.contains("No case"));
        well_formed::check(&picture).unwrap();
    }
}
