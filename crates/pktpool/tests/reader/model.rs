//! A reader that has all bytes of a [`Wire`]: what a read must give when only some of them arrived.

use crate::wire::Wire;
use pktpool::{Error, Reader, Stop};
use std::ops::Range;

/// What a step may do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    U8,
    I16Le,
    U16Be,
    U32Le,
    I32Be,
    U64Le,
    F64Be,
    Bytes3,
    Peek,
    ReadInto(usize),
    Take(usize),
    /// Resumable.
    Skip(usize),
    ReadVec(usize),
    NextMessage,
    Kind,
}

impl Op {
    fn resumable(&self) -> bool {
        matches!(self, Self::Skip(_) | Self::ReadVec(_) | Self::NextMessage)
    }

    /// Bytes that it needs, and how many of them it goes on by.
    fn needs(&self) -> (usize, usize) {
        match *self {
            Self::U8 => (1, 1),
            Self::I16Le | Self::U16Be => (2, 2),
            Self::U32Le | Self::I32Be => (4, 4),
            Self::U64Le | Self::F64Be => (8, 8),
            Self::Bytes3 => (3, 3),
            Self::Peek => (1, 0),
            Self::ReadInto(n) | Self::Take(n) | Self::ReadVec(n) | Self::Skip(n) => (n, n),
            Self::NextMessage | Self::Kind => (0, 0),
        }
    }

    /// The bytes it reads, as they stood in the stream; skipping gives none.
    pub(crate) fn call(&self, r: &mut Reader<'_>) -> Result<Vec<u8>, Stop> {
        Ok(match *self {
            Self::U8 => vec![r.u8()?],
            Self::I16Le => r.i16_le()?.to_le_bytes().to_vec(),
            Self::U16Be => r.u16_be()?.to_be_bytes().to_vec(),
            Self::U32Le => r.u32_le()?.to_le_bytes().to_vec(),
            Self::I32Be => r.i32_be()?.to_be_bytes().to_vec(),
            Self::U64Le => r.u64_le()?.to_le_bytes().to_vec(),
            Self::F64Be => r.f64_be()?.to_bits().to_be_bytes().to_vec(),
            Self::Bytes3 => r.bytes::<3>()?.to_vec(),
            Self::Peek => vec![r.peek()?],
            Self::ReadInto(n) => {
                let mut out = vec![0xA5; n];
                r.read_into(&mut out)?;
                out
            }
            Self::Take(n) => {
                let mut out = Vec::new();
                for chunk in r.take(n)? {
                    assert!(!chunk.is_empty(), "a chunk is never empty");
                    out.extend_from_slice(chunk);
                }
                out
            }
            Self::ReadVec(n) => r.read_vec(n)?.to_vec(),
            Self::Skip(n) => {
                r.skip(n as u64)?;
                Vec::new()
            }
            Self::NextMessage => {
                r.next_message()?;
                Vec::new()
            }
            Self::Kind => vec![r.kind()?],
        })
    }
}

/// What must come of a read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Given,
    More,
    End,
    /// The end of the message is declared and not there: it may tell now or later.
    EndOrMore,
    Bad(Error),
}

/// Where a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) message: usize,
    pub(crate) at: usize,
}

/// The stream as the model sees it at one moment.
pub(crate) struct Moment<'w> {
    pub(crate) wire: &'w Wire,
    pub(crate) arrived: usize,
    /// Payload that resumable reads of earlier runs may have let go of.
    pub(crate) released: Range<usize>,
    /// Whether the step reads otherwise than the run that let go of it, so that it may be told so.
    pub(crate) changed: bool,
}

