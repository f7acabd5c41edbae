//! Units whose bytes lie the other way around give what the others do.

use super::{
    utf16_count, utf16_encode_ascii, utf16_encode_from, utf16_first_lone, utf16_utf8_len,
    utf16_walk,
};
use crate::arch::cell::cells_of;
use crate::arch::detect::{Level, level};
use crate::arch::units::{Transcode, Units};
use alloc::vec::Vec;

/// Text of each class, with pairs and lone surrogates in all places.
fn texts() -> impl Iterator<Item = Vec<u16>> {
    let kinds: [&[u16]; 6] = [
        &[0x41, 0x7F, 0],
        &[0xE9, 0x41, 0x7FF],
        &[0x65E5, 0xFF0C, 0x3000],
        &[0xD83D, 0xDE0A],
        &[0x61, 0xD83D, 0xDE0A, 0x65E5, 0xE9],
        &[0x61, 0xDE0A, 0xD83D, 0xD83D, 0xDE0A, 0x62, 0x63],
    ];
    kinds.into_iter().flat_map(|kind| {
        (0..300).map(move |len| kind.iter().copied().cycle().skip(len % 7).take(len).collect())
    })
}

/// Runes, bytes of UTF-8, where a walk ends, the first lone surrogate.
type Counts = (usize, usize, (usize, usize), Option<usize>);

fn counts<I: Units, const BE: bool>(isa: I, units: &[[u8; 2]]) -> Counts {
    let count = utf16_count::<I, BE>(isa, units);
    let len = utf16_utf8_len::<I, BE>(isa, units);
    let walked = utf16_walk::<I, BE>(isa, units, count * 3 / 4);
    (count, len, walked, utf16_first_lone::<I, BE>(isa, units))
}

fn encoded<I: Transcode, const BE: bool>(
    isa: I,
    units: &[[u8; 2]],
) -> (Vec<u8>, Option<(usize, usize)>) {
    let mut out = alloc::vec![0; units.len() * 3];
    let room = cells_of(&mut out);
    let ascii = utf16_encode_ascii::<I, BE>(isa, units, room).unwrap_or_default();
    let written = utf16_encode_from::<I, BE>(isa, units, ascii, room);
    out.truncate(written.unwrap_or_default().0);
    (out, written)
}

#[test]
fn either_order_of_the_bytes() {
    for text in texts() {
        let little: Vec<_> = text.iter().map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<_> = text.iter().map(|unit| unit.to_be_bytes()).collect();
        match level() {
            Level::Avx512(isa) => {
                assert_eq!(counts::<_, true>(isa, &big), counts::<_, false>(isa, &little));
                if let Some(isa) = isa.vbmi2() {
                    assert_eq!(encoded::<_, true>(isa, &big), encoded::<_, false>(isa, &little));
                }
            }
            Level::Avx2(isa) => {
                assert_eq!(counts::<_, true>(isa, &big), counts::<_, false>(isa, &little));
                assert_eq!(encoded::<_, true>(isa, &big), encoded::<_, false>(isa, &little));
            }
            _ => {}
        }
    }
}
