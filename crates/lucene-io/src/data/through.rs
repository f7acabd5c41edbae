//! Inputs whose bytes lie in memory piece by piece: each method is that of a slice.

use super::SliceInput;
use crate::Error;

/// Runs a call on `rest`, which begins at `position` of the input. Gives how many bytes it consumed,
/// and its result, whose positions are those of the input.
#[inline]
pub(crate) fn through<'a, T>(
    rest: &'a [u8],
    position: u64,
    call: impl FnOnce(&mut SliceInput<'a>) -> Result<T, Error>,
) -> (usize, Result<T, Error>) {
    let mut input = SliceInput::new(rest);
    let result = call(&mut input);
    (rest.len() - input.remaining(), result.map_err(|error| moved(error, position)))
}

/// The error with its position counted from `by` bytes before.
#[cold]
fn moved(error: Error, by: u64) -> Error {
    match error {
        Error::UnexpectedEof { at, need } => Error::UnexpectedEof { at: at + by, need },
        Error::InvalidVInt { at } => Error::InvalidVInt { at: at + by },
        Error::InvalidVLong { at } => Error::InvalidVLong { at: at + by },
        Error::InvalidUtf8 { at } => Error::InvalidUtf8 { at: at + by },
        other => other,
    }
}

/// The methods of `DataInput` for integers, by `self.through(most, call)`, which runs a call that
/// consumes at most so many bytes.
macro_rules! integers_through_slice {
    () => {
        integers_through_slice! {
            read_i16: i16, 2; read_i32: i32, 4; read_i64: i64, 8;
            read_i16_le: i16, 2; read_i32_le: i32, 4; read_i64_le: i64, 8;
            read_vint: i32, 5; read_vlong: i64, 9; read_zlong: i64, 10;
        }
    };
    ($($name:ident: $type:ty, $most:literal;)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$type, Error> {
            self.through($most, |input| input.$name())
        }
    )*};
}
pub(crate) use integers_through_slice;
