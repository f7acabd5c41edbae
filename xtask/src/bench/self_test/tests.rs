use super::*;
use crate::bench::callgrind::Count;
use onecopy_bench_model::wire::{Alloc, Counts};
use std::path::Path;

fn defined() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/cases");
    onecopy_bench_model::case::load(&folder).unwrap()
}

/// No case allocates, and each takes 1000 instructions.
fn clean(cases: &[&Case]) -> Measured {
    let mut clean = Measured::default();
    for case in cases {
        let key = (case.name.clone(), "after".to_owned());
        let none = Counts::default();
        let alloc = Alloc {
            case: key.0.clone(),
            variant: key.1.clone(),
            one: none,
            ten: none,
            elsewhere: 0,
        };
        clean.heap.insert(key.clone(), alloc);
        clean.instructions.insert(key, Count { least: 1000, most: 1000 });
    }
    clean
}

fn pair(case: &Case, low: f64, high: f64) -> compare::Pair {
    compare::Pair {
        case: case.name.clone(),
        time: Some(Ratio { median: 1.0, low, high, processes: Vec::new() }),
        counts: std::collections::BTreeMap::new(),
        failed: Vec::new(),
        noisy: false,
    }
}

#[test]
fn the_steady_cases_are_defined_and_can_be_planted_into() {
    let defined = defined();
    let all: Vec<&Case> = defined.iter().collect();
    let clean = clean(&all);
    for name in STEADY {
        let case = all.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no case {name}"));
        assert!(is_quiet(case, &clean), "{name} is not compute-bound or claims no allocations");
    }
    let sample = sample(&all, &clean);
    assert!(sample.len() <= 16);
    assert_eq!([&*sample[0].name, &*sample[1].name], [STEADY[0], STEADY[1]]);
    let mut names: Vec<&str> = sample.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), sample.len(), "a case is in the sample once");
}

#[test]
fn the_victim_is_chosen_by_what_it_does_and_only_without_such_a_case_by_how_it_behaved() {
    let defined = defined();
    let all: Vec<&Case> = defined.iter().filter(|c| c.crate_name() == "utf8-runes").collect();
    let mut clean = clean(&all);
    // The luckiest of A/A is another case.
    let lucky = all.iter().copied().find(|c| c.name == "utf8-runes/write/count-83").unwrap();
    let pairs: Vec<_> =
        all.iter().map(|c| pair(c, if c.name == lucky.name { 1.0 } else { 0.9 }, 1.0)).collect();
    assert_eq!(victim(&all, &clean, &pairs).unwrap().name, STEADY[0]);

    // 2 % of it must be a count, and the count one that stays.
    let key = |name: &str| (name.to_owned(), "after".to_owned());
    clean.instructions.insert(key(STEADY[0]), Count { least: 199, most: 199 });
    clean.instructions.insert(key(STEADY[1]), Count { least: 1000, most: 1001 });
    assert_eq!(victim(&all, &clean, &pairs).unwrap().name, STEADY[2]);

    let others: Vec<&Case> =
        all.iter().copied().filter(|c| !STEADY.contains(&c.name.as_str())).collect();
    assert_eq!(victim(&others, &clean, &pairs).unwrap().name, lucky.name);
    assert!(victim(&[], &clean, &pairs).is_err());
}

#[test]
fn what_is_planted_into_and_what_it_is_compared_with_are_started_by_words_of_one_length() {
    let defined = defined();
    let runner = Runner {
        program: "runner".into(),
        cases: "cases".into(),
        heavy: false,
        extra: vec!["--variant=after".into()],
        folder: None,
        environment: None,
    };
    let lengths = |kind| -> Vec<usize> {
        planted(&runner, kind, &defined[0]).extra.iter().map(String::len).collect()
    };
    assert_eq!(lengths("time"), lengths("none"));
}

#[test]
fn only_processes_further_apart_than_what_is_planted_are_unfit() {
    let spread = |low, high| Ratio { median: 1.1, low, high, processes: Vec::new() };
    assert!(!is_unfit(&spread(1.098, 1.102)));
    assert!(!is_unfit(&spread(1.03, 1.18)));
    assert!(is_unfit(&spread(1.0, 1.16)));
    assert!(is_unfit(&spread(0.93, 1.256)));
}
