use super::super::fixture;
use super::*;

fn ratio(median: f64, low: f64, high: f64) -> Ratio {
    Ratio { median, low, high, processes: vec![] }
}

#[test]
fn faster_is_the_inverse_with_its_ends_exchanged() {
    let speed = Speed::of(&ratio(0.25, 0.2, 0.5)).unwrap();
    assert_eq!(speed, Speed { median: 4.0, low: 2.0, high: 5.0 });
    assert_eq!(speed.text(), "×4.00 [2.00–5.00]");
    for broken in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Speed::of(&ratio(broken, 0.2, 0.5)), None, "{broken}");
    }
}

#[test]
fn peers_stand_where_before_is_one() {
    let mut case = fixture().cases.remove(1);
    // `after` takes a quarter of the time of `before` and half of that of the peer.
    case.ratio = Some(ratio(0.25, 0.2, 0.5));
    case.peers = [("p".to_owned(), ratio(0.5, 0.4, 0.8))].into();
    let median = |case: &CaseReport, name: &str| {
        let found = series(case).into_iter().find(|s| s.name == name).unwrap();
        found.speed.map(|s| (s.median, s.low, s.high))
    };
    assert_eq!(median(&case, "before"), Some((1.0, 1.0, 1.0)));
    assert_eq!(median(&case, "after"), Some((4.0, 2.0, 5.0)));
    assert_eq!(median(&case, "p"), Some((2.0, 1.6, 3.2)));
    assert_eq!(best_peer(&case).unwrap().1.median, 2.0);
    // Without a `before` the reference is `after`.
    case.ratio = None;
    assert_eq!(median(&case, "after"), Some((1.0, 1.0, 1.0)));
    assert_eq!(median(&case, "p"), Some((0.5, 0.4, 0.8)));
}

#[test]
fn the_best_peer_is_the_fastest() {
    let report = fixture();
    let (name, speed) = best_peer(&report.cases[1]).unwrap();
    assert_eq!((name, format::times(speed.median)), ("simdutf", "×0.83".to_owned()));
}

#[test]
fn goals_of_what_was_not_judged_do_not_count() {
    let report = fixture();
    let noisy = report.cases.iter().find(|c| c.verdict == Verdict::Noisy).unwrap();
    assert_eq!(noisy.claims[0].goal_reached, Some(true));
    assert_eq!(goal(&noisy.claims[0]), None);
    let line = Summary::of(&report).line;
    assert!(line.contains("; 3 of 5 goals reached; 3 claims not judged"), "{line}");
}

#[test]
fn a_noisy_case_says_that_no_time_was_judged() {
    let mut case = fixture().cases.remove(0);
    case.verdict = Verdict::Noisy;
    case.reasons = vec!["the machine was busy".to_owned()];
    assert_eq!(reasons(&case)[0], "no time was judged");
    assert!(verdict(case.verdict).contains("no time judged"));
}

#[test]
fn the_limit_is_no_peer_and_stands_last() {
    let report = fixture();
    let case = report.cases.iter().find(|c| c.limit.is_some()).unwrap();
    assert_eq!(peers(case), ["rusqlite"]);
    assert_eq!(best_peer(case).unwrap().0, "rusqlite");
    assert_eq!(variants(case).last().unwrap().0, "sqlite3_step");
    let all = series(case);
    let last = all.last().unwrap();
    assert_eq!((last.name, last.kind), ("sqlite3_step", Kind::Limit));
    // `after` is 1 / 0.5307 times as fast as `before`, and takes 1.2211 of the limit's time.
    assert!((last.speed.unwrap().median - 1.2211 / 0.5307).abs() < 1e-9);
    assert_eq!(limit(case).unwrap().1, "sqlite3_step (the limit)");
}
