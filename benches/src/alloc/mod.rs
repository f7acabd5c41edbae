//! Heap use of a call, exactly.
//!
//! The counting allocator sits under every pass; it counts only while [`measure`] runs, on the
//! thread that runs it. What other threads allocate meanwhile is summed apart. What C libraries
//! take from `malloc` themselves (SQLite's page cache, say) is not seen.

#[allow(unsafe_code, reason = "an allocator is an unsafe trait")]
mod raw;

pub use raw::Counting;

use onecopy_bench_model::wire::Counts;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

#[global_allocator]
static GLOBAL: Counting = Counting;

/// How many threads measure: none during the timing passes, where it costs one load and one branch, the same for all variants.
static COUNTING: AtomicU64 = AtomicU64::new(0);
static ELSEWHERE: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Copy)]
struct Running {
    counts: Counts,
    live: i64,
    high: i64,
}

thread_local! {
    // Const-initialised and without a destructor, so that the allocator may touch it at any time.
    static HERE: Cell<Option<Running>> = const { Cell::new(None) };
}

/// Counts what `region` does on this thread, and the `alloc` calls of all other threads.
pub fn measure(region: impl FnOnce()) -> (Counts, u64) {
    HERE.set(Some(Running { counts: Counts::default(), live: 0, high: 0 }));
    ELSEWHERE.store(0, Ordering::Relaxed);
    COUNTING.fetch_add(1, Ordering::Relaxed);
    region();
    COUNTING.fetch_sub(1, Ordering::Relaxed);
    let running = HERE.take();
    let counts = running.map_or_else(Counts::default, |r| Counts {
        peak: r.high.unsigned_abs(),
        leak: r.live,
        ..r.counts
    });
    (counts, ELSEWHERE.load(Ordering::Relaxed))
}

enum Event {
    Alloc(usize),
    Free(usize),
    Realloc { from: usize, to: usize },
}

#[inline]
fn note(event: &Event) {
    if COUNTING.load(Ordering::Relaxed) != 0 {
        note_now(event);
    }
}

#[cold]
fn note_now(event: &Event) {
    // The thread may be ending and its storage gone: then nothing of ours runs on it.
    let _ = HERE.try_with(|here| {
        let Some(mut running) = here.get() else {
            if !matches!(event, Event::Free(_)) {
                ELSEWHERE.fetch_add(1, Ordering::Relaxed);
            }
            return;
        };
        let counts = &mut running.counts;
        match *event {
            Event::Alloc(size) => {
                counts.allocs += 1;
                counts.bytes += size as u64;
                running.live += size as i64;
            }
            Event::Free(size) => running.live -= size as i64,
            Event::Realloc { from, to } => {
                counts.reallocs += 1;
                counts.bytes += to.saturating_sub(from) as u64;
                running.live += to as i64 - from as i64;
            }
        }
        running.high = running.high.max(running.live);
        here.set(Some(running));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn every_kind_is_counted_once() {
        let (counts, elsewhere) = measure(|| {
            let mut v: Vec<u8> = black_box(Vec::with_capacity(100));
            v.extend_from_slice(&[1; 100]);
            v.reserve_exact(200);
            black_box(&v);
            drop(black_box(Box::new([0_u8; 40])));
        });
        assert_eq!(
            (counts.allocs, counts.reallocs, counts.bytes, counts.peak, counts.leak),
            (2, 1, 340, 340, 0)
        );
        // Other tests of this process run on threads of their own and may allocate meanwhile.
        let _ = elsewhere;
    }

    #[test]
    fn nothing_is_a_legal_result_and_a_leak_is_seen() {
        assert_eq!(measure(|| ()).0, Counts::default());
        let (counts, _) = measure(|| std::mem::forget(black_box(Box::new(1_u64))));
        assert_eq!(counts.leak, 8);
        let kept = Box::new(1_u64);
        assert_eq!(measure(|| drop(kept)).0.leak, -8);
    }
}
