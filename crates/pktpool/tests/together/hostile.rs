//! Framings that lie, calls in any order, limits of any size: an error or the bytes as they came.

use pktpool::tds::read_plp;
use pktpool::{
    Error, FrameError, FrameHead, Framing, Limits, MAX_HEADER, PacketStream, Reader, Stop,
};
use proptest::prelude::*;
use std::cell::Cell;

/// A framing that never gives the same answer twice; most of them make sense.
struct Liar(Cell<u64>);

impl Liar {
    fn number(&self) -> usize {
        let state = self.0.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0.set(state);
        (state >> 33) as usize
    }

    fn length(&self) -> usize {
        match self.number() % 40 {
            0 => 0,
            1 => usize::MAX,
            2..6 => (64 << 10) - 2 + self.number() % 4,
            6 => self.number() % 300_000,
            _ => 50 + self.number() % 3000,
        }
    }
}

impl Framing for Liar {
    fn decode(&self, head: &[u8]) -> Result<Option<FrameHead>, FrameError> {
        assert!((1..=MAX_HEADER).contains(&head.len()));
        match self.number() % 64 {
            0 => Err(FrameError::BadHeader),
            1..16 => Ok(None),
            kind => Ok(Some(FrameHead {
                header_len: if kind == 16 { self.length() } else { kind % 50 },
                total_len: self.length(),
                end_of_message: kind < 40,
                kind: kind as u8,
            })),
        }
    }
}

#[derive(Debug, Clone)]
enum Op {
    Spare,
    Read(usize),
    TooMuch(usize),
    Feed(usize),
    Next,
    End,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        20 => Just(Op::Next),
        4 => Just(Op::Spare),
        4 => prop_oneof![0_usize..2000, Just(usize::MAX)].prop_map(Op::Read),
        4 => prop_oneof![0_usize..300, 0_usize..150_000].prop_map(Op::Feed),
        1 => Just(Op::End),
        1 => prop_oneof![1_usize..3, Just(usize::MAX)].prop_map(Op::TooMuch),
    ]
}

fn limit() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0), Just(1), Just(usize::MAX), 0_usize..4000, Just(70_000), Just(64 << 20)]
}

