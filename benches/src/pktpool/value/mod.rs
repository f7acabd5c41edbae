//! One large value over many packets, between two small columns, one packet a read.

mod before;
mod peers;

use super::after;
use super::input::{Wire, random, wire_of};
use crate::registry::Registry;
use crate::subject::Sink;
use pktpool::tds::Tds;
use pktpool::{Framing, Limits, PacketStream, Progress, postgres};

/// Of every packet here, and of every read.
const PACKET: usize = 8000;

/// A row of an integer, a value, and an integer.
struct Row {
    wire: Wire,
    /// Bytes of the value.
    len: usize,
}

fn row(packets: usize) -> Row {
    let message = random(packets * (PACKET - 8));
    Row { wire: wire_of(&message, PACKET, PACKET), len: message.len() - 8 }
}

/// A stream whose limits let such values through.
pub(super) fn stream<F: Framing>(framing: F) -> PacketStream<F> {
    let limits = Limits { max_packet: 1 << 30, max_message: 1 << 30, ..Limits::default() };
    PacketStream::new(framing, limits)
}

fn trusting<F: Framing>(framing: F) -> PacketStream<F> {
    let mut stream = stream(framing);
    stream.set_max_preallocation(16 << 20);
    stream
}

pub(super) fn register(registry: &mut Registry) {
    for (name, packets, is_replayed) in [
        ("pktpool/value/16-packets", 16, true),
        ("pktpool/value/64-packets", 64, true),
        ("pktpool/value/256-packets", 256, true),
        ("pktpool/value/1024-packets", 1024, true),
        ("pktpool/value/2500-packets", 2500, false),
    ] {
        let case = registry
            .case(name, move || row(packets))
            .stateful("after", |_| stream(Tds::default()), resumed)
            .stateful("bytes", |_| Default::default(), peers::accumulated)
            .stateful("tokio-util", |row: &Row| peers::Rows::new(row.len), peers::decoded)
            .stateful("std", |_| vec![0; PACKET], peers::copied);
        if is_replayed {
            case.stateful("before", |_| Default::default(), before::replayed);
        }
    }
    registry
        .case("pktpool/value/as-64-of-16-packets", || Halves {
            one: wire_of(&random(1024 * (PACKET - 8)), PACKET, PACKET),
            many: many(&random(1024 * (PACKET - 8))),
        })
        .stateful("after", |_| stream(Tds::default()), one_of_1024)
        .stateful("pktpool", |_| stream(Tds::default()), many_of_16);
    registry
        .case("pktpool/value/postgres-10-mb", postgres_row)
        .stateful("after", |_| stream(postgres::Backend), postgres_resumed)
        .stateful("postgres-protocol", |_| Default::default(), peers::postgres_parsed)
        .stateful("std", |_| vec![0; PACKET], peers::postgres_copied);
    // The peer reserves the length that the header declares; so does ours, when told so.
    registry
        .case("pktpool/value/postgres-10-mb-at-once", postgres_row)
        .stateful("after", |_| trusting(postgres::Backend), postgres_resumed)
        .stateful("postgres-protocol", |_| Default::default(), peers::postgres_parsed);
}

/// One read of the socket.
fn receive<F: Framing>(stream: &mut PacketStream<F>, read: Option<&[u8]>) {
    let mut read = read.expect("the row is not longer than the wire");
    while !read.is_empty() {
        read = after::receive_some(stream, read);
    }
}

fn resumed(stream: &mut PacketStream<Tds>, row: &'static Row, sink: &mut Sink) {
    let mut reads = row.wire.reads();
    loop {
        let progress = stream.read(|reader| {
            let id = reader.i32_le()?;
            let value = reader.read_vec(row.len)?;
            let tail = reader.i32_le()?;
            reader.next_message()?;
            Ok((id, value, tail))
        });
        match progress.expect("the wire is well-formed") {
            Progress::NeedMore => receive(stream, reads.next()),
            Progress::Done((id, value, tail)) => {
                sink.see(&id);
                sink.see(&value[..]);
                return sink.see(&tail);
            }
        }
    }
}

/// The same bytes, as one value of 1024 packets and as 64 values of 16.
struct Halves {
    one: Wire,
    many: Wire,
}

/// Bytes of a value of 16 packets.
const SIXTEEN: usize = 16 * (PACKET - 8);

fn many(message: &[u8]) -> Wire {
    let mut wire = Wire::new(Vec::new(), PACKET);
    for value in message.chunks(SIXTEEN) {
        wire.bytes.extend(wire_of(value, PACKET, PACKET).bytes);
    }
    wire
}

/// Every value of `wire`, each of `len` bytes and a message.
#[inline(always)]
fn values(stream: &mut PacketStream<Tds>, wire: &Wire, len: usize, mut show: impl FnMut(&[u8])) {
    for read in wire.reads() {
        receive(stream, Some(read));
        let progress = stream.read(|reader| {
            let value = reader.read_vec(len)?;
            reader.next_message()?;
            Ok(value)
        });
        if let Progress::Done(value) = progress.expect("the wire is well-formed") {
            show(&value);
        }
    }
}

fn one_of_1024(stream: &mut PacketStream<Tds>, input: &'static Halves, sink: &mut Sink) {
    values(stream, &input.one, 64 * SIXTEEN, |value| {
        value.chunks(SIXTEEN).for_each(|part| sink.see(part));
    });
}

fn many_of_16(stream: &mut PacketStream<Tds>, input: &'static Halves, sink: &mut Sink) {
    values(stream, &input.many, SIXTEEN, |value| sink.see(value));
}

/// A `DataRow` of an integer in text and a field of 10 MB, and what follows it.
fn postgres_row() -> Row {
    const LEN: usize = 10_000_000;
    let mut bytes = vec![b'D'];
    bytes.extend((4 + 2 + 4 + 1 + 4 + LEN as u32).to_be_bytes());
    bytes.extend(2_u16.to_be_bytes());
    bytes.extend(1_u32.to_be_bytes());
    bytes.push(b'7');
    bytes.extend((LEN as u32).to_be_bytes());
    bytes.extend(random(LEN));
    Row { wire: Wire::new(bytes, PACKET), len: LEN }
}

fn postgres_resumed(
    stream: &mut PacketStream<postgres::Backend>,
    row: &'static Row,
    sink: &mut Sink,
) {
    let mut reads = row.wire.reads();
    loop {
        let progress = stream.read(|reader| {
            let columns = reader.u16_be()?;
            let mut id = [0; 1];
            reader.skip(4)?;
            reader.read_into(&mut id)?;
            let len = reader.u32_be()?;
            let value = reader.read_vec(len as usize)?;
            reader.next_message()?;
            Ok((columns, id, value))
        });
        match progress.expect("the wire is well-formed") {
            Progress::NeedMore => receive(stream, reads.next()),
            Progress::Done((columns, id, value)) => {
                sink.see(&columns);
                sink.see(&id[..]);
                return sink.see(&value[..]);
            }
        }
    }
}
