//! What a result holds, and the contents that clients are to find in it.

use fastrand::Rng;
use std::fmt;

/// A column's type, of the four that are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Int,
    /// Of so many UTF-16 units.
    NVarChar(u16),
    NVarCharMax,
    VarBinaryMax,
}

/// One value of one.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Int(i32),
    Text(String),
    Bytes(Vec<u8>),
}

pub(super) type Row = Vec<Value>;

/// Long contents by their length, their first bytes and where they can be told apart.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, bytes) = match self {
            Self::Null => return f.write_str("NULL"),
            Self::Int(number) => return write!(f, "{number}"),
            Self::Text(text) => ("text", text.as_bytes()),
            Self::Bytes(bytes) => ("binary", bytes.as_slice()),
        };
        // FNV-1a: two that differ are shown differently.
        let hash = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
        });
        let head = &bytes[..bytes.len().min(8)];
        write!(f, "{kind}({} bytes, {head:02x?}…, {hash:016x})", bytes.len())
    }
}

/// `len` bytes without a period, the same for the same length.
pub(super) fn bytes(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    Rng::with_seed(len as u64).fill(&mut bytes);
    bytes
}

/// `units` UTF-16 units of one, two, three and four bytes of UTF-8, without blanks: some clients
/// print them as words.
pub(super) fn text(units: usize) -> String {
    let mut rng = Rng::with_seed(!(units as u64));
    let mut text = String::with_capacity(2 * units);
    let mut left = units;
    while left > 0 {
        let scalar = match rng.u8(..10) {
            0 => 'é',
            1 => '漢',
            2 if left > 1 => '😀',
            _ => rng.alphabetic(),
        };
        left -= scalar.len_utf16();
        text.push(scalar);
    }
    text
}

/// The text of UTF-16 units in little-endian order; `None` for a lone surrogate or half a unit.
pub(super) fn from_utf16(bytes: &[u8]) -> Option<String> {
    let (units, []) = bytes.as_chunks::<2>() else { return None };
    let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units).collect::<Result<_, _>>().ok()
}

/// Its UTF-16 units in little-endian order.
pub(super) fn to_utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_have_their_length_and_come_back_from_utf16() {
        for n in [0, 1, 2, 500, 10_000] {
            assert_eq!(bytes(n).len(), n);
            let text = text(n);
            assert_eq!(to_utf16(&text).len(), 2 * n);
            assert_eq!(from_utf16(&to_utf16(&text)), Some(text));
        }
        assert_eq!(from_utf16(&[0x00, 0xD8]), None);
        assert_eq!(from_utf16(&[0x41, 0x00, 0x42]), None);
    }

    #[test]
    fn a_difference_at_the_end_of_a_long_value_is_seen() {
        let mut other = bytes(100_000);
        other[99_999] ^= 1;
        let [one, other] =
            [bytes(100_000), other].map(|bytes| format!("{:?}", Value::Bytes(bytes)));
        assert_ne!(one, other);
        assert!(one.len() < 120, "{one}");
    }
}
