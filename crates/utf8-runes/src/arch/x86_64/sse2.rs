//! SSE2, which every x86-64 has: a block is four registers. No instruction looks bytes up in a
//! table, so that validation is the portable one's.

use super::{kernels, methods};
use crate::arch::cell::Cell;
use crate::arch::isa::{Block, GROUP, Group, Isa, blocks, select_by_bytes};
use crate::arch::portable;
use crate::arch::unchecked::unit_bytes;
use core::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_adds_epu16, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_cvtsi128_si64,
    _mm_loadu_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_packus_epi16, _mm_sad_epu8,
    _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16, _mm_setzero_si128, _mm_storeu_si128,
    _mm_sub_epi8, _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
};

/// That this processor has the tier's instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sse2(());

impl Sse2 {
    /// The token.
    ///
    /// # Safety
    /// The processor must support SSE2.
    #[inline]
    pub(in crate::arch) const unsafe fn new() -> Self {
        Self(())
    }
}

kernels! { Sse2, "sse2":
    fn count(bytes: &[u8]) -> usize;
    fn is_ascii(bytes: &[u8]) -> bool;
    fn trimmed_len(bytes: &[u8]) -> usize;
}

/// The offset of the lead that `n` others precede, or else how many leads there are.
#[target_feature(enable = "sse2")]
pub(in crate::arch) fn nth_lead(_: Sse2, bytes: &[u8], n: usize) -> Result<usize, usize> {
    // Without `popcnt` masks of bits are no gain over words of bytes.
    portable::nth_lead(bytes, n)
}

/// The number of units that `bytes`, which are well-formed, take.
#[target_feature(enable = "sse2")]
pub(in crate::arch) fn utf16_len(_: Sse2, bytes: &[u8]) -> usize {
    portable::utf16_len(bytes)
}

/// Where the lead lies that no longer fits `limit` UTF-16 units, of which a lead of four bytes
/// takes two; `None` when all fit.
#[target_feature(enable = "sse2")]
pub(in crate::arch) fn nth_lead_utf16(_: Sse2, bytes: &[u8], limit: usize) -> Option<usize> {
    portable::nth_lead_utf16(bytes, limit)
}

/// Writes `text`, which is well-formed, to the start of `out`: how many units.
#[target_feature(enable = "sse2")]
pub(in crate::arch) fn utf8_to_utf16(_: Sse2, text: &[u8], out: &mut [[Cell; 2]]) -> Option<usize> {
    portable::utf8_to_utf16_with(text, out, widen)
}

