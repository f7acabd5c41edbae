//! The logarithmic axis of "times faster".

use super::super::view::{self, Speed};
use super::super::{CaseReport, format};
use super::{line, text};

/// What an axis shows, from low to high; both are steps of 1-2-5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// What all series of `cases` need, whiskers and the reference at 1 included. The plots of a
    /// crate share one, so that they can be compared by eye.
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseReport>) -> Range {
        let speeds = cases.into_iter().flat_map(|case| {
            view::series(case).into_iter().filter_map(|series| series.speed).collect::<Vec<_>>()
        });
        Range::around(speeds)
    }

    pub(super) fn around(speeds: impl IntoIterator<Item = Speed>) -> Range {
        let (mut low, mut high) = (1.0_f64, 1.0_f64);
        for speed in speeds {
            low = low.min(speed.low).min(speed.median);
            high = high.max(speed.high).max(speed.median);
        }
        let mut range = Range::over(low, high);
        if range.high / range.low < 4.0 {
            range = Range { low: range.low.min(0.5), high: range.high.max(2.0) };
        }
        range
    }

    /// From the last step that is not above `low` to the first that is not below `high`.
    pub(super) fn over(low: f64, high: f64) -> Range {
        // Nobody needs to see more than eighteen decades; what lies beyond is drawn at the edge.
        Range { low: step_below(low.max(1e-9)), high: step_above(high.min(1e9)) }
    }

    /// Where `value` lies, from 0 to 1.
    pub(super) fn share(self, value: f64) -> f64 {
        ((value / self.low).ln() / (self.high / self.low).ln()).clamp(0.0, 1.0)
    }

    /// The labelled steps, at most eight.
    pub(super) fn ticks(self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let (digits, every): (&[f64], i32) = if decades <= 2.05 {
            (&[1.0, 2.0, 5.0], 1)
        } else {
            (&[1.0], (decades / 7.0).ceil() as i32)
        };
        let mut ticks = Vec::new();
        for power in -9..=9_i32 {
            if power.rem_euclid(every) != 0 {
                continue;
            }
            for digit in digits {
                let tick = digit * 10.0_f64.powi(power);
                if tick >= self.low * 0.999 && tick <= self.high * 1.001 {
                    ticks.push(tick);
                }
            }
        }
        ticks
    }
}

/// The greatest step of 1-2-5 that is not above `value`.
fn step_below(value: f64) -> f64 {
    let decade = 10.0_f64.powf(value.log10().floor());
    // A hair of tolerance: a value that is a step but for rounding stays where it is.
    [10.0, 5.0, 2.0]
        .into_iter()
        .map(|d| d * decade)
        .find(|s| *s <= value * 1.000_001)
        .unwrap_or(decade)
}

/// The least step of 1-2-5 that is not below `value`.
fn step_above(value: f64) -> f64 {
    let decade = 10.0_f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|d| d * decade)
        .find(|s| *s >= value * 0.999_999)
        .unwrap_or(10.0 * decade)
}

/// A range laid over pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) range: Range,
    pub(super) left: f64,
    pub(super) width: f64,
}

impl Axis {
    pub(super) fn x(self, value: f64) -> f64 {
        self.left + self.range.share(value) * self.width
    }

    /// Grid lines from `top` to `bottom`, their labels below, and the reference line at 1.
    pub(super) fn draw(self, out: &mut String, top: f64, bottom: f64) {
        for tick in self.range.ticks() {
            let x = self.x(tick);
            let class = if tick == 1.0 { "reference" } else { "grid" };
            line(out, class, (x, top), (x, bottom + 3.0));
            text(out, x, bottom + 15.0, "middle", "tick", &label(tick));
        }
    }
}

/// `×0.5`, `×20`, `×1,000`: a step has one digit that counts.
fn label(tick: f64) -> String {
    if tick >= 1.0 {
        format!("×{}", format::plain(tick.round()))
    } else {
        format!("×{}", at_most(tick))
    }
}

fn at_most(tick: f64) -> String {
    let places = (-tick.log10()).ceil().max(1.0) as usize;
    format!("{tick:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(values: &[f64]) -> Range {
        Range::around(values.iter().map(|&v| Speed { median: v, low: v, high: v }))
    }

    #[test]
    fn ranges_are_steps_and_hold_one() {
        assert_eq!(around(&[]), Range { low: 0.5, high: 2.0 });
        assert_eq!(around(&[13.2]), Range { low: 1.0, high: 20.0 });
        assert_eq!(around(&[0.93, 1.2]), Range { low: 0.5, high: 2.0 });
        assert_eq!(around(&[0.2, 100.0]), Range { low: 0.2, high: 100.0 });
        assert!(around(&[1e-30, 1e30]).ticks().len() <= 8);
    }

    #[test]
    fn every_range_has_few_ticks_and_always_one() {
        for low in -8..=0 {
            for high in 0..=8 {
                for digit in [1.0, 1.7, 4.2, 9.9] {
                    let range = around(&[digit * 10f64.powi(low), digit * 10f64.powi(high)]);
                    let ticks = range.ticks();
                    assert!((2..=8).contains(&ticks.len()), "{range:?} {ticks:?}");
                    assert!(ticks.contains(&1.0), "{range:?} {ticks:?}");
                    assert!((0.0..=1.0).contains(&range.share(1.0)));
                }
            }
        }
    }

    #[test]
    fn labels() {
        let labels: Vec<String> =
            [0.001, 0.05, 0.5, 1.0, 20.0, 1000.0].into_iter().map(label).collect();
        assert_eq!(labels, ["×0.001", "×0.05", "×0.5", "×1", "×20", "×1,000"]);
    }
}
