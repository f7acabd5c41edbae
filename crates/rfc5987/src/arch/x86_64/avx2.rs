//! AVX2: 32 bytes at a time, and for what is fewer [`sixteen`], which is compiled for it.

use super::{Avx2, kernels, methods, sixteen, tables};
use crate::arch::cell::Cell;
use crate::arch::scan::{Classes, Scan};
use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_storeu_si128, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_ps, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};

const BLOCK: usize = 32;

kernels! { Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt":
    /// How many bytes of `value`, at least 16, need an escape.
    fn count_escapes(value: &[u8]) -> usize = count_blocks;
    /// How many escapes `value`, at least 16 bytes, has; `None` when it breaks the grammar.
    fn scan(value: &[u8]) -> Option<usize> = scan_blocks;
    /// Writes the octets of `value`, at least 16 bytes that keep to the grammar, to `out`.
    fn decode(value: &[u8], out: &mut [Cell]) -> Option<usize> = decode_blocks;
    /// Writes what `value`, at least 16 bytes, is encoded to, to `out`, which is as long.
    fn encode(value: &[u8], out: &mut [Cell]) -> () = encode_all;
}

#[inline(always)]
fn count_blocks(isa: Avx2, value: &[u8]) -> usize {
    let set = |block: &[u8; BLOCK]| isa.mask(isa.escaped(isa.load(block)));
    let Some(last) = value.last_chunk() else {
        return sixteen::count_escapes(isa.ssse3(), value);
    };
    let (blocks, tail) = value.as_chunks();
    let mut total = 0;
    for block in blocks {
        total += set(block).count_ones() as usize;
    }
    if !tail.is_empty() {
        total += (set(last) >> (BLOCK - tail.len())).count_ones() as usize;
    }
    total
}

#[inline(always)]
fn scan_blocks(isa: Avx2, value: &[u8]) -> Option<usize> {
    let (blocks, tail) = value.as_chunks();
    let mut scan = Scan::default();
    for block in blocks {
        scan.step::<32>(isa.classes(isa.load(block)));
    }
    sixteen::scan(isa.ssse3(), tail, value.last_chunk()?, scan)
}

#[inline(always)]
fn decode_blocks(isa: Avx2, value: &[u8], out: &mut [Cell]) -> Option<usize> {
    sixteen::decode(isa.ssse3(), value, out)
}

#[inline(always)]
fn encode_all(isa: Avx2, value: &[u8], out: &mut [Cell]) {
    // `None`, had `out` another length.
    let _ = encode_blocks(isa, value, out);
}

#[inline(always)]
fn encode_blocks(isa: Avx2, value: &[u8], out: &mut [Cell]) -> Option<()> {
    let mut rest = value;
    let mut at = 0;
    while let Some((block, behind)) = rest.split_first_chunk() {
        let vector = isa.load(block);
        let escaped = isa.escaped(vector);
        let set = isa.mask(escaped);
        if set == 0 {
            isa.store(sixteen::next(out, at)?, vector);
            at += BLOCK;
        } else if set == u32::MAX {
            isa.store_escapes(vector, sixteen::next(out, at)?);
            at += 3 * BLOCK;
        } else {
            let room = out.get_mut(at..)?;
            if !store_groups(isa, isa.groups(vector, escaped), set as usize, room) {
                break;
            }
            at += sixteen::encoded_len(BLOCK, set as usize);
        }
        rest = behind;
    }
    sixteen::encode_end(isa.ssse3(), value, rest, out, at)
}

/// Writes 32 bytes, of which those in `set` are escaped, to the front of `room`, unless there is
/// too little to store a whole register for each four of them; whether it has. What lies behind
/// them may change, too.
#[inline(always)]
fn store_groups(isa: Avx2, groups: [__m256i; 4], set: usize, room: &mut [Cell]) -> bool {
    if room.len() < sixteen::encoded_len(BLOCK - 4, set) + 16 {
        return false;
    }
    let [a, b, c, d] = groups;
    let [a, e] = isa.written(a, [set, set >> 16]);
    let [b, f] = isa.written(b, [set >> 4, set >> 20]);
    let [c, g] = isa.written(c, [set >> 8, set >> 24]);
    let [d, h] = isa.written(d, [set >> 12, set >> 28]);
    // Each overwrites what the one before has written too much.
    let mut put = |before, written| {
        if let Some(room) = sixteen::next(room, sixteen::encoded_len(before, set)) {
            isa.store_half(room, written);
        }
    };
    put(0, a);
    put(4, b);
    put(8, c);
    put(12, d);
    put(16, e);
    put(20, f);
    put(24, g);
    put(28, h);
    true
}

