//! UTF-16 to UTF-8, lone surrogates replaced: a block of 32 units by what its longest ones take.

use crate::arch::cell::Cell;
use crate::arch::isa::BLOCK;
use crate::arch::units::{Transcode, UNITS};

/// U+FFFD.
const REPLACEMENT: u16 = 0xFFFD;
const FOUR: usize = 4 * BLOCK;

/// Writes `units` (big-endian if `BE`) to the start of `out` as long as they are ASCII: how many
/// those are, all or some blocks. `None` when `out` is too small.
#[inline(always)]
pub(crate) fn utf16_encode_ascii<I: Transcode<BE>, const BE: bool>(
    isa: I,
    units: &[[u8; 2]],
    out: &mut [Cell],
) -> Option<usize> {
    let bytes = units.as_flattened();
    let ordered = |vector| if BE { isa.swap(vector) } else { vector };
    let mut at = 0;
    let mut rest = bytes;
    while let Some(four) = rest.first_chunk::<FOUR>()
        && let Some(place) = out.get_mut(at..).and_then(<[Cell]>::first_chunk_mut)
    {
        let (blocks, _) = four.as_chunks::<BLOCK>();
        let blocks = [&blocks[0], &blocks[1], &blocks[2], &blocks[3]];
        let blocks = blocks.map(|block| ordered(isa.load(block)));
        if !isa.all_ascii(blocks) {
            break;
        }
        isa.put_ascii_four(blocks, place);
        at += FOUR / 2;
        rest = rest.get(FOUR..)?;
    }
    let mut free = out.get_mut(at..)?;
    while let Some((block, later)) = rest.split_first_chunk() {
        let vector = ordered(isa.load(block));
        if isa.wide(vector) != 0 {
            return Some(at);
        }
        at += isa.put_ascii(vector, UNITS, free)?;
        (rest, free) = (later, free.get_mut(UNITS..)?);
    }
    if let (1.., Some(last)) = (rest.len(), bytes.last_chunk())
        && let vector = ordered(isa.load(last))
        && isa.wide(vector) == 0
    {
        // Some of these were written: a byte each, and again the same.
        isa.put_ascii(vector, UNITS, out.get_mut(units.len() - UNITS..)?)?;
        return Some(units.len());
    }
    Some(at)
}

/// Writes `units` (big-endian if `BE`) from `start` as UTF-8, to `out` from there: how many bytes
/// that has then, and how many lone surrogates became U+FFFD. `None` when `out` is too small. Every
/// cell from `start` to the end that it returns was written.
#[inline(always)]
pub(crate) fn utf16_encode_from<I: Transcode<BE>, const BE: bool>(
    isa: I,
    units: &[[u8; 2]],
    start: usize,
    out: &mut [Cell],
) -> Option<(usize, usize)> {
    let ordered = |vector| if BE { isa.swap(vector) } else { vector };
    let mut rest = units.get(start..)?.as_flattened();
    let mut at = start;
    let mut lone = 0;
    // Whether the block before was ASCII.
    let mut plain = false;
    while !rest.is_empty() {
        if plain
            && let Some(four) = rest.first_chunk::<FOUR>()
            && let Some(place) = out.get_mut(at..).and_then(<[Cell]>::first_chunk_mut)
        {
            let (blocks, _) = four.as_chunks::<BLOCK>();
            let blocks = [&blocks[0], &blocks[1], &blocks[2], &blocks[3]];
            let blocks = blocks.map(|block| ordered(isa.load(block)));
            if isa.all_ascii(blocks) {
                isa.put_ascii_four(blocks, place);
                at += FOUR / 2;
                rest = rest.get(FOUR..)?;
                continue;
            }
        }
        let (vector, width) = match rest.first_chunk() {
            Some(block) => (ordered(isa.load(block)), UNITS),
            None => (ordered(isa.load_partial(rest)), rest.len() / 2),
        };
        let wide = isa.wide(vector);
        plain = wide == 0;
        let free = out.get_mut(at..)?;
        let mut taken = width;
        at += if plain {
            isa.put_ascii(vector, width, free)?
        } else if isa.long(vector) == 0 {
            isa.put_short(vector, width, free)?
        } else {
            let surrogates = isa.surrogates(vector);
            let mut highs = isa.highs(vector);
            if surrogates == 0 {
                isa.put_bmp(vector, width, free)?
            } else if surrogates.trailing_ones() as usize == width
                && surrogates ^ highs == highs << 1
            {
                // Nothing else, and the lows are where a high is before: high and low by turns.
                isa.put_pairs(vector, width, free)?
            } else {
                let mut vector = vector;
                let mut lows = surrogates ^ highs;
                if highs >> (UNITS - 1) != 0 && rest.len() > BLOCK {
                    // Left to the next block, with what follows it.
                    taken -= 1;
                    highs &= !(1 << (UNITS - 1));
                    vector = isa.replace(vector, 1 << (UNITS - 1), 0);
                }
                let firsts = highs & (lows >> 1);
                let alone = (highs | lows) & !(firsts | firsts << 1);
                if alone != 0 {
                    vector = isa.replace(vector, alone, REPLACEMENT);
                    lone += alone.count_ones() as usize;
                    lows &= !alone;
                }
                isa.put_any(vector, firsts, lows, taken, free)?
            }
        };
        rest = rest.get(2 * taken..)?;
    }
    Some((at, lone))
}
