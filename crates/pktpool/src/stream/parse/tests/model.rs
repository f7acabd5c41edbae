//! Any steps over any packets in any reads, against a walk over the whole payloads.

use super::Buffers;
use crate::tds::{PacketHeader, Tds};
use crate::{Error, Limits, PacketStream, Progress, Reader, Stop};
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Op {
    U8,
    U32,
    Take(usize),
    Vec(usize),
    Skip(usize),
    Peek,
    Kind,
    Next,
}

/// A packet: kind, payload bytes, end of message.
type Packet = (u8, usize, bool);

fn op() -> impl Strategy<Value = Op> {
    let size = || prop_oneof![4 => 0_usize..40, 2 => 40_usize..600, 1 => 600_usize..3000];
    prop_oneof![
        3 => Just(Op::U8),
        3 => Just(Op::U32),
        3 => size().prop_map(Op::Take),
        6 => size().prop_map(Op::Vec),
        4 => size().prop_map(Op::Skip),
        2 => Just(Op::Peek),
        2 => Just(Op::Kind),
        2 => Just(Op::Next),
    ]
}

fn packet() -> impl Strategy<Value = Packet> {
    let size = prop_oneof![2 => Just(0_usize), 4 => 1_usize..50, 2 => 50_usize..1500, 1 => 1500_usize..4000];
    (any::<u8>(), size, prop::bool::weighted(0.2))
}

fn byte(i: usize) -> u8 {
    (i ^ (i >> 7) ^ (i >> 13)) as u8
}

struct Oracle<'a> {
    packets: &'a [Packet],
    payload: &'a [u8],
    /// Start and end of each message.
    messages: Vec<(usize, usize)>,
    message: usize,
    place: usize,
}

impl Oracle<'_> {
    /// The kind of the packet that holds a place of the message, or ends it.
    fn kind(&self) -> Option<u8> {
        let mut start = 0;
        let mut message = 0;
        for &(kind, len, end) in self.packets {
            if message == self.message
                && (start <= self.place && self.place < start + len
                    || end && start + len == self.place)
            {
                return Some(kind);
            }
            start += len;
            message += usize::from(end);
        }
        None
    }

    /// What a step shows; `None` when the wire has not enough for it.
    fn step(&mut self, ops: &[Op]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for &op in ops {
            let &(_, end) = self.messages.get(self.message)?;
            let (n, shown) = match op {
                Op::U8 => (1, true),
                Op::U32 => (4, true),
                Op::Take(n) | Op::Vec(n) => (n, true),
                Op::Skip(n) => (n, false),
                Op::Peek => {
                    if self.place < end {
                        out.push(self.payload[self.place]);
                        continue;
                    }
                    (1, false)
                }
                Op::Kind => {
                    out.push(self.kind()?);
                    continue;
                }
                Op::Next => {
                    (self.message, self.place) = (self.message + 1, end);
                    continue;
                }
            };
            if self.place + n > end {
                out.extend(b"end");
                (self.message, self.place) = (self.message + 1, end);
                continue;
            }
            if shown {
                out.extend(&self.payload[self.place..self.place + n]);
            }
            self.place += n;
        }
        out.extend((self.place as u64).to_le_bytes());
        Some(out)
    }
}

fn run(reader: &mut Reader<'_>, op: Op, out: &mut Vec<u8>) -> Result<(), Stop> {
    match op {
        Op::U8 => out.push(reader.u8()?),
        Op::U32 => out.extend(reader.u32_be()?.to_be_bytes()),
        Op::Take(n) => reader.take(n)?.for_each(|piece| {
            assert!(!piece.is_empty());
            out.extend(piece);
        }),
        Op::Vec(n) => out.extend(reader.read_vec(n)?.iter()),
        Op::Skip(n) => reader.skip(n as u64)?,
        Op::Peek => out.push(reader.peek()?),
        Op::Kind => out.push(reader.kind()?),
        Op::Next => reader.next_message()?,
    }
    Ok(())
}

