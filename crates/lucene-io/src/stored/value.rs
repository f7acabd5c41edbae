//! What a stored field holds.

/// The value of a stored field, borrowed.
///
/// These six are all that the format has: Java's `IntField`, `LongField`, `FloatField` and
/// `DoubleField` are stored as the four numbers, `TextField` and `StringField` as strings. With
/// `PartialEq` a NaN differs from itself; compare `to_bits` where that matters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Text.
    String(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A number of 32 bits.
    I32(i32),
    /// A number of 64 bits.
    I64(i64),
    /// A floating-point number of 32 bits; every bit pattern stays as it is.
    F32(f32),
    /// A floating-point number of 64 bits; every bit pattern stays as it is.
    F64(f64),
}

/// A stored field: its number and name in the segment, and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldRef<'a> {
    /// The number that stands for the name in the segment's files.
    pub number: u32,
    /// The name.
    pub name: &'a str,
    /// What is stored.
    pub value: Value<'a>,
}

/// What a visitor says to each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visit {
    /// Go on to the next field.
    Next,
    /// Enough: the rest of the document is not read.
    Stop,
}
