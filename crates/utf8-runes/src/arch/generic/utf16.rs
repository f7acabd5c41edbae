//! UTF-16 counted, walked and measured, its bytes in either order (`BE`: big-endian).
//!
//! What tells a pair is the unit behind, so blocks are looked at twice, once from a unit further on.

use crate::arch::isa::{BLOCK, Block, low_bits};
use crate::arch::units::{UNITS, Units};

/// Bytes and units of four blocks.
const FOUR: usize = 4 * BLOCK;
const FOUR_UNITS: usize = FOUR / 2;

#[inline(always)]
fn ordered<I: Units, const BE: bool>(isa: I, vector: I::Vector) -> I::Vector {
    if BE { isa.swap(vector) } else { vector }
}

#[inline(always)]
fn load<I: Units, const BE: bool>(isa: I, block: &Block) -> I::Vector {
    ordered::<I, BE>(isa, isa.load(block))
}

#[inline(always)]
fn load_partial<I: Units, const BE: bool>(isa: I, bytes: &[u8]) -> I::Vector {
    ordered::<I, BE>(isa, isa.load_partial(bytes))
}

#[inline(always)]
fn load_four<I: Units, const BE: bool>(isa: I, bytes: &[u8; FOUR]) -> [I::Vector; 4] {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    [&blocks[0], &blocks[1], &blocks[2], &blocks[3]].map(|block| load::<I, BE>(isa, block))
}

/// The N bytes from the start of `window`, and those a unit further on.
#[inline(always)]
fn both<const N: usize, const WINDOW: usize>(
    window: &[u8; WINDOW],
) -> Option<(&[u8; N], &[u8; N])> {
    Some((window.first_chunk()?, window.get(2..)?.first_chunk()?))
}

/// Whether the first unit is a surrogate of those from `first`.
#[inline(always)]
fn starts_with<const BE: bool>(bytes: &[u8], first: u16) -> bool {
    let Some(unit) = bytes.first_chunk() else { return false };
    let unit = if BE { u16::from_be_bytes(*unit) } else { u16::from_le_bytes(*unit) };
    unit & 0xFC00 == first
}

/// What the group before was like. The next one is the same, more often than not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    NoPairs,
    Some,
    /// Pairs and nothing else.
    Pairs,
}

impl Last {
    /// Before the first one.
    #[inline(always)]
    fn none<const BE: bool>(bytes: &[u8]) -> Self {
        if starts_with::<BE>(bytes, 0xD800) { Self::Pairs } else { Self::NoPairs }
    }
}

/// The pairs of four blocks.
#[inline(always)]
fn pairs_of_four<I: Units, const BE: bool>(
    isa: I,
    firsts: [I::Vector; 4],
    seconds: &[u8; FOUR],
    last: &mut Last,
) -> usize {
    match last {
        Last::NoPairs if !isa.any_surrogate(firsts) => return 0,
        Last::Pairs if isa.all_pairs(firsts) => return FOUR_UNITS / 2,
        _ => {}
    }
    let here = isa.count_pairs(firsts, load_four::<I, BE>(isa, seconds));
    *last = match here {
        0 => Last::NoPairs,
        // Or the first unit is the second of a pair.
        _ if here >= FOUR_UNITS / 2 - 1 => Last::Pairs,
        _ => Last::Some,
    };
    here
}

/// Whether there may be surrogates from `start` to the end: at most four blocks.
#[inline(always)]
fn may_have_surrogates<I: Units, const BE: bool>(isa: I, bytes: &[u8], start: usize) -> bool {
    let Some(last) = bytes.len().checked_sub(BLOCK) else { return true };
    let block = |i| bytes.get(last.min(start + i * BLOCK)..).and_then(<[u8]>::first_chunk);
    let (Some(a), Some(b), Some(c), Some(d)) = (block(0), block(1), block(2), block(3)) else {
        return true;
    };
    isa.any_surrogate([a, b, c, d].map(|block| load::<I, BE>(isa, block)))
}

