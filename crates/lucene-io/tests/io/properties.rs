//! Against slow and obvious models, and every input and output against each other.

#![cfg(feature = "std")]

use crate::common::{Dribble, PlainInput, PlainOutput};
use lucene_io::{
    ChecksumInput, DataInput, DataOutput, Error, IndexOutput, ReadInput, SliceInput, SliceOutput,
    WriteOutput,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

/// Seven bits at a time, from arbitrary precision.
fn model_encode(mut value: u128) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (value % 128) as u8;
        value /= 128;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// The value, and how many bytes went; `Err(None)` when they end first.
fn model_decode(bytes: &[u8], max: usize, bits: u32) -> (Result<u128, Option<()>>, usize) {
    let mut value = 0;
    for i in 0..max {
        let Some(byte) = bytes.get(i) else { return (Err(None), i) };
        value += u128::from(byte % 128) << (7 * i);
        if *byte < 128 {
            let fits = value < 1 << bits;
            return (if fits { Ok(value) } else { Err(Some(())) }, i + 1);
        }
    }
    (Err(Some(())), max)
}

fn model_string(units: &[u16]) -> Vec<u8> {
    let text: String = char::decode_utf16(units.iter().copied())
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    let mut bytes = model_encode(text.len() as u128);
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// Units of every width in UTF-8, with pairs and halves of pairs.
fn units(most: usize) -> impl Strategy<Value = Vec<u16>> {
    let unit = prop_oneof![
        4 => 0x20_u16..0x7F,
        2 => 0x80_u16..0x800,
        2 => 0x800_u16..0xD800,
        1 => 0xD800_u16..0xDC00,
        1 => 0xDC00_u16..0xE000,
        1 => any::<u16>(),
    ];
    prop_oneof![
        vec(0x20_u16..0x7F, 0..most),
        vec(unit, 0..most),
        vec((0xD800_u16..0xDC00, 0xDC00_u16..0xE000), 0..most / 2)
            .prop_map(|pairs| pairs.into_iter().flat_map(|(h, l)| [h, l]).collect()),
    ]
}

fn check_utf16(units: &[u16]) {
    let expected = model_string(units);
    let mut vec = vec![7];
    vec.write_utf16(units).unwrap();
    assert_eq!(vec[1..], expected);
    let mut plain = PlainOutput::default();
    plain.write_utf16(units).unwrap();
    assert_eq!(plain.0, expected);
    let mut writer = WriteOutput::new(Vec::new());
    // Leave it next to no room.
    writer.write_bytes(&[7; 16_300]).unwrap();
    writer.write_utf16(units).unwrap();
    assert_eq!(writer.finish().unwrap()[16_300..], expected);
    let mut memory = vec![0; expected.len()];
    let mut slice = SliceOutput::new(&mut memory);
    slice.write_utf16(units).unwrap();
    assert_eq!(slice.written(), expected);
    let short = expected.len() - 1;
    let mut slice = SliceOutput::new(&mut memory[..short]);
    let result = slice.write_utf16(units);
    let need = expected.len() as u64;
    assert!(matches!(result, Err(Error::OutputFull { at: 0, need: n }) if n == need), "{result:?}");
    assert!(slice.written().is_empty());
}

#[test]
fn utf16_around_every_edge() {
    // Widths of the vInt, the scratch of a plain sink, its pieces, the buffer of a stream.
    for len in [0, 1, 41, 42, 43, 44, 63, 64, 127, 128, 340, 341, 342, 683, 5459, 5460, 16_384] {
        for unit in [0x41, 0xE9, 0x4E2D, 0xD83D, 0xDE00] {
            check_utf16(&vec![unit; len]);
        }
        // A pair across every edge: at odd and at even places.
        let pairs: Vec<u16> = [0xD83D, 0xDE00].repeat(len / 2 + 1);
        check_utf16(&pairs[..len]);
        check_utf16(&pairs[1..=len]);
    }
}

/// One call of an input and what came of it, in a form to compare.
fn step(op: u8, input: &mut dyn DataInput) -> Result<String, Error> {
    Ok(match op % 16 {
        0 => input.read_byte()?.to_string(),
        1 => input.read_vint()?.to_string(),
        2 => input.read_vlong()?.to_string(),
        3 => input.read_zint()?.to_string(),
        4 => input.read_zlong()?.to_string(),
        5 => input.read_i16()?.to_string(),
        6 => input.read_i32_le()?.to_string(),
        7 => input.read_i64()?.to_string(),
        8 => input.read_string()?,
        9 => input.read_string_lossy()?,
        10 => {
            let mut text = String::from("old");
            input.read_string_into(&mut text)?;
            text
        }
        11 => {
            let mut group = [0; 6];
            input.read_group_vints(&mut group)?;
            format!("{group:?}")
        }
        12 => {
            input.skip_bytes(u64::from(op / 16))?;
            String::new()
        }
        13 => {
            let mut bytes = vec![0; usize::from(op / 16)];
            input.read_bytes(&mut bytes)?;
            format!("{bytes:?}")
        }
        14 => format!("{:?}", input.read_map_of_strings()?),
        _ => format!("{:?}", input.read_set_of_strings()?),
    })
}

proptest! {
    #[test]
    fn integers_as_the_model(value: i64, shift in 0..64_u32) {
        let value = value >> shift;
        let small = value as i32;
        let mut out = Vec::new();
        out.write_vint(small).unwrap();
        prop_assert_eq!(&out, &model_encode(u128::from(small as u32)));
        prop_assert_eq!(SliceInput::new(&out).read_vint().unwrap(), small);
        out.clear();
        out.write_zint(small).unwrap();
        let zigzag = i64::from(small) * 2;
        let zigzag = if zigzag < 0 { -zigzag - 1 } else { zigzag };
        prop_assert_eq!(&out, &model_encode(zigzag as u128));
        prop_assert_eq!(SliceInput::new(&out).read_zint().unwrap(), small);
        out.clear();
        out.write_zlong(value).unwrap();
        let zigzag = i128::from(value) * 2;
        let zigzag = if zigzag < 0 { -zigzag - 1 } else { zigzag };
        prop_assert_eq!(&out, &model_encode(zigzag as u128));
        prop_assert_eq!(SliceInput::new(&out).read_zlong().unwrap(), value);
        out.clear();
        match out.write_vlong(value) {
            Ok(()) => {
                prop_assert_eq!(&out, &model_encode(value as u128));
                prop_assert_eq!(SliceInput::new(&out).read_vlong().unwrap(), value);
            }
            Err(error) => {
                prop_assert!(value < 0 && matches!(error, Error::NegativeVLong) && out.is_empty());
            }
        }
    }

    #[test]
    fn decoding_as_the_model(mut bytes in vec(any::<u8>(), 0..12), high in 0..12_usize) {
        // Make long ones likely.
        bytes.iter_mut().take(high).for_each(|b| *b |= 0x80);
        type Read = fn(&mut SliceInput<'_>) -> Result<u64, Error>;
        let kinds: [(Read, usize, u32); 3] = [
            (|i| i.read_vint().map(|v| u64::from(v as u32)), 5, 32),
            (|i| i.read_vlong().map(|v| v as u64), 9, 63),
            (|i| i.read_zlong().map(|v| ((v << 1) ^ (v >> 63)) as u64), 10, 64),
        ];
        for (read, max, bits) in kinds {
            let mut input = SliceInput::new(&bytes);
            let (expected, consumed) = model_decode(&bytes, max, bits);
            match (read(&mut input), expected) {
                (Ok(value), Ok(model)) => prop_assert_eq!(u128::from(value), model),
                (Err(Error::UnexpectedEof { .. }), Err(None))
                | (Err(Error::InvalidVInt { at: 0 } | Error::InvalidVLong { at: 0 }), Err(Some(()))) => {}
                (got, model) => panic!("{got:?}, the model says {model:?}"),
            }
            prop_assert_eq!(input.position(), consumed as u64);
        }
    }

    #[test]
    fn text_round_trips(text: String, times in 1..40_usize) {
        let text = text.repeat(times);
        let mut out = Vec::new();
        out.write_string(&text).unwrap();
        let mut again = Vec::new();
        again.write_utf16(&text.encode_utf16().collect::<Vec<_>>()).unwrap();
        prop_assert_eq!(&out, &again);
        prop_assert_eq!(SliceInput::new(&out).read_str().unwrap(), &text);
        let mut reader = ReadInput::new(Dribble::new(out.as_slice(), 100));
        prop_assert_eq!(reader.read_string().unwrap(), text);
    }

    #[test]
    fn groups_round_trip(values in vec((any::<u32>(), 0..32_u32).prop_map(|(v, s)| v >> s), 0..20)) {
        let mut out = Vec::new();
        out.write_group_vints(&values).unwrap();
        let mut back = vec![0; values.len()];
        let mut input = SliceInput::new(&out);
        input.read_group_vints(&mut back).unwrap();
        prop_assert_eq!(back, values);
        prop_assert_eq!(input.remaining(), 0);
    }

    #[test]
    fn maps_and_sets_round_trip(
        map in btree_map("\\PC{0,9}", "\\PC{0,9}", 0..9),
        set in btree_set("\\PC{0,9}", 0..9),
    ) {
        let mut out = Vec::new();
        let pairs = || map.iter().map(|(k, v)| (k.as_str(), v.as_str()));
        out.write_string_string_map(pairs()).unwrap();
        out.write_map_of_strings(pairs()).unwrap();
        out.write_string_set(set.iter().map(String::as_str)).unwrap();
        out.write_set_of_strings(set.iter().map(String::as_str)).unwrap();
        let mut input = SliceInput::new(&out);
        prop_assert_eq!(&input.read_string_string_map().unwrap(), &map);
        prop_assert_eq!(&input.read_map_of_strings().unwrap(), &map);
        prop_assert_eq!(&input.read_string_set().unwrap(), &set);
        prop_assert_eq!(&input.read_set_of_strings().unwrap(), &set);
        prop_assert_eq!(input.remaining(), 0);
    }

    /// Any calls on any bytes: no panic, and every input says the same up to the first error.
    #[test]
    fn inputs_agree(bytes in vec(prop_oneof![0..8_u8, any::<u8>()], 0..200), ops: Vec<u8>) {
        let mut slice = SliceInput::new(&bytes);
        let mut plain = PlainInput { bytes: &bytes, at: 0 };
        let mut reader = ReadInput::new(Dribble::new(bytes.as_slice(), 5));
        let mut hashing = ChecksumInput::new(ReadInput::new(bytes.as_slice()));
        for op in ops {
            let shown = |e: Error| format!("{e:?}");
            let model = step(op, &mut plain).map_err(shown);
            prop_assert_eq!(&step(op, &mut slice).map_err(shown), &model, "slice, op {}", op);
            prop_assert_eq!(&step(op, &mut reader).map_err(shown), &model, "reader, op {}", op);
            prop_assert_eq!(&step(op, &mut hashing).map_err(shown), &model, "checksum, op {}", op);
            if model.is_err() {
                break;
            }
            prop_assert_eq!(slice.position(), plain.position());
            prop_assert_eq!(reader.position(), plain.position());
            prop_assert_eq!(hashing.checksum(), crc32(&bytes[..plain.at]));
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn utf16_as_the_model(units in units(500)) {
        check_utf16(&units);
    }

    /// Pieces of all sizes through a buffer: nothing lost, nothing twice, the checksum of all.
    #[test]
    fn streams_carry_everything(sizes in vec(prop_oneof![0..100_usize, 0..40_000_usize], 0..12), most in 1..20_000_usize) {
        let mut expected = Vec::new();
        let mut out = WriteOutput::new(Dribble::new(Vec::new(), most));
        for (i, &size) in sizes.iter().enumerate() {
            let piece: Vec<u8> = (0..size).map(|j| (i * 31 + j) as u8).collect();
            out.write_bytes(&piece).unwrap();
            expected.extend_from_slice(&piece);
            prop_assert_eq!(out.position(), expected.len() as u64);
        }
        prop_assert_eq!(out.checksum(), expected.checksum());
        let written = out.finish().unwrap().inner;
        prop_assert_eq!(&written, &expected);
        let mut input = ReadInput::new(Dribble::new(written.as_slice(), most));
        let mut copy = Vec::new();
        for &size in &sizes {
            copy.copy_bytes(&mut input, size as u64).unwrap();
        }
        prop_assert_eq!(&copy, &expected);
        let mut input = ReadInput::new(Dribble::new(written.as_slice(), most));
        for (i, &size) in sizes.iter().enumerate() {
            if i % 2 == 0 {
                input.skip_bytes(size as u64).unwrap();
            } else {
                let mut piece = vec![0; size];
                input.read_bytes(&mut piece).unwrap();
                let at = input.position() as usize;
                prop_assert_eq!(&piece, &expected[at - size..at]);
            }
        }
        prop_assert!(input.read_byte().is_err());
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    bytes.to_vec().checksum()
}
