//! A progress bar on a terminal, and nothing elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// The bar of the pass that runs.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new() -> Self {
        let quiet = std::env::var_os("CI").is_some() || !std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            Some(0),
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() },
        );
        let style = ProgressStyle::with_template("{msg:>14} {wide_bar} {pos}/{len} {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        Self(bar)
    }

    pub(crate) fn begin(&self, what: &'static str, steps: usize) {
        self.0.reset();
        self.0.set_length(steps as u64);
        self.0.set_message(what);
    }

    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}
