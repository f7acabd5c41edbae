//! AVX-512 with VBMI2: 64 bytes at a time, comparisons give masks, and bytes that a mask names move
//! together. (In a register; into memory that is microcode on Zen 4.)

use super::{Avx512Vbmi2, tables};
use crate::arch::cell::Cell;
use crate::arch::scan::{Classes, Scan, digits, low_bits};
use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_add_epi8,
    _mm512_mask_mov_epi8, _mm512_mask_storeu_epi8, _mm512_maskz_compress_epi8,
    _mm512_maskz_loadu_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_shuffle_epi8,
    _mm512_slli_epi16, _mm512_srli_epi16, _mm512_storeu_epi8, _mm512_ternarylogic_epi32,
    _mm512_test_epi8_mask, _mm512_testn_epi8_mask, _pdep_u64,
};

const BLOCK: usize = 64;

/// Bytes whose escapes fit a block.
const GROUP: usize = 21;
/// The first of each three bytes.
const FIRSTS: u64 = 0x1249_2492_4924_9249;

const LOW: [u8; BLOCK] = tables::repeated(tables::LOW);
const HIGH: [u8; BLOCK] = tables::repeated(tables::HIGH);
const LOW_OF_GRAMMAR: [u8; BLOCK] = tables::repeated(tables::LOW_OF_GRAMMAR);
const HIGH_OF_GRAMMAR: [u8; BLOCK] = tables::repeated(tables::HIGH_OF_GRAMMAR);
const DIGITS: [u8; BLOCK] = tables::repeated(tables::DIGITS);

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &[u8; BLOCK]) -> __m512i {
    // SAFETY: the pointer is of 64 readable bytes; no alignment is needed.
    unsafe { _mm512_loadu_epi8(block.as_ptr().cast()) }
}

/// The first 64 bytes, or all with zeros behind.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_front(bytes: &[u8]) -> __m512i {
    if let Some(block) = bytes.first_chunk() {
        return load(block);
    }
    let there = low_bits(bytes.len());
    // SAFETY: bytes whose bit is 0 are not read, and the bits that are 1 are those of the slice;
    // no alignment is needed.
    unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(room: &mut [Cell; BLOCK], vector: __m512i) {
    // SAFETY: the pointer is of 64 writable bytes; no alignment is needed.
    unsafe { _mm512_storeu_epi8(room.as_mut_ptr().cast(), vector) }
}

/// Writes the first `len` bytes, at most 64, of `vector` to `out` at `at`; cells behind them may
/// change, too. Where the next go; `None` when there is no room for `len`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn put(out: &mut [Cell], at: usize, vector: __m512i, len: usize) -> Option<usize> {
    let room = out.get_mut(at..)?;
    if let Some(room) = room.first_chunk_mut() {
        store(room, vector);
    } else {
        let room = room.get_mut(..len)?;
        // SAFETY: bytes whose bit is 0 are not written, and the bits that are 1 are those of
        // `room`; no alignment is needed.
        unsafe {
            _mm512_mask_storeu_epi8(room.as_mut_ptr().cast(), low_bits(room.len()), vector);
        }
    }
    Some(at + len)
}

/// The high nibbles.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn high(vector: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_srli_epi16::<4>(vector), _mm512_set1_epi8(15))
}

/// The bytes that need an escape.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn escaped(vector: __m512i) -> u64 {
    // A byte of 0x80 and above finds nothing in the first table.
    let low = _mm512_shuffle_epi8(load(&LOW), vector);
    let high = _mm512_shuffle_epi8(load(&HIGH), high(vector));
    _mm512_testn_epi8_mask(low, high)
}

/// How many bytes of `value` need an escape.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(in crate::arch) fn count_escapes(_: Avx512Vbmi2, value: &[u8]) -> usize {
    let (blocks, tail) = value.as_chunks();
    let mut total = 0;
    for block in blocks {
        total += escaped(load(block)).count_ones() as usize;
    }
    if tail.is_empty() {
        return total;
    }
    total + (escaped(load_front(tail)) & low_bits(tail.len())).count_ones() as usize
}

/// Writes what `value` is encoded to, to `out`, which is as long.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(in crate::arch) fn encode(_: Avx512Vbmi2, value: &[u8], out: &mut [Cell]) {
    let mut rest = value;
    let mut at = 0;
    while !rest.is_empty() {
        let vector = load_front(rest);
        let escaped = escaped(vector) & low_bits(rest.len());
        let len = if escaped == 0 { BLOCK } else { 3 * GROUP }.min(rest.len());
        let written = if escaped == 0 {
            put(out, at, vector, len)
        } else {
            encode_groups(vector, escaped, len, out, at)
        };
        // `None`, had `out` another length.
        let Some(end) = written else { return };
        at = end;
        rest = &rest[len..];
    }
}

