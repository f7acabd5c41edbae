//! `report.md`, and the part of it that stands in docs/BENCHMARKS.md and the README.

use super::format::{self, NONE};
use super::view::{self, Row, Speed, Summary};
use super::{CaseReport, Report};
use std::fmt::Write;

/// The whole of `report.md`.
pub(crate) fn render(report: &Report) -> String {
    let summary = Summary::of(report);
    let mut out = format!("# onecopy benchmarks\n\n{}.\n\n", summary.line);
    let _ = writeln!(
        out,
        "{}.\n{}.\n",
        escape(&view::machine(&report.environment)),
        // Holds the command as code, in which nothing may be escaped.
        view::method(&report.environment).replace(['\n', '\r'], " ")
    );
    outcomes(&mut out, &summary, "##");
    missed(&mut out, &summary, "##");
    unjudged(&mut out, &summary, "##");
    list(
        &mut out,
        "## Different from the baseline",
        summary
            .drift
            .iter()
            .map(|(case, drift)| format!("{}: {}", code(&case.name), escape(&view::drift(drift)))),
    );
    list(&mut out, "## Notes", report.notes.iter().map(|note| escape(note)));
    for (name, cases) in view::by_crate(report) {
        let _ = writeln!(out, "## {}\n", escape(name));
        case_table(&mut out, &cases);
        peer_table(&mut out, &cases);
        out.push_str("Variants and peers, a call:\n\n");
        variant_table(&mut out, &cases);
        out.push_str("Claims:\n\n");
        claims(&mut out, &cases);
    }
    finish(out)
}

/// The tables, the missed goals and what was not judged, and nothing of the run but where it ran: made to be committed.
pub(crate) fn tables(report: &Report) -> String {
    let summary = Summary::of(report);
    let machine = escape(&view::machine(&report.environment));
    let e = &report.environment;
    let mut out = format!(
        "<!-- Made by `cargo xtask docs` from the last run; do not edit. -->\n\n{machine}; {} processes × {} rounds, `cargo xtask {}`.\n\n{}.\n\n",
        e.processes, e.rounds, e.command, summary.line
    );
    for (name, cases) in view::by_crate(report) {
        let _ = writeln!(out, "### {}\n", escape(name));
        case_table(&mut out, &cases);
        peer_table(&mut out, &cases);
    }
    outcomes(&mut out, &summary, "###");
    missed(&mut out, &summary, "###");
    unjudged(&mut out, &summary, "###");
    finish(out)
}

/// `document` with `content` between `<!-- marker -->` and `<!-- /marker -->`, in place of what
/// stood there. Each marker must be there once, in this order.
pub(crate) fn splice(document: &str, marker: &str, content: &str) -> Result<String, String> {
    let find = |text: &str| {
        let mut places = document.match_indices(text).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(at), None) => Ok(at),
            (None, _) => Err(format!("there is no `{text}`")),
            (Some(_), Some(_)) => Err(format!("`{text}` is there more than once")),
        }
    };
    let (open, close) = (format!("<!-- {marker} -->"), format!("<!-- /{marker} -->"));
    let (start, end) = (find(&open)?, find(&close)?);
    if end < start {
        return Err(format!("`{close}` stands before `{open}`"));
    }
    // A report must not be able to bring a marker along: the next splice would not find its place.
    if content.contains(&open) || content.contains(&close) {
        return Err(format!("the content holds the marker `{marker}` itself"));
    }
    let (head, tail) = (&document[..start + open.len()], &document[end..]);
    let content = content.trim_matches('\n');
    let content = if content.is_empty() { String::new() } else { format!("{content}\n\n") };
    Ok(format!("{head}\n\n{content}{tail}"))
}

