//! Validation on AVX-512 with VBMI: tables of 64 entries, whose instruction looks at six bits of a
//! byte and drops the others.

use super::transcode::Vbmi2;
use super::{
    State, all_ascii, before, checked, count_few, count_group, count_groups, failed, fours, keep,
    leads, load, load_partial, non_ascii, not_blank, select, start, table,
};
use super::{kernels_in_steps, methods};
use crate::arch::isa::{Block, Group, Isa, Validate};
use core::arch::x86_64::{
    __m512i, _mm512_permutexvar_epi8, _mm512_srli_epi16, _mm512_ternarylogic_epi32,
};

kernels_in_steps! {
    Vbmi2, "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt":
    fn prefix<const TRIM>(bytes: &[u8], runes: usize) -> usize = ascii_prefix;
    fn validate<const COUNT>(bytes: &[u8]) -> usize = ascii_validate;
}

impl Isa for Vbmi2 {
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

impl Validate for Vbmi2 {
    type State = State;

    methods! {
        fn start() -> State;
        fn keep(vector: __m512i, n: usize) -> __m512i;
        fn check(state: State, vector: __m512i) -> State;
        fn failed(state: State) -> bool;
    }
}

const FIRST_HIGH: Block = table::by_six_bits(table::FIRST_HIGH);
const FIRST_LOW: Block = table::repeated(table::FIRST_LOW);
const SECOND_HIGH: Block = table::by_six_bits(table::SECOND_HIGH);

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn check(state: State, vector: __m512i) -> State {
    let [one, two, three] = before(state.last, vector);
    // What moves in from the byte above is dropped.
    let high = |bytes| _mm512_srli_epi16::<2>(bytes);
    let pairs = _mm512_ternarylogic_epi32::<0x80>(
        _mm512_permutexvar_epi8(high(one), load(&FIRST_HIGH)),
        _mm512_permutexvar_epi8(one, load(&FIRST_LOW)),
        _mm512_permutexvar_epi8(high(vector), load(&SECOND_HIGH)),
    );
    checked(state, vector, pairs, two, three)
}
