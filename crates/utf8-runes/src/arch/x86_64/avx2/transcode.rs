//! UTF-16 to UTF-8 on AVX2, which shuffles bytes as a table says.

use super::utf16::{all_ascii, each, long, surrogates, swap, unit_mask, wide, with, without};
use super::{Avx2, Vector, load, load_half, load_partial};
use crate::arch::cell::{Cell, cells_of};
use crate::arch::isa::Block;
use crate::arch::units::{Transcode, UNITS};
use crate::arch::x86_64::shuffles::{LONG, SHORT};
use crate::arch::x86_64::{encode_kernel, methods};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi16, _mm256_extracti128_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16, _mm256_packus_epi16,
    _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setr_epi16, _mm256_slli_epi16, _mm256_slli_epi32, _mm256_srli_epi16, _mm256_srli_epi32,
    _mm256_storeu_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
};

encode_kernel! { Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt" }

impl<const BE: bool> Transcode<BE> for Avx2 {
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

/// Cells that a block of units of up to two bytes is written to.
const SHORT_ROOM: usize = 2 * UNITS;
/// And one of any units: three bytes each, and what the last store has beyond.
const LONG_ROOM: usize = 3 * UNITS + 16;
pub(super) const SCRATCH: usize = 128;

/// Lets `write` write a block, of which `width` units are to stay, to the start of `out`, or if
/// that is short somewhere else.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put<const N: usize>(
    width: usize,
    out: &mut [Cell],
    write: impl FnOnce(&mut [Cell; N]) -> usize,
) -> Option<usize> {
    // There only if needed: it is zeroed.
    let mut scratch = None;
    let roomy = out.len() >= N;
    let place = if roomy { &mut *out } else { cells_of(scratch.insert([0; SCRATCH])) };
    // A zero behind the end is a byte.
    let len = write(place.first_chunk_mut()?).checked_sub(UNITS - width)?;
    if let Some(scratch) = &scratch {
        copy(scratch, out.get_mut(..len)?);
    }
    Some(len)
}

#[inline]
#[target_feature(enable = "avx2")]
fn highs(vector: Vector) -> u32 {
    unit_mask(vector.map(|half| with(half, 0xFC00, 0xD800)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn replace([low, high]: Vector, mask: u32, unit: u16) -> Vector {
    let bits = _mm256_setr_epi16(
        1,
        2,
        4,
        8,
        0x10,
        0x20,
        0x40,
        0x80,
        0x100,
        0x200,
        0x400,
        0x800,
        0x1000,
        0x2000,
        0x4000,
        i16::MIN,
    );
    let half = |half, mask: u32| {
        let here = _mm256_and_si256(_mm256_set1_epi16(mask as i16), bits);
        _mm256_blendv_epi8(half, each(unit), _mm256_cmpeq_epi16(here, bits))
    };
    [half(low, mask), half(high, mask >> 16)]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_half(half: __m256i, out: &mut [Cell; 32]) {
    // SAFETY: the pointer is of 32 cells to write; no alignment is needed.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), half) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_quarter(quarter: __m128i, out: &mut [Cell; 16]) {
    // SAFETY: the pointer is of 16 cells to write; no alignment is needed.
    unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), quarter) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_quarter(quarter: &[u8; 16]) -> __m128i {
    // SAFETY: the pointer is of 16 readable bytes; no alignment is needed.
    unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn put_ascii_four(blocks: [Vector; 4], out: &mut [Cell; 4 * UNITS]) {
    let (places, _) = out.as_chunks_mut();
    for (place, block) in places.iter_mut().zip(blocks) {
        store_half(packed(block), place);
    }
}

/// Units below 0x80 as bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn packed([low, high]: Vector) -> __m256i {
    // Packs each half of the registers for itself.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_ascii(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    if width == UNITS {
        store_half(packed(vector), out.first_chunk_mut()?);
        return Some(width);
    }
    put(width, out, |place| {
        store_half(packed(vector), place);
        UNITS
    })
}

/// The bytes of `quarter` that the row names, to `at`.
#[inline]
#[target_feature(enable = "avx2")]
fn put_shuffled(quarter: __m128i, row: &[u8; 16], out: &mut [Cell], at: usize) {
    if let Some(place) = out.get_mut(at..).and_then(<[Cell]>::first_chunk_mut) {
        store_quarter(_mm_shuffle_epi8(quarter, load_quarter(row)), place);
    }
}

/// The last two bytes of each unit: what it has below 12 bits, six a byte.
#[inline]
#[target_feature(enable = "avx2")]
fn sixes(half: __m256i) -> __m256i {
    let last = _mm256_and_si256(_mm256_slli_epi16::<8>(half), each(0x3F00));
    let first = _mm256_and_si256(_mm256_srli_epi16::<6>(half), each(0x003F));
    _mm256_or_si256(_mm256_or_si256(first, last), each(0x8080))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_short<const BE: bool>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    put(width, out, |place: &mut [Cell; SHORT_ROOM]| short_block::<BE>(vector, place))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn short_block<const BE: bool>([low, high]: Vector, out: &mut [Cell; SHORT_ROOM]) -> usize {
    let one = [without(low, 0xFF80), without(high, 0xFF80)];
    // Eight units a byte: the first of each half, then the others.
    let packed = _mm256_packs_epi16(one[0], one[1]);
    let two = !_mm256_movemask_epi8(packed).cast_unsigned();
    let [a, c, b, d] = two.to_le_bytes();
    let bytes = |half, one| _mm256_blendv_epi8(_mm256_or_si256(sixes(half), each(0x40)), half, one);
    let [low, high] = [bytes(low, one[0]), bytes(high, one[1])];
    let quarters = [
        (_mm256_castsi256_si128(low), a),
        (_mm256_extracti128_si256::<1>(low), b),
        (_mm256_castsi256_si128(high), c),
        (_mm256_extracti128_si256::<1>(high), d),
    ];
    let mut at = 0;
    for (quarter, row) in quarters {
        put_shuffled(quarter, &SHORT[usize::from(row)], out, at);
        at += 8 + row.count_ones() as usize;
    }
    at
}

/// The last two bytes of units that are no surrogates, or the only one, and which ones are those
/// of a single byte and of three.
#[inline]
#[target_feature(enable = "avx2")]
fn lasts(half: __m256i) -> (__m256i, __m256i, __m256i) {
    let one = without(half, 0xFF80);
    let short = without(half, 0xF800);
    let two = _mm256_or_si256(sixes(half), _mm256_and_si256(short, each(0x40)));
    (_mm256_blendv_epi8(two, half, one), one, short)
}

/// Writes what half a block takes, `at` and on: `lasts`, of units of one byte (`one`) only the
/// first of them; and before those of three (not `short`) the first byte of `half`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_joint(
    half: __m256i,
    (lasts, one, short): (__m256i, __m256i, __m256i),
    out: &mut [Cell; LONG_ROOM],
    start: usize,
) -> usize {
    let firsts = _mm256_or_si256(_mm256_srli_epi16::<12>(half), each(0xE0));
    let less =
        _mm256_packs_epi16(_mm256_unpacklo_epi16(short, one), _mm256_unpackhi_epi16(short, one));
    // Four units a byte.
    let more = (!_mm256_movemask_epi8(less).cast_unsigned()).to_le_bytes();
    let low = _mm256_unpacklo_epi16(firsts, lasts);
    let high = _mm256_unpackhi_epi16(firsts, lasts);
    let quarters = [
        _mm256_castsi256_si128(low),
        _mm256_castsi256_si128(high),
        _mm256_extracti128_si256::<1>(low),
        _mm256_extracti128_si256::<1>(high),
    ];
    let mut at = start;
    for (quarter, row) in quarters.into_iter().zip(more) {
        put_shuffled(quarter, &LONG[usize::from(row)], out, at);
        at += 4 + row.count_ones() as usize;
    }
    at
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_bmp<const BE: bool>([low, high]: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    put(width, out, |place| {
        let at = put_joint(low, lasts(low), place, 0);
        put_joint(high, lasts(high), place, at)
    })
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_any<const BE: bool>(
    vector: Vector,
    _: u32,
    _: u32,
    width: usize,
    out: &mut [Cell],
) -> Option<usize> {
    put(width, out, |place: &mut [Cell; LONG_ROOM]| any_block::<BE>(vector, place))
}

/// Each half of a pair gives two of the four bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn any_block<const BE: bool>([low, high]: Vector, out: &mut [Cell; LONG_ROOM]) -> usize {
    // The unit before each.
    let joints =
        [_mm256_permute2x128_si256::<0x08>(low, low), _mm256_permute2x128_si256::<0x21>(low, high)];
    let mut at = 0;
    for (half, joint) in [low, high].into_iter().zip(joints) {
        let (lasts, one, short) = lasts(half);
        let before = _mm256_alignr_epi8::<14>(half, joint);
        let [first, second] = [with(half, 0xFC00, 0xD800), with(half, 0xFC00, 0xDC00)];
        // 0x40 more is what the surrogates leave out: 0x10000.
        let value = _mm256_add_epi16(half, each(0x2840));
        let head = _mm256_or_si256(_mm256_srli_epi16::<8>(value), each(0x80F0));
        let next = _mm256_and_si256(_mm256_slli_epi16::<6>(value), each(0x3F00));
        let heads = _mm256_or_si256(head, next);
        // A low surrogate starts with 11 in its upper six bits, and where the high one's two
        // lowest bits belong.
        let lowest = _mm256_and_si256(_mm256_slli_epi16::<4>(before), each(0x30));
        let tails = _mm256_or_si256(_mm256_andnot_si256(each(0x30), lasts), lowest);
        let lasts = _mm256_blendv_epi8(lasts, heads, first);
        let lasts = _mm256_blendv_epi8(lasts, tails, second);
        let short = _mm256_or_si256(short, _mm256_or_si256(first, second));
        at = put_joint(half, (lasts, one, short), out, at);
    }
    at
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put_pairs<const BE: bool>(vector: Vector, width: usize, out: &mut [Cell]) -> Option<usize> {
    put(UNITS, out, |place: &mut [Cell; SHORT_ROOM]| {
        pairs_block(vector, place);
        2 * width
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn pairs_block(vector: Vector, out: &mut [Cell; SHORT_ROOM]) {
    let each = |bits: u32| _mm256_set1_epi32(bits.cast_signed());
    let (places, _) = out.as_chunks_mut();
    for (place, half) in places.iter_mut().zip(vector) {
        // The high surrogate is the lower half, and the low one stands above.
        let high = _mm256_add_epi32(_mm256_and_si256(half, each(0x3FF)), each(0x40));
        let a = _mm256_or_si256(_mm256_srli_epi32::<8>(high), each(0x8080_80F0));
        let b = _mm256_and_si256(_mm256_slli_epi32::<6>(high), each(0x3F00));
        let c = _mm256_and_si256(_mm256_slli_epi32::<20>(high), each(0x30_0000));
        let d = _mm256_and_si256(_mm256_srli_epi32::<6>(half), each(0xF_0000));
        let e = _mm256_and_si256(_mm256_slli_epi32::<8>(half), each(0x3F00_0000));
        let ab = _mm256_or_si256(a, b);
        let cde = _mm256_or_si256(c, _mm256_or_si256(d, e));
        store_half(_mm256_or_si256(ab, cde), place);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn copy(from: &[u8; SCRATCH], to: &mut [Cell]) {
    let (from, _) = from.split_at(to.len().min(SCRATCH));
    // Twice the same width, one of them over the other, is any length between.
    for (from, to) in from.chunks_exact(32).zip(to.chunks_exact_mut(32)) {
        if let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut()) {
            store_half(load_half(from), to);
        }
    }
    if let (Some(from), Some(to)) = (from.last_chunk(), to.last_chunk_mut()) {
        store_half(load_half(from), to);
        return;
    }
    if let (Some(first), Some(last)) = (from.first_chunk(), from.last_chunk()) {
        if let Some(to) = to.first_chunk_mut() {
            store_quarter(load_quarter(first), to);
        }
        if let Some(to) = to.last_chunk_mut() {
            store_quarter(load_quarter(last), to);
        }
        return;
    }
    if copy_twice::<8>(from, to) || copy_twice::<4>(from, to) {
        return;
    }
    for (to, from) in to.iter_mut().zip(from) {
        *to = Cell::holding(*from);
    }
}

/// Copies N to 2 N bytes; whether they are no fewer.
#[inline(always)]
fn copy_twice<const N: usize>(from: &[u8], to: &mut [Cell]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut() {
        *to = first.map(Cell::holding);
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = last.map(Cell::holding);
    }
    true
}
