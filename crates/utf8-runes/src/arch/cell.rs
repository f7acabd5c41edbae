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

/// The bytes of units as cells.
#[inline(always)]
pub(crate) fn cells_of_units(units: &mut [u16]) -> &mut [[Cell; 2]] {
    let cells = core::ptr::from_mut(units) as *mut [[Cell; 2]];
    // SAFETY: the pointer is of a borrow that ends with the new one; two cells have the size of a
    // unit, and no alignment. What is written through it are bytes (as above), and a unit may have
    // any.
    unsafe { &mut *cells }
}

/// Writes units, all at once: as cells of bytes, compilers write them one by one.
#[inline(always)]
pub(crate) const fn put_units<const N: usize>(place: &mut [[Cell; 2]; N], units: [u16; N]) {
    // SAFETY: the pointer is of a borrow of 2 N bytes, which is what N units take; no alignment is
    // needed, and cells hold any bytes.
    unsafe { core::ptr::from_mut(place).cast::<[u16; N]>().write_unaligned(units) }
}

/// Room for units as cells.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn cells_of_units_room(room: &mut [MaybeUninit<u16>]) -> &mut [[Cell; 2]] {
    let cells = core::ptr::from_mut(room) as *mut [[Cell; 2]];
    // SAFETY: the pointer is of a borrow that ends with the new one; two cells have the size of a
    // unit, no alignment, and may be written or not as the unit may.
    unsafe { &mut *cells }
}

/// Room for bytes as cells.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn cells_of_room(room: &mut [MaybeUninit<u8>]) -> &mut [Cell] {
    let cells = core::ptr::from_mut(room) as *mut [Cell];
    // SAFETY: the pointer is of a borrow that ends with the new one, and a cell is nothing but a
    // `MaybeUninit<u8>` (`repr(transparent)`).
    unsafe { &mut *cells }
}
