//! Sixteen bytes at a time, by SSSE3: its shuffle looks bytes up in a table and moves them.

use super::tables;
use crate::arch::cell::Cell;
use crate::arch::scan::{Classes, Scan, digits, low_bits};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_alignr_epi8, _mm_and_si128, _mm_andnot_si128, _mm_blendv_epi8,
    _mm_castps_si128, _mm_castsi128_ps, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_cvtsi64_si128,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_shuffle_ps, _mm_slli_epi16, _mm_srli_epi16,
    _mm_srli_si128, _mm_storeu_si128, _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
};

pub(super) const BLOCK: usize = 16;

const ALL: u32 = 0xFFFF;

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load(block: &[u8; BLOCK]) -> __m128i {
    // SAFETY: the pointer is of 16 readable bytes; no alignment is needed.
    unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn store(room: &mut [Cell; BLOCK], vector: __m128i) {
    // SAFETY: the pointer is of 16 writable bytes; no alignment is needed.
    unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), vector) }
}

/// Writes the first `len` bytes, at most 16, of `vector` to the front of `out`; what lies behind
/// them there may change, too. `None` when there is no room for `len`.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn put(out: &mut [Cell], vector: __m128i, len: usize) -> Option<()> {
    if let Some(room) = out.first_chunk_mut() {
        store(room, vector);
        return Some(());
    }
    let high = lower_half(_mm_unpackhi_epi64(vector, vector));
    put_bits(out, u128::from(lower_half(vector)) | u128::from(high) << 64, len)
}

/// Writes the lowest `len` bytes of `bits`, at most 16, to the front of `out` and nothing more;
/// `None` when there is no room.
#[inline(always)]
fn put_bits(out: &mut [Cell], bits: u128, len: usize) -> Option<()> {
    let out = out.get_mut(..len)?;
    // The first and the last bytes, which overlap where there are fewer than two times as many.
    if let Some(first) = out.first_chunk_mut() {
        *first = cells((bits as u64).to_le_bytes());
        *out.last_chunk_mut()? = cells(((bits >> (8 * (len - 8))) as u64).to_le_bytes());
    } else if let Some(first) = out.first_chunk_mut() {
        *first = cells((bits as u32).to_le_bytes());
        *out.last_chunk_mut()? = cells(((bits as u64 >> (8 * (len - 4))) as u32).to_le_bytes());
    } else {
        for (cell, byte) in out.iter_mut().zip((bits as u32).to_le_bytes()) {
            *cell = Cell::holding(byte);
        }
    }
    Some(())
}

#[inline(always)]
fn cells<const N: usize>(bytes: [u8; N]) -> [Cell; N] {
    bytes.map(Cell::holding)
}

#[inline]
#[target_feature(enable = "sse2")]
fn lower_half(vector: __m128i) -> u64 {
    _mm_cvtsi128_si64(vector).cast_unsigned()
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_half(half: &[u8; 8]) -> __m128i {
    _mm_cvtsi64_si128(u64::from_le_bytes(*half).cast_signed())
}

/// The values of hexadecimal digits.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn digit_values(vector: __m128i) -> __m128i {
    // The low nibble of a letter is 9 less than its value.
    let letter = _mm_cmpgt_epi8(vector, _mm_set1_epi8(b'9'.cast_signed()));
    let low = _mm_and_si128(vector, _mm_set1_epi8(15));
    _mm_add_epi8(low, _mm_and_si128(letter, _mm_set1_epi8(9)))
}

/// The last bytes of a value that is split into blocks: those behind the last of them, with zeros
/// behind. There is a block at least.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn load_tail(value: &[u8], tail: usize) -> __m128i {
    let Some(last) = value.last_chunk() else { return _mm_setzero_si128() };
    keep_last(load(last), tail)
}

/// The last `n` bytes of `vector`, at most 16, with zeros behind.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn keep_last(vector: __m128i, n: usize) -> __m128i {
    let window = tables::SLIDE[BLOCK.saturating_sub(n)..].first_chunk();
    window.map_or(vector, |window| _mm_shuffle_epi8(vector, load(window)))
}

/// The high nibbles.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn high(vector: __m128i) -> __m128i {
    _mm_and_si128(_mm_srli_epi16::<4>(vector), _mm_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn mask(vector: __m128i) -> u32 {
    _mm_movemask_epi8(vector).cast_unsigned()
}

/// All ones where a byte needs an escape.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn escaped(vector: __m128i) -> __m128i {
    // A byte of 0x80 and above finds nothing in the first table.
    let low = _mm_shuffle_epi8(load(&tables::LOW), vector);
    let high = _mm_shuffle_epi8(load(&tables::HIGH), high(vector));
    _mm_cmpeq_epi8(_mm_and_si128(low, high), _mm_setzero_si128())
}

