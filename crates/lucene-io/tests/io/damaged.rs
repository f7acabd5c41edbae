//! Every read on damaged bytes against a slow reader of its own: what comes of it, and where the
//! input stands afterwards.

#![cfg(feature = "std")]

use crate::common::{Dribble, PlainInput};
use lucene_io::{ChecksumInput, DataInput, DataOutput, Error, IndexOutput, ReadInput, SliceInput};
use std::collections::{BTreeMap, BTreeSet};

/// The slow reader: one byte after the other, errors as the text that `Debug` gives them.
struct Slow<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Slow<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (at, left) = (self.at, self.bytes.len() - self.at);
        if n > left {
            return Err(format!("UnexpectedEof {{ at: {at}, need: {n} }}"));
        }
        self.at += n;
        Ok(&self.bytes[at..at + n])
    }

    fn variable(&mut self, most: u32, bits: u32, name: &str) -> Result<u128, String> {
        let start = self.at;
        let mut value = 0;
        for i in 0..most {
            let byte = u128::from(self.take(1)?[0]);
            value |= (byte % 128) << (7 * i);
            if byte < 128 && value < 1 << bits {
                return Ok(value);
            }
            if byte < 128 {
                break;
            }
        }
        Err(format!("{name} {{ at: {start} }}"))
    }

    fn vint(&mut self) -> Result<i32, String> {
        self.variable(5, 32, "InvalidVInt").map(|v| v as u32 as i32)
    }

    fn body(&mut self) -> Result<(usize, &'a [u8]), String> {
        let n = self.vint()?;
        let n = usize::try_from(n).map_err(|_| "NegativeLength".to_string())?;
        Ok((self.at, self.take(n)?))
    }

    fn string(&mut self) -> Result<String, String> {
        let (start, bytes) = self.body()?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(e) => Err(format!("InvalidUtf8 {{ at: {} }}", start + e.valid_up_to())),
        }
    }

    fn count(&mut self, wide: bool) -> Result<i32, String> {
        if wide { Ok(i32::from_be_bytes(self.take(4)?.try_into().unwrap())) } else { self.vint() }
    }

    fn map(&mut self, wide: bool) -> Result<String, String> {
        let mut map = BTreeMap::new();
        for _ in 0..self.count(wide)?.max(0) {
            let key = self.string()?;
            map.insert(key, self.string()?);
        }
        Ok(format!("{map:?}"))
    }

    fn set(&mut self, wide: bool) -> Result<String, String> {
        let mut set = BTreeSet::new();
        for _ in 0..self.count(wide)?.max(0) {
            set.insert(self.string()?);
        }
        Ok(format!("{set:?}"))
    }

    fn group(&mut self) -> Result<String, String> {
        let widths = self.take(1)?[0];
        let mut values = Vec::new();
        for shift in [6, 4, 2, 0] {
            let bytes = self.take(usize::from(widths >> shift & 3) + 1)?;
            values.push(bytes.iter().rev().fold(0, |v, b| v << 8 | u32::from(*b)));
        }
        values.push(self.vint()? as u32);
        Ok(format!("{values:?}"))
    }

    fn fixed(&mut self, n: usize) -> Result<i64, String> {
        // Big-endian, with the sign of its first byte.
        let bytes = self.take(n)?;
        let first = i64::from(bytes[0] as i8);
        Ok(bytes[1..].iter().fold(first, |v, b| v << 8 | i64::from(*b)))
    }
}

const OPS: usize = 18;

fn slow(op: usize, input: &mut Slow<'_>) -> Result<String, String> {
    let zag = |v: u128| ((v >> 1) as i128) ^ -((v & 1) as i128);
    let negative = |n| format!("UnexpectedEof {{ at: {}, need: {n} }}", input.at);
    Ok(match op {
        0 => input.take(1)?[0].to_string(),
        1 => input.vint()?.to_string(),
        2 => input.variable(9, 63, "InvalidVLong")?.to_string(),
        3 => zag(input.variable(5, 32, "InvalidVInt")?).to_string(),
        4 => zag(input.variable(10, 64, "InvalidVLong")?).to_string(),
        5 => input.fixed(2)?.to_string(),
        6 => input.fixed(4)?.to_string(),
        7 => input.fixed(8)?.to_string(),
        8 | 9 => input.string()?,
        10 => String::from_utf8_lossy(input.body()?.1).into_owned(),
        11 => input.map(true)?,
        12 => input.map(false)?,
        13 => input.set(true)?,
        14 => input.set(false)?,
        15 => input.group()?,
        16 => return Err(negative(u64::MAX)),
        _ => format!("{:?}", input.take(3)?),
    })
}

fn ours(op: usize, input: &mut dyn DataInput) -> Result<String, String> {
    let run = |input: &mut dyn DataInput| -> Result<String, Error> {
        Ok(match op {
            0 => input.read_byte()?.to_string(),
            1 => input.read_vint()?.to_string(),
            2 => input.read_vlong()?.to_string(),
            3 => input.read_zint()?.to_string(),
            4 => input.read_zlong()?.to_string(),
            5 => input.read_i16()?.to_string(),
            6 => input.read_i32()?.to_string(),
            7 => input.read_i64()?.to_string(),
            8 => input.read_string()?,
            9 => {
                let mut text = String::from("left over");
                let read = input.read_string_into(&mut text);
                assert!(read.is_ok() || text.is_empty());
                read.map(|()| text)?
            }
            10 => input.read_string_lossy()?,
            11 => format!("{:?}", input.read_string_string_map()?),
            12 => format!("{:?}", input.read_map_of_strings()?),
            13 => format!("{:?}", input.read_string_set()?),
            14 => format!("{:?}", input.read_set_of_strings()?),
            15 => {
                let mut values = [0; 5];
                input.read_group_vints(&mut values)?;
                format!("{values:?}")
            }
            16 => input.skip_bytes(u64::MAX).map(|()| "skipped".into())?,
            _ => {
                let mut bytes = [0; 3];
                input.read_bytes(&mut bytes)?;
                format!("{bytes:?}")
            }
        })
    };
    run(input).map_err(|error| format!("{error:?}"))
}

