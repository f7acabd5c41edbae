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

/// The same of an input that has all its `bytes` in memory and stands at `at`.
#[cfg(any(feature = "mmap", feature = "bytes"))]
#[inline]
pub(crate) fn advance<'a, T>(
    bytes: &'a [u8],
    at: &mut usize,
    call: impl FnOnce(&mut SliceInput<'a>) -> Result<T, Error>,
) -> Result<T, Error> {
    let (used, result) = through(&bytes[*at..], *at as u64, call);
    *at += used;
    result
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
#[cfg(feature = "std")]
macro_rules! integers_through_slice {
    () => {
        integers_through_slice! {
            read_i16: i16, 2; read_i32: i32, 4; read_i64: i64, 8;
            read_i16_le: i16, 2; read_i32_le: i32, 4; read_i64_le: i64, 8;
            read_vlong: i64, 9; read_zlong: i64, 10;
        }
    };
    ($($name:ident: $type:ty, $most:literal;)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$type, Error> {
            self.through($most, |input| input.$name())
        }
    )*};
}
#[cfg(feature = "std")]
pub(crate) use integers_through_slice;

/// `DataInput` of a type that has all its `bytes` in memory and stands `at` one of them, or their
/// end.
#[cfg(any(feature = "mmap", feature = "bytes"))]
macro_rules! data_input_in_memory {
    ($type:ty) => {
        data_input_in_memory! {
            $type:
            read_byte() -> u8; read_bytes(into: &mut [u8]) -> (); skip_bytes(n: u64) -> ();
            read_i16() -> i16; read_i32() -> i32; read_i64() -> i64;
            read_i16_le() -> i16; read_i32_le() -> i32; read_i64_le() -> i64;
            read_vint() -> i32; read_vlong() -> i64; read_zlong() -> i64;
            read_string() -> String; read_string_into(into: &mut String) -> ();
            read_string_lossy() -> String;
        }
    };
    ($type:ty: $($name:ident($($argument:ident: $of:ty)?) -> $result:ty;)*) => {
        impl DataInput for $type {
            $(#[inline]
            fn $name(&mut self $(, $argument: $of)?) -> Result<$result, Error> {
                advance(&self.bytes, &mut self.at, |input| input.$name($($argument)?))
            })*

            #[inline]
            fn position(&self) -> u64 {
                self.at as u64
            }

            #[inline]
            fn bytes_left(&self) -> Option<u64> {
                Some((self.bytes.len() - self.at) as u64)
            }

            #[inline]
            fn lend(&mut self) -> Result<&[u8], Error> {
                Ok(&self.bytes[self.at..])
            }
        }
    };
}
#[cfg(any(feature = "mmap", feature = "bytes"))]
pub(crate) use data_input_in_memory;
