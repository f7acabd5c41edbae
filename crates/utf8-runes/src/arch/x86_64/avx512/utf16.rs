//! UTF-16 on AVX-512.

use super::{Avx512, Isa};
use crate::arch::units::Units;
use crate::arch::x86_64::{methods, unit_kernels};
use core::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_and_si512, _mm512_cmpeq_epi16_mask, _mm512_cmpge_epu16_mask,
    _mm512_cmplt_epu16_mask, _mm512_max_epu16, _mm512_min_epu16, _mm512_or_si512,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_slli_epi16, _mm512_srli_epi16,
    _mm512_ternarylogic_epi32, _mm512_test_epi16_mask, _mm512_testn_epi16_mask, _mm512_xor_si512,
};

unit_kernels! { Avx512, "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt":
    fn utf16_count() -> usize;
    fn utf16_walk(runes: usize) -> (usize, usize);
    fn utf16_utf8_len() -> usize;
    fn utf16_first_lone() -> Option<usize>;
}

type Vector = <Avx512 as Isa>::Vector;

impl Units for Avx512 {
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
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn each(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn swap(vector: __m512i) -> __m512i {
    _mm512_or_si512(_mm512_slli_epi16::<8>(vector), _mm512_srli_epi16::<8>(vector))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pairs(firsts: __m512i, seconds: __m512i) -> u32 {
    let firsts = _mm512_xor_si512(firsts, each(0xD800));
    // firsts | (seconds ^ 0xDC00)
    let other = _mm512_ternarylogic_epi32::<0xF6>(firsts, seconds, each(0xDC00));
    _mm512_testn_epi16_mask(other, each(0xFC00))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_pairs(firsts: [__m512i; 4], seconds: [__m512i; 4]) -> usize {
    let both = firsts.into_iter().zip(seconds);
    both.map(|(first, second)| pairs(first, second).count_ones() as usize).sum()
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn all_pairs(blocks: [__m512i; 4]) -> bool {
    let pair = _mm512_set1_epi32(0xDC00_D800_u32.cast_signed());
    let [a, b, c, d] = blocks;
    // other | (block ^ pair)
    let other = _mm512_xor_si512(a, pair);
    let other = _mm512_ternarylogic_epi32::<0xF6>(other, b, pair);
    let other = _mm512_ternarylogic_epi32::<0xF6>(other, c, pair);
    let other = _mm512_ternarylogic_epi32::<0xF6>(other, d, pair);
    _mm512_test_epi16_mask(other, each(0xFC00)) == 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn any_surrogate(blocks: [__m512i; 4]) -> bool {
    let [a, b, c, d] = blocks;
    let highest = _mm512_max_epu16(_mm512_max_epu16(a, b), _mm512_max_epu16(c, d));
    // Above them is nothing that texts are full of.
    _mm512_cmpge_epu16_mask(highest, each(0xD800)) != 0 && any_between(blocks)
}

/// [`any_surrogate`] among units that may be above.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn any_between(blocks: [__m512i; 4]) -> bool {
    // Moves them to the bottom, so that one minimum decides.
    let [a, b, c, d] = blocks.map(|block| _mm512_add_epi16(block, each(0x2800)));
    let lowest = _mm512_min_epu16(_mm512_min_epu16(a, b), _mm512_min_epu16(c, d));
    _mm512_cmplt_epu16_mask(lowest, each(0x800)) != 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn surrogates(vector: Vector) -> u32 {
    _mm512_cmpeq_epi16_mask(_mm512_and_si512(vector, each(0xF800)), each(0xD800))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn wide(vector: __m512i) -> u32 {
    _mm512_test_epi16_mask(vector, each(0xFF80))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn long(vector: __m512i) -> u32 {
    _mm512_test_epi16_mask(vector, each(0xF800))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn all_ascii([a, b, c, d]: [__m512i; 4]) -> bool {
    let all = _mm512_ternarylogic_epi32::<0xFE>(_mm512_or_si512(a, b), c, d);
    _mm512_test_epi16_mask(all, each(0xFF80)) == 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_more(blocks: [__m512i; 4]) -> usize {
    if all_ascii(blocks) {
        return 0;
    }
    let more = |block| wide(block).count_ones() + long(block).count_ones();
    blocks.into_iter().map(|block| more(block) as usize).sum()
}
