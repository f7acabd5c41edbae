//! The grammar of value-chars, read from masks: bit `i` is byte `i` of a block.

/// What each byte of a block is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classes {
    /// `%`.
    pub(super) percent: u64,
    /// Neither `%` nor an attr-char.
    pub(super) foreign: u64,
    /// No hexadecimal digit; all bits behind the last byte of the value are set.
    pub(super) no_digit: u64,
}

/// What goes from block to block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scan {
    escapes: usize,
    /// The bytes of the next block that belong to an escape begun in this one.
    carry: u64,
    errors: u64,
}

impl Scan {
    /// Goes over one more block of `WIDTH` bytes.
    #[inline(always)]
    pub(super) fn step<const WIDTH: u32>(&mut self, classes: Classes) {
        let digits = digits::<WIDTH>(classes.percent, &mut self.carry);
        self.errors |= classes.foreign | (digits & classes.no_digit);
        self.escapes += classes.percent.count_ones() as usize;
    }

    /// How many escapes there were; `None` when something broke the grammar.
    #[inline(always)]
    pub(super) fn end(self) -> Option<usize> {
        (self.errors | self.carry == 0).then_some(self.escapes)
    }
}

/// The bytes of a block of `WIDTH` that are digits of an escape; `carry` are those in the next one.
#[inline(always)]
pub(super) const fn digits<const WIDTH: u32>(percent: u64, carry: &mut u64) -> u64 {
    let digits = (percent << 1 | percent << 2 | *carry) & low_bits(WIDTH as usize);
    // The last byte begins one of two bytes in the next block, the last but one of one.
    *carry = percent >> (WIDTH - 1) | percent >> (WIDTH - 2);
    digits
}

/// The lowest `n` bits, of at most 64.
#[inline(always)]
pub(super) const fn low_bits(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
