//! What bytes are written to, there or not yet.

use core::mem::MaybeUninit;

/// A byte that may only be written, and only a byte: nothing else makes a value of this type, and
/// nobody copies from what was lent.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Cell(MaybeUninit<u8>);

impl Cell {
    #[inline(always)]
    pub(crate) const fn holding(byte: u8) -> Self {
        Self(MaybeUninit::new(byte))
    }
}

/// Bytes as cells.
#[inline(always)]
pub(crate) fn cells_of(bytes: &mut [u8]) -> &mut [Cell] {
    let cells = core::ptr::from_mut(bytes) as *mut [Cell];
    // SAFETY: the pointer is of a borrow that ends with the new one, and a cell has the size and
    // alignment of a byte. What is written through it are bytes, so those stay initialised: values
    // of `Cell` hold one, and vectors are stored whole.
    unsafe { &mut *cells }
}

/// Room for bytes as cells.
#[inline(always)]
pub(crate) fn cells_of_room(room: &mut [MaybeUninit<u8>]) -> &mut [Cell] {
    let cells = core::ptr::from_mut(room) as *mut [Cell];
    // SAFETY: the pointer is of a borrow that ends with the new one, and a cell is nothing but a
    // `MaybeUninit<u8>` (`repr(transparent)`).
    unsafe { &mut *cells }
}
