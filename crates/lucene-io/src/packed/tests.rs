//! Against bits written and read one at a time.

use super::{Packed, bits_required, byte_len, write};
use crate::{Error, SliceOutput};
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;

fn slow_write(values: &[u64], bits: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut n = 0;
    for value in values {
        for bit in (0..bits).rev() {
            if n % 8 == 0 {
                bytes.push(0);
            }
            *bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (7 - n % 8);
            n += 1;
        }
    }
    bytes
}

fn slow_get(bytes: &[u8], i: usize, bits: u32) -> u64 {
    let bits = bits as usize;
    (i * bits..(i + 1) * bits)
        .fold(0, |value, bit| value << 1 | u64::from(bytes[bit / 8] >> (7 - bit % 8) & 1))
}

/// Numbers with no pattern in their bits, and extremes among them.
fn values(count: usize, bits: u32) -> Vec<u64> {
    let most = u64::MAX >> (64 - bits);
    let mut state = u64::from(bits) << 32 | count as u64;
    (0..count)
        .map(|i| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            match i % 7 {
                0 => most,
                1 => 0,
                _ => (state ^ state >> 29) & most,
            }
        })
        .collect()
}

#[test]
fn every_width_and_count() {
    for bits in 1..=64 {
        for count in 0..200 {
            let values = values(count, bits);
            let slow = slow_write(&values, bits);
            assert_eq!(byte_len(count, bits), slow.len());
            let mut bytes = Vec::new();
            write(&mut bytes, values.iter().copied(), bits).unwrap();
            assert_eq!(bytes, slow, "{count} values of {bits} bits");
            // What lies behind the values is not theirs.
            for behind in [0, 1, 9] {
                let mut bytes = bytes.clone();
                bytes.resize(bytes.len() + behind, 0xFF);
                let packed = Packed::new(&bytes, count, bits).unwrap();
                assert_eq!(packed.iter().len(), count);
                assert!(packed.iter().eq(values.iter().copied()), "{count} values of {bits} bits");
            }
            if let Some(short) = bytes.len().checked_sub(1) {
                let result = Packed::new(&bytes[..short], count, bits);
                assert!(matches!(result, Err(Error::Truncated)), "{count} values of {bits} bits");
                let mut memory = vec![0; short];
                let result = write(&mut SliceOutput::new(&mut memory), values.into_iter(), bits);
                assert!(matches!(result, Err(Error::OutputFull { .. })));
            }
        }
    }
}

#[test]
fn what_lucene_packs() {
    // PackedInts' own order: the first value in the highest bits.
    let mut out = Vec::new();
    write(&mut out, [1, 2, 3].into_iter(), 3).unwrap();
    assert_eq!(out, [0b0010_1001, 0b1000_0000]);
    out.clear();
    write(&mut out, [0x123, 0x456].into_iter(), 12).unwrap();
    assert_eq!(out, [0x12, 0x34, 0x56]);
}

#[test]
fn bits_that_a_value_takes() {
    let cases = [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (255, 8), (256, 9), (u64::MAX, 64)];
    for (max, bits) in cases {
        assert_eq!(bits_required(max), bits, "{max}");
    }
    for bit in 0..64 {
        assert_eq!(bits_required(1 << bit), bit + 1);
    }
}

#[test]
fn declarations_that_cannot_be() {
    for bits in [0, 65, u32::MAX] {
        assert!(matches!(Packed::new(&[0; 64], 1, bits), Err(Error::Corrupt { .. })));
        assert!(matches!(
            write(&mut Vec::new(), [1].into_iter(), bits),
            Err(Error::Corrupt { .. })
        ));
    }
    for bits in [1, 31, 64] {
        assert!(matches!(Packed::new(&[0; 64], usize::MAX, bits), Err(Error::Truncated)));
    }
    assert_eq!(byte_len(usize::MAX, 64), usize::MAX);
    assert_eq!(byte_len(usize::MAX, 1), usize::MAX / 8 + 1);
}

proptest! {
    #[test]
    fn any_bytes_are_values(bytes in proptest::collection::vec(any::<u8>(), 0..300), bits in 1_u32..=64) {
        let count = bytes.len() * 8 / bits as usize;
        let packed = Packed::new(&bytes, count, bits).unwrap();
        for (i, value) in packed.iter().enumerate() {
            prop_assert_eq!(value, slow_get(&bytes, i, bits));
        }
    }

    #[test]
    fn only_the_low_bits_are_written(values in proptest::collection::vec(any::<u64>(), 0..100), bits in 1_u32..=64) {
        let mut bytes = Vec::new();
        write(&mut bytes, values.iter().copied(), bits).unwrap();
        prop_assert_eq!(bytes, slow_write(&values, bits));
    }
}
