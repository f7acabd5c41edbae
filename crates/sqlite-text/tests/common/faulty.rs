//! SQLite's allocator, replaced by one that fails on demand. It moves every block that grows and
//! spoils every block that is freed, so that a text which outlives its memory shows.

use rusqlite::ffi;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// How many allocations still succeed; the next one fails.
static LEFT: AtomicI64 = AtomicI64::new(i64::MAX);

/// Whether those after it fail too.
static FOR_GOOD: AtomicBool = AtomicBool::new(false);

/// How many blocks there are.
static BLOCKS: AtomicI64 = AtomicI64::new(0);

/// From now on so many allocations succeed, and the next one or all the others fail.
pub(crate) fn fail_after(allocations: i64, for_good: bool) {
    FOR_GOOD.store(for_good, Ordering::Relaxed);
    LEFT.store(allocations, Ordering::Relaxed);
}

/// All allocations succeed again; whether one has failed.
pub(crate) fn fail_no_more() -> bool {
    LEFT.swap(i64::MAX, Ordering::Relaxed) < 0
}

/// Lets all allocations succeed meanwhile.
pub(crate) fn pause<T>(run: impl FnOnce() -> T) -> T {
    let left = LEFT.swap(i64::MAX, Ordering::Relaxed);
    let done = run();
    LEFT.store(left, Ordering::Relaxed);
    done
}

pub(crate) fn blocks() -> i64 {
    BLOCKS.load(Ordering::Relaxed)
}

/// Before each block: its size, in a head that keeps the alignment.
const HEAD: usize = 16;

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size + HEAD, HEAD).unwrap()
}

unsafe extern "C" fn allocate(size: c_int) -> *mut c_void {
    let left = LEFT.fetch_sub(1, Ordering::Relaxed);
    if left == 0 || (left < 0 && FOR_GOOD.load(Ordering::Relaxed)) {
        return ptr::null_mut();
    }
    BLOCKS.fetch_add(1, Ordering::Relaxed);
    let size = usize::try_from(size).unwrap();
    // SAFETY: at least the head, so not empty.
    let block = unsafe { alloc(layout(size)) };
    assert!(!block.is_null());
    // SAFETY: the head is there and aligned.
    unsafe { block.cast::<usize>().write(size) };
    block.wrapping_add(HEAD).cast()
}

fn head(block: *mut c_void) -> *mut u8 {
    block.cast::<u8>().wrapping_sub(HEAD)
}

unsafe extern "C" fn size(block: *mut c_void) -> c_int {
    if block.is_null() {
        return 0;
    }
    // SAFETY: SQLite asks of blocks that `allocate` gave.
    unsafe { head(block).cast::<usize>().read() as c_int }
}

unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: SQLite frees blocks that `allocate` gave.
    let size = unsafe { size(block) } as usize;
    // SAFETY: the block has that size, and nobody uses it from here on.
    unsafe { block.cast::<u8>().write_bytes(0xFE, size) };
    BLOCKS.fetch_sub(1, Ordering::Relaxed);
    // SAFETY: it was allocated with this layout.
    unsafe { dealloc(head(block), layout(size)) };
}

unsafe extern "C" fn reallocate(block: *mut c_void, wanted: c_int) -> *mut c_void {
    // SAFETY: SQLite asks for sizes that are not negative.
    let moved = unsafe { allocate(wanted) };
    if !moved.is_null() {
        // SAFETY: a block that `allocate` gave.
        let both = unsafe { size(block) }.min(wanted) as usize;
        // SAFETY: two blocks, which both have so many bytes.
        unsafe { moved.cast::<u8>().copy_from_nonoverlapping(block.cast(), both) };
        // SAFETY: the old block is replaced.
        unsafe { free(block) };
    }
    moved
}

unsafe extern "C" fn round(size: c_int) -> c_int {
    (size + 7) & !7
}

unsafe extern "C" fn begin(_: *mut c_void) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn end(_: *mut c_void) {}

/// Before anything else uses SQLite.
pub(crate) fn install() {
    let methods = ffi::sqlite3_mem_methods {
        xMalloc: Some(allocate),
        xFree: Some(free),
        xRealloc: Some(reallocate),
        xSize: Some(size),
        xRoundup: Some(round),
        xInit: Some(begin),
        xShutdown: Some(end),
        pAppData: ptr::null_mut(),
    };
    // SAFETY: nothing has used SQLite yet; it copies the table.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const methods) };
    assert_eq!(code, ffi::SQLITE_OK);
}
