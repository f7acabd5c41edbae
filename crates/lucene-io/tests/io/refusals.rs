//! Sinks and sources that refuse at every byte: what was taken, and where an output or input stands.

#![cfg(feature = "std")]

use lucene_io::{DataInput, DataOutput, Error, IndexOutput, ReadInput, SliceOutput, WriteOutput};
use std::io::{self, ErrorKind, Read, Write};

type WriteCall = fn(&mut dyn DataOutput) -> Result<(), Error>;

const WRITES: [WriteCall; 18] = [
    |o| o.write_byte(1),
    |o| o.write_bytes(b"bytes"),
    |o| o.write_i16(1),
    |o| o.write_i32(1),
    |o| o.write_i64(1),
    |o| o.write_i16_le(1),
    |o| o.write_i32_le(1),
    |o| o.write_i64_le(1),
    |o| o.write_vint(300),
    |o| o.write_vint(-1),
    |o| o.write_vlong(i64::MAX),
    |o| o.write_zint(i32::MIN),
    |o| o.write_zlong(i64::MIN),
    |o| o.write_group_vints(&[1, 256, 65_536, u32::MAX]),
    |o| o.write_string("fünf"),
    |o| o.write_string(&"é".repeat(100)),
    |o| o.write_utf16(&[0x41, 0xE9, 0xD83D]),
    // 120 units look like a length of one byte and need two.
    |o| o.write_utf16(&[0xE9; 120]),
];

#[test]
fn a_slice_that_is_too_short() {
    for (call, write) in WRITES.into_iter().enumerate() {
        let mut whole = Vec::new();
        write(&mut whole).unwrap();
        let mut memory = vec![0xAA; 2 + whole.len()];
        for room in 0..whole.len() {
            let mut out = SliceOutput::new(&mut memory[..2 + room]);
            out.write_bytes(b"ab").unwrap();
            let result = write(&mut out);
            let Err(Error::OutputFull { at: 2, need }) = result else { panic!("{result:?}") };
            assert_eq!(need, whole.len() as u64, "call {call}");
            assert_eq!((out.written(), out.position()), (&b"ab"[..], 2), "call {call}");
            assert_eq!(out.checksum(), b"ab".to_vec().checksum());
        }
        let mut out = SliceOutput::new(&mut memory);
        out.write_bytes(b"ab").unwrap();
        write(&mut out).unwrap();
        assert_eq!(out.written()[2..], whole, "call {call}");
        out.write_bytes(&[]).unwrap();
        assert!(matches!(out.write_byte(0), Err(Error::OutputFull { need: 1, .. })));
    }
}

/// Takes `room` bytes, a few at a time, and then fails for good.
struct Full<'a> {
    data: &'a mut Vec<u8>,
    room: usize,
    zero: bool,
}

impl Write for Full<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.room).min(7);
        if n == 0 && !self.zero {
            return Err(ErrorKind::StorageFull.into());
        }
        self.data.extend_from_slice(&bytes[..n]);
        self.room -= n;
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_is_full_at_every_byte() {
    let mut whole = Vec::new();
    WRITES.iter().for_each(|write| write(&mut whole).unwrap());
    for zero in [false, true] {
        for room in 0..=whole.len() {
            let mut data = Vec::new();
            let mut out = WriteOutput::new(Full { data: &mut data, room, zero });
            WRITES.iter().for_each(|write| write(&mut out).unwrap());
            assert_eq!(out.position(), whole.len() as u64);
            assert_eq!(out.checksum(), whole.checksum());
            let kind = if zero { ErrorKind::WriteZero } else { ErrorKind::StorageFull };
            match out.finish().map(drop) {
                Ok(()) => assert_eq!(room, whole.len()),
                Err(Error::Io(error)) => assert_eq!(error.kind(), kind),
                Err(other) => panic!("{other:?}"),
            }
            assert_eq!(data, whole[..room]);
        }
    }
}

/// Whatever fails in the middle, position and checksum speak of the same bytes, and the writer has
/// a prefix of them.
#[test]
fn a_writer_that_fails_between_buffers() {
    for room in [0, 1, 16_383, 16_384, 16_385, 20_000, 32_767, 32_768, 40_000] {
        let mut data = Vec::new();
        let mut out = WriteOutput::new(Full { data: &mut data, room, zero: false });
        let mut model = Vec::new();
        let (text, units) = ("ü".repeat(4000), vec![0xE9; 9000]);
        let calls: [WriteCallTo<'_>; 4] = [
            &|o| o.write_bytes(&[5; 10_000]),
            &|o| o.write_string(&text),
            &|o| o.write_utf16(&units),
            &|o| o.write_vint(-1),
        ];
        for call in calls.iter().cycle().take(40) {
            let before = model.len();
            call(&mut model).unwrap();
            if let Err(error) = call(&mut out) {
                assert!(matches!(error, Error::Io(_)));
                let reached = out.position() as usize;
                assert!((before..model.len()).contains(&reached), "room {room}");
                model.truncate(reached);
            }
            assert_eq!(out.position(), model.len() as u64, "room {room}");
            assert_eq!(out.checksum(), model.checksum(), "room {room}");
        }
        // Dropped without `finish`: what the writer has is whole, what was buffered is lost.
        drop(out);
        assert_eq!(data, model[..room.min(model.len())], "room {room}");
    }
}

type WriteCallTo<'a> = &'a dyn Fn(&mut dyn DataOutput) -> Result<(), Error>;

/// Fails once after so many bytes, and goes on when asked again.
struct Hiccup<'a> {
    bytes: &'a [u8],
    after: usize,
}

impl Read for Hiccup<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.after == 0 {
            self.after = usize::MAX;
            return Err(ErrorKind::WouldBlock.into());
        }
        let n = into.len().min(self.after).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(n);
        into[..n].copy_from_slice(now);
        self.bytes = later;
        self.after -= n;
        Ok(n)
    }
}

#[test]
fn a_reader_that_fails_once() {
    let bytes: Vec<u8> = (0..50_000_u32).map(|i| (i % 251) as u8).collect();
    for after in [0, 1, 5, 16_383, 16_384, 16_385, 30_000, 49_999] {
        for n in [1, 8, 1000, 16_384, 40_000] {
            let mut input = ReadInput::new(Hiccup { bytes: &bytes, after });
            let mut piece = vec![0; n];
            while (input.position() as usize) < bytes.len() - n {
                let before = input.position();
                match input.read_bytes(&mut piece) {
                    Ok(()) => assert_eq!(input.position(), before + n as u64),
                    Err(Error::Io(error)) => {
                        assert_eq!(error.kind(), ErrorKind::WouldBlock);
                        assert!((before..before + n as u64).contains(&input.position()));
                        continue;
                    }
                    Err(other) => panic!("{other:?}"),
                }
                // The position still says which bytes come: none is lost or doubled.
                assert_eq!(piece, bytes[before as usize..][..n], "{after} {n}");
            }
        }
    }
}
