//! Others at the same row, as their documentation advises, and what a copy alone takes.

use super::super::peers::{Codec, split_packet};
use super::Row;
use crate::subject::Sink;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::Message;
use std::io;
use tokio_util::codec::Decoder;

fn show(sink: &mut Sink, (id, value, tail): (i32, Bytes, i32)) {
    sink.see(&id);
    sink.see(&value[..]);
    sink.see(&tail);
}

/// What is read, and the payloads gathered of it.
#[derive(Default)]
pub(super) struct Gathered {
    reads: BytesMut,
    payload: BytesMut,
}

pub(super) fn accumulated(state: &mut Gathered, row: &'static Row, sink: &mut Sink) {
    let Gathered { reads, payload } = state;
    for read in row.wire.reads() {
        reads.reserve(read.len());
        reads.put_slice(read);
        while let Some(packet) = split_packet(reads) {
            payload.put_slice(&packet[8..]);
        }
        if payload.len() >= row.len + 8 {
            let id = payload.get_i32_le();
            let value = payload.split_to(row.len).freeze();
            show(sink, (id, value, payload.get_i32_le()));
        }
    }
}

/// The row as a frame: its room is reserved as soon as its length is known.
struct RowDecoder {
    len: usize,
}

impl Decoder for RowDecoder {
    type Item = (i32, Bytes, i32);
    type Error = io::Error;

    fn decode(&mut self, payload: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        let whole = self.len + 8;
        if payload.len() < whole {
            payload.reserve(whole - payload.len());
            return Ok(None);
        }
        let id = payload.get_i32_le();
        let value = payload.split_to(self.len).freeze();
        Ok(Some((id, value, payload.get_i32_le())))
    }
}

/// A codec of packets, and one of rows over their payloads.
pub(super) struct Rows {
    packets: Codec,
    rows: RowDecoder,
    payload: BytesMut,
}

impl Rows {
    pub(super) fn new(len: usize) -> Self {
        Self { packets: Codec::default(), rows: RowDecoder { len }, payload: BytesMut::new() }
    }
}

pub(super) fn decoded(state: &mut Rows, row: &'static Row, sink: &mut Sink) {
    let Codec { codec, buffer } = &mut state.packets;
    for read in row.wire.reads() {
        buffer.reserve(read.len());
        buffer.put_slice(read);
        while let Some(packet) = codec.decode(buffer).expect("the wire is well-formed") {
            state.payload.put_slice(&packet[8..]);
        }
        while let Some(row) = state.rows.decode(&mut state.payload).expect("a row has no error") {
            show(sink, row);
        }
    }
}

/// The limit: every read copied once into a buffer, and from there once to its place in the value.
pub(super) fn copied(buffer: &mut Vec<u8>, row: &'static Row, sink: &mut Sink) {
    let mut payload = Vec::with_capacity(row.len + 8);
    for read in row.wire.reads() {
        let buffer = &mut buffer[..read.len()];
        buffer.copy_from_slice(read);
        payload.extend_from_slice(&buffer[8..]);
    }
    let (mut start, mut end) = (&payload[..], &payload[4 + row.len..]);
    sink.see(&start.get_i32_le());
    sink.see(&start[..row.len]);
    sink.see(&end.get_i32_le());
}

/// `Message::parse` reserves what a header declares, at once.
pub(super) fn postgres_parsed(reads: &mut BytesMut, row: &'static Row, sink: &mut Sink) {
    for read in row.wire.reads() {
        reads.reserve(read.len());
        reads.put_slice(read);
        while let Some(message) = Message::parse(reads).expect("the wire is well-formed") {
            let Message::DataRow(body) = message else { continue };
            let fields: Vec<_> = body.ranges().collect().expect("the row is well-formed");
            let field = |i: usize| fields[i].clone().map(|range| body.buffer_bytes().slice(range));
            sink.see(&(fields.len() as u16));
            sink.see(&field(0).unwrap_or_default()[..]);
            sink.see(&field(1).unwrap_or_default()[..]);
        }
    }
}

/// The limit, as above: two copies, the second to a place of the value's own.
pub(super) fn postgres_copied(buffer: &mut Vec<u8>, row: &'static Row, sink: &mut Sink) {
    let mut frame = Vec::with_capacity(row.wire.bytes.len());
    for read in row.wire.reads() {
        let buffer = &mut buffer[..read.len()];
        buffer.copy_from_slice(read);
        frame.extend_from_slice(buffer);
    }
    // Behind its header: the columns, the length of the first and it, and the length of the second.
    let (head, value) = frame.split_at(frame.len() - row.len);
    sink.see(&u16::from_be_bytes([head[5], head[6]]));
    sink.see(&head[11..12]);
    sink.see(value);
}
