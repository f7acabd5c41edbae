//! The digest of an output: what makes a benchmark a test.
//!
//! FNV-1a over the bytes of each value and a separator between values, so that `["ab", "c"]` and
//! `["a", "bc"]` differ. Not cryptographic, stable over machines and releases.

use std::borrow::Cow;

/// Collects what a variant produced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digester(u64);

impl Default for Digester {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digester {
    /// Takes in one value.
    pub fn value(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        // The length too: a value may hold the separator.
        self.0 = (self.0 ^ bytes.len() as u64).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// 16 hex digits.
    #[must_use]
    pub fn hex(self) -> String {
        format!("{:016x}", self.0)
    }
}

/// An output that has a digest. Variants of one case may return different types with one content:
/// a `&str`, a `String` and a `Cow` of the same text agree, as do all integers of one value.
pub trait Digest {
    /// Feeds the content.
    fn digest(&self, into: &mut Digester);
}

impl Digest for () {
    fn digest(&self, _: &mut Digester) {}
}

impl Digest for str {
    fn digest(&self, into: &mut Digester) {
        into.value(self.as_bytes());
    }
}

impl Digest for String {
    fn digest(&self, into: &mut Digester) {
        into.value(self.as_bytes());
    }
}

impl Digest for [u8] {
    fn digest(&self, into: &mut Digester) {
        into.value(self);
    }
}

impl Digest for Vec<u8> {
    fn digest(&self, into: &mut Digester) {
        into.value(self);
    }
}

/// UTF-16 as the bytes of its units, little-endian.
impl Digest for [u16] {
    fn digest(&self, into: &mut Digester) {
        let bytes: Vec<u8> = self.iter().flat_map(|u| u.to_le_bytes()).collect();
        into.value(&bytes);
    }
}

impl Digest for Vec<u16> {
    fn digest(&self, into: &mut Digester) {
        self.as_slice().digest(into);
    }
}

impl<T: Digest + ?Sized> Digest for &T {
    fn digest(&self, into: &mut Digester) {
        (**self).digest(into);
    }
}

impl<T: Digest + ?Sized> Digest for Box<T> {
    fn digest(&self, into: &mut Digester) {
        (**self).digest(into);
    }
}

impl<T: Digest + ToOwned + ?Sized> Digest for Cow<'_, T> {
    fn digest(&self, into: &mut Digester) {
        (**self).digest(into);
    }
}

impl<T: Digest> Digest for Option<T> {
    fn digest(&self, into: &mut Digester) {
        match self {
            Some(value) => value.digest(into),
            None => into.value(b"(none)"),
        }
    }
}

/// An error is digested by its text.
impl<T: Digest, E: std::fmt::Display> Digest for Result<T, E> {
    fn digest(&self, into: &mut Digester) {
        match self {
            Ok(value) => value.digest(into),
            Err(error) => into.value(error.to_string().as_bytes()),
        }
    }
}

/// Output that is digested by what it holds, such as many values that are shown together: while
/// measuring, the closure is only looked through by `black_box` and never runs.
#[derive(Clone, Copy)]
pub struct DigestWith<F: Fn(&mut Digester)>(pub F);

impl<F: Fn(&mut Digester)> std::fmt::Debug for DigestWith<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DigestWith").finish_non_exhaustive()
    }
}

impl<F: Fn(&mut Digester)> Digest for DigestWith<F> {
    fn digest(&self, into: &mut Digester) {
        (self.0)(into);
    }
}

macro_rules! integers {
    ($($t:ty)*) => { $(
        impl Digest for $t {
            fn digest(&self, into: &mut Digester) {
                into.value(self.to_string().as_bytes());
            }
        }
    )* };
}
integers!(u8 u16 u32 u64 usize i32 i64 bool);

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &dyn Fn(&mut Digester)) -> String {
        let mut d = Digester::default();
        value(&mut d);
        d.hex()
    }

    #[test]
    fn boundaries_count_and_types_do_not() {
        let split = of(&|d| {
            "ab".digest(d);
            "c".digest(d);
        });
        let other = of(&|d| {
            "a".digest(d);
            "bc".digest(d);
        });
        assert_ne!(split, other);
        assert_eq!(of(&|d| "ab".digest(d)), of(&|d| String::from("ab").digest(d)));
        assert_eq!(of(&|d| 7_u8.digest(d)), of(&|d| 7_usize.digest(d)));
        assert_ne!(of(&|d| None::<&str>.digest(d)), of(&|d| Some("").digest(d)));
    }
}