impl Avx2 {
    methods! {
        fn load(block: &[u8; BLOCK]) -> __m256i;
        fn store(room: &mut [Cell; BLOCK], vector: __m256i) -> ();
        fn store_half(room: &mut [Cell; BLOCK / 2], half: __m128i) -> ();
        /// The bytes whose first bit is set.
        fn mask(vector: __m256i) -> u32;
        /// All ones where a byte needs an escape.
        fn escaped(vector: __m256i) -> __m256i;
        /// Writes the escapes of 32 bytes.
        fn store_escapes(vector: __m256i, room: &mut [Cell; 3 * BLOCK]) -> ();
        /// Bytes of each half four at a time: their digits, each two, and what is written first of
        /// each.
        fn groups(vector: __m256i, escaped: __m256i) -> [__m256i; 4];
        /// What a group is written as when those in the lowest four bits of `sets`, of each half,
        /// are escaped.
        fn written(group: __m256i, sets: [usize; 2]) -> [__m128i; 2];
        /// What bytes are, as the grammar sees them.
        fn classes(vector: __m256i) -> Classes;
    }
}

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

#[inline]
#[target_feature(enable = "avx2")]
fn load_half(half: &[u8; BLOCK / 2]) -> __m128i {
    // SAFETY: the pointer is of 16 readable bytes; no alignment is needed.
    unsafe { _mm_loadu_si128(half.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_half(room: &mut [Cell; BLOCK / 2], half: __m128i) {
    // SAFETY: the pointer is of 16 writable bytes; no alignment is needed.
    unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), half) }
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

#[inline]
#[target_feature(enable = "avx2")]
fn escaped(vector: __m256i) -> __m256i {
    // A byte of 0x80 and above finds nothing in the first table.
    let low = _mm256_shuffle_epi8(load(&LOW), vector);
    let high = _mm256_shuffle_epi8(load(&HIGH), high(vector));
    _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256())
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(vector: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector)]
}

/// The digits of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn digits(vector: __m256i) -> [__m256i; 2] {
    const DIGITS: [u8; BLOCK] = tables::repeated(tables::DIGITS);
    let low = _mm256_and_si256(vector, _mm256_set1_epi8(15));
    let digits = load(&DIGITS);
    [_mm256_shuffle_epi8(digits, high(vector)), _mm256_shuffle_epi8(digits, low)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_escapes(vector: __m256i, room: &mut [Cell; 3 * BLOCK]) {
    const FIRST: [[u8; 16]; 3] = tables::spread(1);
    const SECOND: [[u8; 16]; 3] = tables::spread(2);
    let [first, second] = digits(vector);
    let (parts, _) = room.as_chunks_mut::<16>();
    for i in 0..3 {
        let both = |table| _mm256_broadcastsi128_si256(load_half(table));
        let first = _mm256_shuffle_epi8(first, both(&FIRST[i]));
        let second = _mm256_shuffle_epi8(second, both(&SECOND[i]));
        let digits = _mm256_or_si256(first, second);
        let [low, high] = halves(_mm256_or_si256(digits, both(&tables::PERCENTS[i])));
        store_half(&mut parts[i], low);
        store_half(&mut parts[i + 3], high);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn groups(vector: __m256i, escaped: __m256i) -> [__m256i; 4] {
    let [first, second] = digits(vector);
    let percent = _mm256_set1_epi8(b'%'.cast_signed());
    let lead = _mm256_castsi256_ps(_mm256_blendv_epi8(vector, percent, escaped));
    let low = _mm256_castsi256_ps(_mm256_unpacklo_epi8(first, second));
    let high = _mm256_castsi256_ps(_mm256_unpackhi_epi8(first, second));
    [
        _mm256_castps_si256(_mm256_shuffle_ps::<0b00_00_01_00>(low, lead)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0b01_01_11_10>(low, lead)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0b10_10_01_00>(high, lead)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0b11_11_11_10>(high, lead)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn written(group: __m256i, sets: [usize; 2]) -> [__m128i; 2] {
    let [low, high] = sets.map(|set| &tables::GROUPS[set & 15]);
    halves(_mm256_shuffle_epi8(group, _mm256_set_m128i(load_half(high), load_half(low))))
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
