//! UTF-16 to UTF-8 on AVX-512 with VBMI2, which compresses a register: the bytes that a mask names
//! move together. (Not into memory, which is microcode on Zen 4.)

use super::utf16::{all_ascii, each, long, surrogates, swap, wide};
use super::{load, load_partial};
use crate::arch::cell::Cell;
use crate::arch::isa::{Block, low_bits};
use crate::arch::units::{Transcode, UNITS};
use crate::arch::x86_64::{encode_kernel, methods};
use core::arch::x86_64::{
    __m256i, __m512i, _mm256_mask_storeu_epi8, _mm256_storeu_epi8, _mm512_add_epi16,
    _mm512_add_epi32, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_and_si512,
    _mm512_castsi512_si256, _mm512_cmpeq_epi16_mask, _mm512_cvtepi16_epi8, _mm512_mask_mov_epi16,
    _mm512_mask_storeu_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi16, _mm512_or_si512,
    _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_set1_epi32, _mm512_setr_epi64,
    _mm512_setzero_si512, _mm512_slli_epi16, _mm512_slli_epi32, _mm512_srli_epi16,
    _mm512_srli_epi32, _mm512_storeu_epi8, _mm512_ternarylogic_epi32, _mm512_test_epi8_mask,
    _mm512_unpackhi_epi16, _mm512_unpacklo_epi16, _mm512_zextsi256_si512,
};

/// That this processor has the instructions of [`Avx512`](super::Avx512), VBMI and VBMI2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vbmi2(());

impl Vbmi2 {
    /// The token.
    ///
    /// # Safety
    /// The processor and its operating system must support AVX-512 F, BW, VL, VBMI and VBMI2, AVX2,
    /// BMI1, BMI2, LZCNT and POPCNT.
    #[inline]
    pub(super) const unsafe fn new() -> Self {
        Self(())
    }
}

encode_kernel! { Vbmi2, "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt" }

type Vector = __m512i;

impl<const BE: bool> Transcode<BE> for Vbmi2 {
    type Vector = Vector;

