//! Packets that are retained until the next one begins: every step reads packet k whole and then needs a
//! byte of packet k + 1.

use super::input::{Wire, wire};
use super::peers::{Codec, split_packet};
use super::{after, before, peers};
use crate::registry::Registry;
use crate::subject::Sink;
use bytes::{BufMut, Bytes, BytesMut};
use pktpool::tds::Tds;
use pktpool::{Error, PacketStream, Progress, Stop};
use std::hint::black_box;
use tokio_util::codec::Decoder;

pub(super) fn register(registry: &mut Registry) {
    for (name, total, packet, read) in [
        ("pktpool/retained/512-by-1460", 4 << 20, 512, 1460),
        ("pktpool/retained/512-by-1460-warm", 256 << 10, 512, 1460),
        ("pktpool/retained/4096-by-1460", 4 << 20, 4096, 1460),
        ("pktpool/retained/8000-by-1460", 4 << 20, 8000, 1460),
        ("pktpool/retained/4096-by-8000", 4 << 20, 4096, 8000),
        ("pktpool/retained/8000-by-8000", 4 << 20, 8000, 8000),
        ("pktpool/retained/8000-by-64k", 4 << 20, 8000, 64 << 10),
        ("pktpool/retained/32767-by-64k", 4 << 20, 32_767, 64 << 10),
    ] {
        registry
            .case(name, move || wire(total, packet, read))
            .stateful("before", |_| Default::default(), fresh)
            .stateful("after", |_| after::stream(), parsed)
            .stateful("bytes", |_| Default::default(), split)
            .stateful("tokio-util", |_| Default::default(), decoded)
            .stateful("std", |w: &Wire| vec![0; w.read], copied)
            .stateful("memcpy", |w: &Wire| vec![0; w.bytes.len()], copied_whole);
    }
}

/// What a step takes from a packet: its ends, its length, and that it was there in full.
type Seen = ([u8; 2], usize);

#[inline(always)]
fn look<'c>(chunks: impl Iterator<Item = &'c [u8]>) -> Seen {
    let (mut ends, mut len) = ([0; 2], 0);
    for chunk in chunks {
        black_box(chunk);
        if let (Some(&first), Some(&last)) = (chunk.first(), chunk.last()) {
            ends = [if len == 0 { first } else { ends[0] }, last];
        }
        len += chunk.len();
    }
    (ends, len)
}

#[inline(always)]
fn show(sink: &mut Sink, (ends, len): Seen) {
    sink.see(&ends[..]);
    sink.see(&len);
}

fn show_whole(sink: &mut Sink, packet: &[u8]) {
    show(sink, look([&packet[8..]].into_iter()));
}

/// A buffer a read and a packet, as long as it is needed.
fn fresh(
    (packets, held): &mut (before::Multiplexer, Option<Vec<u8>>),
    input: &'static Wire,
    sink: &mut Sink,
) {
    for read in input.reads() {
        packets.take_in(input.read, read, |packet| {
            if let Some(packet) = held.replace(packet) {
                show_whole(sink, &packet);
            }
        });
        let next = packets.partial();
        release(held, next > 8, |packet| show_whole(sink, &packet));
    }
}

/// Lets go what is held when its message ends with it, or the next packet has begun.
#[inline(always)]
fn release<P: AsRef<[u8]>>(held: &mut Option<P>, next_began: bool, mut show: impl FnMut(P)) {
    let is_last = held.as_ref().is_some_and(|packet| packet.as_ref()[1] & 1 == 1);
    if (is_last || next_began)
        && let Some(packet) = held.take()
    {
        show(packet);
    }
}

fn parsed(stream: &mut PacketStream<Tds>, input: &'static Wire, sink: &mut Sink) {
    for mut read in input.reads() {
        while !read.is_empty() {
            read = after::receive_some(stream, read);
            while let Progress::Done(seen) = stream
                .read(|reader| {
                    reader.kind()?;
                    let seen = look(reader.take(reader.remaining_in_packet())?);
                    match reader.peek() {
                        Ok(_) => {}
                        Err(Stop::Failed(Error::EndOfMessage)) => reader.next_message()?,
                        Err(stop) => return Err(stop),
                    }
                    Ok(seen)
                })
                .expect("the wire is well-formed")
            {
                show(sink, seen);
            }
        }
    }
}

fn split((buffer, held): &mut (BytesMut, Option<Bytes>), input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        buffer.reserve(input.read);
        buffer.put_slice(read);
        while let Some(packet) = split_packet(buffer) {
            if let Some(packet) = held.replace(packet) {
                show_whole(sink, &packet);
            }
        }
        release(held, buffer.len() > 8, |packet| show_whole(sink, &packet));
    }
}

fn decoded((state, held): &mut (Codec, Option<BytesMut>), input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        state.buffer.reserve(input.read);
        state.buffer.put_slice(read);
        while let Some(packet) =
            state.codec.decode(&mut state.buffer).expect("the wire is well-formed")
        {
            if let Some(packet) = held.replace(packet) {
                show_whole(sink, &packet);
            }
        }
        release(held, state.buffer.len() > 8, |packet| show_whole(sink, &packet));
    }
}

/// The limit: one copy of the stream, and packets whose places are known beforehand.
fn copied(buffer: &mut Vec<u8>, input: &'static Wire, sink: &mut Sink) {
    peers::copy_stream(buffer, input);
    for payload in &input.payloads {
        show(sink, look([&input.bytes[payload.clone()]].into_iter()));
    }
}

/// One copy of the stream at once, in memory, to a place as long as it.
fn copied_whole(buffer: &mut Vec<u8>, input: &'static Wire, sink: &mut Sink) {
    buffer.copy_from_slice(&input.bytes);
    for payload in &input.payloads {
        show(sink, look([&buffer[payload.clone()]].into_iter()));
    }
}
