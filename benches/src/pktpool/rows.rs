//! Small rows, with a continuation at every read: a row that a read leaves incomplete is parsed again.

use super::input::{Wire, wire_of};
use super::peers::{Codec, split_packet};
use super::{after, before, peers};
use crate::registry::Registry;
use crate::subject::Sink;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use pktpool::tds::Tds;
use pktpool::{PacketStream, Progress};
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use tokio_util::codec::Decoder;

const ROWS: usize = 20_000;

pub(super) fn register(registry: &mut Registry) {
    let input = || {
        let rows = rows();
        Rows { wire: wire_of(&rows, 4096, 1460), rows }
    };
    registry
        .case("pktpool/rows/20-000-one-by-one", input)
        .stateful("before", |_| Default::default(), replayed)
        .stateful("after", |_| (after::stream(), Columns::default()), one_by_one)
        .stateful("bytes", |_| Default::default(), split);
    registry
        .case("pktpool/rows/20-000-by-1460", input)
        .stateful("before", |_| Default::default(), replayed)
        .stateful("after", |_| (after::stream(), Columns::default()), parsed)
        .stateful("bytes", |_| Default::default(), split)
        .stateful("tokio-util", |_| Default::default(), decoded)
        .stateful("std", |input: &Rows| (vec![0; input.wire.read], Columns::default()), copied);
}

struct Rows {
    wire: Wire,
    /// In one piece.
    rows: Vec<u8>,
}

/// Rows of an integer and of text with its length, 47 bytes on average.
fn rows() -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(47);
    let mut rows = Vec::new();
    for id in 0..ROWS as i32 {
        let len = rng.u16(21..=61);
        rows.extend(id.to_le_bytes());
        rows.extend(len.to_le_bytes());
        rows.extend(std::iter::repeat_with(|| rng.lowercase() as u8).take(len.into()));
    }
    rows
}

/// Where all of them put the rows.
#[derive(Default)]
struct Columns {
    ids: Vec<i32>,
    ends: Vec<usize>,
    text: Vec<u8>,
}

impl Columns {
    fn push(&mut self, id: i32) {
        self.ids.push(id);
        self.ends.push(self.text.len());
    }

    /// All rows, and none of them is kept.
    fn show(&mut self, sink: &mut Sink) {
        sink.see(&self.ids.len());
        sink.see(&self.ids.iter().fold(0, |sum: i32, id| sum.rotate_left(1) ^ id));
        sink.see(&self.ends.iter().fold(0, |sum: usize, end| sum ^ end));
        sink.see(&self.text);
        self.ids.clear();
        self.ends.clear();
        self.text.clear();
    }
}

fn parsed(
    (stream, columns): &mut (PacketStream<Tds>, Columns),
    input: &'static Rows,
    sink: &mut Sink,
) {
    let Columns { ids, ends, text } = columns;
    for mut read in input.wire.reads() {
        while !read.is_empty() {
            read = after::receive_some(stream, read);
            let progress = stream.read_each(
                |reader| {
                    if reader.at_message_end() {
                        reader.next_message()?;
                        return Ok(None);
                    }
                    let id = reader.i32_le()?;
                    let len = reader.u16_le()?;
                    // Nothing is kept of a row that is not there whole: this is the last that it reads.
                    reader.take(len.into())?.for_each(|part| text.extend_from_slice(part));
                    Ok(Some((id, text.len())))
                },
                |row| {
                    if let Some((id, end)) = row {
                        ids.push(id);
                        ends.push(end);
                    }
                    ControlFlow::<()>::Continue(())
                },
            );
            assert_eq!(progress, Ok(Progress::NeedMore), "the wire is well-formed");
        }
    }
    columns.show(sink);
}

/// A call for each row.
fn one_by_one(
    (stream, columns): &mut (PacketStream<Tds>, Columns),
    input: &'static Rows,
    sink: &mut Sink,
) {
    for mut read in input.wire.reads() {
        while !read.is_empty() {
            read = after::receive_some(stream, read);
            while let Progress::Done(row) = stream
                .read(|reader| {
                    if reader.at_message_end() {
                        reader.next_message()?;
                        return Ok(None);
                    }
                    let id = reader.i32_le()?;
                    let len = reader.u16_le()?;
                    // Nothing is kept of a row that is not there whole: this is the last that it reads.
                    reader.take(len.into())?.for_each(|part| columns.text.extend_from_slice(part));
                    Ok(Some(id))
                })
                .expect("the wire is well-formed")
            {
                row.into_iter().for_each(|id| columns.push(id));
            }
        }
    }
    columns.show(sink);
}

