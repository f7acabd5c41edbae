//! Random calls against the model: any packets, any reads, any steps, in any order.

use crate::common;
use crate::model::{Cursor, Moment, Op};
use crate::wire::{Protocol, Wire};
use pktpool::{Error, Limits, NeedMoreOr, PacketStream, ParseError, Progress, Stop};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Call {
    Feed(usize),
    Fill(usize),
    Parse(Vec<Op>, Catch),
    /// The step that needed more, again.
    Again,
    Next,
    End,
}

/// What a step hides, to go on with its next read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Catch {
    Nothing,
    /// The end of a message, as it may.
    End,
    /// What it must not hide: that it needs more, that it changed.
    All,
}

fn catch() -> impl Strategy<Value = Catch> {
    prop_oneof![2 => Just(Catch::Nothing), 2 => Just(Catch::End), 1 => Just(Catch::All)]
}

pub(crate) fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => 0_usize..20,
        3 => 20_usize..600,
        1 => 600_usize..20_000,
    ]
}

/// Most of them reach into the next buffer, whose smallest size is 16 KiB.
pub(crate) fn long() -> impl Strategy<Value = usize> {
    prop_oneof![1 => 0_usize..40, 4 => 3000_usize..8000]
}

fn op() -> impl Strategy<Value = Op> {
    op_of(length().boxed())
}

pub(crate) fn op_of(length: BoxedStrategy<usize>) -> impl Strategy<Value = Op> {
    prop_oneof![
        2 => Just(Op::U8),
        1 => prop_oneof![Just(Op::I16Le), Just(Op::U16Be), Just(Op::U32Le), Just(Op::I32Be)],
        1 => prop_oneof![Just(Op::U64Le), Just(Op::F64Be), Just(Op::Bytes3)],
        1 => Just(Op::Peek),
        1 => Just(Op::Kind),
        1 => length.clone().prop_map(Op::ReadInto),
        2 => length.clone().prop_map(Op::Take),
        2 => length.clone().prop_map(Op::Skip),
        5 => length.clone().prop_map(Op::ReadVec),
        2 => Just(Op::NextMessage),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        5 => length().prop_map(Call::Feed),
        5 => prop_oneof![3 => length(), 1 => Just(usize::MAX)].prop_map(Call::Fill),
        6 => (prop::collection::vec(op(), 0..6), catch()).prop_map(|(ops, on)| Call::Parse(ops, on)),
        12 => Just(Call::Again),
        1 => Just(Call::Next),
        1 => Just(Call::End),
    ]
}

fn wire() -> impl Strategy<Value = Wire> {
    wire_of(length().boxed())
}

pub(crate) fn wire_of(length: BoxedStrategy<usize>) -> impl Strategy<Value = Wire> {
    let packet = (0_u8..120, prop::bool::weighted(0.25), length);
    let protocol = prop_oneof![Just(Protocol::Tds), Just(Protocol::Short)];
    (protocol, prop::collection::vec(packet, 0..30), any::<bool>()).prop_map(
        |(protocol, packets, bad)| {
            let wire = Wire::new(protocol, &packets);
            if bad { wire.then_bad() } else { wire }
        },
    )
}

struct Machine<'w> {
    stream: PacketStream<Protocol>,
    moment: Moment<'w>,
    cursor: Cursor,
    /// Packets that were begun or taken are before this one.
    packet: usize,
    /// The step that needed more.
    pending: Option<(Vec<Op>, Catch)>,
    over: bool,
}

impl<'w> Machine<'w> {
    fn new(wire: &'w Wire) -> Self {
        Self::with_limits(wire, Limits::default())
    }

    fn with_limits(wire: &'w Wire, limits: Limits) -> Self {
        Self {
            stream: PacketStream::new(wire.protocol, limits),
            moment: Moment { wire, arrived: 0, released: 0..0, changed: false },
            cursor: Cursor { message: 0, at: 0 },
            packet: 0,
            pending: None,
            over: false,
        }
    }

