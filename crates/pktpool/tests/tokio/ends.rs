//! Where the input ends, and what fails.

use crate::common::packet;
use crate::script::{Does, Script};
use crate::{block, connection, stream_error};
use pktpool::tokio::{Error, ParseError};
use pktpool::{Error as StreamError, NeedMoreOr, Reader};
use std::io;

#[test]
fn ends_of_the_input() {
    let row = |reader: &mut Reader<'_>| {
        if reader.at_message_end() {
            reader.next_message()?;
        }
        reader.u16_be()
    };
    let whole = packet(1, 1, b"1234");
    // Behind a message, and once more when it is asked again.
    let mut c = connection(Script::new([Does::Gives(whole.clone())]));
    assert_eq!(block(c.read(row)).unwrap(), Some(0x3132));
    assert_eq!(block(c.read(row)).unwrap(), Some(0x3334));
    for _ in 0..2 {
        assert_eq!(block(c.read(row)).unwrap(), None);
        assert!(block(c.next_packet()).unwrap().is_none());
        assert!(!block(c.fill()).unwrap());
    }
    // A header alone ends the message: nothing is missing.
    let closed = [packet(0, 1, b"12"), packet(1, 2, b"")].concat();
    let mut c = connection(Script::new([Does::Gives(closed)]));
    assert_eq!(block(c.read(row)).unwrap(), Some(0x3132));
    assert_eq!(block(c.read(row)).unwrap(), None);
    // A whole message is there, which is less than the step wants: it is not lost silently.
    let mut c = connection(Script::new([Does::Gives([&whole[..], &packet(1, 2, b"")].concat())]));
    let two = |reader: &mut Reader<'_>| {
        reader.take(4)?;
        reader.next_message()?;
        reader.next_message()?;
        reader.kind()
    };
    for _ in 0..2 {
        let eof = StreamError::UnexpectedEof { partial: 0 };
        assert_eq!(stream_error(block(c.read(two))), Some(eof));
    }
    // The packets are still to be had.
    assert_eq!(block(c.next_packet()).unwrap().unwrap().payload(), b"1234");
    // Inside a message, and inside a packet at every place.
    let open = packet(0, 1, b"12");
    let mut c = connection(Script::new([Does::Gives(open)]));
    assert_eq!(block(c.read(row)).unwrap(), Some(0x3132));
    assert_eq!(stream_error(block(c.read(row))), Some(StreamError::UnexpectedEof { partial: 0 }));
    assert_eq!(stream_error(block(c.read(row))), Some(StreamError::Poisoned));
    for cut in 1..whole.len() {
        let eof = StreamError::UnexpectedEof { partial: cut as u64 };
        let mut c = connection(Script::new([Does::Gives(whole[..cut].to_vec())]));
        assert_eq!(stream_error(block(c.next_packet()).map(drop)), Some(eof));
        let mut c = connection(Script::new([Does::Gives(whole[..cut].to_vec())]));
        let all = block(c.read(|r| r.bytes::<4>()));
        assert_eq!(stream_error(all), Some(eof));
    }
    // Nothing came at all.
    assert!(block(connection(Script::default()).next_packet()).unwrap().is_none());
    assert_eq!(block(connection(Script::default()).read(row)).unwrap(), None);
}

#[test]
fn errors_of_the_input_may_be_overcome() {
    let bytes = packet(1, 1, b"abc");
    let todo = [
        Does::Gives(bytes[..9].to_vec()),
        Does::Fails(io::ErrorKind::TimedOut),
        Does::Waits,
        Does::Gives(bytes[9..].to_vec()),
        Does::Fails(io::ErrorKind::ConnectionReset),
    ];
    let mut c = connection(Script::new(todo.clone()));
    let error = block(c.next_packet()).unwrap_err();
    assert!(matches!(&error, Error::Io(e) if e.kind() == io::ErrorKind::TimedOut));
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::TimedOut);
    assert_eq!(block(c.next_packet()).unwrap().unwrap().payload(), b"abc");
    assert!(matches!(block(c.next_packet()), Err(Error::Io(_))));

    let mut c = connection(Script::new(todo));
    let step = |r: &mut Reader<'_>| {
        let value = r.read_vec(3)?;
        if value[0] == b'a' { Err(NeedMoreOr::Other("an a")) } else { Ok(()) }
    };
    assert!(matches!(block(c.parse(step)), Err(ParseError::Io(_))));
    assert!(matches!(block(c.parse(step)), Err(ParseError::Other("an a"))));
    assert!(matches!(block(c.parse(step)), Err(ParseError::Stream(StreamError::Poisoned))));
}

#[test]
fn errors_as_io_errors_and_as_text() {
    let bad = packet(1, 1, b"");
    let mut c = connection(Script::new([Does::Gives([&bad[..2], &[0, 7, 0, 0, 0, 0]].concat())]));
    let error = block(c.next_packet()).unwrap_err();
    assert_eq!(error.to_string(), "impossible length 7");
    let error = io::Error::from(error);
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (io::ErrorKind::InvalidData, "impossible length 7")
    );
    let mut c = connection(Script::new([Does::Gives(bad[..5].to_vec())]));
    let error = io::Error::from(block(c.next_packet()).unwrap_err());
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    let error = ParseError::<io::Error>::Other(io::ErrorKind::Other.into());
    assert_eq!(error.to_string(), "other error");
}
