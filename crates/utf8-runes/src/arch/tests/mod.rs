//! The kernels of each instruction set by themselves: what dispatch reaches on some processors
//! only, and what their methods must hold whatever the algorithms ask of them.

mod units;

use super::isa::{BLOCK, Block, GROUP, Group, Isa, blocks, low_bits, select_by_bytes};
use super::x86_64::{self, avx2::Avx2, avx512::Avx512, sse2::Sse2};
use std::boxed::Box;
use std::vec::Vec;

/// AVX2, with or without the instruction `pdep`, where this processor has the tier.
fn avx2(pdep: bool) -> Option<Avx2> {
    let there = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    // SAFETY: all that the tier needs was detected.
    there.then(|| unsafe { Avx2::new(pdep) })
}

/// AVX-512, with or without VBMI and VBMI2.
fn avx512(vbmi2: bool) -> Option<Avx512> {
    let there = avx2(true).is_some()
        && std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512vl")
        && (!vbmi2
            || std::is_x86_feature_detected!("avx512vbmi")
                && std::is_x86_feature_detected!("avx512vbmi2"));
    // SAFETY: all that the tier needs was detected, and VBMI and VBMI2 if it says that.
    there.then(|| unsafe { Avx512::new(vbmi2) })
}

fn sse2() -> Sse2 {
    // SAFETY: this is compiled only where SSE2 may be used anywhere.
    unsafe { Sse2::new() }
}

/// Runs a check that is generic over [`Isa`] on each token that this processor allows.
macro_rules! each_isa {
    ($check:ident) => {
        $check(sse2());
        for pdep in [true, false] {
            avx2(pdep).map($check);
        }
        for vbmi2 in [true, false] {
            avx512(vbmi2).map($check);
        }
    };
}

/// xorshift64*, so that a failure comes again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    /// Bytes of which all that the kernels tell apart is frequent.
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        const OFTEN: [u8; 8] = [0x20, 0x61, 0x7F, 0x80, 0xBF, 0xC0, 0xE4, 0xF0];
        core::array::from_fn(|_| match self.below(4) {
            0 => self.next() as u8,
            _ => OFTEN[self.below(OFTEN.len())],
        })
    }
}

fn mask(bytes: &[u8], of: impl Fn(u8) -> bool) -> u64 {
    bytes.iter().enumerate().fold(0, |mask, (at, byte)| mask | u64::from(of(*byte)) << at)
}

