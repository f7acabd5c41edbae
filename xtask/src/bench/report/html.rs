//! The page: all of a run in one file, without script and without anything from outside.

use super::format::{self, NONE, xml};
use super::palette::{DARK, LIGHT};
use super::view::{self, Row, Speed, Summary};
use super::{CaseReport, Report, Verdict, svg};
use std::fmt::Write;

const STYLE: &str = include_str!("html.css");

const LEGEND: &str = "Plots: times faster than <i>before</i> (×1), to the right is faster, log scale, \
    one scale a crate; dot: median over processes, whisker: interval over processes (of a peer: of \
    its distance from <i>after</i>), right: time of a call. Bars: allocations and bytes of a call, \
    scaled by case. Rule from top to bottom: the limit, \
    the part of the work that nobody gets around, measured alone. Best peer: the fastest one, and how many times faster \
    than it <i>after</i> is. Red outline and ✗: failed. ~: noisy, no time judged.";

/// The whole page.
pub(crate) fn render(report: &Report) -> String {
    let summary = Summary::of(report);
    let groups = view::by_crate(report);
    let mut out = String::with_capacity(1 << 16);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>onecopy benchmarks</title>\n\
         <style>\n:root {{ {} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {} }} }}\n{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<header>\n<h1>onecopy benchmarks</h1>\n\
         <p class=\"counts\">{}</p>\n<p class=\"muted\">{}<br/>{}</p>\n<nav>",
        LIGHT.variables(),
        DARK.variables(),
        xml(&summary.line),
        xml(&view::machine(&report.environment)),
        code_spans(&view::method(&report.environment)),
    );
    for (number, (name, cases)) in groups.iter().enumerate() {
        let _ = writeln!(
            out,
            "<a href=\"#crate-{number}\">{}</a> <span class=\"muted\">{}</span>",
            xml(name),
            cases.len()
        );
    }
    out.push_str("</nav>\n</header>\n");
    self::summary(&mut out, report, &summary);
    let _ = writeln!(out, "<p class=\"legend\">{LEGEND}</p>");
    for (number, (name, cases)) in groups.iter().enumerate() {
        let _ = writeln!(
            out,
            "<section>\n<h2 id=\"crate-{number}\">{} <span class=\"muted\">{}</span></h2>",
            xml(name),
            view::plural(cases.len(), "case")
        );
        case_table(&mut out, report, cases);
        for curve in svg::curves(cases) {
            let _ = writeln!(
                out,
                "<article class=\"curve\">\n<h3>{}</h3>\n{}</article>",
                xml(&curve[0].0.name),
                svg::curve(&curve)
            );
        }
        let range = svg::Range::of(cases.iter().copied());
        for case in cases {
            block(&mut out, report, case, range);
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// So many cases of one reason are named at once, and more in a fold.
const SHOWN: usize = 12;

/// What a reader must not miss, failures first.
fn summary(out: &mut String, report: &Report, summary: &Summary<'_>) {
    let reasons = |case: &CaseReport| -> Vec<String> {
        let name = link(report, case, &case.name);
        view::reasons(case).iter().map(|reason| format!("{name}: {}", xml(reason))).collect()
    };
    list(out, "Failed", "fail", summary.failed.iter().flat_map(|case| reasons(case)));
    let noisy = summary.noisy.iter().flat_map(|case| reasons(case));
    list(out, "Noisy: no time was judged", "noisy", noisy);
    // Folded: goals are many and aspirations, and what failed must not be looked for below them.
    let count = summary.missed.len();
    let _ = write!(
        out,
        "<section>\n<h2>Missed goals</h2>\n<details><summary>{count}, of claims whose floors hold</summary>\n"
    );
    if count > 0 {
        let head = ["case", "claim", "goal", "measured", "of the goal"];
        let rows = summary.missed.iter().map(|(case, claim)| {
            vec![
                link(report, case, &case.name),
                xml(&claim.text),
                format::or_none(claim.goal, format::plain),
                format::or_none(claim.measured, format::plain),
                view::share_of_goal(claim),
            ]
        });
        table(out, &head, 2, rows);
    }
    out.push_str("</details>\n</section>\n");
    let unjudged = view::unjudged_by_reason(summary).into_iter().map(|(why, cases)| {
        let links: Vec<String> = cases.iter().map(|c| link(report, c, &c.name)).collect();
        let (why, count, links) = (xml(&why), links.len(), links.join(", "));
        if count <= SHOWN {
            return format!("{why}: {links}");
        }
        format!("{why}\n<details><summary>{count} cases</summary>{links}</details>")
    });
    list(out, "Not judged", "", unjudged);
    let drift = summary.drift.iter().map(|(case, drift)| {
        format!("{}: {}", link(report, case, &case.name), xml(&view::drift(drift)))
    });
    list(out, "Different from the baseline", "", drift);
    list(out, "Notes", "", report.notes.iter().map(|note| xml(note)));
}

fn case_table(out: &mut String, report: &Report, cases: &[&CaseReport]) {
    let rows = cases.iter().map(|case| {
        let row = Row::of(case);
        let mut cells = vec![link(report, case, view::short_name(case))];
        let numbers = [row.time, row.faster, row.allocs, row.bytes, row.instructions];
        cells.extend(numbers.iter().map(|cell| xml(cell)));
        cells.push(xml(&row.peer));
        cells.push(verdict(case));
        cells
    });
    table(out, &view::COLUMNS, 1, rows);
}

/// A case: what it is, its plots, its claims, and every number behind a fold.
fn block(out: &mut String, report: &Report, case: &CaseReport, range: svg::Range) {
    let _ = write!(
        out,
        "<article id=\"{}\" class=\"{}\">\n<h3>{} {}</h3>\n\
         <p class=\"about\">{} <span class=\"muted\">Input: {}. From {}.</span></p>\n<div class=\"plots\">\n",
        anchor(report, case),
        case.verdict.name(),
        xml(view::short_name(case)),
        verdict(case),
        sentence(&xml(&case.about)),
        xml(&case.input),
        xml(&case.source),
    );
    out.push_str(&svg::dots(case, range));
    out.push_str(&svg::bars(case));
    out.push_str("</div>\n");
    if case.verdict != Verdict::Pass {
        let sign = view::sign(case.verdict);
        let reasons: Vec<String> =
            view::reasons(case).iter().map(|r| format!("{sign} {}", xml(r))).collect();
        let _ = writeln!(
            out,
            "<p class=\"reasons {}\">{}</p>",
            case.verdict.name(),
            reasons.join("<br/>\n")
        );
    }
    if !case.claims.is_empty() {
        out.push_str("<ul class=\"claims\">\n");
        for claim in &case.claims {
            let (sign, said) = view::outcome(case, claim);
            let class = match claim.holds {
                Some(true) => "pass",
                Some(false) => "fail",
                None => "muted",
            };
            let _ = writeln!(
                out,
                "<li><span class=\"sign {class}\">{sign}</span> {} <span class=\"{}\">{}</span></li>",
                xml(&claim.text),
                if view::goal(claim) == Some(false) { "noisy" } else { "muted" },
                xml(&said)
            );
        }
        out.push_str("</ul>\n");
    }
    details(out, case);
    out.push_str("</article>\n");
}

fn details(out: &mut String, case: &CaseReport) {
    out.push_str("<details>\n<summary>All numbers</summary>\n");
    let head = ["who", "time", "allocs", "bytes", "reallocs", "peak", "leak", "instructions"];
    let rows = view::variants(case).into_iter().map(|(name, v)| {
        let counts = [v.allocs, v.bytes, v.reallocs, v.peak];
        let mut cells = vec![xml(name), format::or_none(v.ns, format::ns)];
        cells.extend(counts.map(|c| format::or_none(c, format::count)));
        cells.push(format::or_none(v.leak, format::signed));
        cells.push(format::or_none(v.instructions, format::count));
        cells
    });
    table(out, &head, 1, rows);
    let own = [
        ("after against before", case.ratio.as_ref()),
        ("fix against before", case.fix_ratio.as_ref()),
    ];
    let own = own.into_iter().filter_map(|(name, r)| Some((name.to_owned(), r?)));
    let peers = case.peers.iter().map(|(name, ratio)| (format!("after against {name}"), ratio));
    let limit = case
        .limit
        .as_ref()
        .and_then(|l| Some((format!("after against {}", l.name), l.ratio.as_ref()?)));
    let rows: Vec<Vec<String>> = own
        .chain(peers)
        .chain(limit)
        .map(|(name, ratio)| {
            let each: Vec<String> =
                ratio.processes.iter().map(|p| format::number(1.0 / p)).collect();
            let speed = Speed::of(ratio);
            vec![
                xml(&name),
                format::or_none(speed, |s| format::times(s.median)),
                format::or_none(speed, Speed::interval),
                if each.is_empty() { NONE.to_owned() } else { each.join(" ") },
            ]
        })
        .collect();
    if !rows.is_empty() {
        let head = ["times faster", "median", "interval", "each process"];
        table(out, &head, 1, rows.into_iter());
    }
    if !case.drift.is_empty() {
        let drift: Vec<String> = case.drift.iter().map(|d| xml(&view::drift(d))).collect();
        let _ = writeln!(out, "<p>Different from the baseline: {}</p>", drift.join("; "));
    }
    let null = case.null.as_ref().map(|ratio| {
        let each: Vec<String> = ratio.processes.iter().map(|p| format::number(*p)).collect();
        format!("Null control: {}, each process {}. ", view::null(ratio), each.join(" "))
    });
    let tolerance = format::percent(case.bound.tolerance());
    let null = null.unwrap_or_default();
    let _ = writeln!(out, "<p class=\"muted\">{null}Tolerance of time: {tolerance}.</p></details>");
}

fn verdict(case: &CaseReport) -> String {
    let name = case.verdict.name();
    format!("<span class=\"verdict {name}\">{}</span>", xml(&view::verdict(case.verdict)))
}

/// A link to the block of a case.
fn link(report: &Report, case: &CaseReport, text: &str) -> String {
    format!("<a href=\"#{}\">{}</a>", anchor(report, case), xml(text))
}

/// By its place in the report: a name can hold anything.
fn anchor(report: &Report, case: &CaseReport) -> String {
    let place = report.cases.iter().position(|c| std::ptr::eq(c, case));
    format!("case-{}", place.unwrap_or_default())
}

/// With a full stop, unless it ends in one.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// Escaped, and what stands between backticks set as code.
fn code_spans(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = xml(part);
        if i % 2 == 1 {
            let _ = write!(out, "<code>{part}</code>");
        } else {
            out.push_str(&part);
        }
    }
    out
}

/// A table in a container that scrolls by itself; the first `left` columns are words.
fn table(out: &mut String, head: &[&str], left: usize, rows: impl Iterator<Item = Vec<String>>) {
    let is_number = |i: usize| i >= left && !matches!(head[i], "vs best peer" | "verdict");
    let class = |i: usize| match head[i] {
        "claim" => " class=\"words\"",
        _ if is_number(i) => " class=\"number\"",
        _ => "",
    };
    out.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for (i, title) in head.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(i), xml(title));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (i, cell) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>{cell}</td>", class(i));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

fn list(out: &mut String, heading: &str, class: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return;
    }
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let _ = writeln!(
        out,
        "<section{class}>\n<h2>{heading}</h2>\n<ul>\n<li>{}</li>\n</ul>\n</section>",
        items.join("</li>\n<li>")
    );
}