/// Writes bytes as units, on any processor.
#[inline]
pub(in crate::arch) fn widen(bytes: &[u8; 16], place: &mut [[Cell; 2]; 16]) {
    // SAFETY: this is compiled only where SSE2 may be used anywhere.
    unsafe { widened(bytes, place) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn widened(bytes: &[u8; 16], place: &mut [[Cell; 2]; 16]) {
    let (bytes, zeros) = (load_quarter(bytes), _mm_setzero_si128());
    let (places, _) = place.as_flattened_mut().as_chunks_mut();
    let [low, high] = places else { return };
    store_quarter(_mm_unpacklo_epi8(bytes, zeros), low);
    store_quarter(_mm_unpackhi_epi8(bytes, zeros), high);
}

/// Whether all units of all blocks are below 0x80, on any processor.
#[inline]
pub(in crate::arch) fn no_wide(blocks: &[&[u16; 16]]) -> bool {
    // SAFETY: this is compiled only where SSE2 may be used anywhere.
    unsafe { none_wide(blocks) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn none_wide(blocks: &[&[u16; 16]]) -> bool {
    let mut all = _mm_setzero_si128();
    for block in blocks {
        let (halves, _) = unit_bytes(*block).as_flattened().as_chunks();
        for half in halves {
            all = _mm_or_si128(all, load_quarter(half));
        }
    }
    // What is 0x80 or above has its highest bit set then.
    let high = _mm_adds_epu16(all, _mm_set1_epi16(0x7F80));
    _mm_movemask_epi8(high) & 0xAAAA == 0
}

/// Writes units below 0x80 as bytes, on any processor.
#[inline]
pub(in crate::arch) fn narrow(units: &[u16; 16], place: &mut [Cell; 16]) {
    // SAFETY: this is compiled only where SSE2 may be used anywhere.
    unsafe { narrowed(units, place) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn narrowed(units: &[u16; 16], place: &mut [Cell; 16]) {
    let (halves, _) = unit_bytes(units).as_flattened().as_chunks();
    let [low, high] = halves else { return };
    store_quarter(_mm_packus_epi16(load_quarter(low), load_quarter(high)), place);
}

#[inline]
#[target_feature(enable = "sse2")]
fn store_quarter(quarter: __m128i, place: &mut [Cell; 16]) {
    // SAFETY: the pointer is of 16 cells to write; no alignment is needed.
    unsafe { _mm_storeu_si128(place.as_mut_ptr().cast(), quarter) }
}

/// With `COUNT` the number of runes, else 0; `None` when `bytes` are malformed.
#[target_feature(enable = "sse2")]
pub(in crate::arch) fn validate<const COUNT: bool>(isa: Sse2, bytes: &[u8]) -> Option<usize> {
    let text = is_ascii(isa, bytes) || core::str::from_utf8(bytes).is_ok();
    text.then(|| if COUNT { count(isa, bytes) } else { 0 })
}

/// The length of the first `runes` runes (at least one is asked for), or of all when there are no
/// more; with `TRIM`, without their trailing blanks. `None` when they are malformed.
#[target_feature(enable = "sse2")]
pub(in crate::arch) fn prefix<const TRIM: bool>(
    isa: Sse2,
    bytes: &[u8],
    runes: usize,
) -> Option<usize> {
    portable::prefix_with::<TRIM>(
        bytes,
        runes,
        |bytes| is_ascii(isa, bytes),
        portable::nth_lead,
        |bytes| trimmed_len(isa, bytes),
    )
}

/// The quarters of a block.
type Vector = [__m128i; 4];

impl Isa for Sse2 {
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
        select_by_bytes(mask, n)
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_quarter(quarter: &[u8; 16]) -> __m128i {
    // SAFETY: the pointer is of 16 readable bytes; no alignment is needed.
    unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(block: &Block) -> Vector {
    let (quarters, _) = block.as_chunks::<16>();
    [&quarters[0], &quarters[1], &quarters[2], &quarters[3]].map(|quarter| load_quarter(quarter))
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_partial(bytes: &[u8]) -> Vector {
    let (quarters, rest) = bytes.as_chunks::<16>();
    let mut vector = [_mm_setzero_si128(); 4];
    for (to, quarter) in vector.iter_mut().zip(quarters) {
        *to = load_quarter(quarter);
    }
    if let Some(to) = vector.get_mut(quarters.len()) {
        *to = load_partial_quarter(bytes, rest);
    }
    vector
}

/// The last 0 to 15 bytes of `bytes`, with zeros behind.
#[inline]
#[target_feature(enable = "sse2")]
fn load_partial_quarter(bytes: &[u8], rest: &[u8]) -> __m128i {
    let word = match (bytes.last_chunk::<16>(), rest) {
        (_, []) => 0,
        // Overlaps what was loaded.
        (Some(last), rest) => u128::from_le_bytes(*last) >> (8 * (16 - rest.len())),
        (None, rest) => match (rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
            (Some(first), Some(last)) => {
                let seen = 8 * (16 - rest.len() as u32);
                let high = u64::from_le_bytes(*last).unbounded_shr(seen);
                u128::from(u64::from_le_bytes(*first)) | u128::from(high) << 64
            }
            _ => rest.iter().rfold(0, |word, byte| word << 8 | u128::from(*byte)),
        },
    };
    _mm_set_epi64x((word >> 64) as i64, word as i64)
}

/// The highest bit of each byte.
#[inline]
#[target_feature(enable = "sse2")]
fn mask(vector: Vector) -> u64 {
    let [a, b, c, d] = vector.map(|quarter| u64::from(_mm_movemask_epi8(quarter).cast_unsigned()));
    a | b << 16 | c << 32 | d << 48
}

#[inline]
#[target_feature(enable = "sse2")]
fn non_ascii(vector: Vector) -> u64 {
    mask(vector)
}

#[inline]
#[target_feature(enable = "sse2")]
fn leads(vector: Vector) -> u64 {
    mask(vector.map(|quarter| _mm_cmpgt_epi8(quarter, _mm_set1_epi8(-65))))
}

#[inline]
#[target_feature(enable = "sse2")]
fn not_blank(vector: Vector) -> u64 {
    !mask(vector.map(|quarter| _mm_cmpeq_epi8(quarter, _mm_set1_epi8(0x20))))
}

#[inline]
#[target_feature(enable = "sse2")]
fn fours(vector: Vector) -> u64 {
    let limit = _mm_set1_epi8(0xF0_u8.cast_signed());
    // As the larger of both it is itself.
    mask(vector.map(|quarter| _mm_cmpeq_epi8(quarter, _mm_max_epu8(quarter, limit))))
}

#[inline]
#[target_feature(enable = "sse2")]
fn all_ascii(blocks: &[Block; 4]) -> bool {
    let quarters = blocks.each_ref().map(|block| {
        let [a, b, c, d] = load(block);
        _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))
    });
    let [a, b, c, d] = quarters;
    _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))) == 0
}

#[inline]
#[target_feature(enable = "sse2")]
fn count_few(blocks: &[Block]) -> usize {
    sum_of(count_lanes(blocks))
}

#[inline]
#[target_feature(enable = "sse2")]
fn count_group(group: &Group) -> usize {
    sum_of(count_lanes(blocks(group)))
}

#[inline]
#[target_feature(enable = "sse2")]
fn count_groups(groups: &[Group]) -> usize {
    let mut total = _mm_setzero_si128();
    for group in groups {
        total = _mm_add_epi64(total, count_lanes(blocks(group)));
    }
    sum_of(total)
}

/// The leads of at most a group, in two lanes.
#[inline]
#[target_feature(enable = "sse2")]
fn count_lanes(blocks: &[Block]) -> __m128i {
    // A comparison that holds is -1: no byte of the sums passes twice the number of blocks.
    const { assert!(2 * GROUP <= 255) };
    let mut sums = [_mm_setzero_si128(); 2];
    for block in blocks {
        for (at, quarter) in load(block).into_iter().enumerate() {
            let leads = _mm_cmpgt_epi8(quarter, _mm_set1_epi8(-65));
            sums[at % 2] = _mm_sub_epi8(sums[at % 2], leads);
        }
    }
    let [a, b] = sums.map(|sum| _mm_sad_epu8(sum, _mm_setzero_si128()));
    _mm_add_epi64(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn sum_of(two: __m128i) -> usize {
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
}
