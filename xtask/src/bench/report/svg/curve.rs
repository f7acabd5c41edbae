//! A curve over several cases: the time of one unit of work against the size of the input.

use super::super::CaseReport;
use super::super::format::{self, xml};
use super::super::view::{self, Kind};
use super::{Range, at, class, fit, line, mark, text};
use onecopy_bench_model::case::Curve;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
/// Behind the last points, for the names.
const NAMES: f64 = 150.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 44.0;
/// Between two names.
const ROW: f64 = 15.0;
/// Of a mark, from its middle to its label.
const GAP: f64 = 10.0;

/// The curves of `cases`, each with its cases by `x`, in the order of their first case.
pub(crate) fn curves<'a>(cases: &[&'a CaseReport]) -> Vec<Vec<(&'a Curve, &'a CaseReport)>> {
    let mut all: Vec<Vec<(&Curve, &CaseReport)>> = Vec::new();
    for &case in cases {
        let Some(curve) = &case.curve else { continue };
        match all.iter_mut().find(|known| known[0].0.name == curve.name) {
            Some(known) => known.push((curve, case)),
            None => all.push(vec![(curve, case)]),
        }
    }
    for curve in &mut all {
        curve.sort_by_key(|(curve, _)| curve.x);
    }
    all
}

/// One line of the plot.
struct Line<'a> {
    name: &'a str,
    kind: Kind,
    /// `x` and nanoseconds a unit.
    points: Vec<(u64, f64)>,
}

/// Who was timed where, in the order of [`view::series`].
fn lines<'a>(points: &[(&Curve, &'a CaseReport)]) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    for (curve, case) in points {
        for series in view::series(case) {
            let Some(ns) = series.ns.map(|ns| ns / curve.per as f64) else { continue };
            if !(ns.is_finite() && ns > 0.0) {
                continue;
            }
            match lines.iter_mut().find(|line| line.name == series.name) {
                Some(line) => line.points.push((curve.x, ns)),
                None => {
                    let (name, kind) = (series.name, series.kind);
                    lines.push(Line { name, kind, points: vec![(curve.x, ns)] });
                }
            }
        }
    }
    lines
}

