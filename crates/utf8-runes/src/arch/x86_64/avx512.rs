//! AVX-512 F, BW and VL with BMI2: a block is one register, and comparisons give masks.

mod from_utf8;
mod transcode;
mod utf16;
mod validate;

pub(in crate::arch) use utf16::{utf16_count, utf16_first_lone, utf16_utf8_len, utf16_walk};

use transcode::Vbmi2;

use super::table;
use super::{avx2::Avx2, kernels, kernels_in_steps, methods};
use crate::arch::cell::Cell;
use crate::arch::isa::{Block, Group, Isa, Validate, blocks, low_bits};
use crate::arch::units::Encoded;
use core::arch::x86_64::{
    __m512i, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_and_si512, _mm512_cmpge_epu8_mask,
    _mm512_cmpgt_epi8_mask, _mm512_cmpneq_epi8_mask, _mm512_loadu_epi8, _mm512_maskz_loadu_epi8,
    _mm512_maskz_mov_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_subs_epu8,
    _mm512_ternarylogic_epi32, _mm512_test_epi8_mask, _pdep_u64,
};

/// That this processor has the tier's instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512 {
    /// What it has beyond them.
    vbmi2: Option<Vbmi2>,
}

impl Avx512 {
    /// The token.
    ///
    /// # Safety
    /// The processor and its operating system must support AVX-512 F, BW and VL, AVX2, BMI1, BMI2,
    /// LZCNT and POPCNT; with `vbmi2`, also AVX-512 VBMI and VBMI2.
    #[inline]
    pub(in crate::arch) const unsafe fn new(vbmi2: bool) -> Self {
        if !vbmi2 {
            return Self { vbmi2: None };
        }
        // SAFETY: the caller vouches for them as well.
        Self { vbmi2: Some(unsafe { Vbmi2::new() }) }
    }

    /// The token of VBMI and VBMI2, if the processor has them.
    #[inline]
    pub(in crate::arch) const fn vbmi2(self) -> Option<Vbmi2> {
        self.vbmi2
    }
}

kernels! { Avx512, "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt":
    fn count(bytes: &[u8]) -> usize;
    fn nth_lead(bytes: &[u8], n: usize) -> Result<usize, usize>;
    fn trimmed_len(bytes: &[u8]) -> usize;
    fn utf16_len(bytes: &[u8]) -> usize;
    fn nth_lead_utf16(bytes: &[u8], limit: usize) -> Option<usize>;
}

/// Where there are no tables of six bits.
mod four_bits {
    use super::{Avx512, kernels_in_steps};

    kernels_in_steps! { Avx512, "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt":
        fn prefix<const TRIM>(bytes: &[u8], runes: usize) -> usize = ascii_prefix;
        fn validate<const COUNT>(bytes: &[u8]) -> usize = ascii_validate;
    }
}

/// The kernel of VBMI where there is that.
macro_rules! with_vbmi2 {
    ($(fn $name:ident<const $flag:ident>($($arg:ident: $type:ty),*) -> $out:ty;)*) => {$(
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
        pub(in crate::arch) fn $name<const $flag: bool>(isa: Avx512, $($arg: $type),*) -> $out {
            match isa.vbmi2() {
                // SAFETY: the token exists only where the processor has what the function needs.
                Some(isa) => unsafe { validate::$name::<$flag>(isa, $($arg),*) },
                None => four_bits::$name::<$flag>(isa, $($arg),*),
            }
        }
    )*};
}

with_vbmi2! {
    fn prefix<const TRIM>(bytes: &[u8], runes: usize) -> Option<usize>;
    fn validate<const COUNT>(bytes: &[u8]) -> Option<usize>;
}

/// Writes `units` as UTF-8 to the start of `out`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn utf16_encode<const BE: bool>(
    isa: Avx512,
    units: &[[u8; 2]],
    out: &mut [Cell],
) -> Encoded {
    match isa.vbmi2() {
        // SAFETY: the token exists only where the processor has what the function needs.
        Some(isa) => unsafe { transcode::utf16_encode::<BE>(isa, units, out) },
        None => {
            // SAFETY: what AVX2's needs is part of what `isa` stands for.
            let avx2 = unsafe { Avx2::new(true) };
            super::avx2::utf16_encode::<BE>(avx2, units, out)
        }
    }
}

/// Writes `text`, which is well-formed, to the start of `out`: how many units.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) fn utf8_to_utf16(
    isa: Avx512,
    text: &[u8],
    out: &mut [[Cell; 2]],
) -> Option<usize> {
    match isa.vbmi2() {
        // SAFETY: the token exists only where the processor has what the function needs.
        Some(isa) => unsafe { from_utf8::utf8_to_utf16(isa, text, out) },
        None => {
            // SAFETY: what AVX2's needs is part of what `isa` stands for.
            let avx2 = unsafe { Avx2::new(true) };
            super::avx2::utf8_to_utf16(avx2, text, out)
        }
    }
}

impl Isa for Avx512 {
    type Vector = __m512i;

    methods! {
        fn load(block: &Block) -> __m512i;
        fn load_partial(bytes: &[u8]) -> __m512i;
        fn non_ascii(vector: __m512i) -> u64;
        fn leads(vector: __m512i) -> u64;
        fn not_blank(vector: __m512i) -> u64;
        fn fours(vector: __m512i) -> u64;
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
        fn keep(vector: __m512i, n: usize) -> __m512i;
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

/// The bytes of `byte` and above.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn at_least(vector: __m512i, byte: u8) -> u64 {
    _mm512_cmpge_epu8_mask(vector, _mm512_set1_epi8(byte.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn fours(vector: __m512i) -> u64 {
    at_least(vector, 0xF0)
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
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn keep(vector: __m512i, n: usize) -> __m512i {
    _mm512_maskz_mov_epi8(low_bits(n), vector)
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

/// The byte 1, 2 and 3 places before each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn before(last: __m512i, vector: __m512i) -> [__m512i; 3] {
    let joint = _mm512_alignr_epi64::<6>(vector, last);
    [
        _mm512_alignr_epi8::<15>(vector, joint),
        _mm512_alignr_epi8::<14>(vector, joint),
        _mm512_alignr_epi8::<13>(vector, joint),
    ]
}

/// One more block, of which `pairs` are the errors that pairs of bytes show.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn checked(state: State, vector: __m512i, pairs: __m512i, two: __m512i, three: __m512i) -> State {
    // The highest bit where a lead two or three places before asks for a continuation byte.
    let third = _mm512_subs_epu8(two, _mm512_set1_epi8(0x60));
    let fourth = _mm512_subs_epu8(three, _mm512_set1_epi8(0x70));
    // 0x80 & (third | fourth)
    let asked = _mm512_ternarylogic_epi32::<0xE0>(_mm512_set1_epi8(-128), third, fourth);
    // errors | (asked ^ pairs)
    let errors = _mm512_ternarylogic_epi32::<0xF6>(state.errors, asked, pairs);
    State { last: vector, errors }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn check(state: State, vector: __m512i) -> State {
    let [one, two, three] = before(state.last, vector);
    let half = _mm512_set1_epi8(0x0F);
    let high = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), half);
    let pairs = _mm512_ternarylogic_epi32::<0x80>(
        _mm512_shuffle_epi8(load(&FIRST_HIGH), high(one)),
        _mm512_shuffle_epi8(load(&FIRST_LOW), _mm512_and_si512(one, half)),
        _mm512_shuffle_epi8(load(&SECOND_HIGH), high(vector)),
    );
    checked(state, vector, pairs, two, three)
}
