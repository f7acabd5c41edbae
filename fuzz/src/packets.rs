//! `pktpool` against a parser that has the whole input at once.

mod each;
pub mod framings;
mod model;
mod program;
pub mod resume;

use pktpool::tds::{Packetizer, Tds};
use pktpool::{Limits, PacketStream};

/// The first byte says how the input is split into reads, the second what it is: raw bytes as they
/// might come from anyone, or a message to be cut into packets and put together again.
pub fn stream(data: &[u8]) {
    let (split, rest) = crate::number(data);
    let (size, rest) = crate::number(rest);
    if size < 128 {
        raw(rest, split);
    } else {
        message(rest, size - 128 + 9, split);
    }
}

fn stream_of_tds() -> PacketStream<Tds> {
    PacketStream::new(Tds::default(), Limits::default())
}

/// A packet as (kind, end of message, payload).
type Owned = (u8, bool, Vec<u8>);

/// Hands the input over in reads of `split` + 1 bytes and takes the packets out as they are whole;
/// the second value is whether it ended in an error.
fn run(input: &[u8], split: usize) -> (Vec<Owned>, bool) {
    let mut stream = stream_of_tds();
    let mut packets = Vec::new();
    for read in input.chunks(split + 1) {
        // Once into the stream's own room and once by copy, in turn.
        let fed = if packets.len() % 2 == 0 {
            stream.feed(read)
        } else {
            let mut rest = read;
            loop {
                let room = stream.spare_mut();
                let n = room.len().min(rest.len());
                room[..n].copy_from_slice(&rest[..n]);
                rest = &rest[n..];
                let committed = stream.commit(n);
                if committed.is_err() || rest.is_empty() {
                    break committed;
                }
            }
        };
        if fed.is_err() {
            return (packets, true);
        }
        loop {
            match stream.next_packet() {
                Ok(Some(packet)) => {
                    packets.push((packet.kind, packet.end_of_message, packet.payload().to_vec()));
                }
                Ok(None) => break,
                Err(_) => {
                    assert!(stream.next_packet().is_err(), "an error is for good");
                    return (packets, true);
                }
            }
        }
    }
    (packets, false)
}

fn raw(input: &[u8], split: usize) {
    let (mut expected, mut at, mut broken) = (Vec::new(), 0, false);
    while let Some(head) = input.get(at..at + 8) {
        let length = usize::from(u16::from_be_bytes([head[2], head[3]]));
        if !(8..=Tds::default().max_packet).contains(&length) {
            broken = true;
            break;
        }
        let Some(packet) = input.get(at..at + length) else { break };
        expected.push((head[0], head[1] & 1 == 1, packet[8..].to_vec()));
        at += length;
    }
    let (packets, failed) = run(input, split);
    assert_eq!(packets, expected);
    assert_eq!(failed, broken);
}

fn message(message: &[u8], size: usize, split: usize) {
    let packetizer = Packetizer::new(4, size).expect("at least one byte a packet");
    let mut bytes = Vec::new();
    for (header, payload) in packetizer.packets(message) {
        bytes.extend_from_slice(&header.to_bytes());
        bytes.extend_from_slice(payload);
    }
    let (packets, failed) = run(&bytes, split);
    assert!(!failed);
    let last = packets.iter().position(|(_, end, _)| *end);
    assert_eq!(last, Some(packets.len() - 1));
    let joined: Vec<u8> = packets.into_iter().flat_map(|(_, _, payload)| payload).collect();
    assert_eq!(joined, message);
}
