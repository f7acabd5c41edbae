//! Instructions: one call inside a function that callgrind toggles its collection on.

use crate::subject::Subject;
use onecopy_bench_model::wire::REGION_CALLS;

/// Runs the region once; `extra` more calls are the self-test's planted fault (2 % each).
pub fn count(subject: &mut dyn Subject, extra: u64) {
    // Lazy set-up, feature detection and first growth belong to no call.
    subject.once();
    subject.once();
    onecopy_bench_region(subject, REGION_CALLS + extra);
}

// Named by `wire::REGION` for `--toggle-collect` and `--dump-after`.
#[inline(never)]
fn onecopy_bench_region(subject: &mut dyn Subject, calls: u64) {
    for _ in 0..calls {
        subject.once();
    }
}
