//! The definitions in `cases/*.toml` and the code that is registered agree, and every variant and
//! light peer gives the digest of its definition, twice: what it keeps between calls must not show.

use onecopy_bench_model::case::{self, Case};
use onecopy_benches::registry::Registry;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn defined() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    case::load(&folder).expect("the definitions are sound")
}

#[test]
fn what_is_defined_is_registered_and_nothing_else() {
    let (defined, registry) = (defined(), onecopy_benches::registry());
    for case in registry.cases() {
        assert!(defined.iter().any(|d| d.name == case.name()), "{} is not defined", case.name());
    }
    for definition in &defined {
        let name = &definition.name;
        let case = registry.find(name).unwrap_or_else(|| panic!("{name} is not registered"));
        let (mut light, mut names) = (definition.light().collect::<Vec<_>>(), case.names());
        light.sort_unstable();
        names.sort_unstable();
        assert_eq!(light, names, "{name}");
    }
}

/// Most of a test run's waiting, so the definitions are shared out, one after the other, to the cores.
#[test]
fn every_variant_gives_the_digest_of_its_definition() {
    let defined = defined();
    let next = AtomicUsize::new(0);
    let check = || {
        let registry = onecopy_benches::registry();
        let mut wrong = Vec::new();
        while let Some(definition) = defined.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(other_digests(&registry, definition));
        }
        wrong
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(check)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no variant panics")).collect()
    });
    assert!(wrong.is_empty(), "other digests than defined:\n{}", wrong.join("\n"));
}

/// The variants that give another digest than the definition has, with it.
fn other_digests(registry: &Registry, definition: &Case) -> Vec<String> {
    let name = &definition.name;
    let mut wrong = Vec::new();
    let Some(case) = registry.find(name) else { return wrong };
    for variant in case.names() {
        let mut subject = case.build(variant).expect("it is registered");
        // A limit has no result.
        let right = definition.has_result(variant).then_some(&definition.digest);
        for digest in [subject.digest(), subject.digest()] {
            if right.is_some_and(|right| digest != *right) {
                wrong.push(format!("{name} {variant}: {digest}"));
            }
        }
    }
    wrong
}

/// A guard without a claim that counts would not turn red for sure.
#[test]
fn every_guard_has_its_patch_and_an_exact_claim() {
    let undo = Path::new(env!("CARGO_MANIFEST_DIR")).join("undo");
    let defined = defined();
    for case in defined.iter().filter(|c| !c.guards.is_empty()) {
        for guard in &case.guards {
            assert!(
                undo.join(format!("{guard}.patch")).exists(),
                "{}: no patch `{guard}`",
                case.name
            );
        }
        let counts = case
            .claim
            .iter()
            .any(|c| c.of == "after" && (c.exact.is_some() || c.at_most.is_some()));
        assert!(counts, "{}: nothing of `after` is counted", case.name);
    }
    for name in ["utf8-runes", "rfc5987", "pktpool", "sqlite-text", "lucene-io"] {
        assert!(
            defined.iter().any(|c| c.guards.iter().any(|g| g == name)),
            "nothing guards {name}"
        );
    }
}

/// "(gated at 2.5 times)" is what the floor is.
#[test]
fn a_text_tells_the_floor_that_is_gated() {
    let mut told = 0;
    for case in defined() {
        for claim in &case.claim {
            let text = claim.text.as_deref().unwrap_or_default();
            let Some((_, rest)) = text.split_once("gated at ") else { continue };
            let (times, _) = rest.split_once(" times").expect("a number of times");
            let decimals = times.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            let improves = claim.improves.unwrap_or_else(|| panic!("{}: no floor", case.name));
            let floor = improves.floor;
            assert_eq!(times, format!("{:.decimals$}", 1.0 / floor), "{}: {text}", case.name);
            told += 1;
        }
    }
    assert!(told > 20, "{told}");
}
