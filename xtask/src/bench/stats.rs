//! The arithmetic of the verdicts, pure and small.
//!
//! One process is one observation: what its rounds say among themselves says nothing about the
//! next process (code and heap placement differ), so every rule counts processes.

/// The median; of an even number, the mean of the middle two. `None` of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(sorted[n / 2]),
        _ => Some(f64::midpoint(sorted[n / 2 - 1], sorted[n / 2])),
    }
}

/// The ratio `a / b` of one process: the median over its rounds of the ratio within a round.
pub(crate) fn paired_ratio(a: &[f64], b: &[f64]) -> Option<f64> {
    let logs: Vec<f64> = a
        .iter()
        .zip(b)
        .filter(|(a, b)| **a > 0.0 && **b > 0.0)
        .map(|(a, b)| (a / b).ln())
        .collect();
    median(&logs).map(f64::exp)
}

/// The interval between two order statistics that covers the median of all processes in at least
/// 95 % of runs; of fewer than six processes the extremes, which cover it less often.
pub(crate) fn interval(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    if n == 0 {
        return None;
    }
    // Drop k from each end while P(k or fewer of n fair coins) stays within 2.5 %.
    let (mut k, mut tail, mut term) = (0, 0.0, 0.5_f64.powi(i32::try_from(n).ok()?));
    loop {
        tail += term;
        if tail > 0.025 || 2 * (k + 1) >= n {
            break;
        }
        term *= (n - k) as f64 / (k + 1) as f64;
        k += 1;
    }
    let k = k.saturating_sub(usize::from(tail > 0.025 && k > 0));
    Some((sorted[k], sorted[n - 1 - k]))
}

/// How many of `n` processes must agree: six of seven, rounded up.
pub(crate) fn quorum(n: usize) -> usize {
    (6 * n).div_ceil(7)
}

/// The fail rule for a ratio that should not rise above 1 by more than `tolerance`.
pub(crate) fn rose(ratios: &[f64], tolerance: f64) -> bool {
    median(ratios).is_some_and(|m| m > 1.0 + tolerance)
        && ratios.iter().filter(|r| **r > 1.0 + tolerance / 2.0).count() >= quorum(ratios.len())
}

/// The fail rule for a gain that should be at least `floor`. A floor stands safely below what was
/// shown, so it has no tolerance of its own.
pub(crate) fn fell_below(gains: &[f64], floor: f64) -> bool {
    median(gains).is_some_and(|m| m < floor)
        && gains.iter().filter(|g| **g < floor).count() >= quorum(gains.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn a_paired_ratio_is_blind_to_drift() {
        // The machine slows down tenfold half-way; each round still says 2.
        let b: Vec<f64> = (0..80).map(|i| if i < 40 { 10.0 } else { 100.0 }).collect();
        let a: Vec<f64> = b.iter().map(|x| 2.0 * x).collect();
        let ratio = paired_ratio(&a, &b).unwrap();
        assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
        assert_eq!(paired_ratio(&[], &[]), None);
    }

    #[test]
    fn intervals_by_process_count() {
        let up_to = |n: usize| interval(&(1..=n).map(|i| i as f64).collect::<Vec<_>>()).unwrap();
        assert_eq!(interval(&[]), None);
        assert_eq!(up_to(1), (1.0, 1.0));
        assert_eq!(up_to(5), (1.0, 5.0));
        assert_eq!(up_to(7), (1.0, 7.0));
        // 14 processes: P(2 or fewer of 14) = 0.65 %, P(3 or fewer) = 2.9 %.
        assert_eq!(up_to(14), (3.0, 12.0));
    }

    #[test]
    fn the_fail_rule() {
        assert!(rose(&[1.06, 1.07, 1.06, 1.08, 1.06, 1.06, 1.00], 0.05));
        assert!(!rose(&[1.06, 1.07, 1.06, 1.08, 1.06, 1.00, 1.00], 0.05), "five of seven");
        assert!(!rose(&[1.04; 7], 0.05), "within the tolerance");
        assert!(
            !rose(&[1.00, 1.43, 1.0, 1.0, 1.0, 1.0, 1.0], 0.05),
            "one wild process decides nothing"
        );
        assert!(rose(&[1.2; 5], 0.05));
        assert!(!rose(&[], 0.05));
        assert!(fell_below(&[1.9; 7], 2.0));
        assert!(!fell_below(&[2.1, 1.9, 1.9, 1.9, 2.0, 2.2, 2.3], 2.0));
    }

    proptest! {
        // Between-process spread with heavy tails: one process in ten is off by up to 40 %.
        #[test]
        fn the_interval_covers_the_true_median(seed in any::<u64>()) {
            let mut state = seed | 1;
            let mut uniform = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as f64 / (1_u64 << 53) as f64
            };
            let mut covered = 0;
            for _ in 0..400 {
                let runs: Vec<f64> = (0..7)
                    .map(|_| {
                        let scale = if uniform() < 0.1 { 0.4 } else { 0.02 };
                        (1.0 + scale * (uniform() - 0.5)) * 0.7
                    })
                    .collect();
                let (low, high) = interval(&runs).unwrap();
                covered += u32::from(low <= 0.7 && 0.7 <= high);
            }
            prop_assert!(covered >= 380, "{covered} of 400");
        }

        #[test]
        fn the_interval_holds_the_median(values in prop::collection::vec(0.01_f64..100.0, 1..40)) {
            let (low, high) = interval(&values).unwrap();
            let m = median(&values).unwrap();
            prop_assert!(low <= m && m <= high);
        }

        #[test]
        fn identical_code_never_fails(noise in prop::collection::vec(-0.02_f64..0.02, 7)) {
            let ratios: Vec<f64> = noise.iter().map(|n| 1.0 + n).collect();
            prop_assert!(!rose(&ratios, 0.05));
        }
    }
}
