//! UTF-16 on AVX2.

use super::{Avx2, Vector};
use crate::arch::units::Units;
use crate::arch::x86_64::{methods, unit_kernels};
use core::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi16,
    _mm256_and_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi16, _mm256_extracti128_si256,
    _mm256_max_epu16, _mm256_min_epu16, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_permute4x64_epi64, _mm256_sad_epu8, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_slli_epi16, _mm256_srli_epi16, _mm256_sub_epi16,
    _mm256_subs_epu16, _mm256_testz_si256, _mm256_xor_si256,
};

unit_kernels! { Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt":
    fn utf16_count() -> usize;
    fn utf16_walk(runes: usize) -> (usize, usize);
    fn utf16_utf8_len() -> usize;
    fn utf16_first_lone() -> Option<usize>;
}

impl Units for Avx2 {
    methods! {
        fn swap(vector: Vector) -> Vector;
        fn pairs(firsts: Vector, seconds: Vector) -> u32;
        fn count_pairs(firsts: [Vector; 4], seconds: [Vector; 4]) -> usize;
        fn all_pairs(blocks: [Vector; 4]) -> bool;
        fn any_surrogate(blocks: [Vector; 4]) -> bool;
        fn surrogates(vector: Vector) -> u32;
        fn wide(vector: Vector) -> u32;
        fn long(vector: Vector) -> u32;
        fn count_more(blocks: [Vector; 4]) -> usize;
    }
}

/// `unit` in each place.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn each(unit: u16) -> __m256i {
    _mm256_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn swap(vector: Vector) -> Vector {
    vector.map(|half| _mm256_or_si256(_mm256_slli_epi16::<8>(half), _mm256_srli_epi16::<8>(half)))
}

/// A bit of each unit, of which all bits are the same.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn unit_mask([low, high]: Vector) -> u32 {
    // Packs each half of the registers for itself.
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
    _mm256_movemask_epi8(bytes).cast_unsigned()
}

/// All bits of the units that have none of `bits`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn without(half: __m256i, bits: u16) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_and_si256(half, each(bits)), _mm256_setzero_si256())
}

/// All bits of the units that have `of` in their bits of `bits`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn with(half: __m256i, bits: u16, of: u16) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_and_si256(half, each(bits)), each(of))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn surrogates(vector: Vector) -> u32 {
    unit_mask(vector.map(|half| with(half, 0xF800, 0xD800)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn pairs_of_half(first: __m256i, second: __m256i) -> __m256i {
    let first = _mm256_xor_si256(first, each(0xD800));
    let second = _mm256_xor_si256(second, each(0xDC00));
    without(_mm256_or_si256(first, second), 0xFC00)
}

#[inline]
#[target_feature(enable = "avx2")]
fn pairs(firsts: Vector, seconds: Vector) -> u32 {
    let [[a, b], [c, d]] = [firsts, seconds];
    unit_mask([pairs_of_half(a, c), pairs_of_half(b, d)])
}

/// The sum of the units, each below 256.
#[inline]
#[target_feature(enable = "avx2")]
fn sum([low, high]: Vector) -> usize {
    let four = _mm256_sad_epu8(_mm256_add_epi16(low, high), _mm256_setzero_si256());
    let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_pairs(firsts: [Vector; 4], seconds: [Vector; 4]) -> usize {
    // A comparison that holds is -1.
    let mut sums = [_mm256_setzero_si256(); 2];
    for (first, second) in firsts.into_iter().zip(seconds) {
        let halves = first.into_iter().zip(second);
        for (sum, (first, second)) in sums.iter_mut().zip(halves) {
            *sum = _mm256_sub_epi16(*sum, pairs_of_half(first, second));
        }
    }
    sum(sums)
}

#[inline]
#[target_feature(enable = "avx2")]
fn all_pairs(blocks: [Vector; 4]) -> bool {
    let pair = _mm256_set1_epi32(0xDC00_D800_u32.cast_signed());
    let [a, b, c, d] = blocks.map(|[low, high]| {
        _mm256_or_si256(_mm256_xor_si256(low, pair), _mm256_xor_si256(high, pair))
    });
    let other = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    _mm256_testz_si256(other, each(0xFC00)) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn any_surrogate(blocks: [Vector; 4]) -> bool {
    let [a, b, c, d] = blocks.map(|[low, high]| _mm256_max_epu16(low, high));
    let highest = _mm256_max_epu16(_mm256_max_epu16(a, b), _mm256_max_epu16(c, d));
    let above = _mm256_subs_epu16(highest, each(0xD7FF));
    // Above them is nothing that texts are full of.
    _mm256_testz_si256(above, above) == 0 && any_between(blocks)
}

/// [`any_surrogate`] among units that may be above.
#[inline]
#[target_feature(enable = "avx2")]
fn any_between(blocks: [Vector; 4]) -> bool {
    // Moves them to the bottom, so that one minimum decides.
    let [a, b, c, d] = blocks.map(|[low, high]| {
        _mm256_min_epu16(_mm256_add_epi16(low, each(0x2800)), _mm256_add_epi16(high, each(0x2800)))
    });
    let lowest = _mm256_min_epu16(_mm256_min_epu16(a, b), _mm256_min_epu16(c, d));
    _mm256_movemask_epi8(without(lowest, 0xF800)) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn wide(vector: Vector) -> u32 {
    !unit_mask(vector.map(|half| without(half, 0xFF80)))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn long(vector: Vector) -> u32 {
    !unit_mask(vector.map(|half| without(half, 0xF800)))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn all_ascii(blocks: [Vector; 4]) -> bool {
    let [a, b, c, d] = blocks.map(|[low, high]| _mm256_or_si256(low, high));
    let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    _mm256_testz_si256(all, each(0xFF80)) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_more(blocks: [Vector; 4]) -> usize {
    if all_ascii(blocks) {
        return 0;
    }
    // -1 for each byte that a unit is short of three.
    let mut sums = [_mm256_setzero_si256(); 2];
    for block in blocks {
        for (sum, half) in sums.iter_mut().zip(block) {
            let less = _mm256_add_epi16(without(half, 0xFF80), without(half, 0xF800));
            *sum = _mm256_sub_epi16(*sum, less);
        }
    }
    2 * 4 * 32 - sum(sums)
}
