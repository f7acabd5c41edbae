//! UTF-16 to UTF-8, lone surrogates replaced: a block of 32 units by what its longest ones take.

use crate::arch::cell::{Cell, cells_of};
use crate::arch::isa::BLOCK;
use crate::arch::units::{LONG_ROOM, SCRATCH, SHORT_ROOM, Transcode, UNITS};

/// U+FFFD.
const REPLACEMENT: u16 = 0xFFFD;
/// The masks of a block that is pairs and nothing else.
const PAIRS: u32 = 0x5555_5555;
const FOUR: usize = 4 * BLOCK;

/// Writes the units (of two `bytes` each, big-endian if `BE`) as UTF-8 to the start of `out`: how
/// many bytes, and how many lone surrogates became U+FFFD. `None` when `out` is too small. Every
/// cell before the end that it returns was written.
#[inline(always)]
pub(crate) fn utf16_encode<I: Transcode, const BE: bool>(
    isa: I,
    bytes: &[u8],
    out: &mut [Cell],
) -> Option<(usize, usize)> {
    let ordered = |vector| if BE { isa.swap(vector) } else { vector };
    let mut rest = bytes;
    let mut at = 0;
    let mut lone = 0;
    // Whether the block before was ASCII, or there was none.
    let mut plain = true;
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
        let mut taken = width;
        // What is behind the end is zeros: a byte each, and not wanted.
        let padding = UNITS - width;
        at = if plain {
            put(isa, out, at, padding, |place: &mut [Cell; UNITS]| {
                isa.put_ascii(vector, place);
                UNITS
            })?
        } else if isa.long(vector) == 0 {
            put(isa, out, at, padding, |place: &mut [Cell; SHORT_ROOM]| {
                isa.put_short(vector, place)
            })?
        } else {
            let surrogates = isa.surrogates(vector);
            if surrogates == 0 {
                put(isa, out, at, padding, |place: &mut [Cell; LONG_ROOM]| {
                    isa.put_bmp(vector, place)
                })?
            } else {
                let mut vector = vector;
                let mut highs = isa.highs(vector);
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
                if firsts == PAIRS {
                    put(isa, out, at, 0, |place: &mut [Cell; SHORT_ROOM]| {
                        isa.put_pairs(vector, place);
                        SHORT_ROOM
                    })?
                } else {
                    let padding = UNITS - taken;
                    put(isa, out, at, padding, |place: &mut [Cell; LONG_ROOM]| {
                        isa.put_any(vector, firsts, lows, place)
                    })?
                }
            }
        };
        rest = rest.get(2 * taken..)?;
    }
    Some((at, lone))
}

/// Lets `write` write to the cells from `at`, or where there are less than it may want somewhere
/// else, from where all but the last `padding` ones are copied. The end of what it wrote.
#[inline(always)]
fn put<I: Transcode, const N: usize>(
    isa: I,
    out: &mut [Cell],
    at: usize,
    padding: usize,
    write: impl FnOnce(&mut [Cell; N]) -> usize,
) -> Option<usize> {
    let mut scratch = [0; SCRATCH];
    let free = out.get_mut(at..)?;
    let roomy = free.len() >= N;
    let place = if roomy { free } else { cells_of(&mut scratch) };
    let written = write(place.first_chunk_mut()?).checked_sub(padding)?;
    if !roomy {
        isa.copy(&scratch, out.get_mut(at..at + written)?);
    }
    Some(at + written)
}
