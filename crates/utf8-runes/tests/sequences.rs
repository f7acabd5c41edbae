//! Validation, a second time: sequences of one to four bytes at the edges of blocks, among ASCII
//! and among others, with text behind them and at the end; verdict and position of the error as
//! [`core::str::from_utf8`] gives them.

mod each_tier;

use each_tier::each_tier;
use std::str::from_utf8;
use utf8_runes::bytes;

/// The first and the last byte of each class that a decoder tells apart.
const EDGES: [u8; 26] = [
    0x00, 0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xFF,
];
/// Of those, what the third and fourth bytes are told apart by.
const LATER: [u8; 6] = [0x7F, 0x80, 0xBF, 0xC2, 0xED, 0xF4];
/// Where a sequence starts: first of all, and around the end of the first block.
const PLACES: [usize; 8] = [0, 61, 62, 63, 64, 65, 66, 67];

/// Room for a sequence of `N` bytes and what stands around it.
struct Company<const N: usize> {
    bytes: Vec<u8>,
    place: usize,
}

/// For each place: among ASCII and among others; in the middle and at the end.
fn companies<const N: usize>(places: &[usize]) -> Vec<Company<N>> {
    let mut all = Vec::new();
    for &place in places {
        for (filler, behind) in [("a", 19), ("a", 0), ("é", 10), ("é", 0)] {
            // ASCII makes up for half a character.
            let ahead = "a".repeat(place % filler.len()) + &filler.repeat(place / filler.len());
            let bytes = [ahead.as_bytes(), &[0; N], filler.repeat(behind).as_bytes()].concat();
            all.push(Company { bytes, place });
        }
    }
    all
}

impl<const N: usize> Company<N> {
    fn check(&mut self, sequence: [u8; N]) {
        self.bytes[self.place..self.place + N].copy_from_slice(&sequence);
        let input = &*self.bytes;
        let expected = from_utf8(input);
        let validated = bytes::validate(input);
        assert!(validated == expected, "{input:x?}: {validated:?} and not {expected:?}");
        // The same over the code that also cuts, by as many runes as there are and by too many.
        let cut = bytes::prefix(input, input.len());
        assert!(cut == expected, "{input:x?}: {cut:?} and not {expected:?}");
    }
}

#[test]
fn one_byte() {
    each_tier(|| {
        for company in &mut companies(&PLACES) {
            (0..=u8::MAX).for_each(|a| company.check([a]));
        }
    });
}

#[test]
fn two_bytes() {
    each_tier(|| {
        // Any two over the edge and behind it; those of the classes' ends everywhere.
        for company in &mut companies(&[63, 64]) {
            (0..=u16::MAX).for_each(|pair| company.check(pair.to_be_bytes()));
        }
        for company in &mut companies(&PLACES) {
            for a in EDGES {
                EDGES.iter().for_each(|b| company.check([a, *b]));
            }
        }
    });
}

#[test]
fn three_bytes() {
    each_tier(|| {
        for company in &mut companies(&PLACES) {
            for a in EDGES {
                for b in EDGES {
                    EDGES.iter().for_each(|c| company.check([a, b, *c]));
                }
            }
        }
    });
}

#[test]
fn four_bytes() {
    each_tier(|| {
        for company in &mut companies(&PLACES) {
            for a in EDGES {
                for b in EDGES {
                    for c in LATER {
                        LATER.iter().for_each(|d| company.check([a, b, c, *d]));
                    }
                }
            }
        }
    });
}
