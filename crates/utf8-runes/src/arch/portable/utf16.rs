//! UTF-16: counted, walked, measured.

/// Units looked at a time, and where there are fewer.
const BLOCK: usize = 64;
const SHORT: usize = 16;

#[inline]
pub(super) const fn is_pair(first: u16, second: u16) -> bool {
    ((first ^ 0xD800) | (second ^ 0xDC00)) & 0xFC00 == 0
}

/// Whether any unit is a surrogate.
#[inline]
pub(super) fn any_surrogate(units: &[u16]) -> bool {
    // Moves D800..DFFF to the bottom of the signed numbers, so that one minimum decides.
    let lowest =
        units.iter().fold(i16::MAX, |low, unit| low.min(unit.wrapping_add(0xA800).cast_signed()));
    lowest < i16::MIN + 0x800
}

/// How many pairs `firsts` and `seconds`, the units one place on, make: at most a block of them,
/// summed in the width of a unit, so that it vectorises.
#[inline]
fn pairs(firsts: &[u16], seconds: &[u16]) -> usize {
    let both = firsts.iter().zip(seconds);
    usize::from(both.fold(0_u16, |sum, (first, second)| sum + u16::from(is_pair(*first, *second))))
}

/// How many pairs there are.
#[inline]
fn all_pairs(units: &[u16]) -> usize {
    let mut firsts = units;
    let mut seconds = units.get(1..).unwrap_or_default();
    let total = block_pairs::<BLOCK>(&mut firsts, &mut seconds)
        + block_pairs::<SHORT>(&mut firsts, &mut seconds);
    match units.last_chunk::<SHORT>() {
        // One look at the end, that overlaps what was seen.
        Some(last) if !any_surrogate(last) => total,
        _ => total + pairs(firsts, seconds),
    }
}

/// Takes off blocks of N; the pairs that they make.
#[inline]
fn block_pairs<const N: usize>(firsts: &mut &[u16], seconds: &mut &[u16]) -> usize {
    let mut total = 0;
    // Where one block has pairs the next one has, more often than not.
    let mut dense = false;
    while let Some((first, later_firsts)) = firsts.split_first_chunk::<N>()
        && let Some((second, later_seconds)) = seconds.split_first_chunk::<N>()
    {
        if dense || any_surrogate(second) {
            let here = pairs(first, second);
            dense = N == BLOCK && here > 0;
            total += here;
        }
        (*firsts, *seconds) = (later_firsts, later_seconds);
    }
    total
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
        && let Some(window @ [_, seconds @ ..]) = rest.first_chunk::<{ BLOCK + 1 }>()
    {
        let (firsts, edge) = (&window[..BLOCK], &window[BLOCK - 1..]);
        let (mut taken, mut runes) = (BLOCK, BLOCK);
        if any_surrogate(window) {
            // A pair over the edge of the block counts here and is left to the next one, whole.
            runes -= pairs(firsts, seconds);
            taken -= pairs(edge, &edge[1..]);
        }
        left -= runes;
        rest = rest.get(taken..).unwrap_or_default();
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

/// The index of the first lone surrogate.
pub(crate) fn utf16_first_lone(units: &[u16]) -> Option<usize> {
    const BLOCK: usize = 32;
    let mut at = 0;
    while let Some(rest) = units.get(at..)
        && !rest.is_empty()
    {
        if let Some(block) = rest.first_chunk::<BLOCK>()
            // No early exit, so that it vectorises.
            && block.iter().fold(true, |none, unit| none & (unit & 0xF800 != 0xD800))
        {
            at += BLOCK;
            continue;
        }
        let end = at + BLOCK;
        while at < end {
            match units.get(at..) {
                Some([first, second, ..]) if is_pair(*first, *second) => at += 2,
                Some([unit, ..]) if unit & 0xF800 == 0xD800 => return Some(at),
                Some([_, ..]) => at += 1,
                Some([]) | None => return None,
            }
        }
    }
    None
}

/// The length as UTF-8: 1 to 3 bytes a unit, a pair 4 and not twice 3.
#[inline]
pub(crate) fn utf16_utf8_len(units: &[u16]) -> usize {
    let mut total = units.len();
    let (blocks, rest) = units.as_chunks::<BLOCK>();
    for block in blocks {
        // A block adds at most 2 a unit: again in the width of a unit.
        total += usize::from(block.iter().fold(0_u16, |sum, unit| sum + more(*unit)));
    }
    let more = rest.iter().fold(0_u16, |sum, unit| sum + more(*unit));
    total + usize::from(more) - 2 * all_pairs(units)
}

/// What a unit takes beyond one byte.
#[inline]
const fn more(unit: u16) -> u16 {
    (unit >= 0x80) as u16 + (unit >= 0x800) as u16
}