fn missed(out: &mut String, summary: &Summary<'_>, level: &str) {
    if summary.missed.is_empty() {
        return;
    }
    let _ = writeln!(out, "{level} Missed goals\n");
    table(
        out,
        &["case", "claim", "goal", "measured", "of the goal"],
        2,
        summary.missed.iter().map(|(case, claim)| {
            vec![
                code(&case.name),
                escape(&claim.text),
                format::or_none(claim.goal, format::plain),
                format::or_none(claim.measured, format::plain),
                view::share_of_goal(claim),
            ]
        }),
    );
}

/// What failed and what was noisy, and why.
fn outcomes(out: &mut String, summary: &Summary<'_>, level: &str) {
    let failed = summary.failed.iter().flat_map(|case| reasons(case));
    list(out, &format!("{level} Failed"), failed);
    let noisy = summary.noisy.iter().flat_map(|case| reasons(case));
    list(out, &format!("{level} Noisy: no time was judged"), noisy);
}

fn unjudged(out: &mut String, summary: &Summary<'_>, level: &str) {
    let unjudged = summary.unjudged.iter().map(|(case, claim)| {
        let why = view::why_unjudged(case, claim);
        format!("{}: {} – {}", code(&case.name), escape(&claim.text), escape(&why))
    });
    list(out, &format!("{level} Not judged"), unjudged);
}

fn case_table(out: &mut String, cases: &[&CaseReport]) {
    table(
        out,
        &view::COLUMNS,
        1,
        cases.iter().map(|case| {
            let row = Row::of(case);
            vec![
                code(view::short_name(case)),
                row.time,
                row.faster,
                row.allocs,
                row.bytes,
                row.instructions,
                escape(&row.peer),
                view::verdict(case.verdict),
            ]
        }),
    );
}

fn peer_table(out: &mut String, cases: &[&CaseReport]) {
    let mut rows = Vec::new();
    for case in cases {
        let peers = view::peers(case)
            .into_iter()
            .map(|peer| (peer, peer.to_owned(), case.peers.get(peer).and_then(Speed::of)));
        let limit = view::limit(case);
        for (name, title, speed) in peers.chain(limit) {
            let variant = case.variants.get(name).cloned().unwrap_or_default();
            rows.push(vec![
                code(view::short_name(case)),
                escape(&title),
                format::or_none(speed, Speed::text),
                format::or_none(variant.ns, format::ns),
                format::or_none(variant.allocs, format::count),
                format::or_none(variant.bytes, format::count),
                format::or_none(variant.instructions, format::short),
            ]);
        }
    }
    if rows.is_empty() {
        return;
    }
    out.push_str("How many times faster than its peers:\n\n");
    let head =
        ["case", "peer", "× faster [low–high]", "its time", "allocs", "bytes", "instructions"];
    table(out, &head, 2, rows.into_iter());
}

fn variant_table(out: &mut String, cases: &[&CaseReport]) {
    let head =
        ["case", "who", "time", "allocs", "bytes", "reallocs", "peak", "leak", "instructions"];
    let mut rows = Vec::new();
    for case in cases {
        for (name, variant) in view::variants(case) {
            rows.push(vec![
                code(view::short_name(case)),
                escape(name),
                format::or_none(variant.ns, format::ns),
                format::or_none(variant.allocs, format::count),
                format::or_none(variant.bytes, format::count),
                format::or_none(variant.reallocs, format::count),
                format::or_none(variant.peak, format::count),
                format::or_none(variant.leak, format::signed),
                format::or_none(variant.instructions, format::count),
            ]);
        }
    }
    table(out, &head, 2, rows.into_iter());
}

fn claims(out: &mut String, cases: &[&CaseReport]) {
    for case in cases {
        let fix = case.fix_ratio.as_ref().and_then(Speed::of);
        let fix = fix.map(|speed| format!("; published fix {}", speed.text()));
        let null = case.null.as_ref().map(|null| format!("; null control {}", view::null(null)));
        let _ = writeln!(
            out,
            "* {} – {}; {}. From {}{}{}",
            code(view::short_name(case)),
            escape(&case.about),
            escape(&case.input),
            escape(&case.source),
            fix.unwrap_or_default(),
            null.unwrap_or_default(),
        );
        for claim in &case.claims {
            let (sign, said) = view::outcome(case, claim);
            let _ = writeln!(out, "  * {sign} {}: {}", escape(&claim.text), escape(&said));
        }
    }
    out.push('\n');
}

