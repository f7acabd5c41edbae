//! AVX-512 F, BW and VL with BMI2: a block is one register, and comparisons give masks.

use super::table;
use super::{kernels, kernels_in_steps, methods};
use crate::arch::isa::{Block, Group, Isa, Validate, blocks, low_bits};
use core::arch::x86_64::{
    __m512i, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_and_si512, _mm512_cmpgt_epi8_mask,
    _mm512_cmpneq_epi8_mask, _mm512_loadu_epi8, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_srli_epi16, _mm512_subs_epu8, _mm512_ternarylogic_epi32, _mm512_test_epi8_mask,
    _pdep_u64,
};

/// That this processor has the tier's instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The token.
    ///
    /// # Safety
    /// The processor and its operating system must support AVX-512 F, BW and VL, AVX2, BMI1, BMI2,
    /// LZCNT and POPCNT.
    #[inline]
    pub(in crate::arch) const unsafe fn new() -> Self {
        Self(())
    }
}

kernels! { Avx512, "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt":
    fn count(bytes: &[u8]) -> usize;
    fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize>;
    fn trimmed_len(bytes: &[u8]) -> usize;
}

kernels_in_steps! { Avx512, "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt":
    fn prefix<const TRIM>(bytes: &[u8], runes: usize) -> usize = ascii_prefix;
    fn validate<const COUNT>(bytes: &[u8]) -> usize = ascii_validate;
}

impl Isa for Avx512 {
    type Vector = __m512i;

    methods! {
        fn load(block: &Block) -> __m512i;
        fn load_partial(bytes: &[u8]) -> __m512i;
        fn non_ascii(vector: __m512i) -> u64;
        fn leads(vector: __m512i) -> u64;
        fn not_blank(vector: __m512i) -> u64;
        fn all_ascii(blocks: &[Block; 4]) -> bool;
        fn count_few(blocks: &[Block]) -> usize;
        fn count_group(group: &Group) -> usize;
        fn count_groups(groups: &[Group]) -> usize;
        fn select(mask: u64, n: u32) -> u32;
    }
}

const FIRST_HIGH: Block = table::repeated(table::FIRST_HIGH);
const FIRST_LOW: Block = table::repeated(table::FIRST_LOW);
const SECOND_HIGH: Block = table::repeated(table::SECOND_HIGH);

/// The block before, and the errors so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State {
    last: __m512i,
    errors: __m512i,
}

impl Validate for Avx512 {
    type State = State;

    methods! {
        fn start() -> State;
        fn check(state: State, vector: __m512i) -> State;
        fn failed(state: State) -> bool;
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &Block) -> __m512i {
    // SAFETY: the pointer is of 64 readable bytes; no alignment is needed.
    unsafe { _mm512_loadu_epi8(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn load_partial(bytes: &[u8]) -> __m512i {
    let there = low_bits(bytes.len());
    // SAFETY: bytes whose bit is 0 are not read, and the bits that are 1 are those of the first
    // 64 bytes at most of the slice; no alignment is needed.
    unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn non_ascii(vector: __m512i) -> u64 {
    _mm512_movepi8_mask(vector)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn leads(vector: __m512i) -> u64 {
    _mm512_cmpgt_epi8_mask(vector, _mm512_set1_epi8(-65))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn not_blank(vector: __m512i) -> u64 {
    _mm512_cmpneq_epi8_mask(vector, _mm512_set1_epi8(0x20))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn all_ascii(blocks: &[Block; 4]) -> bool {
    let [a, b, c, d] = blocks;
    let ab = _mm512_or_si512(load(a), load(b));
    let all = _mm512_ternarylogic_epi32::<0xFE>(ab, load(c), load(d));
    _mm512_movepi8_mask(all) == 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_few(blocks: &[Block]) -> usize {
    // In steps: compilers unroll a loop until few blocks pay for its set-up.
    let (fours, rest) = blocks.as_chunks::<4>();
    let mut total = 0;
    for four in fours {
        total += count_some(four);
    }
    if let Some(two) = rest.first_chunk::<2>() {
        total += count_some(two);
    }
    if rest.len() % 2 == 1
        && let Some(last) = rest.last_chunk::<1>()
    {
        total += count_some(last);
    }
    total
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_some<const N: usize>(blocks: &[Block; N]) -> usize {
    let mut total = 0;
    for block in blocks {
        total += leads(load(block)).count_ones() as usize;
    }
    total
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_group(group: &Group) -> usize {
    count_some(blocks(group))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_groups(groups: &[Group]) -> usize {
    let mut total = 0;
    for group in groups {
        total += count_group(group);
    }
    total
}

#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn select(mask: u64, n: u32) -> u32 {
    _pdep_u64(1 << n, mask).trailing_zeros()
}

#[inline]
#[target_feature(enable = "avx512f")]
fn start() -> State {
    State { last: _mm512_setzero_si512(), errors: _mm512_setzero_si512() }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn failed(state: State) -> bool {
    _mm512_test_epi8_mask(state.errors, state.errors) != 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn check(state: State, vector: __m512i) -> State {
    // The byte 1, 2 and 3 places before each.
    let joint = _mm512_alignr_epi64::<6>(vector, state.last);
    let before1 = _mm512_alignr_epi8::<15>(vector, joint);
    let before2 = _mm512_alignr_epi8::<14>(vector, joint);
    let before3 = _mm512_alignr_epi8::<13>(vector, joint);
    let half = _mm512_set1_epi8(0x0F);
    let high = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), half);
    let pairs = _mm512_ternarylogic_epi32::<0x80>(
        _mm512_shuffle_epi8(load(&FIRST_HIGH), high(before1)),
        _mm512_shuffle_epi8(load(&FIRST_LOW), _mm512_and_si512(before1, half)),
        _mm512_shuffle_epi8(load(&SECOND_HIGH), high(vector)),
    );
    // The highest bit where a lead two or three places before asks for a continuation byte.
    let third = _mm512_subs_epu8(before2, _mm512_set1_epi8(0x60));
    let fourth = _mm512_subs_epu8(before3, _mm512_set1_epi8(0x70));
    // 0x80 & (third | fourth)
    let asked = _mm512_ternarylogic_epi32::<0xE0>(_mm512_set1_epi8(-128), third, fourth);
    // errors | (asked ^ pairs)
    let errors = _mm512_ternarylogic_epi32::<0xF6>(state.errors, asked, pairs);
    State { last: vector, errors }
}
