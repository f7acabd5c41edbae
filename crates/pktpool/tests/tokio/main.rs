//! The driver over `AsyncRead`: any reads, any waits, any dropped futures give what the stream gives.
#![cfg(feature = "tokio")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of a reader is one for a single lifetime, a step is for any"
)]

#[path = "../common/mod.rs"]
mod common;

mod dropped;
mod ends;
mod script;
mod writer;

use common::{packet, tds};
use pktpool::tds::{Packetizer, Tds};
use pktpool::tokio::{Connection, Error, MessageWriter};
use pktpool::{Error as StreamError, Limits, NeedMoreOr, Reader, Stop};
use script::{Does, Script};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

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
