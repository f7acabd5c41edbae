//! Room between two pages that nobody may read or write.

use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use std::slice;

/// What may hold any bits.
pub(crate) trait Plain: Copy {}
impl Plain for u8 {}
impl Plain for u16 {}

/// Mapped memory whose first and last page fault when touched.
pub(crate) struct Guarded<T> {
    start: NonNull<u8>,
    page: usize,
    room: usize,
    of: PhantomData<T>,
}

impl<T: Plain> Guarded<T> {
    /// Room for at least `len`.
    pub(crate) fn new(len: usize) -> Self {
        // SAFETY: asks for a number and touches no memory.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).expect("a page has a size");
        let room = (len * size_of::<T>()).next_multiple_of(page).max(page);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
        // SAFETY: a new mapping at a place that the system chooses changes none there is.
        let start =
            unsafe { libc::mmap(ptr::null_mut(), room + 2 * page, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED, "{}", std::io::Error::last_os_error());
        let start = NonNull::new(start.cast::<u8>()).expect("not mapped at 0");
        let this = Self { start, page, room, of: PhantomData };
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
    pub(crate) fn before(&mut self, items: &[T]) -> &mut [T] {
        let at = self.room.checked_sub(size_of_val(items)).expect("more than there is room for");
        self.put(items, at)
    }

    /// `items` right behind the first page.
    pub(crate) fn behind(&mut self, items: &[T]) -> &mut [T] {
        self.put(items, 0)
    }

    /// `items` at `at` bytes of the room: a multiple of their size.
    fn put(&mut self, items: &[T], at: usize) -> &mut [T] {
        assert!(at.is_multiple_of(size_of::<T>()) && size_of_val(items) <= self.room - at);
        let first = self.first().wrapping_add(at).cast::<T>();
        // SAFETY: `first` and as many items lie in the room (asserted), which is mapped to be read
        // and written, holds zeros or what was put there, which any `T` may be (`Plain`), and is
        // aligned: a page is, and `at` is a multiple of the size, which is that of the alignment.
        // Nobody else has it: `self` is borrowed for as long as the slice.
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

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        // SAFETY: this is the mapping that `new` made; what borrowed from it borrowed `self`.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.room + 2 * self.page) };
    }
}
