//! What a step reads when all input is there: the slow, obvious version.

use super::program::{Op, Out, Packet, Program};
use pktpool::{Error, Stop};

/// Where a reader is.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The packet it is in, and the payload bytes of it that were read.
    begun: Option<(usize, usize)>,
    /// The packet after it.
    next: usize,
}

pub(super) struct Model<'p> {
    packets: &'p [Packet],
    /// Payload of the last packet that did not arrive.
    missing: usize,
    /// What stands behind the packets is no header.
    bad: Option<Error>,
    place: Place,
    /// Before the headers that were entered without a byte read since.
    before: Option<Place>,
}

impl<'p> Model<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let Program { packets, missing, .. } = program;
        let tail = &program.tail;
        let bad = (tail.len() >= 8).then(|| Error::BadLength { length: u64::from(tail[3]) });
        Self { packets, missing: *missing, bad, place: Place::default(), before: None }
    }

    /// One step: it reads on from where the last one was done, or leaves everything as it is.
    pub(super) fn step(&mut self, ops: &[Op]) -> Result<Vec<Out>, Stop> {
        let start = (self.place, self.before);
        let mut outs = Vec::new();
        for op in ops {
            match self.op(*op) {
                Ok(out) => outs.push(out),
                Err(Stop::Failed(Error::EndOfMessage)) => outs.push(Out::End),
                Err(stop) => {
                    (self.place, self.before) = start;
                    return Err(stop);
                }
            }
        }
        // A packet that was entered and not read from stays whole.
        if let Some(before) = self.before.take() {
            self.place = before;
        }
        Ok(outs)
    }

    /// The next packet, or the rest of the one that was begun: header bytes, kind, end, payload.
    pub(super) fn packet(&mut self) -> Result<Option<(usize, Packet)>, Error> {
        if let Some((i, read)) = self.place.begun
            && self.left() > 0
        {
            if !self.whole(i) {
                return Ok(None);
            }
            self.place.begun = None;
            let (kind, end, payload) = &self.packets[i];
            return Ok(Some((0, (*kind, *end, payload[read..].to_vec()))));
        }
        if let Some(packet) = self.packets.get(self.place.next) {
            if !self.whole(self.place.next) {
                return Ok(None);
            }
            self.place = Place { begun: None, next: self.place.next + 1 };
            return Ok(Some((8, packet.clone())));
        }
        self.bad.map_or(Ok(None), Err)
    }

    fn op(&mut self, op: Op) -> Result<Out, Stop> {
        let (place, before) = (self.place, self.before);
        let out = self.try_op(op);
        if out.is_err() {
            (self.place, self.before) = (place, before);
        }
        out
    }

    fn try_op(&mut self, op: Op) -> Result<Out, Stop> {
        Ok(match op {
            Op::U8 => Out::Number(self.bytes(1)?[0].into()),
            Op::U32 => {
                let bytes = self.bytes(4)?;
                Out::Number(bytes.iter().fold(0, |n, &byte| n << 8 | u64::from(byte)))
            }
            Op::Five => Out::Bytes(self.bytes(5)?),
            Op::Take(n) | Op::Into(n) | Op::Vec(n) => Out::Bytes(self.bytes(n)?),
            Op::Skip(n) => {
                self.bytes(n as usize)?;
                Out::Number(n)
            }
            Op::Peek => {
                let (place, before) = (self.place, self.before);
                let byte = self.bytes(1)?[0];
                (self.place, self.before) = (place, before);
                Out::Number(byte.into())
            }
            Op::Kind => {
                if self.left() == 0 && !self.in_last() {
                    self.enter()?;
                }
                Out::Number(self.place.begun.map_or(0, |(i, _)| self.packets[i].0.into()))
            }
            Op::Position => Out::Number(self.position()),
            Op::Plp(limit) => self.plp(limit)?,
            Op::NextMessage => {
                while !self.in_last() {
                    self.enter()?;
                }
                if self.place.begun.is_some_and(|(i, _)| !self.whole(i)) && self.left() > 0 {
                    return Err(Stop::NeedMore);
                }
                self.place.begun = None;
                self.before = None;
                Out::Number(0)
            }
            Op::Packet => Out::Number(0),
        })
    }

    /// Payload bytes that a packet's header declares.
    fn declared(&self, i: usize) -> usize {
        self.packets[i].2.len() + if self.whole(i) { 0 } else { self.missing }
    }

    /// Whether all of it arrived.
    fn whole(&self, i: usize) -> bool {
        self.missing == 0 || i + 1 < self.packets.len()
    }

    fn left(&self) -> usize {
        self.place.begun.map_or(0, |(i, read)| self.declared(i) - read)
    }

    fn in_last(&self) -> bool {
        self.place.begun.is_some_and(|(i, _)| self.packets[i].1)
    }

    fn position(&self) -> u64 {
        let whole: usize = (0..self.place.next).map(|i| self.declared(i)).sum();
        (whole - self.left()) as u64
    }

    /// Goes into the next packet that has something, or ends the message.
    fn enter(&mut self) -> Result<(), Stop> {
        let place = self.place;
        loop {
            let i = self.place.next;
            let Some((_, end, _)) = self.packets.get(i) else {
                return Err(self.bad.map_or(Stop::NeedMore, Stop::Failed));
            };
            self.place.next = i + 1;
            if *end || self.declared(i) > 0 {
                self.before.get_or_insert(place);
                self.place.begun = Some((i, 0));
                return Ok(());
            }
        }
    }

    fn bytes(&mut self, n: usize) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        while bytes.len() < n {
            while self.left() == 0 {
                if self.in_last() {
                    return Err(Stop::Failed(Error::EndOfMessage));
                }
                self.enter()?;
            }
            if self.in_last() && bytes.len() + self.left() < n {
                return Err(Stop::Failed(Error::EndOfMessage));
            }
            if let Some((i, read)) = &mut self.place.begun {
                let rest = &self.packets[*i].2[*read..];
                if rest.is_empty() {
                    return Err(Stop::NeedMore);
                }
                let more = rest.len().min(n - bytes.len());
                bytes.extend(&rest[..more]);
                *read += more;
            }
            self.before = None;
        }
        Ok(bytes)
    }

    /// \[MS-TDS\] 2.2.5.2.3.
    fn plp(&mut self, limit: usize) -> Result<Out, Stop> {
        let low_first = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        let total = match low_first(&self.bytes(8)?) {
            u64::MAX => return Ok(Out::Null),
            total if total == u64::MAX - 1 => None,
            total => Some(total),
        };
        if let Some(length) = total.filter(|&total| total > limit as u64) {
            return Err(Stop::Failed(Error::MessageTooLarge { length }));
        }
        let mut value = Vec::new();
        loop {
            let chunk = low_first(&self.bytes(4)?);
            let length = value.len() as u64 + chunk;
            match total {
                Some(total) if chunk == 0 && length != total => {
                    return Err(Stop::Failed(Error::BadLength { length: total }));
                }
                _ if chunk == 0 => return Ok(Out::Bytes(value)),
                Some(total) if length > total => {
                    return Err(Stop::Failed(Error::BadLength { length }));
                }
                None if length > limit as u64 => {
                    return Err(Stop::Failed(Error::MessageTooLarge { length }));
                }
                _ => value.extend(self.bytes(chunk as usize)?),
            }
        }
    }
}