fn reasons(case: &CaseReport) -> Vec<String> {
    let reasons = view::reasons(case).into_iter();
    reasons.map(|reason| format!("{}: {}", code(&case.name), escape(&reason))).collect()
}

fn list(out: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        let _ = writeln!(out, "{heading}\n\n* {}\n", items.join("\n* "));
    }
}

/// A table whose first `left` columns and last one are words, the others numbers.
fn table(out: &mut String, head: &[&str], left: usize, rows: impl Iterator<Item = Vec<String>>) {
    let _ = writeln!(out, "| {} |", head.join(" | "));
    for (i, title) in head.iter().enumerate() {
        let words = i < left || matches!(*title, "vs best peer" | "verdict");
        out.push_str(if words { "|---" } else { "|--:" });
    }
    out.push_str("|\n");
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out.push('\n');
}

/// Text that GitHub shows as it is, in a table too.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let characters: Vec<char> = text.chars().collect();
    for (i, &c) in characters.iter().enumerate() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' | '\\' | '`' | '*' | '[' | ']' | '~' => {
                out.push('\\');
                out.push(c);
            }
            // Within a word it is no emphasis: `rfc_5987` stays readable.
            '_' => {
                let word = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric());
                if !(i > 0 && word(characters.get(i - 1)) && word(characters.get(i + 1))) {
                    out.push('\\');
                }
                out.push('_');
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A name as code. In a table GitHub takes `\|` for a pipe even within code; with a backtick or a
/// backslash in it the name is set as text, for code can hold neither safely.
fn code(text: &str) -> String {
    if text.is_empty() {
        return NONE.to_owned();
    }
    if text.contains(['`', '\\']) || text.chars().any(char::is_control) {
        return escape(text);
    }
    format!("`{}`", text.replace('|', "\\|"))
}

/// One newline at the end.
fn finish(mut out: String) -> String {
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn report() {
        insta::assert_snapshot!(render(&fixture()));
    }

    #[test]
    fn committed_part() {
        insta::assert_snapshot!(tables(&fixture()));
    }

    #[test]
    fn every_row_has_the_cells_of_its_head() {
        let text = render(&fixture());
        let mut width = None;
        for line in text.lines() {
            if !line.starts_with('|') {
                width = None;
                continue;
            }
            let cells = line.replace("\\|", "").matches('|').count();
            assert_eq!(*width.get_or_insert(cells), cells, "{line}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(escape("a|b <c> & _d_ e_f *g*\n"), "a\\|b &lt;c&gt; &amp; \\_d\\_ e_f \\*g\\* ");
        assert_eq!(code("a<b|c"), "`a<b\\|c`");
        assert_eq!(code("a`b"), "a\\`b");
    }

    #[test]
    fn splicing() {
        let document = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n";
        let spliced = splice(document, "x", "new\n").unwrap();
        assert_eq!(spliced, "a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n");
        assert_eq!(splice(&spliced, "x", "new\n").unwrap(), spliced);
        assert_eq!(splice(document, "x", "").unwrap(), "a\n<!-- x -->\n\n<!-- /x -->\nb\n");
        let faults = [
            splice("", "x", ""),
            splice("<!-- x -->", "x", ""),
            splice("<!-- /x --><!-- x -->", "x", ""),
            splice("<!-- x --><!-- x --><!-- /x -->", "x", ""),
            splice("<!-- x --><!-- /x --><!-- /x -->", "x", ""),
            splice(document, "x", "<!-- /x -->"),
        ];
        let faults: Vec<String> = faults.into_iter().map(Result::unwrap_err).collect();
        insta::assert_snapshot!(faults.join("\n"));
    }
}
