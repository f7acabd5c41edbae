//! Cases of `pktpool`: packets kept for a parse that was abandoned (the story), read buffers, and the
//! reassembly of streams.
#![allow(clippy::ptr_arg, reason = "a variant gets its state and input as the registry keeps them")]

mod after;
mod before;
mod end_to_end;
mod input;
mod peers;
mod postgres;
mod responses;
mod retained;
mod rows;
mod value;

use crate::registry::Registry;
use crate::subject::Sink;
use input::{Wire, continuations, random, wire};

/// Adds the cases.
pub fn register(registry: &mut Registry) {
    for (name, packets, header, times) in [
        ("pktpool/continuation/one-packet", 1, 8, 1000),
        ("pktpool/continuation/mars-false", 1, 8, 100),
        ("pktpool/continuation/mars-true", 1, 24, 100),
        ("pktpool/continuation/four-packets", 4, 8, 250),
        ("pktpool/continuation/twenty-packets", 20, 8, 50),
        ("pktpool/continuation/300-000", 1, 8, 300_000),
    ] {
        registry
            .case(name, move || continuations(packets, header, times))
            .stateful("before", |_| before::Chain::default(), before::continuations)
            .stateful("fix", |_| before::Pooled::default(), before::continuations_pooled)
            .stateful("after", |_| pktpool::Snapshot::new(), after::continuations)
            .stateful("slab", |_| peers::SlabChain::default(), peers::continuations_slab)
            .stateful("object-pool", |_| peers::PoolChain::default(), peers::continuations_pool);
    }
    registry
        .case("pktpool/open-connection/pooled", || wire(3 * 512, 512, 512))
        .stateful("before", |_| Default::default(), before::open_connection)
        .stateful("fix", |_| Default::default(), before::open_connection_pooled)
        .stateful("after", |_| after::Connection::default(), after::open_connection);
    registry
        .case("pktpool/continuation/resume-64", || wire(64 * 512, 512, 512))
        .stateful("before", |_| before::Replay::default(), before::replay)
        .stateful("after", |_| pktpool::Snapshot::new(), after::resume);
    // A snapshot of its own a call: what it allocates does not depend on how often it is used.
    for (name, times) in
        [("pktpool/continuation/new-1", 1), ("pktpool/continuation/new-300-000", 300_000)]
    {
        registry.case(name, move || continuations(1, 8, times)).showing(
            "after",
            |input, sink: &mut Sink| {
                after::continuations(&mut pktpool::Snapshot::new(), input, sink);
            },
        );
    }
    registry
        .case("pktpool/free-list/nodes-16", || continuations(16, 8, 64))
        .stateful("before", |_| Vec::new(), before::new_nodes)
        .stateful("after", |_| Default::default(), after::rented_nodes)
        .stateful("slab", |_| Default::default(), peers::slab_nodes)
        .stateful("object-pool", |_| peers::PoolChain::default(), peers::pulled_nodes);
    registry
        .case("pktpool/free-list/buffer-8000", || random(200))
        .showing("before", before::fresh_buffers)
        .stateful("after", |_| pktpool::FreeList::default(), after::rented_buffers)
        .stateful("object-pool", |_| peers::buffers(), peers::pulled_buffers);
    registry
        .case("pktpool/buffers/nothing-retained", || wire(32 * 8000, 8000, 8000))
        .showing("before", before::fresh_buffer_a_read)
        .stateful("fix", |_| before::Unretained::default(), before::buffer_unless_retained)
        .stateful("after", |_| after::stream(), after::reassemble);
    registry
        .case("pktpool/buffers/twenty-retained", || wire(20 * 8000, 8000, 8000))
        .stateful("before", |_| Vec::new(), before::twenty_fresh_buffers)
        .stateful("after", |_| after::stream(), after::reassemble_late);
    for (name, packet, read) in [
        ("pktpool/reassembly/512-by-1460", 512, 1460),
        ("pktpool/reassembly/512-by-8000", 512, 8000),
        ("pktpool/reassembly/512-by-64k", 512, 64 << 10),
        ("pktpool/reassembly/4096-by-1460", 4096, 1460),
        ("pktpool/reassembly/4096-by-8000", 4096, 8000),
        ("pktpool/reassembly/4096-by-64k", 4096, 64 << 10),
        ("pktpool/reassembly/8000-by-1460", 8000, 1460),
        ("pktpool/reassembly/8000-by-8000", 8000, 8000),
        ("pktpool/reassembly/8000-by-64k", 8000, 64 << 10),
        ("pktpool/reassembly/32767-by-1460", 32_767, 1460),
        ("pktpool/reassembly/32767-by-8000", 32_767, 8000),
        ("pktpool/reassembly/32767-by-64k", 32_767, 64 << 10),
    ] {
        reassembly(registry, name, 4 << 20, packet, read);
    }
    reassembly(registry, "pktpool/reassembly/dribble-7", 16 << 10, 512, 7);
    for (name, packet) in [("pktpool/packetizer/512", 512_usize), ("pktpool/packetizer/8000", 8000)]
    {
        registry
            .case(name, move || (packet, random(100_000)))
            .showing("before", before::packetize)
            .showing("after", after::packetize)
            .stateful("bytes", |_| bytes::BytesMut::new(), peers::packetize_bytes);
    }
    retained::register(registry);
    value::register(registry);
    rows::register(registry);
    postgres::register(registry);
    end_to_end::register(registry);
}

fn reassembly(registry: &mut Registry, name: &'static str, len: usize, packet: usize, read: usize) {
    let case = registry
        .case(name, move || wire(len, packet, read))
        .stateful("before", |_| before::Multiplexer::default(), before::reassemble)
        .stateful("after", |_| after::stream(), after::reassemble)
        .stateful("bytes", |_| bytes::BytesMut::new(), peers::reassemble_bytes)
        .stateful("tokio-util", |_| peers::Codec::default(), peers::reassemble_codec);
    // A copy is no limit of a stream that comes in crumbs.
    if read >= 1024 {
        case.stateful("std", |w: &Wire| vec![0; w.read], peers::copy_once).stateful(
            "memcpy",
            |w: &Wire| vec![0; w.bytes.len()],
            peers::copy_whole,
        );
    }
}

/// What a parse takes from a packet in the cases that are not about parsing.
fn fold(payload: &[u8]) -> u64 {
    payload.chunks(8).fold(0, |sum, c| {
        let mut word = [0; 8];
        word[..c.len()].copy_from_slice(c);
        sum ^ u64::from_le_bytes(word)
    })
}

/// Shows what a continuation learned of its last packet.
#[inline(always)]
fn see_last(sink: &mut Sink, offset: u64, size: usize) {
    sink.see(&offset);
    sink.see(&size);
}
