//! The kernels on units, in either order of their bytes.

use super::{Random, avx2, avx512, input, lengths};
use crate::arch::cell::{cells_of, cells_of_units};
use crate::arch::x86_64;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

type Pairs<'a> = &'a [[u8; 2]];
type Walk = dyn Fn(Pairs<'_>, usize) -> (usize, usize);
type Encode = dyn Fn(Pairs<'_>, &mut [u8]) -> Option<(usize, usize)>;

/// The functions on units of one module with one token, for one order of the bytes.
struct UnitKernels {
    name: &'static str,
    count: Box<dyn Fn(Pairs<'_>) -> usize>,
    walk: Box<Walk>,
    utf8_len: Box<dyn Fn(Pairs<'_>) -> usize>,
    encode: Box<Encode>,
    first_lone: Box<dyn Fn(Pairs<'_>) -> Option<usize>>,
}

macro_rules! unit_kernels {
    ($module:ident, $big:literal, $name:literal, $isa:expr) => {{
        let isa = $isa;
        UnitKernels {
            name: $name,
            // SAFETY: what the functions of the module need is there, as `isa`, its token, says.
            count: Box::new(move |u| unsafe { x86_64::$module::utf16_count::<$big>(isa, u) }),
            // SAFETY: as above.
            walk: Box::new(move |u, n| unsafe { x86_64::$module::utf16_walk::<$big>(isa, u, n) }),
            // SAFETY: as above.
            utf8_len: Box::new(move |u| unsafe { x86_64::$module::utf16_utf8_len::<$big>(isa, u) }),
            // SAFETY: as above.
            first_lone: Box::new(move |u| unsafe {
                x86_64::$module::utf16_first_lone::<$big>(isa, u)
            }),
            encode: Box::new(move |u, out| {
                let cells = cells_of(out);
                // SAFETY: as above.
                unsafe { x86_64::$module::utf16_encode::<$big>(isa, u, cells) }.get()
            }),
        }
    }};
}

/// With little-endian bytes, then with the others.
fn all_unit_kernels() -> [Vec<UnitKernels>; 2] {
    let mut little = Vec::new();
    let mut big = Vec::new();
    for pdep in [true, false] {
        little.extend(avx2(pdep).map(|isa| unit_kernels!(avx2, false, "avx2", isa)));
        big.extend(avx2(pdep).map(|isa| unit_kernels!(avx2, true, "avx2, big", isa)));
    }
    for vbmi2 in [true, false] {
        little.extend(avx512(vbmi2).map(|isa| unit_kernels!(avx512, false, "avx512", isa)));
        big.extend(avx512(vbmi2).map(|isa| unit_kernels!(avx512, true, "avx512, big", isa)));
    }
    [little, big]
}

/// Units of the classes that the kernels tell apart, in stretches of one; all surrogates, well and
/// ill placed.
fn units(random: &mut Random, len: usize) -> Vec<u16> {
    const KINDS: [&[u16]; 7] = [
        &[0x00, 0x41, 0x7F],
        &[0x80, 0xE9, 0x7FF],
        &[0x800, 0x65E5, 0xD7FF, 0xE000, 0xFFFF],
        &[0xD83D, 0xDE0A],
        &[0x41, 0xE9, 0x65E5, 0x20],
        &[0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x41],
        &[0x41, 0xD83D, 0xDE0A, 0x3B1],
    ];
    let mut units = Vec::new();
    while units.len() < len {
        let kind = KINDS[random.below(KINDS.len())];
        let stretch = [1, 7, 40, 200][random.below(4)];
        let mixed = random.below(2) == 1;
        for at in 0..stretch {
            units.push(kind[if mixed { random.below(kind.len()) } else { at % kind.len() }]);
        }
    }
    units.truncate(len);
    units
}

#[test]
fn unit_kernels_agree_with_the_standard_library() {
    let [little, big] = all_unit_kernels();
    let mut random = Random(5);
    for len in (0..=140).chain([159, 160, 161, 255, 256, 257, 300, 515]) {
        for _ in 0..12 {
            let units = units(&mut random, len);
            let bytes: Vec<_> = units.iter().map(|unit| unit.to_le_bytes()).collect();
            check_units(&little, &mut random, &units, &bytes);
            let bytes: Vec<_> = units.iter().map(|unit| unit.to_be_bytes()).collect();
            check_units(&big, &mut random, &units, &bytes);
        }
    }
}

/// Blocks and ends of blocks that are surrogates and nothing else: pairs, and what only seems to be.
#[test]
fn pairs_are_told_from_lone_surrogates_at_every_length() {
    let [little, big] = all_unit_kernels();
    let mut random = Random(5);
    for len in 0..=100 {
        let pairs = [0xD83D, 0xDE0A].into_iter().cycle().take(len);
        let lows_first = [0xDE0A, 0xD83D].into_iter().cycle().take(len);
        let one_high_more = [0xD83D].into_iter().chain(pairs.clone()).take(len);
        let mut one_low_more: Vec<u16> = pairs.clone().collect();
        if let Some(middle) = one_low_more.get_mut(len / 4 * 2) {
            *middle = 0xDE0A;
        }
        let all = [pairs.collect(), lows_first.collect(), one_high_more.collect(), one_low_more];
        for units in all {
            let bytes: Vec<_> = units.iter().map(|unit| unit.to_le_bytes()).collect();
            check_units(&little, &mut random, &units, &bytes);
            let bytes: Vec<_> = units.iter().map(|unit| unit.to_be_bytes()).collect();
            check_units(&big, &mut random, &units, &bytes);
        }
    }
}

fn check_units(all: &[UnitKernels], random: &mut Random, units: &[u16], bytes: Pairs<'_>) {
    let mut ends = Vec::from([0]);
    let mut lone = 0;
    let mut first = None;
    for rune in char::decode_utf16(units.iter().copied()) {
        lone += usize::from(rune.is_err());
        if rune.is_err() {
            first = first.or(ends.last().copied());
        }
        ends.push(ends[ends.len() - 1] + rune.map_or(1, char::len_utf16));
    }
    let count = ends.len() - 1;
    let text = String::from_utf16_lossy(units);
    let middle = random.below(count + 1);
    for kernels in all {
        let name = kernels.name;
        assert_eq!((kernels.count)(bytes), count, "{name}: {units:x?}");
        assert_eq!((kernels.utf8_len)(bytes), text.len(), "{name}: {units:x?}");
        assert_eq!((kernels.first_lone)(bytes), first, "{name}: {units:x?}");
        for n in [0, 1, middle, count.saturating_sub(1), count, count + 3] {
            let expected = (ends[n.min(count)], n.saturating_sub(count));
            assert_eq!((kernels.walk)(bytes, n), expected, "{name}: {n} of {units:x?}");
        }
        // Exact room, more than is written at once, and a byte too few.
        for room in [text.len(), text.len() + 200] {
            let mut out = std::vec![0xAA; room].into_boxed_slice();
            let written = (kernels.encode)(bytes, &mut out);
            assert_eq!(written, Some((text.len(), lone)), "{name}: {room} {units:x?}");
            assert_eq!(&out[..text.len()], text.as_bytes(), "{name}: {room} {units:x?}");
        }
        if let Some(room) = text.len().checked_sub(1 + random.below(3)) {
            let mut out = std::vec![0xAA; room].into_boxed_slice();
            assert_eq!((kernels.encode)(bytes, &mut out), None, "{name}: {units:x?}");
        }
    }
}

/// With VBMI2 and without, of which dispatch reaches one on any one processor.
#[test]
fn text_becomes_units_on_either_avx512() {
    let mut random = Random(5);
    for len in lengths() {
        let text = input(&mut random, len, false);
        let text = core::str::from_utf8(&text).unwrap_or_default();
        let units: Vec<u16> = text.encode_utf16().collect();
        for isa in [true, false].into_iter().filter_map(avx512) {
            for size in [units.len(), units.len() + 70] {
                let mut out = Vec::from_iter(core::iter::repeat_n(0, size));
                let room = cells_of_units(&mut out);
                // SAFETY: what the function needs is there, as `isa`, its token, says.
                let written = unsafe { x86_64::avx512::utf8_to_utf16(isa, text.as_bytes(), room) };
                assert_eq!(written, Some(units.len()), "{text:?}");
                assert_eq!(&out[..units.len()], units, "{text:?}");
            }
            if let Some(short) = units.len().checked_sub(1) {
                let mut out = Vec::from_iter(core::iter::repeat_n(0, short));
                let room = cells_of_units(&mut out);
                // SAFETY: as above.
                let written = unsafe { x86_64::avx512::utf8_to_utf16(isa, text.as_bytes(), room) };
                assert_eq!(written, None, "{text:?}");
            }
        }
    }
}