/// Three bytes for each of a group's.
const SPREAD: [[u8; BLOCK]; 3] = {
    let mut table = [[0; BLOCK]; 3];
    let mut at = 0;
    while at < 3 * BLOCK {
        table[at / BLOCK][at % BLOCK] = (at / BLOCK * GROUP + at % BLOCK / 3) as u8;
        at += 1;
    }
    table
};

/// Writes the first `len` bytes, at most 63, of which those in `escaped` are.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn encode_groups(
    vector: __m512i,
    escaped: u64,
    len: usize,
    out: &mut [Cell],
    at: usize,
) -> Option<usize> {
    let percent = _mm512_set1_epi8(b'%'.cast_signed());
    let mut escaped = escaped;
    let mut left = len;
    let mut at = at;
    for spread in &SPREAD {
        // At 0 of three what is written first, at 1 and 2 the digits.
        let bytes = _mm512_permutexvar_epi8(load(spread), vector);
        // The look-up is by six bits, in a table that repeats itself: the upper two do not matter.
        let nibbles = _mm512_mask_mov_epi8(bytes, FIRSTS << 1, _mm512_srli_epi16::<4>(bytes));
        let digits = _mm512_permutexvar_epi8(nibbles, load(&DIGITS));
        let escapes = _pdep_u64(escaped, FIRSTS);
        let written = _mm512_mask_mov_epi8(digits, FIRSTS, bytes);
        let written = _mm512_mask_mov_epi8(written, escapes, percent);
        let kept = (FIRSTS & low_bits(3 * left)) | escapes << 1 | escapes << 2;
        let written = _mm512_maskz_compress_epi8(kept, written);
        at = put(out, at, written, kept.count_ones() as usize)?;
        if left <= GROUP {
            break;
        }
        left -= GROUP;
        escaped >>= GROUP;
    }
    Some(at)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn classes(vector: __m512i) -> Classes {
    let low = _mm512_shuffle_epi8(load(&LOW_OF_GRAMMAR), vector);
    let high = _mm512_shuffle_epi8(load(&HIGH_OF_GRAMMAR), high(vector));
    // `LETTER` alone makes no byte one of the grammar.
    let both = _mm512_and_si512(low, high);
    let char = _mm512_set1_epi8((!tables::LETTER).cast_signed());
    Classes {
        percent: _mm512_cmpeq_epi8_mask(vector, _mm512_set1_epi8(b'%'.cast_signed())),
        foreign: _mm512_testn_epi8_mask(both, char),
        no_digit: _mm512_testn_epi8_mask(both, _mm512_set1_epi8(tables::DIGIT.cast_signed())),
    }
}

/// How many escapes `value` has; `None` when it breaks the grammar.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(in crate::arch) fn scan(_: Avx512Vbmi2, value: &[u8]) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    let mut scan = Scan::default();
    for block in blocks {
        scan.step::<64>(classes(load(block)));
    }
    if !tail.is_empty() {
        let classes = classes(load_front(tail));
        // The zeros behind are no digits, but foreign.
        let foreign = classes.foreign & low_bits(tail.len());
        scan.step::<64>(Classes { foreign, ..classes });
    }
    scan.end()
}

/// Writes the octets of `value`, which keeps to the grammar, to `out`; `None` when they are more
/// than there is room for.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(in crate::arch) fn decode(_: Avx512Vbmi2, value: &[u8], out: &mut [Cell]) -> Option<usize> {
    let mut rest = value;
    let mut at = 0;
    let mut carry = 0;
    while !rest.is_empty() {
        let vector = load_front(rest);
        let percent = _mm512_cmpeq_epi8_mask(vector, _mm512_set1_epi8(b'%'.cast_signed()));
        let digits = digits::<64>(percent, &mut carry);
        let kept = low_bits(rest.len()) & !digits;
        let octets = octets(load_front(&rest[1..]), load_front(rest.get(2..).unwrap_or_default()));
        let bytes = _mm512_mask_mov_epi8(vector, percent, octets);
        let bytes = _mm512_maskz_compress_epi8(kept, bytes);
        at = put(out, at, bytes, kept.count_ones() as usize)?;
        rest = rest.get(BLOCK..).unwrap_or_default();
    }
    Some(at)
}

/// What pairs of digits stand for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn octets(first: __m512i, second: __m512i) -> __m512i {
    // The low nibble of a letter is 9 less than its value.
    let letter = _mm512_set1_epi8(0x40);
    let nine = _mm512_set1_epi8(9);
    let first = _mm512_mask_add_epi8(first, _mm512_test_epi8_mask(first, letter), first, nine);
    let second = _mm512_mask_add_epi8(second, _mm512_test_epi8_mask(second, letter), second, nine);
    // The low nibbles of the one as the high ones of the other: where a bit of the third is set
    // that of the second, else that of the first.
    _mm512_ternarylogic_epi32::<0xD8>(_mm512_slli_epi16::<4>(first), second, _mm512_set1_epi8(15))
}
