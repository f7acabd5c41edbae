//! The columns of Firebird do what the columns they are made of do.
#![cfg(feature = "firebird")]

use proptest::prelude::*;
use utf8_runes::column::{
    DecodeError, EncodeError, FixedText, LengthPrefix, Overflow, Pad, RightTruncation, Unit,
    VarText,
};
use utf8_runes::firebird::{Charset, Layout, NotText, TextColumn, charset};

/// Every type with every set and many lengths, by the rules in words.
#[test]
fn every_description() {
    for sqltype in 440..=460 {
        for subtype in 0..=255 {
            for sqllen in (0..=40).chain([93, 32_764, 32_765, 40_000, -1, -25_536, -32_768]) {
                for collation in [0, 1, 127, -128] {
                    check(sqltype, subtype | (collation << 8), sqllen);
                }
            }
        }
    }
    for sqllen in [-32_769, i32::MIN] {
        assert_eq!(TextColumn::new(452, 4, sqllen), Err(NotText::Length { sqllen }));
    }
    assert_eq!(TextColumn::new(452, 4, i32::MAX).unwrap().byte_width(), i32::MAX as usize);
    for sqltype in [i32::MIN, -452, 0, 1, i32::MAX] {
        assert_eq!(TextColumn::new(sqltype, 4, 4), Err(NotText::Type { sqltype }));
    }
}

fn check(sqltype: i32, sqlsubtype: i32, sqllen: i32) {
    let column = TextColumn::new(sqltype, sqlsubtype, sqllen);
    if ![448, 449, 452, 453].contains(&sqltype) {
        assert_eq!(column, Err(NotText::Type { sqltype }));
        return;
    }
    let id = (sqlsubtype & 0xFF) as u8;
    let Some(set) = charset(id) else {
        assert_eq!(column, Err(NotText::Charset { id }));
        return;
    };
    if id == 1 {
        assert_eq!(column, Err(NotText::Octets));
        return;
    }
    let column = column.unwrap();
    let bytes = sqllen.rem_euclid(65_536) as usize;
    let per_char = usize::from(set.bytes_per_char);
    assert_eq!(column.charset(), set);
    assert_eq!(column.is_nullable(), sqltype % 2 == 1);
    let whole = bytes.is_multiple_of(per_char);
    assert_eq!(column.length(), if whole { bytes / per_char } else { bytes });
    let fixed = sqltype >= 452;
    assert_eq!(column.byte_width(), bytes + if fixed { 0 } else { 2 });
    assert_eq!(matches!(column.layout(), Layout::Fixed(_)), fixed);
}

#[test]
fn none_is_bytes() {
    let column = TextColumn::new(452, 0, 4).unwrap();
    assert_eq!(column.charset(), Charset::NONE);
    assert_eq!(column.decode("日 ".as_bytes()), Ok("日 "));
    assert_eq!(column.decode(b"caf\xE9"), Err(DecodeError::Malformed { offset: 3 }));
    assert_eq!(column.decode(b"\xFF\xFE  "), Err(DecodeError::Malformed { offset: 0 }));
    // Counted in bytes: two letters of two bytes are four.
    let mut field = [0; 4];
    assert_eq!(column.encode("éé", &mut field), Ok(4));
    assert_eq!(field, *"éé".as_bytes());
    let error = RightTruncation { expected: 4, actual: 5 };
    assert_eq!(column.encode("ééa", &mut field), Err(EncodeError::RightTruncation(error)));
}

#[test]
fn a_length_that_is_no_multiple_cuts_nothing() {
    let column = TextColumn::new(452, 4, 7).unwrap();
    assert_eq!(column.decode(b"abcdefg"), Ok("abcdefg"));
    let column = TextColumn::new(452, 4, 8).unwrap();
    assert_eq!(column.decode(b"abcdefgh"), Ok("ab"));
}

#[test]
fn over_the_wire() {
    let column = TextColumn::new(448, 4, 12).unwrap().prefix(LengthPrefix::U32Be);
    assert_eq!(column.byte_width(), 16);
    assert_eq!(column.decode(b"\0\0\0\x02ab"), Ok("ab"));
    let char = TextColumn::new(452, 4, 12).unwrap();
    assert_eq!(char.prefix(LengthPrefix::U32Be), char);
}

#[cfg(feature = "alloc")]
#[test]
fn lossy() {
    let char = TextColumn::new(452, 0, 4).unwrap().pad(Pad::Trim);
    assert_eq!(char.decode_lossy(b"caf\xE9").unwrap(), "caf\u{FFFD}");
    assert_eq!(char.decode_lossy(b"\xFF   ").unwrap(), "\u{FFFD}");
    let varchar = TextColumn::new(448, 0, 4).unwrap();
    assert_eq!(varchar.decode_lossy(b"\x02\0a\xE9").unwrap(), "a\u{FFFD}");
    assert_eq!(varchar.decode_lossy(b"\x02\0a"), Err(DecodeError::Length { needed: 4 }));
}

proptest! {
    #[test]
    fn as_the_layout(
        text in "[a-zé日😊 ]{0,12}",
        n in 0..10_i32,
        varying: bool,
        trim: bool,
        overflow in prop_oneof![
            Just(Overflow::Error), Just(Overflow::SqlStore), Just(Overflow::Truncate)
        ],
        size in 0..60_usize,
    ) {
        let pad = if trim { Pad::Trim } else { Pad::Keep };
        let column = TextColumn::new(if varying { 448 } else { 452 }, 4, 4 * n).unwrap();
        let column = column.pad(pad).overflow(overflow);
        let (mut field, mut expected_field) = (vec![0xAA; size], vec![0xAA; size]);
        let written = column.encode(&text, &mut field);
        let length = n as usize;
        let (expected, value) = if varying {
            let layout = VarText::new(length).pad(pad).overflow(overflow);
            let expected = layout.encode(&text, &mut expected_field);
            (expected, layout.decode(&expected_field))
        } else {
            let layout = FixedText::new(length).unit(Unit::Scalars).pad(pad).overflow(overflow);
            let expected = layout.encode(&text, &mut expected_field).map(|()| size);
            (expected, layout.decode(&expected_field))
        };
        prop_assert_eq!(written, expected);
        prop_assert_eq!(&field, &expected_field);
        prop_assert_eq!(column.decode(&field), value);
    }
}
