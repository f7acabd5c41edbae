//! Streams that fail, and what is left then.

#![cfg(feature = "std")]

use lucene_io::{
    ChecksumInput, DataInput, DataOutput, Error, IndexOutput, ReadInput, SliceInput, WriteOutput,
};
use std::io::{self, ErrorKind, Read, Write};

/// Takes so many bytes, then fails once, then goes on.
struct Disk {
    data: Vec<u8>,
    room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            self.room = usize::MAX;
            return Err(ErrorKind::StorageFull.into());
        }
        let n = bytes.len().min(self.room);
        self.data.extend_from_slice(&bytes[..n]);
        self.room -= n;
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failed_write_can_be_taken_up_again() {
    let first: Vec<u8> = (0..16_000).map(|i| i as u8).collect();
    let mut out = WriteOutput::new(Disk { data: Vec::new(), room: 9_000 });
    out.write_bytes(&first).unwrap();
    let error = out.write_bytes(&[1; 1000]).unwrap_err();
    assert!(matches!(&error, Error::Io(e) if e.kind() == ErrorKind::StorageFull), "{error:?}");
    // Nothing of the second was taken, nothing of the first is lost or doubled.
    assert_eq!(out.position(), 16_000);
    out.write_bytes(&[1; 1000]).unwrap();
    let expected = [first.as_slice(), &[1; 1000]].concat();
    assert_eq!(out.checksum(), expected.clone().checksum());
    assert_eq!(out.finish().unwrap().data, expected);
}

#[test]
fn a_large_write_says_how_far_it_came() {
    let mut out = WriteOutput::new(Disk { data: Vec::new(), room: 20_000 });
    out.write_bytes(&[7; 40_000]).unwrap_err();
    assert_eq!(out.position(), 20_000);
    assert_eq!(out.checksum(), vec![7; 20_000].checksum());
}

/// Claims to have written or read more than it was given.
struct Liar;

impl Write for Liar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len() + 10)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Liar {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Ok(into.len() + 10)
    }
}

#[test]
fn a_lying_stream_is_not_believed() {
    let mut out = WriteOutput::new(Liar);
    out.write_bytes(&[1; 50_000]).unwrap();
    assert_eq!(out.position(), 50_000);
    out.close().unwrap();
    let mut input = ReadInput::new(Liar);
    input.read_bytes(&mut [0; 50_000]).unwrap();
    input.skip_bytes(100_000).unwrap();
    input.read_i64().unwrap();
    assert_eq!(input.position(), 150_008);
}

#[test]
fn the_end_and_what_comes_before_it() {
    // lucene-s3directory#1: no byte is needed at the end to read none.
    let mut input = ReadInput::new(io::empty());
    input.read_bytes(&mut []).unwrap();
    input.skip_bytes(0).unwrap();
    SliceInput::new(&[]).read_bytes(&mut []).unwrap();

    let bytes = vec![5; 40_000];
    let mut input = ReadInput::new(bytes.as_slice());
    input.read_i16().unwrap();
    let error = input.read_bytes(&mut [0; 40_000]).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 2, need: 40_000 }), "{error:?}");
    let mut input = ReadInput::new(bytes.as_slice());
    let error = input.skip_bytes(u64::MAX).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { at: 0, need: u64::MAX }), "{error:?}");

    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::ConnectionReset.into())
        }
    }
    let error = ReadInput::new(Broken).read_vint().unwrap_err();
    assert!(matches!(error, Error::Io(e) if e.kind() == ErrorKind::ConnectionReset));
}

/// A peer that sends a message and waits: more must not be asked for than it takes.
#[test]
fn a_reader_is_asked_for_no_more_than_is_needed() {
    struct Once(Vec<Vec<u8>>);
    impl Read for Once {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let message = self.0.pop().expect("it would wait for ever");
            into[..message.len()].copy_from_slice(&message);
            Ok(message.len())
        }
    }
    let mut input = ReadInput::new(Once(vec![b"rms\x80".to_vec(), b"\xAC\x02\x05te".to_vec()]));
    assert_eq!(input.read_vint().unwrap(), 300);
    assert_eq!(input.read_string().unwrap(), "terms");
    assert_eq!(input.position(), 8);
}

#[test]
fn a_string_longer_than_the_buffer() {
    let text = "añ".repeat(30_000);
    let mut out = WriteOutput::new(Vec::new());
    out.write_string(&text).unwrap();
    out.write_utf16(&text.encode_utf16().collect::<Vec<_>>()).unwrap();
    let mut bytes = out.finish().unwrap();
    let mut input = ReadInput::new(bytes.as_slice());
    assert_eq!(input.read_string().unwrap(), text);
    let mut again = String::new();
    input.read_string_into(&mut again).unwrap();
    assert_eq!(again, text);
    // Its first bad byte is named by where it stands in the stream.
    bytes[80_000] = 0xFF;
    let error = ReadInput::new(bytes.as_slice()).read_string_into(&mut again).unwrap_err();
    assert!(matches!(error, Error::InvalidUtf8 { at: 79_999 | 80_000 }), "{error:?}");
    assert!(again.is_empty() && again.capacity() >= text.len());
}

/// What is lent is what comes next, and only a skip consumes it; at the end nothing is.
#[test]
fn inputs_lend_what_lies_ahead() {
    let bytes: Vec<u8> = (0..40_000_u32).map(|i| (i % 251) as u8).collect();
    let mut slice = SliceInput::new(&bytes);
    let mut reader = ReadInput::new(bytes.as_slice());
    let mut hashed = ChecksumInput::new(ReadInput::new(bytes.as_slice()));
    let mut by_reference = &mut ChecksumInput::new(SliceInput::new(&bytes));
    let inputs: [&mut dyn DataInput; 4] = [&mut slice, &mut reader, &mut hashed, &mut by_reference];
    for input in inputs {
        let mut seen = Vec::new();
        loop {
            let at = input.position();
            let ahead = input.lend().unwrap().to_vec();
            assert_eq!(input.lend().unwrap(), ahead, "to look is not to take");
            assert_eq!(input.position(), at);
            // Not all of it at once.
            let n = ahead.len().div_ceil(2);
            if n == 0 {
                break;
            }
            input.skip_bytes(n as u64).unwrap();
            seen.extend_from_slice(&ahead[..n]);
            assert_eq!(input.position(), seen.len() as u64);
        }
        assert!(seen == bytes);
    }
    assert_eq!(hashed.checksum(), bytes.clone().checksum());
    assert!(ReadInput::new(io::empty()).lend().unwrap().is_empty());
}

#[test]
fn copies_between_streams() {
    let bytes: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
    for n in [0, 1, 255, 256, 257, 8191, 8192, 8193, 100_000] {
        let mut out = WriteOutput::new(Vec::new());
        let mut input = ReadInput::new(bytes.as_slice());
        out.copy_bytes(&mut input, n).unwrap();
        assert_eq!((out.position(), input.position()), (n, n));
        assert_eq!(out.finish().unwrap(), bytes[..n as usize]);
    }
    let mut out = Vec::new();
    let error = out.copy_bytes(&mut SliceInput::new(&bytes), 100_001).unwrap_err();
    assert!(matches!(error, Error::UnexpectedEof { .. }));
}
