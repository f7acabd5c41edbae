//! Ours, through the public API.

use super::input::{Continuations, Wire};
use super::{before, fold, see_last};
use crate::subject::Sink;
use pktpool::tds::{Packetizer, Tds};
use pktpool::{Framing, FreeList, Limits, PacketStream, Snapshot};
use std::hint::black_box;

pub(super) const CONNECTIONS: usize = 20;

pub(super) fn stream() -> PacketStream<Tds> {
    PacketStream::new(Tds::default(), Limits::default())
}

fn see_snapshot(snapshot: &Snapshot<&'static [u8]>, sink: &mut Sink) {
    if let Some(last) = snapshot.len().checked_sub(1)
        && let (Some(offset), Some(size)) = (snapshot.data_offset(last), snapshot.data_size(last))
    {
        black_box(snapshot.get(last));
        see_last(sink, offset, size);
    }
}

pub(super) fn continuations(
    snapshot: &mut Snapshot<&'static [u8]>,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        for packet in &input.packets {
            snapshot.append(packet, packet.len() - input.header);
        }
        see_snapshot(snapshot, sink);
        snapshot.clear();
    }
}

/// The read side of a pooled connection, the same in every variant: the stream of the physical
/// connection is kept. Packets are told by their place in the input, which outlives the snapshot.
pub(super) struct Reads(PacketStream<Tds>);

impl Default for Reads {
    fn default() -> Self {
        Self(stream())
    }
}

impl Reads {
    #[inline(always)]
    pub(super) fn login(&mut self, input: &'static Wire, mut take: impl FnMut(&'static [u8])) {
        let mut at = 0;
        for read in input.reads() {
            receive(&mut self.0, read, |packet| {
                let n = packet.header().len() + packet.payload().len();
                take(&input.bytes[at..at + n]);
                at += n;
            });
        }
    }
}

#[derive(Default)]
pub(super) struct Connection {
    reads: Reads,
    snapshot: Snapshot<&'static [u8]>,
}

pub(super) fn open_connection(connection: &mut Connection, input: &'static Wire, sink: &mut Sink) {
    let Connection { reads, snapshot } = connection;
    for _ in 0..CONNECTIONS {
        reads.login(input, |packet| {
            snapshot.append(packet, packet.len() - 8);
        });
        see_snapshot(snapshot, sink);
        snapshot.clear();
    }
}

pub(super) fn resume(
    snapshot: &mut Snapshot<&'static [u8]>,
    input: &'static Wire,
    sink: &mut Sink,
) {
    let mut result = 0;
    for payload in &input.payloads {
        snapshot.append(&input.bytes[payload.clone()], payload.len());
        // The first packet is a fresh start; every later one goes on from what was captured.
        if let Some(new) = snapshot.move_to_continue().or_else(|| snapshot.move_next()) {
            result ^= snapshot.get(new).map_or(0, |packet| fold(packet));
            snapshot.capture_continue();
        }
    }
    snapshot.clear();
    sink.see(&result);
}

/// A free list of nodes, and those that were rented.
pub(super) type Rented = (FreeList<Box<before::Node>>, Vec<Box<before::Node>>);

pub(super) fn rented_nodes(
    (list, nodes): &mut Rented,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        for packet in &input.packets {
            let mut node = list.rent();
            (node.buffer, node.read) = (Some(&packet[..]), packet.len());
            nodes.push(node);
        }
        black_box(&nodes[..]);
        sink.see(&nodes.len());
        nodes.drain(..).for_each(|node| list.give_back(node));
    }
}

pub(super) fn rented_buffers(
    list: &mut FreeList<Vec<u8>>,
    data: &'static Vec<u8>,
    sink: &mut Sink,
) {
    for _ in 0..32 {
        let mut buffer = list.rent();
        buffer.reserve(8000);
        buffer.extend_from_slice(data);
        sink.see(&buffer);
        list.give_back(buffer);
    }
}

/// One read of a socket, simulated by a copy as everywhere here, and all packets it completes.
#[inline(always)]
pub(super) fn receive<F: Framing>(
    stream: &mut PacketStream<F>,
    mut read: &[u8],
    mut take: impl FnMut(pktpool::Packet<'_>),
) {
    while !read.is_empty() {
        read = receive_some(stream, read);
        while let Some(packet) = stream.next_packet().expect("the wire is well-formed") {
            take(packet);
        }
    }
}

/// As much of a read as there is room for, and what is left of it.
#[inline(always)]
pub(super) fn receive_some<'r, F: Framing>(
    stream: &mut PacketStream<F>,
    read: &'r [u8],
) -> &'r [u8] {
    let spare = stream.spare_mut();
    let n = spare.len().min(read.len());
    spare[..n].copy_from_slice(&read[..n]);
    stream.commit(n).expect("not more than the spare");
    &read[n..]
}

pub(super) fn reassemble(stream: &mut PacketStream<Tds>, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        receive(stream, read, |packet| sink.see(packet.payload()));
    }
}

/// All reads first, then the packets: every buffer is retained meanwhile.
pub(super) fn reassemble_late(
    stream: &mut PacketStream<Tds>,
    input: &'static Wire,
    sink: &mut Sink,
) {
    for read in input.reads() {
        stream.feed(read).expect("the wire is well-formed");
    }
    while let Some(packet) = stream.next_packet().expect("the wire is well-formed") {
        sink.see(packet.payload());
    }
}

pub(super) fn packetize((size, message): &'static (usize, Vec<u8>), sink: &mut Sink) {
    let packetizer = Packetizer::new(1, *size).expect("a packet size of TDS");
    for (header, data) in packetizer.packets(message) {
        sink.see(&header.to_bytes()[..]);
        sink.see(data);
    }
}
