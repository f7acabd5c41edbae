//! The table on the terminal.

use super::view::{self, Row, Summary};
use super::{CaseReport, Report, VariantReport, Verdict, format};
use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, Table,
    TableStyle, Width,
};
use std::fmt::Write;

/// A rule under the head and nothing else.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction(' '))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none().junction(' '));

/// The table and what it cannot hold, for `width` columns (as wide as it needs to be when `None`),
/// with ANSI colours when `colour`.
pub(crate) fn render(report: &Report, width: Option<u16>, colour: bool) -> String {
    let summary = Summary::of(report);
    let mut out = String::new();
    let paint = Paint { on: colour };
    wrap(&mut out, "", &clean(&view::machine(&report.environment)), width);
    wrap(&mut out, "", &clean(&view::method(&report.environment)), width);
    out.push('\n');
    out.push_str(&paint.rows(&table(report, width, HEAD.len())));
    out.push('\n');

    let whole = |cases: &[&CaseReport]| {
        let reasons = |case: &CaseReport| {
            view::reasons(case)
                .into_iter()
                .map(|r| format!("{}: {r}", case.name))
                .collect::<Vec<_>>()
        };
        cases.iter().flat_map(|case| reasons(case)).collect()
    };
    let missed = summary.missed.iter().map(|(case, claim)| {
        let measured = format::or_none(claim.measured, format::plain);
        let share = view::share_of_goal(claim);
        format!("{}: {}: measured {measured}, {share} of the goal", case.name, claim.text)
    });
    // Each claim is in the other formats.
    let unjudged = view::unjudged_by_reason(&summary).into_iter().map(|(why, cases)| {
        // A pass that was not asked for leaves claims of every case: the other formats name them.
        let names: Vec<&str> = cases.iter().take(8).map(|case| case.name.as_str()).collect();
        let more = match cases.len() - names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{why}: {}{more}", names.join(", "))
    });
    let drift = summary.drift.iter().map(|(case, d)| format!("{}: {}", case.name, view::drift(d)));
    let sections: [(&str, &str, Vec<String>); 6] = [
        ("Failed", "1;31", whole(&summary.failed)),
        ("Noisy: no time was judged", "1;33", whole(&summary.noisy)),
        ("Missed goals", "1;33", missed.collect()),
        ("Not judged", "1", unjudged.collect()),
        ("Different from the baseline", "1", drift.collect()),
        ("Notes", "1", report.notes.clone()),
    ];
    for (heading, style, items) in sections {
        if items.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{}", paint.text(style, heading));
        for item in items {
            wrap(&mut out, "  ", &clean(&item), width);
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}", summary.line);
    out
}

/// Some of the printed lines, up to the bytes, for a document: those of the cases of `names`, and the
/// last. `None` when the report lacks one of them.
pub(crate) fn excerpt(report: &Report, names: &[String]) -> Option<String> {
    let mut some = report.clone();
    some.cases.retain(|case| names.contains(&case.name));
    (some.cases.len() == names.len())
        .then(|| format!("{}…\n{}\n", table(&some, None, INSTRUCTIONS), Summary::of(report).line))
}

/// Between columns: one of padding, one of the rule.
const GAP: usize = 2;
const CASE: usize = 0;
const INSTRUCTIONS: usize = 5;
const PEER: usize = 6;

/// The first `columns` of the table.
fn table(report: &Report, width: Option<u16>, columns: usize) -> String {
    let mut rows: Vec<Vec<String>> = vec![HEAD.map(str::to_owned).to_vec()];
    for (name, cases) in view::by_crate(report) {
        rows.push(vec![clean(name)]);
        rows.extend(cases.into_iter().map(|case| cells(case).to_vec()));
    }
    rows.iter_mut().for_each(|row| row.truncate(columns));
    let least = match width.map(|width| least_widths(&rows, usize::from(width))) {
        None => None,
        Some(Some(least)) => Some(least),
        Some(None) => return records(report, width),
    };

    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_content_arrangement(ContentArrangement::Disabled);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(width);
    }
    let mut rows = rows.into_iter();
    table.set_header(rows.next().unwrap_or_default());
    table.add_rows(rows);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        if (1..PEER).contains(&i) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if let Some(least) = least.as_ref().and_then(|least| least.get(i)) {
            // The constraint counts the padding.
            let least = u16::try_from(least + 1).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        }
    }
    // What was not to be broken has been kept together by now.
    let lines = table.lines().map(|line| line.trim_end().replace('\u{a0}', " ") + "\n");
    lines.collect()
}

/// The table for a terminal on which it has no room: a case, and below it its cells.
fn records(report: &Report, width: Option<u16>) -> String {
    let mut out = String::new();
    for (name, cases) in view::by_crate(report) {
        let _ = writeln!(out, "{}", clean(name));
        for case in cases {
            let [name, time, faster, allocs, bytes, instructions, peer, verdict] = cells(case);
            wrap(&mut out, "  ", &format!("{} {verdict}", name.trim()), width);
            let numbers = format!(
                "time {time}, faster {faster}, allocs {allocs}, bytes {bytes}, instr {instructions}, vs best peer {peer}"
            );
            wrap(&mut out, "    ", &numbers, width);
        }
    }
    out.replace('\u{a0}', " ")
}

