//! The slow shapes and the published fix.

use super::input::{Continuations, Wire};
use super::{after, fold, see_last};
use crate::subject::Sink;
use pktpool::tds::PacketHeader;
use pktpool::{FreeList, Reset};
use std::hint::black_box;

/// What the original keeps of a packet. Its links are the order of a vector here, which is faster
/// than linking boxes and kept between snapshots; the node itself is allocated, as there.
#[derive(Default)]
pub(super) struct Node {
    pub(super) buffer: Option<&'static [u8]>,
    pub(super) read: usize,
    running: u64,
}

impl Reset for Box<Node> {
    fn reset(&mut self) {
        **self = Node::default();
    }
}

/// A node allocated per packet, all of them let go when the snapshot is released.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "an allocation a node is what this shape is about")]
pub(super) struct Chain(Vec<Box<Node>>);

impl Chain {
    fn append(&mut self, mut node: Box<Node>, packet: &'static [u8], header: usize) {
        let before = self.0.last().map_or(0, |last| last.running);
        node.buffer = Some(packet);
        node.read = packet.len();
        node.running = before + (packet.len() - header) as u64;
        self.0.push(node);
    }

    fn see_last(&self, sink: &mut Sink) {
        let offset = match &self.0[..] {
            [.., previous, _] => previous.running,
            _ => 0,
        };
        if let Some(last) = self.0.last() {
            black_box((last.buffer, last.read));
            see_last(sink, offset, (last.running - offset) as usize);
        }
    }
}

pub(super) fn continuations(chain: &mut Chain, input: &'static Continuations, sink: &mut Sink) {
    for _ in 0..input.times {
        for packet in &input.packets {
            chain.append(Box::default(), packet, input.header);
        }
        chain.see_last(sink);
        chain.0.clear();
    }
}

/// The published fix: a free list of 16 nodes, reset on rent and on return.
#[derive(Default)]
pub(super) struct Pooled {
    chain: Chain,
    spare: FreeList<Box<Node>>,
}

impl Pooled {
    fn append(&mut self, packet: &'static [u8], header: usize) {
        self.chain.append(self.spare.rent(), packet, header);
    }

    fn clear(&mut self) {
        for node in self.chain.0.drain(..) {
            self.spare.give_back(node);
        }
    }
}

pub(super) fn continuations_pooled(
    pooled: &mut Pooled,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        for packet in &input.packets {
            pooled.append(packet, input.header);
        }
        pooled.chain.see_last(sink);
        pooled.clear();
    }
}

/// Logins of a pool: the read buffers are kept in all variants, the snapshot is what differs.
pub(super) fn open_connection(
    (connection, chain): &mut (after::Reads, Chain),
    input: &'static Wire,
    sink: &mut Sink,
) {
    for _ in 0..after::CONNECTIONS {
        connection.login(input, |packet| {
            chain.append(Box::default(), packet, 8);
        });
        chain.see_last(sink);
        chain.0.clear();
    }
}

pub(super) fn open_connection_pooled(
    (connection, pooled): &mut (after::Reads, Pooled),
    input: &'static Wire,
    sink: &mut Sink,
) {
    for _ in 0..after::CONNECTIONS {
        connection.login(input, |packet| pooled.append(packet, 8));
        pooled.chain.see_last(sink);
        pooled.clear();
    }
}

/// Every packet replays the parse from the first one.
#[derive(Default)]
pub(super) struct Replay(Vec<&'static [u8]>);

pub(super) fn replay(chain: &mut Replay, input: &'static Wire, sink: &mut Sink) {
    chain.0.clear();
    let mut result = 0;
    for payload in &input.payloads {
        chain.0.push(&input.bytes[payload.clone()]);
        result = 0;
        for packet in &chain.0 {
            result ^= fold(packet);
        }
    }
    sink.see(&result);
}

/// Nodes allocated one by one, and let go.
#[allow(clippy::vec_box, reason = "an allocation a node is what this shape is about")]
pub(super) fn new_nodes(
    nodes: &mut Vec<Box<Node>>,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        for packet in &input.packets {
            let mut node = Box::<Node>::default();
            (node.buffer, node.read) = (Some(&packet[..]), packet.len());
            nodes.push(node);
        }
        black_box(&nodes[..]);
        sink.see(&nodes.len());
        nodes.clear();
    }
}