/// The units of the block at the start of `rest`, the end of `bytes`, that are the first of a pair;
/// and how many units the block has.
#[inline(always)]
fn pairs_at<I: Units, const BE: bool>(isa: I, bytes: &[u8], rest: &[u8]) -> (u32, usize) {
    if let Some((firsts, seconds)) = rest.first_chunk::<{ BLOCK + 2 }>().and_then(both) {
        let pairs = isa.pairs(load::<I, BE>(isa, firsts), load::<I, BE>(isa, seconds));
        return (pairs, UNITS);
    }
    let width = rest.len() / 2;
    let pairs = match bytes.last_chunk::<{ BLOCK + 2 }>().and_then(both) {
        // Overlaps what came before: the first unit of it is UNITS + 1 before the end.
        Some((firsts, seconds)) => {
            let pairs = isa.pairs(load::<I, BE>(isa, firsts), load::<I, BE>(isa, seconds));
            (u64::from(pairs) >> (UNITS + 1 - width)) as u32
        }
        None => {
            let behind = rest.get(2..).unwrap_or_default();
            isa.pairs(load_partial::<I, BE>(isa, rest), load_partial::<I, BE>(isa, behind))
        }
    };
    (pairs, width)
}

/// The number of runes.
#[inline(always)]
pub(crate) fn utf16_count<I: Units, const BE: bool>(isa: I, units: &[[u8; 2]]) -> usize {
    let bytes = units.as_flattened();
    let mut pairs = 0;
    let mut last = Last::none::<BE>(bytes);
    let mut rest = bytes;
    while let Some((firsts, seconds)) = rest.first_chunk::<{ FOUR + 2 }>().and_then(both) {
        let firsts = load_four::<I, BE>(isa, firsts);
        pairs += pairs_of_four::<I, BE>(isa, firsts, seconds, &mut last);
        rest = rest.get(FOUR..).unwrap_or_default();
        if last == Last::Pairs && starts_with::<BE>(rest, 0xDC00) {
            // The second of a pair that was counted, if of any: the next one starts behind it.
            rest = rest.get(2..).unwrap_or_default();
        }
    }
    if last == Last::NoPairs && !may_have_surrogates::<I, BE>(isa, bytes, bytes.len() - rest.len())
    {
        return bytes.len() / 2 - pairs;
    }
    // Of a single unit nothing is to be known.
    while rest.len() > 2 {
        let (here, width) = pairs_at::<I, BE>(isa, bytes, rest);
        pairs += here.count_ones() as usize;
        rest = rest.get(2 * width..).unwrap_or_default();
    }
    bytes.len() / 2 - pairs
}

/// Goes over the first `runes` runes: how many units they take, and how many runes are missing.
#[inline(always)]
pub(crate) fn utf16_walk<I: Units, const BE: bool>(
    isa: I,
    units: &[[u8; 2]],
    runes: usize,
) -> (usize, usize) {
    let bytes = units.as_flattened();
    // Each unit that is not the first of a pair ends a rune.
    let mut left = runes;
    let mut last = Last::none::<BE>(bytes);
    let mut rest = bytes;
    while left > FOUR_UNITS
        && let Some((firsts, seconds)) = rest.first_chunk::<{ FOUR + 2 }>().and_then(both)
    {
        let firsts = load_four::<I, BE>(isa, firsts);
        left -= FOUR_UNITS - pairs_of_four::<I, BE>(isa, firsts, seconds, &mut last);
        rest = rest.get(FOUR..).unwrap_or_default();
    }
    if last == Last::NoPairs {
        let start = bytes.len() - rest.len();
        let width = left.min(rest.len() / 2);
        let near = bytes.get(..start + 2 * width).unwrap_or_default();
        if !may_have_surrogates::<I, BE>(isa, near, start) {
            return (near.len() / 2, left - width);
        }
    }
    while left > 0 && !rest.is_empty() {
        let (pairs, width) = pairs_at::<I, BE>(isa, bytes, rest);
        let ends = u64::from(!pairs) & low_bits(width);
        let here = ends.count_ones() as usize;
        if here >= left {
            let at = isa.select(ends, left as u32 - 1) as usize + 1;
            return ((bytes.len() - rest.len()) / 2 + at, 0);
        }
        left -= here;
        rest = rest.get(2 * width..).unwrap_or_default();
    }
    ((bytes.len() - rest.len()) / 2, left)
}

