use super::*;

/// A process whose clock is `slow` times slower: everything in it takes so much longer.
fn process(after: f64, slow: f64, clock: bool) -> Time {
    let mut rounds = BTreeMap::from([("after".to_owned(), vec![after * slow; 12])]);
    if clock {
        rounds.insert(CLOCK.to_owned(), vec![300.0 * slow; 12]);
    }
    Time { case: "a/b/c".to_owned(), rounds }
}

const SLOW: [f64; 7] = [1.0, 1.08, 0.93, 1.0, 1.05, 0.92, 1.08];

/// Seven pairs: the base takes 100 at a steady clock, the head `after` at a clock of its own.
fn turns(after: f64, head: bool, base: bool) -> Turns {
    Turns {
        head: SLOW.iter().map(|slow| process(after, *slow, head)).collect(),
        base: SLOW.iter().map(|_| process(100.0, 1.0, base)).collect(),
    }
}

#[test]
fn a_clock_that_moves_neither_hides_a_rise_nor_makes_one() {
    let planted = turns(110.0, true, true);
    assert!(planted.ratios().iter().all(|r| (r - 1.1).abs() < 1e-9), "{:?}", planted.ratios());
    assert!(planted.rose(0.05));
    let nothing = turns(100.0, true, true);
    assert!(nothing.ratios().iter().all(|r| (r - 1.0).abs() < 1e-9), "{:?}", nothing.ratios());
    assert!(!nothing.rose(0.05));
}

#[test]
fn an_older_base_without_a_clock_is_compared_in_nanoseconds() {
    for (head, base) in [(true, false), (false, true), (false, false)] {
        let ratios = turns(100.0, head, base).ratios();
        assert!(ratios.iter().zip(SLOW).all(|(r, slow)| (r - slow).abs() < 1e-9), "{ratios:?}");
    }
    // And there a tenth drowns, which is why there is a clock.
    assert!(!turns(110.0, true, false).rose(0.05));
}

#[test]
fn a_process_that_died_makes_no_pair() {
    let mut one_short = turns(110.0, true, true);
    one_short.head.pop();
    assert_eq!(one_short.ratios().len(), 6);
}
