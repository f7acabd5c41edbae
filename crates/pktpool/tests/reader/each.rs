//! Steps run on by `parse_each`, against the same steps one by one.

use crate::common;
use crate::machine::{length, long, op_of, wire_of};
use crate::model::Op;
use crate::wire::{Protocol, Wire};
use pktpool::tds::{Packetizer, Tds};
use pktpool::{Error, Limits, NeedMoreOr, PacketStream, ParseError, Progress, Reader, Stop};
use proptest::prelude::*;
use std::ops::ControlFlow;

#[derive(Debug, Clone)]
enum Call {
    Feed(usize),
    /// Steps until one needs more, or so many are done.
    Steps(usize),
    Next,
    /// A step that shows where the stream is, and reads nothing.
    Look,
    End,
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        4 => prop_oneof![length(), 3000_usize..9000].prop_map(Call::Feed),
        6 => prop_oneof![2 => Just(usize::MAX), 1 => 1_usize..5].prop_map(Call::Steps),
        1 => Just(Call::Next),
        1 => Just(Call::Look),
        1 => Just(Call::End),
    ]
}

/// What a step shows of its reads, and where it ends.
type Seen = (Vec<Vec<u8>>, u64, usize, bool);

/// A step, its turn being how many are done; every read that finds no more in a message goes on with
/// the next one.
fn step(r: &mut Reader<'_>, steps: &[Vec<Op>], turn: usize) -> Result<Seen, Stop> {
    let mut shown = Vec::new();
    for op in &steps[turn % steps.len()] {
        match op.call(r) {
            Err(Stop::Failed(Error::EndOfMessage)) => r.next_message()?,
            read => shown.push(read?),
        }
    }
    Ok((shown, r.position(), r.remaining_in_packet(), r.at_message_end()))
}

type Outcome = (Vec<Seen>, Result<Progress<()>, ParseError<u8>>);

/// Its own error where the wire has a certain byte.
fn own(seen: Seen) -> Result<Seen, NeedMoreOr<u8>> {
    match seen.0.first() {
        Some(first) if first[..] == [0x17] => Err(NeedMoreOr::Other(first[0])),
        _ => Ok(seen),
    }
}

fn one_by_one(
    stream: &mut PacketStream<Protocol>,
    steps: &[Vec<Op>],
    done: &mut usize,
    most: usize,
) -> Outcome {
    let mut out = Vec::new();
    let end = loop {
        match stream.parse(|r| own(step(r, steps, *done)?)) {
            Ok(Progress::Done(seen)) => {
                out.push(seen);
                *done += 1;
                if out.len() == most {
                    break Ok(Progress::Done(()));
                }
            }
            Ok(Progress::NeedMore) => break Ok(Progress::NeedMore),
            Err(error) => break Err(error),
        }
        // Of steps that read nothing there is no end.
        if out.len() == 1000 {
            break Ok(Progress::Done(()));
        }
    };
    (out, end)
}

