//! The driver over AsyncRead: any reads, any waits, any dropped futures give what the stream gives.
#![cfg(feature = "tokio")]

mod common;

use common::{Taken, packet, tds};
use pktpool::tds::{Packetizer, Tds};
use pktpool::tokio::{Connection, Error, MessageWriter, ParseError};
use pktpool::{Error as StreamError, Limits, NeedMoreOr, Reader, Stop};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// What a socket does when it is polled.
#[derive(Debug, Clone)]
enum Does {
    Gives(Vec<u8>),
    Waits,
    Fails(io::ErrorKind),
}

/// A socket that does these things in turn, and then ends.
#[derive(Debug, Default)]
struct Script {
    todo: VecDeque<Does>,
    written: Vec<u8>,
    /// Bytes that one write takes, each followed by a wait; 0: all of them.
    takes: usize,
    waited: bool,
    vectored: bool,
}

impl Script {
    fn new(todo: impl IntoIterator<Item = Does>) -> Self {
        Self { todo: todo.into_iter().collect(), ..Self::default() }
    }

    /// The bytes in reads of these sizes in turn, each after a wait.
    fn pieces(mut bytes: &[u8], sizes: &[usize]) -> Self {
        let mut todo = VecDeque::new();
        for size in sizes.iter().cycle() {
            if bytes.is_empty() {
                break;
            }
            let (piece, rest) = bytes.split_at((*size).clamp(1, bytes.len()));
            todo.extend([Does::Waits, Does::Gives(piece.to_vec())]);
            bytes = rest;
        }
        todo.push_back(Does::Waits);
        Self { todo, ..Self::default() }
    }
}

impl AsyncRead for Script {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        assert!(room.remaining() > 0);
        match self.todo.pop_front() {
            None => Poll::Ready(Ok(())),
            Some(Does::Waits) => Poll::Pending,
            Some(Does::Fails(kind)) => Poll::Ready(Err(kind.into())),
            Some(Does::Gives(mut bytes)) => {
                let rest = bytes.split_off(bytes.len().min(room.remaining()));
                room.put_slice(&bytes);
                if !rest.is_empty() {
                    self.todo.push_front(Does::Gives(rest));
                }
                Poll::Ready(Ok(()))
            }
        }
    }
}

