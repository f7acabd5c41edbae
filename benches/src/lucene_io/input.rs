//! What the cases read and write, from fixed generators.

use super::foreign;
use lucene_io::DataOutput;

/// Strings in every form a variant may want.
#[derive(Debug)]
pub(super) struct Strings {
    /// As Java and .NET hold them.
    pub(super) units: Vec<Vec<u16>>,
    pub(super) texts: Vec<String>,
    /// One behind the other as Lucene (and protobuf) writes them.
    pub(super) encoded: Vec<u8>,
    /// The same in bytes of the peers that have others.
    pub(super) bincode: Vec<u8>,
    pub(super) tantivy: Vec<u8>,
}

impl Strings {
    fn new(texts: Vec<String>) -> Self {
        let units = texts.iter().map(|t| t.encode_utf16().collect()).collect();
        let (mut encoded, mut bincode, mut tantivy) = (Vec::new(), Vec::new(), Vec::new());
        for text in &texts {
            encoded.write_string(text).expect("a vector takes everything");
            foreign::bincode_write(&mut bincode, text);
            foreign::tantivy_write(&mut tantivy, text);
        }
        Self { units, texts, encoded, bincode, tantivy }
    }
}

fn made(count: usize, seed: u64, mut make: impl FnMut(&mut fastrand::Rng) -> String) -> Strings {
    let mut random = fastrand::Rng::with_seed(seed);
    Strings::new((0..count).map(|_| make(&mut random)).collect())
}

fn hex(random: &mut fastrand::Rng, digits: usize) -> String {
    (0..digits).map(|_| random.digit(16)).collect()
}

/// 64 GUIDs, 36 characters each: the fields of the seed's documents.
pub(super) fn guids() -> Strings {
    made(64, 1207, |random| {
        let parts = [8, 4, 4, 4, 12].map(|digits| hex(random, digits));
        parts.join("-")
    })
}

/// 64 strings of 36 characters, every sixth an é: text in French or Czech.
pub(super) fn latin() -> Strings {
    made(64, 2, |random| {
        (0..36).map(|i| if i % 6 == 5 { 'é' } else { random.lowercase() }).collect()
    })
}

/// 64 strings of 36 Chinese characters; 108 bytes each.
pub(super) fn cjk() -> Strings {
    made(64, 3, |random| (0..36).map(|_| random.char('一'..='鿋')).collect())
}

/// 16 strings of 1000 ASCII characters: 4 bytes a character are more than 2048, so the published
/// fix takes its pool.
pub(super) fn long() -> Strings {
    made(16, 4, |random| (0..1000).map(|_| random.alphanumeric()).collect())
}

/// 16 strings of 3000 ASCII characters: more than 2048 bytes, so the published fix takes its pool.
pub(super) fn very_long() -> Strings {
    made(16, 5, |random| (0..3000).map(|_| random.alphanumeric()).collect())
}

/// Values of a vInt, and the bytes.
#[derive(Debug)]
pub(super) struct Integers {
    pub(super) values: Vec<u32>,
    pub(super) encoded: Vec<u8>,
    /// The same in bytes of tantivy-common.
    pub(super) tantivy: Vec<u8>,
}

/// 16 000 values that take one of the first `widths` widths, each as likely: too many for a
/// processor to learn by heart, which it does with 1000.
pub(super) fn integers(widths: u32) -> Integers {
    let mut random = fastrand::Rng::with_seed(u64::from(widths));
    let values: Vec<u32> = (0..16_000)
        .map(|_| {
            let width = random.u32(1..=widths);
            let low = if width == 1 { 0 } else { 1 << (7 * (width - 1)) };
            let high = if width == 5 { u32::MAX } else { (1 << (7 * width)) - 1 };
            random.u32(low..=high)
        })
        .collect();
    let mut encoded = Vec::new();
    for &value in &values {
        encoded.write_vint(value as i32).expect("a vector takes everything");
    }
    let mut tantivy = Vec::new();
    foreign::tantivy_write_all(&mut tantivy, &values);
    Integers { values, encoded, tantivy }
}