/// What stands at a place of the stream.
fn byte(place: usize) -> u8 {
    (place % 251) as u8
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn an_error_or_the_bytes_as_they_came(
        seed: u64,
        limits in prop_oneof![
            3 => Just((64 << 20, usize::MAX, 16)),
            2 => (limit(), limit(), limit()),
        ],
        ops in prop::collection::vec(op(), 1..150),
    ) {
        let (max_packet, max_message, spare_nodes) = limits;
        let max_message = max_message as u64;
        let limits = Limits { max_packet, max_message, spare_nodes, ..Limits::default() };
        let mut stream = PacketStream::new(Liar(Cell::new(seed)), limits);
        // Bytes given and taken; whether more can be given, and more be taken.
        let (mut given, mut taken, mut open, mut alive) = (0, 0, true, true);
        for op in ops {
            let taking = match op {
                Op::Spare => {
                    prop_assert!(stream.spare_mut().len() >= 1024);
                    Ok(())
                }
                Op::Read(n) => {
                    let spare = stream.spare_mut();
                    let n = n.min(spare.len());
                    (0..n).for_each(|i| spare[i] = byte(given + i));
                    let result = stream.commit(n);
                    prop_assert_eq!(result, if open { Ok(()) } else { Err(Error::Poisoned) });
                    given += if open { n } else { 0 };
                    Ok(())
                }
                Op::TooMuch(n) => {
                    let n = stream.spare_mut().len().saturating_add(n);
                    let result = stream.commit(n);
                    let error = if open { Error::BadLength { length: n as u64 } } else { Error::Poisoned };
                    prop_assert_eq!(result, Err(error));
                    // A refused commit poisons only a stream that takes input.
                    if open { result } else { Ok(()) }
                }
                Op::Feed(n) => {
                    let bytes: Vec<u8> = (given..given + n).map(byte).collect();
                    let result = stream.feed(&bytes);
                    prop_assert_eq!(result, if open { Ok(()) } else { Err(Error::Poisoned) });
                    given += if open { n } else { 0 };
                    Ok(())
                }
                Op::Next => match stream.next_packet() {
                    Ok(Some(packet)) => {
                        prop_assert!(alive);
                        let bytes = [packet.header(), packet.payload()].concat();
                        prop_assert!(!bytes.is_empty() && bytes.len() <= max_packet);
                        prop_assert!((taken..).zip(&bytes).all(|(place, b)| *b == byte(place)));
                        taken += bytes.len();
                        Ok(())
                    }
                    Ok(None) => {
                        prop_assert!(open);
                        Ok(())
                    }
                    // The end of an input that ended early: what is complete was taken.
                    Err(Error::Poisoned) => {
                        prop_assert!(!open);
                        Ok(())
                    }
                    Err(error) => Err(error),
                },
                Op::End => {
                    let ended = stream.end_of_input();
                    prop_assert!(open || ended == Err(Error::Poisoned));
                    open &= ended.is_ok();
                    Ok(())
                }
            };
            if taking.is_err() {
                prop_assert!(alive);
                (open, alive) = (false, false);
                taken = given;
            }
            let stats = stream.stats();
            prop_assert_eq!(stats.bytes_retained, given - taken);
            prop_assert_eq!(stats.nodes_live == 0, given == taken);
            // Buffers follow the bytes given, whatever lengths were declared.
            prop_assert!(stats.bytes_allocated <= 4 * given + ((17 * 64) << 10), "{stats:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// Steps over a framing that lies: nothing is promised of what they read, but that it stays within
    /// the limits and does not panic.
    #[test]
    fn steps_over_lies(
        seed: u64,
        max_retained in prop_oneof![Just(64 << 20), 0_usize..100_000],
        ops in prop::collection::vec((step_op(), prop::collection::vec((0_u8..9, 0_usize..5000), 0..6)), 1..150),
    ) {
        let limits = Limits { max_packet: 1 << 20, max_retained, ..Limits::default() };
        let mut stream = PacketStream::new(Liar(Cell::new(seed)), limits);
        let (mut given, mut over) = (0, false);
        for (op, reads) in ops {
            let result = match op {
                StepOp::Feed(n) => {
                    given += n;
                    stream.feed(&vec![7; n])
                }
                StepOp::Fill(n) => {
                    let n = n.min(stream.spare_mut().len());
                    given += n;
                    stream.commit(n)
                }
                StepOp::Next => stream.next_packet().map(drop),
                StepOp::Step { hides } => stream
                    .read(|r| {
                        for (kind, n) in reads {
                            let before = r.position();
                            let result = read(r, kind, n);
                            // By as much as it read, or not at all.
                            let went = r.position().wrapping_sub(before);
                            match kind {
                                _ if result.is_err() => went_by(went, 0),
                                0..=4 => went_by(went, if kind == 0 { 1 } else { n as u64 }),
                                _ => {}
                            }
                            if !hides {
                                result?;
                            }
                        }
                        Ok(())
                    })
                    .map(drop),
            };
            prop_assert!(!over || result == Err(Error::Poisoned), "{result:?}");
            over |= result.is_err();
            let stats = stream.stats();
            prop_assert!(stats.bytes_retained <= given);
            prop_assert!(stats.bytes_allocated <= 4 * given + ((17 * 64) << 10), "{stats:?}");
        }
    }
}

#[derive(Debug, Clone)]
enum StepOp {
    Feed(usize),
    Fill(usize),
    Next,
    Step { hides: bool },
}

fn step_op() -> impl Strategy<Value = StepOp> {
    prop_oneof![
        2 => (0_usize..6000).prop_map(StepOp::Feed),
        2 => (0_usize..20_000).prop_map(StepOp::Fill),
        1 => Just(StepOp::Next),
        6 => any::<bool>().prop_map(|hides| StepOp::Step { hides }),
    ]
}

fn went_by(went: u64, expected: u64) {
    assert_eq!(went, expected);
}

fn read(r: &mut Reader<'_>, kind: u8, n: usize) -> Result<(), Stop> {
    match kind {
        0 => r.u8().map(drop),
        1 => r.take(n).map(|chunks| assert!(chunks.flatten().count() <= n)),
        2 => r.read_vec(n).map(|value| assert_eq!(value.len(), n)),
        3 => r.skip(n as u64),
        4 => r.read_into(&mut vec![0; n]),
        5 => r.next_message(),
        6 => r.peek().and(r.kind()).map(drop),
        7 => read_plp(r, n).map(drop),
        _ => {
            let _ = (r.at_message_end(), r.remaining_in_packet());
            Ok(())
        }
    }
}
