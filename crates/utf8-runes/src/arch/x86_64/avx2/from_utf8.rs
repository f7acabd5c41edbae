//! UTF-8 to UTF-16 on AVX2: the lower and the higher byte of each unit are made where it stands,
//! and shuffles bring units together, eight places at a time.

use super::transcode::{SCRATCH, copy, load_quarter, store_half, store_quarter};
use super::{Avx2, Vector, at_least, load};
use crate::arch::cell::{Cell, cells_of};
use crate::arch::isa::{BLOCK, Block};
use crate::arch::units::FromUtf8;
use crate::arch::x86_64::methods;
use crate::arch::x86_64::shuffles::UNITS;
use crate::arch::{generic, portable};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_shuffle_epi8, _mm256_add_epi8, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_cmpgt_epi8, _mm256_cvtepu8_epi16, _mm256_extracti128_si256, _mm256_max_epu8,
    _mm256_min_epu8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_slli_epi16, _mm256_srli_epi16, _mm256_sub_epi8,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

/// Writes `text`, which is well-formed, to the start of `out`: how many units.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn utf8_to_utf16(
    isa: Avx2,
    text: &[u8],
    out: &mut [[Cell; 2]],
) -> Option<usize> {
    // Half a block and less is not worth it.
    if text.len() < 32 {
        return portable::utf8_to_utf16(text, out);
    }
    generic::utf8_to_utf16(isa, text, out)
}

impl FromUtf8 for Avx2 {
    methods! {
        fn zeros() -> Vector;
        fn twos(vector: Vector) -> u64;
        fn threes(vector: Vector) -> u64;
        fn put_four_ascii(blocks: &[Block; 4], out: &mut [Cell; 8 * BLOCK]) -> ();
        fn put_one_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
        fn put_up_to_three(
            vector: Vector,
            before: Vector,
            units: u64,
            out: &mut [Cell]
        ) -> Option<usize>;
        fn put_up_to_four(
            vector: Vector,
            before: Vector,
            units: u64,
            out: &mut [Cell]
        ) -> Option<usize>;
    }
}

