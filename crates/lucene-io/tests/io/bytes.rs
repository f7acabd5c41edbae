//! Feature `bytes`: what is written to `BytesMut` is what is written to a `Vec`.

#![cfg(feature = "bytes")]

use bytes::{Bytes, BytesMut};
use lucene_io::{BytesInput, DataInput, DataOutput, Error, IndexOutput, SliceInput, codec};

type Write = fn(&mut dyn IndexOutput) -> Result<(), Error>;

#[test]
fn the_same_bytes_as_a_vector() {
    let writes: [Write; 14] = [
        |o| o.write_byte(7),
        |o| o.write_bytes(b""),
        |o| o.write_bytes(&[9; 1000]),
        |o| o.write_i16(-2),
        |o| o.write_i64_le(i64::MIN),
        |o| o.write_vint(-1),
        |o| o.write_vlong(i64::MAX),
        |o| o.write_zlong(i64::MIN),
        |o| o.write_group_vints(&[1, 1 << 9, 1 << 17, 1 << 25, u32::MAX]),
        |o| o.write_string(""),
        |o| o.write_string(&"né京🙂".repeat(3000)),
        |o| o.write_utf16(&"né京🙂".encode_utf16().collect::<Vec<_>>()),
        |o| o.write_utf16(&"京\u{1F642}".repeat(6000).encode_utf16().collect::<Vec<_>>()),
        |o| o.write_utf16(&[0xD83D, 0x61, 0xDE00]),
    ];
    let mut vec = Vec::new();
    let mut bytes = BytesMut::from(b"".as_slice());
    for (i, write) in writes.into_iter().enumerate() {
        write(&mut vec).unwrap();
        write(&mut bytes).unwrap();
        assert_eq!(bytes, vec, "write {i}");
        assert_eq!(bytes.position(), vec.position());
        assert_eq!(bytes.checksum(), vec.checksum());
    }
    bytes.write_map_of_strings([("b", "1"), ("a", "2")]).unwrap();
    vec.write_map_of_strings([("b", "1"), ("a", "2")]).unwrap();
    assert!(matches!(bytes.write_vlong(-1), Err(Error::NegativeVLong)));
    assert_eq!(bytes, vec);
    // What it held before is part of the file.
    let mut more = BytesMut::from(b"before".as_slice());
    codec::write_footer(&mut more).unwrap();
    codec::checksum_entire_file(&more).unwrap();
    more.close().unwrap();
    // Both ways without a copy of the whole.
    let mut out = BytesMut::new();
    out.copy_bytes(&mut BytesInput::from(bytes.freeze()), vec.len() as u64).unwrap();
    assert_eq!(out, vec);
}

#[test]
fn what_is_taken_is_shared_and_counted() {
    let bytes = Bytes::from(b"\x03abcdef\x05xy".to_vec());
    let mut input = BytesInput::new(bytes.clone());
    let abc = input.read_byte_slice().unwrap();
    let def = input.take(3).unwrap();
    assert_eq!((abc.as_ptr(), def.as_ptr()), (bytes[1..].as_ptr(), bytes[4..].as_ptr()));
    // As on a slice: the length is consumed, the body is not there.
    let mut slice = SliceInput::new(&bytes);
    slice.skip_bytes(7).unwrap();
    let error = input.read_byte_slice().unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 8, need: 5 }), "{error:?}");
    slice.read_byte_slice().unwrap_err();
    assert_eq!((input.position(), input.remaining()), (slice.position(), slice.remaining()));
    let error = input.take(3).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 8, need: 3 }), "{error:?}");
    let error = input.take(usize::MAX).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 8, need: u64::MAX }), "{error:?}");
    assert!(input.take(0).unwrap().is_empty());
    assert_eq!(input.take(2).unwrap(), "xy");
    assert!(input.take(0).unwrap().is_empty());
    drop((input, bytes));
    assert_eq!((abc, def), ("abc".into(), "def".into()));
}
