//! Numbers of every width and order.

use super::Reader;
use crate::Stop;

macro_rules! scalars {
    ($($name:ident $type:ident $from:ident $what:literal;)*) => {
        impl Reader<'_> {
            $(
                #[doc = concat!("The next ", $what, ".")]
                ///
                /// # Errors
                /// As every read: see [`Reader`].
                #[inline]
                pub fn $name(&mut self) -> Result<$type, Stop> {
                    self.bytes().map($type::$from)
                }
            )*
        }
    };
}

scalars! {
    u8 u8 from_ne_bytes "byte";
    i8 i8 from_ne_bytes "byte, signed";
    u16_le u16 from_le_bytes "2 bytes, little-endian";
    u16_be u16 from_be_bytes "2 bytes, big-endian";
    u32_le u32 from_le_bytes "4 bytes, little-endian";
    u32_be u32 from_be_bytes "4 bytes, big-endian";
    u64_le u64 from_le_bytes "8 bytes, little-endian";
    u64_be u64 from_be_bytes "8 bytes, big-endian";
    i16_le i16 from_le_bytes "2 bytes, signed, little-endian";
    i16_be i16 from_be_bytes "2 bytes, signed, big-endian";
    i32_le i32 from_le_bytes "4 bytes, signed, little-endian";
    i32_be i32 from_be_bytes "4 bytes, signed, big-endian";
    i64_le i64 from_le_bytes "8 bytes, signed, little-endian";
    i64_be i64 from_be_bytes "8 bytes, signed, big-endian";
    f32_le f32 from_le_bytes "4 bytes, IEEE 754, little-endian";
    f32_be f32 from_be_bytes "4 bytes, IEEE 754, big-endian";
    f64_le f64 from_le_bytes "8 bytes, IEEE 754, little-endian";
    f64_be f64 from_be_bytes "8 bytes, IEEE 754, big-endian";
}