/// One call on every kind of input: the result of the slow reader, and, where memory is read, its
/// position, after an error too.
fn check(bytes: &[u8], op: usize) {
    for start in 0..=bytes.len().min(1) {
        let mut model = Slow { bytes, at: start };
        let expected = slow(op, &mut model);
        let at = model.at as u64;
        let mut slice = SliceInput::new(bytes);
        let mut hashed = ChecksumInput::new(SliceInput::new(bytes));
        let mut plain = PlainInput { bytes, at: 0 };
        let mut reader = ReadInput::new(bytes);
        let mut dribble = ChecksumInput::new(ReadInput::new(Dribble::new(bytes, 1)));
        let mut by_reference = &mut SliceInput::new(bytes);
        let inputs: [(&mut dyn DataInput, bool); 6] = [
            (&mut slice, true),
            (&mut hashed, true),
            (&mut plain, true),
            (&mut by_reference, true),
            (&mut reader, false),
            (&mut dribble, false),
        ];
        for (kind, (input, exact)) in inputs.into_iter().enumerate() {
            input.skip_bytes(start as u64).unwrap();
            let got = ours(op, input);
            assert_eq!(got, expected, "kind {kind}, op {op}, {bytes:02x?} from {start}");
            if exact || got.is_ok() {
                assert_eq!(input.position(), at, "kind {kind}, op {op}, {bytes:02x?} from {start}");
            }
            // Nothing is broken afterwards.
            let left = bytes.len() as u64 - input.position();
            input.skip_bytes(left).unwrap();
            input.read_bytes(&mut []).unwrap();
            assert!(matches!(input.read_byte(), Err(Error::UnexpectedEof { need: 1, .. })));
            assert_eq!(input.position(), bytes.len() as u64);
        }
        assert_eq!(hashed.checksum(), bytes.to_vec().checksum());
    }
}

type WriteCall = fn(&mut Vec<u8>) -> Result<(), Error>;

/// Bytes that some call reads in whole.
fn bases() -> Vec<Vec<u8>> {
    let mut bases = vec![vec![0xFF; 12], vec![0x80; 12], vec![0; 12]];
    let writes: [WriteCall; 12] = [
        |o| o.write_vint(i32::MIN),
        |o| o.write_vint(i32::MAX),
        |o| o.write_vint(-1),
        |o| o.write_vlong(i64::MAX),
        |o| o.write_zlong(i64::MIN),
        |o| o.write_zlong(i64::MAX),
        |o| o.write_zint(i32::MIN),
        |o| o.write_string("aé京🙂"),
        |o| o.write_string_string_map([("k", "v"), ("é", ""), ("k", "last")]),
        |o| o.write_map_of_strings([("b", "1"), ("a", "2"), ("b", "3")]),
        |o| o.write_set_of_strings(["b", "a", "", "b"]),
        |o| o.write_group_vints(&[0xFF, 0x100, 0xFF_FFFF, 0x100_0000, u32::MAX]),
    ];
    for write in writes {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        bases.push(bytes);
    }
    bases
}

#[test]
fn damaged_and_cut_short_at_every_byte() {
    for base in bases() {
        for op in 0..OPS {
            for end in 0..=base.len() {
                check(&base[..end], op);
            }
            for i in 0..base.len() {
                for value in [0, 0x10, 0x7F, 0x80, 0xC3, 0xFF] {
                    let mut bytes = base.clone();
                    bytes[i] = value;
                    check(&bytes, op);
                }
            }
        }
    }
}

/// More than is there: all `n` bytes are named, a slice gives nothing, a stream what it has.
#[test]
fn copies_and_skips_of_more_than_there_is() {
    let bytes = vec![9; 20_000];
    for n in [20_000 - 2 + 1, 30_000, u64::from(u32::MAX) + 1, u64::MAX] {
        let failed = |result: Result<(), Error>| {
            let Err(Error::UnexpectedEof { at: 2, need }) = result else { panic!("{result:?}") };
            assert_eq!(need, n);
        };
        let mut slice = SliceInput::new(&bytes);
        let mut hashed = ChecksumInput::new(SliceInput::new(&bytes));
        let mut nested = &mut &mut ChecksumInput::new(SliceInput::new(&bytes));
        for input in [&mut slice as &mut dyn DataInput, &mut hashed, &mut nested] {
            input.skip_bytes(2).unwrap();
            let mut out = Vec::new();
            failed(out.copy_bytes(input, n));
            assert_eq!((out.len(), input.position()), (0, 2));
            failed(input.skip_bytes(n));
            assert_eq!(input.position(), 2);
        }
        assert_eq!(hashed.checksum(), vec![9; 2].checksum());
        for copies in [true, false] {
            let mut reader = ReadInput::new(bytes.as_slice());
            let mut hashed = ChecksumInput::new(ReadInput::new(bytes.as_slice()));
            for input in [&mut reader as &mut dyn DataInput, &mut hashed] {
                input.skip_bytes(2).unwrap();
                let mut out = Vec::new();
                failed(if copies { out.copy_bytes(input, n) } else { input.skip_bytes(n) });
                assert!(out.iter().all(|b| *b == 9) && out.len() <= bytes.len() - 2);
            }
        }
    }
}