/// How many bytes of `value`, at least 16, need an escape.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(super) fn count_escapes(value: &[u8]) -> usize {
    let (blocks, tail) = value.as_chunks();
    let mut total = 0;
    for block in blocks {
        total += mask(escaped(load(block))).count_ones() as usize;
    }
    if !tail.is_empty()
        && let Some(last) = value.last_chunk()
    {
        total += (mask(escaped(load(last))) >> (BLOCK - tail.len())).count_ones() as usize;
    }
    total
}

/// The next `N` cells from `at` on, which moves behind them.
#[inline(always)]
pub(super) fn next<'o, const N: usize>(
    out: &'o mut [Cell],
    at: &mut usize,
) -> Option<&'o mut [Cell; N]> {
    let room = out.get_mut(*at..)?.first_chunk_mut()?;
    *at += N;
    Some(room)
}

/// Writes what the end of `value`, at least 16 bytes, is encoded to, to `out` from `at` on, which
/// ends where they end.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(super) fn encode_end(value: &[u8], end: &[u8], out: &mut [Cell], at: &mut usize) {
    let (blocks, tail) = end.as_chunks();
    for block in blocks {
        let vector = load(block);
        encode_block(vector, escaped(vector), out, at);
    }
    if !tail.is_empty()
        && let Some(last) = value.last_chunk()
    {
        encode_tail(load(last), tail.len(), out, at);
    }
}

/// Writes 16 bytes, of which those in `escaped` are.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(super) fn encode_block(vector: __m128i, escaped: __m128i, out: &mut [Cell], at: &mut usize) {
    match mask(escaped) {
        0 => {
            if let Some(room) = next(out, at) {
                store(room, vector);
            }
        }
        ALL => {
            if let Some(room) = next(out, at) {
                store_escapes(vector, room);
            }
        }
        _ => encode_groups(vector, escaped, BLOCK, out, at),
    }
}

/// Writes the last `n` of the last 16 bytes of a value; `out` ends where they end.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn encode_tail(last: __m128i, n: usize, out: &mut [Cell], at: &mut usize) {
    let escaped = escaped(last);
    // The bytes before the last `n` are written once more, as they were.
    match mask(escaped) {
        0 => {
            if let Some(room) = out.last_chunk_mut() {
                store(room, last);
                *at += n;
            }
        }
        ALL => {
            if let Some(room) = out.last_chunk_mut() {
                store_escapes(last, room);
                *at += 3 * n;
            }
        }
        _ => encode_groups(keep_last(last, n), keep_last(escaped, n), n, out, at),
    }
}

/// Writes the escapes of 16 bytes.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn store_escapes(vector: __m128i, room: &mut [Cell; 3 * BLOCK]) {
    const FIRST: [[u8; 16]; 3] = tables::spread(1);
    const SECOND: [[u8; 16]; 3] = tables::spread(2);
    let first = _mm_shuffle_epi8(load(&tables::DIGITS), high(vector));
    let second = _mm_shuffle_epi8(load(&tables::DIGITS), _mm_and_si128(vector, _mm_set1_epi8(15)));
    let (parts, _) = room.as_chunks_mut::<BLOCK>();
    for (i, part) in parts.iter_mut().enumerate() {
        let first = _mm_shuffle_epi8(first, load(&FIRST[i]));
        let second = _mm_shuffle_epi8(second, load(&SECOND[i]));
        let digits = _mm_or_si128(first, second);
        store(part, _mm_or_si128(digits, load(&tables::PERCENTS[i])));
    }
}

/// Writes the first `n` of 16 bytes, four at a time, of which those in `escaped` are.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn encode_groups(vector: __m128i, escaped: __m128i, n: usize, out: &mut [Cell], at: &mut usize) {
    let digits = load(&tables::DIGITS);
    let first = _mm_shuffle_epi8(digits, high(vector));
    let second = _mm_shuffle_epi8(digits, _mm_and_si128(vector, _mm_set1_epi8(15)));
    let percent = _mm_and_si128(escaped, _mm_set1_epi8(b'%'.cast_signed()));
    // What is written first of each byte, and the digits of the lower and upper eight.
    let lead = _mm_castsi128_ps(_mm_or_si128(percent, _mm_andnot_si128(escaped, vector)));
    let low = _mm_castsi128_ps(_mm_unpacklo_epi8(first, second));
    let high = _mm_castsi128_ps(_mm_unpackhi_epi8(first, second));
    // The digits of four bytes, and what is written first of them.
    let groups = [
        _mm_shuffle_ps::<0b00_00_01_00>(low, lead),
        _mm_shuffle_ps::<0b01_01_11_10>(low, lead),
        _mm_shuffle_ps::<0b10_10_01_00>(high, lead),
        _mm_shuffle_ps::<0b11_11_11_10>(high, lead),
    ];
    let mut set = mask(escaped) as usize;
    let mut left = n;
    for group in groups {
        let escapes = set & 15;
        let written = _mm_shuffle_epi8(_mm_castps_si128(group), load(&tables::GROUPS[escapes]));
        let len = left.min(4) + 2 * escapes.count_ones() as usize;
        if out.get_mut(*at..).and_then(|room| put(room, written, len)).is_none() {
            return;
        }
        *at += len;
        left = left.saturating_sub(4);
        set >>= 4;
    }
}

