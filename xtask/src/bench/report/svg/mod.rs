//! Plots, written by hand: no script, no font and nothing else from outside.
//!
//! [`dots`], [`bars`] and [`curve`] belong into the HTML page and take their colours from its style sheet by
//! class; [`overview`] stands alone and brings its own.

mod axis;
mod bars;
mod curve;
mod dots;
mod overview;

pub(crate) use axis::Range;
pub(crate) use bars::bars;
pub(crate) use curve::{curve, curves};
pub(crate) use dots::dots;
pub(crate) use overview::overview;

use super::format::xml;
use super::view::Kind;
use std::fmt::Write;

/// About what a character of the plots' 12 px type takes at most; to keep room, not to place text.
const CHARACTER: f64 = 6.7;

/// `text`, shortened to `room` characters.
fn fit(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(room.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// A coordinate: a tenth of a pixel is enough.
fn at(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Above the plots of a case, for the line that says what they show.
const TOP: f64 = 20.0;

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Before => "before",
        Kind::Fix => "fix",
        Kind::After => "after",
        Kind::Peer => "peer",
        Kind::Limit => "limit",
    }
}

/// One line of text; `anchor` is `start`, `middle` or `end`.
fn text(out: &mut String, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>",
        at(x),
        at(y),
        xml(text)
    );
}

fn line(out: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let _ = writeln!(
        out,
        "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
        at(x1),
        at(y1),
        at(x2),
        at(y2)
    );
}

/// The mark of a kind of series: a shape each, so that colour is not the only difference.
fn mark(out: &mut String, kind: Kind, x: f64, y: f64) {
    let shape = match kind {
        Kind::Before => {
            format!("<circle class=\"mark open\" cx=\"{}\" cy=\"{}\" r=\"4\"/>", at(x), at(y))
        }
        Kind::After => {
            format!("<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", at(x), at(y))
        }
        Kind::Fix => format!(
            "<path class=\"mark\" d=\"M{} {}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\"/>",
            at(x),
            at(y - 4.5)
        ),
        Kind::Peer => format!(
            "<rect class=\"mark open\" x=\"{}\" y=\"{}\" width=\"7\" height=\"7\"/>",
            at(x - 3.5),
            at(y - 3.5)
        ),
        Kind::Limit => format!("<path class=\"mark\" d=\"M{} {}v9\"/>", at(x), at(y - 4.5)),
    };
    out.push_str(&shape);
    out.push('\n');
}

/// The line from `low` to `high` with its ends.
fn whisker(out: &mut String, low: f64, high: f64, y: f64) {
    let _ = writeln!(
        out,
        "<path class=\"whisker\" d=\"M{0} {2}V{3}M{0} {4}H{1}M{1} {2}V{3}\"/>",
        at(low),
        at(high),
        at(y - 3.5),
        at(y + 3.5),
        at(y)
    );
}

/// The red ring of what failed.
fn ring(out: &mut String, x: f64, y: f64) {
    let _ = writeln!(out, "<circle class=\"failed\" cx=\"{}\" cy=\"{}\" r=\"8\"/>", at(x), at(y));
}
