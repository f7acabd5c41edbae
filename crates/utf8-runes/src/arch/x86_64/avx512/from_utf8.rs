//! UTF-8 to UTF-16 on AVX-512 with VBMI2: the lower and the higher byte of each unit are made where
//! it stands, and compressed.

use super::transcode::{Vbmi2, store, store_partial};
use super::{at_least, before, fours, load};
use crate::arch::cell::Cell;
use crate::arch::isa::{BLOCK, Block};
use crate::arch::units::FromUtf8;
use crate::arch::x86_64::{kernels, methods};
use core::arch::x86_64::{
    __m256i, __m512i, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cmplt_epi8_mask,
    _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_mask_cmplt_epu8_mask,
    _mm512_mask_mov_epi8, _mm512_mask_sub_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi8,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_srli_epi16, _mm512_sub_epi8, _mm512_ternarylogic_epi32,
};

kernels! { Vbmi2, "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt":
    fn utf8_to_utf16(text: &[u8], out: &mut [[Cell; 2]]) -> Option<usize>;
}

type Vector = __m512i;

impl FromUtf8 for Vbmi2 {
    methods! {
        fn zeros() -> Vector;
        fn twos(vector: Vector) -> u64;
        fn threes(vector: Vector) -> u64;
        fn put_four_ascii(blocks: &[Block; 4], out: &mut [Cell; 8 * BLOCK]) -> ();
        fn put_one_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
        fn put_up_to_three(
            vector: Vector,
            last: Vector,
            units: u64,
            out: &mut [Cell]
        ) -> Option<usize>;
        fn put_up_to_four(
            vector: Vector,
            last: Vector,
            units: u64,
            out: &mut [Cell]
        ) -> Option<usize>;
    }
}

/// `byte` in each place.
#[inline]
#[target_feature(enable = "avx512f")]
fn each(byte: u8) -> Vector {
    _mm512_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f")]
fn zeros() -> Vector {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn twos(vector: Vector) -> u64 {
    at_least(vector, 0xC0)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn threes(vector: Vector) -> u64 {
    at_least(vector, 0xE0)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn halves(vector: Vector) -> [__m256i; 2] {
    [_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64::<1>(vector)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn put_four_ascii(blocks: &[Block; 4], out: &mut [Cell; 8 * BLOCK]) {
    let (places, _) = out.as_chunks_mut::<{ 2 * BLOCK }>();
    for (place, block) in places.iter_mut().zip(blocks) {
        let (places, _) = place.as_chunks_mut();
        for (place, half) in places.iter_mut().zip(halves(load(block))) {
            store(_mm512_cvtepu8_epi16(half), place);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn put_one_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    let [low, high] = halves(vector);
    put_two(_mm512_cvtepu8_epi16(low), _mm512_cvtepu8_epi16(high), width, out)
}

/// The first `units` units of two vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn put_two(low: Vector, high: Vector, units: usize, out: &mut [Cell]) -> Option<usize> {
    let len = 2 * units;
    if len <= BLOCK {
        return store_partial(low, len, out);
    }
    let (place, out) = out.split_first_chunk_mut()?;
    store(low, place);
    store_partial(high, len - BLOCK, out)?;
    Some(len)
}

/// The lower and the higher byte of the units that stand at the last bytes of sequences of up to
/// three; and of four, what their last byte shares with those.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn parts(vector: Vector, [one, two, _]: [Vector; 3]) -> [Vector; 2] {
    let wide = _mm512_movepi8_mask(vector);
    // mask ? vector : one << 6
    let low = _mm512_ternarylogic_epi32::<0xCA>(each(0x3F), vector, _mm512_slli_epi16::<6>(one));
    // Only of three bytes: where also the one before is a continuation byte.
    let third = _mm512_cmplt_epi8_mask(one, each(0xC0));
    let first = _mm512_maskz_mov_epi8(third, _mm512_slli_epi16::<4>(two));
    // mask ? one >> 2 : first
    let high = _mm512_ternarylogic_epi32::<0xCA>(each(0x0F), _mm512_srli_epi16::<2>(one), first);
    // ASCII is what it is.
    [_mm512_mask_mov_epi8(vector, wide, low), _mm512_maskz_mov_epi8(wide, high)]
}

/// The same of sequences of up to four.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn parts_of_four(vector: Vector, before: [Vector; 3]) -> [Vector; 2] {
    let [low, high] = parts(vector, before);
    let [one, two, three] = before;
    let (third, fourth) = (fours(two), fours(three));
    // The high surrogate: ten bits, of which 0x40 has to be subtracted.
    let end = _mm512_srli_epi16::<4>(vector);
    // mask ? end : one << 2
    let ten = _mm512_ternarylogic_epi32::<0xCA>(each(3), end, _mm512_slli_epi16::<2>(one));
    let borrow = _mm512_mask_cmplt_epu8_mask(third, ten, each(0x40));
    // tag | two & mask
    let first_high = _mm512_ternarylogic_epi32::<0xF8>(each(0xD8), two, each(7));
    let low = _mm512_mask_mov_epi8(low, third, _mm512_sub_epi8(ten, each(0x40)));
    let second_high = _mm512_or_si512(_mm512_and_si512(high, each(3)), each(0xDC));
    let high = _mm512_mask_mov_epi8(high, third, first_high);
    let high = _mm512_mask_sub_epi8(high, borrow, high, each(1));
    [low, _mm512_mask_mov_epi8(high, fourth, second_high)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put([low, high]: [Vector; 2], units: u64, out: &mut [Cell]) -> Option<usize> {
    let lows = halves(_mm512_maskz_compress_epi8(units, low));
    let highs = halves(_mm512_maskz_compress_epi8(units, high));
    let len = units.count_ones() as usize;
    put_two(joined(lows[0], highs[0]), joined(lows[1], highs[1]), len, out)
}

/// Units of their lower and higher bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn joined(low: __m256i, high: __m256i) -> Vector {
    let high = _mm512_slli_epi16::<8>(_mm512_cvtepu8_epi16(high));
    _mm512_or_si512(_mm512_cvtepu8_epi16(low), high)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put_up_to_three(vector: Vector, last: Vector, units: u64, out: &mut [Cell]) -> Option<usize> {
    put(parts(vector, before(last, vector)), units, out)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put_up_to_four(vector: Vector, last: Vector, units: u64, out: &mut [Cell]) -> Option<usize> {
    put(parts_of_four(vector, before(last, vector)), units, out)
}