/// Both axes are logarithmic: what takes the same time a unit at any size is a level line, and what
/// is quadratic climbs as fast as it goes to the right.
pub(crate) fn curve(points: &[(&Curve, &CaseReport)]) -> String {
    let Some((first, _)) = points.first() else { return String::new() };
    let lines = lines(points);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <title>{}: time a {} against {}</title>",
        xml(&first.name),
        xml(&first.unit),
        xml(&first.along)
    );
    text(&mut out, LEFT, 12.0, "start", "tick", &format!("time a {}, lower is better", first.unit));
    let (right, bottom) = (WIDTH - NAMES, HEIGHT - BOTTOM);
    text(&mut out, right, HEIGHT - 6.0, "end", "tick", &format!("{} →", first.along));

    let times = || lines.iter().flat_map(|line| line.points.iter().map(|(_, ns)| *ns));
    let (low, high) = times().fold((f64::MAX, 0.0_f64), |(l, h), ns| (l.min(ns), h.max(ns)));
    if high == 0.0 {
        text(&mut out, LEFT + GAP, TOP + 20.0, "start", "muted", "not timed");
        out.push_str("</svg>\n");
        return out;
    }
    // Off the frame by a part of a step, so that one time alone has a range too.
    let range = Range::over(low / 1.2, high * 1.2);
    let y = |ns: f64| bottom - range.share(ns) * (bottom - TOP);
    for tick in range.ticks() {
        line(&mut out, "grid", (LEFT, y(tick)), (right, y(tick)));
        text(&mut out, LEFT - 8.0, y(tick) + 4.0, "end", "tick", &duration(tick));
    }
    let (least, most) = (first.x as f64, points.last().map_or(1, |(curve, _)| curve.x) as f64);
    let x = |value: u64| {
        let share = (value as f64 / least).ln() / (most / least).ln();
        let share = if share.is_finite() { share } else { 0.5 };
        LEFT + GAP + share * (right - LEFT - 2.0 * GAP)
    };
    for (curve, _) in points {
        line(&mut out, "grid", (x(curve.x), bottom), (x(curve.x), bottom + 4.0));
        text(&mut out, x(curve.x), bottom + 17.0, "middle", "tick", &format::count(curve.x));
    }

    for (line, label) in lines.iter().zip(labels(&lines, y)) {
        let _ = writeln!(out, "<g class=\"series {}\">", class(line.kind));
        let _ = writeln!(out, "<title>{}</title>", xml(line.name));
        let path: Vec<String> =
            line.points.iter().map(|(n, ns)| format!("{} {}", at(x(*n)), at(y(*ns)))).collect();
        let _ = writeln!(out, "<path class=\"curve\" d=\"M{}\"/>", path.join("L"));
        for (n, ns) in &line.points {
            mark(&mut out, line.kind, x(*n), y(*ns));
        }
        if let Some((n, ns)) = line.points.last() {
            let name = format!("{} {}", fit(line.name, 12), duration(*ns));
            // A line that ends early is named at its end, where nothing else is named.
            let (x, y) = if x(*n) > right - 2.0 * GAP {
                (right + 2.0, label)
            } else {
                (x(*n) + GAP, y(*ns))
            };
            text(&mut out, x, y + 4.0, "start", "label", &name);
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Where the names at the right stand: at the last points, moved apart where those are close.
fn labels(lines: &[Line<'_>], y: impl Fn(f64) -> f64) -> Vec<f64> {
    let ends: Vec<f64> = lines.iter().map(|l| l.points.last().map_or(0.0, |p| y(p.1))).collect();
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|&a, &b| ends[a].total_cmp(&ends[b]));
    let mut places = ends.clone();
    let mut free = f64::MIN;
    for &at in &order {
        places[at] = places[at].max(free);
        free = places[at] + ROW;
    }
    // What was pushed out below moves up again, and pushes in its turn.
    let mut limit = HEIGHT - BOTTOM;
    for &at in order.iter().rev() {
        places[at] = places[at].min(limit);
        limit = places[at] - ROW;
    }
    places
}

/// A time of a part of a call: `0.02 ns`, `13.5 ns`, `1.3 µs`.
fn duration(ns: f64) -> String {
    if ns < 9.995 { format!("{} ns", format::number(ns)) } else { format::ns(ns) }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Report, fixture, well_formed};
    use super::*;

    /// A stream of the fixture at four sizes: a quadratic before, a level after, a peer without the last.
    fn streams() -> Report {
        let mut report = fixture();
        let model = report.cases.iter().find(|c| c.crate_name == "pktpool").unwrap().clone();
        report.cases = [1024_u64, 16, 64, 256]
            .into_iter()
            .map(|x| {
                let mut case = model.clone();
                case.name = format!("pktpool/value/{x}-packets");
                case.curve = Some(Curve {
                    name: "one large value <&>".to_owned(),
                    x,
                    along: "packets".to_owned(),
                    per: x * 8000,
                    unit: "byte".to_owned(),
                });
                case.variants.retain(|name, _| ["before", "after"].contains(&name.as_str()));
                case.peers.clear();
                let peer = case.variants["after"].clone();
                case.variants.insert("bytes".to_owned(), peer);
                for (name, variant) in &mut case.variants {
                    variant.ns = match name.as_str() {
                        "before" => Some((x * x) as f64 * 120.0),
                        "after" => Some(x as f64 * 150.0),
                        _ => (x < 1024).then_some(x as f64 * 180.0),
                    };
                }
                case
            })
            .collect();
        report
    }

    #[test]
    fn four_sizes_in_the_order_of_size() {
        let report = streams();
        let cases: Vec<&CaseReport> = report.cases.iter().collect();
        let all = curves(&cases);
        assert_eq!(all.len(), 1);
        let plot = curve(&all[0]);
        insta::assert_snapshot!(plot);
        well_formed::check(&plot).unwrap();
    }

    #[test]
    fn one_size_and_no_time() {
        let mut report = streams();
        let one = curve(&curves(&[&report.cases[0]])[0]);
        assert!(!one.contains("NaN") && !one.contains("inf"), "{one}");
        well_formed::check(&one).unwrap();
        for variant in report.cases[0].variants.values_mut() {
            variant.ns = None;
        }
        let none = curve(&curves(&[&report.cases[0]])[0]);
        assert!(none.contains("not timed"), "{none}");
        well_formed::check(&none).unwrap();
    }

    #[test]
    fn a_report_without_a_curve_has_none() {
        let report = fixture();
        assert!(curves(&report.cases.iter().collect::<Vec<_>>()).is_empty());
    }

    #[test]
    fn names_never_lie_on_each_other() {
        let line = |ns| Line { name: "a", kind: Kind::Peer, points: vec![(1, ns)] };
        let lines: Vec<Line<'_>> = [100.0, 101.0, 250.0, 255.0, 256.0].map(line).into();
        let mut places = labels(&lines, |ns| ns);
        places.sort_by(f64::total_cmp);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= ROW), "{places:?}");
        assert!(places.iter().all(|place| *place <= HEIGHT - BOTTOM), "{places:?}");
    }
}
