//! The same cases under criterion, for people: `cargo bench -p onecopy-benches -- REGEX`.
//!
//! Nothing here gates anything: `cargo xtask bench` does. Criterion compares with its previous run,
//! and called a quarter of identical code changed on the machines this was written on.

use criterion::Criterion;
use std::time::Duration;

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
        .without_plots()
        .configure_from_args();
    let registry = onecopy_benches::registry();
    for case in registry.cases() {
        let mut group = criterion.benchmark_group(case.name());
        for variant in case.names() {
            // Made only when the filter lets it run.
            let mut subject = None;
            group.bench_function(variant, |bencher| {
                let subject =
                    subject.get_or_insert_with(|| case.build(variant).expect("a name of its own"));
                bencher.iter_custom(|calls| Duration::from_nanos(subject.slice(calls)));
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
