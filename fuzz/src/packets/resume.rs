//! Steps over any reads of the input, against a parser that has it all from the start.

use super::model::Model;
use super::program::{Op, Out, PAYLOAD, Program};
use pktpool::tds::Tds;
use pktpool::{Error, Limits, NeedMoreOr, PacketStream, ParseError, Progress, Reader, Stop};

/// The first byte says how the input is split into reads, the second how large things are and
/// whether steps are run again as they were, the rest is a program.
pub fn resume(data: &[u8]) {
    let (split, rest) = crate::number(data);
    let (size, rest) = crate::number(rest);
    let scale = [1, 1, 2, 6, 15, 40][size % 6];
    let program = Program::new(scale, rest);
    let wire = program.wire();
    if !program.steps.is_empty() {
        super::each::each(&wire, split, &program.steps);
    }
    let limits = Limits { max_packet: 8 + PAYLOAD, ..Limits::default() };
    Run {
        stream: PacketStream::new(Tds::default(), limits),
        model: Model::new(&program),
        rest: &wire,
        split,
        scale,
        fickle: size >= 128,
        changed: false,
    }
    .all(&program.steps);
}

struct Run<'p> {
    stream: PacketStream<Tds>,
    model: Model<'p>,
    rest: &'p [u8],
    split: usize,
    scale: usize,
    /// Now and then another step is run in the place of one that waits.
    fickle: bool,
    /// One was, or a read met the end of its message: from then on a step may be refused, but never
    /// be shown other bytes.
    changed: bool,
}

/// What a step of the tested stream came to.
type Ran = Result<Progress<Vec<Out>>, Error>;

impl Run<'_> {
    fn all(mut self, steps: &[Vec<Op>]) {
        for (i, step) in steps.iter().enumerate() {
            let other = steps.get(i + 1).filter(|_| self.fickle);
            if !self.step(step, other) || step.last().is_some_and(is_packet) && !self.packet() {
                return;
            }
        }
    }

    /// Gives the next bytes, if there are any; the reads are of several sizes in turn.
    fn feed(&mut self) -> bool {
        self.split = (self.split * 5 + 3) % 256;
        let n = match self.split % 4 {
            0 => 1,
            1 => self.split,
            2 => self.split * self.scale,
            _ => self.split % 16 + self.scale,
        };
        let (read, rest) =
            self.rest.split_at(n.clamp(1, self.rest.len().max(1)).min(self.rest.len()));
        if self.split % 8 < 4 {
            self.stream.feed(read).expect("an open stream");
        } else {
            let mut read = read;
            while !read.is_empty() {
                let room = self.stream.spare_mut();
                let n = room.len().min(read.len());
                room[..n].copy_from_slice(&read[..n]);
                self.stream.commit(n).expect("no more than there is room for");
                read = &read[n..];
            }
        }
        self.rest = rest;
        !read.is_empty()
    }

    /// Runs a step until it is done; false when the stream came to its end.
    fn step(&mut self, ops: &[Op], other: Option<&Vec<Op>>) -> bool {
        let (mut before, mut swapped): (Vec<Out>, _) = (Vec::new(), false);
        loop {
            let mut outs = Vec::new();
            let ran = run(&mut self.stream, ops, &mut outs);
            // What it was shown before, it is shown again.
            if ran != Err(Error::StepChanged) {
                assert!(self.changed || outs.starts_with(&before), "{before:?} then {outs:?}");
            }
            if ran != Ok(Progress::NeedMore) {
                return self.compare(ops, ran, &outs);
            }
            before = outs;
            // Another one in its place, once for each read, and then this one where that one ended.
            if let Some(other) = other.filter(|_| self.split.is_multiple_of(3) && !swapped) {
                (self.changed, swapped) = (true, true);
                let mut outs = Vec::new();
                let ran = run(&mut self.stream, other, &mut outs);
                if ran != Ok(Progress::NeedMore) {
                    if !self.compare(other, ran, &outs) {
                        return false;
                    }
                    continue;
                }
            }
            swapped = false;
            if !self.feed() {
                return self.compare(ops, Ok(Progress::NeedMore), &before);
            }
        }
    }

    /// The step came to what it comes to when all input is there; whether it can go on.
    fn compare(&mut self, ops: &[Op], ran: Ran, outs: &[Out]) -> bool {
        // Bytes that were released for a read which then met the end of the message are for no other.
        let met_the_end = |(op, out): (&Op, &Out)| op.is_resumable() && *out == Out::End;
        self.changed |= ops.iter().zip(outs).any(met_the_end);
        if ran == Err(Error::StepChanged) {
            assert!(self.changed, "{ops:?}: {outs:?}");
            assert_eq!(self.stream.feed(&[0]), Err(Error::Poisoned));
            return false;
        }
        match (self.model.step(ops), ran) {
            (Ok(expected), Ok(Progress::Done(outs))) => {
                assert_eq!(outs, expected);
                true
            }
            (Err(Stop::NeedMore), Ok(Progress::NeedMore)) => false,
            (Err(Stop::Failed(expected)), Err(error)) => {
                assert_eq!(error, expected);
                assert_eq!(self.stream.feed(&[0]), Err(Error::Poisoned));
                false
            }
            (expected, ran) => panic!("{ran:?}, and with all input {expected:?}"),
        }
    }

    /// Takes a packet between two steps; false when the stream came to its end.
    fn packet(&mut self) -> bool {
        loop {
            let taken = self.stream.next_packet().map(|packet| {
                packet.map(|p| (p.header().len(), (p.kind, p.end_of_message, p.payload().to_vec())))
            });
            if taken == Err(Error::StepChanged) {
                assert!(self.changed);
                return false;
            }
            if taken == Ok(None) && self.feed() {
                continue;
            }
            assert_eq!(taken, self.model.packet());
            return matches!(taken, Ok(Some(_)));
        }
    }
}

fn is_packet(op: &Op) -> bool {
    matches!(op, Op::Packet)
}

/// Runs a step once; `outs` has what it read, done or not.
fn run(stream: &mut PacketStream<Tds>, ops: &[Op], outs: &mut Vec<Out>) -> Ran {
    let step = |reader: &mut Reader<'_>| -> Result<(), NeedMoreOr<()>> {
        for op in ops {
            let at = reader.position();
            match op.run(reader) {
                Ok(out) => {
                    assert!(out != Out::End || reader.position() == at, "refused, and moved");
                    outs.push(out);
                }
                Err(stop) => {
                    assert_eq!(reader.position(), at, "refused, and moved");
                    return Err(stop.into());
                }
            }
        }
        Ok(())
    };
    match stream.parse(step) {
        Ok(Progress::Done(())) => Ok(Progress::Done(outs.clone())),
        Ok(Progress::NeedMore) => Ok(Progress::NeedMore),
        Err(ParseError::Stream(error)) => Err(error),
        Err(ParseError::Other(())) => unreachable!("no step fails by itself"),
    }
}
