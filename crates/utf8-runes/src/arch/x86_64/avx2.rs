//! AVX2 with BMI1, BMI2, LZCNT and POPCNT: a block is two registers.

mod from_utf8;
mod transcode;
mod utf16;

pub(in crate::arch) use from_utf8::utf8_to_utf16;
pub(in crate::arch) use transcode::utf16_encode;
pub(in crate::arch) use utf16::{utf16_count, utf16_first_lone, utf16_utf8_len, utf16_walk};

use super::table;
use super::{kernels, kernels_in_steps, methods};
use crate::arch::isa::{Block, GROUP, Group, Isa, Validate, blocks, select_by_bytes};
use core::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_alignr_epi8, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_cmpeq_epi32, _mm256_cmpgt_epi8, _mm256_cmpgt_epi32,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_maskload_epi32, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_sad_epu8,
    _mm256_set1_epi8, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_sub_epi8, _mm256_subs_epu8, _mm256_testz_si256,
    _mm256_xor_si256, _pdep_u64,
};

/// That this processor has the tier's instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2 {
    /// Whether `pdep` is an instruction and not microcode, as it is up to Zen 2.
    pdep: bool,
}

impl Avx2 {
    /// The token.
    ///
    /// # Safety
    /// The processor and its operating system must support AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[inline]
    pub(in crate::arch) const unsafe fn new(pdep: bool) -> Self {
        Self { pdep }
    }
}

kernels! { Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt":
    fn count(bytes: &[u8]) -> usize;
    fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize>;
    fn trimmed_len(bytes: &[u8]) -> usize;
    fn utf16_len(bytes: &[u8]) -> usize;
    fn nth_lead_utf16(bytes: &[u8], limit: usize) -> Option<usize>;
}

kernels_in_steps! { Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt":
    fn prefix<const TRIM>(bytes: &[u8], runes: usize) -> usize = ascii_prefix;
    fn validate<const COUNT>(bytes: &[u8]) -> usize = ascii_validate;
}

/// The lower and the upper half of a block.
type Vector = [__m256i; 2];

impl Isa for Avx2 {
    type Vector = Vector;

    methods! {
        fn load(block: &Block) -> Vector;
        fn load_partial(bytes: &[u8]) -> Vector;
        fn non_ascii(vector: Vector) -> u64;
        fn leads(vector: Vector) -> u64;
        fn not_blank(vector: Vector) -> u64;
        fn fours(vector: Vector) -> u64;
        fn all_ascii(blocks: &[Block; 4]) -> bool;
        fn count_few(blocks: &[Block]) -> usize;
        fn count_group(group: &Group) -> usize;
        fn count_groups(groups: &[Group]) -> usize;
    }

    #[inline(always)]
    fn select(self, mask: u64, n: u32) -> u32 {
        if self.pdep {
            // SAFETY: the function needs features of the tier; `self`, its token, exists only
            // where they are there (`new`).
            unsafe { select(mask, n) }
        } else {
            select_by_bytes(mask, n)
        }
    }
}

const FIRST_HIGH: [u8; 32] = table::repeated(table::FIRST_HIGH);
const FIRST_LOW: [u8; 32] = table::repeated(table::FIRST_LOW);
const SECOND_HIGH: [u8; 32] = table::repeated(table::SECOND_HIGH);

/// 0 to 63.
const PLACES: Block = {
    let mut places = [0; 64];
    let mut at = 0;
    while at < 64 {
        places[at] = at as u8;
        at += 1;
    }
    places
};

/// The half before, and the errors so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    last: __m256i,
    errors: __m256i,
}

impl Validate for Avx2 {
    type State = State;