/// How narrow each column may become, so that lines break between words; a name of a peer, and at
/// last that of a case, is broken within when all words side by side would pass `width`. `None`
/// where even that does not help.
fn least_widths(rows: &[Vec<String>], width: usize) -> Option<Vec<usize>> {
    let longest = |cell: &String| cell.split(' ').map(|w| w.chars().count()).max().unwrap_or(0);
    let mut least = vec![0; HEAD.len()];
    for (i, least) in least.iter_mut().enumerate() {
        *least = rows.iter().filter_map(|row| row.get(i)).map(longest).max().unwrap_or(0);
    }
    for (column, enough) in [(PEER, 10), (CASE, 12)] {
        let excess = (least.iter().sum::<usize>() + GAP * least.len()).saturating_sub(width);
        least[column] = least[column].min(enough).max(least[column].saturating_sub(excess));
    }
    (least.iter().sum::<usize>() + GAP * least.len() <= width).then_some(least)
}

/// The columns of [`view::COLUMNS`], in fewer characters.
const HEAD: [&str; 8] =
    ["case", "time", "× faster [low–high]", "allocs", "bytes", "instr", "vs best peer", "verdict"];

/// With no-break spaces where a line must not be broken.
fn cells(case: &CaseReport) -> [String; 8] {
    let row = Row::of(case);
    let (before, after) = (case.variants.get("before"), case.variants.get("after"));
    // To the byte in every other format.
    let bytes = |variant: Option<&VariantReport>| variant.and_then(|v| v.bytes);
    [
        format!("  {}", clean(view::short_name(case))).replace(' ', "\u{a0}"),
        // `1.9 ns` stays together.
        row.time.replace(' ', "\u{a0}").replace("\u{a0}→\u{a0}", " →\u{a0}"),
        row.faster,
        row.allocs.replace("→ ", "→\u{a0}"),
        format::arrow(bytes(before), bytes(after), format::short).replace("→ ", "→\u{a0}"),
        row.instructions.replace("→ ", "→\u{a0}"),
        clean(&row.peer),
        format!("{}\u{a0}{}", view::sign(case.verdict), case.verdict.name()),
    ]
}

/// A name must not be able to steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[derive(Clone, Copy)]
struct Paint {
    on: bool,
}

impl Paint {
    fn text(self, style: &str, text: &str) -> String {
        if self.on { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Colours the verdicts, which end their lines.
    fn rows(self, table: &str) -> String {
        let mut out = String::with_capacity(table.len());
        for line in table.lines() {
            let verdicts = [(Verdict::Pass, "32"), (Verdict::Fail, "1;31"), (Verdict::Noisy, "33")];
            let found = verdicts.into_iter().find_map(|(verdict, style)| {
                let shown = format!("{} {}", view::sign(verdict), verdict.name());
                line.strip_suffix(&shown).map(|head| (head, self.text(style, &shown)))
            });
            match found {
                Some((head, verdict)) => {
                    out.push_str(head);
                    out.push_str(&verdict);
                }
                None => out.push_str(line),
            }
            out.push('\n');
        }
        out
    }
}

/// A line or an item of a list, broken between words where it would pass `width`.
fn wrap(out: &mut String, indent: &str, item: &str, width: Option<u16>) {
    let width = width.map_or(usize::MAX, |w| usize::from(w).max(20));
    let mut used = 0;
    for word in item.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        if used == 0 {
            out.push_str(indent);
            used = indent.len();
        } else if used + 1 + length > width {
            out.push_str("\n    ");
            used = 4;
        } else {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn plain_120() {
        let shown = render(&fixture(), Some(120), false);
        assert!(shown.lines().all(|line| line.chars().count() <= 120), "{shown}");
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn narrow() {
        let shown = render(&fixture(), Some(80), false);
        insta::assert_snapshot!(shown);
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let (plain, coloured) = (render(&fixture(), None, false), render(&fixture(), None, true));
        let mut stripped = String::new();
        for part in coloured.split("\u{1b}[") {
            stripped.push_str(if stripped.is_empty() {
                part
            } else {
                part.split_once('m').unwrap().1
            });
        }
        assert_eq!(stripped, plain);
        assert!(coloured.contains("\u{1b}[1;31m✗ fail\u{1b}[0m"), "{coloured}");
    }

    #[test]
    fn an_excerpt_is_of_the_printed_lines() {
        let report = fixture();
        let (case, last) = (&report.cases[0], Summary::of(&report).line);
        let shown = excerpt(&report, std::slice::from_ref(&case.name)).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 6, "head, rule, crate, case, dots, last line: {shown}");
        assert_eq!(lines[2], case.crate_name);
        assert!(lines[3].contains(view::short_name(case)) && !lines[3].contains("pass"), "{shown}");
        assert_eq!(lines[5], last);
        assert!(excerpt(&report, &["no/such/case".to_owned()]).is_none());
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let mut report = fixture();
        report.cases[0].name.push_str("\u{1b}[2J");
        report.notes.push("a\u{7}b".to_owned());
        assert!(!render(&report, None, false).contains(['\u{1b}', '\u{7}']));
    }
}
