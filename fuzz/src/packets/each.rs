//! Steps run on by `parse_each`, against the same steps one by one over the same reads.

use super::program::{Op, Out, PAYLOAD};
use pktpool::tds::Tds;
use pktpool::{Error, Limits, PacketStream, Progress, Reader, Stop};
use std::cell::Cell;
use std::ops::ControlFlow;

/// Gives `wire` to two streams, `split` saying how, and runs the steps in turn after every read: one
/// that reads `Op::Packet` last breaks off, so that a packet is taken there.
pub(super) fn each(wire: &[u8], mut split: usize, steps: &[Vec<Op>]) {
    let limits = Limits { max_packet: 8 + PAYLOAD, ..Limits::default() };
    let mut alone = PacketStream::new(Tds::default(), limits);
    let mut on = PacketStream::new(Tds::default(), limits);
    let (mut rest, mut turn) = (wire, 0);
    while !rest.is_empty() {
        split = (split * 5 + 3) % 256;
        let n =
            (if split.is_multiple_of(4) { 1 } else { split * (split % 4) }).clamp(1, rest.len());
        let (read, behind) = rest.split_at(n);
        rest = behind;
        assert_eq!(alone.feed(read), on.feed(read));
        loop {
            let expected = one_by_one(&mut alone, &steps[turn..]);
            assert_eq!(run_on(&mut on, &steps[turn..]), expected);
            assert_eq!(on.stats().bytes_retained, alone.stats().bytes_retained);
            let (outs, end) = expected;
            turn += outs.len();
            if end.is_err() || turn == steps.len() {
                assert_eq!(format!("{:?}", on.next_packet()), format!("{:?}", alone.next_packet()));
                return;
            }
            if end == Ok(Progress::NeedMore) {
                break;
            }
            let taken = format!("{:?}", alone.next_packet());
            assert_eq!(format!("{:?}", on.next_packet()), taken);
        }
    }
    assert_eq!(on.end_of_input(), alone.end_of_input());
}

/// What the steps that are done read, and how it ended.
type Outcome = (Vec<Vec<Out>>, Result<Progress<()>, Error>);

fn step(reader: &mut Reader<'_>, ops: &[Op]) -> Result<Vec<Out>, Stop> {
    ops.iter().map(|op| op.run(reader)).collect()
}

fn breaks_off(steps: &[Vec<Op>], turn: usize) -> bool {
    turn == steps.len() || matches!(steps[turn - 1].last(), Some(Op::Packet))
}

fn one_by_one(stream: &mut PacketStream<Tds>, steps: &[Vec<Op>]) -> Outcome {
    let mut outs = Vec::new();
    loop {
        match stream.read(|reader| step(reader, &steps[outs.len()])) {
            Ok(Progress::Done(out)) => outs.push(out),
            Ok(Progress::NeedMore) => return (outs, Ok(Progress::NeedMore)),
            Err(error) => return (outs, Err(error)),
        }
        if breaks_off(steps, outs.len()) {
            return (outs, Ok(Progress::Done(())));
        }
    }
}

fn run_on(stream: &mut PacketStream<Tds>, steps: &[Vec<Op>]) -> Outcome {
    let (mut outs, turn) = (Vec::new(), Cell::new(0));
    let end = stream.read_each(
        |reader| step(reader, &steps[turn.get()]),
        |out| {
            outs.push(out);
            turn.set(outs.len());
            if breaks_off(steps, outs.len()) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    (outs, end)
}
