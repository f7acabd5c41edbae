//! SSSE3 with SSE4.1 and POPCNT: what its instructions do for 16 bytes, and the algorithms of
//! [`sixteen`] compiled for it.

use super::{Ssse3, kernels, methods, sixteen, tables};
use crate::arch::cell::Cell;
use crate::arch::scan::{Classes, Scan};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_alignr_epi8, _mm_and_si128, _mm_andnot_si128, _mm_blendv_epi8,
    _mm_castps_si128, _mm_castsi128_ps, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_cvtsi64_si128,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_shuffle_ps, _mm_slli_epi16, _mm_srli_epi16,
    _mm_srli_si128, _mm_storeu_si128, _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
};

const BLOCK: usize = 16;

kernels! { Ssse3, "ssse3,sse4.1,popcnt":
    /// How many bytes of `value`, at least 16, need an escape.
    fn count_escapes(value: &[u8]) -> usize = sixteen::count_escapes;
    /// How many escapes `value`, at least 16 bytes, has; `None` when it breaks the grammar.
    fn scan(value: &[u8]) -> Option<usize> = scan_all;
    /// Writes the octets of `value`, at least 16 bytes that keep to the grammar, to `out`.
    fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize> = sixteen::decode;
    /// Writes what `value`, at least 16 bytes, is encoded to, to `out`, which is as long.
    fn encode(value: &[u8], out: &mut [Cell]) -> () = encode_all;
}

#[inline(always)]
fn scan_all(isa: Ssse3, value: &[u8]) -> Option<usize> {
    sixteen::scan(isa, value, value.last_chunk()?, Scan::default())
}

#[inline(always)]
fn encode_all(isa: Ssse3, value: &[u8], out: &mut [Cell]) {
    // `None`, had `out` another length.
    let _ = sixteen::encode_end(isa, value, value, out, 0);
}