/// `byte` in each place.
#[inline]
#[target_feature(enable = "avx2")]
fn each(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn zeros() -> Vector {
    [_mm256_setzero_si256(); 2]
}

#[inline]
#[target_feature(enable = "avx2")]
fn twos(vector: Vector) -> u64 {
    at_least(vector, 0xC0)
}

#[inline]
#[target_feature(enable = "avx2")]
fn threes(vector: Vector) -> u64 {
    at_least(vector, 0xE0)
}

/// The bytes of a vector as units.
#[inline]
#[target_feature(enable = "avx2")]
fn put_widened([low, high]: Vector, out: &mut [Cell; 2 * BLOCK]) {
    let quarters = [
        _mm256_castsi256_si128(low),
        _mm256_extracti128_si256::<1>(low),
        _mm256_castsi256_si128(high),
        _mm256_extracti128_si256::<1>(high),
    ];
    let (places, _) = out.as_chunks_mut();
    for (place, quarter) in places.iter_mut().zip(quarters) {
        store_half(_mm256_cvtepu8_epi16(quarter), place);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn put_four_ascii(blocks: &[Block; 4], out: &mut [Cell; 8 * BLOCK]) {
    let (places, _) = out.as_chunks_mut();
    for (place, block) in places.iter_mut().zip(blocks) {
        put_widened(load(block), place);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn put_one_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    let len = 2 * width;
    if let Some(place) = out.first_chunk_mut() {
        put_widened(vector, place);
        return Some(len);
    }
    let mut scratch = [0; SCRATCH];
    put_widened(vector, cells_of(&mut scratch).first_chunk_mut()?);
    copy(&scratch, out.get_mut(..len)?);
    Some(len)
}

/// The bytes of a half that go into units, by where those stand.
#[derive(Clone, Copy)]
struct Parts {
    low: __m256i,
    high: __m256i,
    /// The bytes of the text one, two and three places before.
    before: [__m256i; 3],
}

/// Of the last bytes of sequences of up to three; and of four, what their last byte shares with
/// those.
#[inline]
#[target_feature(enable = "avx2")]
fn parts(last: __m256i, half: __m256i) -> Parts {
    let joint = _mm256_permute2x128_si256::<0x21>(last, half);
    let before = [
        _mm256_alignr_epi8::<15>(half, joint),
        _mm256_alignr_epi8::<14>(half, joint),
        _mm256_alignr_epi8::<13>(half, joint),
    ];
    let [one, two, _] = before;
    let six = each(0x3F);
    let lowest = _mm256_and_si256(half, six);
    let low = _mm256_or_si256(lowest, _mm256_andnot_si256(six, _mm256_slli_epi16::<6>(one)));
    let four = each(0x0F);
    let next = _mm256_and_si256(_mm256_srli_epi16::<2>(one), four);
    // Only of three bytes: where also the one before is a continuation byte.
    let third = _mm256_cmpgt_epi8(each(0xC0), one);
    let first = _mm256_andnot_si256(four, _mm256_slli_epi16::<4>(two));
    let high = _mm256_or_si256(next, _mm256_and_si256(first, third));
    // ASCII is what it is.
    let wide = _mm256_cmpgt_epi8(_mm256_setzero_si256(), half);
    Parts { low: _mm256_blendv_epi8(half, low, half), high: _mm256_and_si256(high, wide), before }
}

/// The same of sequences of up to four.
#[inline]
#[target_feature(enable = "avx2")]
fn parts_of_four(last: __m256i, half: __m256i) -> Parts {
    let Parts { low, high, before } = parts(last, half);
    let [one, two, three] = before;
    let lead = |bytes| _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, each(0xF0)), bytes);
    let (third, fourth) = (lead(two), lead(three));
    // The high surrogate: ten bits, of which 0x40 has to be subtracted.
    let end = _mm256_and_si256(_mm256_srli_epi16::<4>(half), each(3));
    let ten = _mm256_or_si256(_mm256_andnot_si256(each(3), _mm256_slli_epi16::<2>(one)), end);
    // -1 where that borrows.
    let borrow = _mm256_cmpeq_epi8(_mm256_min_epu8(ten, each(0x3F)), ten);
    let highest = _mm256_or_si256(_mm256_and_si256(two, each(7)), each(0xD8));
    let first_low = _mm256_sub_epi8(ten, each(0x40));
    let first_high = _mm256_add_epi8(highest, borrow);
    let second_high = _mm256_or_si256(_mm256_and_si256(high, each(3)), each(0xDC));
    let high = _mm256_blendv_epi8(high, first_high, third);
    Parts {
        low: _mm256_blendv_epi8(low, first_low, third),
        high: _mm256_blendv_epi8(high, second_high, fourth),
        before,
    }
}

/// The units of `places` that the row names, to `at`.
#[inline]
#[target_feature(enable = "avx2")]
fn put_kept(places: __m128i, row: u8, out: &mut [Cell], at: usize) {
    if let Some(place) = out.get_mut(at..).and_then(<[Cell]>::first_chunk_mut) {
        let row = load_quarter(&UNITS[usize::from(row)]);
        store_quarter(_mm_shuffle_epi8(places, row), place);
    }
}

/// Writes the units of a half, which end there. There are 16 cells more than they take.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_half(half: Parts, units: u32, out: &mut [Cell], start: usize) -> usize {
    let low = _mm256_unpacklo_epi8(half.low, half.high);
    let high = _mm256_unpackhi_epi8(half.low, half.high);
    let quarters = [
        _mm256_castsi256_si128(low),
        _mm256_castsi256_si128(high),
        _mm256_extracti128_si256::<1>(low),
        _mm256_extracti128_si256::<1>(high),
    ];
    let mut at = start;
    for (quarter, row) in quarters.into_iter().zip(units.to_le_bytes()) {
        put_kept(quarter, row, out, at);
        at += 2 * row.count_ones() as usize;
    }
    at
}

/// Writes the units of a block, of whose halves `parts` makes them.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put(
    units: u64,
    out: &mut [Cell],
    parts: impl Fn() -> Parts,
    parts_of_high: impl Fn() -> Parts,
) -> Option<usize> {
    let len = 2 * units.count_ones() as usize;
    let mut scratch = [0; SCRATCH];
    let roomy = out.len() >= len + 16;
    let place = if roomy { &mut *out } else { cells_of(&mut scratch) };
    let mut at = 0;
    if units as u32 != 0 {
        at = put_half(parts(), units as u32, place, 0);
    }
    if units >> 32 != 0 {
        put_half(parts_of_high(), (units >> 32) as u32, place, at);
    }
    if !roomy {
        copy(&scratch, out.get_mut(..len)?);
    }
    Some(len)
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_up_to_three(
    [low, high]: Vector,
    [_, last]: Vector,
    units: u64,
    out: &mut [Cell],
) -> Option<usize> {
    put(units, out, || parts(last, low), || parts(low, high))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_up_to_four(
    [low, high]: Vector,
    [_, last]: Vector,
    units: u64,
    out: &mut [Cell],
) -> Option<usize> {
    put(units, out, || parts_of_four(last, low), || parts_of_four(low, high))
}
