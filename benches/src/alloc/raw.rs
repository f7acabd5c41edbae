//! The allocator itself: the system's, with a note of every call.

use super::{Event, note};
use std::alloc::{GlobalAlloc, Layout, System};

/// Counts, then does what the system allocator does.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every method hands its arguments unchanged to `System`, which upholds the contract of
// `GlobalAlloc`, and returns its result unchanged; `note` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract of `GlobalAlloc::alloc` is the caller's, and `System` is handed it whole.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(&Event::Alloc(layout.size()));
        // SAFETY: the caller upholds `alloc`'s contract for `layout`.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the contract of `GlobalAlloc::alloc_zeroed` is the caller's, and `System` is handed it whole.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(&Event::Alloc(layout.size()));
        // SAFETY: the caller upholds `alloc_zeroed`'s contract for `layout`.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the contract of `GlobalAlloc::dealloc` is the caller's, and `System` is handed it whole.
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        note(&Event::Free(layout.size()));
        // SAFETY: `ptr` came from this allocator, that is from `System`, with this `layout`.
        unsafe { System.dealloc(ptr, layout) }
    }

    // SAFETY: the contract of `GlobalAlloc::realloc` is the caller's, and `System` is handed it whole.
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(&Event::Realloc { from: layout.size(), to: new_size });
        // SAFETY: `ptr` came from `System` with this `layout`; the caller upholds the rest.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}