    fn more(&self, n: usize) -> &'w [u8] {
        let rest = &self.moment.wire.bytes[self.moment.arrived..];
        &rest[..n.min(rest.len())]
    }

    fn call(&mut self, call: Call) {
        match call {
            Call::Feed(n) => {
                let bytes = self.more(n);
                self.stream.feed(bytes).unwrap();
                self.moment.arrived += bytes.len();
            }
            Call::Fill(n) => {
                let bytes = self.more(n);
                let spare = self.stream.spare_mut();
                assert!(!spare.is_empty());
                let n = bytes.len().min(spare.len());
                spare[..n].copy_from_slice(&bytes[..n]);
                self.stream.commit(n).unwrap();
                self.moment.arrived += n;
            }
            Call::Parse(ops, on) => {
                self.moment.changed = !self.moment.released.is_empty();
                self.parse((ops, on));
            }
            Call::Again => {
                if let Some(step) = self.pending.take() {
                    self.parse(step);
                }
            }
            Call::Next => self.next(),
            Call::End => {
                let expected = self.moment.wire.end_of_input(self.moment.arrived);
                let ended = self.stream.end_of_input();
                assert_eq!(ended, expected, "{} arrived", self.moment.arrived);
                self.over = ended.is_err();
            }
        }
        let stats = self.stream.stats();
        // The other way round, released bytes may still be in their buffer.
        assert!(stats.nodes_live > 0 || stats.bytes_retained == 0);
        if !self.over {
            let frames = &self.moment.wire.frames;
            let place = self.cursor.at;
            // What was committed is let go of, up to the headers around.
            let begun = frames[..frames.partition_point(|f| f.payload.start < place)].last();
            let gone =
                begun.map_or(0, |f| f.head_end + (place - f.payload.start).min(f.payload.len()));
            assert!(stats.bytes_retained <= self.moment.arrived - gone.min(self.moment.arrived));
        }
    }

    fn parse(&mut self, step: (Vec<Op>, Catch)) {
        let (moment, mut cursor) = (&mut self.moment, self.cursor);
        let mut stopped = None;
        let progress = self.stream.parse(|r| {
            let result =
                step.0.iter().try_for_each(|op| match (moment.run(r, op, &mut cursor), step.1) {
                    (Err(Stop::Failed(Error::EndOfMessage)), Catch::End | Catch::All) => Ok(()),
                    (Err(Stop::NeedMore | Stop::Failed(Error::StepChanged)), Catch::All) => {
                        moment.changed |= !moment.released.is_empty();
                        Ok(())
                    }
                    (result, _) => result,
                });
            moment.look(r, cursor);
            result.map_err(|stop| {
                if let Stop::Failed(error) = stop {
                    stopped = Some(error);
                }
                NeedMoreOr::<()>::from(stop)
            })
        });
        match progress {
            Ok(Progress::Done(())) => {
                assert_eq!(stopped, None);
                self.cursor = cursor;
                if cursor.at >= self.moment.released.end {
                    self.moment.released = 0..0;
                    self.moment.changed = false;
                }
            }
            Ok(Progress::NeedMore) => {
                assert_eq!(stopped, None);
                self.pending = Some(step);
            }
            Err(ParseError::Stream(error)) => {
                assert_eq!(Some(error), stopped);
                self.over = true;
            }
            Err(ParseError::Other(())) => unreachable!("no step has an error of its own"),
        }
    }

    fn next(&mut self) {
        let Moment { wire, arrived, released, .. } = &mut self.moment;
        let (frames, at) = (&wire.frames, self.cursor.at);
        // The one that the next byte is in; packets of no payload may stand before it.
        let holds = frames.partition_point(|f| f.payload.end <= at);
        match self.stream.next_packet() {
            Ok(None) => assert!(
                frames.get(holds).is_none_or(|f| f.end > *arrived),
                "packet {holds} is complete"
            ),
            Ok(Some(packet)) => {
                let index = (self.packet..=holds.min(frames.len() - 1))
                    .find(|&i| {
                        let f = &frames[i];
                        f.payload.end >= at
                            && packet.payload()
                                == &wire.payload[f.payload.start.max(at)..f.payload.end]
                            && (f.kind, f.eom) == (packet.kind, packet.end_of_message)
                    })
                    .unwrap_or_else(|| panic!("{packet:?} at {at}"));
                let f = &frames[index];
                assert!(f.end <= *arrived, "packet {index} is not complete");
                if f.payload.start >= at && !f.payload.is_empty() {
                    assert_eq!(packet.header(), &wire.bytes[f.start..f.head_end]);
                }
                let message =
                    wire.messages.iter().take_while(|m| m.last.is_some_and(|l| l <= index));
                self.cursor = Cursor { message: message.count(), at: f.payload.end };
                self.packet = index + 1;
                self.pending = None;
            }
            Err(Error::StepChanged) => {
                assert!(released.end > at, "nothing was let go of");
                self.over = true;
            }
            Err(error) => {
                let Some((end, bad)) = wire.bad else { panic!("{error}") };
                assert_eq!(error, bad);
                assert!(end <= *arrived && holds == frames.len());
                self.over = true;
            }
        }
    }

    /// Each step until it is done.
    fn run(mut self, steps: Vec<(Vec<Op>, Catch)>, reads: &[usize]) {
        let mut turn = 0;
        for step in steps {
            self.parse(step);
            while let Some(step) = self.pending.take() {
                if self.over || self.moment.arrived == self.moment.wire.bytes.len() {
                    return;
                }
                self.call(Call::Fill(reads[turn % reads.len()]));
                turn += 1;
                self.parse(step);
            }
            if self.over {
                return self.over();
            }
        }
    }

    /// After an error every call has one, and the same.
    fn over(&mut self) {
        assert_eq!(self.stream.feed(b"more"), Err(Error::Poisoned));
        assert_eq!(self.stream.end_of_input(), Err(Error::Poisoned));
    }
}

