//! Columns of text in Arrow's layout, many rows at a time.
//!
//! `reader` steps and appends, `columns` is the batch that users see, `raw` keeps what makes its
//! bytes text, `arrow` gives it away.

#[cfg(feature = "arrow")]
mod arrow;
mod columns;
#[allow(unsafe_code, reason = "bytes that are checked many at a time")]
mod raw;
mod reader;
#[cfg(all(test, feature = "rusqlite"))]
mod tests;

pub use columns::{TextBatch, TextBatchIter};
pub use reader::BatchReader;

use core::fmt::Debug;

/// What a [`TextBatch`] counts bytes in: `i32` as Arrow's `Utf8` (`StringArray`), up to 2 GiB a
/// column and batch, or `i64` as its `LargeUtf8`.
pub trait Offset: sealed::Sealed + Copy + Debug + Ord + Send + Sync + 'static {}

mod sealed {
    /// What the trait can do, for this crate only.
    pub trait Sealed: Sized {
        /// `None` when it is too large.
        fn of(end: usize) -> Option<Self>;
        /// As it was given to `of`.
        fn get(self) -> usize;
    }
}

macro_rules! offset {
    ($($integer:ty),*) => {$(
        impl Offset for $integer {}

        impl sealed::Sealed for $integer {
            #[inline]
            fn of(end: usize) -> Option<Self> {
                Self::try_from(end).ok()
            }

            #[inline]
            fn get(self) -> usize {
                usize::try_from(self).unwrap_or(0)
            }
        }
    )*};
}

offset!(i32, i64);

// A batch is full after 127 bytes: the tests need no 2 GiB.
#[cfg(test)]
offset!(i8);
