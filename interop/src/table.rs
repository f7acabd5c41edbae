//! The table of results.

use crate::counterpart::Tally;

/// One counterpart's line.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) tally: Tally,
    /// Its version, or why there is none.
    pub(crate) note: String,
}

/// Columns as wide as their widest entry.
pub(crate) fn render(rows: &[Row]) -> String {
    let head = ["counterpart", "passed", "failed", "skipped", "version"].map(String::from);
    let mut lines = vec![head];
    for Row { name, tally, note } in rows {
        let numbers = [tally.passed, tally.failed, tally.skipped].map(|n| n.to_string());
        let [passed, failed, skipped] = numbers;
        lines.push([(*name).to_owned(), passed, failed, skipped, note.clone()]);
    }
    let widths: Vec<usize> = (0..5)
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for line in &lines {
        let cells: Vec<_> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, width))| match at {
                1..=3 => format!("{cell:>width$}"),
                _ => format!("{cell:width$}"),
            })
            .collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let tally = Tally { passed: 120, failed: 0, skipped: 0 };
        let absent = Tally { skipped: 1, ..Tally::default() };
        let rows = [
            Row { name: "sqlite-cli", tally, note: "3.40.1".into() },
            Row { name: "sqlite-python", tally: absent, note: "skipped: no python3".into() },
        ];
        let expected = "\
counterpart    passed  failed  skipped  version
sqlite-cli        120       0        0  3.40.1
sqlite-python       0       0        1  skipped: no python3
";
        assert_eq!(render(&rows), expected);
    }
}