pub(super) fn fresh_buffers(data: &'static Vec<u8>, sink: &mut Sink) {
    for _ in 0..32 {
        let mut buffer = Vec::with_capacity(8000);
        buffer.extend_from_slice(data);
        sink.see(&buffer);
    }
}

/// A fresh read buffer whenever a read brought bytes, whether the last one is needed or not. Every
/// read is one packet.
pub(super) fn fresh_buffer_a_read(input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        let mut buffer = vec![0; 8192];
        buffer[..read.len()].copy_from_slice(read);
        sink.see(&buffer[8..length(&buffer).unwrap_or(8)]);
    }
}

/// The flag told beside the fix: a fresh buffer only if a snapshot took the last one.
#[derive(Default)]
pub(super) struct Unretained {
    buffer: Vec<u8>,
    retained: bool,
}

pub(super) fn buffer_unless_retained(
    state: &mut Unretained,
    input: &'static Wire,
    sink: &mut Sink,
) {
    for read in input.reads() {
        if state.buffer.is_empty() || state.retained {
            state.buffer = vec![0; 8192];
            state.retained = false;
        }
        state.buffer[..read.len()].copy_from_slice(read);
        sink.see(&state.buffer[8..length(&state.buffer).unwrap_or(8)]);
    }
}

/// A snapshot that retains each of 20 buffers, so that each read needs another, fresh one.
pub(super) fn twenty_fresh_buffers(kept: &mut Vec<Vec<u8>>, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        let mut buffer = vec![0; 8192];
        buffer[..read.len()].copy_from_slice(read);
        kept.push(buffer);
    }
    for buffer in kept.drain(..) {
        sink.see(&buffer[8..length(&buffer).unwrap_or(8)]);
    }
}

fn length(packet: &[u8]) -> Option<usize> {
    let header = PacketHeader::from_bytes(*packet.first_chunk()?);
    Some(header.length.into())
}

/// A fresh buffer for every read, and for every packet that is not the whole of one.
#[derive(Default)]
pub(super) struct Multiplexer {
    partial: Vec<u8>,
}

impl Multiplexer {
    /// Bytes there are of a packet that is not complete.
    pub(super) fn partial(&self) -> usize {
        self.partial.len()
    }

    /// Takes one read in, and gives each packet that it completes, header and all, in a buffer of its own.
    pub(super) fn take_in(&mut self, size: usize, read: &[u8], mut give: impl FnMut(Vec<u8>)) {
        let mut buffer = vec![0; size];
        buffer[..read.len()].copy_from_slice(read);
        if self.partial.is_empty() && length(read) == Some(read.len()) {
            buffer.truncate(read.len());
            return give(buffer);
        }
        let mut rest = &buffer[..read.len()];
        while !rest.is_empty() {
            if self.partial.is_empty() {
                match length(rest) {
                    Some(n) if n <= rest.len() => {
                        give(rest[..n].to_vec());
                        rest = &rest[n..];
                    }
                    n => {
                        self.partial = Vec::with_capacity(n.unwrap_or(8));
                        self.partial.extend_from_slice(rest);
                        rest = &[];
                    }
                }
                continue;
            }
            let wanted = length(&self.partial).unwrap_or(8) - self.partial.len();
            let (more, behind) = rest.split_at(wanted.min(rest.len()));
            self.partial.extend_from_slice(more);
            rest = behind;
            if length(&self.partial) == Some(self.partial.len()) {
                give(std::mem::take(&mut self.partial));
            }
        }
    }
}

pub(super) fn reassemble(state: &mut Multiplexer, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        state.take_in(input.read, read, |packet| sink.see(&packet[8..]));
    }
}

/// A buffer a packet, header and data copied into it.
pub(super) fn packetize((size, message): &'static (usize, Vec<u8>), sink: &mut Sink) {
    let mut packet_id = 0_u8;
    let mut chunks = message.chunks(size - 8).peekable();
    while let Some(data) = chunks.next() {
        packet_id = packet_id.wrapping_add(1);
        let header = PacketHeader {
            packet_type: 1,
            status: u8::from(chunks.peek().is_none()),
            length: (8 + data.len()) as u16,
            spid: 0,
            packet_id,
            window: 0,
        };
        let mut packet = Vec::with_capacity(8 + data.len());
        packet.extend_from_slice(&header.to_bytes());
        packet.extend_from_slice(data);
        sink.see(&packet[..8]);
        sink.see(&packet[8..]);
    }
}
