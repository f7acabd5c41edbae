//! AVX2: 32 bytes at a time where nothing has to move, else [`sixteen`], which is compiled for it.

use super::{sixteen, tables};
use crate::arch::cell::Cell;
use crate::arch::scan::{Classes, Scan};
use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_storeu_si256,
};

const BLOCK: usize = 32;

const LOW: [u8; BLOCK] = tables::repeated(tables::LOW);
const HIGH: [u8; BLOCK] = tables::repeated(tables::HIGH);
const LOW_OF_GRAMMAR: [u8; BLOCK] = tables::repeated(tables::LOW_OF_GRAMMAR);
const HIGH_OF_GRAMMAR: [u8; BLOCK] = tables::repeated(tables::HIGH_OF_GRAMMAR);

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &[u8; BLOCK]) -> __m256i {
    // SAFETY: the pointer is of 32 readable bytes; no alignment is needed.
    unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(room: &mut [Cell; BLOCK], vector: __m256i) {
    // SAFETY: the pointer is of 32 writable bytes; no alignment is needed.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), vector) }
}

/// The high nibbles.
#[inline]
#[target_feature(enable = "avx2")]
fn high(vector: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<4>(vector), _mm256_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask(vector: __m256i) -> u32 {
    _mm256_movemask_epi8(vector).cast_unsigned()
}

/// All ones where a byte needs an escape.
#[inline]
#[target_feature(enable = "avx2")]
fn escaped(vector: __m256i) -> __m256i {
    // A byte of 0x80 and above finds nothing in the first table.
    let low = _mm256_shuffle_epi8(load(&LOW), vector);
    let high = _mm256_shuffle_epi8(load(&HIGH), high(vector));
    _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
}

/// How many bytes of `value`, at least 16, need an escape.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn count_escapes(value: &[u8]) -> usize {
    let Some(last) = value.last_chunk() else { return sixteen::count_escapes(value) };
    let (blocks, tail) = value.as_chunks();
    let mut total = 0;
    for block in blocks {
        total += mask(escaped(load(block))).count_ones() as usize;
    }
    if !tail.is_empty() {
        total += (mask(escaped(load(last))) >> (BLOCK - tail.len())).count_ones() as usize;
    }
    total
}

/// Writes what `value`, at least 16 bytes, is encoded to, to `out`, which is as long.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn encode(value: &[u8], out: &mut [Cell]) {
    let (blocks, tail) = value.as_chunks();
    let mut at = 0;
    for block in blocks {
        let vector = load(block);
        let escaped = escaped(vector);
        if mask(escaped) == 0 {
            if let Some(room) = sixteen::next(out, &mut at) {
                store(room, vector);
            }
            continue;
        }
        let low = (_mm256_castsi256_si128(vector), _mm256_castsi256_si128(escaped));
        let high = (_mm256_extracti128_si256::<1>(vector), _mm256_extracti128_si256::<1>(escaped));
        for (vector, escaped) in [low, high] {
            sixteen::encode_block(vector, escaped, out, &mut at);
        }
    }
    sixteen::encode_end(value, tail, out, &mut at);
}

#[inline]
#[target_feature(enable = "avx2")]
fn classes(vector: __m256i) -> Classes {
    let low = _mm256_shuffle_epi8(load(&LOW_OF_GRAMMAR), vector);
    let high = _mm256_shuffle_epi8(load(&HIGH_OF_GRAMMAR), high(vector));
    // `LETTER` alone makes no byte one of the grammar.
    let both = _mm256_and_si256(low, high);
    let none = _mm256_setzero_si256();
    let digit = _mm256_and_si256(both, _mm256_set1_epi8(tables::DIGIT.cast_signed()));
    let char = _mm256_andnot_si256(_mm256_set1_epi8(tables::LETTER.cast_signed()), both);
    let percent = _mm256_cmpeq_epi8(vector, _mm256_set1_epi8(b'%'.cast_signed()));
    Classes {
        percent: mask(percent).into(),
        foreign: mask(_mm256_cmpeq_epi8(char, none)).into(),
        no_digit: mask(_mm256_cmpeq_epi8(digit, none)).into(),
    }
}

/// How many escapes `value`, at least 16 bytes, has; `None` when it breaks the grammar.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn scan(value: &[u8]) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    let mut scan = Scan::default();
    for block in blocks {
        scan.step::<32>(classes(load(block)));
    }
    sixteen::scan(tail, value.last_chunk()?, scan)
}

/// Writes the octets of `value`, at least 16 bytes that keep to the grammar, to `out`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize> {
    sixteen::decode(value, out)
}
