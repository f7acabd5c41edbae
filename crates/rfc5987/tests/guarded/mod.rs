//! Room between two pages that nobody may read or write.

use std::ptr::{self, NonNull};
use std::slice;

/// Mapped memory whose first and last page fault when touched.
pub(crate) struct Guarded {
    start: NonNull<u8>,
    page: usize,
    room: usize,
}

impl Guarded {
    /// Room for at least `len`.
    pub(crate) fn new(len: usize) -> Self {
        // SAFETY: asks for a number and touches no memory.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a page has a size");
        let room = len.next_multiple_of(page).max(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: a new mapping at a place that the system chooses changes none there is.
        let start =
            unsafe { libc::mmap(ptr::null_mut(), room + 2 * page, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED, "{}", std::io::Error::last_os_error());
        let start = NonNull::new(start.cast::<u8>()).expect("not mapped at 0");
        let this = Self { start, page, room };
        // SAFETY: these pages are inside the mapping just made, which nobody else knows of.
        let done = unsafe {
            libc::mprotect(this.first().cast(), room, libc::PROT_READ | libc::PROT_WRITE)
        };
        assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
        this
    }

    /// The first byte of the room.
    fn first(&self) -> *mut u8 {
        self.start.as_ptr().wrapping_add(self.page)
    }

    /// `items` right before the last page.
    pub(crate) fn before(&mut self, items: &[u8]) -> &mut [u8] {
        let at = self.room.checked_sub(items.len()).expect("more than there is room for");
        self.put(items, at)
    }

    /// `items` right behind the first page.
    pub(crate) fn behind(&mut self, items: &[u8]) -> &mut [u8] {
        self.put(items, 0)
    }

    /// `items` at `at` bytes of the room.
    fn put(&mut self, items: &[u8], at: usize) -> &mut [u8] {
        assert!(items.len() <= self.room - at);
        let first = self.first().wrapping_add(at);
        // SAFETY: `first` and as many bytes lie in the room (asserted), which is mapped to be read
        // and written and holds zeros or what was put there. Nobody else has it: `self` is borrowed
        // for as long as the slice.
        let slice = unsafe { slice::from_raw_parts_mut(first, items.len()) };
        slice.copy_from_slice(items);
        slice
    }

    /// Reads the byte right behind the room, or right before it: a fault, if all is as it should.
    pub(crate) fn touch(&self, behind: bool) -> u8 {
        let at = self.first().wrapping_add(if behind { self.room } else { usize::MAX });
        // SAFETY: the byte lies in the mapping; nothing can go wrong but the fault that ends the
        // process, which is what is asked for.
        unsafe { ptr::read_volatile(at) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is the mapping that `new` made; what borrowed from it borrowed `self`.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.room + 2 * self.page) };
    }
}