/// The length as UTF-8: 1 to 3 bytes a unit, a pair 4 and not twice 3.
#[inline(always)]
pub(crate) fn utf16_utf8_len<I: Units, const BE: bool>(isa: I, units: &[[u8; 2]]) -> usize {
    let bytes = units.as_flattened();
    let mut total = bytes.len() / 2;
    let mut last = Last::none::<BE>(bytes);
    let mut rest = bytes;
    while let Some((firsts, seconds)) = rest.first_chunk::<{ FOUR + 2 }>().and_then(both) {
        let firsts = load_four::<I, BE>(isa, firsts);
        let more = isa.count_more(firsts);
        if more != 0 {
            total += more;
            total -= 2 * pairs_of_four::<I, BE>(isa, firsts, seconds, &mut last);
        }
        rest = rest.get(FOUR..).unwrap_or_default();
    }
    while !rest.is_empty() {
        let (pairs, width) = pairs_at::<I, BE>(isa, bytes, rest);
        let (vector, before) = match (rest.first_chunk(), bytes.last_chunk()) {
            (Some(block), _) => (load::<I, BE>(isa, block), 0),
            (None, Some(last)) => (load::<I, BE>(isa, last), UNITS - width),
            // Zeros, behind the end, take no more than a byte.
            (None, None) => (load_partial::<I, BE>(isa, rest), 0),
        };
        let [wide, long] = [isa.wide(vector) >> before, isa.long(vector) >> before];
        total += (wide.count_ones() + long.count_ones()) as usize;
        total -= 2 * pairs.count_ones() as usize;
        rest = rest.get(2 * width..).unwrap_or_default();
    }
    total
}

/// The index of the first lone surrogate.
#[inline(always)]
pub(crate) fn utf16_first_lone<I: Units, const BE: bool>(
    isa: I,
    units: &[[u8; 2]],
) -> Option<usize> {
    let bytes = units.as_flattened();
    // Whether the first unit of `rest` is the second of a pair.
    let mut second = 0;
    let mut quiet = true;
    let mut rest = bytes;
    while !rest.is_empty() {
        if quiet && let Some(four) = rest.first_chunk() {
            let four = load_four::<I, BE>(isa, four);
            if !isa.any_surrogate(four) {
                rest = rest.get(FOUR..).unwrap_or_default();
                continue;
            }
        }
        let width = UNITS.min(rest.len() / 2);
        let behind = rest.get(2..).unwrap_or_default();
        let vector = match rest.first_chunk() {
            Some(block) => load::<I, BE>(isa, block),
            None => load_partial::<I, BE>(isa, rest),
        };
        let surrogates = isa.surrogates(vector);
        quiet = surrogates == 0;
        if !quiet {
            let seconds = match behind.first_chunk() {
                Some(block) => load::<I, BE>(isa, block),
                None => load_partial::<I, BE>(isa, behind.get(..BLOCK).unwrap_or(behind)),
            };
            let firsts = isa.pairs(vector, seconds);
            let lone = surrogates & !(firsts | firsts << 1 | second);
            if lone != 0 {
                return Some((bytes.len() - rest.len()) / 2 + lone.trailing_zeros() as usize);
            }
            second = firsts >> (UNITS - 1);
        }
        rest = rest.get(2 * width..).unwrap_or_default();
    }
    None
}
