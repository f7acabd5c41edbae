//! Others at the same work, as their documentation advises: buffers kept, room reserved once a read.

use super::input::{Continuations, Wire};
use super::see_last;
use crate::subject::Sink;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use object_pool::{Pool, Reusable};
use pktpool::tds::PacketHeader;
use slab::Slab;
use std::hint::black_box;
use tokio_util::codec::{Decoder, LengthDelimitedCodec};

#[derive(Default)]
pub(super) struct Node {
    buffer: &'static [u8],
    running: u64,
}

/// Nodes in a slab, their order beside it.
#[derive(Default)]
pub(super) struct SlabChain {
    nodes: Slab<Node>,
    order: Vec<usize>,
}

pub(super) fn continuations_slab(
    chain: &mut SlabChain,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        let (mut offset, mut running) = (0, 0);
        for packet in &input.packets {
            offset = running;
            running += (packet.len() - input.header) as u64;
            chain.order.push(chain.nodes.insert(Node { buffer: packet, running }));
        }
        if let Some(node) = chain.order.last().and_then(|&last| chain.nodes.get(last)) {
            black_box(node.buffer);
            see_last(sink, offset, (node.running - offset) as usize);
        }
        chain.nodes.clear();
        chain.order.clear();
    }
}

/// Nodes pulled from a pool of 32; a guard gives its node back when it is dropped.
pub(super) struct PoolChain {
    pool: &'static Pool<Node>,
    chain: Vec<Reusable<'static, Node>>,
}

impl Default for PoolChain {
    fn default() -> Self {
        // For the life of the process: its guards borrow it.
        Self { pool: Box::leak(Box::new(Pool::new(32, Node::default))), chain: Vec::new() }
    }
}

pub(super) fn continuations_pool(
    state: &mut PoolChain,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        let (mut offset, mut running) = (0, 0);
        for packet in &input.packets {
            offset = running;
            running += (packet.len() - input.header) as u64;
            let mut node = state.pool.pull(Node::default);
            *node = Node { buffer: packet, running };
            state.chain.push(node);
        }
        if let Some(node) = state.chain.last() {
            black_box(node.buffer);
            see_last(sink, offset, (node.running - offset) as usize);
        }
        state.chain.clear();
    }
}

pub(super) fn slab_nodes(
    SlabChain { nodes, order }: &mut SlabChain,
    input: &'static Continuations,
    sink: &mut Sink,
) {
    for _ in 0..input.times {
        for packet in &input.packets {
            order.push(nodes.insert(Node { buffer: packet, running: packet.len() as u64 }));
        }
        black_box((&*nodes, &order[..]));
        sink.see(&order.len());
        for key in order.drain(..) {
            nodes.remove(key);
        }
    }
}

pub(super) fn pulled_nodes(state: &mut PoolChain, input: &'static Continuations, sink: &mut Sink) {
    for _ in 0..input.times {
        for packet in &input.packets {
            let mut node = state.pool.pull(Node::default);
            *node = Node { buffer: packet, running: packet.len() as u64 };
            state.chain.push(node);
        }
        black_box(&state.chain.len());
        sink.see(&state.chain.len());
        state.chain.clear();
    }
}

pub(super) fn buffers() -> Pool<Vec<u8>> {
    Pool::new(16, || Vec::with_capacity(8000))
}

pub(super) fn pulled_buffers(pool: &mut Pool<Vec<u8>>, data: &'static Vec<u8>, sink: &mut Sink) {
    for _ in 0..32 {
        let mut buffer = pool.pull(|| Vec::with_capacity(8000));
        buffer.clear();
        buffer.extend_from_slice(data);
        sink.see(&*buffer);
    }
}

/// The next packet, split off without a copy. A length that cannot be is refused, as in all of them.
#[inline(always)]
pub(super) fn split_packet(buffer: &mut BytesMut) -> Option<Bytes> {
    let header = buffer.first_chunk::<8>()?;
    let length = usize::from(PacketHeader::from_bytes(*header).length);
    assert!((8..=32_767).contains(&length), "the wire is well-formed");
    (buffer.len() >= length).then(|| buffer.split_to(length).freeze())
}

pub(super) fn reassemble_bytes(buffer: &mut BytesMut, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        buffer.reserve(input.read);
        buffer.put_slice(read);
        while let Some(packet) = split_packet(buffer) {
            sink.see(&packet[8..]);
        }
    }
}

pub(super) struct Codec {
    pub(super) codec: LengthDelimitedCodec,
    pub(super) buffer: BytesMut,
}

impl Default for Codec {
    fn default() -> Self {
        // The length counts the whole packet, whose header is kept.
        let codec = LengthDelimitedCodec::builder()
            .length_field_offset(2)
            .length_field_length(2)
            .length_adjustment(0)
            .num_skip(0)
            .max_frame_length(32_767)
            .new_codec();
        Self { codec, buffer: BytesMut::new() }
    }
}

pub(super) fn reassemble_codec(state: &mut Codec, input: &'static Wire, sink: &mut Sink) {
    for read in input.reads() {
        state.buffer.reserve(input.read);
        state.buffer.put_slice(read);
        while let Some(mut packet) =
            state.codec.decode(&mut state.buffer).expect("the wire is well-formed")
        {
            packet.advance(8);
            sink.see(&packet[..]);
        }
    }
}

/// One copy of the stream, into a buffer that holds a read: what the reads themselves cost, which nothing
/// that reads can do without.
#[inline(always)]
pub(super) fn copy_stream(buffer: &mut Vec<u8>, input: &'static Wire) {
    for read in input.reads() {
        buffer[..read.len()].copy_from_slice(read);
        black_box(&buffer[..]);
    }
}

/// One copy of the stream at once, in memory, to a place as long as it.
pub(super) fn copy_whole(buffer: &mut Vec<u8>, input: &'static Wire, sink: &mut Sink) {
    buffer.copy_from_slice(&input.bytes);
    for payload in &input.payloads {
        sink.see(&buffer[payload.clone()]);
    }
}

/// The limit: one copy of the stream, and packets whose places are known beforehand.
pub(super) fn copy_once(buffer: &mut Vec<u8>, input: &'static Wire, sink: &mut Sink) {
    copy_stream(buffer, input);
    for payload in &input.payloads {
        sink.see(&input.bytes[payload.clone()]);
    }
}

pub(super) fn packetize_bytes(
    buffer: &mut BytesMut,
    (size, message): &'static (usize, Vec<u8>),
    sink: &mut Sink,
) {
    let mut packet_id = 0_u8;
    let mut chunks = message.chunks(size - 8).peekable();
    while let Some(data) = chunks.next() {
        packet_id = packet_id.wrapping_add(1);
        buffer.reserve(*size);
        buffer.put_u8(1);
        buffer.put_u8(u8::from(chunks.peek().is_none()));
        buffer.put_u16((8 + data.len()) as u16);
        buffer.put_u16(0);
        buffer.put_u8(packet_id);
        buffer.put_u8(0);
        buffer.put_slice(data);
        let packet = buffer.split().freeze();
        sink.see(&packet[..8]);
        sink.see(&packet[8..]);
    }
}
