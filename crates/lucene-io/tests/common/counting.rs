//! The allocator of a test that counts: it is there for whichever names this module.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What this thread has allocated, reallocations included, what it holds and the most that it held.
#[derive(Clone, Copy)]
struct Seen {
    allocations: u64,
    bytes: u64,
    held: i64,
    peak: i64,
}

std::thread_local! {
    static SEEN: Cell<Seen> =
        const { Cell::new(Seen { allocations: 0, bytes: 0, held: 0, peak: 0 }) };
}

/// `size` bytes are allocated anew, in the place of `before`.
fn count(size: usize, before: usize) {
    let seen = SEEN.get();
    let held = seen.held + size as i64 - before as i64;
    SEEN.set(Seen {
        allocations: seen.allocations + 1,
        bytes: seen.bytes + size as u64,
        held,
        peak: seen.peak.max(held),
    });
}

struct Counting;

// SAFETY: every call goes to the system's allocator as it came; counting touches no heap.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let seen = SEEN.get();
        SEEN.set(Seen { held: seen.held - layout.size() as i64, ..seen });
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations and their bytes during a call, reallocations included, as if nothing was freed.
pub fn allocated<T>(call: impl FnOnce() -> T) -> (u64, u64) {
    let before = SEEN.get();
    let value = call();
    let after = SEEN.get();
    drop(value);
    (after.allocations - before.allocations, after.bytes - before.bytes)
}

/// The most that is held during a call above what was held before.
pub fn peak<T>(call: impl FnOnce() -> T) -> i64 {
    let before = held();
    SEEN.set(Seen { peak: before, ..SEEN.get() });
    let value = call();
    let peak = SEEN.get().peak;
    drop(value);
    peak - before
}

/// The bytes that are held now.
pub fn held() -> i64 {
    SEEN.get().held
}