/// What bytes are, as the grammar sees them; `no_digit` without those behind the value.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn classes(vector: __m128i) -> Classes {
    let low = _mm_shuffle_epi8(load(&tables::LOW_OF_GRAMMAR), vector);
    let high = _mm_shuffle_epi8(load(&tables::HIGH_OF_GRAMMAR), high(vector));
    // `LETTER` alone makes no byte one of the grammar.
    let both = _mm_and_si128(low, high);
    let none = _mm_setzero_si128();
    let digit = _mm_and_si128(both, _mm_set1_epi8(tables::DIGIT.cast_signed()));
    let char = _mm_andnot_si128(_mm_set1_epi8(tables::LETTER.cast_signed()), both);
    Classes {
        percent: u64::from(mask(_mm_cmpeq_epi8(vector, _mm_set1_epi8(b'%'.cast_signed())))),
        foreign: u64::from(mask(_mm_cmpeq_epi8(char, none))),
        no_digit: u64::from(mask(_mm_cmpeq_epi8(digit, none))),
    }
}

/// Goes over `value`, which comes behind what `scan` has seen; all of it is at least 16 bytes, whose
/// last are `last`.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(super) fn scan(value: &[u8], last: &[u8; BLOCK], mut scan: Scan) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    for block in blocks {
        scan.step::<16>(classes(load(block)));
    }
    let n = tail.len();
    if n > 0 {
        let Classes { percent, foreign, no_digit } = classes(load(last));
        let before = BLOCK - n;
        scan.step::<16>(Classes {
            percent: percent >> before,
            foreign: foreign >> before,
            no_digit: no_digit >> before | !low_bits(n),
        });
    }
    scan.end()
}

/// Writes the octets of `value`, at least 16 bytes that keep to the grammar, to `out` from `at` on;
/// `None` when they are more than there is room for.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(super) fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    let end = load_tail(value, tail.len());
    let mut at = 0;
    let mut carry = 0;
    let mut vector = blocks.first().map_or(end, |block| load(block));
    for i in 1..=blocks.len() {
        let following = blocks.get(i).map_or(end, |block| load(block));
        decode_block(vector, following, u64::MAX, &mut carry, out, &mut at)?;
        vector = following;
    }
    if !tail.is_empty() {
        let kept = low_bits(tail.len());
        decode_block(vector, _mm_setzero_si128(), kept, &mut carry, out, &mut at)?;
    }
    Some(at)
}

/// Writes what the bytes in `kept` of a block stand for, with the block that follows.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn decode_block(
    vector: __m128i,
    following: __m128i,
    kept: u64,
    carry: &mut u64,
    out: &mut [Cell],
    at: &mut usize,
) -> Option<()> {
    let percent = _mm_cmpeq_epi8(vector, _mm_set1_epi8(b'%'.cast_signed()));
    let digits = digits::<16>(u64::from(mask(percent)), carry);
    let first = digit_values(_mm_alignr_epi8::<1>(following, vector));
    let second = digit_values(_mm_alignr_epi8::<2>(following, vector));
    // Values up to 15: none is shifted into its neighbour.
    let octets = _mm_or_si128(_mm_slli_epi16::<4>(first), second);
    let bytes = _mm_blendv_epi8(vector, octets, percent);
    let kept = (kept & !digits) as usize;
    let (low, high) = (kept & 0xFF, kept >> 8 & 0xFF);
    let low_len = low.count_ones() as usize;
    let len = low_len + high.count_ones() as usize;
    let low = _mm_shuffle_epi8(bytes, load_half(&tables::COMPRESS[low]));
    let high = _mm_shuffle_epi8(_mm_srli_si128::<8>(bytes), load_half(&tables::COMPRESS[high]));
    let (low, high) = (lower_half(low), lower_half(high));
    let room = out.get_mut(*at..)?;
    if let Some(room) = room.first_chunk_mut::<BLOCK>() {
        *room.first_chunk_mut()? = cells(low.to_le_bytes());
        // At most eight bytes come before these eight.
        *room.get_mut(low_len..)?.first_chunk_mut()? = cells(high.to_le_bytes());
    } else {
        let bits = u128::from(low) | u128::from(high) << (8 * low_len);
        put_bits(room, bits, len)?;
    }
    *at += len;
    Some(())
}