    methods! {
        fn start() -> State;
        fn keep(vector: Vector, n: usize) -> Vector;
        fn check(state: State, vector: Vector) -> State;
        fn failed(state: State) -> bool;
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_half(half: &[u8; 32]) -> __m256i {
    // SAFETY: the pointer is of 32 readable bytes; no alignment is needed.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> Vector {
    let (halves, _) = block.as_chunks::<32>();
    [load_half(&halves[0]), load_half(&halves[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_partial(bytes: &[u8]) -> Vector {
    match bytes.split_first_chunk::<32>() {
        Some((half, rest)) => [load_half(half), load_partial_half(rest)],
        None => [load_partial_half(bytes), _mm256_setzero_si256()],
    }
}

/// At most 32 bytes, with zeros behind: the whole words by a masked load, the bytes of the last
/// word put into their place.
#[inline]
#[target_feature(enable = "avx2")]
fn load_partial_half(bytes: &[u8]) -> __m256i {
    if let Some(half) = bytes.first_chunk() {
        return load_half(half);
    }
    let (words, rest) = bytes.as_chunks::<4>();
    let at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let count = _mm256_set1_epi32(words.len() as i32);
    let there = _mm256_cmpgt_epi32(count, at);
    // SAFETY: words whose mask is 0 are not read; those below `count` are whole words of the
    // slice. No alignment is needed.
    let whole = unsafe { _mm256_maskload_epi32(bytes.as_ptr().cast(), there) };
    let last = match (bytes.last_chunk::<4>(), rest) {
        (_, []) => return whole,
        (Some(last), rest) => u32::from_le_bytes(*last) >> (8 * (4 - rest.len())),
        (None, rest) => rest.iter().rfold(0, |word, byte| word << 8 | u32::from(*byte)),
    };
    let last = _mm256_set1_epi32(last.cast_signed());
    _mm256_blendv_epi8(whole, last, _mm256_cmpeq_epi32(count, at))
}

/// The highest bit of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: Vector) -> u64 {
    let low = _mm256_movemask_epi8(low).cast_unsigned();
    let high = _mm256_movemask_epi8(high).cast_unsigned();
    u64::from(low) | u64::from(high) << 32
}

#[inline]
#[target_feature(enable = "avx2")]
fn non_ascii(vector: Vector) -> u64 {
    mask(vector)
}

#[inline]
#[target_feature(enable = "avx2")]
fn leads([low, high]: Vector) -> u64 {
    let limit = _mm256_set1_epi8(-65);
    mask([_mm256_cmpgt_epi8(low, limit), _mm256_cmpgt_epi8(high, limit)])
}

#[inline]
#[target_feature(enable = "avx2")]
fn not_blank([low, high]: Vector) -> u64 {
    let blank = _mm256_set1_epi8(0x20);
    !mask([_mm256_cmpeq_epi8(low, blank), _mm256_cmpeq_epi8(high, blank)])
}

/// The bytes of `byte` and above.
#[inline]
#[target_feature(enable = "avx2")]
fn at_least([low, high]: Vector, byte: u8) -> u64 {
    let limit = _mm256_set1_epi8(byte.cast_signed());
    // As the larger of both it is itself.
    let half = |half| _mm256_cmpeq_epi8(half, _mm256_max_epu8(half, limit));
    mask([half(low), half(high)])
}

#[inline]
#[target_feature(enable = "avx2")]
fn fours(vector: Vector) -> u64 {
    at_least(vector, 0xF0)
}

#[inline]
#[target_feature(enable = "avx2")]
fn all_ascii(blocks: &[Block; 4]) -> bool {
    let mut all = _mm256_setzero_si256();
    for block in blocks {
        let [low, high] = load(block);
        all = _mm256_or_si256(all, _mm256_or_si256(low, high));
    }
    _mm256_movemask_epi8(all) == 0
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn count_few(blocks: &[Block]) -> usize {
    match blocks {
        [] => 0,
        [block] => leads(load(block)).count_ones() as usize,
        blocks => sum_of(count_lanes(blocks)),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_group(group: &Group) -> usize {
    sum_of(count_lanes(blocks(group)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_groups(groups: &[Group]) -> usize {
    let mut total = _mm256_setzero_si256();
    for group in groups {
        total = _mm256_add_epi64(total, count_lanes(blocks(group)));
    }
    sum_of(total)
}

/// The leads of at most a group, in four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn count_lanes(blocks: &[Block]) -> __m256i {
    // A comparison that holds is -1: no byte of the sums passes the number of blocks.
    const { assert!(GROUP <= 255) };
    let zeros = _mm256_setzero_si256();
    let limit = _mm256_set1_epi8(-65);
    let (mut lows, mut highs) = (zeros, zeros);
    for block in blocks {
        let [low, high] = load(block);
        lows = _mm256_sub_epi8(lows, _mm256_cmpgt_epi8(low, limit));
        highs = _mm256_sub_epi8(highs, _mm256_cmpgt_epi8(high, limit));
    }
    _mm256_add_epi64(_mm256_sad_epu8(lows, zeros), _mm256_sad_epu8(highs, zeros))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum_of(four: __m256i) -> usize {
    let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
}

#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn select(mask: u64, n: u32) -> u32 {
    _pdep_u64(1 << n, mask).trailing_zeros()
}

#[inline]
#[target_feature(enable = "avx2")]
fn keep([low, high]: Vector, n: usize) -> Vector {
    let places = load(&PLACES);
    let n = _mm256_set1_epi8(n as i8);
    [
        _mm256_and_si256(low, _mm256_cmpgt_epi8(n, places[0])),
        _mm256_and_si256(high, _mm256_cmpgt_epi8(n, places[1])),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn start() -> State {
    State { last: _mm256_setzero_si256(), errors: _mm256_setzero_si256() }
}

#[inline]
#[target_feature(enable = "avx2")]
fn failed(state: State) -> bool {
    _mm256_testz_si256(state.errors, state.errors) == 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn check(state: State, [low, high]: Vector) -> State {
    let errors = _mm256_or_si256(errors(state.last, low), errors(low, high));
    State { last: high, errors: _mm256_or_si256(state.errors, errors) }
}

/// Not 0 where `half`, behind `last`, is malformed.
#[inline]
#[target_feature(enable = "avx2")]
fn errors(last: __m256i, half: __m256i) -> __m256i {
    // The byte 1, 2 and 3 places before each.
    let joint = _mm256_permute2x128_si256::<0x21>(last, half);
    let before1 = _mm256_alignr_epi8::<15>(half, joint);
    let before2 = _mm256_alignr_epi8::<14>(half, joint);
    let before3 = _mm256_alignr_epi8::<13>(half, joint);
    let low_half = _mm256_set1_epi8(0x0F);
    let high = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low_half);
    let first = _mm256_and_si256(
        _mm256_shuffle_epi8(load_half(&FIRST_HIGH), high(before1)),
        _mm256_shuffle_epi8(load_half(&FIRST_LOW), _mm256_and_si256(before1, low_half)),
    );
    let pairs = _mm256_and_si256(first, _mm256_shuffle_epi8(load_half(&SECOND_HIGH), high(half)));
    // The highest bit where a lead two or three places before asks for a continuation byte.
    let third = _mm256_subs_epu8(before2, _mm256_set1_epi8(0x60));
    let fourth = _mm256_subs_epu8(before3, _mm256_set1_epi8(0x70));
    let asked = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(-128));
    _mm256_xor_si256(asked, pairs)
}
