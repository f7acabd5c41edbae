//! A run as text: JSON, Markdown, a terminal table, an HTML page and its plots.
//!
//! Every format is rendered from [`Report`] by way of [`view`], so that all of them say the same.

pub(crate) mod html;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod model;
pub(crate) mod svg;

mod format;
mod palette;
mod view;

#[cfg(test)]
mod well_formed;

pub(crate) use model::*;

/// The report that the tests of every format render.
#[cfg(test)]
fn fixture() -> Report {
    json::read(include_str!("../../../tests/fixtures/report.json")).unwrap()
}