proptest! {
    #![proptest_config(common::config(256))]

    #[test]
    fn any_calls_give_what_the_model_gives(
        wire in wire(),
        calls in prop::collection::vec(call(), 1..80),
    ) {
        let mut machine = Machine::new(&wire);
        for call in calls {
            machine.call(call);
            if machine.over {
                machine.over();
                break;
            }
        }
    }

    /// One step a time, run again until it is done, whatever the reads are.
    #[test]
    fn the_same_steps_give_the_same_at_any_reads(
        wire in wire(),
        steps in prop::collection::vec((prop::collection::vec(op(), 1..6), prop_oneof![Just(Catch::Nothing), Just(Catch::End)]), 1..12),
        reads in prop::collection::vec(prop_oneof![1_usize..9, 100_usize..3000, 20_000_usize..90_000], 1..8),
    ) {
        Machine::new(&wire).run(steps, &reads);
    }

    /// The same over many buffers, few of which are kept for reuse.
    #[test]
    fn the_same_steps_over_many_buffers(
        wire in wire_of(long().boxed()),
        steps in prop::collection::vec(
            (prop::collection::vec(op_of(long().boxed()), 1..9), Just(Catch::End)),
            1..8,
        ),
        reads in prop::collection::vec(prop_oneof![500_usize..3000, 9000_usize..40_000], 1..8),
        spare_nodes in 0_usize..3,
    ) {
        let limits = Limits { max_packet: 8100, spare_nodes, ..Limits::default() };
        Machine::with_limits(&wire, limits).run(steps, &reads);
    }
}

/// The first packet of the next message begins where the step did, and is not where it is.
#[test]
fn a_step_over_the_end_of_a_message_is_at_that_end_again() {
    let wire = Wire::new(Protocol::Tds, &[(0, true, 30), (0, false, 70)]);
    let steps = [vec![Op::Take(30)], vec![Op::NextMessage, Op::U8, Op::ReadInto(60)]];
    for read in 1..wire.bytes.len() {
        let steps = steps.iter().map(|ops| (ops.clone(), Catch::End)).collect();
        Machine::new(&wire).run(steps, &[read]);
    }
}