fn run_on(
    stream: &mut PacketStream<Protocol>,
    steps: &[Vec<Op>],
    done: &mut usize,
    most: usize,
) -> Outcome {
    let mut out = Vec::new();
    let turn = std::cell::Cell::new(*done);
    let end = stream.parse_each(
        |r| own(step(r, steps, turn.get())?),
        |seen| {
            out.push(seen);
            turn.set(turn.get() + 1);
            if out.len() == most || out.len() == 1000 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    *done = turn.get();
    (out, end)
}

fn look(stream: &mut PacketStream<Protocol>) -> impl PartialEq + std::fmt::Debug {
    stream.read(|r| {
        let here = (r.position(), r.remaining_in_packet(), r.at_message_end());
        Ok((here, r.kind()?, r.peek()?))
    })
}

fn compare(wire: &Wire, limits: Limits, steps: &[Vec<Op>], calls: &[Call]) {
    let mut alone = PacketStream::new(wire.protocol, limits);
    let mut on = PacketStream::new(wire.protocol, limits);
    let (mut arrived, mut done, mut done_on) = (0, 0, 0);
    for call in calls {
        match call {
            Call::Feed(n) => {
                let bytes = &wire.bytes[arrived..][..(*n).min(wire.bytes.len() - arrived)];
                assert_eq!(alone.feed(bytes), on.feed(bytes));
                arrived += bytes.len();
            }
            Call::Steps(most) => {
                let expected = one_by_one(&mut alone, steps, &mut done, *most);
                assert_eq!(run_on(&mut on, steps, &mut done_on, *most), expected);
            }
            Call::Next => {
                let expected = format!("{:?}", alone.next_packet());
                assert_eq!(format!("{:?}", on.next_packet()), expected);
            }
            Call::Look => assert_eq!(look(&mut on), look(&mut alone)),
            Call::End => assert_eq!(on.end_of_input(), alone.end_of_input()),
        }
        assert_eq!(done, done_on);
        assert_eq!(on.stats().bytes_retained, alone.stats().bytes_retained);
    }
}

fn steps(length: BoxedStrategy<usize>) -> impl Strategy<Value = Vec<Vec<Op>>> {
    prop::collection::vec(prop::collection::vec(op_of(length), 1..5), 1..5)
}

proptest! {
    #![proptest_config(common::config(512))]

    #[test]
    fn as_the_same_steps_one_by_one(
        wire in wire_of(length().boxed()),
        steps in steps(length().boxed()),
        calls in prop::collection::vec(call(), 1..60),
    ) {
        compare(&wire, Limits::default(), &steps, &calls);
    }

    #[test]
    fn over_many_buffers_and_a_small_limit(
        wire in wire_of(long().boxed()),
        steps in steps(long().boxed()),
        calls in prop::collection::vec(call(), 1..60),
        max_retained in 0_usize..40_000,
    ) {
        let limits = Limits { max_packet: 8100, max_retained, ..Limits::default() };
        compare(&wire, limits, &steps, &calls);
    }
}

fn wire_of_bytes(payload: &[u8], size: usize) -> Vec<u8> {
    let packetizer = Packetizer::new(4, size).unwrap();
    packetizer.packets(payload).flat_map(|(h, p)| [&h.to_bytes()[..], p].concat()).collect()
}

#[test]
fn rows_at_every_packet_size_and_read() {
    let payload: Vec<u8> =
        (0..40_u8).flat_map(|n| [&[n % 7][..], &vec![n; (n % 7).into()]].concat()).collect();
    for size in 9..40 {
        let wire = wire_of_bytes(&payload, size);
        for read in 1..60 {
            let mut stream = PacketStream::new(Tds::default(), Limits::default());
            let mut rows = Vec::new();
            for bytes in wire.chunks(read) {
                stream.feed(bytes).unwrap();
                let progress = stream.read_each(
                    |r| {
                        let n = r.u8()?;
                        Ok(r.take(n.into())?.map(<[u8]>::to_vec).collect::<Vec<_>>().concat())
                    },
                    |row| {
                        rows.push(row);
                        if rows.len() == 40 {
                            ControlFlow::Break(())
                        } else {
                            ControlFlow::Continue(())
                        }
                    },
                );
                let last = if rows.len() == 40 { Progress::Done(()) } else { Progress::NeedMore };
                assert_eq!(progress, Ok(last), "{size} {read}");
            }
            assert_eq!(rows.len(), 40);
            assert!(rows.iter().enumerate().all(|(i, row)| *row == vec![i as u8; i % 7]));
            assert_eq!(stream.read(|r| Ok(r.at_message_end())), Ok(Progress::Done(true)));
            stream.end_of_input().unwrap();
        }
    }
}

#[test]
fn a_value_that_is_released_between_small_steps() {
    let payload = [&[1; 10][..], &[2; 100_000], &[3; 10]].concat();
    let mut stream = PacketStream::new(Tds::default(), Limits::default());
    let mut lengths = Vec::new();
    for bytes in wire_of_bytes(&payload, 512).chunks(1460) {
        stream.feed(bytes).unwrap();
        let progress = stream.read_each(
            |r| match r.peek()? {
                2 => r.read_vec(100_000).map(|value| value.len()),
                _ => r.u8().map(usize::from),
            },
            |n| {
                lengths.push(n);
                ControlFlow::<()>::Continue(())
            },
        );
        assert!(matches!(progress, Ok(Progress::NeedMore) | Err(Error::EndOfMessage)));
        assert!(stream.stats().bytes_retained < 2000, "{:?}", stream.stats());
    }
    assert_eq!(lengths, [&[1; 10][..], &[100_000], &[3; 10]].concat());
}

#[test]
fn a_step_that_panics_poisons_and_so_does_what_it_hands_its_value_to() {
    for panics_in_each in [false, true] {
        let mut stream = PacketStream::new(Tds::default(), Limits::default());
        stream.feed(&wire_of_bytes(&[1, 2, 3], 512)).unwrap();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            stream.read_each(
                |r| {
                    let n = r.u8()?;
                    assert!(panics_in_each || n < 2, "as meant");
                    Ok(n)
                },
                |n| {
                    assert!(n < 2, "as meant");
                    ControlFlow::<()>::Continue(())
                },
            )
        }));
        assert!(caught.is_err());
        assert_eq!(stream.next_packet(), Err(Error::Poisoned));
        assert_eq!(stream.read(|r| r.u8()), Err(Error::Poisoned));
        let each = stream.read_each(|r| r.u8(), |_| ControlFlow::<()>::Continue(()));
        assert_eq!(each, Err(Error::Poisoned));
    }
}

/// A step that begins at the end of a packet, and enters the next one; and then one that releases.
#[test]
fn a_packet_that_was_only_entered_is_before_the_next_step() {
    let wire = Wire::new(Protocol::Tds, &[(0, false, 9), (0, false, 7000)]);
    let limits = Limits { max_packet: 8100, max_retained: 40, ..Limits::default() };
    let mut stream = PacketStream::new(wire.protocol, limits);
    stream.feed(&wire.bytes[..17 + 8 + 4]).unwrap();
    let end = stream.read_each(|r| r.bytes::<9>(), |_| ControlFlow::<()>::Continue(()));
    assert_eq!(end, Ok(Progress::NeedMore));
    let value = |r: &mut Reader<'_>| Ok((r.bytes::<3>()?, r.read_vec(5000)?, r.position()));
    let mut at = 17 + 8 + 4;
    let (_, seen, position) = loop {
        match stream.read(value).unwrap() {
            Progress::Done(done) => break done,
            Progress::NeedMore => {
                assert!(stream.stats().bytes_retained <= 8 + 3, "{:?}", stream.stats());
                let n = (wire.bytes.len() - at).min(100);
                stream.feed(&wire.bytes[at..at + n]).unwrap();
                at += n;
            }
        }
    };
    assert_eq!((&seen[..], position), (&wire.payload[12..5012], 5012));
}
