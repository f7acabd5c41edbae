//! Any packetisation at any read split gives what the oracle cuts out of the whole wire.

use crate::common::{Taken, cut, drain, load, packet, read, tds};
use pktpool::tds::{PacketHeader, Packetizer, Tds};
use pktpool::{Framing, Limits, PacketStream};
use proptest::prelude::*;
use serde::Deserialize;

fn stream() -> PacketStream<Tds> {
    PacketStream::new(tds(), Limits::default())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_packets_any_reads(
        packets in prop::collection::vec((any::<u8>(), prop_oneof![0_usize..60, 400_usize..5000, 20_000_usize..65_527]), 1..20),
        reads in prop::collection::vec(prop_oneof![1_usize..12, 500_usize..9000, 30_000_usize..200_000], 1..40),
        lazy in 1_usize..4,
        by_copy: bool,
        tail in 0_usize..8,
    ) {
        let mut wire = Vec::new();
        for (i, (status, n)) in packets.into_iter().enumerate() {
            let payload: Vec<u8> = (0..n).map(|j| (i * 31 + j * 7 + j / 251) as u8).collect();
            wire.extend(packet(status, i as u8, &payload));
        }
        wire.extend(&[4, 0, 1, 0, 0, 0, 0][..tail.min(7)]);
        let mut stream = stream();
        let (mut taken, mut rest, mut i) = (Vec::new(), &wire[..], 0);
        while !rest.is_empty() {
            let n = reads[i % reads.len()].min(rest.len());
            if by_copy {
                stream.feed(&rest[..n]).unwrap();
            } else {
                read(&mut stream, &rest[..n]);
            }
            rest = &rest[n..];
            i += 1;
            // A lazy caller lets several reads pile up, so that buffers are chained.
            if i % lazy == 0 || rest.is_empty() {
                drain(&mut stream, &mut taken).unwrap();
                let left = wire.len() - rest.len() - taken.iter().map(|t: &Taken| t.2.len() + t.3.len()).sum::<usize>();
                prop_assert_eq!(stream.stats().bytes_retained, left);
            }
        }
        let expected = cut(&wire);
        let open = expected.last().is_some_and(|p| !p.1);
        prop_assert_eq!(taken, expected);
        prop_assert_eq!(stream.end_of_input().is_ok(), tail == 0 && !open);
    }

    #[test]
    fn packetizer_and_stream_are_inverse(
        message in prop::collection::vec(any::<u8>(), 0..5000),
        size in 9_usize..600,
        kind: u8,
    ) {
        let mut wire = Vec::new();
        let mut ids = 1_u8;
        for (header, data) in Packetizer::new(kind, size).unwrap().packets(&message) {
            prop_assert_eq!((header.packet_id, header.spid, header.window), (ids, 0, 0));
            prop_assert_eq!(usize::from(header.length), 8 + data.len());
            prop_assert!(8 + data.len() == size || header.status == 1);
            ids = ids.wrapping_add(1);
            wire.extend_from_slice(&header.to_bytes());
            wire.extend_from_slice(data);
        }
        let mut stream = stream();
        stream.feed(&wire).unwrap();
        let mut taken = Vec::new();
        drain(&mut stream, &mut taken).unwrap();
        stream.end_of_input().unwrap();
        prop_assert_eq!(taken.len(), message.len().div_ceil(size - 8).max(1));
        let (last, others) = taken.split_last().unwrap();
        prop_assert!(last.1 && others.iter().all(|p| !p.1 && p.3.len() == size - 8));
        prop_assert!(taken.iter().all(|p| p.0 == kind));
        let joined: Vec<u8> = taken.iter().flat_map(|p| p.3.clone()).collect();
        prop_assert_eq!(joined, message);
    }

    #[test]
    fn headers_come_back(bytes: [u8; 8]) {
        prop_assert_eq!(PacketHeader::from_bytes(bytes).to_bytes(), bytes);
    }
}

#[test]
fn every_cut_of_a_header() {
    let wire = [packet(0, 1, b"first"), packet(1, 2, b""), packet(1, 3, b"third")].concat();
    let expected = cut(&wire);
    for a in 0..=wire.len() {
        for b in a..=wire.len() {
            let mut stream = stream();
            let mut taken = Vec::new();
            for piece in [&wire[..a], &wire[a..b], &wire[b..]] {
                read(&mut stream, piece);
                drain(&mut stream, &mut taken).unwrap();
            }
            assert_eq!(taken, expected, "cut at {a} and {b}");
            stream.end_of_input().unwrap();
        }
    }
    for n in 0..8 {
        assert_eq!(tds().decode(&wire[..n]), Ok(None));
    }
}

#[derive(Deserialize)]
struct Awkward {
    first: usize,
    last: usize,
    step: usize,
    long: Vec<Vec<(usize, usize)>>,
    short: Vec<(usize, usize)>,
}

/// Rows as a server sends them: an int, a guid, a counted text, a partially length-prefixed text.
fn rows(data: &Awkward) -> Vec<u8> {
    let mut out = Vec::new();
    let text = |out: &mut Vec<u8>, n: usize| {
        for i in 0..n {
            out.extend_from_slice(&((i * 37 + n) as u16 % 0x7000).to_le_bytes());
        }
    };
    for block in &data.long {
        for (id, &(name, value)) in block.iter().chain(&data.short).enumerate() {
            out.push(0xD1);
            out.extend_from_slice(&(id as u32).to_le_bytes());
            out.extend_from_slice(&[id as u8; 16]);
            out.extend_from_slice(&(2 * name as u16).to_le_bytes());
            text(&mut out, name);
            out.extend_from_slice(&(2 * value as u64).to_le_bytes());
            out.extend_from_slice(&(2 * value as u32).to_le_bytes());
            text(&mut out, value);
            out.extend_from_slice(&[0; 4]);
        }
    }
    out
}

/// SqlClient's `CanReadAwkwardDataLengths`, at the level of packets.
#[test]
fn can_read_awkward_data_lengths() {
    let data: Awkward = load("awkward.toml");
    let message = rows(&data);
    assert_eq!(data.long.len() * (3 + data.short.len()), 76);
    let mut stream = stream();
    let mut wire = Vec::new();
    for size in (data.first..=data.last).step_by(data.step) {
        wire.clear();
        for (header, payload) in Packetizer::new(4, size).unwrap().packets(&message) {
            wire.extend_from_slice(&header.to_bytes());
            wire.extend_from_slice(payload);
        }
        let (mut at, mut ended) = (0, false);
        // Reads that are not in step with any packet size.
        for piece in wire.chunks(1460) {
            read(&mut stream, piece);
            while let Some(packet) = stream.next_packet().unwrap() {
                let n = packet.payload().len();
                assert!(packet.payload() == &message[at..at + n], "size {size}, at {at}");
                at += n;
                ended = packet.end_of_message;
            }
        }
        assert!(ended && at == message.len(), "size {size}");
    }
    assert_eq!(stream.stats().buffers_live_high, 1, "nothing was retained");
    stream.end_of_input().unwrap();
}