fn is_lead(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Masks with few bits, many, one and all.
fn masks() -> Vec<u64> {
    let mut random = Random(0x5EED);
    let mut masks = Vec::from([u64::MAX, 0x8000_0000_0000_0001, 0xFFFF_FFFF, !0xFFFF_FFFF]);
    masks.extend((0..64).map(|at| 1 << at));
    for _ in 0..500 {
        let (a, b, c) = (random.next(), random.next(), random.next());
        masks.extend([a, a & b & c, a | b | c]);
    }
    masks
}

/// Every set bit of every mask, by the number of those before it.
fn check_select(select: impl Fn(u64, u32) -> u32) {
    for mask in masks() {
        let mut n = 0;
        for at in 0..64 {
            if mask >> at & 1 == 1 {
                assert_eq!(select(mask, n), at, "{n} of {mask:#x}");
                n += 1;
            }
        }
    }
}

#[test]
fn select_is_the_bit_that_so_many_precede() {
    fn check<I: Isa>(isa: I) {
        check_select(|mask, n| isa.select(mask, n));
    }
    check_select(select_by_bytes);
    each_isa!(check);
}

#[test]
fn low_bits_are_so_many() {
    for n in 0..=64 {
        assert_eq!(low_bits(n).count_ones() as usize, n);
        assert_eq!(low_bits(n).trailing_ones() as usize, n);
    }
}

#[test]
fn masks_have_a_bit_a_byte() {
    fn check<I: Isa>(isa: I) {
        let mut random = Random(1);
        for _ in 0..50 {
            let block: Block = random.bytes();
            check_masks(isa, isa.load(&block), &block);
            // Each length, from each alignment of a word.
            for len in 0..=BLOCK {
                let from = random.below(BLOCK - len + 1);
                let mut padded = [0; BLOCK];
                padded[..len].copy_from_slice(&block[from..from + len]);
                check_masks(isa, isa.load_partial(&block[from..from + len]), &padded);
            }
        }
        for byte in 0..=u8::MAX {
            check_masks(isa, isa.load(&[byte; BLOCK]), &[byte; BLOCK]);
        }
    }
    each_isa!(check);
}

fn check_masks<I: Isa>(isa: I, vector: I::Vector, block: &Block) {
    assert_eq!(isa.non_ascii(vector), mask(block, |byte| byte >= 0x80), "{block:x?}");
    assert_eq!(isa.leads(vector), mask(block, is_lead), "{block:x?}");
    assert_eq!(isa.fours(vector), mask(block, |byte| byte >= 0xF0), "{block:x?}");
    assert_eq!(isa.not_blank(vector), mask(block, |byte| byte != 0x20), "{block:x?}");
}

#[test]
fn one_byte_in_four_blocks_is_not_ascii() {
    fn check<I: Isa>(isa: I) {
        let mut blocks = [[0x7F; BLOCK]; 4];
        assert!(isa.all_ascii(&blocks));
        for at in 0..4 * BLOCK {
            let byte = &mut blocks[at / BLOCK][at % BLOCK];
            *byte = 0x80;
            assert!(!isa.all_ascii(&blocks), "{at}");
            blocks[at / BLOCK][at % BLOCK] = 0x7F;
        }
    }
    each_isa!(check);
}

#[test]
fn groups_are_counted() {
    fn check<I: Isa>(isa: I) {
        let naive = |bytes: &[u8]| bytes.iter().filter(|byte| is_lead(**byte)).count();
        let mut random = Random(2);
        let mut groups: Vec<Group> = (0..12).map(|_| random.bytes()).collect();
        // The sums of bytes at their largest and at nothing.
        groups.extend([[b'a'; GROUP * BLOCK], [0x80; GROUP * BLOCK], [0xFF; GROUP * BLOCK]]);
        for group in &groups {
            assert_eq!(blocks(group).as_flattened(), group);
            assert_eq!(isa.count_group(group), naive(group));
            for few in 0..=4 {
                let few = &blocks(group)[..few];
                assert_eq!(isa.count_few(few), naive(few.as_flattened()));
            }
        }
        for from in 0..=groups.len() {
            let groups = &groups[from..];
            assert_eq!(isa.count_groups(groups), naive(groups.as_flattened()));
        }
        // More than a lane of a byte can count, and than one of two.
        for byte in [b'a', 0x80] {
            let many = Vec::from_iter(core::iter::repeat_n([byte; GROUP * BLOCK], 600));
            assert_eq!(isa.count_groups(&many), naive(many.as_flattened()));
        }
    }
    each_isa!(check);
}

type Call<T> = Box<dyn Fn(&[u8]) -> T>;
type CallWith<T> = Box<dyn Fn(&[u8], usize) -> T>;

/// The functions of one module with one token.
struct Kernels {
    name: &'static str,
    count: Call<usize>,
    nth_lead: CallWith<Result<usize, usize>>,
    trimmed_len: Call<usize>,
    validate: Call<Option<usize>>,
    validate_count: Call<Option<usize>>,
    keep: CallWith<Option<usize>>,
    trim: CallWith<Option<usize>>,
}

macro_rules! kernels {
    ($module:ident, $name:literal, $isa:expr) => {{
        let isa = $isa;
        Kernels {
            name: $name,
            // SAFETY: what the functions of the module need is there, as `isa`, its token, says.
            count: Box::new(move |b| unsafe { x86_64::$module::count(isa, b) }),
            // SAFETY: as above.
            nth_lead: Box::new(move |b, n| unsafe { x86_64::$module::nth_lead(isa, b, n) }),
            // SAFETY: as above.
            trimmed_len: Box::new(move |b| unsafe { x86_64::$module::trimmed_len(isa, b) }),
            // SAFETY: as above.
            validate: Box::new(move |b| unsafe { x86_64::$module::validate::<false>(isa, b) }),
            // SAFETY: as above.
            validate_count: Box::new(move |b| unsafe { x86_64::$module::validate::<true>(isa, b) }),
            // SAFETY: as above.
            keep: Box::new(move |b, n| unsafe { x86_64::$module::prefix::<false>(isa, b, n) }),
            // SAFETY: as above.
            trim: Box::new(move |b, n| unsafe { x86_64::$module::prefix::<true>(isa, b, n) }),
        }
    }};
}

fn all_kernels() -> Vec<Kernels> {
    let mut all = Vec::from([kernels!(sse2, "sse2", sse2())]);
    all.extend(avx2(true).map(|isa| kernels!(avx2, "avx2", isa)));
    all.extend(avx2(false).map(|isa| kernels!(avx2, "avx2 without pdep", isa)));
    all.extend(avx512(true).map(|isa| kernels!(avx512, "avx512", isa)));
    all.extend(avx512(false).map(|isa| kernels!(avx512, "avx512 without vbmi", isa)));
    all
}

/// Lengths around the edges of blocks, groups of four and of eight.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [4, 8, 9, 16, 20].into_iter().flat_map(|n| BLOCK * n - 1..=BLOCK * n + 1);
    (0..=2 * BLOCK + 2).chain(edges)
}

