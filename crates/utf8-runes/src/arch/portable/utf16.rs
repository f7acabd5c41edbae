//! UTF-16: counted, walked, measured.

/// Units looked at a time.
const BLOCK: usize = 32;

#[inline]
pub(super) const fn is_pair(first: u16, second: u16) -> bool {
    (first & 0xFC00 == 0xD800) & (second & 0xFC00 == 0xDC00)
}

/// Whether any unit is a surrogate.
#[inline]
pub(super) fn any_surrogate(units: &[u16]) -> bool {
    // Moves D800..DFFF to the bottom of the signed numbers, so that one minimum decides.
    let lowest =
        units.iter().fold(i16::MAX, |low, unit| low.min(unit.wrapping_add(0xA800).cast_signed()));
    lowest < i16::MIN + 0x800
}

/// How many pairs end in `units`, when `last` is the unit before them.
#[inline]
fn pairs(units: &[u16], last: u16) -> usize {
    let over = units.first().is_some_and(|first| is_pair(last, *first));
    let seconds = units.get(1..).unwrap_or_default();
    // Summed in the width of a unit, so that it vectorises; never called on more than a block.
    let within =
        units.iter().zip(seconds).fold(0_u16, |sum, (a, b)| sum + u16::from(is_pair(*a, *b)));
    usize::from(over) + usize::from(within)
}

/// How many pairs there are.
#[inline]
fn all_pairs(units: &[u16]) -> usize {
    let mut total = 0;
    let mut last = 0;
    let (blocks, rest) = units.as_chunks::<BLOCK>();
    for block in blocks {
        if any_surrogate(block) {
            total += pairs(block, last);
        }
        last = block[BLOCK - 1];
    }
    total + pairs(rest, last)
}

/// The number of runes.
#[inline]
pub(crate) fn utf16_count(units: &[u16]) -> usize {
    units.len() - all_pairs(units)
}

/// Goes over the first `runes` runes: how many units they take, and how many runes are missing.
pub(crate) fn utf16_walk(units: &[u16], runes: usize) -> (usize, usize) {
    let mut left = runes;
    let mut rest = units;
    // A block has at most BLOCK runes: with so many left, it can be taken whole.
    while left >= BLOCK
        && let Some((block, tail)) = rest.split_first_chunk::<BLOCK>()
    {
        // A pair over the edge of the block belongs to the next one.
        let split = tail.first().is_some_and(|next| is_pair(block[BLOCK - 1], *next));
        if any_surrogate(block) {
            left -= BLOCK - pairs(block, 0) - usize::from(split);
            rest = rest.get(BLOCK - usize::from(split)..).unwrap_or_default();
        } else {
            left -= BLOCK;
            rest = tail;
        }
    }
    // Less than a block is left, of runes or of units.
    let near = rest.get(..left).unwrap_or(rest);
    if !any_surrogate(near) {
        return (units.len() - rest.len() + near.len(), left - near.len());
    }
    while left > 0 {
        rest = match rest {
            [first, second, tail @ ..] if is_pair(*first, *second) => tail,
            [_, tail @ ..] => tail,
            [] => break,
        };
        left -= 1;
    }
    (units.len() - rest.len(), left)
}

/// The length as UTF-8: 1 to 3 bytes a unit, a pair 4 and not twice 3.
#[inline]
pub(crate) fn utf16_utf8_len(units: &[u16]) -> usize {
    let mut total = units.len();
    let mut last = 0;
    let (blocks, rest) = units.as_chunks::<BLOCK>();
    for block in blocks {
        // In the width of a unit, so that it vectorises: a block adds at most 2 a unit.
        total += usize::from(block.iter().fold(0_u16, |sum, unit| sum + more(*unit)));
        if any_surrogate(block) {
            total -= 2 * pairs(block, last);
        }
        last = block[BLOCK - 1];
    }
    total + rest.iter().map(|unit| usize::from(more(*unit))).sum::<usize>() - 2 * pairs(rest, last)
}

/// What a unit takes beyond one byte.
#[inline]
const fn more(unit: u16) -> u16 {
    (unit >= 0x80) as u16 + (unit >= 0x800) as u16
}