fn step(reader: &mut Reader<'_>, ops: &[Op]) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    for &op in ops {
        let before = (reader.position(), out.len());
        match run(reader, op, &mut out) {
            Ok(()) => {}
            Err(Stop::Failed(Error::EndOfMessage)) => {
                assert_eq!(reader.position(), before.0, "refused, and moved");
                out.truncate(before.1);
                out.extend(b"end");
                reader.next_message()?;
            }
            Err(stop) => {
                assert_eq!(reader.position(), before.0, "refused, and moved");
                return Err(stop);
            }
        }
    }
    out.extend(reader.position().to_le_bytes());
    Ok(out)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn steps_are_a_walk_over_the_payload(
        mut packets in prop::collection::vec(packet(), 1..40),
        steps in prop::collection::vec(prop::collection::vec(op(), 1..8), 1..30),
        reads in prop::collection::vec(prop_oneof![Just(1_usize), 1_usize..20, 1_usize..700, 1_usize..3000], 1..40),
        size in prop_oneof![Just(64_usize), Just(256), Just(2048)],
        lend in any::<u64>(),
        again in any::<bool>(),
    ) {
        if let Some(last) = packets.last_mut() {
            last.2 = true;
        }
        let payload: Vec<u8> = (0..packets.iter().map(|p| p.1).sum()).map(byte).collect();
        let (mut wire, mut place, mut start, mut messages) = (Vec::new(), 0, 0, Vec::new());
        for &(packet_type, len, end) in &packets {
            let length = (8 + len) as u16;
            let status = u8::from(end);
            let header = PacketHeader { packet_type, status, length, spid: 0, packet_id: 0, window: 0 };
            wire.extend(header.to_bytes());
            wire.extend(&payload[place..place + len]);
            place += len;
            if end {
                messages.push((start, place));
                start = place;
            }
        }
        let mut oracle = Oracle { packets: &packets, payload: &payload, messages, message: 0, place: 0 };
        let mut stream = PacketStream::new(Tds::default(), Limits::default());
        stream.input.buffers = Buffers::of_size(size, 3);
        let (mut given, mut reads, mut lend) = (0, reads.iter().cycle(), lend);
        for ops in &steps {
            let before = (oracle.message, oracle.place);
            let Some(expected) = oracle.step(ops) else {
                (oracle.message, oracle.place) = before;
                break;
            };
            loop {
                if again {
                    lend = lend.rotate_left(1);
                }
                // A spare that was given and not filled stays where it is.
                if lend & 1 == 1 {
                    let _ = stream.spare_mut();
                }
                match stream.read(|r| step(r, ops)).unwrap() {
                    Progress::Done(out) => {
                        prop_assert_eq!(&out, &expected);
                        break;
                    }
                    Progress::NeedMore => {
                        prop_assert!(given < wire.len(), "{ops:?} {expected:?}");
                        let n = (*reads.next().unwrap()).min(wire.len() - given);
                        let mut spare = stream.spare_mut();
                        let n = n.min(spare.len());
                        if lend & 2 == 2 {
                            spare[..n].copy_from_slice(&wire[given..given + n]);
                            // Read into, and a step in between.
                            let _ = stream.read(|r| step(r, ops)).unwrap();
                            stream.commit(n).unwrap();
                        } else {
                            spare = stream.spare_mut();
                            let n = n.min(spare.len());
                            spare[..n].copy_from_slice(&wire[given..given + n]);
                            stream.commit(n).unwrap();
                        }
                        given += n;
                    }
                }
            }
        }
        stream.feed(&wire[given..]).unwrap();
        prop_assert_eq!(stream.end_of_input(), Ok(()));
        // What steps left is there for packets.
        let mut rest = Vec::new();
        while let Some(packet) = stream.next_packet().unwrap() {
            rest.extend_from_slice(packet.payload());
        }
        prop_assert_eq!(&rest[..], &payload[oracle.place..]);
        let stats = stream.stats();
        prop_assert_eq!((stats.bytes_retained, stats.nodes_live), (0, 0));
    }
}