impl AsyncWrite for Script {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        assert!(!bytes.is_empty());
        if self.takes == 0 {
            self.written.extend(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        self.waited = !self.waited;
        if self.waited {
            return Poll::Pending;
        }
        let n = self.takes.min(bytes.len());
        self.written.extend(&bytes[..n]);
        Poll::Ready(Ok(n))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        assert!(slices.iter().all(|slice| !slice.is_empty()));
        if self.vectored {
            let all: Vec<u8> = slices.iter().flat_map(|slice| slice.to_vec()).collect();
            self.poll_write(cx, &all)
        } else {
            self.poll_write(cx, &slices[0])
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.vectored
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn connection(io: Script) -> Connection<Script, Tds> {
    Connection::new(io, tds(), Limits::default())
}

/// Polls a future once; it is dropped when it waits, as a `select!` would.
fn once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Polls a future to its end, dropping none.
fn block<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn stream_error<T>(result: Result<T, Error>) -> Option<StreamError> {
    match result {
        Err(Error::Stream(error)) => Some(error),
        _ => None,
    }
}

/// One message: a count, and so many values with their lengths before them.
fn values(lengths: &[usize]) -> Vec<u8> {
    let mut message = vec![lengths.len() as u8];
    for &n in lengths {
        message.extend((n as u32).to_be_bytes());
        message.extend((0..n).map(|i| (i * 7 + n + i / 251) as u8));
    }
    message
}

fn wire(message: &[u8], size: usize) -> Vec<u8> {
    let packets = Packetizer::new(4, size).unwrap();
    packets.packets(message).flat_map(|(h, p)| [&h.to_bytes()[..], p].concat()).collect()
}

/// Reads such a message back to its bytes.
fn read_values(reader: &mut Reader<'_>) -> Result<Vec<u8>, Stop> {
    let mut message = vec![reader.u8()?];
    for _ in 0..message[0] {
        let length = reader.bytes::<4>()?;
        message.extend(length);
        message.extend(&*reader.read_vec(u32::from_be_bytes(length) as usize)?);
    }
    reader.next_message()?;
    Ok(message)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    /// Each future is dropped whenever it waits, and nothing is lost: packets.
    #[test]
    fn packets_by_dropped_futures(
        packets in prop::collection::vec((any::<u8>(), prop_oneof![0_usize..60, 400_usize..5000, 20_000_usize..65_527]), 1..12),
        reads in prop::collection::vec(prop_oneof![1_usize..12, 500_usize..9000, 30_000_usize..200_000], 1..20),
        by_poll: bool,
    ) {
        let wires: Vec<_> = packets.iter().enumerate().map(|(i, &(status, n))| packet(status, i as u8, &vec![i as u8; n])).collect();
        let expected = common::cut(&wires.concat());
        let mut connection = connection(Script::pieces(&wires.concat(), &reads));
        let mut taken: Vec<Taken> = Vec::new();
        let end = loop {
            let polled = if by_poll {
                match connection.poll_next_packet(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(packet) => Some(packet),
                    Poll::Pending => None,
                }
            } else {
                once(connection.next_packet())
            };
            match polled {
                None => {}
                Some(Ok(Some(p))) => taken.push((p.kind, p.end_of_message, p.header().to_vec(), p.payload().to_vec())),
                Some(Ok(None)) => break None,
                Some(Err(error)) => break stream_error::<()>(Err(error)),
            }
        };
        let open = expected.last().is_some_and(|p| !p.1);
        prop_assert_eq!(end, open.then_some(StreamError::UnexpectedEof { partial: 0 }));
        prop_assert_eq!(taken, expected);
        prop_assert_eq!(connection.stream().stats().bytes_retained, 0);
    }

    /// The same for values that are half read, by every function that runs steps.
    #[test]
    fn values_by_dropped_futures(
        messages in prop::collection::vec(prop::collection::vec(prop_oneof![0_usize..30, 300_usize..9000, 70_000_usize..200_000], 0..5), 1..4),
        reads in prop::collection::vec(prop_oneof![1_usize..2000, 30_000_usize..200_000], 1..20),
        size in prop_oneof![9_usize..40, 500_usize..5000, Just(32_767)],
        how in 0..4,
    ) {
        let messages: Vec<_> = messages.iter().map(|lengths| values(lengths)).collect();
        // Small packets of large values would only take long.
        let size = if messages.concat().len() > 20_000 { size.max(512) } else { size };
        let bytes: Vec<u8> = messages.iter().flat_map(|message| wire(message, size)).collect();
        let mut connection = connection(Script::pieces(&bytes, &reads));
        let mut context = Context::from_waker(Waker::noop());
        let parse = |reader: &mut Reader<'_>| Ok::<_, NeedMoreOr<u8>>(read_values(reader)?);
        let mut got = Vec::new();
        loop {
            let polled = match how {
                0 => once(connection.read(read_values)).map(|r| r.unwrap()),
                1 => once(connection.parse(parse)).map(|r| r.unwrap()),
                2 => match connection.poll_read_step(&mut context, read_values) {
                    Poll::Ready(r) => Some(r.unwrap()),
                    Poll::Pending => None,
                },
                _ => match connection.poll_parse(&mut context, parse) {
                    Poll::Ready(r) => Some(r.unwrap()),
                    Poll::Pending => None,
                },
            };
            match polled {
                None => {}
                Some(Some(message)) => got.push(message),
                Some(None) => break,
            }
        }
        prop_assert!(got == messages);
    }

    /// A message written in any pieces, each of them followed by a dropped future.
    #[test]
    fn messages_by_dropped_writes(
        length in 0_usize..9000,
        size in prop_oneof![9_usize..40, 500_usize..5000],
        takes in prop_oneof![0_usize..40, 500_usize..20_000],
        vectored: bool,
    ) {
        let message: Vec<u8> = (0..length).map(|i| (i * 7 + i / 251) as u8).collect();
        let mut output = Script { takes, vectored, ..Script::default() };
        let mut writer = MessageWriter::new(Packetizer::new(4, size).unwrap().packets(&message));
        while once(writer.write_to(&mut output)).map(|written| written.unwrap()).is_none() {}
        prop_assert!(output.written == wire(&message, size));
        // It is written once.
        block(writer.write_to(&mut output)).unwrap();
        prop_assert_eq!(output.written.len(), wire(&message, size).len());
    }
}

#[test]
fn another_function_goes_on_where_one_was_dropped() {
    let bytes = [packet(0, 1, b"\x05hello"), packet(1, 2, b"rest"), packet(1, 3, b"x")].concat();
    let text = |reader: &mut Reader<'_>| {
        let length = reader.u8()?;
        reader.read_vec(length.into())
    };
    for cut in 0..=bytes.len() {
        let pieces =
            [Does::Gives(bytes[..cut].to_vec()), Does::Waits, Does::Gives(bytes[cut..].to_vec())];
        let mut connection = connection(Script::new(
            pieces.into_iter().filter(|p| !matches!(p, Does::Gives(b) if b.is_empty())),
        ));
        // Dropped or not, and then the packet's rest.
        let value = once(connection.read(text)).or_else(|| once(connection.read(text)));
        assert_eq!(&*value.unwrap().unwrap().unwrap(), b"hello", "{cut}");
        let packet = once(connection.next_packet()).or_else(|| None);
        match packet {
            Some(packet) => assert_eq!(packet.unwrap().unwrap().payload(), b"rest", "{cut}"),
            None => {
                assert_eq!(block(connection.next_packet()).unwrap().unwrap().payload(), b"rest")
            }
        }
        assert_eq!(block(connection.read(|r| r.u8())).unwrap(), Some(b'x'));
        assert_eq!(block(connection.read(|r| r.u8())).ok(), None, "the message is at its end");
    }
}

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

#[test]
fn an_output_that_takes_nothing() {
    struct Full;
    impl AsyncWrite for Full {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &[u8],
        ) -> Poll<io::Result<usize>> {
            Poll::Ready(Ok(0))
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }
    let mut writer = MessageWriter::new(Packetizer::new(4, 512).unwrap().packets(b"message"));
    let error = block(writer.write_to(&mut Full)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::WriteZero);
}

/// Both ends on a runtime, over a pipe that is smaller than a packet.
#[test]
fn a_request_and_its_answer() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (client, server) = tokio::io::duplex(700);
        let request = values(&[10, 0, 5000]);
        let answer = values(&[100_000, 3]);
        let expected = answer.clone();
        let server = tokio::spawn(async move {
            let mut server = Connection::new(server, tds(), Limits::default());
            let got = server.read(read_values).await.unwrap().unwrap();
            let packets = Packetizer::new(4, 4096).unwrap();
            MessageWriter::new(packets.packets(&answer)).write_to(&mut server).await.unwrap();
            server.shutdown().await.unwrap();
            got
        });
        let mut client = Connection::new(client, tds(), Limits::default());
        let packets = Packetizer::new(1, 512).unwrap();
        MessageWriter::new(packets.packets(&request)).write_to(&mut client).await.unwrap();
        client.flush().await.unwrap();
        assert!(client.read(read_values).await.unwrap().unwrap() == expected);
        assert!(client.next_packet().await.unwrap().is_none());
        assert!(server.await.unwrap() == request);
    });
}