    methods! {
        fn load(block: &Block) -> Vector;
        fn load_partial(bytes: &[u8]) -> Vector;
        fn swap(vector: Vector) -> Vector;
        fn wide(vector: Vector) -> u32;
        fn long(vector: Vector) -> u32;
        fn surrogates(vector: Vector) -> u32;
        fn highs(vector: Vector) -> u32;
        fn replace(vector: Vector, mask: u32, unit: u16) -> Vector;
        fn all_ascii(blocks: [Vector; 4]) -> bool;
        fn put_ascii_four(blocks: [Vector; 4], out: &mut [Cell; 4 * UNITS]) -> ();
        fn put_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
        fn put_short<BE>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
        fn put_bmp<BE>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
        fn put_any<BE>(
            vector: Vector,
            firsts: u32,
            seconds: u32,
            width: usize,
            out: &mut [Cell]
        ) -> Option<usize>;
        fn put_pairs<BE>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize>;
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn highs(vector: Vector) -> u32 {
    _mm512_cmpeq_epi16_mask(_mm512_and_si512(vector, each(0xFC00)), each(0xD800))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn replace(vector: Vector, mask: u32, unit: u16) -> Vector {
    _mm512_mask_mov_epi16(vector, mask, each(unit))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn store(vector: Vector, out: &mut [Cell; 64]) {
    // SAFETY: the pointer is of 64 cells to write; no alignment is needed.
    unsafe { _mm512_storeu_epi8(out.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn store_half(vector: __m256i, out: &mut [Cell; 32]) {
    // SAFETY: the pointer is of 32 cells to write; no alignment is needed.
    unsafe { _mm256_storeu_epi8(out.as_mut_ptr().cast(), vector) }
}

/// The first `len` bytes of `vector`, at most 64, and others only where there is room.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
pub(super) fn store_partial(vector: Vector, len: usize, out: &mut [Cell]) -> Option<usize> {
    if let Some(place) = out.first_chunk_mut() {
        store(vector, place);
        return Some(len);
    }
    let place = out.get_mut(..len)?;
    let there = low_bits(place.len());
    if let Ok(there) = u32::try_from(there) {
        let low = _mm512_castsi512_si256(vector);
        // SAFETY: bytes whose bit is 0 are not written, and the bits that are 1 are those of the
        // cells of `place`, at most 32; no alignment is needed. (A narrow store crosses fewer
        // lines of the cache.)
        unsafe { _mm256_mask_storeu_epi8(place.as_mut_ptr().cast(), there, low) }
        return Some(len);
    }
    // SAFETY: bytes whose bit is 0 are not written, and the bits that are 1 are those of the cells
    // of `place`, fewer than 64; no alignment is needed.
    unsafe { _mm512_mask_storeu_epi8(place.as_mut_ptr().cast(), there, vector) }
    Some(len)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn put_ascii_four([a, b, c, d]: [Vector; 4], out: &mut [Cell; 4 * UNITS]) {
    // Packs each quarter of the registers for itself.
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let (places, _) = out.as_chunks_mut::<64>();
    for (place, (low, high)) in places.iter_mut().zip([(a, b), (c, d)]) {
        store(_mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high)), place);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn put_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    let bytes = _mm512_cvtepi16_epi8(vector);
    if width == UNITS
        && let Some(place) = out.first_chunk_mut()
    {
        store_half(bytes, place);
        return Some(width);
    }
    // All of it may be stored: no bits left undefined, as a cast would.
    store_partial(_mm512_zextsi256_si512(bytes), width, out)
}

/// The last two bytes of each unit: what it has below 12 bits, six a byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sixes(vector: Vector) -> Vector {
    let (low, high) = (_mm512_slli_epi16::<8>(vector), _mm512_srli_epi16::<6>(vector));
    // mask ? low : high
    let both = _mm512_ternarylogic_epi32::<0xD8>(high, low, each(0x3F00));
    // tags | both & mask
    _mm512_ternarylogic_epi32::<0xF8>(each(0x8080), both, each(0x3F3F))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put_short<const BE: bool>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    let two = _mm512_or_si512(sixes(vector), each(0x40));
    let wide = wide(vector);
    // ASCII has a zero for its second byte, which no other has there.
    let bytes = _mm512_mask_mov_epi16(vector, wide, two);
    let kept = _mm512_test_epi8_mask(bytes, bytes) | 0x5555_5555_5555_5555;
    // What is behind the end adds nothing: a zero, and only behind the others.
    let len = width + wide.count_ones() as usize;
    store_partial(_mm512_maskz_compress_epi8(kept, bytes), len, out)
}

/// Takes together `lasts`, two bytes of each unit or a zero for the second, and `firsts`, one that
/// goes before them or a zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put_joint(firsts: Vector, lasts: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    // What each quarter of the registers is joined of lies where it goes.
    let order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    let firsts = _mm512_permutexvar_epi64(order, firsts);
    let lasts = _mm512_permutexvar_epi64(order, lasts);
    let low = _mm512_unpacklo_epi16(firsts, lasts);
    let high = _mm512_unpackhi_epi16(firsts, lasts);
    // NUL is a zero to keep, unless it is behind the end.
    const HALF: usize = UNITS / 2;
    let kept = |half, units: usize| {
        (_mm512_test_epi8_mask(half, half) | 0x4444_4444_4444_4444) & low_bits(4 * units)
    };
    let (kept_low, kept_high) = (kept(low, width), kept(high, width.saturating_sub(HALF)));
    let low = _mm512_maskz_compress_epi8(kept_low, low);
    let len = store_partial(low, kept_low.count_ones() as usize, out)?;
    if width <= HALF {
        return Some(len);
    }
    let high = _mm512_maskz_compress_epi8(kept_high, high);
    Some(len + store_partial(high, kept_high.count_ones() as usize, out.get_mut(len..)?)?)
}

/// The last two bytes of units that are no surrogates, or the only one, with a zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn lasts(vector: Vector, wide: u32, long: u32) -> Vector {
    let sixes = sixes(vector);
    let two = _mm512_mask_mov_epi16(_mm512_or_si512(sixes, each(0x40)), long, sixes);
    _mm512_mask_mov_epi16(vector, wide, two)
}

/// The first byte of `three`, units of three bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn firsts(vector: Vector, three: u32) -> Vector {
    let first = _mm512_or_si512(_mm512_srli_epi16::<12>(vector), each(0xE0));
    _mm512_maskz_mov_epi16(three, first)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put_bmp<const BE: bool>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    let (wide, long) = (wide(vector), long(vector));
    put_joint(firsts(vector, long), lasts(vector, wide, long), width, out)
}

/// Each half of a pair gives two of the four bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
fn put_any<const BE: bool>(
    vector: Vector,
    highs: u32,
    lows: u32,
    width: usize,
    out: &mut [Cell],
) -> Option<usize> {
    let (wide, long) = (wide(vector), long(vector));
    let lasts = lasts(vector, wide, long);
    // 0x40 more is what the surrogates leave out: 0x10000.
    let value = _mm512_add_epi16(vector, each(0x2840));
    let head = _mm512_srli_epi16::<8>(value);
    let next = _mm512_and_si512(_mm512_slli_epi16::<6>(value), each(0x3F00));
    // head | next | tags
    let high = _mm512_ternarylogic_epi32::<0xFE>(head, next, each(0x80F0));
    // A low surrogate starts with 11 in its upper six bits, and where the high one's two lowest
    // bits belong.
    let joint = _mm512_alignr_epi64::<6>(vector, _mm512_setzero_si512());
    let before = _mm512_alignr_epi8::<14>(vector, joint);
    let lowest = _mm512_slli_epi16::<4>(before);
    // 0x30 ? lowest : lasts
    let low = _mm512_ternarylogic_epi32::<0xCA>(each(0x30), lowest, lasts);
    let lasts = _mm512_mask_mov_epi16(lasts, highs, high);
    let lasts = _mm512_mask_mov_epi16(lasts, lows, low);
    put_joint(firsts(vector, long & !(highs | lows)), lasts, width, out)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn put_pairs<const BE: bool>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    let each = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    // The high surrogate is the lower half, and the low one stands above.
    let high = _mm512_add_epi32(_mm512_and_si512(vector, each(0x3FF)), each(0x40));
    let a = _mm512_or_si512(_mm512_srli_epi32::<8>(high), each(0x8080_80F0));
    let b = _mm512_and_si512(_mm512_slli_epi32::<6>(high), each(0x3F00));
    let c = _mm512_and_si512(_mm512_slli_epi32::<20>(high), each(0x30_0000));
    let d = _mm512_and_si512(_mm512_srli_epi32::<6>(vector), each(0xF_0000));
    let e = _mm512_and_si512(_mm512_slli_epi32::<8>(vector), each(0x3F00_0000));
    let abc = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
    store_partial(_mm512_ternarylogic_epi32::<0xFE>(abc, d, e), 2 * width, out)
}