impl Moment<'_> {
    fn fate(&self, cursor: Cursor, n: usize) -> Fate {
        let message = &self.wire.messages[cursor.message];
        let behind = cursor.at.saturating_add(n);
        if n == 0 {
            return Fate::Given;
        }
        if let Some(last) = message.last
            && behind > message.payload.end
        {
            let last = &self.wire.frames[last];
            return match self.arrived {
                arrived if arrived >= last.end => Fate::End,
                arrived if arrived >= last.head_end => Fate::EndOrMore,
                _ => Fate::More,
            };
        }
        match self.wire.bad {
            _ if behind <= self.wire.reach(self.arrived) => Fate::Given,
            Some((end, error)) if self.arrived >= end => Fate::Bad(error),
            _ => Fate::More,
        }
    }

    /// Runs one read on both, compares, and moves the cursor. What stops the step comes back.
    pub(crate) fn run(
        &mut self,
        r: &mut Reader<'_>,
        op: &Op,
        cursor: &mut Cursor,
    ) -> Result<(), Stop> {
        self.look(r, *cursor);
        let (needs, goes) = op.needs();
        let given = op.call(r);
        let context = || format!("{op:?} at {cursor:?}, {} arrived, gave {given:?}", self.arrived);
        let touched =
            cursor.at < self.released.end && cursor.at.saturating_add(needs) > self.released.start;
        if matches!(given, Err(Stop::Failed(Error::StepChanged))) {
            assert!(self.changed && (touched || *op == Op::NextMessage), "{}", context());
            assert_eq!(r.position(), cursor.at as u64);
            return Err(Stop::Failed(Error::StepChanged));
        }
        let fate = match op {
            Op::NextMessage => self.fate_of_next_message(*cursor),
            Op::Kind => self.fate_of_kind(*cursor),
            _ => self.fate(*cursor, needs),
        };
        match (&given, fate) {
            (Ok(bytes), Fate::Given) => {
                let expected = match op {
                    Op::Skip(_) | Op::NextMessage => &[],
                    Op::Kind => {
                        let frame = self.wire.frame_at(cursor.at).unwrap();
                        assert_eq!(bytes, &[frame.kind], "{}", context());
                        &bytes[..]
                    }
                    _ => &self.wire.payload[cursor.at..cursor.at + needs],
                };
                assert!(bytes == expected, "{}, not {expected:?}", context());
                let from = cursor.at;
                cursor.at += goes;
                if *op == Op::NextMessage {
                    cursor.at = self.wire.messages[cursor.message].payload.end;
                    cursor.message += 1;
                }
                if op.resumable() {
                    self.may_release(from..cursor.at);
                }
            }
            // At the end of a message there is no packet to be read: its last one's kind, or the end.
            (Ok(_), Fate::End | Fate::EndOrMore) if *op == Op::Kind => {}
            (Err(Stop::NeedMore), Fate::More | Fate::EndOrMore) => {
                if op.resumable() {
                    self.may_release(cursor.at..self.wire.reach(self.arrived).max(cursor.at));
                }
            }
            (Err(Stop::Failed(Error::EndOfMessage)), Fate::End | Fate::EndOrMore) => {
                // Bytes that it went over before the end was known are gone for other reads.
                self.changed |= touched;
            }
            (Err(Stop::Failed(error)), Fate::Bad(expected)) if *error == expected => {}
            _ => panic!("{}, and must be {fate:?}", context()),
        }
        assert_eq!(r.position(), cursor.at as u64, "{op:?}");
        given.map(|_| ())
    }

    /// Whether the run ends in the need for more is not known yet.
    fn may_release(&mut self, bytes: Range<usize>) {
        let Range { start, end } = &self.released;
        self.released = match (start == end, bytes.is_empty()) {
            (true, _) => bytes,
            (_, true) => return,
            _ => bytes.start.min(*start)..bytes.end.max(*end),
        };
    }

    fn fate_of_next_message(&self, cursor: Cursor) -> Fate {
        let message = &self.wire.messages[cursor.message];
        match (message.last, self.wire.bad) {
            (Some(last), _) if self.arrived >= self.wire.frames[last].end => Fate::Given,
            (None, Some((end, error))) if self.arrived >= end => Fate::Bad(error),
            _ => Fate::More,
        }
    }

    /// The kind is there as soon as the header is.
    fn fate_of_kind(&self, cursor: Cursor) -> Fate {
        match self.wire.frame_at(cursor.at) {
            Some(frame) if self.wire.messages[cursor.message].payload.contains(&cursor.at) => {
                if self.arrived >= frame.head_end {
                    Fate::Given
                } else {
                    Fate::More
                }
            }
            _ => self.fate(cursor, 1),
        }
    }

    /// What is not read but looked at.
    pub(crate) fn look(&self, r: &Reader<'_>, cursor: Cursor) {
        assert_eq!(r.position(), cursor.at as u64);
        let message = &self.wire.messages[cursor.message];
        let ended = message.last.is_some_and(|last| {
            cursor.at == message.payload.end && self.arrived >= self.wire.frames[last].head_end
        });
        assert_eq!(r.at_message_end(), ended, "at {cursor:?}, {} arrived", self.arrived);
        let remaining = r.remaining_in_packet();
        let frame = self.wire.frame_at(cursor.at).filter(|_| !ended);
        let declared = frame
            .filter(|frame| self.arrived >= frame.head_end)
            .map_or(0, |frame| frame.payload.end - cursor.at);
        let between = frame.is_none_or(|frame| frame.payload.start == cursor.at);
        // Between two packets it may still be in the one that was read.
        assert!(
            remaining == declared || (between && remaining == 0),
            "at {cursor:?}, {} arrived: {remaining} remain, not {declared}",
            self.arrived
        );
    }
}