/// The parts come apart with what was read.
#[test]
fn parts() {
    let bytes = [packet(1, 1, b"one"), packet(1, 2, b"two")].concat();
    let todo = [
        Does::Gives(bytes[..16].to_vec()),
        Does::Gives(bytes[16..].to_vec()),
        Does::Gives(b"tls".to_vec()),
    ];
    let mut c = connection(Script::new(todo));
    assert_eq!(block(c.next_packet()).unwrap().unwrap().payload(), b"one");
    assert_eq!(c.stream().stats().bytes_retained, 5);
    let (io, stream) = c.into_parts();
    let mut c = Connection::from_parts(io, stream);
    assert_eq!(block(c.next_packet()).unwrap().unwrap().payload(), b"two");
    assert!(c.stream_mut().next_packet().unwrap().is_none());
    let mut rest = Vec::new();
    block(c.get_mut().read_to_end(&mut rest)).unwrap();
    assert_eq!(rest, b"tls");
    assert!(c.get_ref().todo.is_empty());
}

#[test]
fn futures_may_move_between_threads() {
    fn send<T: Send>(_: &T) {}
    let mut c = connection(Script::default());
    send(&c);
    send(&c.next_packet());
    send(&c.read(read_values));
    send(&c.parse(|r: &mut Reader<'_>| Ok::<_, NeedMoreOr<u8>>(r.u8()?)));
}