#[cfg(test)]
mod tests {
    use super::super::{fixture, well_formed};
    use super::*;

    #[test]
    fn well_formed_and_from_nowhere_else() {
        let page = render(&fixture());
        well_formed::check(&page).unwrap();
        for outside in ["http:", "https:", "<script", "<link", "<img", "url(", "@import", "src="] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn every_link_has_its_place() {
        let page = render(&fixture());
        for target in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
        }
    }

    #[test]
    fn failures_come_first_and_missed_goals_before_the_rest() {
        let page = render(&fixture());
        let headings: Vec<&str> =
            page.split("<h2>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(headings[..3], ["Failed", "Noisy: no time was judged", "Missed goals"]);
    }

    #[test]
    fn a_reason_of_many_cases_is_folded() {
        let mut report = fixture();
        let first = &mut report.cases[0];
        first.claims[0].holds = None;
        first.claims[0].skipped = Some("<why>".to_owned());
        let case = first.clone();
        assert!(!render(&report).contains("&lt;why&gt;\n<details>"));
        for number in 0..SHOWN {
            let name = format!("{}-{number}", case.name);
            report.cases.push(CaseReport { name, ..case.clone() });
        }
        let folded = format!("&lt;why&gt;\n<details><summary>{} cases</summary>", SHOWN + 1);
        assert!(render(&report).contains(&folded));
    }

    #[test]
    fn everything_of_the_table_is_there() {
        let report = fixture();
        let page = render(&report);
        for case in &report.cases {
            let row = Row::of(case);
            let cells = [row.time, row.faster, row.allocs, row.bytes, row.instructions, row.peer];
            for cell in cells {
                assert!(page.contains(&format!(">{}<", xml(&cell))), "{}: {cell}", case.name);
            }
            assert!(page.contains(&xml(&case.about)));
            assert!(case.reasons.iter().all(|reason| page.contains(&xml(reason))));
        }
    }

    #[test]
    fn a_curve_stands_once_with_its_crate() {
        let mut report = fixture();
        for (x, case) in (1..).zip(&mut report.cases) {
            case.curve = Some(onecopy_bench_model::case::Curve {
                name: format!("curve of {}", case.crate_name),
                x,
                along: "bytes".to_owned(),
                per: 1,
                unit: "call".to_owned(),
            });
        }
        let page = render(&report);
        well_formed::check(&page).unwrap();
        for (name, _) in view::by_crate(&report) {
            assert_eq!(page.matches(&format!("<h3>curve of {name}</h3>")).count(), 1, "{name}");
        }
    }

    #[test]
    fn a_run_of_nothing() {
        let mut report = fixture();
        report.cases.clear();
        report.notes.clear();
        well_formed::check(&render(&report)).unwrap();
    }

    #[test]
    fn a_name_cannot_leave_its_place() {
        let mut report = fixture();
        for case in &mut report.cases {
            case.name = "c/\"><script>alert('&')</script>/`|`\u{1}".to_owned();
            case.about.clone_from(&case.name);
            case.crate_name = "</section>]]>".to_owned();
            case.reasons.push("<!-- -->".to_owned());
            let variant = case.variants.values().next().cloned().unwrap_or_default();
            case.variants.insert("<b title='\"'>".to_owned(), variant);
        }
        well_formed::check(&render(&report)).unwrap();
        well_formed::check(&svg::overview(&report, "</title>")).unwrap();
    }
}