/// Packets as they came, a buffer each, for as long as a row needs them.
#[derive(Default)]
struct Replay {
    packets: before::Multiplexer,
    chain: VecDeque<Vec<u8>>,
    /// What of the first packet was read.
    start: usize,
    columns: Columns,
}

fn replayed(state: &mut Replay, input: &'static Rows, sink: &mut Sink) {
    let Replay { packets, chain, start, columns } = state;
    for read in input.wire.reads() {
        packets.take_in(input.wire.read, read, |packet| chain.push_back(packet));
        while let Some((id, end)) = row(chain, *start, &mut columns.text) {
            columns.push(id);
            *start = end;
            while chain.front().is_some_and(|packet| *start >= packet.len() - 8) {
                *start -= chain.pop_front().map_or(0, |packet| packet.len() - 8);
            }
        }
    }
    columns.show(sink);
}

/// A row from `start` on, counted in payload of the chain, and where it ends.
fn row(chain: &VecDeque<Vec<u8>>, start: usize, text: &mut Vec<u8>) -> Option<(i32, usize)> {
    let mut payloads = chain.iter().map(|packet| &packet[8..]);
    let mut payload = payloads.next()?.get(start..)?;
    let mut read = |mut len: usize, give: &mut dyn FnMut(&[u8])| -> Option<()> {
        while len > payload.len() {
            give(payload);
            len -= payload.len();
            payload = payloads.next()?;
        }
        give(&payload[..len]);
        payload = &payload[len..];
        Some(())
    };
    let (mut head, mut at) = ([0; 6], 0);
    read(6, &mut |part| {
        head[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    })?;
    let [a, b, c, d, e, f] = head;
    let (id, len) = (i32::from_le_bytes([a, b, c, d]), usize::from(u16::from_le_bytes([e, f])));
    let before = text.len();
    if read(len, &mut |part| text.extend_from_slice(part)).is_none() {
        text.truncate(before);
        return None;
    }
    Some((id, start + 6 + len))
}

/// What is read, the payloads gathered of it, and the rows.
#[derive(Default)]
struct Gathered {
    reads: BytesMut,
    payload: BytesMut,
    columns: Columns,
}

/// A row, split off without a copy.
#[inline(always)]
fn split_row(payload: &mut BytesMut) -> Option<(i32, Bytes)> {
    let mut head = payload.get(..6)?;
    let (id, len) = (head.get_i32_le(), usize::from(head.get_u16_le()));
    (payload.len() >= 6 + len).then(|| {
        payload.advance(6);
        (id, payload.split_to(len).freeze())
    })
}

fn split(state: &mut Gathered, input: &'static Rows, sink: &mut Sink) {
    let Gathered { reads, payload, columns } = state;
    for read in input.wire.reads() {
        reads.reserve(input.wire.read);
        reads.put_slice(read);
        while let Some(packet) = split_packet(reads) {
            payload.put_slice(&packet[8..]);
        }
        while let Some((id, text)) = split_row(payload) {
            columns.text.extend_from_slice(&text);
            columns.push(id);
        }
    }
    columns.show(sink);
}

struct RowDecoder;

impl Decoder for RowDecoder {
    type Item = (i32, Bytes);
    type Error = io::Error;

    #[inline]
    fn decode(&mut self, payload: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(split_row(payload))
    }
}

fn decoded(
    (packets, payload, columns): &mut (Codec, BytesMut, Columns),
    input: &'static Rows,
    sink: &mut Sink,
) {
    let Codec { codec, buffer } = packets;
    for read in input.wire.reads() {
        buffer.reserve(input.wire.read);
        buffer.put_slice(read);
        while let Some(packet) = codec.decode(buffer).expect("the wire is well-formed") {
            payload.put_slice(&packet[8..]);
        }
        while let Some((id, text)) = RowDecoder.decode(payload).expect("a row has no error") {
            columns.text.extend_from_slice(&text);
            columns.push(id);
        }
    }
    columns.show(sink);
}

/// The limit: one copy of the stream, and rows that lie in one piece.
fn copied((buffer, columns): &mut (Vec<u8>, Columns), input: &'static Rows, sink: &mut Sink) {
    peers::copy_stream(buffer, &input.wire);
    let mut rows = &input.rows[..];
    while let Some((head, rest)) = rows.split_first_chunk::<6>() {
        let [a, b, c, d, e, f] = *head;
        let (text, rest) = rest.split_at(u16::from_le_bytes([e, f]).into());
        columns.text.extend_from_slice(text);
        columns.push(i32::from_le_bytes([a, b, c, d]));
        rows = rest;
    }
    columns.show(sink);
}
