//! What the instructions that look bytes up are given.

use crate::alphabet::{HEX_DIGITS, is_attr_char};

/// The bit of a high nibble, 2 to 7, that ASCII has printable characters for.
const fn bit(high: usize) -> u8 {
    if high >= 2 && high < 8 { 1 << high } else { 0 }
}

/// Set where the low nibble is that of a letter among the hexadecimal digits.
pub(super) const LETTER: u8 = 1;
/// The bits of which a byte of the grammar has one if it is a hexadecimal digit: with the high
/// nibble 3 there are only digits, with 4 and 6 letters.
pub(super) const DIGIT: u8 = LETTER | bit(3);

/// For each low nibble, the high ones that make an attr-char of it, and [`LETTER`].
pub(super) const LOW: [u8; 16] = {
    let mut table = [0; 16];
    let mut low = 0;
    while low < 16 {
        let mut high = 0;
        while high < 8 {
            if is_attr_char((high << 4 | low) as u8) {
                table[low] |= bit(high);
            }
            high += 1;
        }
        if low >= 1 && low <= 6 {
            table[low] |= LETTER;
        }
        low += 1;
    }
    table
};

/// [`LOW`] with `%`.
pub(super) const LOW_OF_GRAMMAR: [u8; 16] = {
    let mut table = LOW;
    table[(b'%' & 15) as usize] |= bit((b'%' >> 4) as usize);
    table
};

/// For each high nibble its bit.
pub(super) const HIGH: [u8; 16] = {
    let mut table = [0; 16];
    let mut high = 0;
    while high < 16 {
        table[high] = bit(high);
        high += 1;
    }
    table
};

/// [`HIGH`], and [`LETTER`] where letters may be hexadecimal digits.
pub(super) const HIGH_OF_GRAMMAR: [u8; 16] = {
    let mut table = HIGH;
    table[4] |= LETTER;
    table[6] |= LETTER;
    table
};

/// The digit of each nibble.
pub(super) const DIGITS: [u8; 16] = *HEX_DIGITS;

/// An index that gives 0.
const NONE: u8 = 0x80;

/// A window on this drops the bytes before it and adds zeros.
pub(super) const SLIDE: [u8; 32] = {
    let mut table = [NONE; 32];
    let mut at = 0;
    while at < 16 {
        table[at] = at as u8;
        at += 1;
    }
    table
};

/// From four bytes as they are written: their digits, each two, then what is written first of
/// each (at 8), by the set of those that are escaped.
pub(super) const GROUPS: [[u8; 16]; 16] = {
    let mut table = [[NONE; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let mut at = 0;
        let mut byte = 0;
        while byte < 4 {
            table[set][at] = 8 + byte as u8;
            at += 1;
            if set >> byte & 1 != 0 {
                table[set][at] = 2 * byte as u8;
                table[set][at + 1] = 2 * byte as u8 + 1;
                at += 2;
            }
            byte += 1;
        }
        set += 1;
    }
    table
};

/// From sixteen digits to the bytes of sixteen escapes, in three parts: those at `place` of three.
pub(super) const fn spread(place: usize) -> [[u8; 16]; 3] {
    let mut table = [[NONE; 16]; 3];
    let mut at = place;
    while at < 48 {
        table[at / 16][at % 16] = (at / 3) as u8;
        at += 3;
    }
    table
}

/// The `%` of sixteen escapes, in three parts.
pub(super) const PERCENTS: [[u8; 16]; 3] = {
    let mut table = [[0; 16]; 3];
    let mut at = 0;
    while at < 48 {
        table[at / 16][at % 16] = b'%';
        at += 3;
    }
    table
};

/// The indices of the bits that are set, low first.
pub(super) static COMPRESS: [[u8; 8]; 256] = {
    let mut table = [[NONE; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let mut at = 0;
        let mut bit = 0;
        while bit < 8 {
            if set >> bit & 1 != 0 {
                table[set][at] = bit;
                at += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

/// A table of 16 for each part of a register that is looked up by itself.
pub(super) const fn repeated<const N: usize>(table: [u8; 16]) -> [u8; N] {
    let mut all = [0; N];
    let mut at = 0;
    while at < N {
        all[at] = table[at % 16];
        at += 1;
    }
    all
}