impl Ssse3 {
    methods! {
        fn load(block: &[u8; BLOCK]) -> __m128i;
        fn store(room: &mut [Cell; BLOCK], vector: __m128i) -> ();
        /// The bytes as two words, the first lowest.
        fn words(vector: __m128i) -> [u64; 2];
        /// The bytes whose first bit is set.
        fn mask(vector: __m128i) -> u32;
        /// The last `n` bytes of `vector`, at most 16, with zeros behind.
        fn keep_last(vector: __m128i, n: usize) -> __m128i;
        /// All ones where a byte needs an escape.
        fn escaped(vector: __m128i) -> __m128i;
        /// Writes the escapes of 16 bytes.
        fn store_escapes(vector: __m128i, room: &mut [Cell; 3 * BLOCK]) -> ();
        /// Bytes four at a time: their digits, each two, and what is written first of each.
        fn groups(vector: __m128i, escaped: __m128i) -> [__m128i; 4];
        /// What a group is written as when those in the lowest four bits of `set` are escaped.
        fn written(group: __m128i, set: usize) -> __m128i;
        /// What bytes are, as the grammar sees them.
        fn classes(vector: __m128i) -> Classes;
        /// The bytes that are `%`.
        fn percents(vector: __m128i) -> __m128i;
        /// `vector` with the octets of escapes in place of the `%` in `percents`; `following` is
        /// the next block.
        fn octets(vector: __m128i, following: __m128i, percents: __m128i) -> __m128i;
        /// The bytes of each half that are in `kept`, moved to its front.
        fn compressed(vector: __m128i, kept: [usize; 2]) -> [u64; 2];
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(block: &[u8; BLOCK]) -> __m128i {
    // SAFETY: the pointer is of 16 readable bytes; no alignment is needed.
    unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(room: &mut [Cell; BLOCK], vector: __m128i) {
    // SAFETY: the pointer is of 16 writable bytes; no alignment is needed.
    unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn words(vector: __m128i) -> [u64; 2] {
    let upper = _mm_unpackhi_epi64(vector, vector);
    [vector, upper].map(|vector| _mm_cvtsi128_si64(vector).cast_unsigned())
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn mask(vector: __m128i) -> u32 {
    _mm_movemask_epi8(vector).cast_unsigned()
}

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

/// The low nibbles.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn low(vector: __m128i) -> __m128i {
    _mm_and_si128(vector, _mm_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn escaped(vector: __m128i) -> __m128i {
    // A byte of 0x80 and above finds nothing in the first table.
    let low = _mm_shuffle_epi8(load(&tables::LOW), vector);
    let high = _mm_shuffle_epi8(load(&tables::HIGH), high(vector));
    _mm_cmpeq_epi8(_mm_and_si128(low, high), _mm_setzero_si128())
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn store_escapes(vector: __m128i, room: &mut [Cell; 3 * BLOCK]) {
    const FIRST: [[u8; 16]; 3] = tables::spread(1);
    const SECOND: [[u8; 16]; 3] = tables::spread(2);
    let first = _mm_shuffle_epi8(load(&tables::DIGITS), high(vector));
    let second = _mm_shuffle_epi8(load(&tables::DIGITS), low(vector));
    let (parts, _) = room.as_chunks_mut::<BLOCK>();
    for (i, part) in parts.iter_mut().enumerate() {
        let first = _mm_shuffle_epi8(first, load(&FIRST[i]));
        let second = _mm_shuffle_epi8(second, load(&SECOND[i]));
        let digits = _mm_or_si128(first, second);
        store(part, _mm_or_si128(digits, load(&tables::PERCENTS[i])));
    }
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn groups(vector: __m128i, escaped: __m128i) -> [__m128i; 4] {
    let digits = load(&tables::DIGITS);
    let first = _mm_shuffle_epi8(digits, high(vector));
    let second = _mm_shuffle_epi8(digits, low(vector));
    let percent = _mm_set1_epi8(b'%'.cast_signed());
    let lead = _mm_castsi128_ps(_mm_blendv_epi8(vector, percent, escaped));
    let low = _mm_castsi128_ps(_mm_unpacklo_epi8(first, second));
    let high = _mm_castsi128_ps(_mm_unpackhi_epi8(first, second));
    [
        _mm_castps_si128(_mm_shuffle_ps::<0b00_00_01_00>(low, lead)),
        _mm_castps_si128(_mm_shuffle_ps::<0b01_01_11_10>(low, lead)),
        _mm_castps_si128(_mm_shuffle_ps::<0b10_10_01_00>(high, lead)),
        _mm_castps_si128(_mm_shuffle_ps::<0b11_11_11_10>(high, lead)),
    ]
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn written(group: __m128i, set: usize) -> __m128i {
    _mm_shuffle_epi8(group, load(&tables::GROUPS[set & 15]))
}

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

#[inline]
#[target_feature(enable = "sse2")]
fn percents(vector: __m128i) -> __m128i {
    _mm_cmpeq_epi8(vector, _mm_set1_epi8(b'%'.cast_signed()))
}

/// The values of hexadecimal digits.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn digit_values(vector: __m128i) -> __m128i {
    // The low nibble of a letter is 9 less than its value.
    let letter = _mm_cmpgt_epi8(vector, _mm_set1_epi8(b'9'.cast_signed()));
    _mm_add_epi8(low(vector), _mm_and_si128(letter, _mm_set1_epi8(9)))
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn octets(vector: __m128i, following: __m128i, percents: __m128i) -> __m128i {
    let first = digit_values(_mm_alignr_epi8::<1>(following, vector));
    let second = digit_values(_mm_alignr_epi8::<2>(following, vector));
    // Values up to 15: none is shifted into its neighbour.
    let octets = _mm_or_si128(_mm_slli_epi16::<4>(first), second);
    _mm_blendv_epi8(vector, octets, percents)
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_half(half: &[u8; 8]) -> __m128i {
    _mm_cvtsi64_si128(u64::from_le_bytes(*half).cast_signed())
}

#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
fn compressed(vector: __m128i, kept: [usize; 2]) -> [u64; 2] {
    let [low, high] = kept.map(|kept| &tables::COMPRESS[kept & 0xFF]);
    let low = _mm_shuffle_epi8(vector, load_half(low));
    let high = _mm_shuffle_epi8(_mm_srli_si128::<8>(vector), load_half(high));
    [low, high].map(|half| _mm_cvtsi128_si64(half).cast_unsigned())
}
