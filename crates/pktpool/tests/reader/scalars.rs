//! Every scalar, whole and across packets.

use crate::{done, full, message, starved, stream};
use pktpool::{Reader, Stop};

/// All scalars, twice, so that both byte orders of each stand in the message.
fn bytes() -> Vec<u8> {
    (1..=120_u8).map(|i| i.wrapping_mul(167)).collect()
}

#[derive(Debug, PartialEq)]
struct All {
    one: (u8, i8),
    unsigned: (u16, u16, u32, u32, u64, u64),
    signed: (i16, i16, i32, i32, i64, i64),
    float: (u32, u32, u64, u64),
    bytes: ([u8; 0], [u8; 5]),
}

fn read(r: &mut Reader<'_>) -> Result<All, Stop> {
    Ok(All {
        one: (r.u8()?, r.i8()?),
        unsigned: (r.u16_le()?, r.u16_be()?, r.u32_le()?, r.u32_be()?, r.u64_le()?, r.u64_be()?),
        signed: (r.i16_le()?, r.i16_be()?, r.i32_le()?, r.i32_be()?, r.i64_le()?, r.i64_be()?),
        float: (
            r.f32_le()?.to_bits(),
            r.f32_be()?.to_bits(),
            r.f64_le()?.to_bits(),
            r.f64_be()?.to_bits(),
        ),
        bytes: (r.bytes()?, r.bytes()?),
    })
}

const LENGTH: usize = 2 + 28 + 28 + 24 + 5;

fn expected(b: &[u8]) -> All {
    fn at<const N: usize>(b: &[u8], at: usize) -> [u8; N] {
        b[at..at + N].try_into().unwrap()
    }
    All {
        one: (b[0], b[1] as i8),
        unsigned: (
            u16::from_le_bytes(at(b, 2)),
            u16::from_be_bytes(at(b, 4)),
            u32::from_le_bytes(at(b, 6)),
            u32::from_be_bytes(at(b, 10)),
            u64::from_le_bytes(at(b, 14)),
            u64::from_be_bytes(at(b, 22)),
        ),
        signed: (
            i16::from_le_bytes(at(b, 30)),
            i16::from_be_bytes(at(b, 32)),
            i32::from_le_bytes(at(b, 34)),
            i32::from_be_bytes(at(b, 38)),
            i64::from_le_bytes(at(b, 42)),
            i64::from_be_bytes(at(b, 50)),
        ),
        float: (
            u32::from_le_bytes(at(b, 58)),
            u32::from_be_bytes(at(b, 62)),
            u64::from_le_bytes(at(b, 66)),
            u64::from_be_bytes(at(b, 74)),
        ),
        bytes: ([], at(b, 82)),
    }
}

#[test]
fn all_of_them_in_packets_of_any_size() {
    let bytes = bytes();
    for size in 1..=bytes.len() {
        let wire = message(&bytes.chunks(size).collect::<Vec<_>>());
        assert_eq!(done(&mut full(&wire), read), expected(&bytes), "packets of {size}");
    }
}

#[test]
fn all_of_them_with_each_byte_missing() {
    let bytes = &bytes()[..LENGTH];
    for size in [1, 2, 3, 7, LENGTH] {
        let wire = message(&bytes.chunks(size).collect::<Vec<_>>());
        for cut in 0..wire.bytes.len() {
            let mut stream = stream(&wire);
            stream.feed(&wire.bytes[..cut]).unwrap();
            starved(&mut stream, read);
            stream.feed(&wire.bytes[cut..]).unwrap();
            assert_eq!(done(&mut stream, read), expected(bytes), "packets of {size}, cut at {cut}");
        }
    }
}