/// Text of `len` bytes at most, ASCII in stretches, blanks among it, at times one byte wrong.
fn input(random: &mut Random, len: usize, faulty: bool) -> Vec<u8> {
    const RUNES: [&str; 8] = [" ", "a", "   ", "\u{7F}", "é", "日", "😊", "\u{800}"];
    let mut bytes = Vec::new();
    let mut plain = 0_usize;
    loop {
        plain = match plain {
            0 if random.below(40) == 0 => random.below(300),
            _ => plain.saturating_sub(1),
        };
        let rune = if plain > 0 { RUNES[random.below(4)] } else { RUNES[random.below(8)] };
        if bytes.len() + rune.len() > len {
            break;
        }
        bytes.extend_from_slice(rune.as_bytes());
    }
    if faulty && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = random.bytes::<1>()[0];
    }
    bytes
}

#[test]
fn kernels_agree_with_the_standard_library() {
    let all = all_kernels();
    let mut random = Random(3);
    for len in lengths() {
        for turn in 0..8 {
            let bytes = input(&mut random, len, turn % 2 == 1);
            let leads: Vec<usize> = (0..bytes.len()).filter(|at| is_lead(bytes[*at])).collect();
            let trimmed =
                |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0x20).map_or(0, |at| at + 1);
            let mut asked = Vec::from([1, 2, leads.len(), leads.len() + 1, usize::MAX]);
            asked.extend((0..4).map(|_| 1 + random.below(leads.len() + 1)));
            for kernels in &all {
                let name = kernels.name;
                assert_eq!((kernels.count)(&bytes), leads.len(), "{name}: {bytes:x?}");
                assert_eq!((kernels.trimmed_len)(&bytes), trimmed(&bytes), "{name}: {bytes:x?}");
                let valid = core::str::from_utf8(&bytes).is_ok();
                assert_eq!((kernels.validate)(&bytes).is_some(), valid, "{name}: {bytes:x?}");
                let count = valid.then_some(leads.len());
                assert_eq!((kernels.validate_count)(&bytes), count, "{name}: {bytes:x?}");
                for &n in &asked {
                    let nth = leads.get(n).copied();
                    let expected = nth.ok_or(leads.len());
                    assert_eq!((kernels.nth_lead)(&bytes, n), expected, "{name}: {n} {bytes:x?}");
                    let head = &bytes[..nth.unwrap_or(bytes.len())];
                    let valid = core::str::from_utf8(head).is_ok();
                    let kept = valid.then_some(head.len());
                    assert_eq!((kernels.keep)(&bytes, n), kept, "{name}: {n} {bytes:x?}");
                    let kept = valid.then(|| trimmed(head));
                    assert_eq!((kernels.trim)(&bytes, n), kept, "{name}: {n} {bytes:x?}");
                }
            }
        }
    }
}

/// Each lead of a block that has many, where `select` without the instruction does its work.
#[test]
fn each_lead_is_found() {
    let all = all_kernels();
    let mut random = Random(4);
    for _ in 0..20 {
        let bytes: [u8; 2 * BLOCK + 21] = random.bytes();
        let leads: Vec<usize> = (0..bytes.len()).filter(|at| is_lead(bytes[*at])).collect();
        for kernels in &all {
            for (n, &at) in leads.iter().enumerate() {
                assert_eq!((kernels.nth_lead)(&bytes, n), Ok(at), "{}: {n}", kernels.name);
            }
            assert_eq!((kernels.nth_lead)(&bytes, leads.len()), Err(leads.len()));
        }
    }
}
