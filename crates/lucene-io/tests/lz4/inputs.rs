//! Bytes to compress, made from a number: the same on every machine, and those that Java was given.

/// A linear congruential generator; its upper half is random enough.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
}

/// The kinds of which there are inputs.
pub(crate) const KINDS: [&str; 7] =
    ["zeros", "random", "bits", "letters", "words", "guids", "mixed"];

/// `len` bytes of a kind.
pub(crate) fn input(kind: &str, seed: u64, len: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match kind {
            "zeros" => bytes.push(0),
            "random" => bytes.push(random.next() as u8),
            "bits" => bytes.push(random.next() as u8 & 1),
            "letters" => bytes.push(b'a' + (random.next() % 6) as u8),
            "words" => words(&mut random, &mut bytes),
            "guids" => guids(&mut random, &mut bytes),
            "mixed" => mixed(&mut random, &mut bytes),
            other => panic!("no inputs of {other}"),
        }
    }
    bytes.truncate(len);
    bytes
}

fn words(random: &mut Random, bytes: &mut Vec<u8>) {
    const WORDS: [&str; 24] = [
        "the",
        "of",
        "and",
        "to",
        "in",
        "index",
        "segment",
        "document",
        "field",
        "term",
        "a",
        "is",
        "that",
        "posting",
        "norm",
        "commit",
        "reader",
        "writer",
        "it",
        "with",
        "compressed",
        "store",
        "as",
        "for",
    ];
    // The first ones are the frequent ones.
    let most = 1 + random.below(WORDS.len());
    bytes.extend_from_slice(WORDS[random.below(most)].as_bytes());
    bytes.push(if random.below(12) == 0 { b'.' } else { b' ' });
}

/// A document's field: number and type, length, text; one hundred of them, and again.
fn guids(random: &mut Random, bytes: &mut Vec<u8>) {
    for field in 0..100_u8 {
        match field << 3 {
            tag if field < 16 => bytes.push(tag),
            tag => bytes.extend_from_slice(&[tag | 0x80, field >> 4]),
        }
        bytes.push(36);
        for place in 0..36 {
            match place {
                8 | 13 | 18 | 23 => bytes.push(b'-'),
                _ => bytes.push(b"0123456789abcdef"[random.below(16)]),
            }
        }
    }
}

/// Literals, runs and repetitions from near and far, of all lengths.
fn mixed(random: &mut Random, bytes: &mut Vec<u8>) {
    let most = [8, 40, 600][random.below(3)];
    let n = 1 + random.below(most);
    match random.below(3) {
        0 => bytes.extend((0..n).map(|_| random.next() as u8)),
        1 => bytes.extend(std::iter::repeat_n(random.next() as u8, n)),
        _ if bytes.is_empty() => {}
        _ => {
            let from = random.below(bytes.len());
            for i in from..from + n {
                bytes.push(bytes[i]);
            }
        }
    }
}
