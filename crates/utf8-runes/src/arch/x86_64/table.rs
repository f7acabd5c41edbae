//! The tables that tell malformed UTF-8 by pairs of bytes: Keiser and Lemire, "Validating UTF-8 In
//! Less Than One Instruction Per Byte" (2021), §6.
//!
//! Each bit is one kind of error. A pair of neighbours shows it when the high half of the first,
//! its low half and the high half of the second byte all allow it.

/// A lead that a lead or ASCII follows.
const TOO_SHORT: u8 = 1 << 0;
/// ASCII that a continuation byte follows.
const TOO_LONG: u8 = 1 << 1;
/// E0 80 to E0 9F.
const OVERLONG_3: u8 = 1 << 2;
/// F4 90 and above, F5 and above.
const TOO_LARGE: u8 = 1 << 3;
/// ED A0 and above.
const SURROGATE: u8 = 1 << 4;
/// C0, C1.
const OVERLONG_2: u8 = 1 << 5;
/// F0 80 to F0 8F; and F5 and above before 80 to 8F.
const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes: right only where a lead of three or four bytes stands before.
const TWO_CONTINUE: u8 = 1 << 7;
/// Those that the low half of the first byte does not decide.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUE;
const ABOVE: u8 = ANY_LOW | TOO_LARGE | OVERLONG_4;

/// By the high half of the first byte.
pub(super) const FIRST_HIGH: [u8; 16] = [
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TWO_CONTINUE,
    TWO_CONTINUE,
    TWO_CONTINUE,
    TWO_CONTINUE,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | OVERLONG_4,
];

/// By the low half of the first byte.
pub(super) const FIRST_LOW: [u8; 16] = [
    ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    ANY_LOW | OVERLONG_2,
    ANY_LOW,
    ANY_LOW,
    ANY_LOW | TOO_LARGE,
    ABOVE,
    ABOVE,
    ABOVE,
    ABOVE,
    ABOVE,
    ABOVE,
    ABOVE,
    ABOVE,
    ABOVE | SURROGATE,
    ABOVE,
    ABOVE,
];

/// By the high half of the second byte.
pub(super) const SECOND_HIGH: [u8; 16] = [
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | OVERLONG_4,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
];

/// A table once for each of the lanes that a register has, as instructions look only within one.
pub(super) const fn repeated<const N: usize>(table: [u8; 16]) -> [u8; N] {
    let mut lanes = [0; N];
    let mut at = 0;
    while at < N {
        lanes[at] = table[at % 16];
        at += 1;
    }
    lanes
}

/// A table by the highest four of six bits.
pub(super) const fn by_six_bits(table: [u8; 16]) -> [u8; 64] {
    let mut entries = [0; 64];
    let mut at = 0;
    while at < 64 {
        entries[at] = table[at / 4];
        at += 1;
    }
    entries
}
