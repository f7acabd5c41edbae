//! Messages of PostgreSQL's size, about 80 bytes: as frames, and as the fields of rows.

use super::after;
use super::input::Wire;
use crate::registry::Registry;
use crate::subject::Sink;
use bytes::{BufMut, BytesMut};
use fallible_iterator::FallibleIterator;
use pktpool::{Limits, PacketStream, Progress, postgres::Backend};
use postgres_protocol::message::backend::{Header, Message};
use std::hint::black_box;
use std::ops::Range;

/// What tokio-postgres reads at a time.
const READ: usize = 8192;

pub(super) fn register(registry: &mut Registry) {
    registry
        .case("pktpool/postgres/frames-80", rows)
        .stateful("after", |_| stream(), frames)
        .stateful("postgres-protocol", |_| BytesMut::new(), split_frames)
        .stateful("std", |w: &Wire| vec![0; w.read], super::peers::copy_once);
    registry
        .case("pktpool/postgres/fields-80", rows)
        .stateful("after", |_| (stream(), Vec::new()), fields)
        .stateful("postgres-protocol", |_| Default::default(), parsed_fields);
}

fn stream() -> PacketStream<Backend> {
    PacketStream::new(Backend, Limits::default())
}

/// 4000 `DataRow`s of four fields, one of them sometimes NULL.
fn rows() -> Wire {
    let mut rng = fastrand::Rng::with_seed(80);
    let mut wire = Wire::new(Vec::new(), READ);
    for id in 0..4000 {
        let mut payload = 4_u16.to_be_bytes().to_vec();
        let id = format!("{}", 1_000_000 + id);
        let len = rng.usize(20..=40);
        let name: Vec<u8> = std::iter::repeat_with(|| rng.lowercase() as u8).take(len).collect();
        let null = rng.u8(..8) == 0;
        for field in
            [Some(id.as_bytes()), Some(&name), (!null).then_some(&b"t"[..]), Some(b"2026-12-01")]
        {
            match field {
                Some(field) => {
                    payload.extend((field.len() as i32).to_be_bytes());
                    payload.extend(field);
                }
                None => payload.extend((-1_i32).to_be_bytes()),
            }
        }
        wire.bytes.push(b'D');
        wire.bytes.extend((4 + payload.len() as u32).to_be_bytes());
        wire.payloads.push(wire.bytes.len()..wire.bytes.len() + payload.len());
        wire.bytes.extend(payload);
    }
    wire
}

fn frames(stream: &mut PacketStream<Backend>, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        after::receive(stream, read, |packet| sink.see(packet.payload()));
    }
}

fn split_frames(buffer: &mut BytesMut, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        buffer.reserve(READ);
        buffer.put_slice(read);
        while let Some(header) = Header::parse(buffer).expect("the wire is well-formed") {
            let total = 1 + header.len() as usize;
            if buffer.len() < total {
                break;
            }
            let frame = buffer.split_to(total);
            sink.see(&frame[5..]);
        }
    }
}

/// Where the fields of a row lie behind their number; none where one is NULL.
type Fields = Vec<Option<Range<usize>>>;

fn show(sink: &mut Sink, fields: &Fields) {
    for field in fields {
        let (start, end) = field.as_ref().map_or((0, 0), |range| (range.start, range.end));
        sink.see(&start);
        sink.see(&end);
    }
}

fn fields(
    (stream, fields): &mut (PacketStream<Backend>, Fields),
    input: &'static Wire,
    sink: &mut Sink,
) {
    for mut read in input.reads() {
        while !read.is_empty() {
            read = after::receive_some(stream, read);
            while let Progress::Done(()) = stream
                .read(|reader| {
                    fields.clear();
                    let mut at = 0;
                    for _ in 0..reader.u16_be()? {
                        at += 4;
                        let range = match usize::try_from(reader.i32_be()?) {
                            Err(_) => None,
                            Ok(len) => {
                                reader.take(len)?.for_each(|part| {
                                    black_box(part);
                                });
                                Some(at..at + len)
                            }
                        };
                        at = range.as_ref().map_or(at, |range| range.end);
                        fields.push(range);
                    }
                    reader.next_message()
                })
                .expect("the wire is well-formed")
            {
                show(sink, fields);
            }
        }
    }
}

fn parsed_fields((buffer, fields): &mut (BytesMut, Fields), input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        buffer.reserve(READ);
        buffer.put_slice(read);
        while let Some(message) = Message::parse(buffer).expect("the wire is well-formed") {
            let Message::DataRow(row) = message else { continue };
            fields.clear();
            let mut ranges = row.ranges();
            while let Some(range) = ranges.next().expect("the row is well-formed") {
                if let Some(range) = &range {
                    black_box(&row.buffer()[range.clone()]);
                }
                fields.push(range);
            }
            show(sink, fields);
        }
    }
}
